/** What the stages of an attempt do when things around them fail: the store, an abandoned sender, a mistake of ours. [spec 6.4 to 6.7, decisions 7] */
import type { Agent } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import { nextTurn } from '../../../src/base/time/timers.ts';
import type { Store } from '../../../src/service/engine/store-port.ts';
import { type AttemptInFlight, pause, type SentAttempt, type Workshop } from '../../../src/service/webhooks/attempt.ts';
import { AttemptHold } from '../../../src/service/webhooks/attempt-hold.ts';
import { settle } from '../../../src/service/webhooks/settle.ts';
import { Sockets } from '../../../src/service/webhooks/sockets.ts';
import { hang, ok, Receiver, status } from './receiver.ts';
import { lockstep, SmallWorld, START } from './small-world.ts';

/** The same, but for one method. */
const but = <T extends object, K extends keyof T>(of: T, name: K, instead: T[K]): T =>
  new Proxy(of, {
    get: (target, key) => {
      if (key === name) return instead;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Wall timers that are up at once, and their durations. */
function hurried(clock: Clock) {
  const waited: number[] = [];
  const afterWall: Clock['afterWall'] = (ms, task) => {
    if (ms >= 5_000) return clock.afterWall(ms, task);
    waited.push(ms);
    return nextTurn(task);
  };
  return { clock: but(clock, 'afterWall', afterWall), waited };
}

/** Something waits to be delivered, and the process has started again. */
async function restarted(change: (store: Store) => Store, clock: Clock) {
  const receiver = await Receiver.start(hang);
  const before = await SmallWorld.start({ clock: lockstep() });
  const { id } = await before.destination(receiver.url);
  await before.sos();
  await receiver.has(1);
  await before.stop();
  receiver.behave = () => ok;
  const after = await SmallWorld.start({ store: change(before.store), withoutSender: true, clock });
  onTestFinished(async () => {
    await after.stop();
    await receiver.close();
  });
  after.forwards.set('receiver-0.example', receiver.url);
  after.startSender();
  return { after, receiver, id };
}

test('an event that the store cannot read now is asked for again after a second, and no attempt is counted', async () => {
  let reads = 0;
  const { clock, waited } = hurried(lockstep());
  const flaky = (store: Store) =>
    but(store, 'event', async (id) => {
      if (reads++ < 2) throw new Error('the disk is busy');
      return store.event(id);
    });
  const { after, receiver, id } = await restarted(flaky, clock);
  await after.webhooks.idle();
  expect(after.attempts).toMatchObject([{ try: 1, result: 'delivered', destination_id: id }]);
  expect(receiver.received).toHaveLength(2);
  expect({ reads, waited: waited.filter((ms) => ms === 1_000) }).toEqual({ reads: 3, waited: [1_000, 1_000] });
});

test('a delivery whose event is gone is reported and rests, and its destination gets what comes after', async () => {
  const { after, receiver, id } = await restarted((store) => but(store, 'event', async () => null), lockstep());
  await after.webhooks.idle();
  expect(after.notices.filter(({ kind }) => kind === 'internal-error')).toMatchObject([
    { part: 'delivery', what: `alert.created to ${id}`, detail: expect.stringContaining('not in the store') },
  ]);
  expect(after.attempts).toEqual([]);
  expect(after.waiting(id)).toHaveLength(1);
  await after.call(1);
  await after.clock.advance(1);
  expect(after.attempts).toMatchObject([{ try: 1, result: 'delivered' }]);
  expect(receiver.received).toHaveLength(2);
  expect(after.clock.holders()).toEqual([]);
});

test('each try is recorded by itself, with its number, its offset and the address that it went to', async () => {
  const receiver = await Receiver.start();
  receiver.behave = (n) => status(n < 2 ? 503 : 200);
  const small = await SmallWorld.start({ clock: lockstep() });
  onTestFinished(async () => {
    await small.stop();
    await receiver.close();
  });
  await small.destination(receiver.url);
  await small.destination('https://127.0.0.1/hook');
  await small.sos();
  await small.clock.advance(30_000);
  const records = (await small.store.attempts({ limit: 10 })).toReversed();
  const forwarded = records.filter(({ requestUrl }) => requestUrl.startsWith('http:'));
  expect(forwarded.map(({ tryNumber, offsetMs, outcome, at }) => [tryNumber, offsetMs, outcome, at - START])).toEqual([
    [1, 0, 'failed', 0],
    [2, 10_000, 'failed', 10_000],
    [3, 30_000, 'delivered', 30_000],
  ]);
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  expect(forwarded[0]?.requestUrl).toBe(`${receiver.url.href}hook`);
  // What went nowhere is recorded by the address that was meant.
  expect(records.find(({ tryNumber, requestUrl }) => tryNumber === 1 && requestUrl.startsWith('https:'))).toMatchObject(
    {
      requestUrl: 'https://127.0.0.1/hook',
      status: null,
      responseBody: null,
    },
  );
  for (const { tookMs } of records) expect(tookMs >= 0 && tookMs < 5_000, String(tookMs)).toBe(true);
});

describe('an outcome', () => {
  const attempt = { delivery: { id: 'd', destinationId: 'gone' }, at: START } as AttemptInFlight;
  const sent = { outcome: { delivered: true, status: 204, error: null } } as SentAttempt;
  const workshop = (answers: object[], abandoned = new AbortController()) => {
    const commands: object[] = [];
    const submit = async (command: object) => {
      commands.push(command);
      return answers.length > 1 ? answers.shift() : answers[0];
    };
    const { clock, waited } = hurried(lockstep());
    const parts = { engine: { submit }, clock, abandoned: abandoned.signal } as unknown as Workshop;
    return { parts, commands, waited, abandoned };
  };

  test('an outcome that the engine answers with an internal error ends the delivery until the next start', async () => {
    const { parts, commands } = workshop([{ rejected: true, code: 'internal_error' }]);
    expect(await settle(attempt, sent, parts)).toEqual({ result: 'gone', next: null });
    expect(commands).toEqual([
      { type: 'settle-delivery', deliveryId: 'd', attemptedAt: START, delivered: true, status: 204 },
    ]);
  });

  test('an outcome that a full disk refuses is submitted again each second', async () => {
    const full = { rejected: true, code: 'storage_unavailable' };
    const { parts, commands, waited } = workshop([full, full, { rejected: false, value: 'settled' }]);
    expect(await settle(attempt, sent, parts)).toBe('settled');
    expect({ times: commands.length, waited }).toEqual({ times: 3, waited: [1_000, 1_000] });
  });

  test('of a sender that was abandoned stays open', async () => {
    const abandoned = new AbortController();
    abandoned.abort();
    const { parts, commands } = workshop([{ rejected: false, value: 'settled' }], abandoned);
    expect(await settle(attempt, sent, parts)).toBeNull();
    expect(commands).toEqual([]);
  });
});

describe('a pause', () => {
  const timers = () => {
    const open = new Set<() => void>();
    const afterWall = (_ms: number, task: () => void) => {
      open.add(task);
      return () => void open.delete(task);
    };
    return { open, clock: { afterWall } as unknown as Clock };
  };

  test('ends with its time', async () => {
    const { open, clock } = timers();
    const { signal } = new AbortController();
    const paused = pause({ clock, abandoned: signal }, 10);
    for (const task of open) task();
    await paused;
    expect(open.size).toBe(0);
  });

  test('ends with the sender, and leaves no timer behind', async () => {
    const { open, clock } = timers();
    const abandon = new AbortController();
    const paused = pause({ clock, abandoned: abandon.signal }, 10);
    expect(open.size).toBe(1);
    abandon.abort();
    await paused;
    expect(open.size).toBe(0);
    await pause({ clock, abandoned: abandon.signal }, 10);
    expect(open.size).toBe(0);
  });
});

test('an attempt’s hold of the clock is open once, however often it is closed and opened', () => {
  const clock = lockstep();
  onTestFinished(() => clock.stop());
  const open = () => clock.holders().length;
  const held = new AttemptHold(() => clock.hold('delivery', () => 'one'));
  expect(open()).toBe(1);
  held.reopen();
  expect(open()).toBe(1);
  held.close();
  expect(open()).toBe(0);
  held.reopen();
  expect(open()).toBe(1);
  held.close();
  held.close();
  expect(open()).toBe(0);
});

describe('the connections of a destination', () => {
  test('are one agent for each scheme, kept open between deliveries, and certificates are always checked', () => {
    const sockets = new Sockets();
    const agentFor = (url: string) => sockets.for(new URL(url)) as Agent & { options: object };
    const [plain, secure] = ['http://a.example', 'https://a.example'].map(agentFor);
    expect(plain).not.toBe(secure);
    expect(sockets.for(new URL('http://b.example'))).toBe(plain);
    expect(sockets.for(new URL('https://b.example'))).toBe(secure);
    expect(plain?.options).toMatchObject({ keepAlive: true, timeout: 1_000 });
    expect(secure?.options).toMatchObject({ keepAlive: true, timeout: 1_000, rejectUnauthorized: true });
    sockets.close();
    expect(sockets.for(new URL('http://b.example'))).not.toBe(plain);
    expect(sockets.for(new URL('https://b.example'))).not.toBe(secure);
    sockets.close();
  });

  test('are closed with it: at once where nothing is in flight, else when that has ended', async () => {
    const receiver = await Receiver.start();
    const small = await SmallWorld.start();
    onTestFinished(async () => {
      await small.stop();
      await receiver.close();
    });
    const { id } = await small.destination(receiver.url);
    await small.sos();
    await small.webhooks.idle();
    expect(await receiver.openConnections()).toBe(1);
    await small.engine.submit({ type: 'delete-destination', destinationId: id });
    await receiver.unconnected();
    expect(await receiver.openConnections()).toBe(0);
  });
});
