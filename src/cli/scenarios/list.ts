/** `sandbox list`: the scenarios of a folder. With `--ids` also the names, ids and keys of all objects in them. */

import type { Command } from 'commander';
import { hmacSecret } from '../../base/ids.ts';
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { plural } from '../../contract/sentences.ts';
import { documentsOf, secretsOf } from '../../sandbox/world/world-from-plan.ts';
import type { Scenario } from '../../scenario/model/scenario.ts';
import { FAST_START } from '../../scenario/playing/run-file.ts';
import { type LoadedScenario, loadScenario } from '../../scenario/reading/load.ts';
import type { FileCommand } from '../../scenario/reading/read-system.ts';
import { colourOf, EXIT, envelope, out, outLine, talk, talkLine } from '../output.ts';
import { wholeSeed } from '../values.ts';
import { SCENARIOS_FOLDER, scenariosToList, shippedName } from './find-scenarios.ts';

const HELP = `
Examples:
  ${CLI} list                                     scenarios of the folder ${SCENARIOS_FOLDER}, or those of this package
  ${CLI} list tag:smoke                           scenarios with this tag
  ${CLI} list my.scenario.yaml --ids              names and ids of its people, zones and clients
  ${CLI} list my.scenario.yaml --ids --seed 7`;

/** Printed below a list of shipped scenarios. */
const SHIPPED = `\nThese ship with the package. ${CLI} run NAME plays one, ${CLI} run tag:smoke all with a tag.`;

type ReadScenario = Extract<LoadedScenario, { ok: true }>;

interface ListedRow extends Pick<Scenario, 'file' | 'title' | 'about' | 'tags'> {
  /** The name by which `run` finds the scenario; null for a file of the user. */
  readonly name: string | null;
  readonly modes: readonly string[];
  readonly seed: string;
  readonly runs: number;
  /** The commands that the scenario starts on this machine. */
  readonly commands: readonly FileCommand[];
  readonly ids?: readonly ListedObject[];
}

interface ListedObject {
  readonly what: 'client' | 'site' | 'zone' | 'worker';
  readonly name: string;
  readonly id: string;
  /** For a worker: external id, watch and its key; for a client: its secret. */
  readonly more: Readonly<Record<string, string>>;
}

export function defineList(program: Command, ended: (code: number) => void): void {
  program
    .command('list [files...]')
    .description('list scenarios, and the ids of their objects')
    .option('--ids', 'list the names, ids and keys that a run of the scenario has')
    .option('--seed <n>', 'use this seed instead of that of the file', wholeSeed)
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action((named: string[], { ids, seed, json }: { ids?: boolean; seed?: string; json?: boolean }) => {
      const broken: string[] = [];
      const scenarios = scenariosToList(named).flatMap((file): ListedRow[] => {
        const loaded = loadScenario(file, { seed });
        if (loaded.ok) return [listed(loaded, ids === true)];
        broken.push(file);
        talkLine(`${file}  has mistakes: ${CLI} validate ${shellWord(file)} lists them.`);
        return [];
      });
      if (json === true) printJson(scenarios, broken);
      else {
        for (const scenario of scenarios) tell(scenario);
        if (scenarios.some(({ name }) => name !== null)) talk(SHIPPED);
      }
      ended(broken.length === 0 ? EXIT.done : EXIT.usage);
    });
}

function printJson(scenarios: readonly ListedRow[], broken: readonly string[]): void {
  const line = envelope('list', { scenarios });
  if (broken.length === 0) return out(JSON.stringify(line));
  const error = {
    code: 'invalid_file',
    message: `${plural(broken.length, 'file')} with mistakes: ${broken.join(', ')}`,
    retryable: false,
    details: { files: broken },
    actions: broken.map((file) => `${CLI} validate ${shellWord(file)}`),
  };
  out(JSON.stringify({ ...line, status: 'error', error }));
}

function listed({ scenario, seed, cases, commands }: ReadScenario, withIds: boolean): ListedRow {
  const { file, title, about, tags, modes } = scenario;
  const runs = Math.max(1, cases.length);
  return {
    file,
    name: shippedName(file),
    title,
    about,
    tags,
    modes,
    seed,
    runs,
    commands,
    ...(withIds ? { ids: idsOf(scenario, seed) } : {}),
  };
}

/** Lists the objects of the world that a sandbox derives from the plan. */
function idsOf({ plan, start, cast }: Scenario, seed: string): ListedObject[] {
  const secrets = secretsOf(hmacSecret(seed, 'root'));
  const made = documentsOf(plan, seed, secrets, start ?? FAST_START);
  const short = new Map(
    [...cast].flatMap(([name, externalIds]) =>
      externalIds.map((one) => [one, externalIds.length === 1 ? name : one] as const),
    ),
  );
  return made.flatMap(({ kind, document }): ListedObject[] => {
    const one = document as {
      id: string;
      name: string;
      externalId?: string;
      organizationId: string;
      deviceId?: string;
      workerId?: string;
      serial?: string;
    };
    switch (kind) {
      case 'client': {
        const organization = made.find((other) => other.kind === 'organization' && other.id === one.organizationId);
        const { name } = organization?.document as unknown as { name: string };
        return [{ what: 'client', name, id: one.id, more: { secret: secrets.client(one.id) } }];
      }
      case 'site':
      case 'zone':
        return [{ what: kind, name: one.name, id: one.id, more: {} }];
      case 'worker': {
        const watch = made.find(
          (other) => other.kind === 'device' && (other.document as { workerId?: string }).workerId === one.id,
        );
        const { serial = '' } = (watch?.document ?? {}) as { serial?: string };
        const external = one.externalId ?? '';
        const more = { external_id: external, full_name: one.name, watch: serial, key: secrets.watch(serial) };
        return [{ what: 'worker', name: short.get(external) ?? external, id: one.id, more }];
      }
      default:
        return [];
    }
  });
}

function tell({ file, name: shipped, title, tags, runs, commands, ids }: ListedRow): void {
  const paint = colourOf(process.stdout);
  const several = runs === 1 ? '' : `  ${plural(runs, 'run')}`;
  outLine(
    `${paint('bold', shipped ?? file)}  ${title}${tags.length === 0 ? '' : `  ${paint('dim', `[${tags.join(', ')}]`)}`}${several}${commands.length === 0 ? '' : `  starts ${plural(commands.length, 'command')}`}`,
  );
  for (const { what, name, id, more } of ids ?? []) {
    const pairs = Object.entries(more).map(([key, value]) => `${key} ${value}`);
    outLine(`  ${what.padEnd(7)} ${name.padEnd(16)} ${id}${pairs.length === 0 ? '' : `  ${pairs.join('  ')}`}`);
  }
}
