/** `sandbox stop`: ends the sandbox of a data folder as cleanly as Ctrl-C in its terminal. [cli] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';
import { CommandError, EXIT, envelope, out } from '../output.ts';
import { callSandbox, foundBy, isAlive, noSandbox, readyIn } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
Disconnects the watches, completes the deliveries in flight or leaves them pending, and stores the state. The
command ends when this is done. If no sandbox is running on the data folder, the exit code is 3.

Examples:
  ${CLI} stop
  ${CLI} stop --data-dir /tmp/muster-sandbox-1a2b3c`;

/** A clean stop takes at most 2 s, after which the sandbox forces its end; this limit is longer. Wall ms. */
const WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 25;

export function defineStop(program: Command, ended: (code: number) => void): void {
  program
    .command('stop')
    .description('stop the running sandbox cleanly')
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'stop'))
    .addHelpText('after', HELP)
    .action(async ({ json, dataDir }: { json?: boolean; dataDir: string }) => {
      const ready = readyIn(dataDir);
      if (ready === null) throw noSandbox(dataDir);
      const { pid, api_url, data_dir } = ready;
      // Checks that the sandbox answers: after a kill -9, another program may have its process id.
      await callSandbox(foundBy(ready), 'GET', '/v1/sandbox/clock');
      await end(pid);
      if (json === true) out(JSON.stringify(envelope('stop', { stopped: true, pid, api_url, data_dir })));
      else out(`stopped: ${api_url} (process ${pid}, data folder ${data_dir})`);
      ended(EXIT.done);
    });
}

/** Sends SIGTERM. Resolves when the process has ended. */
async function end(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new CommandError(EXIT.environment, 'not_allowed', `This user may not end the process ${pid}.`, {
      actions: ['Stop it as the user who started it.'],
    });
  }
  const until = monotonicMs() + WITHIN_MS;
  while (isAlive(pid)) {
    if (monotonicMs() > until)
      throw new CommandError(EXIT.environment, 'still_running', `The process ${pid} has not ended in 10 s.`, {
        actions: [`To force the stop: kill -9 ${pid}. Everything that was acknowledged is on disk.`],
        retryable: true,
      });
    await new Promise<void>((resolve) => later(LOOK_EVERY_MS, resolve));
  }
}
