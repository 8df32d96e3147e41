/** The lock-step clock: what orders entries, who keeps time from passing, and what a stuck run says. */
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { streams } from '../../src/base/random/streams.ts';
import { type Clock, type ClockHold, type HoldLane, LANE, type Release } from '../../src/base/time/clock.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { later, type MachineTime, nextTurn } from '../../src/base/time/timers.ts';
import { growthOf, NEARLY_LINEAR } from '../helpers/growth.ts';
import { ManualMachine } from '../helpers/manual-machine.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';

const START = Date.UTC(2026, 9, 5, 6);
const clocks: Clock[] = [];

function makeClock(
  options: { machine?: MachineTime; watchdogMs?: number; onStuck?: (holders: readonly ClockHold[]) => void } = {},
): Clock {
  const clock = lockstepClock({ start: START, ...options });
  clocks.push(clock);
  return clock;
}

/** Resolves when the clock has played everything up to `ms` after the start. */
function reached(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.at(START + ms, { lane: 99, actor: '~' }, resolve));
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>((resolve) => nextTurn(resolve));
}

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.stop();
});

describe('order', () => {
  test('entries play by instant, then lane, then actor by code units, then insertion', async () => {
    const clock = makeClock();
    const seen: string[] = [];
    const rows: [ms: number, lane: number, actor: string, name: string][] = [
      [20, LANE.step, 'a', 'later instant'],
      [10, LANE.rest, 'a', 'late lane'],
      [10, LANE.uplink, 'b', 'b'],
      [10, LANE.uplink, 'a', 'a first'],
      [10, LANE.uplink, 'Z', 'capital Z'],
      [10, LANE.uplink, 'ä', 'umlaut'],
      [10, LANE.uplink, 'a', 'a second'],
      [10, LANE.step, 'z', 'early lane'],
    ];
    for (const [ms, lane, actor, name] of rows) clock.at(START + ms, { lane, actor }, () => seen.push(name));
    clock.start();
    await reached(clock, 20);
    expect(seen).toEqual([
      'early lane',
      'capital Z',
      'a first',
      'a second',
      'b',
      'umlaut',
      'late lane',
      'later instant',
    ]);
  });

  test('entries added in a batch for the same instant play in the next batch, an earlier lane first', async () => {
    const clock = makeClock();
    const seen: string[] = [];
    const add = (lane: number, actor: string, task = () => {}) =>
      clock.at(START + 5, { lane, actor }, () => {
        seen.push(`${lane}${actor}`);
        task();
      });
    add(3, 'a', () => {
      add(3, 'a2');
      add(1, 'x');
    });
    add(3, 'b');
    add(4, 'c');
    clock.start();
    await reached(clock, 5);
    expect(seen).toEqual(['3a', '3b', '1x', '3a2', '4c']);
    expect(clock.now()).toBe(START + 5);
  });

  test('an entry cancelled by another of its own batch does not play', async () => {
    const clock = makeClock();
    const seen: string[] = [];
    clock.at(START + 1, { lane: 0, actor: 'a' }, () => {
      cancel();
      cancel();
    });
    const cancel = clock.at(START + 1, { lane: 0, actor: 'b' }, () => seen.push('b'));
    clock.start();
    await reached(clock, 2);
    expect(seen).toEqual([]);
  });

  test('what is due in the past plays at once but not in the same turn, and time does not go back', async () => {
    const clock = makeClock();
    clock.start();
    await reached(clock, 100);
    let at = 0;
    const played = new Promise<void>((resolve) => {
      clock.at(START + 1, { lane: 0, actor: 'a' }, () => {
        at = clock.now();
        resolve();
      });
    });
    expect(at).toBe(0);
    await played;
    expect(at).toBe(START + 100);
  });

  test('due times are rounded up to a whole millisecond', async () => {
    const clock = makeClock();
    const played = new Promise<number>((resolve) =>
      clock.at(START + 0.2, { lane: 0, actor: 'a' }, () => resolve(clock.now())),
    );
    clock.start();
    expect(await played).toBe(START + 1);
  });

  test('two runs with random network delays play and apply in the same order', async () => {
    const run = async (delaySeed: number): Promise<string[]> => {
      const clock = makeClock();
      const delays = streams(delaySeed).stream('network', 'delay');
      const walks = streams('world');
      const record: string[] = [];
      const report = (actor: string, n: number) => {
        const release = clock.hold('uplink', () => `uplink ${n} of ${actor}`);
        later(delays.int(0, 3), () => {
          clock.ordered('uplink', actor, () => {
            record.push(`${clock.now() - START} ${actor} ${n}`);
            release();
          });
        });
      };
      for (const actor of ['ana', 'bea', 'luis', 'Zoe']) {
        const stream = walks.stream(actor, 'walk');
        const next = (n: number): void => {
          if (n > 10) return;
          clock.at(clock.now() + stream.int(1, 3), { lane: LANE.uplink, actor }, () => {
            report(actor, n);
            next(n + 1);
          });
        };
        next(1);
      }
      clock.start();
      await reached(clock, 1000);
      return record;
    };
    const first = await run(1);
    expect(first).toHaveLength(40);
    expect(await run(2)).toEqual(first);
    expect(await run(3)).toEqual(first);
  });

  test('answers over real sockets are applied in the order of their keys', async () => {
    const delays = streams('server').stream('server', 'delay');
    const server = createServer((socket) => {
      socket.on('data', (bytes) => later(delays.int(0, 4), () => socket.end(bytes)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const clock = makeClock();
    const record: string[] = [];
    for (let ms = 1; ms <= 5; ms++) {
      for (const actor of ['d', 'c', 'b', 'a']) {
        clock.at(START + ms, { lane: LANE.delivery, actor }, () => {
          const release = clock.hold('delivery', actor);
          const socket = createConnection(port, '127.0.0.1', () => socket.write(actor));
          socket.on('data', (answer) =>
            clock.ordered('delivery', String(answer), () => {
              record.push(`${clock.now() - START}${answer}`);
              release();
            }),
          );
        });
      }
    }
    clock.start();
    await reached(clock, 6);
    await new Promise((resolve) => server.close(resolve));
    expect(record.join(' ')).toBe('1a 1b 1c 1d 2a 2b 2c 2d 3a 3b 3c 3d 4a 4b 4c 4d 5a 5b 5c 5d');
  });
});

describe('quiet', () => {
  test('a lock-step clock stands still until it is started', async () => {
    const clock = makeClock();
    let played = false;
    clock.at(START, { lane: 0, actor: 'a' }, () => {
      played = true;
    });
    await turns(5);
    expect(played).toBe(false);
    clock.start();
    await reached(clock, 0);
    expect(played).toBe(true);
  });

  test('time waits for promises and for tasks of the next turn', async () => {
    const clock = makeClock();
    const seen: string[] = [];
    clock.at(START + 1, { lane: 0, actor: 'a' }, () => {
      void (async () => {
        for (let i = 0; i < 20; i++) await null;
        seen.push(`promise at ${clock.now() - START}`);
        clock.soon(() => clock.soon(() => clock.soon(() => seen.push(`soon at ${clock.now() - START}`))));
      })();
    });
    clock.at(START + 2, { lane: 0, actor: 'a' }, () => seen.push('next'));
    clock.start();
    await reached(clock, 2);
    expect(seen).toEqual(['promise at 1', 'soon at 1', 'next']);
  });

  test('a hold keeps time from passing and names its holder, and releasing it twice does nothing', async () => {
    const clock = makeClock();
    let reads = 0;
    let played = false;
    const one = clock.hold('http', 'GET /v1/alerts');
    const two = clock.hold('uplink', () => `uplink ${++reads} of w003`);
    clock.at(START + 1, { lane: 0, actor: 'a' }, () => {
      played = true;
    });
    clock.start();
    await turns(5);
    expect(played).toBe(false);
    expect(clock.now()).toBe(START);
    expect(reads).toBe(0);
    expect(clock.holders()).toEqual([
      { lane: 'http', label: 'GET /v1/alerts' },
      { lane: 'uplink', label: 'uplink 1 of w003' },
    ]);
    one();
    one();
    await turns(5);
    expect(played).toBe(false);
    two();
    await reached(clock, 1);
    expect(played).toBe(true);
  });

  test('an idle clock wakes when an entry is added', async () => {
    const clock = makeClock();
    clock.start();
    await turns(5);
    expect(clock.now()).toBe(START);
    await reached(clock, 86_400_000);
    expect(clock.now()).toBe(START + 86_400_000);
  });

  test('a paused clock stands still, and goes on where it was', async () => {
    const clock = makeClock();
    clock.start();
    clock.pause();
    let played = false;
    clock.at(START + 1, { lane: 0, actor: 'a' }, () => {
      played = true;
    });
    await turns(5);
    expect(played).toBe(false);
    expect(clock.state()).toMatchObject({ now: START, speed: 1, paused: true, mode: 'lockstep' });
    clock.resume();
    await reached(clock, 1);
    expect(played).toBe(true);
  });

  test('a clock that is handed over stands still, advances, and passes by the wall when it is resumed', async () => {
    const clock = makeClock();
    clock.start();
    clock.at(START + 2_000, { lane: 0, actor: 'story' }, () => clock.handOver());
    let later = false;
    clock.at(START + 3_600_000, { lane: 0, actor: 'a' }, () => {
      later = true;
    });
    await turns(5);
    expect(clock.state()).toMatchObject({ now: START + 2_000, speed: 1, paused: true, mode: 'lockstep' });
    await clock.advance(3_000);
    expect(clock.state()).toMatchObject({ now: START + 5_000, paused: true });
    clock.setSpeed(1_000);
    clock.resume();
    await reached(clock, 6_000);
    // By its own rule it would have jumped to what is due in an hour.
    expect([later, clock.now() < START + 3_600_000]).toEqual([false, true]);
    clock.pause();
    const stands = clock.now();
    await turns(5);
    expect(clock.now()).toBe(stands);
  });

  test('a stopped clock plays nothing more, and refuses to start again', async () => {
    const clock = makeClock();
    let played = 0;
    clock.at(START + 1, { lane: 0, actor: 'a' }, () => {
      played++;
      clock.stop();
    });
    clock.at(START + 1, { lane: 0, actor: 'b' }, () => played++);
    clock.at(START + 2, { lane: 0, actor: 'a' }, () => played++);
    clock.start();
    await turns(10);
    clock.stop();
    clock.at(START + 3, { lane: 0, actor: 'a' }, () => played++)();
    expect(played).toBe(1);
    expect(() => clock.start()).toThrow('make a new one');
  });
});

describe('ordered', () => {
  test('without a hold in the lane an answer is applied at once', () => {
    const clock = makeClock();
    const other = clock.hold('http', 'another lane');
    let applied = false;
    clock.ordered('uplink', 'a', () => {
      applied = true;
    });
    expect(applied).toBe(true);
    other();
  });

  test('whatever the order of arrival, answers are applied by key when the last is there', () => {
    const orders = [
      ['a', 'b', 'c'],
      ['a', 'c', 'b'],
      ['b', 'a', 'c'],
      ['b', 'c', 'a'],
      ['c', 'a', 'b'],
      ['c', 'b', 'a'],
    ];
    for (const arrivals of orders) {
      for (const opened of orders) {
        const clock = makeClock();
        const applied: string[] = [];
        const releases = new Map<string, Release>(opened.map((key) => [key, clock.hold('uplink', key)]));
        for (const key of arrivals) {
          expect(applied).toEqual([]);
          clock.ordered('uplink', key, () => {
            applied.push(key);
            releases.get(key)!();
          });
        }
        expect(applied).toEqual(['a', 'b', 'c']);
        expect(clock.holders()).toEqual([]);
      }
    }
  });

  test('equal keys keep the order of arrival, and keys compare by code units', () => {
    const clock = makeClock();
    const applied: string[] = [];
    const releases = ['1', '2', '3', '4'].map((label) => clock.hold('other', label));
    for (const key of ['b', 'a', 'B', 'a']) clock.ordered('other', key, () => applied.push(`${key}${applied.length}`));
    expect(applied).toEqual(['B0', 'a1', 'a2', 'b3']);
    for (const release of releases) release();
  });

  test('a party that gives up without an answer lets the others go', () => {
    const clock = makeClock();
    const applied: string[] = [];
    const gone = clock.hold('delivery', 'gone');
    const stays = clock.hold('delivery', 'stays');
    clock.ordered('delivery', 'b', () => applied.push('b'));
    expect(applied).toEqual([]);
    gone();
    expect(applied).toEqual(['b']);
    stays();
  });

  test('a hold opened later makes the waiting answers wait for one more', () => {
    const clock = makeClock();
    const applied: string[] = [];
    const holds = [clock.hold('uplink', 'a'), clock.hold('uplink', 'b')];
    clock.ordered('uplink', 'b', () => applied.push('b'));
    holds.push(clock.hold('uplink', 'c'));
    clock.ordered('uplink', 'c', () => applied.push('c'));
    expect(applied).toEqual([]);
    clock.ordered('uplink', 'a', () => applied.push('a'));
    expect(applied).toEqual(['a', 'b', 'c']);
    for (const release of holds) release();
  });

  test('an answer that brings another answer does not overtake those of its round', () => {
    const clock = makeClock();
    const applied: string[] = [];
    const releases = ['a', 'b'].map((key) => clock.hold('uplink', key));
    clock.ordered('uplink', 'b', () => {
      applied.push('b');
      releases[1]!();
    });
    clock.ordered('uplink', 'a', () => {
      applied.push('a');
      releases[0]!();
      clock.ordered('uplink', 'a again', () => applied.push('a again'));
    });
    expect(applied).toEqual(['a', 'b', 'a again']);
  });

  test('an answer that waits keeps time from passing', async () => {
    const clock = makeClock();
    const seen: string[] = [];
    clock.start();
    const releases: Record<string, Release> = { a: clock.hold('http', 'a'), b: clock.hold('http', 'b') };
    clock.at(START + 1, { lane: 0, actor: 'x' }, () => seen.push('time'));
    clock.ordered('http', 'b', () => seen.push('b'));
    await turns(4);
    releases['b']!();
    expect(seen).toEqual(['b']);
    await turns(4);
    expect(seen).toEqual(['b']);
    releases['a']!();
    await reached(clock, 1);
    expect(seen).toEqual(['b', 'time']);
  });

  test('any weave of holds, releases and answers ends with every answer applied once and nobody holding', () => {
    const lanes: HoldLane[] = ['uplink', 'downlink', 'http'];
    for (let seed = 0; seed < 200; seed++) {
      const chance = streams(seed).stream('weave', 'order');
      const clock = makeClock();
      const open: Release[] = [];
      let sent = 0;
      let applied = 0;
      for (let i = 0; i < 60; i++) {
        const lane = chance.pick(lanes);
        const what = chance.int(0, 2);
        if (what === 0) open.push(clock.hold(lane, 'someone'));
        if (what === 1) open.splice(chance.int(0, Math.max(0, open.length - 1)), 1)[0]?.();
        if (what === 2) {
          sent++;
          clock.ordered(lane, String(chance.int(0, 9)), () => applied++);
        }
        expect(applied).toBeLessThanOrEqual(sent);
      }
      for (const release of chance.shuffle(open)) release();
      expect(applied).toBe(sent);
      expect(clock.holders()).toEqual([]);
    }
  });
});

describe('a stuck run', () => {
  test('names those who hold, once for each stall', async () => {
    const reported: (readonly ClockHold[])[] = [];
    let notice = (): void => {};
    const machine = new ManualMachine();
    const clock = makeClock({
      machine,
      watchdogMs: 8,
      onStuck: (holders) => {
        reported.push(holders);
        notice();
      },
    });
    const next = () => new Promise<void>((resolve) => (notice = resolve));
    clock.start();
    const puback = clock.hold('uplink', () => 'PUBACK of watch w003 no. 17');
    const get = clock.hold('http', 'GET /v1/alerts');
    const first = next();
    machine.pass(10);
    await first;
    expect(reported).toEqual([
      [
        { lane: 'uplink', label: 'PUBACK of watch w003 no. 17' },
        { lane: 'http', label: 'GET /v1/alerts' },
      ],
    ]);
    const second = next();
    puback();
    machine.pass(10);
    await second;
    expect(reported[1]).toEqual([{ lane: 'http', label: 'GET /v1/alerts' }]);
    get();
    expect(reported).toHaveLength(2);
  });

  test('is not suspected while holds come and go, nor before the clock is started', async () => {
    let stuck = 0;
    const machine = new ManualMachine();
    const clock = makeClock({ machine, watchdogMs: 40, onStuck: () => stuck++ });
    const early = clock.hold('connect', 'before the start');
    machine.pass(60);
    early();
    clock.start();
    const always = clock.hold('other', 'always');
    for (let i = 0; i < 30; i++) {
      const release = clock.hold('uplink', 'busy');
      machine.pass(3);
      release();
    }
    expect(stuck).toBe(0);
    always();
  });
});

describe('advance', () => {
  test('plays what is due in the span of a clock that was not started, and stops there', async () => {
    const clock = makeClock();
    const seen: number[] = [];
    for (const ms of [5, 10, 11]) clock.at(START + ms, { lane: 0, actor: 'a' }, () => seen.push(clock.now() - START));
    await clock.advance(10);
    expect(seen).toEqual([5, 10]);
    expect(clock.now()).toBe(START + 10);
    await Promise.all([clock.advance(0), clock.advance(1), clock.advance(4)]);
    expect(seen).toEqual([5, 10, 11]);
    expect(clock.now()).toBe(START + 15);
  });

  test('works while the clock is paused, and leaves it paused', async () => {
    const clock = makeClock();
    clock.start();
    clock.pause();
    await clock.advance(1000);
    await turns(3);
    expect(clock.state()).toMatchObject({ now: START + 1000, paused: true });
  });

  test('is refused when the clock stops before its end', async () => {
    const clock = makeClock();
    clock.hold('other', 'for good');
    const advanced = clock.advance(1000);
    clock.stop();
    await expect(advanced).rejects.toThrow('stopped before');
    await expect(clock.advance(1)).rejects.toThrow('stopped');
  });
});

/** Plays two of five entries; the others are cancelled. */
async function playMany(count: number): Promise<void> {
  const clock = makeClock();
  const chance = streams(1).stream('load', 'due');
  let played = 0;
  let last = 0;
  let late = 0;
  const cancels = Array.from({ length: count }, (_, i) =>
    clock.at(START + chance.int(0, 2000), { lane: i % 7, actor: `w${i % 100}` }, () => {
      played++;
      if (clock.now() < last) late += 1;
      last = clock.now();
      clock.hold('uplink', 'short')();
    }),
  );
  for (let i = 0; i < 0.6 * count; i++) cancels[i]!();
  clock.start();
  await reached(clock, 2001);
  expect({ played, late }).toEqual({ played: 0.4 * count, late: 0 });
  clock.stop();
}

// Below, 20,000 of them.
unless(withoutWhole).test('a hundred thousand entries and holds are played in order', () => playMany(100_000));

test('ten times as many entries and holds take about ten times as long', async () => {
  expect(await growthOf(playMany, 2_000)).toBeLessThan(NEARLY_LINEAR);
});

describe('a pace', () => {
  /** A clock at ten times wall time, what it played at which wall time, and the machine. */
  function paced(dueMs: readonly number[]) {
    const machine = new ManualMachine();
    const clock = lockstepClock({ start: START, pace: 10, machine });
    clocks.push(clock);
    const played: [dueMs: number, wallMs: number][] = [];
    const beganMs = machine.monotonicMs();
    for (const ms of dueMs)
      clock.at(START + ms, { lane: 0, actor: 'a' }, () => played.push([ms, machine.monotonicMs() - beganMs]));
    clock.start();
    /** Lets wall time pass, and everything that follows from it. */
    const pass = async (ms: number): Promise<void> => {
      machine.pass(ms);
      await turns(6);
    };
    return { clock, machine, played, pass };
  }

  test('lets each entry wait for its time, and leaves time where it is in between', async () => {
    const { clock, played, pass } = paced([0, 1_000, 2_500]);
    await turns(6);
    expect(played).toEqual([[0, 0]]);
    await pass(99);
    expect([played.length, clock.now() - START, clock.state().shown - START]).toEqual([1, 0, 990]);
    await pass(1);
    await pass(150);
    expect(played).toEqual([
      [0, 0],
      [1_000, 100],
      [2_500, 250],
    ]);
    expect(clock.behindMs).toBe(0);
  });

  test('goes on from where a delay left it, without a burst, and adds up how far it fell behind', async () => {
    const { clock, played, pass } = paced([1_000, 2_000, 3_000]);
    await turns(6);
    await pass(400);
    expect(played).toEqual([[1_000, 400]]);
    await pass(99);
    expect(played.length).toBe(1);
    await pass(1);
    await pass(100);
    expect(played.slice(1)).toEqual([
      [2_000, 500],
      [3_000, 600],
    ]);
    expect(clock.behindMs).toBe(300);
  });

  test('moves nothing while something is held, however much time passes', async () => {
    const { clock, played, pass } = paced([1_000, 2_000]);
    const release = clock.hold('http', 'a request');
    await pass(5_000);
    clock.arrive();
    expect([played.length, clock.now()]).toEqual([0, START]);
    release();
    await turns(6);
    expect([played.length, clock.now() - START]).toEqual([1, 1_000]);
    await pass(100);
    expect(played.length).toBe(2);
  });

  test('takes who arrives from outside to its time, at most to the next entry', async () => {
    const { clock, pass } = paced([5_000]);
    await turns(6);
    await pass(200);
    expect(clock.now()).toBe(START);
    clock.arrive();
    expect(clock.now()).toBe(START + 2_000);
    const machine = lockstepClock({ start: START });
    clocks.push(machine);
    machine.start();
    machine.arrive();
    expect(machine.now()).toBe(START);
  });

  test('has none in a span that is hurried, in an advance, and while it is paused', async () => {
    const { clock, played, pass } = paced([1_000, 60_000, 61_000, 70_000]);
    clock.hurry(START + 60_500);
    await turns(20);
    expect(played.map(([ms]) => ms)).toEqual([1_000, 60_000]);
    await pass(49);
    expect(played.length).toBe(2);
    await pass(1);
    expect(played.length).toBe(3);
    clock.pause();
    await pass(10_000);
    expect(played.length).toBe(3);
    clock.resume();
    const advanced = clock.advance(20_000);
    await advanced;
    expect([played.length, clock.now() - START, clock.behindMs]).toEqual([4, 81_000, 0]);
  });

  test('changes with its speed', async () => {
    const { clock, played, pass } = paced([1_000, 2_000]);
    await turns(6);
    await pass(100);
    clock.setSpeed(1);
    await pass(999);
    expect(played.length).toBe(1);
    await pass(1);
    expect(played.length).toBe(2);
  });
});
