/** Runs one scenario file: loads it, makes its clock, boots a sandbox for it, plays it, and gives its verdict. */

import { Bug, Outage } from '../../base/assert.ts';
import { type Clock, type Holder, type Instant, lockstepClock, realClock, scaledClock } from '../../base/clock.ts';
import { formatDuration } from '../../base/durations.ts';
import { formatInstant, parseInstant } from '../../base/instants.ts';
import type { Mistake } from '../../plant/mistakes.ts';
import type { RunFailure } from '../judging/telling.ts';
import type { DeliveryCounts, RunNotice, RunSink } from '../log/run-notices.ts';
import { loadStory } from '../reading/load.ts';
import { type Again, againOf } from '../story/again.ts';
import type { Values } from '../story/bindings.ts';
import type { Edit } from '../story/change.ts';
import type { ReadText } from '../story/merged-file.ts';
import type { RunMode, Story } from '../story/story.ts';
import type { HeldAt } from './pause.ts';
import type { Boot, RunStage, RunWitness } from './ports.ts';
import { playOnStage, type RunState } from './run-on-stage.ts';

/** `fast` starts then, the others now. [scenario-language] */
export const FAST_START = parseInstant('2026-10-05T06:00:00Z') as Instant;

/** Simulated ms per wall ms of a scaled run for which nobody says it. */
const DEFAULT_SPEED = 60;

export interface RunOptions {
  readonly mode: RunMode;
  /** Of scaled runs; wins over that of the file. */
  readonly speed?: number | undefined;
  /** Wins over that of the file. */
  readonly seed?: string | undefined;
  /** The case that is meant, of those that the file stands for; without it the first. */
  readonly values?: Values | null | undefined;
  /** Win over the defaults of `params`. */
  readonly set?: Values | undefined;
  /** A folder for `run.jsonl`. */
  readonly out?: string | undefined;
  /** Steps on later lines are left out. */
  readonly until?: number | undefined;
  /** Ends the run after so much wall time, ms. */
  readonly timeoutMs?: number | undefined;
  /**
   * From 1: what is due at one instant is played in another order, which follows from the seed and this number, so that
   * a dependence on the order is found. 0 or absent: the usual order. Of mode `fast`.
   */
  readonly order?: number | undefined;
  /** Told each line of the canonical log, for comparing two runs. */
  readonly onLogLine?: ((line: string) => void) | undefined;
  /** The story is over and its sandbox still up: it stands until the answer resolves, time standing still. */
  readonly keep?: ((stage: RunStage, at: HeldAt) => Promise<void>) | undefined;
  /**
   * Likewise, at the line of `until`, before any later step, `finally` and rules; without `until` at the first failure.
   * The verdict is that of what was played.
   */
  readonly pause?: ((stage: RunStage, at: HeldAt) => Promise<void>) | undefined;
  readonly boot: Boot;
  readonly sink: RunSink;
  /** Ends the run: exit 130. */
  readonly signal?: AbortSignal | undefined;
  /** Remembers what a report tells. */
  readonly witness?: RunWitness | undefined;
  /** Stands in the log's header: identity is promised within one version. */
  readonly version?: string | undefined;
  readonly read?: ReadText | undefined;
  /** Addresses of the user’s own receivers, by short name. */
  readonly receivers?: ReadonlyMap<string, string> | undefined;
  /** Names of built-in receivers end with it; default `receiver.example`. Runs in one sandbox need one each. */
  readonly receiverDomain?: string | undefined;
  /** The clock of a sandbox that runs already; the run neither starts, turns nor stops it. */
  readonly clock?: Clock | undefined;
  /** Changes to the file as it was read: what `--mutate` plays. */
  readonly edits?: readonly Edit[] | undefined;
  /** Wall ms without progress after which a lock-step run counts as stuck. */
  readonly watchdogMs?: number | undefined;
}

/** Of a run that never began. */
export const NO_DELIVERIES: DeliveryCounts = { delivered: 0, retried: 0, lost: 0, failing: 0 };

/** Why there is no verdict of the story itself. */
export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
  /** Of an invalid file: every mistake. */
  readonly details?: readonly Pick<Mistake, 'file' | 'line' | 'column' | 'message'>[];
}

/** How a run ended. */
export interface RunResult {
  readonly file: string;
  readonly scenario: string;
  readonly verdict: 'passed' | 'failed' | 'error';
  /** 0 passed, 1 failed, 2 the file is invalid, 3 environment or stuck, 5 our bug, 130 interrupted. */
  readonly exitCode: 0 | 1 | 2 | 3 | 5 | 130;
  /** The values of this case; null where the file is one run. */
  readonly values: Values | null;
  readonly seed: string;
  readonly mode: RunMode;
  /** The order of ties; 0: the usual one. */
  readonly order: number;
  /** What plays it again. */
  readonly again: Again;
  readonly logSha256: string | null;
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly RunFailure[];
  readonly simulatedMs: number;
  readonly deliveries: DeliveryCounts;
  readonly wallMs: number;
  readonly error: RunError | null;
  /** The mistakes of the file with their lines, for people; warnings of a sound file. */
  readonly mistakes: string | null;
}

/** Runs `file`. Never throws: whatever goes wrong stands in the result. */
export async function runFile(file: string, options: RunOptions): Promise<RunResult> {
  const { seed: asked, values: meant, set, read, receivers, edits } = options;
  const loaded = loadStory(file, {
    seed: asked,
    values: meant,
    set,
    receivers,
    edits,
    ...(read === undefined ? {} : { read }),
  });
  if (!loaded.ok) return unplayed(file, { ...options, seed: loaded.seed }, invalid(loaded.text, loaded.mistakes));
  const { story, seed } = loaded;
  if (!story.modes.includes(options.mode)) {
    const modes = story.modes.join(' or ');
    return unplayed(
      file,
      { ...options, seed },
      invalid(`${file}  This story plays in ${modes} only. Run it with --mode ${story.modes[0]}.`),
    );
  }
  return run(story, seed, options);
}

function invalid(text: string, mistakes: readonly Mistake[] = []): { error: RunError; text: string } {
  const details = mistakes.map(({ file, line, column, message }) => ({ file, line, column, message }));
  const cure = 'Change the file as its mistakes say.';
  return {
    error: {
      code: 'invalid_file',
      message: text.split('\n')[0] ?? '',
      cure,
      ...(details.length === 0 ? {} : { details }),
    },
    text,
  };
}

function unplayed(file: string, options: RunOptions, { error, text }: { error: RunError; text: string }): RunResult {
  const { mode, seed = '', values = null } = options;
  const nothing = {
    logSha256: null,
    passed: 0,
    failed: 0,
    failures: [],
    simulatedMs: 0,
    wallMs: 0,
    deliveries: NO_DELIVERIES,
  };
  const again = againOf({ file, values }, seed, options);
  return {
    file,
    scenario: file,
    values,
    verdict: 'error',
    exitCode: 2,
    seed,
    mode,
    order: options.order ?? 0,
    again,
    ...nothing,
    error,
    mistakes: text,
  };
}

async function run(story: Story, seed: string, options: RunOptions): Promise<RunResult> {
  const { mode, signal, witness } = options;
  const sink: RunSink = (notice) => {
    options.sink(notice);
    witness?.tell(notice);
  };
  let abort = (_reason: Error) => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = reject;
  });
  // Whoever loses the race is not unhandled.
  aborted.catch(() => {});
  const speed = mode === 'scaled' ? (options.speed ?? story.speed ?? DEFAULT_SPEED) : 1;
  const played: RunState = { player: null, log: null, over: false, overMs: null };
  const clock = options.clock ?? clockOf(story, seed, speed, options, (holders) => abort(stuck(holders, played)));
  const onAbort = () => abort(new Interruption());
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  const { timeoutMs } = options;
  if (timeoutMs !== undefined) clock.afterWall(timeoutMs, () => abort(tooLong(timeoutMs, played)), { unref: true });
  const begunMs = clock.monotonic();
  const { title: scenario, file, values, steps } = story;
  sink({ kind: 'run-began', scenario, file, values, mode, speed, seed, steps: steps.length });
  let trouble: Error | null = null;
  try {
    await playOnStage({
      story,
      seed,
      mode,
      speed,
      clock,
      start: startOf(story),
      options: { ...options, sink },
      aborted,
      abort,
      played,
    });
  } catch (error) {
    // Ctrl-C after the story ends the looking around.
    if (!(error instanceof Interruption && played.over))
      trouble = error instanceof Error ? error : new Bug(String(error));
  } finally {
    signal?.removeEventListener('abort', onAbort);
    clock.stop();
  }
  const result = resultOf(story, seed, options, played, trouble, (played.overMs ?? clock.monotonic()) - begunMs);
  sink(endOf(result));
  return result;
}

/** The start that the header names: equal for all modes, so that the log does not tell the wall clock. */
function startOf({ start }: Story): string {
  return formatInstant(start ?? FAST_START);
}

function clockOf(
  { start }: Story,
  seed: string,
  speed: number,
  { mode, watchdogMs, order = 0 }: RunOptions,
  onStuck: (holders: readonly Holder[]) => void,
): Clock {
  const from = start === null ? {} : { start };
  // Order 1 follows from the seed alone, as it did before orders were numbered.
  const shuffleTies = order === 0 ? undefined : order === 1 ? seed : `${seed}/${order}`;
  const watch = { onStuck, ...(watchdogMs === undefined ? {} : { watchdogMs }) };
  if (mode === 'fast') return lockstepClock({ start: start ?? FAST_START, shuffleTies, ...watch });
  return mode === 'real' ? realClock({ ...from, ...watch }) : scaledClock({ speed, ...from, ...watch });
}

function tooLong(timeoutMs: number, { player }: RunState): Outage {
  const step = player?.playing;
  const where = step ? ` at ${step.file}:${step.line}` : '';
  return new Outage({
    code: 'timeout',
    message: `The run took longer than ${formatDuration(timeoutMs)} and was ended${where}.`,
    cure: 'Give it more with --timeout, or look at what the step waits for.',
  });
}

class Interruption extends Error {
  override readonly name = 'Interruption';
}

function stuck(holders: readonly Holder[], { player }: RunState): Outage {
  const who = holders.map(({ lane, label }) => `${lane} (${label})`).join(', ');
  const step = player?.playing;
  const where = step ? ` at ${step.file}:${step.line}` : '';
  return new Outage({
    code: 'stuck',
    message: `The run is stuck${where}: time waits for ${who}.`,
    cure: 'Run it again; if it happens again, it is a bug of the sandbox: report this line.',
  });
}

function resultOf(
  story: Story,
  seed: string,
  options: RunOptions,
  { player, log }: RunState,
  trouble: Error | null,
  wallMs: number,
): RunResult {
  const failures = (player?.failures ?? []).toSorted((a, b) => a.line - b.line);
  const verdict = trouble !== null ? 'error' : failures.length > 0 ? 'failed' : 'passed';
  return {
    file: story.file,
    scenario: story.title,
    values: story.values,
    verdict,
    exitCode: trouble !== null ? exitCodeOf(trouble) : failures.length > 0 ? 1 : 0,
    seed,
    mode: options.mode,
    order: options.order ?? 0,
    again: againOf(story, seed, options),
    // A run that was broken off has no log worth comparing.
    logSha256: trouble === null ? (log?.close() ?? null) : null,
    ...(player?.counts ?? { passed: 0, failed: 0 }),
    failures,
    simulatedMs: player?.lastMs ?? 0,
    deliveries: player?.deliveries ?? NO_DELIVERIES,
    wallMs: Math.round(wallMs),
    error: trouble === null ? null : errorOf(trouble),
    mistakes: null,
  };
}

function exitCodeOf(trouble: Error): RunResult['exitCode'] {
  if (trouble instanceof Interruption) return 130;
  if (trouble instanceof Outage) return trouble.exitCode === 2 ? 2 : 3;
  return 5;
}

function errorOf(trouble: Error): RunError {
  if (trouble instanceof Interruption)
    return { code: 'interrupted', message: 'The run was interrupted.', cure: 'Run it again.' };
  if (trouble instanceof Outage) return { code: trouble.code, message: trouble.message, cure: trouble.cure };
  return {
    code: 'bug',
    message: trouble.stack ?? trouble.message,
    cure: 'This is a bug of the sandbox: report it with this text.',
  };
}

function endOf(result: RunResult): RunNotice {
  const { verdict, passed, failed, simulatedMs, wallMs, logSha256, deliveries, error } = result;
  return {
    kind: 'run-ended',
    verdict,
    passed,
    failed,
    atMs: simulatedMs,
    wallMs,
    logSha256,
    deliveries,
    error: error?.message ?? null,
  };
}
