/** How an attempt's outcome moves a delivery and its destination, and when it is tried again. [spec 6.4 to 6.7, decisions 7] */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ASSUMPTIONS } from '../../../../src/contract/gaps.ts';
import { RETRY_SCHEDULE_MS } from '../../../../src/contract/resources/retry-schedule.ts';
import { stampAt } from '../../../../src/service/domain/changes.ts';
import { nextAttempt, nextDelay } from '../../../../src/service/domain/deliveries/retry-schedule.ts';
import { settleDelivery } from '../../../../src/service/domain/deliveries/settle.ts';
import type { Delivery, Destination } from '../../../../src/service/domain/world/documents.ts';
import { World } from '../../../../src/service/domain/world/world.ts';

const EVENT_AT = 1_000_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('the retry schedule', () => {
  test('has the thirty offsets of the specification', () => {
    const first = [0, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
    const hourly = Array.from({ length: 24 }, (_, n) => (n + 1) * HOUR);
    expect(RETRY_SCHEDULE_MS).toEqual([...first, ...hourly]);
    expect(RETRY_SCHEDULE_MS).toHaveLength(30);
  });

  const rows: readonly [what: string, slot: number, nowMs: number, next: [slot: number, dueMs: number] | null][] = [
    ['after the first attempt', 0, 0, [1, 10 * SECOND]],
    ['a millisecond before the next is due', 0, 10 * SECOND - 1, [1, 10 * SECOND]],
    ['one that falls due in this instant is skipped', 0, 10 * SECOND, [2, 30 * SECOND]],
    ['after a downtime, those that fell due are not made up for', 1, 3 * HOUR + 1, [9, 4 * HOUR]],
    ['from 30 min to 1 h', 5, 30 * MINUTE, [6, HOUR]],
    ['the last but one', 28, 23 * HOUR, [29, 24 * HOUR]],
    ['after the last it is given up', 29, 24 * HOUR, null],
    ['the last is skipped too when it is past', 28, 24 * HOUR, null],
    ['a slot is never tried twice, whatever the clock says', 5, 0, [6, HOUR]],
  ];
  test.each(rows)('%s', (_, slot, nowMs, next) => {
    const expected = next === null ? null : { slot: next[0], due: EVENT_AT + next[1] };
    expect(nextAttempt(EVENT_AT, slot, EVENT_AT + nowMs)).toEqual(expected);
  });

  const delays: readonly [what: string, slot: number, failedMs: number, waitMs: number | null][] = [
    ['after the first', 0, 5 * SECOND, 10 * SECOND],
    ['after the second', 1, 20 * SECOND, 30 * SECOND],
    ['after the sixth an hour', 5, 2 * HOUR, HOUR],
    ['and every hour from then on', 6, 3 * HOUR, HOUR],
    ['also far beyond the retry schedule', 40, 20 * HOUR, HOUR],
    ['until 24 h after the event', 27, 23 * HOUR, HOUR],
    ['and not a millisecond longer', 27, 23 * HOUR + 1, null],
  ];
  test.each(delays)('counted from the failure: %s', (_, slot, failedMs, waitMs) => {
    const expected = waitMs === null ? null : { slot: slot + 1, due: EVENT_AT + failedMs + waitMs };
    expect(nextDelay(EVENT_AT, slot, EVENT_AT + failedMs)).toEqual(expected);
  });
});

const DELIVERY: Delivery = {
  id: 'delivery',
  eventId: 'event',
  eventType: 'alert.created',
  destinationId: 'destination',
  priority: 0,
  eventAt: EVENT_AT,
  slot: 1,
  due: EVENT_AT + 10 * SECOND,
  tries: 1,
  state: 'waiting',
  lastStatus: 500,
};
const DESTINATION: Destination = {
  id: 'destination',
  organizationId: 'org',
  clientId: 'client',
  url: 'https://receiver.example/',
  eventTypes: ['alert.*'],
  filters: {},
  isActive: true,
  failingSince: null,
  createdAt: 0,
  secret: 'whsec_x',
  previousSecret: null,
};

interface Case {
  readonly delivery?: Partial<Delivery> | null;
  readonly destination?: Partial<Destination> | null;
  readonly delivered?: boolean;
  readonly status?: number | null;
  readonly afterMs?: number;
  readonly retry?: 'offset' | 'delay';
}

function settled({
  delivery = {},
  destination = {},
  delivered = false,
  status = 503,
  afterMs = 12 * SECOND,
  retry = 'offset',
}: Case) {
  const world = new World();
  if (delivery !== null) world.put('delivery', { ...DELIVERY, ...delivery });
  if (destination !== null) world.put('destination', { ...DESTINATION, ...destination });
  const now = EVENT_AT + afterMs;
  const stamp = stampAt(now, 'salt', { ...DEFAULT_ASSUMPTIONS, retry }, 0);
  const attemptedAt = now - 2 * SECOND;
  return settleDelivery(world, stamp, {
    type: 'settle-delivery',
    deliveryId: 'delivery',
    delivered,
    status,
    attemptedAt,
  });
}

const EVENTS_OF_DESTINATION = 'destination-changed';

describe('an attempt', () => {
  test('an attempt with a 2xx answer ends the delivery, and changes no healthy destination', () => {
    expect(settled({ delivered: true, status: 204 })).toEqual([
      { kind: 'delivery-settled', delivery: { ...DELIVERY, tries: 2, lastStatus: 204, state: 'delivered' } },
    ]);
  });

  test('an attempt with a 2xx answer heals a failing destination, which stays active', () => {
    const [, health] = settled({ delivered: true, destination: { failingSince: 5 } });
    expect(health).toEqual({ kind: EVENTS_OF_DESTINATION, destination: { ...DESTINATION, failingSince: null } });
  });

  test('after a failed attempt the delivery waits for the next, and the destination has been failing since that attempt', () => {
    expect(settled({ status: null })).toEqual([
      {
        kind: 'delivery-settled',
        delivery: { ...DELIVERY, tries: 2, lastStatus: null, slot: 2, due: EVENT_AT + 30 * SECOND },
      },
      { kind: EVENTS_OF_DESTINATION, destination: { ...DESTINATION, failingSince: EVENT_AT + 10 * SECOND } },
    ]);
  });

  test('another failed attempt leaves the destination failing since the first of them', () => {
    expect(settled({ destination: { failingSince: EVENT_AT } }).map(({ kind }) => kind)).toEqual(['delivery-settled']);
  });

  test('the last attempt of the schedule loses the delivery', () => {
    const [change] = settled({ delivery: { slot: 29, tries: 29 }, afterMs: 24 * HOUR + 1 });
    expect(change).toMatchObject({ delivery: { state: 'lost', tries: 30, slot: 29, lastStatus: 503 } });
  });

  test('counts its wait from the failure by the other reading of the schedule', () => {
    const [change] = settled({ retry: 'delay', afterMs: 17 * SECOND });
    expect(change).toMatchObject({ delivery: { state: 'waiting', slot: 2, due: EVENT_AT + (17 + 30) * SECOND } });
  });

  test.each([
    ['of a delivery that is gone', { delivery: null }],
    ['of a destination that is gone', { destination: null }],
    ['of a delivery that has ended', { delivery: { state: 'delivered' } }],
    ['of a delivery that was given up', { delivery: { state: 'lost' } }],
  ] as const)('%s changes nothing', (_, of) => {
    expect(settled({ ...of, delivered: true })).toEqual([]);
    expect(settled(of)).toEqual([]);
  });
});
