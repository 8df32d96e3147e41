/** `sandbox strictness`: what clients of the running sandbox used that production may refuse. [decisions 3, cli] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { LENIENCIES, type LeniencyName, leniencyOf } from '../../contract/leniencies.ts';
import { plural } from '../../contract/sentences.ts';
import { colourOf, EXIT, envelope, out, outLine } from '../output.ts';
import { callSandbox, findRunning, refusedCall } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
"${CLI} logs requests" also shows each non-standard input that a client used. "${CLI} up --strict"
refuses all of them.

Examples:
  ${CLI} strictness
  ${CLI} strictness --json | jq -e '.data.used | length == 0'       succeeds if production accepts all requests

Exit codes: 0 no non-standard input was used, 1 some was used, 3 no sandbox is running.`;

/** Number of newest requests of the user's programs that are examined. */
const NEWEST = 1_000;

interface UsedLeniency {
  readonly leniency: LeniencyName;
  readonly warning: string;
  /** The published name of the field for the fix. */
  readonly cure: string;
  readonly clause: string;
  readonly clients: readonly string[];
  readonly requests: number;
  /** Simulated time of the newest request with it. */
  readonly last_at: string;
}

export function defineStrictness(program: Command, ended: (code: number) => void): void {
  program
    .command('strictness')
    .description('list the non-standard input of your clients that production may refuse')
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'strictness'))
    .addHelpText('after', HELP)
    .action(async (flags: { json?: boolean; dataDir: string }) => {
      const found = findRunning(flags.dataDir);
      const { status, body } = await callSandbox(found, 'GET', `/v1/sandbox/requests?own=true&limit=${NEWEST}`);
      if (status !== 200) throw refusedCall(status, body);
      const used = usedOf((body as { data: LoggedWarnings[] }).data);
      if (flags.json === true) out(JSON.stringify(envelope('strictness', { used, looked_at: NEWEST })));
      else print(used);
      ended(used.length === 0 ? EXIT.done : EXIT.failed);
    });
}

interface LoggedWarnings {
  readonly at: string;
  readonly client_id: string | null;
  readonly warnings: readonly string[];
}

/** `rows` are sorted, the newest first. */
export function usedOf(rows: readonly LoggedWarnings[]): UsedLeniency[] {
  return (Object.keys(LENIENCIES) as LeniencyName[]).flatMap((leniency) => {
    const own = rows.filter(({ warnings }) => warnings.some((warning) => leniencyOf(warning) === leniency));
    const [newest] = own;
    if (newest === undefined) return [];
    const clients = [...new Set(own.flatMap(({ client_id }) => client_id ?? []))].toSorted();
    const { fix: cure, ...facts } = LENIENCIES[leniency];
    return [{ leniency, ...facts, cure, clients, requests: own.length, last_at: newest.at }];
  });
}

function print(used: readonly UsedLeniency[]): void {
  const paint = colourOf(process.stdout);
  if (used.length === 0) return outLine(`Nothing that production may refuse, in the newest ${NEWEST} requests.`);
  for (const { leniency, warning, cure, clause, clients, requests, last_at } of used) {
    outLine(`${paint('amber', leniency)}  ${warning}`);
    const by = clients.length === 0 ? 'an unknown client' : clients.join(', ');
    outLine(`  ${plural(requests, 'request')} by ${by}, the last at ${last_at.slice(0, 19).replace('T', ' ')} UTC`);
    outLine(`  ${cure} ${paint('dim', `[${clause}]`)}`);
  }
}
