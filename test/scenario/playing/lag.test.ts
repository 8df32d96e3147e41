/** Runs at a pace begin as fast ones do; in a running sandbox, what a busy machine made late is inconclusive. [scenario-language, Time modes; decisions 3, 8] */
import { afterEach, describe, expect, test } from 'vitest';
import { type Clock, LANE } from '../../../src/base/time/clock.ts';
import { lockstepClock, realClock, scaledClock } from '../../../src/base/time/clocks.ts';
import { LagRecord } from '../../../src/base/time/lag.ts';
import type { BootRequest } from '../../../src/scenario/playing/ports.ts';
import { FAST_START } from '../../../src/scenario/playing/run-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { ownMachine } from '../../helpers/needs.ts';
import { unless } from '../../helpers/unless.ts';
import { filesOf, live, playSmall, type SmallWorld, scenarioOf } from '../small-stage.ts';

/** While an action is performed, another process has the core for this time (wall ms), and work is due. */
const beBusyFor =
  (ms: number) =>
  (world: SmallWorld, { clock }: BootRequest): void => {
    world.onAction = () => {
      clock.at(clock.now() + 200, { lane: LANE.service, actor: 'due' }, () => {});
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      return { status: 200, body: { results: [] } };
    };
  };

const beBusy = beBusyFor(400);

/** 1 s of simulated time is 10 ms of wall time. */
const SPEED = 100;

describe('the greatest lag', () => {
  test.each([
    ['since the beginning', 0, 300],
    ['since a later instant', 15, 200],
    ['since the last', 30, 40],
    ['since later than all', 31, 0],
  ])('%s', (_what, since, expected) => {
    const lag = new LagRecord();
    for (const [due, ms] of [
      [5, 100],
      [10, 300],
      [15, 50],
      [20, 200],
      [25, 30],
      [30, 40],
    ] as const)
      lag.add(due, ms);
    expect(lag.since(since)).toBe(expected);
  });

  test('of an idle machine is none', () => {
    const lag = new LagRecord();
    lag.add(5, 3);
    expect(lag.since(0)).toBe(0);
  });
});

unless(ownMachine).describe('a check in a running sandbox that fails', () => {
  const steps = ['together: [{sos: {who: ana}}, {expect: {alert: sos}, within: 3s}]'];

  test('while due work ran late is inconclusive, and the run has no result', async () => {
    const { result } = await playSmall(scenarioOf(steps), beBusy, live(SPEED));
    expect(result).toMatchObject({ verdict: 'error', exitCode: 3, error: { code: 'too_slow' } });
    expect(result.error?.message).toMatch(/due work ran up to \d{3} ms late, so 1 failed check is inconclusive/);
    expect(result.failures[0]?.text).toMatch(
      /inconclusive: the machine was too busy, and due work ran up to \d{3} ms late/,
    );
    expect(result.lagMs).toBeGreaterThan(250);
  });

  test('is a failure beside another one that counts', async () => {
    const failing = ['check: {alerts: open, count: 1}', ...steps];
    const { result } = await playSmall(scenarioOf(failing), beBusy, live(SPEED));
    expect(result).toMatchObject({ verdict: 'failed', exitCode: 1, failed: 2, error: null });
    expect(result.failures.map(({ lagMs }) => lagMs !== null)).toEqual([false, true]);
  });

  test('is inconclusive where work was late after the last action, before the check began', async () => {
    const { result } = await playSmall(
      scenarioOf(['sos: {who: ana}', 'wait: 60s', 'expect: {alert: sos}']),
      beBusy,
      live(SPEED),
    );
    expect(result).toMatchObject({ verdict: 'error', error: { code: 'too_slow' } });
  });

  test('is a failure where the machine kept up', async () => {
    const { result } = await playSmall(scenarioOf(steps), () => {}, live(20));
    // A machine that is busy with other tests may be late here, too; the check waited until the lag was over.
    const isLate = result.failures.some(({ lagMs }) => lagMs !== null);
    expect(result.verdict).toBe(isLate ? 'error' : 'failed');
    expect(isLate).toBe(result.lagMs > 250);
  });

  test('a "never" too', async () => {
    const never = ['together: [{sos: {who: ana}}, {never: {alert: sos}, for: 5s}]'];
    const { result } = await playSmall(
      scenarioOf(never),
      (world, request) => {
        beBusy(world, request);
        const busily = world.onAction;
        world.onAction = (call) => {
          request.clock.at(request.clock.now() + 2_000, { lane: LANE.service, actor: 'sos' }, () => {
            world.alert('a1', { type: 'sos' });
          });
          return busily(call);
        };
      },
      live(SPEED),
    );
    expect(result).toMatchObject({ verdict: 'error', error: { code: 'too_slow' } });
  });

  test.each([
    ['a refused step', 'press_ack: {who: ana}', 409],
    ['a check of the state', 'check: {alerts: open, count: 1}', 200],
  ])('%s too', async (_what, step, status) => {
    const { result } = await playSmall(
      scenarioOf(['sos: {who: ana}', step]),
      (world, request) => {
        beBusy(world, request);
        const busily = world.onAction;
        world.onAction = (call) => ({ ...busily(call), ...(call.action === 'sos' ? {} : { status }) });
      },
      live(SPEED),
    );
    expect(result).toMatchObject({ verdict: 'error', failed: 1, error: { code: 'too_slow' } });
    expect(result.failures[0]?.text).toContain('inconclusive: the machine was too busy');
  });

  test('a run whose checks hold is passed, and states the lag', async () => {
    const { result, notices } = await playSmall(scenarioOf(['sos: {who: ana}', 'wait: 10s']), beBusy, live(SPEED));
    expect(result.verdict).toBe('passed');
    expect(notices.at(-1)).toMatchObject({ kind: 'run-ended', lagMs: result.lagMs });
    expect(result.lagMs).toBeGreaterThan(100);
  });
});

unless(ownMachine).describe('the tolerance of live time, here 25 s,', () => {
  const outcomeOf = async (steps: readonly string[], script: (world: SmallWorld) => void, speed: number) => {
    const mode = speed === 0 ? ({ mode: 'fast' } as const) : live(speed);
    return (await playSmall(scenarioOf(steps), script, mode)).result.verdict;
  };

  test('holds for the lower limit of a check, which can begin late', async () => {
    const steps = ['expect: {alert: sos}\n    within: 10s..60s'];
    const early = (world: SmallWorld) => world.at(9_000, () => world.alert('a1', { type: 'sos' }));
    expect([await outcomeOf(steps, early, 0), await outcomeOf(steps, early, 100)]).toEqual(['failed', 'passed']);
    const steep = ['expect: {alert: sos}\n    within: 60s..90s'];
    expect(await outcomeOf(steep, early, 100)).toBe('failed');
  });

  test('holds for the offsets of a delivery', async () => {
    const steps = ['expect: {delivery: erp, offsets: [0s, 10s]}\n    within: 60s'];
    const late = (world: SmallWorld) =>
      world.at(1_000, () => {
        world.alert('a1', { type: 'sos' });
        const id = world.event('alert.created', 'a1');
        world.attempt('erp', id, 'a1', { offset_ms: 3_000, result: 'waiting', status: 503 });
        world.attempt('erp', id, 'a1', { offset_ms: 12_000, try: 2 });
      });
    expect([await outcomeOf(steps, late, 0), await outcomeOf(steps, late, 100)]).toEqual(['failed', 'passed']);
    const early = ['expect: {delivery: erp, offsets: [0s, 15s]}\n    within: 10s'];
    expect(await outcomeOf(early, late, 100)).toBe('failed');
  });
});

unless(ownMachine).test('scaled runs begin at the instant of fast runs', async () => {
  const starts: number[] = [];
  for (const mode of ['fast', 'scaled'] as const)
    await playSmall(scenarioOf(['wait: 1s']), (_world, { clock }) => void starts.push(clock.now()), {
      mode,
      speed: mode === 'fast' ? undefined : 100,
    });
  expect(starts[0]).toBe(FAST_START);
  expect((starts[1] ?? 0) - FAST_START).toBeLessThan(60_000);
});

describe('tokens and limits follow', () => {
  const clocks: Clock[] = [];
  afterEach(() => {
    for (const clock of clocks.splice(0)) clock.stop();
  });
  const start = FAST_START;
  const isSimulated = (clock: Clock) => {
    clocks.push(clock);
    return [clock.simulatesClients, Math.abs(clock.clientTime() - start) < 1_000];
  };

  test.each([
    ['simulated time in fast runs', () => lockstepClock({ start }), true],
    ['simulated time in scaled runs of scenarios', () => lockstepClock({ start, pace: 2 }), true],
    ['the wall clock in a sandbox that is up at a speed', () => scaledClock({ start, speed: 2 }), false],
    ['the wall clock in real time', () => realClock({ start }), false],
  ])('%s', (_what, clock, simulated) => {
    expect(isSimulated(clock())).toEqual([simulated, simulated]);
  });
});

describe('a start that differs from run to run', () => {
  const warningsOf = (steps: readonly string[], rest: readonly string[] = []) => {
    const loaded = loadScenario('x.scenario.yaml', { read: filesOf({ 'x.scenario.yaml': scenarioOf(steps, rest) }) });
    return loaded.ok
      ? loaded.warnings.map(({ message }) => message).filter((one) => one.includes('time of day'))
      : null;
  };
  const heat = 'heat: {who: ana, index_c: 42}';

  test.each([
    ['heat', [heat], [], /^Heat depends on the time of day/],
    ['a time', ['start_muster: {kind: general, by: A, deadline: "2026-10-05T07:00:00Z"}'], [], /^The time 2026/],
    [
      'an autonomous crowd',
      ['wait: 1s'],
      ['crowd: {crew: {count: 2, in: Dock, behave: auto}}'],
      /^An autonomous worker \("crew"\)/,
    ],
  ])('is a warning for %s', (_what, steps, rest, message) => {
    expect(warningsOf(steps, rest)).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ['that has a start', ['clock: {start: 2026-10-05T06:00:00Z}']],
    ['that has no run in real time', ['modes: [fast, scaled]']],
  ])('is none for a scenario %s', (_what, rest) => {
    expect(warningsOf([heat], rest)).toEqual([]);
  });
});
