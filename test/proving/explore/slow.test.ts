/** Slow is not broken: what is made of a system that needs longer than its patience, and of a search whose time is over. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Notice } from '../../../src/contract/notices.ts';
import { FoundBreaks } from '../../../src/proving/explore/breaks.ts';
import { confirmBreak } from '../../../src/proving/explore/confirm.ts';
import { slowText, unfinishedOf } from '../../../src/proving/explore/findings.ts';
import type { GeneratedScenario } from '../../../src/proving/explore/generated-scenario.ts';
import { keep, removeReplaced } from '../../../src/proving/explore/kept.ts';
import { SystemPauses } from '../../../src/proving/explore/pauses.ts';
import {
  type GeneratedScenarioOutcome,
  GeneratedScenarioPlayer,
  type PlayOptions,
} from '../../../src/proving/explore/play.ts';
import { exploreJunit } from '../../../src/proving/explore/reports.ts';
import { NOTHING_SEARCHED } from '../../../src/proving/explore/search.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { exploreText, HELD, searched } from './inboxes.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const RULE = { file: 'inbox.explore.yaml', line: 7, text: 'every alert is followed', why: 'it was not' };
const WITHIN_MS = 90_000;
const SCENARIO: GeneratedScenario = { plant: {}, steps: [{ sos: { who: 'ana' } }, { wait: '1m' }], seed: 1 };

const { why: _why, ...PLACE } = RULE;
const late = (pauseMs: number) => ({
  ...PLACE,
  pauseMs,
  patienceMs: 2_000,
  pause: `your system called again ${pauseMs / 1_000} s after the 503`,
});

/** Plays as if the system called again after this pause; Infinity: never. */
const pausing =
  (pauseMs: number) =>
  ({ decide, patienceMs = 2_000 }: PlayOptions = {}): GeneratedScenarioOutcome => {
    const heldMs = Math.max(patienceMs, Math.min(decide?.ms ?? 0, WITHIN_MS));
    if (pauseMs > heldMs)
      return {
        ...HELD,
        broken: RULE,
        open: heldMs < WITHIN_MS ? { patienceMs: heldMs, withinMs: WITHIN_MS } : null,
      };
    return pauseMs > 2_000 ? { ...HELD, late: [late(pauseMs)] } : HELD;
  };

function confirming(play: (how?: PlayOptions) => GeneratedScenarioOutcome, leftMs: number, isOver = false) {
  const played: PlayOptions[] = [];
  const player = {
    isOver,
    play: async (_: GeneratedScenario, how: PlayOptions = {}) => {
      played.push(how);
      return play(how);
    },
  };
  const parts = { player, patienceMs: 250, shrinkMs: 120_000, leftMs: () => leftMs, onProgress: () => {} };
  return { confirmed: confirmBreak(SCENARIO, { broken: RULE, refused: [], begun: 2 }, parts), played };
}

describe('breaks', () => {
  test('a break that ends within the limit of its rule is slow, with the pause that was seen', async () => {
    const { confirmed, played } = confirming(pausing(10_200), Number.POSITIVE_INFINITY);
    expect(await confirmed).toEqual({ kind: 'slow', late: late(10_200) });
    expect(played).toHaveLength(1);
    expect(slowText(late(10_200))).toContain('called again 10.2 s after the 503; patience is 2 s');
  });

  test('a break that outlasts the limit of its rule is a finding', async () => {
    const { confirmed } = confirming(pausing(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
    expect(await confirmed).toMatchObject({ kind: 'steady', open: null, isShortened: true });
  });

  test('a break for which too little time is left stays open', async () => {
    const { confirmed } = confirming(pausing(40_000), 60_000);
    expect(await confirmed).toMatchObject({ kind: 'steady', open: { patienceMs: 15_000, withinMs: WITHIN_MS } });
  });

  test('a break that does not repeat is slow too, once a play shows the pause', async () => {
    let plays = 0;
    const now = (how?: PlayOptions) => (++plays < 4 ? HELD : pausing(10_200)(how));
    expect(await confirming(now, Number.POSITIVE_INFINITY).confirmed).toMatchObject({ kind: 'slow' });
  });

  test('a break that could not be played again in time is kept for the next search', async () => {
    const { confirmed } = confirming(() => ({ ...HELD, isCut: true }), 0, true);
    expect(await confirmed).toMatchObject({ kind: 'cut', rule: RULE });
  });

  test('a break that could not be shortened in time is kept as it was confirmed', async () => {
    const { confirmed } = confirming(pausing(Number.POSITIVE_INFINITY), 0);
    expect(await confirmed).toMatchObject({ kind: 'steady', isShortened: false, scenario: { steps: SCENARIO.steps } });
  });
});

describe('an open finding', () => {
  /** Decides in a search that ends in this time. */
  async function decided(pauseMs: number, leftMs: number) {
    const player = Object.assign(
      new GeneratedScenarioPlayer({ file: 'inbox.explore.yaml', boot: bootStage, version: 'test' }),
      { play: async (_: GeneratedScenario, how?: PlayOptions) => pausing(pauseMs)(how) },
    );
    const now = { ms: 0 };
    const times = { begunMs: 0, endMs: 8_000, lastMs: Number.POSITIVE_INFINITY, shrinkMs: 0, nowMs: () => now.ms };
    const parts = { ...times, player, file: 'inbox.explore.yaml', out: undefined, onProgress: () => {} };
    const breaks = new FoundBreaks(parts);
    await breaks.take({ scenario: SCENARIO, kept: null, story: 3 }, { ...HELD, broken: RULE });
    const [finding] = breaks.findings;
    now.ms = 8_000 - leftMs;
    await breaks.decideOpen();
    return { finding, breaks };
  }

  test('is no finding once the system was only slow', async () => {
    const { finding, breaks } = await decided(10_200, 200_000);
    expect(finding?.undecided).toMatchObject({ withinMs: WITHIN_MS });
    expect(breaks.findings).toEqual([]);
    expect(breaks.slow).toMatchObject([{ line: 7, pauseMs: 10_200 }]);
  });

  test('is broken once its whole limit has passed', async () => {
    const { breaks } = await decided(Number.POSITIVE_INFINITY, 200_000);
    expect(breaks.findings).toMatchObject([{ undecided: null, confirmed: true }]);
  });

  test('stays undecided where the time does not suffice, and says so', async () => {
    const { breaks } = await decided(Number.POSITIVE_INFINITY, 0);
    const [finding] = breaks.findings;
    expect(unfinishedOf(finding!)).toContain(
      'slow or broken: not decided; the longest patience was 2 s, and the limit is 90 s',
    );
    const statistics = { ...NOTHING_SEARCHED.statistics, rules: [{ ...PLACE, scenarios: 20, slow: 1 }] };
    const report = { file: RULE.file, seed: '1', version: 'test', warnings: [] };
    const end = { ...NOTHING_SEARCHED, statistics };
    expect(exploreJunit({ ...report, end: { ...end, findings: breaks.findings } })).toMatch(
      /<failure type="slow_or_broken" message="[^"]*not decided/,
    );
    const slow = [{ ...late(10_200), source: '', scenario: '' }];
    expect(exploreJunit({ ...report, end: { ...end, slow } })).toContain('called again 10.2 s after the 503');
  });
});

test('a pause is measured from the refusal to the next call, and else from the last delivery', () => {
  let nowMs = 0;
  const request = (status: number) => ({ kind: 'request-answered', status }) as unknown as Notice;
  const delivered = { kind: 'delivery-attempted', result: 'delivered' } as unknown as Notice;
  const pauses = new SystemPauses(() => nowMs);
  pauses.onNotice(delivered);
  nowMs = 500;
  expect(pauses.pauseAfter(400)).toMatchObject({ pauseMs: 500, pause: expect.stringContaining('the last delivery') });
  pauses.onNotice(request(503));
  nowMs = 10_700;
  pauses.onNotice(request(200));
  nowMs = 10_800;
  expect(pauses.pauseAfter(10_250)).toEqual({
    pauseMs: 10_200,
    pause: 'your system called again 10.2 s after the 503',
  });
});

test('an inbox that calls again after its patience is slow, and no rule of it breaks', async () => {
  const file = join(folder.path, 'slow.explore.yaml');
  const moves =
    'moves: {fails: [{sos: {who: ana}}, {wait: 10s}, {api_fault: {status: 503}, for: 10s}, {sos: {who: bo}}, {wait: 2m}]}\n';
  writeFileSync(file, `${exploreText('push', 'slow-retry')}${moves}`);
  const { findings, slow, statistics } = await searched(file, { mostScenarios: 2, endMs: Number.POSITIVE_INFINITY });
  expect(findings).toEqual([]);
  expect(slow).toMatchObject([
    { line: 14, patienceMs: 300, pause: expect.stringMatching(/called again .* after the/) },
  ]);
  expect(statistics.rules.find(({ line }) => line === 14)?.slow).toBeGreaterThan(0);
});

test('a stored scenario that was shortened further replaces its file, and only for the same rule', () => {
  const pathOf = (name: string) => join(folder.path, 'kept.found', `${name}.scenario.yaml`);
  const stored = () => readdirSync(join(folder.path, 'kept.found')).toSorted();
  for (const name of ['line-7-long', 'line-7-short', 'line-9-other']) keep({ path: pathOf(name), text: 'steps: []' });
  removeReplaced({ path: pathOf('line-7-short'), replaces: pathOf('line-9-other') });
  removeReplaced({ path: pathOf('line-7-short'), replaces: pathOf('line-7-short') });
  removeReplaced({ path: pathOf('line-7-short'), replaces: null });
  expect(stored()).toHaveLength(3);
  removeReplaced({ path: pathOf('line-7-short'), replaces: pathOf('line-7-long') });
  expect(stored()).toEqual(['line-7-short.scenario.yaml', 'line-9-other.scenario.yaml']);
});

test('a play whose time is over judges nothing', async () => {
  const file = join(folder.path, 'over.explore.yaml');
  writeFileSync(file, exploreText('push'));
  const player = new GeneratedScenarioPlayer({ file, boot: bootStage, version: 'test', lastMs: 0 });
  expect(await player.play(SCENARIO)).toMatchObject({ isCut: true, broken: null, error: null });
  expect(player.isOver).toBe(true);
});
