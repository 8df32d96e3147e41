/** Runs at a pace: the steps of the clock, the start of real time, and what remains of tolerance. [scenario-language, Time modes] */
import { describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { formatInstant } from '../../../src/base/time/instants.ts';
import { MACHINE_TIME, wallMs } from '../../../src/base/time/timers.ts';
import { FAST_START } from '../../../src/scenario/playing/run-file.ts';
import { stallingMachine } from '../../helpers/stalling-machine.ts';
import { playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';

const atPace = (pace: number) => lockstepClock({ start: FAST_START, pace, pacedBy: stallingMachine(`pace ${pace}`) });

describe('the steps of the clock', () => {
  test('change nothing in the log: a speed, a span without pace, and a pause; only a run at a pace can be watched', async () => {
    const sos = (world: SmallWorld) => world.at(1_000, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
    const steps = [
      'clock: {speed: 5}',
      'expect: {alert: sos}',
      'clock: {advance: 3d}',
      'clock: {pause: 5ms}',
      'wait: 1h',
    ];
    const fast = await playSteps(steps, sos);
    const scaled = await playSteps(steps, sos, { mode: 'scaled', speed: 60, clock: atPace(60) });
    const real = await playSteps(steps, sos, { mode: 'real', clock: atPace(1) });
    const watchable = [fast, scaled, real].map(
      ({ notices }) => notices.filter(({ kind }) => kind === 'watchable').length,
    );
    expect(watchable).toEqual([0, 1, 1]);
    expect(fast.result).toMatchObject({ verdict: 'passed', simulatedMs: 3 * 86_400_000 + 3_601_000 });
    expect([scaled, real].map(({ result }) => result.logSha256)).toEqual(Array(2).fill(fast.result.logSha256));
  });

  test.each([
    ['stands still for wall time in a fast run too', undefined, [7_777]],
    ['takes none where many runs are played', false, []],
  ])('a pause %s', async (_what, waitsInPauses, expected) => {
    const waits: number[] = [];
    const machine = {
      ...MACHINE_TIME,
      later: (delayMs: number, task: () => void, options?: { unref?: boolean }) => {
        if (delayMs === 7_777) waits.push(delayMs);
        return MACHINE_TIME.later(delayMs === 7_777 ? 0 : delayMs, task, options);
      },
    };
    const clock = lockstepClock({ start: FAST_START, machine });
    const { result } = await playSteps(['clock: {pause: 7777ms}', 'wait: 1s'], undefined, { clock, waitsInPauses });
    expect([result.verdict, waits]).toEqual(['passed', expected]);
  });
});

describe('a run in real time', () => {
  const headOf = async (rest: readonly string[]): Promise<string> => {
    const lines: string[] = [];
    const onLogLine = (line: string) => void lines.push(line);
    await playSmall(scenarioOf(['mark: Only this'], rest), undefined, { mode: 'real', onLogLine });
    return String(JSON.parse(lines[0] ?? '{}').d?.start);
  };

  test('begins now, which the head of its log states, or where the file says', async () => {
    expect(await headOf(['clock: {start: "2026-10-05T08:00:00Z"}'])).toBe('2026-10-05T08:00:00.000Z');
    // Wall time: it is the start of the run, and nothing is judged by how long it takes.
    const before = wallMs();
    const began = Date.parse(await headOf([]));
    // Wall time: a start lies between two readings on any machine.
    expect([before <= began, began <= wallMs()]).toEqual([true, true]);
  });
});

describe('a limit', () => {
  const request = 'expect: {request: any}\n    within: 1s';
  const own = ['receivers: {own: {events: [alert.*], url: "http://127.0.0.1:9/"}}'];
  const failureOf = async (text: string, pace: number | null, calledAtMs: number): Promise<string> => {
    const options = pace === null ? {} : ({ mode: 'scaled', speed: pace, clock: atPace(pace) } as const);
    const call = { method: 'GET', path: '/v1/alerts', query: '', status: 200, code: null, token_hash: null };
    const script = (world: SmallWorld) =>
      world.at(calledAtMs, () => {
        const at = formatInstant(world.clock.now());
        world.emit({ kind: 'request-answered', at, organization_id: 'o', retry_after_s: null, ...call });
      });
    const { result } = await playSmall(text, script, options);
    return result.failures[0]?.text.split('\n')[0] ?? '';
  };
  const withOwn = scenarioOf([request]).replace(/receivers: .*/, own[0] ?? '');

  test('for calls of an own program has 250 ms of wall time more at a pace, and says so', async () => {
    expect(await failureOf(withOwn, 60, 15_000)).toBe('');
    expect(await failureOf(withOwn, 60, 17_000)).toMatch(/expect request any within 1s \+ 0\.25s$/);
    expect(await failureOf(withOwn, null, 1_500)).toMatch(/expect request any within 1s$/);
  });

  test('of any other check has none', async () => {
    expect(await failureOf(scenarioOf([request]), 60, 1_500)).toMatch(/within 1s$/);
    expect(await failureOf(withOwn.replace('request: any', 'alert: sos'), 60, 0)).toMatch(/within 1s$/);
  });
});
