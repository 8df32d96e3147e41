/** A receiver that passes deliveries on to the user's own system: when simulated time may pass meanwhile, and answers that are lost. */
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { BuiltInReceivers } from '../../../src/scenario/customer/built-in-receivers.ts';

const SECRET = 'whsec_test';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The user's system: it answers when the test lets it. */
async function ownSystem() {
  const pending: ServerResponse[] = [];
  const waiting: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const next = waiting.shift();
    if (next === undefined) pending.push(response);
    else next(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  const next = (): Promise<ServerResponse> =>
    new Promise((resolve) => {
      const there = pending.shift();
      if (there === undefined) waiting.push(resolve);
      else resolve(there);
    });
  return { url, next };
}

async function receiverBefore(target: URL) {
  // Timers of the wall run when the test says so.
  const timers: (() => void)[] = [];
  const clock: Clock = Object.assign(lockstepClock({ start: 0 }), {
    afterWall: (_ms: number, task: () => void) => {
      timers.push(task);
      return () => {};
    },
  });
  const receivers = new BuiltInReceivers(clock);
  const parked: string[] = [];
  const world = { isTroubled: false };
  receivers.connect({
    park: (_url, eventId) => {
      parked.push(eventId);
      return () => {};
    },
    isTroubled: () => world.isTroubled,
    onReceived: () => {},
    onFollowed: () => {},
  });
  await receivers.start(['inbox']);
  ends.push(() => receivers.stop());
  receivers.setSecrets('inbox', [SECRET]);
  receivers.passOn('inbox', target);
  const url = receivers.forwards.get(receivers.hostOf('inbox')) as string;
  const deliver = (eventId: string): Promise<number | 'broken off'> => {
    const timestamp = String(Math.floor(clock.wall() / 1_000));
    const digest = createHmac('sha256', SECRET).update(`${timestamp}.{}`).digest('hex');
    const headers = {
      'x-service-event-id': eventId,
      'x-service-timestamp': timestamp,
      'x-service-signature': `v1=${digest}`,
    };
    return fetch(url, { method: 'POST', body: '{}', headers }).then(
      ({ status }) => status,
      () => 'broken off' as const,
    );
  };
  return { receivers, deliver, parked, world, timers };
}

test('a delivery in a time of trouble gives up its hold on time after a while; one that comes after the trouble keeps its own', async () => {
  const system = await ownSystem();
  const { deliver, parked, world, timers } = await receiverBefore(system.url);
  world.isTroubled = true;
  const first = deliver('in trouble');
  const answerFirst = await system.next();
  expect(timers).toHaveLength(1);
  world.isTroubled = false;
  const second = deliver('after it');
  const answerSecond = await system.next();
  for (const timer of timers) timer();
  expect(parked).toEqual(['in trouble']);
  answerFirst.writeHead(204).end();
  answerSecond.writeHead(204).end();
  expect(await Promise.all([first, second])).toEqual([204, 204]);
});

test('one that the system has answered gives up nothing', async () => {
  const system = await ownSystem();
  const { deliver, parked, world, timers } = await receiverBefore(system.url);
  world.isTroubled = true;
  const delivery = deliver('soon answered');
  (await system.next()).writeHead(204).end();
  expect(await delivery).toBe(204);
  for (const timer of timers) timer();
  expect(parked).toEqual([]);
});

test('a lost answer: the system got the delivery and answered, and the sender hears nothing', async () => {
  const system = await ownSystem();
  const { receivers, deliver } = await receiverBefore(system.url);
  await receivers.behave('inbox', ['lost_answer', 'ok'], null);
  const delivery = deliver('one');
  (await system.next()).writeHead(204).end();
  expect(await delivery).toBe('broken off');
  // It says nothing about the system.
  expect(receivers.takePassedAt('inbox', 'one')).toBeNull();
  const again = deliver('one');
  (await system.next()).writeHead(204).end();
  expect(await again).toBe(204);
  expect(receivers.takePassedAt('inbox', 'one')).not.toBeNull();
});
