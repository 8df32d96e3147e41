/** `sandbox fleet` as a child process. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BIN, cleanEnv } from '../product/sandbox-process.ts';

export interface FleetProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Resolves when its watches are connected; rejects with what it printed when it ends before. */
export async function startFleet(args: readonly string[]): Promise<FleetProcess> {
  const child = spawn(process.execPath, [BIN, 'fleet', '--json', ...args], {
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => {
    output += bytes;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((ready, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += line;
      if ((JSON.parse(line) as { data?: { event?: string } }).data?.event === 'ready') ready();
    });
    void ended.then(() => failed(new Error(`the fleet ended: ${output}`)));
  });
  return {
    pid: child.pid ?? 0,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
