/** Open points: a sandbox whose switches are changed, compared with another one, gives the profile that changes them there too. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxOptions } from '../../../src/cli/up/options.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS, OPEN_POINTS } from '../../../src/contract/gaps.ts';
import { compareService } from '../../../src/proving/compare/compare-service.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import { profileText } from '../../../src/proving/compare/open-points/profile.ts';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { live, sideOf, startedWith, withoutLimits } from './live-service.ts';

/** Every switch that a comparison can observe, off its default. */
const CHANGED: Partial<Assumptions> = {
  lists: 'repeat',
  'unknown-parameters': 'ignored',
  'page-size': '20',
  'time-bounds': 'exclusive',
  'turned-window': 'empty',
  cursors: 'free',
  'events-scope': 'all',
  'events-order': 'newest',
  'token-json': 'off',
  'token-basic': 'off',
  'wrong-secret': '400',
  'foreign-objects': '404',
  'failing-since': 'absent',
  'missing-location': 'absent',
  'id-version': '7',
  'by-label': 'actor',
};

const running: Sandbox[] = [];
afterAll(async () => {
  for (const one of running) await one.stop();
});

async function started(assumptions: Partial<Assumptions>, fleet = false): Promise<Sandbox> {
  const sandbox = await startedWith(assumptions, fleet);
  running.push(sandbox);
  return sandbox;
}

/** Two tests look at the same comparison. */
let first: ReturnType<typeof compared>;
let a: Sandbox;
let b: Sandbox;
beforeAll(async () => {
  a = await started(CHANGED, true);
  b = await started({});
  await live(a);
  await withoutLimits(a);
  first = compared(a, b, {});
});

const compared = (service: Sandbox, sandbox: Sandbox, assumed: Partial<Assumptions>) =>
  compareService({
    service: sideOf('service', service),
    sandbox: sideOf('sandbox', sandbox),
    judge: new ContractJudge({ secrets: [] }),
    allowed: { destinations: true, alertId: null },
    newAlert: () => Promise.reject(new Error('nothing is written')),
    assumed,
  });

describe('a sandbox with every observable switch changed', () => {
  test('gives a profile that changes them in another, in which nothing differs then', async () => {
    const { points, deviations, checks } = await first;
    expect(deviations).toEqual([]);
    // What differs is explained by an open point.
    expect(checks.filter(({ result }) => result === 'different')).toEqual([]);
    const file = join(mkdtempSync(join(tmpdir(), 'profile-')), 'profile.yaml');
    writeFileSync(file, profileText(points));
    const { assumptions } = sandboxOptions({ profile: file });
    expect(assumptions).toEqual(CHANGED);
    const again = await compared(a, await started(assumptions ?? {}), assumptions ?? {});
    expect(again.points.filter(({ result }) => result === 'otherwise')).toEqual([]);
    expect(again.checks.filter(({ result }) => result === 'different')).toEqual([]);
  });

  test('has a row for each point: with a reading, or with the reason why there is none', async () => {
    const { points } = await first;
    expect(points.map(({ id }) => id)).toEqual(OPEN_POINTS.map(({ id }) => id));
    for (const { result, observed, why, switch: name } of points) {
      expect(observed === null).toBe(result === 'not known' || result === 'not observable');
      if (observed === null || name === null) expect(why).not.toBeNull();
    }
    expect(points.filter(({ observed }) => observed !== null).length).toBeGreaterThanOrEqual(20);
  });
});

test('--assume wins over the profile, and a switch that is none is refused', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'profile-')), 'profile.yaml');
  writeFileSync(file, 'assume:\n  retry: delay\n  page-size: 20\n');
  expect(sandboxOptions({ profile: file, assume: ['retry=offset'] }).assumptions).toEqual({
    retry: 'offset',
    'page-size': '20',
  });
  for (const [text, message] of [
    ['assume:\n  retri: delay\n', /not a switch/],
    ['assume:\n  retry: never\n', /offset or delay/],
    ['port: 4600\n', /is not a profile/],
    ['assume: [1]\n', /is not a profile/],
    ['assume: {retry: [delay]}\n', /is not a profile/],
    ['- a\n', /is not a profile/],
    ['assume: {\n', /mistake/],
  ] as const) {
    writeFileSync(file, text);
    expect(() => sandboxOptions({ profile: file })).toThrow(message);
  }
});

test('every reading but ours of each switch is one that a sandbox can have', () => {
  for (const point of OPEN_POINTS)
    if ('switch' in point) expect(DEFAULT_ASSUMPTIONS).toHaveProperty(point.switch, point.readings[0]);
});
