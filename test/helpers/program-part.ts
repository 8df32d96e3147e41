/** Parts of programs that are packages of their own, such as a library of a language. */
import { spawnSync } from 'node:child_process';
import { type Lack, unlessMachine } from './needs.ts';

/** Why tests cannot have a part, which this command uses; null: they can. The command takes its time. */
export const withoutPart = (
  what: string,
  fix: string,
  [command, ...args]: readonly [string, ...string[]],
): Lack | null => unlessMachine(spawnSync(command, args, { stdio: 'ignore' }).status === 0, what, fix);
