/** Five seconds of wall time, however the receiver spends them, and nobody else waits for it. [spec 8, decisions 7] */
import { beforeAll, describe, expect, test } from 'vitest';
import { realClock } from '../../src/base/time/clocks.ts';
import { later, monotonicMs } from '../../src/base/time/timers.ts';
import { LOOK_UP_MS, type Resolve, systemResolver } from '../../src/webhooks/resolver.ts';
import { type Behaviour, drip, hang, ok, Receiver, slow } from './receiver.ts';
import { SmallWorld } from './small-world.ts';

const LIMIT_MS = 5_000;

/** What could delay a timer of ours delays the hourglass too: timers of one process run in the order in which they are due. */
const GRACE_MS = 3_000;

/** Judges when something ended by the order of timers, so that a busy machine makes no difference. */
function hourglass(ms: number) {
  const startedMs = monotonicMs();
  let isLate = false;
  const stop = later(ms + GRACE_MS, () => {
    isLate = true;
  });
  return {
    look(): 'too early' | 'at the limit' | 'too late' {
      stop();
      if (isLate) return 'too late';
      // Node's timers count whole milliseconds.
      return monotonicMs() - startedMs < ms - 1 ? 'too early' : 'at the limit';
    },
  };
}

async function timed(behaviour: Behaviour, resolve?: Resolve) {
  const receiver = await Receiver.start(behaviour);
  const small = await SmallWorld.start(resolve === undefined ? {} : { resolve });
  await small.destination(resolve === undefined ? receiver.url : 'https://slow-name.example/');
  const limit = hourglass(LIMIT_MS);
  await small.sos();
  await small.attempted(1);
  const ended = limit.look();
  const [attempt] = small.attempts;
  await small.stop();
  await receiver.close();
  return { ended, attempt };
}

async function besideAHangingOne() {
  const [hanging, healthy] = [await Receiver.start(hang), await Receiver.start()];
  const small = await SmallWorld.start();
  await small.destination(hanging.url);
  await small.destination(healthy.url);
  for (let n = 0; n < 4; n++) await small.sos(n);
  await hanging.has(4);
  for (let n = 4; n < 24; n++) await small.sos(n);
  await healthy.has(24);
  const stillHanging = hanging.received.length;
  const givenUp = small.attempts.filter(({ result }) => result !== 'delivered').length;
  await small.stop();
  await hanging.close();
  await healthy.close();
  return { givenUp, stillHanging };
}

async function resolverThatHangs() {
  const clock = realClock();
  const lookups: string[] = [];
  const resolve = systemResolver(clock, (host) => {
    lookups.push(host);
    return new Promise(() => {});
  });
  const limit = hourglass(LOOK_UP_MS);
  const outcomes = await Promise.allSettled(['a.example', 'a.example', 'b.example'].map(resolve));
  const ended = limit.look();
  clock.stop();
  return { ended, lookups, outcomes: outcomes.map(({ status }) => status) };
}

const TOO_LATE = {
  'says nothing': hang,
  'drips its headers': drip('HTTP/1.1 200 OK\r\n', 'x-drip: drip\r\n', 300),
  'drips a status line': drip('', 'HTTP/1.1 200 OK and so on', 1_000),
  'answers a little late': slow(6_500),
} satisfies Record<string, Behaviour>;

type Timed = Awaited<ReturnType<typeof timed>>;
let late: Record<string, Timed>;
let others: {
  unresolved: Timed;
  endless: Timed;
  inTime: Timed;
  beside: Awaited<ReturnType<typeof besideAHangingOne>>;
  resolver: Awaited<ReturnType<typeof resolverThatHangs>>;
};

// All of them spend the same five seconds.
beforeAll(async () => {
  const cases = Promise.all(Object.entries(TOO_LATE).map(async ([name, of]) => [name, await timed(of)] as const));
  const [unresolved, endless, inTime, beside, resolver] = await Promise.all([
    timed(ok, () => new Promise(() => {})),
    timed(drip('HTTP/1.1 200 OK\r\n\r\n', 'x', 300)),
    timed(slow(2_500)),
    besideAHangingOne(),
    resolverThatHangs(),
  ]);
  late = Object.fromEntries(await cases);
  others = { unresolved, endless, inTime, beside, resolver };
});

describe('an attempt ends at 5.0 s', () => {
  test.each(Object.keys(TOO_LATE))('as failed, where the receiver %s', (name) => {
    const { ended, attempt } = late[name] as Timed;
    expect(attempt).toMatchObject({ result: 'waiting', status: null, error: 'No answer within 5 s.' });
    expect(ended).toBe('at the limit');
    expect(attempt?.took_ms).toBeGreaterThanOrEqual(LIMIT_MS - 1);
  });

  test('as failed, where the name is never resolved', () => {
    expect(others.unresolved.attempt).toMatchObject({ result: 'waiting', error: 'No answer within 5 s.' });
    expect(others.unresolved.ended).toBe('at the limit');
  });

  test('as delivered, where the status came in time and the body never ends', () => {
    expect(others.endless.attempt).toMatchObject({ result: 'delivered', status: 200 });
    expect(others.endless.ended).toBe('at the limit');
  });

  test('and not before: an answer after 2.5 s is in time', () => {
    expect(others.inTime.attempt).toMatchObject({ result: 'delivered', status: 200 });
  });
});

test('four attempts that hang delay no other destination, and are followed by no fifth', () => {
  expect(others.beside.givenUp).toBe(0);
  expect(others.beside.stillHanging).toBe(4);
});

test('a resolver that hangs is given up after 3.0 s, and asked once for each name', () => {
  expect(others.resolver.outcomes).toEqual(['rejected', 'rejected', 'rejected']);
  expect(others.resolver.lookups).toEqual(['a.example', 'b.example']);
  expect(others.resolver.ended).toBe('at the limit');
});
