/** `sandbox reset`: the running sandbox goes back to its beginning. [cli, decisions 9] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { EXIT, envelope, out } from '../output.ts';
import { callSandbox, findRunning, refusedCall } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
Alerts, musters, events, webhook destinations, deliveries and logs are gone, people stand where they stood at first, and
the clock shows what it would show at a start. Addresses, secrets and access tokens stay, and the fleet has its watches
again that clients of yours took over. Connections end: watches, streams and "${CLI} listen" come back by themselves.

Examples:
  ${CLI} reset
  ${CLI} snapshot save before && ${CLI} reset     and back with: ${CLI} snapshot load before`;

export function defineReset(program: Command, ended: (code: number) => void): void {
  program
    .command('reset')
    .description('back to the beginning: world, clock, people and logs')
    .option('--json', 'answer in the envelope')
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
