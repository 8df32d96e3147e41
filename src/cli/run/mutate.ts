/** `sandbox run --mutate`: mutation testing of scenarios; lists the changes that a scenario does not detect. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { monotonicMs } from '../../base/time/timers.ts';
import { VERSION } from '../../sandbox/version.ts';
import type { Values } from '../../scenario/model/scenario.ts';
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
  /** Number of processes; undefined: this one only. */
  readonly jobs: number | undefined;
  /** Command-line words for each process. */
  readonly words: readonly string[];
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/** Flags of each process of `--jobs`, besides its share. */
export const mutateWords = (files: readonly string[], seed: string | undefined, flags: RunFlags): string[] => [
  ...files,
  ...(seed === undefined ? [] : ['--seed', seed]),
  ...(flags.seeds === undefined ? [] : ['--seeds', flags.seeds]),
  ...(flags.timeout === undefined ? [] : ['--timeout', `${flags.timeout}ms`]),
  ...flags.set.flatMap((one) => ['--set', one]),
  ...flags.case.flatMap((one) => ['--case', one]),
  ...flags.receiver.flatMap((one) => ['--receiver', one]),
];

/** One scenario of the JSON data. */
interface ScenarioMutations {
  readonly file: string;
  readonly scenario: string;
  readonly seed: string;
  readonly made: number;
  readonly counts: Readonly<Record<ChangeOutcome, number>>;
  readonly broken: MutationReport['broken'];
  readonly changes: readonly JudgedChange[];
}

/** Returns the exit code: 1 if a change was not noticed, a reason is stale, or an unchanged scenario fails. */
export async function runMutations(request: MutateRequest): Promise<number> {
  const begunMs = monotonicMs();
  const scenarios =
    request.jobs === undefined || request.jobs === 1
      ? await inThisProcess(request)
      : await inProcesses(request, request.jobs);
  if (request.share === undefined) printTable(scenarios, monotonicMs() - begunMs);
  const code = codeOf(scenarios, request.signal);
  // A process of --jobs has printed its scenarios already, including broken ones.
  if (request.share !== undefined) return request.signal.aborted ? code : EXIT.done;
  if (request.json) out(JSON.stringify(envelopeOf(scenarios, code)));
  return code;
}

async function inThisProcess(request: MutateRequest): Promise<ScenarioMutations[]> {
  const scenarios: ScenarioMutations[] = [];
  for (const runs of byScenario(request.runs)) {
    if (request.signal.aborted) break;
    const { file, seed } = runs[0]!;
    const report = await mutateScenario(file, {
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
    const scenario = scenarioOf(report);
    scenarios.push(scenario);
    if (request.share === undefined) printScenario(scenario);
    else out(JSON.stringify({ scenario }));
  }
  return scenarios;
}

/** The runs of one file and seed, whose cases are judged together. */
function byScenario(runs: readonly PlannedRun[]): PlannedRun[][] {
  const scenarios = new Map<string, PlannedRun[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.file, run.seed ?? null]);
    scenarios.set(key, [...(scenarios.get(key) ?? []), run]);
  }
  return [...scenarios.values()];
}

/** Each process plays its share of every scenario; a scenario is printed when all shares are complete. */
async function inProcesses(request: MutateRequest, jobs: number): Promise<ScenarioMutations[]> {
  const merged: ScenarioMutations[] = [];
  const shares: ScenarioMutations[][] = Array.from({ length: jobs }, () => []);
  const take = (index: number, scenario: ScenarioMutations) => {
    shares[index]!.push(scenario);
    const parts = shares.map((share) => share[merged.length]);
    if (parts.includes(undefined)) return;
    const whole = (parts as ScenarioMutations[]).reduce(mergedWith);
    merged.push(whole);
    printScenario(whole);
  };
  await Promise.all(
    shares.map((_, index) => playShare(request, { index, of: jobs }, (scenario) => take(index, scenario))),
  );
  return merged;
}

/** Resolves when the process of this share has ended; it prints one line of JSON per scenario. */
function playShare(
  { words, signal }: MutateRequest,
  { index, of }: Share,
  take: (scenario: ScenarioMutations) => void,
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
          actions: ['Run it again, or without --jobs.'],
        }),
      );
    });
  });
}

function scenarioIn(line: string): ScenarioMutations | null {
  try {
    return (JSON.parse(line) as { scenario?: ScenarioMutations }).scenario ?? null;
  } catch {
    return null;
  }
}

function scenarioOf({ judged, ...of }: MutationReport): ScenarioMutations {
  const { file, scenario, seed, broken } = of;
  return { file, scenario, seed, made: judged.length, counts: countsOf(judged), broken, changes: judged };
}

function countsOf(changes: readonly JudgedChange[]): Record<ChangeOutcome, number> {
  const counts: Record<ChangeOutcome, number> = { noticed: 0, needed: 0, equivalent: 0, unnoticed: 0, stale: 0 };
  for (const { outcome } of changes) counts[outcome]++;
  return counts;
}

function mergedWith(one: ScenarioMutations, other: ScenarioMutations | undefined): ScenarioMutations {
  if (other === undefined) return one;
  const changes = [...one.changes, ...other.changes].toSorted((a, b) => a.line - b.line);
  return { ...one, made: changes.length, counts: countsOf(changes), broken: one.broken ?? other.broken, changes };
}

function codeOf(scenarios: readonly ScenarioMutations[], signal: AbortSignal): number {
  if (signal.aborted) return EXIT.interrupted;
  const broken = scenarios.map((scenario) => scenario.broken?.exitCode ?? EXIT.done);
  const weak = scenarios.some(({ counts }) => counts.unnoticed > 0 || counts.stale > 0);
  return Math.max(EXIT.done, weak ? EXIT.failed : EXIT.done, ...broken);
}

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

/** One line per scenario, followed by the changes that it does not notice. */
function printScenario({ file, counts, made, broken, changes }: ScenarioMutations): void {
  const paint = colourOf(process.stderr);
  if (broken !== null) {
    talkLine(`${paint(31, 'BROKEN')}  ${file}  does not pass as it is, so no change says anything.`);
    talk(broken.text);
    return;
  }
  const weak = counts.unnoticed + counts.stale;
  const mark = weak === 0 ? paint(32, 'ok  ') : paint(31, 'WEAK');
  talkLine(`${mark}  ${file}  ${made} changes, ${tallyText(counts)}`);
  for (const { line, word, detail, text, outcome, why } of changes) {
    if (outcome !== 'unnoticed' && outcome !== 'stale') continue;
    const what = detail === 'step' ? text : `${detail}: ${text}`;
    talkLine(`      :${line}  ${word}  ${what}  ${paint(31, outcome === 'stale' ? 'out of date' : outcome)}`);
    talkLine(`            ${why}`);
  }
}

function printTable(scenarios: readonly ScenarioMutations[], wallMs: number): void {
  const all = countsOf(scenarios.flatMap(({ changes }) => changes));
  const made = scenarios.reduce((sum, scenario) => sum + scenario.made, 0);
  talk('');
  talkLine(
    `${scenarios.length === 1 ? '1 scenario' : `${scenarios.length} scenarios`}, ${made} changes in ${(wallMs / 1_000).toFixed(1)} s`,
  );
  talkLine(tallyText(all));
}

/** `needed` counts as noticed: without the step the file is invalid. */
const tallyText = ({
  noticed,
  needed,
  equivalent,
  unnoticed,
  stale,
}: Readonly<Record<ChangeOutcome, number>>): string =>
  [
    `${noticed + needed} noticed`,
    `${equivalent} equivalent`,
    `${unnoticed} unnoticed`,
    ...(stale > 0 ? [`${stale} out of date`] : []),
  ].join(', ');
