/** A wrong wall clock for a child process, by Debian's faketime: its monotonic clock and its timers stay right. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { unlessMachine } from './needs.ts';

const preload = spawnSync('faketime', ['-f', '+0s', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' });
const library = preload.status === 0 ? preload.stdout.trim() : null;

export const withoutFaketime = unlessMachine(library !== null, 'faketime', 'apt-get install faketime');

const RIGHT_TIMERS = { FAKETIME_DONT_FAKE_MONOTONIC: '1' };

/** The environment of a process whose clock is off by this, such as `+5s` or `-1d`. */
export const clockOff = (by: string): Record<string, string> => ({
  ...RIGHT_TIMERS,
  LD_PRELOAD: library ?? '',
  FAKETIME: by,
});

/** A clock that is right at first and can be set while the process runs. `file`: where the process reads it. */
export function settableClock(file: string): { readonly env: Record<string, string>; set(by: string): void } {
  const set = (by: string): void => writeFileSync(file, `${by}\n`);
  set('+0s');
  const read = { FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' };
  return { env: { ...RIGHT_TIMERS, ...read, LD_PRELOAD: library ?? '' }, set };
}
