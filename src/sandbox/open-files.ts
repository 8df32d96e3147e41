/** Whether this process may open as many files and sockets as its watches take; found out before they try. [cli, up] */
import { readFileSync } from 'node:fs';
import { Outage } from '../base/assert.ts';

/** Beside the watches: the program, the database, listeners, requests and deliveries. */
const BESIDE = 100;

/** Throws an `Outage` with the cure where the limit is too low; `each`: sockets of one watch in this process. */
export function enoughOpenFiles(watches: number, each: 1 | 2): void {
  const needed = watches * each + BESIDE;
  const limit = openFilesLimit();
  if (limit === null || needed <= limit) return;
  const most = Math.floor((limit - BESIDE) / each);
  const share =
    each === 2 ? 'share them among processes: sandbox up --no-fleet and sandbox fleet --shard 1/2, 2/2' : 'more shards';
  throw new Outage({
    code: 'too_few_open_files',
    message: `${watches} watches need ${needed} open files, and this process may have ${limit}.`,
    cure: `Raise the limit with "ulimit -n ${needed}" in this shell, ask for at most ${most} watches, or ${share}.`,
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
