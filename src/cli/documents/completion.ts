/** `sandbox completion bash|zsh|fish`: prints the script that completes commands, flags, actions and names. [cli] */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import type { WorldList } from '../../contract/operations/world.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { OPTIONS } from '../../sandbox/options/table.ts';
import { DEFAULT_DATA_DIR } from '../../sandbox/options/values.ts';
import { scenarioFolders } from '../../sandbox/runs/scenario-folders.ts';
import { snapshotsIn } from '../../sandbox/world/states.ts';
import { EXIT, envelope, out, outLine, usage } from '../output.ts';
import { callSandbox, findRunning } from '../running.ts';
import { completed, NAME_KINDS, type NameKind, SHELLS } from './completion-model.ts';
import { completionScript } from './completion-scripts.ts';

const HELP = `
Completes commands, flags and their values, actions of trigger with their fields, and bundled scenarios. The
names of people, zones, points, sites and clients are those of the running sandbox (data folder
SANDBOX_DATA_DIR, or .sandbox).

Examples:
  eval "$(${CLI} completion bash)"                                        in this shell; for all shells: in ~/.bashrc
  eval "$(${CLI} completion zsh)"                                         in ~/.zshrc, after compinit
  ${CLI} completion fish > ~/.config/fish/completions/sandbox.fish
  ${CLI} completion names people                                          one name per line, for the scripts

Names: ${NAME_KINDS.join(', ')}.`;

/** The data folder. The scripts pass no flags, so it comes from the environment. */
const dataDir = (): string => process.env[OPTIONS.dataDir.variable ?? ''] ?? DEFAULT_DATA_DIR;

/** `everyCommand`: loads all commands, of which this is one. */
export function defineCompletion(
  program: Command,
  ended: (code: number) => void,
  everyCommand: () => Promise<readonly Command[]>,
): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish; or names, to list names')
    .argument('[names]', 'the kind of names to list, such as people')
    .description('print the completion script of bash, zsh or fish')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action(async (word: string, kind: string | undefined, { json }: { json?: boolean }) => {
      if (word === 'names') await printNames(kind ?? '', json === true);
      else await printScript(word, json === true, everyCommand);
      ended(EXIT.done);
    });
}

async function printScript(
  word: string,
  json: boolean,
  everyCommand: () => Promise<readonly Command[]>,
): Promise<void> {
  const shell = SHELLS.find((one) => one === word);
  if (shell === undefined)
    throw usage(
      `"${word}" is no shell that can be completed.${didYouMean(word, SHELLS)}`,
      `There are ${SHELLS.join(', ')}.`,
    );
  const script = completionScript(shell, completed(await everyCommand()));
  out(json ? JSON.stringify(envelope('completion', { shell, script })) : script.trimEnd());
}

async function printNames(kind: string, json: boolean): Promise<void> {
  const known = NAME_KINDS.find((one) => one === kind);
  if (known === undefined)
    throw usage(`completion names "${kind}": there are ${NAME_KINDS.join(', ')}.${didYouMean(kind, NAME_KINDS)}`);
  const names = [...new Set(await namesOf(known))];
  if (json) return out(JSON.stringify(envelope('completion', { names })));
  for (const name of names) outLine(name);
}

/** Returns no names if no sandbox is running. This is not an error, because a shell calls it only to complete. */
async function namesOf(kind: NameKind): Promise<readonly string[]> {
  if (kind === 'stories') return scenarios();
  if (kind === 'snapshots') return snapshotsIn(dataDir()).map(({ name }) => name);
  let world: WorldList;
  try {
    const { status, body } = await callSandbox(findRunning(dataDir()), 'GET', '/v1/sandbox/world');
    if (status !== 200) return [];
    world = body as WorldList;
  } catch {
    return [];
  }
  switch (kind) {
    case 'people':
      return world.people.map(({ external_id, id }) => external_id ?? id);
    case 'clients':
      return world.clients.flatMap(({ client_id, organization }) => [client_id, organization]);
    default:
      return world[kind].map(({ name }) => name);
  }
}

/** The scenarios of the folder here, or else those of the package. */
function scenarios(): string[] {
  const [folder] = scenarioFolders();
  if (folder === undefined) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.scenario.yaml'));
  return names.sort().map((name) => {
    const path = join(folder, name);
    const near = relative(process.cwd(), path);
    return near.startsWith('..') ? path : near;
  });
}
