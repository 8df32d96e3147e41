/** Bounds of time ranges, to the millisecond: `*_after` and `*_since` inclusive, `*_before` exclusive. [decisions 1] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { formatInstant } from '../../../src/base/time/instants.ts';
import type { Event } from '../../../src/contract/events.ts';
import { ORG, SITE, T0 } from '../domain/small-world.ts';
import { batchOf, eventOf } from '../store/samples.ts';
import { ApiHarness } from './harness.ts';

const DAY = 86_400_000;
const NOW = T0 + 40 * DAY;
const WINDOW = 30 * DAY;

let harness: ApiHarness;
let token: string;
const started = async (start: number): Promise<void> => {
  const clock = lockstepClock({ start });
  clock.pause();
  harness = await ApiHarness.start({ clock });
  harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
  token = await harness.token();
};

interface Row {
  readonly id: string;
  readonly created_at?: string;
  readonly date_created?: string;
}

/** All pages, as a client walks them. */
async function walk(path: string, query: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = `${path}?limit=${limit}${query && `&${query}`}${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await harness.call('GET', next, { token });
    expect([status, body.code]).toEqual([200, undefined]);
    rows.push(...body.data);
    cursor = body.next_cursor;
  }
  return rows;
}

/** Ms after `T0` of what a query finds, whatever the size of its pages. */
async function found(path: string, query: string): Promise<number[]> {
  const [small, large] = [await walk(path, query, 1), await walk(path, query, 200)];
  expect(small).toEqual(large);
  return large.map((row) => Date.parse((row.created_at ?? row.date_created) as string) - T0).sort((a, b) => a - b);
}

/** As `formatInstant`, with digits behind the milliseconds. */
const finer = (at: number, digits: string): string => formatInstant(at).replace('Z', `${digits}Z`);

describe.each(['/v1/events', '/v1/alerts'])('of what was created at 0, 1 and 2 ms, %s finds', (path) => {
  const [zero, one, two] = [T0, T0 + 1, T0 + 2];
  beforeAll(async () => {
    await started(T0);
    for (const n of [1, 2, 3]) {
      await harness.sos(n);
      await harness.clock.advance(1);
    }
  });
  afterAll(() => harness.stop());

  const t = formatInstant;
  test.each([
    ['', [0, 1, 2]],
    [`created_after=${t(zero)}`, [0, 1, 2]],
    [`created_after=${t(one)}`, [1, 2]],
    [`created_after=${t(two)}`, [2]],
    [`created_after=${t(two + 1)}`, []],
    [`created_before=${t(zero)}`, []],
    [`created_before=${t(one)}`, [0]],
    [`created_before=${t(two)}`, [0, 1]],
    [`created_before=${t(two + 1)}`, [0, 1, 2]],
    [`created_after=${t(one)}&created_before=${t(one)}`, []],
    [`created_after=${t(one)}&created_before=${t(two)}`, [1]],
    // In another zone, and between two milliseconds.
    ['created_after=2026-10-05T08:00:00.001%2B02:00', [1, 2]],
    ['created_before=2026-10-05T03:00:00.001-03:00', [0]],
    [`created_after=${finer(zero, '0001')}`, [1, 2]],
    [`created_after=${finer(one, '0000')}`, [1, 2]],
    [`created_before=${finer(zero, '0001')}`, [0]],
    [`created_before=${finer(zero, '999999')}`, [0]],
    [`created_before=${finer(one, '000')}`, [0]],
    [`created_after=${finer(zero, '5')}&created_before=${finer(one, '5')}`, [1]],
  ])('with %s at %j', async (query, expected) => {
    expect(await found(path, query)).toEqual(expected);
  });
});

describe('of alerts that were modified at 0, 1 and 2 ms, modified_since', () => {
  beforeAll(async () => {
    await started(T0 - 10_000);
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await harness.sos(n));
    await harness.clock.advance(10_000);
    for (const alertId of ids) {
      const by = { by: 'Desk', actor: 'Desk', reason: null, note: null };
      await harness.engine.submit({ type: 'update-alert', alertId, status: 'acknowledged', ...by });
      await harness.clock.advance(1);
    }
  });
  afterAll(() => harness.stop());

  test.each([
    [formatInstant(T0 - 1), 3],
    [formatInstant(T0), 3],
    [finer(T0, '0001'), 2],
    [formatInstant(T0 + 1), 2],
    [formatInstant(T0 + 2), 1],
    [finer(T0 + 1, '999'), 1],
    [finer(T0 + 2, '1'), 0],
    [formatInstant(T0 + 3), 0],
  ])('%s finds %i', async (since, count) => {
    for (const limit of [1, 200])
      expect(await walk('/v1/alerts', `modified_since=${since}`, limit)).toHaveLength(count);
  });

  test('says nothing of when they were created', async () => {
    expect(
      await walk('/v1/alerts', `modified_since=${formatInstant(T0 + 2)}&created_before=${formatInstant(T0)}`, 9),
    ).toHaveLength(1);
  });
});

describe('of events older than 30 days', () => {
  const OLDEST = NOW - WINDOW;
  const at = [NOW - 40 * DAY, OLDEST - 2, OLDEST - 1, OLDEST, OLDEST + 1, NOW];

  beforeAll(async () => {
    await started(NOW);
    await harness.sos(1);
    const [first] = await walk('/v1/events', '', 1);
    // The log still holds them: what forgets them looks every few hours only.
    const events = at.slice(0, -1).map((createdAt, n) => {
      const event = {
        ...(first as unknown as Event),
        id: `${(first as Row).id.slice(0, -1)}${n}`,
        created_at: formatInstant(createdAt),
      };
      return eventOf(event.id, createdAt, { organizationId: ORG, siteId: SITE, body: JSON.stringify(event) });
    });
    await harness.store.commit(batchOf({ events }));
    expect(await harness.store.events({ organizationId: ORG, limit: 99 })).toHaveLength(at.length);
  });
  afterAll(() => harness.stop());

  const shown = [OLDEST, OLDEST + 1, NOW].map((one) => one - T0);
  test.each([
    '',
    `created_after=${formatInstant(OLDEST)}`,
    `created_after=${formatInstant(OLDEST - 1)}`,
    `created_after=${formatInstant(NOW - 40 * DAY)}`,
    'created_after=0000-01-01T00:00:00Z',
    `created_after=${formatInstant(OLDEST - 2)}&created_before=${formatInstant(NOW + 1)}`,
    `created_before=${formatInstant(NOW + 1)}`,
    `type=alert.created&site_id=${SITE}&created_after=${formatInstant(NOW - 40 * DAY)}`,
  ])('none is found with %j, and the one of exactly 30 days is', async (query) => {
    expect(await found('/v1/events', query)).toEqual(shown);
  });

  test('none is found where the whole span lies before', async () => {
    const span = `created_after=${formatInstant(NOW - 40 * DAY)}&created_before=${formatInstant(OLDEST)}`;
    expect(await found('/v1/events', span)).toEqual([]);
    expect(await found('/v1/events', `created_before=${formatInstant(OLDEST)}`)).toEqual([]);
  });

  test('none is found a millisecond later either, also not behind a cursor', async () => {
    const { body } = await harness.call('GET', '/v1/events?limit=1', { token });
    expect(Date.parse(body.data[0].created_at)).toBe(OLDEST);
    await harness.clock.advance(2);
    const rest = await harness.call('GET', `/v1/events?limit=1&cursor=${body.next_cursor}`, { token });
    expect(rest.body.data.map((event: Event) => Date.parse(event.created_at))).toEqual([NOW]);
    expect(await found('/v1/events', `created_after=${formatInstant(OLDEST - 1)}`)).toEqual([NOW - T0]);
  });
});
