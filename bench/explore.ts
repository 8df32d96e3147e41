/** What a scenario costs in `sandbox explore`, beside playing the same scenarios bare: by `runFile`, without a system, rules or coverage. */
import { join } from 'node:path';
import { streams } from '../src/base/random/streams.ts';
import { type GeneratedScenario, textOf } from '../src/proving/explore/generated-scenario.ts';
import { newScenario } from '../src/proving/explore/make.ts';
import { missingPlant, plantOf } from '../src/proving/explore/plant.ts';
import { GeneratedScenarioPlayer } from '../src/proving/explore/play.ts';
import { bootStage } from '../src/sandbox/boot.ts';
import { runFile } from '../src/scenario/playing/run-file.ts';
import { measured } from './table.ts';

const SCENARIOS = 60;

/** A scenario under search against a bare one: the user's system is a process of its own, and time stands still for it. */
const TARGET = 4;

export async function benchExplore(): Promise<void> {
  const file = join(import.meta.dirname, '../test/proving/explore/systems/push.explore.yaml');
  const player = new GeneratedScenarioPlayer({ file, boot: bootStage, version: 'bench' });
  const sections = missingPlant({});
  const loaded = player.load({ plant: sections, steps: [], seed: 1 });
  if (!loaded.ok) throw new Error(loaded.text);
  const stream = streams('bench').stream('explore', 'stories');
  const scenarios = Array.from({ length: SCENARIOS }, () =>
    newScenario({ stream, plant: plantOf(loaded), choice: {} }, sections),
  );
  try {
    // Starts the system, which then stays.
    await player.play({ plant: sections, steps: [], seed: 1 });
    const explored = await secondsOf(scenarios, async (scenario) => void (await player.play(scenario)));
    const bare = await secondsOf(scenarios, (scenario) => playBare(scenario));
    const ratio = explored / bare;
    const perMinute = (seconds: number) => ((60 * SCENARIOS) / seconds).toFixed(0);
    measured({
      what: `${SCENARIOS} scenarios, against playing them bare`,
      value: explored,
      unit: 's',
      bare,
      aim: { of: 'times', most: TARGET },
    });
    console.log(
      `explore: ${perMinute(explored)} scenarios a minute in one process, against ${perMinute(bare)} bare = ${ratio.toFixed(2)} (${ratio <= TARGET ? 'within' : 'OVER'} ${TARGET})`,
    );
  } finally {
    await player.stop();
  }
}

async function secondsOf(
  scenarios: readonly GeneratedScenario[],
  play: (scenario: GeneratedScenario) => Promise<void>,
): Promise<number> {
  const begun = performance.now();
  for (const scenario of scenarios) await play(scenario);
  return (performance.now() - begun) / 1_000;
}

/** The same steps with a built-in receiver. */
async function playBare(scenario: GeneratedScenario): Promise<void> {
  const { text } = textOf(
    { ...scenario, plant: { ...scenario.plant, receivers: { inbox: { events: ['alert.*'] } } } },
    { title: 'Bare', remarks: [], rules: 'none.yaml' },
  );
  const bare = text.replace(/^use: .*\n/m, '');
  const read = (path: string) => (path === 'bare.scenario.yaml' ? bare : undefined);
  await runFile('bare.scenario.yaml', { mode: 'fast', boot: bootStage, sink: () => {}, read });
}
