/** A recorded stream: differences rebuild the objects, and the state of any instant is rebuilt from a kept one. */
import { expect, test } from 'vitest';
import type { Stream } from '../../src/base/random/streams.ts';
import type { StreamChange, StreamWorker } from '../../src/contract/stream.ts';
import { patched, patchOf } from '../../src/watching/state/patches.ts';
import { Replay } from '../../src/watching/state/replay.ts';
import { afterChange, EMPTY_STATE } from '../../src/watching/state/state.ts';
import { isWhole } from '../helpers/whole.ts';
import { chance } from '../service/domain/small-world.ts';

function randomJson(random: Stream, depth = 0): unknown {
  const kind = random.int(0, depth > 3 ? 3 : 6);
  switch (kind) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.int(-3, 3);
    case 2:
      return random.pick(['', 'a', 'b']);
    case 3:
      return random.float();
    case 4:
      return Array.from({ length: random.int(0, 3) }, () => randomJson(random, depth + 1));
    default: {
      const keys = ['a', 'b', 'c', 'd'].filter(() => random.chance(0.7));
      return Object.fromEntries(keys.map((key) => [key, randomJson(random, depth + 1)]));
    }
  }
}

test('a patch of any two values makes the second of the first, and is none for equal ones', () => {
  const random = chance('patches');
  for (let n = 0; n < (isWhole ? 5_000 : 500); n++) {
    const [before, after] = [randomJson(random), randomJson(random)];
    const patch = patchOf(before, after);
    const json = patch === null ? null : JSON.parse(JSON.stringify(patch));
    expect(json === null ? before : patched(before, json)).toEqual(after);
    expect(patchOf(before, structuredClone(before))).toBeNull();
  }
});

test('a patch has what differs alone', () => {
  const before = { id: 'm', totals: { safe: 1, pending: 5 }, points: [{ id: 'a', count: 1 }, { id: 'b' }] };
  const after = { id: 'm', totals: { safe: 2, pending: 5 }, points: [{ id: 'a', count: 2 }, { id: 'b' }] };
  expect(patchOf(before, after)).toEqual({ totals: { safe: [2] }, points: { 0: { count: [2] } } });
  expect(patchOf({ a: 1 }, { b: 1 })).toEqual([{ b: 1 }]);
});

const worker = (n: number): StreamWorker => ({
  id: String(n % 40),
  external_id: `W-${n}`,
  contractor: null,
  role: null,
  is_active: true,
  site_id: 's',
});

test('a replay has the state of each instant, in any order of instants, and the same object where nothing changed', () => {
  const changes = Array.from({ length: 2_000 }, (_, n): { t: number; change: StreamChange } => {
    const at = '2026-10-05T06:00:00.000Z';
    // Several changes at one instant, and a removal now and then.
    const change: StreamChange =
      n % 17 === 16 ? { subject: 'worker', at, gone: String(n % 40) } : { subject: 'worker', at, worker: worker(n) };
    return { t: Math.floor(n / 3) * 10, change };
  });
  const states = [EMPTY_STATE];
  for (const { change } of changes) states.push(afterChange(states.at(-1)!, change, 0));
  const replay = new Replay(changes);
  const random = chance('instants');
  const instants = [0, 6_660, 5, 6_650, ...Array.from({ length: 200 }, () => random.int(-10, 7_000))];
  for (const t of instants) {
    const expected = states[changes.filter((one) => one.t <= t).length]!;
    expect([t, [...replay.at(t).workers]]).toEqual([t, [...expected.workers]]);
    expect(replay.at(t)).toBe(replay.at(t));
  }
});
