/** What `sandbox run` of one scenario costs as a process, beside `up --memory` to ready; and many runs of it in few processes. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { untilFirstLine } from './boot.ts';
import { figures, tellRatio } from './figures.ts';
import { packed } from './packed.ts';
import { measured } from './table.ts';

const ROUNDS = 7;
/** A scenario boots a sandbox of its own too, smaller than the default world, and plays minutes in it. */
const TARGET = 2.5;
const SCENARIO = 'fall-to-sos.scenario.yaml';
const SEEDS = 50;

const UP = ['up', '--memory', '--port', '0', '--mqtt-port', '0', '--json'];

/** Ms until it has ended. */
function played(bin: string, cwd: string, ...flags: string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [bin, 'run', join('scenarios', SCENARIO), ...flags], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`sandbox run ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}

export async function benchRunProcess(): Promise<void> {
  const { bin, folder, remove } = packed();
  try {
    const [ours, up]: [number[], number[]] = [[], []];
    // Taken in turns, so that a machine that is busy for a while is busy for both.
    for (let round = 0; round < ROUNDS; round++) {
      up.push(await untilFirstLine([bin, ...UP], folder));
      ours.push(played(bin, folder));
    }
    tellRatio(`sandbox run ${SCENARIO}, beside up --memory to ready`, figures(ours), figures(up), TARGET);
    const manyMs = played(bin, folder, '--seeds', `1..${SEEDS}`, '--orders', '0..1', '--jobs', '2');
    const runs = 2 * SEEDS;
    measured({ what: `a run, of ${runs} with --jobs 2`, value: manyMs / runs, unit: 'ms' });
    console.log(`${runs} runs with --jobs 2: ${(manyMs / 1000).toFixed(1)} s, ${(manyMs / runs).toFixed(0)} ms a run`);
  } finally {
    remove();
  }
}
