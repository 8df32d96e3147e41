/** Who goes first: urgent alerts before musters before the rest, four at a time, one place kept for what is urgent. [decisions 7] */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/service/domain/world/documents.ts';
import { Backlog } from '../../../src/service/webhooks/backlog.ts';
import { Gate, Receiver } from './receiver.ts';
import { SmallWorld, START } from './small-world.ts';

const typeOf = (body: string): string => JSON.parse(body).data.alert.type;

describe('at a receiver that is slow', () => {
  let gate: Gate;
  let receiver: Receiver;
  let small: SmallWorld;

  beforeEach(async () => {
    gate = new Gate();
    receiver = await Receiver.start(gate.behaviour);
    small = await SmallWorld.start();
    await small.destination(receiver.url);
  });

  afterEach(async () => {
    gate.open();
    await small.stop();
    await receiver.close();
  });

  const types = () => receiver.received.map(({ body }) => typeOf(body));

  test('three calls are in flight, and an SOS overtakes all that wait', async () => {
    for (let n = 0; n < 20; n++) await small.call(n);
    await receiver.has(3);
    await small.sos(20);
    await receiver.has(4);
    expect(types()).toEqual(['worker_call_request', 'worker_call_request', 'worker_call_request', 'sos']);
    gate.letOneGo();
    await receiver.has(5);
    expect(types()[4]).toBe('worker_call_request');
    expect(receiver.peak).toBe(4);
  });

  test('four of priority 0 are in flight at most, and the rest follow in the order of their events', async () => {
    for (let n = 0; n < 9; n++) await small.sos(n);
    for (let next = 5; next <= 9; next++) {
      await receiver.has(next - 1);
      gate.letOneGo();
    }
    await receiver.has(9);
    const [log, arrived] = [await small.log(), receiver.received.map(({ eventId }) => eventId)];
    // The first four leave together, on a connection each.
    expect(arrived.slice(0, 4).sort()).toEqual(
      log
        .slice(0, 4)
        .map(({ id }) => id)
        .sort(),
    );
    expect(arrived.slice(4)).toEqual(log.slice(4).map(({ id }) => id));
    expect(receiver.peak).toBe(4);
  });

  test('calls never take the fourth place, also when a backlog drains', async () => {
    for (let n = 0; n < 20; n++) await small.call(n);
    await receiver.has(3);
    gate.open();
    // The last of them fall due some milliseconds later: `created_at` strictly increases.
    await receiver.has(20);
    expect(receiver.peak).toBe(3);
  });
});

describe('of what waits for one destination', () => {
  const delivery = (n: number, rest: Partial<Delivery> = {}): Delivery => ({
    id: `delivery-${String(n).padStart(5, '0')}`,
    eventId: `event-${n}`,
    eventType: 'alert.created',
    destinationId: 'destination',
    priority: 2,
    eventAt: START + n,
    slot: 0,
    due: START + n,
    tries: 0,
    state: 'waiting',
    lastStatus: null,
    ...rest,
  });

  const drained = (backlog: Backlog, now: number): string[] => {
    const ids: string[] = [];
    for (let next = backlog.take(now); next !== null; next = backlog.take(now)) {
      ids.push(next.id);
      backlog.ended(next, null, now);
    }
    return ids;
  };

  test('the urgent goes first, then what has been due longest, then the oldest event', () => {
    const backlog = new Backlog();
    const now = START + 1_000;
    const musters = delivery(1, { priority: 1 });
    const old = delivery(2, { due: START + 500 });
    const older = delivery(3, { due: START + 500, eventAt: START });
    const longDue = delivery(4, { due: START + 100 });
    const sos = delivery(5, { priority: 0, due: now });
    for (const each of [old, longDue, older, musters, sos]) backlog.add(each, START);
    expect(drained(backlog, now)).toEqual([sos, musters, longDue, older, old].map(({ id }) => id));
  });

  test('what is due later waits, and comes in when its time does', () => {
    const backlog = new Backlog();
    backlog.add(delivery(1, { due: START + 10 }), START);
    backlog.add(delivery(2, { due: START + 20 }), START);
    expect(backlog.take(START + 9)).toBeNull();
    expect(backlog.nextLater()?.due).toBe(START + 10);
    expect(backlog.take(START + 10)?.id).toBe(delivery(1).id);
    expect(backlog.nextLater()?.due).toBe(START + 20);
  });

  test('a delivery that is told twice is sent once, until it has ended', () => {
    const backlog = new Backlog();
    const twice = delivery(1);
    backlog.add(twice, START + 1);
    backlog.add(twice, START + 1);
    expect(backlog.take(START + 1)).toBe(twice);
    backlog.add(twice, START + 1);
    expect(backlog.take(START + 1)).toBeNull();
    const next = { ...twice, slot: 1, due: START + 10_001 };
    backlog.ended(twice, next, START + 2);
    expect(backlog.take(START + 10_001)).toBe(next);
  });

  test('5,000 that fell due in a downtime leave in the same order', () => {
    const backlog = new Backlog();
    const priorities = [2, 1, 0] as const;
    for (let n = 0; n < 5_000; n++) backlog.add(delivery(n, { priority: priorities[n % 3] as 0 | 1 | 2 }), START);
    const ids = drained(backlog, START + 5_000);
    const wanted = [2, 1, 0].flatMap((rest) =>
      Array.from({ length: 5_000 }, (_, n) => n).filter((n) => n % 3 === rest),
    );
    expect(ids).toEqual(wanted.map((n) => delivery(n).id));
  });
});
