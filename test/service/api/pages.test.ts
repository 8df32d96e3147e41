/** Page walks while the world changes: nothing skipped, nothing repeated, constant cost per page. [decisions 1] */
import { describe, expect, test } from 'vitest';
import type { Stream } from '../../../src/base/random/streams.ts';
import { SortedIndex } from '../../../src/base/sorted-index.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { pageOf } from '../../../src/service/api/answers/page.ts';
import { isWhole } from '../../helpers/whole.ts';
import { chance, T0 } from '../domain/small-world.ts';
import { ApiHarness } from './harness.ts';

interface Item {
  readonly id: string;
}

/** A list, and what may happen to it between two pages. */
interface Walked {
  readonly path: string;
  /** What the list holds now, by what the world holds. */
  readonly matching: (harness: ApiHarness) => Iterable<string>;
  readonly changes: readonly ((harness: ApiHarness, random: Stream) => Promise<unknown> | unknown)[];
}

const START = 100;

const ROUNDS = isWhole ? 6 : 2;

async function newAlert({ small, engine }: ApiHarness): Promise<void> {
  const n = START + small.world.count('worker');
  small.worker(n, `Worker ${n}`);
  await engine.submit({ type: 'report-sos', trigger: 'watch_button', ...small.uplink(n) });
}

const update =
  (status: 'acknowledged' | 'resolved') =>
  async ({ small, engine }: ApiHarness, random: Stream) => {
    const alertId = random.pick([...small.world.all('alert')]).id;
    const remarks = { by: 'Desk', actor: 'Desk', reason: null, note: null };
    await engine.submit({ type: 'update-alert', alertId, status, ...remarks });
  };

const alertChanges = [newAlert, update('acknowledged'), update('resolved')];
const alerts = (keep: (status: string) => boolean) =>
  function* ({ small }: ApiHarness) {
    for (const { id, status } of small.world.all('alert')) if (keep(status)) yield id;
  };

/** Ids of workers and watches come in no order, so a new one may land anywhere in the list. */
function newWorker({ small: { world } }: ApiHarness, random: Stream): void {
  const tail = random.bytes(6).toString('hex');
  const [worker, device] = [random.pick([...world.all('worker')]), random.pick([...world.all('device')])];
  const [workerId, deviceId] = [`00000000-0000-4000-8000-${tail}`, `00000000-0000-4000-8001-${tail}`];
  world.put('worker', { ...worker, id: workerId, deviceId });
  world.put('device', { ...device, id: deviceId, serial: `SIM-${tail}`, workerId });
}

function workerLeaves({ small: { world } }: ApiHarness, random: Stream): void {
  const worker = random.pick([...world.all('worker')]);
  world.put('worker', { ...worker, isActive: !worker.isActive });
}

function watchIsLost({ small: { world } }: ApiHarness, random: Stream): void {
  const device = random.pick([...world.all('device')]);
  world.put('device', { ...device, status: random.pick(['active', 'lost']) });
}

const plantChanges = [newWorker, newWorker, workerLeaves, watchIsLost];

const LISTS: Walked[] = [
  { path: '/v1/alerts?', matching: alerts(() => true), changes: alertChanges },
  {
    path: '/v1/alerts?status=unacknowledged',
    matching: alerts((status) => status === 'unacknowledged'),
    changes: alertChanges,
  },
  {
    path: '/v1/alerts?status=acknowledged,resolved',
    matching: alerts((status) => status !== 'unacknowledged'),
    changes: alertChanges,
  },
  {
    path: '/v1/workers?is_active=true',
    *matching({ small }) {
      for (const { id, isActive } of small.world.all('worker')) if (isActive) yield id;
    },
    changes: plantChanges,
  },
  {
    path: '/v1/devices?status=active',
    *matching({ small }) {
      for (const { id, status } of small.world.all('device')) if (status === 'active') yield id;
    },
    changes: plantChanges,
  },
];

const paused = () => {
  const clock = lockstepClock({ start: T0 });
  clock.pause();
  return clock;
};

/** Walks to the end with pages of changing size; `between` happens after each page. */
async function walk(harness: ApiHarness, path: string, random: Stream, between: () => Promise<void>): Promise<Item[]> {
  const token = await harness.token();
  const found: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=${random.int(1, 7)}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await harness.call('GET', `${path}&${query}`, { token });
    expect(status).toBe(200);
    found.push(...body.data);
    cursor = body.next_cursor;
    if (cursor !== null) await between();
  }
  return found;
}

describe('a walk while everything changes', () => {
  test.each(LISTS)('of $path shows each item that was there and still fits once, and none twice', async ({
    path,
    matching,
    changes,
  }) => {
    for (let round = 0; round < ROUNDS; round++) {
      const random = chance(`${path} ${round}`);
      const harness = await ApiHarness.start({ clock: paused() });
      for (let n = 0; n < 25; n++) {
        if (random.chance(0.3)) await harness.clock.advance(random.int(1, 3));
        await changes[0]?.(harness, random);
      }
      for (let n = 0; n < 10; n++) await random.pick(changes)(harness, random);
      // An item that leaves the filter and returns may be missed.
      let throughout = new Set(matching(harness));
      const found = await walk(harness, path, random, async () => {
        for (let n = random.int(0, 4); n > 0; n--) {
          await random.pick(changes)(harness, random);
          const now = new Set(matching(harness));
          throughout = new Set([...throughout].filter((id) => now.has(id)));
        }
      });
      const ids = found.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(throughout.size).toBeGreaterThan(0);
      expect([...throughout].filter((id) => !ids.includes(id))).toEqual([]);
      await harness.stop();
    }
  });

  test('of the event log shows each event that was there once, the oldest first, and goes on with the new ones', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const random = chance(`events ${round}`);
      const harness = await ApiHarness.start({ clock: paused() });
      for (let n = 0; n < 12; n++) await newAlert(harness);
      const before = (
        await harness.store.events({
          organizationId: [...harness.small.world.all('organization')][0]?.id ?? '',
          limit: 1_000,
        })
      ).map(({ id }) => id);
      let changes = 0;
      const found = await walk(harness, '/v1/events?', random, async () => {
        // The log grows for a while; a walk of it ends when it does.
        if (changes++ > 20) return;
        await random.pick(alertChanges)(harness, random);
      });
      const ids = found.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.slice(0, before.length)).toEqual(before);
      const times = found.map((event) => (event as unknown as { created_at: string }).created_at);
      expect(times).toEqual([...times].sort());
      await harness.stop();
    }
  });
});

describe('a cursor', () => {
  test('goes on with the same filters in any order and spelling, and with another page size', async () => {
    const harness = await ApiHarness.start({ clock: paused() });
    for (let n = 0; n < 5; n++) await newAlert(harness);
    const token = await harness.token();
    const first = await harness.call('GET', '/v1/alerts?limit=2&status=unacknowledged,resolved&type=sos', { token });
    const cursor = first.body.next_cursor;
    for (const query of [
      'limit=3&status=unacknowledged,resolved&type=sos',
      'type=sos&status=resolved&limit=1&status=unacknowledged',
      'status=resolved,unacknowledged,resolved&type=sos&type=sos',
    ])
      expect((await harness.call('GET', `/v1/alerts?${query}&cursor=${cursor}`, { token })).status).toBe(200);
    for (const query of ['status=unacknowledged&type=sos', 'status=unacknowledged,resolved', 'type=sos'])
      expect((await harness.call('GET', `/v1/alerts?${query}&cursor=${cursor}`, { token })).status).toBe(422);
    await harness.stop();
  });
});

describe('the cost of a page', () => {
  const SIZE = 20_000;
  const key = (n: number) => String(n).padStart(8, '0');

  class Watched extends SortedIndex<number> {
    looks = 0;
    override at(index: number): number | undefined {
      this.looks += 1;
      return super.at(index);
    }
  }
  const list = new Watched();
  for (let n = 0; n < SIZE; n++) list.set(key(n), n);

  test.each(['ascending', 'descending'] as const)('does not grow with its depth, %s', (direction) => {
    const costs = [0, 10, SIZE / 2, SIZE - 100].map((depth) => {
      const after = depth === 0 ? null : key(direction === 'ascending' ? depth : SIZE - depth);
      list.looks = 0;
      const page = pageOf(
        { limit: 50, after, cursorAt: (at) => at },
        { list, keyOf: key, direction, keep: () => true },
      );
      expect(page.items).toHaveLength(50);
      return list.looks;
    });
    expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(1);
  });
});
