/** Child processes of the store's tests: started, read line by line, and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundledScript } from '../../helpers/bundles.ts';

const bundled = new Map<string, string>();

/** A running script of this folder. */
export interface Child {
  readonly process: ChildProcess;
  /** What it prints, to the end of its output. */
  readonly lines: AsyncIterableIterator<string>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts a script of this folder; what it says on stderr is the test's own. */
export function startChild(script: string, ...args: string[]): Child {
  const path = bundled.get(script) ?? bundledScript(join(import.meta.dirname, script));
  bundled.set(script, path);
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  return {
    process: child,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
