/** The processor time that this process has used, and the child processes that it has waited for. */
import { readFileSync } from 'node:fs';

export interface ProcessorTime {
  /** User and system time of all threads of this process; s. */
  readonly ownS: number;
  /** The same of the child processes that have ended, and of theirs; s. Only Linux tells it to a process without native code: null elsewhere. */
  readonly childrenS: number | null;
}

/** The kernel's unit in /proc, the same on every architecture that Node runs on (`getconf CLK_TCK`). */
const TICKS_PER_S = 100;

/** Fields 16 and 17 of /proc/PID/stat: cutime and cstime. The name of the program is in brackets, and may have any character. [man 5 proc] */
export function childrenSecondsIn(stat: string): number {
  const [, , ...fields] = `_ _ ${stat.slice(stat.lastIndexOf(')') + 2)}`.split(' ');
  // The first of these is field 3, the state.
  const [user, system] = [fields[13], fields[14]].map(Number);
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_S;
}

export function processorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  const ownS = (user + system) / 1e6;
  if (process.platform !== 'linux') return { ownS, childrenS: null };
  return { ownS, childrenS: childrenSecondsIn(readFileSync('/proc/self/stat', 'utf8')) };
}

export const since = (start: ProcessorTime, now = processorTime()): ProcessorTime => ({
  ownS: now.ownS - start.ownS,
  childrenS: now.childrenS === null ? null : now.childrenS - (start.childrenS ?? 0),
});
