/** Whether this process may open as many files and sockets as it needs; found out before it tries. [cli, up] */
import { readFileSync } from 'node:fs';
import { Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';

/** Beside the watches: the program, the database, listeners, requests and deliveries. */
const BESIDE = 100;

/**
 * Throws an `Outage` with the fix where the limit is too low. `watches`: those that meet a broker over the network, by
 * a socket each; those of the sandbox's own broker need none.
 */
export function enoughOpenFiles(watches: number): void {
  const needed = watches + BESIDE;
  const limit = openFilesLimit();
  if (limit === null || needed <= limit) return;
  const fewer =
    watches === 0 || limit <= BESIDE
      ? ''
      : `, ask for at most ${limit - BESIDE} watches, or share them among processes: ${CLI} up --no-fleet, and ${CLI} fleet --shard 1/2 and 2/2`;
  throw new Outage({
    code: 'too_few_open_files',
    message: `${watches === 0 ? 'A sandbox needs' : `${watches} watches need`} ${needed} open files, and this process may have ${limit}.`,
    fix: `Raise the limit with "ulimit -n ${needed}" in this shell${fewer}.`,
  });
}

/** Node raises its soft limit to the hard one when it starts; null where nothing tells it. */
export function openFilesLimit(): number | null {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (soft !== undefined) return Number(soft);
  } catch {
    // No Linux.
  }
  return process.platform === 'win32' ? null : reportedLimit();
}

/** The report of the process tells it too, but takes a while to make. */
function reportedLimit(): number | null {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : null;
}
