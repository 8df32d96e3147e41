/** What `sandbox run --mutate` of all shipped scenarios costs, beside playing each of them once. */
import { spawnSync } from 'node:child_process';
import { packed } from './packed.ts';
import { measured } from './table.ts';

/** Minutes, on two cores. */
const TARGET_MIN = 3;

export async function benchMutate(): Promise<void> {
  const { bin, folder, remove } = packed();
  const played = (...flags: string[]): { seconds: number; stdout: string } => {
    const begun = performance.now();
    const args = [bin, 'run', 'scenarios', '--jobs', '2', '--json', ...flags];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`sandbox run ${flags.join(' ')} ended with ${status}: ${stderr}`);
    return { seconds: (performance.now() - begun) / 1_000, stdout };
  };
  try {
    const once = played();
    const mutated = played('--mutate');
    const { data } = JSON.parse(mutated.stdout.trimEnd().split('\n').at(-1) ?? '') as {
      data: { stories: { made: number }[] };
    };
    const made = data.stories.reduce((sum, scenario) => sum + scenario.made, 0);
    const judgement = mutated.seconds <= TARGET_MIN * 60 ? 'within' : 'OVER';
    measured({
      what: `--mutate of ${data.stories.length} scenarios, against playing each once`,
      value: mutated.seconds,
      unit: 's',
      bare: once.seconds,
      aim: { of: 'value', most: TARGET_MIN * 60 },
    });
    console.log(
      `--mutate of ${data.stories.length} scenarios: ${made} changes in ${mutated.seconds.toFixed(0)} s (${judgement} ${TARGET_MIN} min), ${((1_000 * mutated.seconds) / made).toFixed(0)} ms a change, ${(mutated.seconds / once.seconds).toFixed(0)} times playing each once (${once.seconds.toFixed(1)} s)`,
    );
  } finally {
    remove();
  }
}
