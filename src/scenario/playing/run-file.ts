/** Runs one scenario file: loads it, creates its clock, plays it on a sandbox, and returns the result. */

import { Bug, Outage } from '../../base/assert.ts';
import type { Clock, ClockHold, Instant } from '../../base/time/clock.ts';
import { lockstepClock } from '../../base/time/clocks.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { formatInstant, parseInstant } from '../../base/time/instants.ts';
import { wallMs } from '../../base/time/timers.ts';
import { plural } from '../../contract/sentences.ts';
import type { Mistake } from '../../plant/mistakes.ts';
import type { RunFailure, SkippedStep } from '../judging/run-reporter.ts';
import type { DeliveryCounts, RunNotice, RunSink, RunVerdict } from '../log/run-notices.ts';
import { type Again, againOf } from '../model/again.ts';
import type { RunMode, Scenario } from '../model/scenario.ts';
import { loadScenario } from '../reading/load.ts';
import { playOnStage } from './run-on-stage.ts';
import type { RunOptions } from './run-options.ts';
import type { RunState } from './stage-parts.ts';

/**
 * Start time of fast and scaled runs. It is fixed, because daylight, shifts and heat depend on it; runs in real time
 * start now. [scenario-language, Time modes]
 */
export const FAST_START = parseInstant('2026-10-05T06:00:00Z') as Instant;

/** Default `--speed`: simulated ms per wall ms. */
const DEFAULT_SPEED = 60;

/** The counts of a run that never began. */
const NO_DELIVERIES: DeliveryCounts = { delivered: 0, retried: 0, lost: 0, failing: 0 };

/** The reason why the scenario has no result. */
export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /** All mistakes of an invalid file. */
  readonly details?: readonly Pick<Mistake, 'file' | 'line' | 'column' | 'message'>[];
}

export interface RunResult extends Pick<Again, 'file' | 'values' | 'seed' | 'mode'> {
  readonly scenario: string;
  readonly verdict: RunVerdict;
  /** 0 passed, 1 failed, 2 invalid file, 3 environment or stuck, 5 bug, 130 interrupted. */
  readonly exitCode: 0 | 1 | 2 | 3 | 5 | 130;
  /** The order of simultaneous steps; 0: that of the file. */
  readonly order: number;
  /** Number of orders that the run found, including its own. */
  readonly orders: number;
  /** How far the run fell behind its pace; in a running sandbox, the longest delay of due work. Wall ms. */
  readonly lagMs: number;
  /** The outcome of the run, in sorted lines. */
  readonly outcome: readonly string[];
  readonly again: Again;
  readonly logSha256: string | null;
  readonly passed: number;
  readonly failed: number;
  /** The first failure is the likely cause of the others. */
  readonly failures: readonly RunFailure[];
  readonly skipped: readonly SkippedStep[];
  /** The reason of `skip`, `known_failure` or `orders_may_differ` in the file, where it has affected the result. */
  readonly reason: string | null;
  /** The reason in the file why its orders may differ. */
  readonly ordersMayDiffer: string | null;
  readonly simulatedMs: number;
  readonly deliveries: DeliveryCounts;
  readonly wallMs: number;
  readonly error: RunError | null;
  /** The mistakes of an invalid file, or the warnings of a valid one, as text. */
  readonly mistakes: string | null;
}

/** Runs `file`. Does not throw: errors are in the result. */
export async function runFile(file: string, options: RunOptions): Promise<RunResult> {
  const { read, ...others } = options;
  const loaded = options.loaded ?? loadScenario(file, read === undefined ? others : { ...others, read });
  if (!loaded.ok) return unplayed(file, { ...options, seed: loaded.seed }, invalid(loaded.text, loaded.mistakes));
  const { scenario, seed } = loaded;
  if (scenario.skip !== null) return skipped(scenario, { seed, why: scenario.skip }, options);
  if (!scenario.modes.includes(options.mode)) {
    const modes = scenario.modes.join(' or ');
    if (options.skipsOtherModes === true) return skipped(scenario, { seed, why: `it plays in ${modes} only` }, options);
    const fix = `Run it with --mode ${scenario.modes[0]}.`;
    return unplayed(
      file,
      { ...options, seed },
      invalid(`${file}  This scenario plays in ${modes} only. ${fix}`, [], fix),
    );
  }
  return run(scenario, seed, options);
}

function invalid(
  text: string,
  mistakes: readonly Mistake[] = [],
  fix = 'Change the file as its mistakes say.',
): { error: RunError; text: string } {
  const details = mistakes.map(({ file, line, column, message }) => ({ file, line, column, message }));
  return {
    error: {
      code: 'invalid_file',
      message: text.split('\n')[0] ?? '',
      fix,
      ...(details.length === 0 ? {} : { details }),
    },
    text,
  };
}

function unplayed(file: string, options: RunOptions, { error, text }: { error: RunError; text: string }): RunResult {
  const { mode, seed = '', values = null, order = 0 } = options;
  const again = againOf({ file, values }, seed, options);
  return {
    file,
    scenario: file,
    values,
    seed,
    mode,
    order,
    again,
    error,
    mistakes: text,
    ...NOTHING_PLAYED,
    verdict: 'error',
    exitCode: 2,
    reason: null,
  };
}

/** The values of a run that never began. */
export const NOTHING_PLAYED = {
  logSha256: null,
  passed: 0,
  failed: 0,
  failures: [],
  skipped: [],
  ordersMayDiffer: null,
  orders: 1,
  lagMs: 0,
  outcome: [],
  simulatedMs: 0,
  wallMs: 0,
  deliveries: NO_DELIVERIES,
} as const;

function skipped(
  scenario: Scenario,
  { seed, why }: { readonly seed: string; readonly why: string },
  options: RunOptions,
): RunResult {
  const { file, title, values } = scenario;
  const { mode, order = 0, sink } = options;
  const again = againOf(scenario, seed, options);
  const result: RunResult = {
    file,
    scenario: title,
    values,
    seed,
    mode,
    order,
    again,
    ...NOTHING_PLAYED,
    verdict: 'skipped',
    exitCode: 0,
    error: null,
    mistakes: null,
    reason: why,
  };
  const speed = speedOf(scenario, options);
  sink({ kind: 'run-began', scenario: title, file, values, mode, speed, seed, steps: scenario.steps.length });
  sink(endOf(result));
  return result;
}

const speedOf = (scenario: Scenario, { mode, speed }: RunOptions): number =>
  mode === 'scaled' ? (speed ?? scenario.speed ?? DEFAULT_SPEED) : 1;

async function run(scenario: Scenario, seed: string, options: RunOptions): Promise<RunResult> {
  const { mode, signal, witness } = options;
  const sink: RunSink = (notice) => {
    options.sink(notice);
    witness?.onRunNotice(notice);
  };
  let abort = (_reason: Error) => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = reject;
  });
  // Prevents an unhandled rejection if no code awaits the promise.
  aborted.catch(() => {});
  const speed = speedOf(scenario, options);
  const played: RunState = { player: null, log: null, over: false, overMs: null };
  const clock =
    options.clock ?? clockOf(startOf(scenario, mode), seed, speed, options, (holders) => abort(stuck(holders, played)));
  const onAbort = () => abort(new Interruption());
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  const { timeoutMs } = options;
  if (timeoutMs !== undefined) clock.afterWall(timeoutMs, () => abort(tooLong(timeoutMs, played)), { unref: true });
  const begunMs = clock.monotonic();
  const { title, file, values, steps } = scenario;
  sink({ kind: 'run-began', scenario: title, file, values, mode, speed, seed, steps: steps.length });
  let trouble: Error | null = null;
  try {
    await playOnStage({
      scenario,
      seed,
      mode,
      speed,
      clock,
      start: formatInstant(clock.now()),
      options: { ...options, sink },
      aborted,
      abort,
      played,
    });
  } catch (error) {
    // Ctrl-C after the scenario only ends the inspection.
    if (!(error instanceof Interruption && played.over))
      trouble = error instanceof Error ? error : new Bug(String(error));
  } finally {
    signal?.removeEventListener('abort', onAbort);
    clock.stop();
  }
  if (played.player !== null) options.onMatched?.(played.player.matched());
  const result = resultOf(scenario, seed, options, played, trouble, (played.overMs ?? clock.monotonic()) - begunMs);
  sink(endOf(result));
  return result;
}

/** The start. Only in real mode it depends on the wall clock, where the file names none. [scenario-language, Time modes] */
const startOf = ({ start }: Scenario, mode: RunMode): Instant => start ?? (mode === 'real' ? wallMs() : FAST_START);

function clockOf(
  start: Instant,
  seed: string,
  speed: number,
  { mode, watchdogMs, order = 0, shufflesTies = false }: RunOptions,
  onStuck: (holders: readonly ClockHold[]) => void,
): Clock {
  // Order 1 uses the seed without a suffix, for compatibility with runs before orders were numbered.
  const shuffleTies = !shufflesTies ? undefined : order === 1 ? seed : `${seed}/${order}`;
  const watch = { onStuck, ...(watchdogMs === undefined ? {} : { watchdogMs }) };
  const pace = mode === 'fast' ? null : speed;
  return lockstepClock({ start, shuffleTies, pace, ...watch });
}

function tooLong(timeoutMs: number, { player }: RunState): Outage {
  const step = player?.playing;
  const where = step ? ` at ${step.file}:${step.line}` : '';
  return new Outage({
    code: 'timeout',
    message: `The run took longer than ${formatDuration(timeoutMs)} and was ended${where}.`,
    fix: 'Increase it with --timeout, or check what the step waits for.',
  });
}

class Interruption extends Error {
  override readonly name = 'Interruption';
}

function stuck(holders: readonly ClockHold[], { player }: RunState): Outage {
  const who = holders.map(({ lane, label }) => `${lane} (${label})`).join(', ');
  const step = player?.playing;
  const where = step ? ` at ${step.file}:${step.line}` : '';
  return new Outage({
    code: 'stuck',
    message: `The run is stuck${where}: time waits for ${who}.`,
    fix: 'Run it again; if it happens again, it is a bug of the sandbox: report this line.',
  });
}

function resultOf(
  scenario: Scenario,
  seed: string,
  options: RunOptions,
  { player, log }: RunState,
  ended: Error | null,
  wallMs: number,
): RunResult {
  const failures = player?.failures ?? [];
  const trouble = ended ?? tooSlow(failures, options.mode);
  const { knownFailure } = scenario;
  const fails = knownFailure === null ? 'failed' : 'known_failure';
  const verdict = trouble !== null ? 'error' : failures.length > 0 ? fails : 'passed';
  return {
    file: scenario.file,
    scenario: scenario.title,
    values: scenario.values,
    verdict,
    exitCode: trouble !== null ? exitCodeOf(trouble) : verdict === 'failed' ? 1 : 0,
    seed,
    mode: options.mode,
    order: options.order ?? 0,
    orders: player?.orders ?? 1,
    outcome: player?.outcome ?? [],
    lagMs: player?.lagMs ?? 0,
    again: againOf(scenario, seed, options),
    // The log of an aborted run cannot be compared.
    logSha256: ended === null ? (log?.close() ?? null) : null,
    passed: player?.counts.passed ?? 0,
    failed: player?.counts.failed ?? 0,
    failures,
    skipped: player?.skipped ?? [],
    reason: knownFailure,
    ordersMayDiffer: scenario.ordersMayDiffer,
    simulatedMs: player?.lastMs ?? 0,
    deliveries: player?.deliveries ?? NO_DELIVERIES,
    wallMs: Math.round(wallMs),
    error: trouble === null ? null : errorOf(trouble),
    mistakes: null,
  };
}

/** A run whose failures are all inconclusive has no result. [scenario-language, Time modes] */
function tooSlow(failures: readonly RunFailure[], mode: RunOptions['mode']): Outage | null {
  if (failures.length === 0 || failures.some(({ lagMs }) => lagMs === null)) return null;
  const lagMs = Math.round(Math.max(...failures.map((failure) => failure.lagMs ?? 0)));
  const checks = plural(failures.length, 'failed check');
  return new Outage({
    code: 'too_slow',
    message: `The machine was too busy${mode === 'fast' ? '' : ' for this speed'}: due work ran up to ${lagMs} ms late, so ${checks} ${failures.length === 1 ? 'is' : 'are'} inconclusive.`,
    fix: `${mode === 'fast' ? 'Run' : 'Write a lower --speed, or run'} it while the machine does less.`,
  });
}

function exitCodeOf(trouble: Error): RunResult['exitCode'] {
  if (trouble instanceof Interruption) return 130;
  if (trouble instanceof Outage) return trouble.exitCode === 2 ? 2 : 3;
  return 5;
}

function errorOf(trouble: Error): RunError {
  if (trouble instanceof Interruption)
    return { code: 'interrupted', message: 'The run was interrupted.', fix: 'Run it again.' };
  if (trouble instanceof Outage) return { code: trouble.code, message: trouble.message, fix: trouble.fix };
  return {
    code: 'bug',
    message: trouble.stack ?? trouble.message,
    fix: 'This is a bug of the sandbox: report it with this text.',
  };
}

function endOf(result: RunResult): RunNotice {
  const { verdict, passed, failed, skipped, simulatedMs: atMs, wallMs, lagMs, logSha256, deliveries, reason } = result;
  const error = result.error?.message ?? null;
  const counts = { passed, failed, skipped: skipped.length };
  return { kind: 'run-ended', verdict, ...counts, atMs, wallMs, lagMs, logSha256, deliveries, error, reason };
}
