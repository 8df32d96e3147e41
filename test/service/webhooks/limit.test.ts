/**
 * Five seconds of wall time, however the receiver spends them, and nobody else waits for it: with the time of a machine that
 * the test passes, and in .ci/run with that of this machine. [spec 8, decisions 7]
 */
import { expect, test } from 'vitest';
import { realClock } from '../../../src/base/time/clocks.ts';
import { MACHINE_TIME, type MachineTime, monotonicMs } from '../../../src/base/time/timers.ts';
import { LOOK_UP_MS, type Resolve, systemResolver } from '../../../src/service/webhooks/resolver.ts';
import { ManualMachine } from '../../helpers/manual-machine.ts';
import { ownMachine } from '../../helpers/needs.ts';
import { unless } from '../../helpers/unless.ts';
import { type Behaviour, drip, Gate, hang, ok, Receiver, slow } from './receiver.ts';
import { SmallWorld } from './small-world.ts';

const LIMIT_MS = 5_000;

/** The machine that .ci/run has for these tests alone may be late by this much. */
const GRACE_MS = 3_000;

/** Whether something ends when this time of the machine is over. */
interface Limit {
  readonly machine: MachineTime;
  /** Waits for the end. */
  ended(
    end: Promise<unknown>,
    ms: number,
    begun?: Promise<unknown>,
  ): Promise<'too early' | 'at the limit' | 'too late'>;
}

const turns = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
};

/** The test passes the time, so the speed of the machine makes no difference. */
function passedLimit(): Limit {
  const machine = new ManualMachine();
  return {
    machine,
    ended: async (end, ms, begun) => {
      let isOver = false;
      const over = end.then(() => {
        isOver = true;
      });
      await begun;
      await turns();
      machine.pass(ms - 1);
      await turns();
      if (isOver) return 'too early';
      machine.pass(1);
      await over;
      return 'at the limit';
    },
  };
}

function machineLimit(): Limit {
  return {
    machine: MACHINE_TIME,
    ended: async (end, ms) => {
      const startedMs = monotonicMs();
      await end;
      const tookMs = monotonicMs() - startedMs;
      // Node's timers count whole milliseconds.
      return tookMs < ms - 1 ? 'too early' : tookMs > ms + GRACE_MS ? 'too late' : 'at the limit';
    },
  };
}

/** `inFlight`: resolves when the attempt waits for its answer, or for the address of the receiver. */
async function timed(limit: Limit, behaviour: Behaviour, resolve: Resolve | null = null) {
  const receiver = await Receiver.start(behaviour);
  let onLookUp = (): void => {};
  const lookedUp = new Promise<void>((done) => {
    onLookUp = done;
  });
  const looking: Resolve = (host) => {
    onLookUp();
    return (resolve as Resolve)(host);
  };
  const clock = realClock({ machine: limit.machine });
  const small = await SmallWorld.start({ clock, ...(resolve === null ? {} : { resolve: looking }) });
  await small.destination(resolve === null ? receiver.url : 'https://slow-name.example/');
  const end = small.attempted(1);
  const inFlight = resolve === null ? receiver.has(1) : lookedUp;
  await small.sos();
  // The limit begins just before; of a machine that the test passes, no time passes until then.
  const ended = await limit.ended(end, LIMIT_MS, inFlight);
  const [attempt] = small.attempts;
  await small.stop();
  await receiver.close();
  return { ended, attempt };
}

async function besideAHangingOne() {
  const [hanging, healthy] = [await Receiver.start(hang), await Receiver.start()];
  // Its wall timers do not end, so what hangs is not given up on a slow machine either.
  const machine = new ManualMachine();
  const small = await SmallWorld.start({ clock: realClock({ machine }) });
  await small.destination(hanging.url);
  await small.destination(healthy.url);
  for (let n = 0; n < 4; n++) await small.sos(n);
  machine.pass(10);
  await hanging.has(4);
  for (let n = 4; n < 24; n++) await small.sos(n);
  machine.pass(100);
  await healthy.has(24);
  const stillHanging = hanging.received.length;
  const givenUp = small.attempts.filter(({ result }) => result !== 'delivered').length;
  await small.stop();
  await hanging.close();
  await healthy.close();
  return { givenUp, stillHanging };
}

async function resolverThatHangs(limit: Limit) {
  const clock = realClock({ machine: limit.machine });
  const lookups: string[] = [];
  const resolve = systemResolver(clock, (host) => {
    lookups.push(host);
    return new Promise(() => {});
  });
  const looking = Promise.allSettled(['a.example', 'a.example', 'b.example'].map(resolve));
  const ended = await limit.ended(looking, LOOK_UP_MS);
  clock.stop();
  return { ended, lookups, outcomes: (await looking).map(({ status }) => status) };
}

const TOO_LATE = {
  'says nothing': hang,
  'drips its headers': drip('HTTP/1.1 200 OK\r\n', 'x-drip: drip\r\n', 300),
  'drips a status line': drip('', 'HTTP/1.1 200 OK and so on', 1_000),
  'answers a little late': slow(6_500),
} satisfies Record<string, Behaviour>;

async function inTime(): Promise<string | undefined> {
  const gate = new Gate();
  const receiver = await Receiver.start(gate.behaviour);
  const machine = new ManualMachine();
  const small = await SmallWorld.start({ clock: realClock({ machine }) });
  await small.destination(receiver.url);
  await small.sos();
  await receiver.has(1);
  machine.pass(LIMIT_MS - 1);
  gate.open();
  await small.attempted(1);
  const [attempt] = small.attempts;
  await small.stop();
  await receiver.close();
  return attempt?.result;
}

const LIMITS = [
  ['of a machine that the test passes', passedLimit, null],
  ['of this machine', machineLimit, ownMachine],
] as const;

for (const [time, limitOf, skip] of LIMITS) {
  unless(skip).describe(`in the time ${time} an attempt ends at 5.0 s`, { concurrent: true }, () => {
    for (const [what, behaviour] of Object.entries(TOO_LATE))
      test(`as failed, where the receiver ${what}`, async () => {
        const { ended, attempt } = await timed(limitOf(), behaviour);
        expect(attempt).toMatchObject({ result: 'waiting', status: null, error: 'No answer within 5 s.' });
        expect(ended).toBe('at the limit');
        expect(attempt?.took_ms).toBeGreaterThanOrEqual(LIMIT_MS - 1);
      });

    test('as failed, where the name is never resolved', async () => {
      const { ended, attempt } = await timed(limitOf(), ok, () => new Promise(() => {}));
      expect(attempt).toMatchObject({ result: 'waiting', error: 'No answer within 5 s.' });
      expect(ended).toBe('at the limit');
    });

    test('as delivered, where the status came in time and the body never ends', async () => {
      const { ended, attempt } = await timed(limitOf(), drip('HTTP/1.1 200 OK\r\n\r\n', 'x', 300));
      expect(attempt).toMatchObject({ result: 'delivered', status: 200 });
      expect(ended).toBe('at the limit');
    });
  });

  unless(
    skip,
  ).test(`in the time ${time} a resolver that hangs is given up after 3.0 s, and asked once for each name`, async () => {
    expect(await resolverThatHangs(limitOf())).toEqual({
      ended: 'at the limit',
      lookups: ['a.example', 'b.example'],
      outcomes: ['rejected', 'rejected', 'rejected'],
    });
  });
}

test('an attempt does not end before: an answer after 4,999 ms is in time', async () => {
  expect(await inTime()).toBe('delivered');
});

test('four attempts that hang delay no other destination, and are followed by no fifth', async () => {
  expect(await besideAHangingOne()).toEqual({ givenUp: 0, stillHanging: 4 });
});
