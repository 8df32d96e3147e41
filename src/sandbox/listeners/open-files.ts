/** Checks before the start whether this process may open as many files and sockets as it needs. [cli, up] */
import { readFileSync } from 'node:fs';
import { Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';

/** Open files in addition to the watches: the program, the database, listeners, requests and deliveries. */
const BESIDE = 100;

/**
 * Throws an `Outage` with the fix if the limit is too low. `watches`: the number of watches that connect to a broker
 * over the network, each with one socket; watches of the embedded broker need no socket.
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

/**
 * Returns the soft limit, which Node raises to the hard limit when it starts; null if the system does not report it.
 */
export function openFilesLimit(): number | null {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (soft !== undefined) return Number(soft);
  } catch {
    // This system is not Linux.
  }
  return process.platform === 'win32' ? null : reportedLimit();
}

/** The process report also contains the limit. Its part about the network is slow: it asks for the names of hosts. */
function reportedLimit(): number | null {
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : null;
}
