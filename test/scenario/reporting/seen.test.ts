/** What a client sees of people is recorded exactly, in few characters, and no more than a page has room for. */
import { describe, expect, test } from 'vitest';
import type { Stream } from '../../../src/base/random/streams.ts';
import type { StreamPerson } from '../../../src/contract/stream.ts';
import { NumberReader, natural, signed } from '../../../src/scenario/reporting/seen/numbers.ts';
import { SeenRecorder } from '../../../src/scenario/reporting/seen/recorder.ts';
import { type PackedSeen, SeenStream } from '../../../src/scenario/reporting/seen/seen.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { chance } from '../../service/domain/small-world.ts';

const START = Date.UTC(2026, 9, 5, 6);
const iso = (ms: number): string => new Date(ms).toISOString();

test('numbers of any size are read as they were written', () => {
  const random = chance('numbers');
  const numbers = [0, 1, -1, 15, 16, -16, 31, 32, 2 ** 31, -(2 ** 31), 2 ** 51, START];
  for (let n = 0; n < 2_000; n++) numbers.push(random.int(-(10 ** random.int(0, 12)), 10 ** random.int(0, 12)));
  const reader = new NumberReader(numbers.map((one) => signed(one) + natural(Math.abs(one))).join(''));
  for (const one of numbers) expect([reader.signed(), reader.natural()]).toEqual([one, Math.abs(one)]);
  expect(reader.isAtEnd).toBe(true);
});

function randomPerson(random: Stream, id: string, now: number): StreamPerson {
  const isShown = random.chance(0.7);
  const height = {
    height_m: random.int(0, 300) / 10,
    uncertainty_m: 1.5,
    building: random.pick(['Tower', null]),
    floor: '2',
  };
  return {
    worker_id: id,
    // A worker may get another watch, or none.
    device_id: random.chance(0.9) ? `watch of ${id}` : random.pick(['another', null]),
    location: !isShown
      ? null
      : {
          // Real watches may send more digits than the emulated ones.
          latitude: random.chance(0.8) ? 43.3612345 : random.float() * 90,
          longitude: random.chance(0.8) ? -8.4123456 : random.float() * -180,
          uncertainty_m: random.pick([null, 3, 4.25, 1 / 3]),
          source: random.pick(['gps', 'network', 'zone'] as const),
          masked: random.chance(0.1),
          position_date_utc: iso(now - random.int(0, 9_000)),
          height: random.chance(0.3) ? height : null,
        },
    location_withheld: !isShown,
    in_vehicle: random.chance(0.1),
    worn: random.pick([true, false, null]),
    battery: random.pick([null, 80, 79.5]),
    date_last_seen: random.chance(0.9) ? iso(now) : null,
    muster: null,
    status: random.pick([null, 'pending', 'safe'] as const),
    reason: random.pick([null, 'sos'] as const),
    rescue: false,
    place: { kind: isShown ? 'located' : 'withheld', age_s: null },
  };
}

test('a person is at each instant as they were seen then, whatever changed', () => {
  const random = chance('tracks');
  const recorder = new SeenRecorder();
  const seen: { readonly t: number; readonly id: string; readonly person: StreamPerson | null }[] = [];
  let t = 0;
  for (let n = 0; n < 1_500; n++) {
    t += random.int(1, 8_000);
    const id = random.pick(['a', 'b', 'c']);
    const isGone = random.chance(0.05);
    const person = isGone ? null : randomPerson(random, id, START + t);
    const at = iso(START + t);
    recorder.add(
      person === null ? { subject: 'person', at, gone: id } : { subject: 'person', at, people: [person] },
      t,
    );
    seen.push({ t, id, person });
  }
  const stream = new SeenStream(JSON.parse(JSON.stringify(recorder.packed())) as PackedSeen, START);
  for (const { t: at, id, person } of [...seen, ...seen.toReversed()])
    expect([at, stream.at(at).people.get(id) ?? null]).toEqual([at, person]);
});

/** Walks about, seen every 5 s. */
function walk(
  recorder: SeenRecorder,
  people: number,
  minutes: number,
  about: (n: number) => Partial<StreamPerson>,
): void {
  const random = chance('walks');
  const at = Array.from({ length: people }, () => [43.36, -8.41]);
  for (let second = 0; second < minutes * 60; second += 5)
    for (const [n, place] of at.entries()) {
      const t = second * 1_000 + Math.floor((n / people) * 5_000);
      const [latitude, longitude] = place.map(
        (one) => Math.round((one + (random.float() - 0.5) * 1e-4) * 1e7) / 1e7,
      ) as [number, number];
      at[n] = [latitude, longitude];
      const base = randomPerson(chance('one person'), String(n), START + t);
      const position = {
        uncertainty_m: random.int(20, 80) / 10,
        masked: false,
        height: null,
        position_date_utc: iso(START + t),
      };
      const location = { latitude, longitude, source: 'gps', ...position } as const;
      const person = { ...base, location, place: { kind: 'located', age_s: null }, ...about(n) } as StreamPerson;
      recorder.add({ subject: 'person', at: iso(START + t), people: [person] }, t);
    }
}

describe('a page without room for all', () => {
  const recorder = new SeenRecorder();
  walk(recorder, 60, 3, (n) => ({
    rescue: n === 50,
    status: n === 51 ? 'pending' : 'safe',
  }));

  test('leaves nobody out who had to be rescued, is missing, or to whom something happened', () => {
    const all = recorder.packed();
    expect([all.tracks.length, all.leftOut]).toEqual([60, 0]);
    const most = (all.tracks.reduce((sum, { text }) => sum + text.length, 0) / 60) * 5;
    const { tracks, leftOut } = recorder.packed((id) => id === '52', most);
    expect(tracks.map(({ worker }) => worker)).toEqual(expect.arrayContaining(['50', '51', '52']));
    expect(tracks.length).toBeGreaterThan(3);
    expect(tracks.length).toBeLessThan(8);
    expect(leftOut).toBe(60 - tracks.length);
  });

  test('keeps those who are needed even where there is room for nobody', () => {
    const { tracks } = recorder.packed((id) => id === '52', 0);
    expect(tracks.map(({ worker }) => worker)).toEqual(['50', '51', '52']);
  });
});

test('a run that is longer than the record says until when it goes', () => {
  const recorder = new SeenRecorder(100);
  walk(recorder, 10, 5, () => ({}));
  const { until, tracks } = recorder.packed();
  expect(until).toBe(50_000);
  expect(new SeenStream(recorder.packed(), START).at(200_000).people.size).toBe(tracks.length);
});

unless(withoutWhole).test('2,000 people who walk for 30 minutes take less than 8 MB of a page', () => {
  const recorder = new SeenRecorder();
  walk(recorder, 2_000, 30, () => ({}));
  const packed = recorder.packed();
  expect([packed.leftOut, packed.until]).toEqual([0, null]);
  expect(JSON.stringify(packed).length).toBeLessThan(8_000_000);
});
