/**
 * `sandbox run --mutate`: mutation testing of scenarios. Lists the changes that a scenario does not detect, and the
 * checks that fail under no change.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { monotonicMs } from '../../base/time/timers.ts';
import { plural } from '../../contract/sentences.ts';
import { VERSION } from '../../sandbox/version.ts';
import type { Values } from '../../scenario/model/scenario.ts';
import type { SeenCheck } from '../../scenario/mutate/checks-seen.ts';
import { type IdleCheck, idleChecks, nothingFails } from '../../scenario/mutate/idle.ts';
import {
  type ChangeOutcome,
  type JudgedChange,
  type MutationReport,
  mutateScenario,
} from '../../scenario/mutate/mutate-scenario.ts';
import { JOB_VARIABLE } from '../job-variable.ts';
import { CommandError, colourOf, EXIT, envelope, out, talk, talkLine, talkOfChild } from '../output.ts';
import type { RunFlags, Share } from './flags.ts';
import type { PlannedRun } from './plan.ts';
import { bootWhenRead } from './worker.ts';

/** Wall-time limit of a mutated run; exceeding it counts as noticed. */
const TIMEOUT_MS = 120_000;

interface MutateRequest {
  readonly runs: readonly PlannedRun[];
  readonly set: Values;
  readonly receivers: ReadonlyMap<string, string>;
  readonly timeoutMs: number | undefined;
  readonly share: Share | undefined;
  /** Number of processes; undefined for this one only. */
  readonly jobs: number | undefined;
  /** Command-line words for each process. */
  readonly words: readonly string[];
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/** Flags of each process of `--jobs`, in addition to its share. */
export const mutateWords = (files: readonly string[], seed: string | undefined, flags: RunFlags): string[] => [
  ...files,
  ...(seed === undefined ? [] : ['--seed', seed]),
  ...(flags.seeds === undefined ? [] : ['--seeds', flags.seeds]),
  ...(flags.timeout === undefined ? [] : ['--timeout', `${flags.timeout}ms`]),
  ...flags.set.flatMap((one) => ['--set', one]),
  ...flags.case.flatMap((one) => ['--case', one]),
  ...flags.receiver.flatMap((one) => ['--receiver', one]),
];

/** The mutations of one scenario: those of one process, or the merged shares of several. */
type PlayedMutations = Omit<MutationReport, 'interrupted'>;

type Counts = Readonly<Record<ChangeOutcome, number>>;

/** One scenario of the JSON data. */
interface ScenarioMutations {
  readonly file: string;
  readonly scenario: string;
  readonly seed: string;
  readonly made: number;
  readonly counts: Counts;
  readonly broken: MutationReport['broken'];
  readonly changes: readonly JudgedChange[];
  /**
   * The number of all checks, of those that failed under a change, of idle checks without and with a reason, and of
   * outdated reasons.
   */
  readonly checks: Readonly<Record<'all' | 'failed' | 'idle' | 'equivalent' | 'stale', number>>;
  readonly idle: readonly IdleCheck[];
  /** True if no change made any check fail. */
  readonly nothing_fails: boolean;
}

/** Returns the exit code: 1 if a change was not noticed, a check is idle, a reason is stale, or an unchanged scenario fails. */
export async function runMutations(request: MutateRequest): Promise<number> {
  const begunMs = monotonicMs();
  const played =
    request.jobs === undefined || request.jobs === 1
      ? await inThisProcess(request)
      : await inProcesses(request, request.jobs);
  const scenarios = played.map((one) => scenarioOf(one, request.signal));
  if (request.share === undefined) printTable(scenarios, monotonicMs() - begunMs);
  const code = codeOf(scenarios, request.signal);
  // A process of --jobs has already printed its scenarios, including broken ones.
  if (request.share !== undefined) return request.signal.aborted ? code : EXIT.done;
  if (request.json) out(JSON.stringify(envelopeOf(scenarios, code)));
  return code;
}

async function inThisProcess(request: MutateRequest): Promise<PlayedMutations[]> {
  const scenarios: PlayedMutations[] = [];
  for (const runs of byScenario(request.runs)) {
    if (request.signal.aborted) break;
    const { file, seed } = runs[0]!;
    const scenario = await mutateScenario(file, {
      boot: bootWhenRead,
      version: VERSION,
      seed,
      set: request.set,
      receivers: request.receivers,
      cases: runs.map(({ values }) => values),
      part: request.share,
      signal: request.signal,
      timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
    });
    scenarios.push(scenario);
    if (request.share === undefined) printScenario(scenarioOf(scenario, request.signal));
    else out(JSON.stringify({ scenario }));
  }
  return scenarios;
}

/** Groups the runs by file and seed. The cases of a group are judged together. */
function byScenario(runs: readonly PlannedRun[]): PlannedRun[][] {
  const scenarios = new Map<string, PlannedRun[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.file, run.seed ?? null]);
    scenarios.set(key, [...(scenarios.get(key) ?? []), run]);
  }
  return [...scenarios.values()];
}

/** Each process plays its share of every scenario; a scenario is printed when all shares are complete. */
async function inProcesses(request: MutateRequest, jobs: number): Promise<PlayedMutations[]> {
  const merged: PlayedMutations[] = [];
  const shares: PlayedMutations[][] = Array.from({ length: jobs }, () => []);
  const take = (index: number, scenario: PlayedMutations) => {
    shares[index]!.push(scenario);
    const parts = shares.map((share) => share[merged.length]);
    if (parts.includes(undefined)) return;
    const whole = (parts as PlayedMutations[]).reduce(mergedWith);
    merged.push(whole);
    printScenario(scenarioOf(whole, request.signal));
  };
  await Promise.all(
    shares.map((_, index) => playShare(request, { index, of: jobs }, (scenario) => take(index, scenario))),
  );
  return merged;
}

/**
 * Starts the process of this share, which prints one line of JSON per scenario. Resolves when the process has ended.
 */
function playShare(
  { words, signal }: MutateRequest,
  { index, of }: Share,
  take: (scenario: PlayedMutations) => void,
): Promise<void> {
  const script = process.argv[1];
  if (script === undefined) throw new CommandError(EXIT.bug, 'no_script', 'The command does not know its own file.');
  const flags = ['--mutate', '--mutate-share', `${index + 1}/${of}`];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, 'run', ...words, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GITHUB_ACTIONS: '', [JOB_VARIABLE]: '1' },
    });
    let stderr = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      const scenario = scenarioIn(line);
      if (scenario !== null) take(scenario);
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes;
    });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted || code === EXIT.done || code === EXIT.failed) return resolve();
      if (stderr !== '') talkOfChild(stderr.trimEnd());
      const message = `A process of --jobs ended with ${code} before its share was judged.`;
      reject(
        new CommandError(EXIT.environment, 'job_ended', message, {
          actions: ['Run it again, or run it without --jobs.'],
        }),
      );
    });
  });
}

function scenarioIn(line: string): PlayedMutations | null {
  try {
    return (JSON.parse(line) as { scenario?: PlayedMutations }).scenario ?? null;
  } catch {
    return null;
  }
}

/** Checks are judged over all shares together. Their outcomes are not known if the run was interrupted. */
function scenarioOf({ judged, checks, ...of }: PlayedMutations, { aborted }: AbortSignal): ScenarioMutations {
  const { file, scenario, seed, broken } = of;
  const isKnown = broken === null && !aborted;
  const idle = isKnown ? idleChecks(checks, file) : [];
  const countOf = (outcome: IdleCheck['outcome']) => idle.filter((one) => one.outcome === outcome).length;
  return {
    file,
    scenario,
    seed,
    made: judged.length,
    counts: countsOf(judged),
    broken,
    changes: judged,
    checks: {
      all: checks.length,
      failed: checks.filter(({ failed }) => failed).length,
      idle: countOf('idle'),
      equivalent: countOf('equivalent'),
      stale: countOf('stale'),
    },
    idle,
    nothing_fails: isKnown && nothingFails(checks),
  };
}

function countsOf(changes: readonly JudgedChange[]): Record<ChangeOutcome, number> {
  const counts: Record<ChangeOutcome, number> = { noticed: 0, needed: 0, equivalent: 0, unnoticed: 0, stale: 0 };
  for (const { outcome } of changes) counts[outcome]++;
  return counts;
}

/** Merges two shares. A check that failed under a change in one of them has failed. */
function mergedWith(one: PlayedMutations, other: PlayedMutations | undefined): PlayedMutations {
  if (other === undefined) return one;
  const judged = [...one.judged, ...other.judged].toSorted((a, b) => a.line - b.line);
  const failed = new Set([...one.checks, ...other.checks].filter((check) => check.failed).map(({ key }) => key));
  const longer = one.checks.length >= other.checks.length ? one.checks : other.checks;
  const checks: SeenCheck[] = longer.map((check) => ({ ...check, failed: failed.has(check.key) }));
  return { ...one, broken: one.broken ?? other.broken, judged, checks };
}

function codeOf(scenarios: readonly ScenarioMutations[], signal: AbortSignal): number {
  if (signal.aborted) return EXIT.interrupted;
  const broken = scenarios.map((scenario) => scenario.broken?.exitCode ?? EXIT.done);
  return Math.max(EXIT.done, scenarios.some(isWeak) ? EXIT.failed : EXIT.done, ...broken);
}

const isWeak = ({ counts, checks, nothing_fails: fails }: ScenarioMutations): boolean =>
  fails || counts.unnoticed + counts.stale + checks.idle + checks.stale > 0;

function envelopeOf(scenarios: readonly ScenarioMutations[], code: number): object {
  const line = envelope('run', { stories: scenarios });
  if (code === EXIT.done || code === EXIT.failed) return line;
  const failed = scenarios.find(({ broken }) => broken !== null)?.broken?.error;
  const {
    code: name,
    message,
    fix,
  } = failed ?? {
    code: 'interrupted',
    message: 'The run was interrupted.',
    fix: 'Run it again.',
  };
  const error = { code: name, message, retryable: code === EXIT.environment, details: null, actions: [fix] };
  return { ...line, status: 'error', error };
}

/** Prints one line for the scenario, followed by the changes that it does not notice, and its idle checks. */
function printScenario(scenario: ScenarioMutations): void {
  const { file, broken, changes, idle } = scenario;
  const paint = colourOf(process.stderr);
  if (broken !== null) {
    talkLine(`${paint('red', 'BROKEN')}  ${file}  does not pass as it is, so no change says anything.`);
    talk(broken.text);
    return;
  }
  const mark = isWeak(scenario) ? paint('red', 'WEAK') : paint('green', 'ok  ');
  talkLine(`${mark}  ${file}  ${tallyText([scenario])}`);
  if (scenario.nothing_fails) {
    talkLine(`      ${paint('red', 'No change makes any check fail')}: the scenario passes whatever happens.`);
    talkLine('            Write an expect of what its steps cause.');
  }
  for (const change of changes) {
    const { word, detail, text, outcome, why } = change;
    if (outcome !== 'unnoticed' && outcome !== 'stale') continue;
    const what = detail === 'step' ? text : `${detail}: ${text}`;
    printPlace(change, `${word}  ${what}  ${paint('red', outcome === 'stale' ? 'out of date' : outcome)}`, why);
    // With the indentation of the file, to be copied as they are.
    for (const line of change.paste?.lines ?? []) talkLine(line);
  }
  for (const check of idle) {
    const { word, text, outcome, why } = check;
    if (outcome === 'equivalent') continue;
    printPlace(check, `${word}  ${text}  ${paint('red', outcome === 'stale' ? 'out of date' : outcome)}`, why);
  }
}

function printPlace({ file, line }: Pick<IdleCheck, 'file' | 'line'>, what: string, why: string): void {
  talkLine(`      ${file}:${line}  ${what}`);
  talkLine(`            ${why}`);
}

function printTable(scenarios: readonly ScenarioMutations[], wallMs: number): void {
  talk('');
  talkLine(`${plural(scenarios.length, 'scenario')} in ${(wallMs / 1_000).toFixed(1)} s`);
  talkLine(tallyText(scenarios));
}

/** `needed` counts as noticed, because without the step the file is invalid. */
function tallyText(scenarios: readonly ScenarioMutations[]): string {
  const { noticed, needed, equivalent, unnoticed, stale } = countsOf(scenarios.flatMap(({ changes }) => changes));
  const sum = (key: keyof ScenarioMutations['checks']) => scenarios.reduce((all, { checks }) => all + checks[key], 0);
  const made = scenarios.reduce((all, scenario) => all + scenario.made, 0);
  const outOfDate = stale + sum('stale');
  return [
    `${plural(made, 'change')}: ${noticed + needed} noticed, ${equivalent} equivalent, ${unnoticed} unnoticed`,
    `${plural(sum('all'), 'check')}: ${sum('idle')} idle, ${sum('equivalent')} idle for a reason`,
    ...(outOfDate > 0 ? [`${outOfDate} out of date`] : []),
  ].join('; ');
}
