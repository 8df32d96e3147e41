/** `sandbox run`: plays scenarios and exits with their verdict. [scenario-language, Command line] */
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../base/durations.ts';
import { randomSecret } from '../base/ids.ts';
import { monotonicMs } from '../base/timers.ts';
import { bootStage } from '../sandbox/boot.ts';
import { VERSION } from '../sandbox/version.ts';
import type { Values } from '../scenario/bindings.ts';
import { firstDifference } from '../scenario/first-difference.ts';
import type { Stage } from '../scenario/ports.ts';
import { type RunData, runsData, troubleOf } from '../scenario/run-data.ts';
import { type RunError, type RunOptions, type RunResult, runFile } from '../scenario/run-file.ts';
import type { RunMode } from '../scenario/story.ts';
import { EXIT, usage } from './exit.ts';
import { colourOf, envelope, out, talk, talkLine } from './output.ts';
import { runJobs } from './run-jobs.ts';
import { type PlannedRun, plannedRuns, seedsOf, valuesOf } from './run-plan.ts';
import { RunReports } from './run-reports.ts';
import { runSink } from './run-sink.ts';
import { annotate, tellSummary } from './run-summary.ts';
import { watchAndRun } from './run-watch.ts';
import { runUntilSignal, type UntilSignal } from './signals.ts';
import { storyFiles } from './stories.ts';

const HELP = `
Plays each story against a sandbox of its own, with real MQTT, HTTP and webhooks on loopback, and checks what it expects.
  fast     lock-step: time jumps to the next thing that is due (default)
  scaled   simulated time runs --speed times as fast as the wall clock
  real     by the wall clock
Progress goes to stderr; with --json the last line of stdout is one JSON object. A folder stands for its *.scenario.yaml,
tag:smoke for those of scenarios/ with that tag.

Examples:
  sandbox run scenarios/fall-to-sos.scenario.yaml
  sandbox run scenarios/fall-to-sos.scenario.yaml --mode real
  sandbox run scenarios --jobs 2 --out report                                 one folder each, with an HTML report
  sandbox run scenarios --report junit --out report
  sandbox run my.scenario.yaml --receiver erp=http://127.0.0.1:3000/hook      deliveries go to your own receiver
  sandbox run my.scenario.yaml --seeds 1..50 --fail-fast                      does it hold for other draws?
  sandbox run my.scenario.yaml --verify                                       play it twice and compare the logs
  sandbox run my.scenario.yaml --watch                                        again whenever a file of it is saved

Exit codes: 0 passed, 1 an expectation failed, 2 an invalid file, 3 environment or stuck, 4 not deterministic, 5 our bug, 130 interrupted.`;

interface RunFlags {
  readonly mode: RunMode;
  readonly speed?: number;
  readonly seed?: string;
  readonly seeds?: string;
  readonly out?: string;
  readonly until?: number;
  readonly set: readonly string[];
  readonly case: readonly string[];
  readonly receiver: readonly string[];
  readonly jobs?: number;
  readonly timeout?: number;
  readonly verify?: boolean;
  readonly shuffleTies?: boolean;
  readonly failFast?: boolean;
  readonly keep?: boolean;
  readonly watch?: boolean;
  readonly report?: string;
  readonly json?: boolean;
}

const above0 = (text: string): number => {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || number <= 0) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
};
const whole = (most: number, what: string) => (text: string) => {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > most) throw new InvalidArgumentError(what);
  return Number(text);
};
const durationOf = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError('It must be a duration like 90s or 2m.');
  return ms;
};
const collect = (text: string, before: readonly string[]): string[] => {
  if (!/^[A-Za-z][\w-]*=/.test(text)) throw new InvalidArgumentError('Write NAME=VALUE.');
  return [...before, text];
};

export function defineRun(program: Command, ended: (code: number) => void): void {
  program
    .command('run <files...>')
    .description('play scenarios and check what they expect')
    .addOption(
      new Option('--mode <mode>', 'how time passes')
        .choices(['fast', 'scaled', 'real'])
        .default('fast')
        .env('SANDBOX_MODE'),
    )
    .addOption(new Option('--speed <n>', 'simulated seconds per second, with --mode scaled').argParser(above0))
    .option('--seed <n>', 'wins over that of the file; "random" draws one')
    .option('--seeds <range>', 'a run for each seed: 1..50')
    .option('--set <name=value>', 'a value for a parameter of the file; repeatable', collect, [])
    .option(
      '--case <name=value>',
      'only the runs of a matrix with this value; repeatable: one name, either value; several names, each',
      collect,
      [],
    )
    .option('--receiver <name=url>', 'deliveries go to your own receiver, over real HTTP; repeatable', collect, [])
    .addOption(
      new Option('--until <line>', 'leave out the steps behind this line').argParser(
        whole(9_999_999, 'It must be the number of a line.'),
      ),
    )
    .addOption(new Option('--timeout <duration>', 'end a run that takes longer, wall time').argParser(durationOf))
    .addOption(
      new Option('--jobs <n>', 'so many runs at a time, each in its own process').argParser(
        whole(64, 'It must be a whole number, 1 to 64.'),
      ),
    )
    .option('--fail-fast', 'begin no run after one that failed')
    .option('--keep', 'leave the sandbox up after the story, until Ctrl-C')
    .option('--watch', 'run again whenever a file of the story is saved')
    .option('--verify', 'play twice, compare the logs, and name the first difference')
    .option('--shuffle-ties', 'what is due at one instant happens in another order')
    .option('--out <folder>', 'write run.jsonl, the canonical log, and the reports')
    .option('--report <kinds>', 'some of html, junit, json, md, github; all but github with --out')
    .option('--json', 'the verdicts as one JSON object')
    .addHelpText('after', HELP)
    .action(async (files: string[], flags: RunFlags) => {
      ended(await run(files, flags));
    });
}

async function run(asked: readonly string[], flags: RunFlags): Promise<number> {
  sayMisused(flags);
  const running = runUntilSignal();
  const interrupt = new AbortController();
  void running.ended.then(() => interrupt.abort());
  const once = () => runAll(asked, flags, running, interrupt.signal);
  try {
    return flags.watch === true ? await watchAndRun(storyFiles(asked), running, once) : await once();
  } finally {
    running.done();
  }
}

function sayMisused(flags: RunFlags): void {
  if (flags.speed !== undefined && flags.mode !== 'scaled') throw usage('--speed is for --mode scaled.');
  if (flags.seeds !== undefined && flags.seed !== undefined)
    throw usage('--seed and --seeds say two things. Leave one out.');
  if (flags.shuffleTies === true && flags.mode !== 'fast') throw usage('--shuffle-ties is for --mode fast.');
  if (flags.jobs !== undefined && (flags.keep === true || flags.verify === true))
    throw usage('--jobs does not go with --keep or --verify. Leave it out.');
}

async function runAll(
  asked: readonly string[],
  flags: RunFlags,
  running: UntilSignal,
  signal: AbortSignal,
): Promise<number> {
  const set = valuesOf(flags.set);
  const seed = flags.seed === 'random' ? randomSeed() : flags.seed;
  const runs = plannedRuns({
    ...{ files: storyFiles(asked), set, cases: flags.case, seed },
    seeds: flags.seeds === undefined ? [] : seedsOf(flags.seeds),
  });
  const reports = new RunReports(flags.report, flags.out);
  const begunMs = monotonicMs();
  const ends =
    flags.jobs === undefined
      ? await inTurn(runs, set, flags, reports, running, signal)
      : await inProcesses(runs, flags, reports, flags.jobs, signal);
  reports.write();
  tellSummary(ends.data, monotonicMs() - begunMs);
  annotate(ends.data);
  if (flags.json === true) tellJson(ends);
  return ends.code;
}

interface Ends {
  readonly data: readonly RunData[];
  readonly code: number;
  readonly trouble: RunError | null;
}

async function inTurn(
  runs: readonly PlannedRun[],
  set: Values,
  flags: RunFlags,
  reports: RunReports,
  running: UntilSignal,
  signal: AbortSignal,
): Promise<Ends> {
  const results: RunResult[] = [];
  let unequal = false;
  for (const planned of runs) {
    if (signal.aborted) break;
    const lines: string[] = [];
    const keep = flags.keep === true ? (stage: Stage) => kept(stage, running) : undefined;
    const onLogLine = flags.verify === true ? (line: string) => void lines.push(line) : undefined;
    const witness = reports.witness();
    const result = await play(planned, set, flags, { signal, keep, onLogLine, witness, out: outOf(reports, planned) });
    reports.add(result, witness, planned.folder);
    results.push(result);
    if (flags.verify === true && result.exitCode <= EXIT.failed) {
      const again: string[] = [];
      const second = { ...planned, seed: result.seed };
      await play(second, set, flags, { signal, onLogLine: (line) => void again.push(line) });
      const difference = firstDifference(lines, again);
      if (difference !== null && !signal.aborted) {
        unequal = true;
        talkLine(`NOT DETERMINISTIC  ${planned.file}  ${difference}`);
      }
    }
    if (flags.failFast === true && (result.exitCode !== EXIT.done || unequal)) break;
  }
  const code = unequal ? EXIT.nondeterministic : Math.max(EXIT.done, ...results.map(({ exitCode }) => exitCode));
  return { data: runsData(results).runs, code, trouble: troubleOf(results) };
}

async function inProcesses(
  runs: readonly PlannedRun[],
  flags: RunFlags,
  reports: RunReports,
  jobs: number,
  signal: AbortSignal,
): Promise<Ends> {
  const { mode, speed, until, timeout, set, receiver, shuffleTies, failFast } = flags;
  const passed = [
    ...['--mode', mode],
    ...(speed === undefined ? [] : ['--speed', String(speed)]),
    ...(until === undefined ? [] : ['--until', String(until)]),
    ...(timeout === undefined ? [] : ['--timeout', `${timeout}ms`]),
    ...set.flatMap((one) => ['--set', one]),
    ...receiver.flatMap((one) => ['--receiver', one]),
    ...(shuffleTies === true ? ['--shuffle-ties'] : []),
    ...(flags.report === undefined ? [] : ['--report', flags.report]),
  ];
  const ends = await runJobs(runs, { jobs, passed, out: reports.out, failFast: failFast === true, signal });
  for (const { report, folder } of ends) if (report !== null) reports.take(report, folder);
  const data = ends.flatMap((end) => end.data ?? []);
  return { data, code: Math.max(EXIT.done, ...ends.map(({ exitCode }) => exitCode)), trouble: null };
}

async function play(
  { file, values, seed }: PlannedRun,
  set: Values,
  flags: RunFlags,
  more: Pick<RunOptions, 'signal' | 'keep' | 'onLogLine' | 'witness' | 'out'>,
): Promise<RunResult> {
  const { mode, speed, until, timeout: timeoutMs, receiver, shuffleTies } = flags;
  const result = await runFile(file, {
    ...{ mode, speed, seed, until, values, set, timeoutMs, ...more },
    shuffleTies,
    receivers: new Map(receiver.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])),
    boot: bootStage,
    sink: runSink(),
    version: VERSION,
  });
  if (result.mistakes !== null) talk(result.mistakes);
  else if (result.error !== null) talk(`error  ${result.error.message}\n       ${result.error.cure}`);
  return result;
}

/** The folder of one run's log. */
const outOf = ({ out: all }: RunReports, { folder }: PlannedRun): string | undefined =>
  all === null ? undefined : join(all, folder);

/** The story is over: its sandbox stays until Ctrl-C, and simulated time stands still. */
async function kept({ apiUrl, controlToken, clients }: Stage, running: UntilSignal): Promise<void> {
  const paint = colourOf(process.stderr);
  talk(`\n${paint(1, 'kept')}  the sandbox stays as the story left it; Ctrl-C ends it.`);
  talk(`  API      ${apiUrl}\n  panel    ${apiUrl}/panel\n  control  ${controlToken}`);
  for (const { organization, clientId, clientSecret } of clients)
    talkLine(`  client   ${organization}  ${clientId}  ${clientSecret}`);
  await running.ended;
}

const randomSeed = (): string => String(Number.parseInt(randomSecret(24).replace(/\D/g, '').slice(0, 9) || '1', 10));

function tellJson({ data, code, trouble }: Ends): void {
  const line = envelope('run', { runs: data });
  if (trouble === null) return out(JSON.stringify(line));
  const { code: name, message, cure, details = null } = trouble;
  const error = { code: name, message, retryable: code === EXIT.environment, details, actions: [cure] };
  out(JSON.stringify({ ...line, status: 'error', error }));
}
