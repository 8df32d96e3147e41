/** Whether this process may read its terminal: a job in the background that reads keys or sets raw mode is stopped by the kernel. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { later } from './time/timers.ts';

/**
 * True if the process is in the foreground job of its terminal, or has no terminal that controls jobs. Compares its
 * process group with that of the terminal (`tpgid`).
 */
export function isForeground(): boolean {
  if (process.platform === 'win32') return true;
  const [group, foreground] = process.platform === 'linux' ? groupsOfProc() : groupsOfPs();
  // Zero or below: no controlling terminal. NaN: not known.
  return !(Number(foreground) > 0) || group === foreground;
}

/** The fields after the name of the program, which may itself have spaces and brackets. */
function groupsOfProc(): readonly (string | undefined)[] {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [group, foreground];
  } catch {
    return groupsOfPs();
  }
}

function groupsOfPs(): readonly (string | undefined)[] {
  try {
    const text = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
    return text.trim().split(/\s+/);
  } catch {
    return [];
  }
}

/** Time between two looks from the background: `fg` of a job that runs sends no signal; wall ms. */
const LOOK_EVERY_MS = 1_000;

/**
 * Calls `change` now, at each SIGCONT, and when the process comes to the foreground. A shell may have changed the terminal
 * in the meantime, so `change(true)` may repeat. Returns the function that ends this.
 */
export function followForeground(change: (isForeground: boolean) => void): () => void {
  let cancel = () => {};
  const judge = () => {
    cancel();
    const isInFront = isForeground();
    change(isInFront);
    if (!isInFront) look();
  };
  const look = () => {
    cancel = later(LOOK_EVERY_MS, () => (isForeground() ? judge() : look()), { unref: true });
  };
  process.on('SIGCONT', judge);
  judge();
  return () => {
    cancel();
    process.off('SIGCONT', judge);
  };
}
