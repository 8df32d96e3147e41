/** `sandbox reset`: returns the running sandbox to its first state. [cli, decisions 9] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { EXIT, envelope, out } from '../output.ts';
import { callSandbox, findRunning, refusedCall } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
Deletes alerts, musters, events, webhook destinations, deliveries and logs. The workers return to their first
positions, and the clock returns to its start. Addresses, secrets and access tokens stay the same. The fleet
emulates all its watches again, also those that your clients took over. Connections close: watches, streams and
"${CLI} listen" reconnect automatically.

Examples:
  ${CLI} reset
  ${CLI} snapshot save before && ${CLI} reset     to return to the saved state: ${CLI} snapshot load before`;

export function defineReset(program: Command, ended: (code: number) => void): void {
  program
    .command('reset')
    .description('return the running sandbox to its first state: world, clock, people and logs')
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'reset'))
    .addHelpText('after', HELP)
    .action(async ({ json, dataDir }: { json?: boolean; dataDir: string }) => {
      const { status, body } = await callSandbox(findRunning(dataDir), 'POST', '/v1/sandbox/reset');
      if (status !== 200) throw refusedCall(status, body);
      const { now } = body as { now: string };
      if (json === true) out(JSON.stringify(envelope('reset', body)));
      else out(`back to the beginning; the clock shows ${now}`);
      ended(EXIT.done);
    });
}
