/** The canonical log: its content, what it never contains, and its reproducibility. [time-and-determinism 3.4] */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/base/text/canonical-json.ts';
import { playSteps, type SmallWorld } from '../small-stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STEPS = [
  'mark: Begin',
  'fall: {who: ana, answers: ok, answers_after: 1s..9s}',
  'expect: {event: alert.created}\n    within: 20s',
];

const script = (world: SmallWorld): void => {
  world.at(9_000, () => {
    world.alert('a1', { type: 'fall_detected' }, 'alert.created');
    world.attempt('erp', 'event-1', 'a1', {
      took_ms: 98.75,
      error: 'connect ECONNREFUSED 127.0.0.1:53211',
      delivery_id: 'drawn',
    });
  });
};

async function logged(name: string, seed?: string) {
  const out = join(folder, name);
  const { result } = await playSteps(STEPS, script, { out, seed });
  const bytes = readFileSync(join(out, 'run.jsonl'));
  return {
    result,
    bytes,
    lines: bytes
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

describe('the log of a run', () => {
  test('is the same each time for the same seed, and its hash is that of its bytes', async () => {
    const [one, two] = [await logged('one'), await logged('two')];
    expect(two.bytes.equals(one.bytes)).toBe(true);
    expect(one.result.logSha256).toBe(createHash('sha256').update(one.bytes).digest('hex'));
    expect((await logged('three', '8')).result.logSha256).not.toBe(one.result.logSha256);
  });

  test('has the same hash where it is written nowhere', async () => {
    const { result } = await playSteps(STEPS, script);
    expect(result.logSha256).toBe((await logged('four')).result.logSha256);
  });

  test('has every action, event, alert, attempt, verdict and mark, numbered and timed from the start', async () => {
    const { lines } = await logged('five');
    expect(lines.map(({ n, k, t, who, line }) => [n, k, t, who, line])).toEqual([
      [0, 'head', 0, undefined, undefined],
      [1, 'mark', 0, undefined, 7],
      [2, 'act', 0, 'ana', 8],
      [3, 'alert', 9_000, 'ana', undefined],
      [4, 'event', 9_000, 'ana', undefined],
      [5, 'expect', 9_000, undefined, 9],
      [6, 'dlv', 9_000, 'erp', undefined],
      [7, 'end', 9_000, undefined, undefined],
    ]);
    expect(lines[0].d).toMatchObject({ seed: '7', file: 'small.scenario.yaml', start: '2026-10-05T06:00:00.000Z' });
  });

  test('has no wall time, port, address, secret or id that differs between runs', async () => {
    const { bytes } = await logged('six');
    expect(bytes.toString('utf8')).not.toMatch(
      /127\.0\.0\.1|panel_url|whsec|token|took|98\.75|drawn|receiver\.example/,
    );
  });
});

test('canonical JSON sorts keys by code units and rounds what machines compute differently', () => {
  const value = { b: 1, a: { z: [0.1 + 0.2, 43.123456789], B: null, ä: undefined }, Z: true };
  expect(canonicalJson(value)).toBe('{"Z":true,"a":{"B":null,"z":[0.3,43.1234568]},"b":1}');
});
