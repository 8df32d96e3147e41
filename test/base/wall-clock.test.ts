/** The real and the scaled clock: they follow the machine, catch up in order, and can be paused, sped up and advanced. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Clock, LANE } from '../../src/base/time/clock.ts';
import { realClock, scaledClock } from '../../src/base/time/clocks.ts';
import { nextTurn } from '../../src/base/time/timers.ts';
import { ManualMachine } from '../helpers/manual-machine.ts';

const KEY = { lane: LANE.service, actor: 'a' };
const clocks: Clock[] = [];

function keep(clock: Clock): Clock {
  clocks.push(clock);
  return clock;
}

function turn(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

afterEach(() => {
  vi.restoreAllMocks();
  for (const clock of clocks.splice(0)) clock.stop();
});

describe('the real clock', () => {
  test('starts at the wall time, and a start given is an offset', () => {
    const machine = new ManualMachine();
    const now = keep(realClock({ machine, wall: () => 1_700_000_000_000 }));
    expect([now.now(), now.wall()]).toEqual([1_700_000_000_000, 1_700_000_000_000]);
    expect(now.state()).toMatchObject({ mode: 'real', speed: 1, paused: false });
    const offset = keep(realClock({ start: 1_000_000.7, machine }));
    expect(offset.now()).toBe(1_000_000);
    machine.pass(1_234);
    expect(offset.now()).toBe(1_001_234);
  });

  test('plays a task at its time and not before, and none before it is started', async () => {
    const clock = keep(realClock({ start: 0 }));
    let early = false;
    clock.at(0, KEY, () => {
      early = true;
    });
    await turn();
    expect(early).toBe(false);
    clock.start();
    const due = clock.now() + 5;
    const beganMs = clock.monotonic();
    const at = await new Promise<number>((resolve) => clock.at(due, KEY, () => resolve(clock.now())));
    expect(at).toBe(due);
    expect(clock.monotonic() - beganMs).toBeGreaterThanOrEqual(4);
    expect(early).toBe(true);
  });

  test('a step of the wall clock changes nothing', () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ machine }));
    const before = clock.now();
    const wall = before - 3_600_000;
    vi.spyOn(Date, 'now').mockReturnValue(wall);
    expect(clock.now()).toBe(before);
    machine.pass(50);
    expect(clock.now()).toBe(before + 50);
    expect(clock.wall()).toBe(wall);
  });

  test('a late clock catches up in order, each task at its own due time', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 1000, machine }));
    const seen: [string, number][] = [];
    const base = clock.now();
    const add = (ms: number, lane: number, actor: string) =>
      clock.at(base + ms, { lane, actor }, () => seen.push([actor, clock.now() - base]));
    clock.start();
    add(9, LANE.rest, 'rest');
    add(9, LANE.step, 'step');
    add(3, LANE.rest, 'first');
    clock.at(base + 3, { lane: LANE.rest, actor: 'more' }, () => add(5, LANE.step, 'added'));
    const played = new Promise<void>((resolve) => clock.at(base + 12, { lane: 99, actor: '' }, resolve));
    machine.sleep(25);
    machine.wake();
    await played;
    expect(seen).toEqual([
      ['first', 3],
      ['added', 5],
      ['step', 9],
      ['rest', 9],
    ]);
    expect(clock.now() - base).toBe(25);
  });

  test('a late task sees no time before what was seen already', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 0, machine }));
    clock.start();
    const played = new Promise<number>((resolve) => clock.at(clock.now() + 2, KEY, () => resolve(clock.now())));
    machine.sleep(10);
    const seen = clock.now();
    machine.wake();
    expect(await played).toBeGreaterThanOrEqual(seen);
  });

  test('a clock that is far behind still lets others have their turn', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 0, machine }));
    let played = 0;
    for (let i = 0; i < 20; i++) {
      clock.at(0, KEY, () => {
        machine.sleep(2);
        played++;
      });
    }
    clock.start();
    await turn();
    await turn();
    expect(played).toBeGreaterThan(0);
    expect(played).toBeLessThan(20);
  });

  test('a paused clock stands still, and goes on from there', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 0, machine }));
    clock.start();
    let played = false;
    clock.pause();
    clock.at(clock.now() + 3, KEY, () => {
      played = true;
    });
    const paused = clock.now();
    machine.pass(8);
    expect(clock.now()).toBe(paused);
    expect(played).toBe(false);
    clock.resume();
    expect(clock.now()).toBe(paused);
    machine.pass(2);
    expect(played).toBe(false);
    machine.pass(1);
    expect(played).toBe(true);
  });

  test('answers are applied at once, and holds keep nothing back', async () => {
    const clock = keep(realClock());
    clock.start();
    const release = clock.hold('uplink', 'somebody');
    let applied = false;
    clock.ordered('uplink', 'a', () => {
      applied = true;
    });
    expect(applied).toBe(true);
    await new Promise<void>((resolve) => clock.at(clock.now() + 1, KEY, resolve));
    release();
  });

  test('tasks far away and cancelled ones do not fire', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 0, machine }));
    clock.start();
    let played = 0;
    clock.at(40 * 86_400_000, KEY, () => played++);
    const cancel = clock.at(1, KEY, () => played++);
    cancel();
    cancel();
    machine.pass(40 * 86_400_000 - 1);
    expect(played).toBe(0);
  });

  test('a wall timer fires after wall time, and not once cancelled or stopped', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 0, machine }));
    clock.pause();
    const seen: string[] = [];
    clock.afterWall(3, () => seen.push('cancelled'))();
    clock.afterWall(3, () => seen.push('fired'), { unref: false });
    machine.pass(2);
    expect(seen).toEqual([]);
    machine.pass(1);
    expect(seen).toEqual(['fired']);
    clock.afterWall(2, () => seen.push('stopped'));
    clock.stop();
    machine.pass(5);
    expect(seen).toEqual(['fired']);
  });
});

describe('the scaled clock', () => {
  test('goes as many times faster as it is told', async () => {
    const clock = keep(scaledClock({ speed: 1000, start: 0 }));
    clock.start();
    const beganMs = clock.monotonic();
    const at = await new Promise<number>((resolve) => clock.at(10_000, KEY, () => resolve(clock.now())));
    expect(at).toBe(10_000);
    expect(clock.monotonic() - beganMs).toBeGreaterThanOrEqual(8);
    expect(clock.state()).toMatchObject({ mode: 'scaled', speed: 1000 });
  });

  test('a change of speed keeps the present instant, and wakes earlier what is due', async () => {
    const clock = keep(scaledClock({ speed: 1, start: 0 }));
    clock.start();
    const played = new Promise<void>((resolve) => clock.at(3_600_000, KEY, resolve));
    const before = clock.now();
    clock.setSpeed(1_000_000);
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    await played;
    expect(() => clock.setSpeed(0)).toThrow('speed 0');
  });

  test('now never goes back, through changes of speed, pauses and advances', async () => {
    const clock = keep(scaledClock({ speed: 50, start: 0 }));
    clock.start();
    let last = clock.now();
    const look = () => {
      const now = clock.now();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    };
    for (let i = 0; i < 40; i++) {
      if (i % 4 === 0) clock.setSpeed(1 + ((i * 37) % 200));
      if (i % 5 === 1) clock.pause();
      if (i % 5 === 3) clock.resume();
      if (i % 7 === 2) await clock.advance(i);
      clock.at(clock.now() + (i % 3), KEY, look);
      look();
      await turn();
    }
  });
});

describe('advance on a clock that follows the wall', () => {
  test('plays a day in order without waiting for it, then goes on from there', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 0, machine }));
    clock.start();
    const seen: number[] = [];
    const every = (due: number): void => {
      clock.at(due, KEY, () => {
        seen.push(clock.now());
        if (due < 100_000_000) every(due + 3_600_000);
      });
    };
    every(3_600_000);
    await clock.advance(86_400_000);
    expect(seen).toEqual(Array.from({ length: 24 }, (_, i) => (i + 1) * 3_600_000));
    expect(clock.now()).toBe(86_400_000);
    const gone = new Promise<void>((resolve) => clock.at(86_400_002, KEY, resolve));
    machine.pass(2);
    await gone;
  });

  test('waits for holds between instants, and applies answers by key', async () => {
    const clock = keep(realClock({ start: 0, machine: new ManualMachine() }));
    clock.start();
    const seen: string[] = [];
    clock.at(1000, KEY, () => {
      const replies = ['b', 'a'].map((key) => {
        const release = clock.hold('uplink', key);
        return () =>
          clock.ordered('uplink', key, () => {
            seen.push(key);
            release();
          });
      });
      nextTurn(() => {
        replies[0]?.();
        nextTurn(() => replies[1]?.());
      });
    });
    clock.at(2000, KEY, () => seen.push('next'));
    const advanced = clock.advance(5000);
    const frozen = clock.now();
    await turn();
    expect(clock.now()).toBeLessThanOrEqual(1000);
    expect(frozen).toBe(0);
    await advanced;
    expect(seen).toEqual(['a', 'b', 'next']);
  });

  test('tells who keeps it from arriving', async () => {
    const machine = new ManualMachine();
    const stuck = new Promise<string>((resolve) => {
      const clock = keep(
        realClock({ machine, watchdogMs: 8, onStuck: ([first]) => resolve(`${first?.lane}: ${first?.label}`) }),
      );
      clock.start();
      clock.hold('delivery', 'attempt 2 to erp');
      clock.advance(1000).catch(() => {});
    });
    machine.pass(10);
    expect(await stuck).toBe('delivery: attempt 2 to erp');
  });

  test('can be asked for from within a task, paused or not', async () => {
    const machine = new ManualMachine();
    const clock = keep(realClock({ start: 0, machine }));
    clock.start();
    const seen: string[] = [];
    clock.at(100_000, KEY, () => seen.push('far'));
    const advanced = new Promise<void>((resolve) => {
      clock.at(clock.now() + 1, KEY, () => {
        void clock.advance(100_000).then(resolve);
      });
    });
    machine.pass(1);
    await advanced;
    expect(seen).toEqual(['far']);
    clock.pause();
    const paused = clock.now();
    await clock.advance(500);
    expect(clock.now()).toBe(paused + 500);
    machine.pass(3);
    expect(clock.now()).toBe(paused + 500);
  });
});
