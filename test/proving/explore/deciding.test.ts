/** The deciding moment of a finding: which delivery or call it is, and when none is determined. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import { monotonicMs } from '../../../src/base/time/timers.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import { FoundBreaks } from '../../../src/proving/explore/breaks.ts';
import { decidingMoment, decisionLines } from '../../../src/proving/explore/deciding.ts';
import type { GeneratedScenario, GeneratedStep } from '../../../src/proving/explore/generated-scenario.ts';
import { missingPlant } from '../../../src/proving/explore/plant.ts';
import {
  type GeneratedScenarioOutcome,
  GeneratedScenarioPlayer,
  type PlayOptions,
} from '../../../src/proving/explore/play.ts';
import { SystemTraffic } from '../../../src/proving/explore/traffic.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { exploreText, HELD } from './inboxes.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const RULE = { file: 'inbox.explore.yaml', line: 7, text: 'the list is right', why: 'it was not' };
const SCENARIO: GeneratedScenario = { plant: {}, steps: [{ sos: { who: 'ana' } }], seed: 1 };

/** The decision about the first rule that these steps break. */
async function decided(name: string, text: string, steps: readonly GeneratedStep[]) {
  const file = join(folder.path, `${name}.explore.yaml`);
  writeFileSync(file, text);
  const player = new GeneratedScenarioPlayer({ file, boot: bootStage, version: 'test' });
  const scenario = { plant: missingPlant({}), steps, seed: 1 };
  try {
    let played = await player.play(scenario);
    // A busy machine decides nothing.
    while (played.isInconclusive === true) played = await player.play(scenario);
    const { broken, error } = played;
    expect({ isBroken: broken !== null, error }).toEqual({ isBroken: true, error: null });
    return await decidingMoment(scenario, broken!, { player, endMs: Number.POSITIVE_INFINITY });
  } finally {
    await player.stop();
  }
}

describe('the deciding moment', () => {
  test('of an alert whose older version arrives last is the delivery of that version', async () => {
    const found = await decided('order', exploreText('push', 'last-arrival'), [
      { receiver: { name: 'inbox', does: [500, 'ok'] } },
      { call_request: { who: 'ana' }, as: 'a1' },
      { resolve: { alert: '$a1', by: 'Desk', via: 'panel' }, after: '2s' },
      { wait: '15s' },
    ]);
    expect(found).toMatchObject({
      moment: { kind: 'delivery', what: 'alert.created', answer: '204' },
      change: 'dropped',
      why: null,
    });
    expect(found.text).toMatch(
      /^decided at the first delivery of alert\.created, answered 204 after the newer alert\.resolved: the rule holds without it; tried \d+, passed \d+$/,
    );
    const [title, ...order] = decisionLines(found);
    expect(title).toBe('Order, in simulated time:');
    expect(order.filter((line) => line.includes('delivery  '))).toEqual([
      expect.stringMatching(/alert\.created: answered 500, not passed on$/),
      expect.stringMatching(/alert\.resolved: answered 204$/),
      expect.stringMatching(/alert\.created: answered 204 {2}\(decided here\)$/),
    ]);
  });

  eachOf(
    [
      ['503', { api_fault: { status: 503 }, for: '20s' }],
      ['429', { limits: { requests_per_minute: 0 }, for: '2s' }],
    ],
    2,
  )('of an acknowledgement that is given up after a %s is that call', async (answer, trouble) => {
    const found = await decided(`call-${answer}`, exploreText('push', 'no-retry'), [
      // The inbox has its token by now.
      { sos: { who: 'bo' } },
      { wait: '1m' },
      trouble,
      { sos: { who: 'ana' } },
    ]);
    expect(found).toMatchObject({ moment: { kind: 'call', answer, isRefused: true }, change: 'spared', why: null });
    expect(found.text).toMatch(
      /^decided at the first call PATCH \/v1\/alerts\/[0-9a-f]{8}…, answered \d+: the rule holds if the API refuses nothing from then on; tried \d+, passed \d+$/,
    );
  });

  // Without a system below: 'has a share of the time of the search'.
  unless(withoutWhole).test('is not determined where nothing in the traffic decides', async () => {
    const text = `${exploreText('push').split('rules:')[0]}rules:\n  - always: {probe: pages, count: 7}\n    within: 5s\n`;
    const found = await decided('nothing', text, [{ sos: { who: 'ana' } }]);
    expect(found).toMatchObject({ moment: null, change: null, passed: 0 });
    expect(found.tried).toBeGreaterThan(1);
    expect(found.text).toBe(
      `not determined: the rule breaks whichever delivery or call is changed; tried ${found.tried}`,
    );
  });
});

/** Breaks the rule in each play that changes nothing, with this number of calls of the system before. */
function playerOf(
  calls: number,
  outcomeOf: (plays: number, how: PlayOptions) => Partial<GeneratedScenarioOutcome>,
  status = 200,
) {
  const hows: PlayOptions[] = [];
  const play = async (_: GeneratedScenario, how: PlayOptions = {}): Promise<GeneratedScenarioOutcome> => {
    hows.push(how);
    how.traffic?.begin({ now: () => 0 } as Clock);
    for (let n = 0; n < calls; n++) {
      how.traffic?.changeOf({ method: 'GET', target: '/v1/alerts?limit=50' });
      how.traffic?.onNotice({
        ...({ kind: 'request-answered', method: 'GET', path: '/v1/alerts', status } as Notice),
      });
    }
    return { ...HELD, broken: RULE, ...outcomeOf(hows.length, how) };
  };
  return { hows, player: { isOver: false, play } };
}

describe('the search for it', () => {
  test('ends after 20 tries', async () => {
    const { hows, player } = playerOf(30, () => ({}));
    const { text } = await decidingMoment(SCENARIO, RULE, { player, endMs: Number.POSITIVE_INFINITY, patienceMs: 500 });
    expect(hows).toHaveLength(1 + 20);
    // With the patience of the search, not of the file.
    expect(new Set(hows.map(({ patienceMs }) => patienceMs))).toEqual(new Set([500]));
    expect(text).toBe('not determined: more than 20 tries are needed; tried 20, passed 0');
  });

  test('takes the last moment whose change lets the rule hold, and counts the others', async () => {
    // Of four calls, the rule holds if the third or the second gets 503.
    const { player } = playerOf(4, (plays) => (plays === 3 || plays === 4 ? { broken: null } : {}));
    const found = await decidingMoment(SCENARIO, RULE, { player, endMs: Number.POSITIVE_INFINITY });
    expect(found.text).toBe(
      'decided at the third call GET /v1/alerts, answered 200: the rule holds if the API answers 503; tried 4, passed 2',
    );
  });

  test.each([
    [200, 'refused'],
    [404, 'refused'],
    [429, 'spared'],
    [503, 'spared'],
  ])('changes a call that was answered %i: it is %s', async (status, change) => {
    const { player } = playerOf(1, (plays) => (plays > 1 ? { broken: null } : {}), status);
    const found = await decidingMoment(SCENARIO, RULE, { player, endMs: Number.POSITIVE_INFINITY });
    expect(found).toMatchObject({ moment: { answer: String(status) }, change });
  });

  test('is over at its end, and says how far it came', async () => {
    const { hows, player } = playerOf(30, (plays) => (plays > 3 ? { broken: null, isCut: true } : {}));
    const { text } = await decidingMoment(SCENARIO, RULE, { player, endMs: 500 });
    expect(text).toBe('not determined: the time was over; tried 2, passed 0');
    expect(hows.map(({ endMs }) => endMs)).toEqual([500, 500, 500, 500]);
  });

  test('has a share of the time of the search, and no play of it goes on after the limit', async () => {
    const { hows, player } = playerOf(1, () => ({}));
    const file = join(folder.path, 'order.explore.yaml');
    const real = new GeneratedScenarioPlayer({ file, boot: bootStage, version: 'test' });
    const now = { ms: 0 };
    const times = { begunMs: 0, endMs: 80_000, lastMs: 90_000, shrinkMs: 0, nowMs: () => now.ms };
    const parts = { ...times, player: Object.assign(real, { play: player.play }), file, out: undefined };
    const breaks = new FoundBreaks({ ...parts, onProgress: () => {} });
    await breaks.take({ scenario: SCENARIO, kept: null, story: 3 }, { ...HELD, broken: RULE });
    expect(breaks.searchEndMs).toBe(60_000);
    const before = hows.length;
    now.ms = 60_000;
    await breaks.decideMoments();
    expect(hows.slice(before).map(({ endMs }) => endMs)).toEqual([80_000, 80_000]);
    expect(breaks.findings[0]?.decided.text).toMatch(/^not determined: the rule breaks whichever/);
    expect(breaks.findings[0]?.text).toContain('\n# Not determined: the rule breaks whichever');
  });

  test('is not made for a break that does not repeat, or that could not be played again', async () => {
    for (const [isCut, why] of [
      [false, 'the rule does not break each time'],
      [true, 'the time was over'],
    ] as const) {
      let plays = 0;
      const play = async () => (isCut ? { ...HELD, isCut } : { ...HELD, broken: ++plays % 2 === 0 ? RULE : null });
      const file = join(folder.path, 'order.explore.yaml');
      const real = new GeneratedScenarioPlayer({
        file,
        boot: bootStage,
        version: 'test',
        lastMs: isCut ? 0 : undefined,
      });
      const times = { begunMs: 0, endMs: Number.POSITIVE_INFINITY, lastMs: Number.POSITIVE_INFINITY, shrinkMs: 0 };
      const parts = { ...times, player: Object.assign(real, { play }), file, out: undefined, onProgress: () => {} };
      const breaks = new FoundBreaks({ ...parts, nowMs: monotonicMs });
      await breaks.take({ scenario: SCENARIO, kept: null, story: 1 }, { ...HELD, broken: RULE });
      await breaks.decideMoments();
      expect(breaks.findings.map(({ decided: { text } }) => text)).toEqual([`not determined: ${why}`]);
    }
  });
});

test('the answer that broke the rule is in the order, and none that came later', async () => {
  const traffic = new SystemTraffic(null);
  traffic.begin({ now: () => 0 } as Clock);
  const calls = () => traffic.changeOf({ method: 'GET', target: '/v1/alerts?limit=50' });
  const answers = (status: number) =>
    traffic.onNotice({ ...({ kind: 'request-answered', method: 'GET', path: '/v1/alerts', status } as Notice) });
  calls();
  calls();
  // The rule is judged before the notice comes here.
  traffic.close();
  answers(401);
  await Promise.resolve();
  answers(200);
  expect(traffic.moments.map(({ answer }) => answer)).toEqual(['401', null]);
});
