/** Deliveries that are doubled, shuffled or held back: what at-least-once, in any order, allows, and no more. [spec 6.2, 6.3] */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Delivery } from '../../../src/service/domain/world/documents.ts';
import { DeliveryFaults } from '../../../src/service/webhooks/faults.ts';
import { Receiver, status } from './receiver.ts';
import { lockstep, SmallWorld, START } from './small-world.ts';

async function plant() {
  const receiver = await Receiver.start();
  const small = await SmallWorld.start({ clock: lockstep() });
  onTestFinished(async () => {
    await small.stop();
    await receiver.close();
  });
  const { id } = await small.destination(receiver.url);
  return { small, receiver, id };
}
const reported = (small: SmallWorld) =>
  small.attempts.map((attempt) => ({ offset_ms: attempt.offset_ms, result: attempt.result, copy: attempt.copy ?? 1 }));

describe('an event that is doubled', () => {
  test('comes as often as was said, the same bytes, and was delivered once', async () => {
    const { small, receiver, id } = await plant();
    small.webhooks.fault(id, { copies: 3 });
    await small.sos();
    await small.clock.advance(0);
    expect(receiver.received.map(({ body }) => body)).toEqual(Array(3).fill((await small.log())[0]?.body));
    expect(reported(small)).toEqual([1, 2, 3].map((copy) => ({ offset_ms: 0, result: 'delivered', copy })));
    expect(await small.store.attempts({ limit: 10 })).toHaveLength(1);
    expect(small.waiting(id)).toEqual([]);
    small.webhooks.fault(id, { copies: 1 });
    await small.clock.advance(1_000);
    await small.call();
    await small.clock.advance(0);
    expect(receiver.received).toHaveLength(4);
  });

  test('is not sent again before it was taken, and what becomes of a copy changes nothing', async () => {
    const { small, receiver, id } = await plant();
    receiver.behave = (n) => status(n === 1 ? 200 : 503);
    small.webhooks.fault(id, { copies: 2 });
    await small.sos();
    await small.clock.advance(9_999);
    expect(receiver.received).toHaveLength(1);
    await small.clock.advance(1);
    expect(reported(small)).toEqual([
      { offset_ms: 0, result: 'waiting', copy: 1 },
      { offset_ms: 10_000, result: 'delivered', copy: 1 },
      { offset_ms: 10_000, result: 'waiting', copy: 2 },
    ]);
    expect(small.waiting(id)).toEqual([]);
    await small.clock.advance(60_000);
    expect(receiver.received).toHaveLength(3);
  });

  test('is doubled for that destination alone', async () => {
    const { small, receiver, id } = await plant();
    await small.destination(receiver.url);
    small.webhooks.fault(id, { copies: 2 });
    await small.sos();
    await small.clock.advance(0);
    expect(small.attempts.filter(({ destination_id }) => destination_id === id)).toHaveLength(2);
    expect(small.attempts).toHaveLength(3);
  });
});

test('an event that is held back comes so much later, and its further attempts by the retry schedule', async () => {
  const { small, receiver, id } = await plant();
  receiver.behave = (n) => status(n === 0 ? 503 : 200);
  small.webhooks.fault(id, { holdMs: 25_000 });
  await small.sos();
  await small.clock.advance(24_999);
  expect(receiver.received).toEqual([]);
  await small.clock.advance(5_001);
  expect(reported(small).map(({ offset_ms }) => offset_ms)).toEqual([25_000, 30_000]);
});

describe('what a fault does to a delivery', () => {
  const delivery = (n: number, part: Partial<Delivery> = {}): Delivery => ({
    id: `delivery-${n}`,
    eventId: `event-${n}`,
    eventType: 'alert.created',
    destinationId: 'erp',
    priority: 2,
    eventAt: START,
    slot: 0,
    due: START,
    tries: 0,
    state: 'waiting',
    lastStatus: null,
    ...part,
  });
  const dues = (faults: DeliveryFaults) =>
    Array.from({ length: 200 }, (_, n) => faults.delayed(delivery(n), START).due - START);

  test('is nothing, where nothing was said, or of another destination', () => {
    const faults = new DeliveryFaults('seed');
    expect(faults.of('erp')).toEqual({ copies: 1, shuffleMs: 0, holdMs: 0 });
    const one = delivery(1);
    expect(faults.delayed(one, START + 5)).toBe(one);
    faults.set('other', { holdMs: 10 });
    expect(faults.delayed(one, START)).toBe(one);
  });

  test('is a wait from now, or from when it is due where that is later', () => {
    const faults = new DeliveryFaults('seed');
    faults.set('erp', { holdMs: 1_000 });
    expect(faults.delayed(delivery(1), START + 50).due).toBe(START + 1_050);
    expect(faults.delayed(delivery(1, { due: START + 70 }), START + 50).due).toBe(START + 1_070);
    const retried = delivery(1, { tries: 1 });
    expect(faults.delayed(retried, START)).toBe(retried);
  });

  test('is a draw of at most so long for each event, the same for one seed', () => {
    const shuffled = (seed: string, holdMs = 0) => {
      const faults = new DeliveryFaults(seed);
      faults.set('erp', { shuffleMs: 30_000 });
      faults.set('erp', { holdMs });
      return dues(faults);
    };
    const drawn = shuffled('a');
    expect(shuffled('a')).toEqual(drawn);
    expect(shuffled('b')).not.toEqual(drawn);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(30_000);
    expect(new Set(drawn).size).toBeGreaterThan(150);
    // Earlier fields stay: held back, and shuffled.
    expect(shuffled('a', 500)).toEqual(drawn.map((ms) => ms + 500));
  });
});
