/** Made scenarios: each is one that the reader accepts, and shrinking leaves nothing that can be left out. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { streams } from '../../../src/base/random/streams.ts';
import { type GeneratedScenario, sound } from '../../../src/proving/explore/generated-scenario.ts';
import { extended, mutated, newScenario, sceneScenario } from '../../../src/proving/explore/make.ts';
import { MOVES } from '../../../src/proving/explore/moves.ts';
import { missingPlant, plantOf, withCrew } from '../../../src/proving/explore/plant.ts';
import { GeneratedScenarioPlayer } from '../../../src/proving/explore/play.ts';
import { SCENE_MOVES } from '../../../src/proving/explore/scenes/scenes.ts';
import { shrunk } from '../../../src/proving/explore/shrink.ts';
import { SearchCounts } from '../../../src/proving/explore/statistics.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { isWhole } from '../../helpers/whole.ts';

const file = join(import.meta.dirname, 'systems/push.explore.yaml');
const player = new GeneratedScenarioPlayer({ file, boot: bootStage, version: 'test' });
const sections = missingPlant({});
const bare: GeneratedScenario = { plant: sections, steps: [], seed: 1 };

function plant() {
  const loaded = player.load(bare);
  if (!loaded.ok) throw new Error(loaded.text);
  return plantOf(loaded);
}

const MADE = isWhole ? 300 : 120;
const LOADED = isWhole ? 1 : 5;
const DRAWS = isWhole ? 8 : 1;

describe('made scenarios', () => {
  test('are valid, new ones and changed ones, and every kind of move occurs', () => {
    const here = plant();
    const stream = streams('stories').stream('test', 'make');
    const parts = { stream, plant: here, choice: { more: SCENE_MOVES } };
    const words = new Set<string>();
    let before = newScenario(parts, sections);
    for (let i = 0; i < MADE; i++) {
      const scenario =
        i % 2 === 0 ? newScenario(parts, sections) : mutated(before, newScenario(parts, sections), parts);
      // Reading one takes longer than making ten.
      const loaded = i % LOADED === 0 ? player.load(scenario) : null;
      expect(loaded?.ok === false ? loaded.text : '').toBe('');
      for (const step of scenario.steps) words.add(Object.keys(step)[0] as string);
      before = scenario;
    }
    expect(words.size).toBeGreaterThan(Object.keys(MOVES).length / 2);
    expect([...words]).toEqual(expect.arrayContaining(['deliveries', 'limits', 'webhook', 'token', 'clock', 'hazard']));
  });

  test.each(
    SCENE_MOVES.map((scene) => [scene.name, scene] as const),
  )('the scene %s is valid with each draw', (_name, scene) => {
    const here = plant();
    for (let draw = 0; draw < DRAWS; draw++) {
      const stream = streams('scenes').stream('test', `${scene.name} ${draw}`);
      const scenario = sceneScenario(scene, { stream, plant: here, choice: {} }, sections);
      const loaded = player.load(scenario as GeneratedScenario);
      expect(loaded.ok ? '' : loaded.text).toBe('');
    }
  });

  test('have scenes in which alerts and musters make every transition', () => {
    const here = plant();
    const made = SCENE_MOVES.flatMap((scene) =>
      [0, 1, 2, 3].flatMap((draw) => {
        const stream = streams('transitions').stream('test', `${scene.name} ${draw}`);
        return sceneScenario(scene, { stream, plant: here, choice: {} }, sections)?.steps ?? [];
      }),
    );
    const text = JSON.stringify(made);
    for (const word of ['acknowledge', 'resolve', 'reopen', 'start_muster', 'change_kind', 'end_muster'])
      expect(text).toContain(`"${word}":`);
    for (const outcome of ['completed', 'cancelled']) expect(text).toContain(`"outcome":"${outcome}"`);
  });

  test('name no secret that no system knows: a rotation that is not announced ends once the next one comes, or a day', () => {
    const secret = { webhook: { rotate_secret: 'inbox', announced: false } };
    const open = { webhook: { rotate_secret: 'inbox' } };
    const day = { clock: { advance: '25h' } };
    expect(sound([secret, secret, day, open, day])).toEqual([secret, open, day]);
  });

  test('extended scenarios keep their own steps, and so the situations that they reached', () => {
    const parts = { stream: streams('longer').stream('test', 'make'), plant: plant(), choice: { more: SCENE_MOVES } };
    for (const scene of SCENE_MOVES) {
      const scenario = sceneScenario(scene, parts, sections) as GeneratedScenario;
      const { steps } = extended(scenario, parts);
      expect(steps.slice(0, scenario.steps.length)).toEqual(scenario.steps);
      expect(steps.length).toBeGreaterThan(scenario.steps.length);
    }
  });

  test('bring as many workers as a step names, and those of the file where it has enough', () => {
    const here = plant();
    const scene = SCENE_MOVES.find(({ name }) => name === 'manyOpenAlerts') as (typeof SCENE_MOVES)[number];
    for (let draw = 0; draw < 4; draw++) {
      const parts = { stream: streams('many').stream('test', `${draw}`), plant: here, choice: {} };
      const scenario = sceneScenario(scene, parts, sections) as GeneratedScenario;
      const named = [...JSON.stringify(scenario.steps).matchAll(/"(\d+) of crew"/g)].map(([, count]) => Number(count));
      expect(scenario.plant['crowd']).toEqual({ crew: { count: Math.max(...named), site: 'Harbour' } });
      const longer = extended(scenario, parts);
      expect(player.load(longer).ok).toBe(true);
    }
    const own = { ...here, groups: [{ name: 'riggers', count: 400 }] };
    const parts = { stream: streams('many').stream('test', 'own'), plant: own, choice: {} };
    const scenario = sceneScenario(scene, parts, sections) as GeneratedScenario;
    expect(JSON.stringify(scenario.steps)).toMatch(/"\d+ of riggers"/);
    expect(scenario.plant).toEqual(sections);
  });

  test('follow from the seed', () => {
    const here = plant();
    const made = (seed: string) =>
      newScenario({ stream: streams(seed).stream('test', 'seed'), plant: here, choice: {} }, sections);
    expect(made('5')).toEqual(made('5'));
    expect(made('5')).not.toEqual(made('6'));
  });
});

test('the rule that was judged least is looked for, until it was judged often enough', () => {
  const rules = [1, 2, 3].map((line) => ({ file: 'x', line, text: `rule ${line}` }));
  const counts = new SearchCounts(rules);
  // Of a rule that nothing met, no scenario is known.
  expect(counts.rarest).toBeNull();
  counts.add([1, 2], [], true);
  counts.add([1], [], true);
  expect(counts.rarest).toBe(2);
  for (let more = 0; more < 18; more++) counts.add([1, 2], [], false);
  expect(counts.rarest).toBe(2);
  counts.add([2], [], false);
  expect(counts.rarest).toBeNull();
});

describe('shrinking', () => {
  const wordsOf = (scenario: GeneratedScenario) => scenario.steps.map((step) => Object.keys(step)[0]);
  const never = { isOver: () => false };

  test('leaves the two steps that matter, at their simplest, in a plant without people who do nothing', async () => {
    const steps = [
      { wait: '20m' },
      { sos: { who: 'bo' }, as: 'a1', after: '3m' },
      { fall: { who: 'ana', answers: 'ok' }, as: 'a2' },
      { reopen: { alert: '$a2', by: 'Desk' } },
      { resolve: { alert: '$a1', by: 'Desk', via: 'panel' }, after: '30m' },
      { battery: { who: 'cem', pct: 12 } },
    ];
    const breaks = async (scenario: GeneratedScenario) => {
      const words = wordsOf(scenario);
      return words.includes('sos') && words.includes('resolve') && player.load(scenario).ok;
    };
    const small = await shrunk({ ...bare, steps }, { ...never, breaks });
    expect(small.steps).toEqual([{ sos: { who: 'bo' }, as: 'a1' }, { resolve: { alert: '$a1', by: 'Desk' } }]);
    expect(Object.keys(small.plant['workers'] as object)).toEqual(['bo']);
    expect(Object.keys(small.plant['sites'] as object)).toEqual(['Harbour']);
  });

  test('leaves as many of a group as it takes, and no group that no step names', async () => {
    const steps = [{ call_request: { who: '60 of crew' } }, { sos: { who: '25 of crew' } }, { wait: '1m' }];
    const crowded = { ...bare, steps, plant: withCrew(sections, steps, ['Harbour', 'Depot']) };
    const countIn = (scenario: GeneratedScenario, word: string) =>
      Number(/"(\d+) of crew"/.exec(JSON.stringify(scenario.steps.filter((step) => word in step)))?.[1] ?? 0);
    const few = await shrunk(crowded, { ...never, breaks: async (one) => countIn(one, 'call_request') > 20 });
    expect(few.steps).toEqual([{ call_request: { who: '25 of crew' } }]);
    // Of the two sites one is left, so the group needs none.
    expect(few.plant['crowd']).toEqual({ crew: { count: 25 } });
    expect(player.load(few).ok).toBe(true);
    const none = await shrunk(crowded, { ...never, breaks: async (one) => wordsOf(one).includes('wait') });
    expect(none.plant['crowd']).toBeUndefined();
  });

  test('takes few tries: of 24 steps two matter, and of their details one', async () => {
    const people = ['ana', 'bo', 'cem'];
    const calls = Array.from({ length: 22 }, (_, i) => ({ call: { who: people[i % 3] }, as: `c${i}`, after: '1m' }));
    const steps = [
      ...calls.slice(0, 5),
      { sos: { who: 'bo' }, as: 'a1', after: '3m' },
      ...calls.slice(5, 18),
      { resolve: { alert: '$a1', by: 'Desk', via: 'panel' }, after: '30m' },
      ...calls.slice(18),
    ];
    const played: string[] = [];
    const breaks = async (scenario: GeneratedScenario) => {
      played.push(JSON.stringify(scenario));
      const resolved = scenario.steps.find((step) => 'resolve' in step);
      return wordsOf(scenario).includes('sos') && resolved?.['after'] === '30m';
    };
    const small = await shrunk({ ...bare, steps }, { ...never, breaks });
    expect(small.steps).toEqual([
      { sos: { who: 'bo' }, as: 'a1' },
      { resolve: { alert: '$a1', by: 'Desk' }, after: '30m' },
    ]);
    expect(new Set(played).size).toBe(played.length);
    expect(played.length).toBeLessThanOrEqual(25);
  });

  test('tries other draws where deliveries are shuffled, since fewer steps are drawn otherwise', async () => {
    const steps = [{ deliveries: { to: 'inbox', shuffle: '5m' } }, { sos: { who: 'ana' } }, { sos: { who: 'bo' } }];
    const breaks = async (scenario: GeneratedScenario) =>
      scenario.seed === 1 ? scenario.steps.length === 3 : scenario.steps.length === 2;
    const small = await shrunk({ ...bare, steps }, { ...never, breaks });
    expect(small.steps).toHaveLength(2);
  });
});
