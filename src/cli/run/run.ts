/**
 * `sandbox run`: plays scenarios, shows the progress, and exits with their result. [scenario-language, Command line]
 */

import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { monotonicMs } from '../../base/time/timers.ts';
import type { CoverageView } from '../../contract/operations/coverage.ts';
import { firstDifference } from '../../scenario/log/first-difference.ts';
import { isAccepted, type RunSink } from '../../scenario/log/run-notices.ts';
import { withOutdatedMarks } from '../../scenario/playing/known-failures.ts';
import type { RunResult } from '../../scenario/playing/run-file.ts';
import type { FileCommand } from '../../scenario/reading/read-system.ts';
import { type RunData, runData, troubleOf } from '../../scenario/reporting/run-data.ts';
import { mayKeep } from '../coverage/flags.ts';
import { isJob } from '../job-variable.ts';
import { EXIT, talk, talkLine, talkOfChild } from '../output.ts';
import { isAnnotated, requestedReports } from '../reports.ts';
import { namedFiles, scenariosHere } from '../scenarios/find-scenarios.ts';
import { commandLine, commandsOfRuns, printCommands, refuseSettingsCommands } from '../shell-commands.ts';
import { runUntilSignal, type UntilSignal } from '../signals.ts';
import { drawnSeed } from '../values.ts';
import { addRunFlags, orderOf, type RunFlags, refuseMisuse } from './flags.ts';
import { heldPrinter } from './held.ts';
import { runJobs } from './jobs.ts';
import { mutateWords, runMutations } from './mutate.ts';
import { endsFast, type OrdersData, ordersData, ordersLines, withAllowedOrders } from './orders.ts';
import { furtherOrders, orderRange, ownReceiversOf, type PlannedRun, plannedRuns, seedsOf, valuesOf } from './plan.ts';
import { RunReports } from './reports.ts';
import { SeveralRuns, shownOf } from './several.ts';
import { runSink } from './sink.ts';
import { annotate, printOwnReceivers, printRuns, printSummary } from './summary.ts';
import { watchAndRun } from './watch.ts';
import { isCovered, outOf, playPlanned, runInputsOf, troubleText } from './worker.ts';

const HELP = `
Plays each scenario in a new sandbox, with real MQTT, HTTP and webhooks on loopback, and evaluates its checks.

FILES can be:
  a file       my.scenario.yaml
  a folder     all its *.scenario.yaml files; without FILES: the folder scenarios
  a name       fall-to-sos, a scenario of this package
  tags         tag:smoke selects the scenarios with that tag in scenarios; combine tags with and, or, not and ( )

--mode:
  fast     lock-step: the simulated time jumps to the next due event (default)
  scaled   lock-step at a pace: not faster than --speed times the real time; the results are the same
  real     lock-step at the pace of the real time

A scenario whose \`modes\` do not list the mode is skipped. If you name that file, run reports an error.

Output: progress goes to stderr. A single run prints its steps. Several runs share lines with their counts of
checks, then each failure follows whole, and the last line is the result; --verbose prints their steps too. For
more than ten seeds and orders, run prints one line for each failed run, a table, and the smallest failing seed
with the command that plays it. With --json, the last line of stdout is one JSON object.

What these flags do to a running scenario:
  --until LINE     leaves out the steps after the line; \`finally\` and the rules follow
  --pause          stops after the line of --until, before \`finally\` and the rules; without --until: at the first failure
  --keep           lets it end, and keeps the sandbox after \`finally\` and the rules
With --pause and --keep the sandbox runs until Ctrl-C, so that you can examine it. Its simulated time stands still, and
the exit code is that of the scenario.

Examples:
  ${CLI} run                                                                 all scenarios of the folder scenarios
  ${CLI} run fall-to-sos                                                     a scenario of this package, by its name
  ${CLI} run fall-to-sos --mode real
  ${CLI} run scenarios --jobs 2 --out report                                 a report folder for each scenario, with HTML
  ${CLI} run scenarios --report junit --out report
  ${CLI} run "tag:smoke and not (tag:slow or tag:night)"                     the scenarios that the tags select
  ${CLI} run my.scenario.yaml --report html --truth                          an HTML report with the real positions
  ${CLI} run my.scenario.yaml --receiver erp=http://127.0.0.1:3000/hook      sends deliveries to your own receiver
  ${CLI} run my.scenario.yaml --seeds 1..50 --fail-fast                      50 runs with other random values
  ${CLI} run my.scenario.yaml --orders                                       a run for each order of simultaneous steps
  ${CLI} run my.scenario.yaml --until 27 --pause                             stops at line 27 to examine the state
  ${CLI} run my.scenario.yaml --verify                                       plays it twice and compares the logs
  ${CLI} run my.scenario.yaml --mutate --jobs 2                              tests whether the checks find faults
  ${CLI} run my.scenario.yaml --watch                                        plays it again after each change of a file

Exit codes: 0 passed, 1 a check failed, 2 an invalid file, 3 environment or stuck, 4 not deterministic, 5 our
bug, 130 interrupted.`;

export function defineRun(program: Command, ended: (code: number) => void): void {
  addRunFlags(program.command('run [files...]').description('play scenarios and evaluate their checks'))
    .addHelpText('after', HELP)
    .action(async (files: string[], given: Omit<RunFlags, 'reports'>, command: Command) => {
      if (isJob()) {
        const { workRuns } = await import('./worker.ts');
        return ended(await workRuns());
      }
      ended(await run(files, { ...given, reports: requestedReports('run', command) }, command));
    });
}

async function run(named: readonly string[], flags: RunFlags, command: Command): Promise<number> {
  refuseMisuse(flags);
  const running = runUntilSignal();
  const interrupt = new AbortController();
  void running.ended.then(() => interrupt.abort());
  const once = () => runAll(named, { flags, command }, running, interrupt.signal);
  try {
    return flags.watch === true ? await watchAndRun(scenariosHere(named), running, once) : await once();
  } finally {
    running.done();
  }
}

async function runAll(
  named: readonly string[],
  { flags, command }: { readonly flags: RunFlags; readonly command: Command },
  running: UntilSignal,
  signal: AbortSignal,
): Promise<number> {
  if (isCovered(flags)) await mayKeep(flags);
  const seed = flags.seed === undefined ? undefined : drawnSeed(flags.seed);
  const range = flags.orders === undefined ? null : orderRange(flags.orders);
  const firstRuns = plannedRuns({
    files: scenariosHere(named),
    named: namedFiles(named),
    set: valuesOf(flags.set),
    cases: flags.case,
    seed,
    seeds: flags.seeds === undefined ? [] : seedsOf(flags.seeds),
    order: range?.first ?? orderOf(flags),
    shufflesTies: orderOf(flags) > 0,
    orders: range,
  });
  const receivers = ownReceiversOf(firstRuns, runInputsOf(flags));
  // A process of --jobs prints no commands and secrets, because its parent process has printed them.
  if (flags.mutateShare === undefined) {
    const commands = commandsOfRuns(firstRuns, valuesOf(flags.set));
    refuseSettingsCommands(command, 'set', () => commandsBySet(commands, firstRuns));
    printCommands(commands);
    printOwnReceivers(receivers);
  }
  if (flags.mutate === true) {
    const { json = false, jobs, timeout: timeoutMs, mutateShare: share } = flags;
    const words = mutateWords(named, seed, flags);
    return runMutations({ runs: firstRuns, timeoutMs, share, jobs, words, json, signal, ...runInputsOf(flags) });
  }
  const reports = new RunReports(flags);
  reports.plan(firstRuns);
  let runs = firstRuns;
  const begunMs = monotonicMs();
  const done = new Map<PlannedRun, RunResult>();
  const coverages: CoverageView[] = [];
  running.beforeForced(() => {
    if (flags.json !== true) return;
    const notBegun = runs.filter((planned) => !done.has(planned));
    printRuns({
      receivers,
      data: [...done.values()].map(runData),
      notBegun,
      code: EXIT.interrupted,
      error: null,
      isBrokenOff: true,
    });
  });
  const play = async (some: readonly PlannedRun[]): Promise<Ends> => {
    const shown = shownOf(some, flags);
    const several = shown === 'steps' ? null : new SeveralRuns(some, shown);
    const parts = { runs: some, flags, reports, running, signal, several, done, coverages };
    const ended = flags.jobs === undefined ? await inTurn(parts) : await inProcesses(parts);
    several?.end();
    return ended;
  };
  let ends = await play(firstRuns);
  if (range !== null) {
    runs = ordered(firstRuns, done, range);
    for (const planned of firstRuns) if (!runs.includes(planned)) leaveOut(planned, done, reports);
    const further = runs.filter((planned) => !done.has(planned));
    if (further.length > 0 && !signal.aborted && !isStopped(ends, flags)) ends = joinedEnds(ends, await play(further));
  }
  const notBegun = runs.filter((planned) => !ends.begun.has(planned));
  const begun = runs.filter((planned) => done.has(planned));
  const played = begun.map((planned) => done.get(planned)!);
  const marked = notBegun.length > 0 ? played : withOutdatedMarks(played);
  const results = range === null ? marked : withAllowedOrders(marked);
  for (const [place, result] of results.entries()) {
    if (result === played[place]) continue;
    // Several runs have all failures at the end.
    if (results.length === 1 && !isAccepted(result.verdict)) talk(result.failures[0]?.text ?? '');
    reports.amend(result, begun[place]?.folder ?? '');
  }
  // Nothing was played, so there is nothing to count.
  const floored = isCovered(flags) && coverages.length > 0 ? await covered(flags, coverages) : null;
  reports.write(floored?.parts ?? null);
  // The orders are compared as they were played, before a difference is accepted.
  const orders = range === null ? null : ordersData(marked);
  const data = results.map((result, place) => ({
    ...runData(result),
    ...ordersOf(orders?.get(marked[place] as RunResult)),
  }));
  const interrupted = results.some(({ exitCode }) => exitCode === EXIT.interrupted);
  // Ctrl-C while a sandbox is kept or paused ends only that, and not the scenarios.
  const isBrokenOff = interrupted || (signal.aborted && notBegun.length > 0 && !ends.wasHeld);
  const ownCode = isBrokenOff
    ? EXIT.interrupted
    : ends.unequal
      ? EXIT.nondeterministic
      : Math.max(EXIT.done, ...results.map(({ exitCode }) => exitCode));
  const code = ownCode === EXIT.done && floored?.isKept === false ? EXIT.failed : ownCode;
  if (orders !== null) for (const line of ordersLines(orders)) talkLine(line);
  const mistakes = new Map(results.map((result, place) => [data[place] as RunData, troubleText(result)]));
  printSummary({
    runs: data,
    notBegun,
    mistakes,
    wallMs: monotonicMs() - begunMs,
    shown: shownOf(runs, flags),
    isOpen: endsOpen(runs.length, flags),
    report: reports.main,
    isBelowFloor: floored?.isKept === false,
    code,
  });
  if (isAnnotated(flags.reports)) annotate(data, results);
  if (flags.json === true) {
    printRuns({ receivers, data, notBegun, code, error: troubleOf(results), isBrokenOff });
  }
  return code;
}

/** Keeps and prints what the user's system has met. Returns its parts of the reports, and whether each floor was kept. [cli, Coverage] */
async function covered({ coverage, coverageFloor }: RunFlags, views: readonly CoverageView[]) {
  const { floorsOf, keepCoverage, partsOf } = await import('../coverage/files.ts');
  const { summary, isKept } = keepCoverage(views, { file: coverage ?? null, floors: floorsOf(coverageFloor) });
  return { parts: partsOf(summary), isKept };
}

/**
 * Returns the runs with those of the further orders that the first runs found. An order that does not exist is left
 * out.
 */
const ordered = (
  firstRuns: readonly PlannedRun[],
  done: ReadonlyMap<PlannedRun, RunResult>,
  range: ReturnType<typeof orderRange>,
): PlannedRun[] =>
  firstRuns.flatMap((planned) => {
    const result = done.get(planned);
    if (result === undefined) return [planned];
    const { orders: exist, seed, ordersMayDiffer } = result;
    const first = range.first < Math.max(1, exist) ? [planned] : [];
    return [...first, ...furtherOrders(planned, { exist, seed, mayDiffer: ordersMayDiffer !== null }, range)];
  });

/** Removes a run whose order does not exist. This is known only after the run. */
function leaveOut(planned: PlannedRun, done: Map<PlannedRun, RunResult>, reports: RunReports): void {
  const exist = done.get(planned)?.orders ?? 1;
  done.delete(planned);
  reports.remove(planned.folder);
  talkLine(`${planned.file}  order ${planned.order} does not exist: the last order is ${exist - 1}.`);
}

/** True if the one run prints no counts itself: a sandbox that is kept holds the command, and a job prints its lines at once. */
const endsOpen = (count: number, { keep, pause, jobs }: RunFlags): boolean =>
  count === 1 && keep !== true && pause !== true && jobs === undefined;

const isStopped = ({ results, unequal }: Ends, flags: RunFlags): boolean =>
  flags.failFast === true && (unequal || results.some((result) => endsFast(result, flags)));

const joinedEnds = (one: Ends, other: Ends): Ends => ({
  results: [...one.results, ...other.results],
  begun: new Set([...one.begun, ...other.begun]),
  unequal: one.unequal || other.unequal,
  wasHeld: one.wasHeld || other.wasHeld,
});

const ordersOf = (orders: OrdersData | undefined) => (orders === undefined ? {} : { orders });

/** The commands that come from parameters of `--set`. */
function commandsBySet(commands: readonly FileCommand[], runs: readonly PlannedRun[]): FileCommand[] {
  const ofFiles = new Set(commandsOfRuns(runs, {}).map(commandLine));
  return commands.filter((one) => !ofFiles.has(commandLine(one)));
}

interface RunsRequest {
  readonly runs: readonly PlannedRun[];
  readonly flags: RunFlags;
  readonly reports: RunReports;
  readonly running: UntilSignal;
  readonly signal: AbortSignal;
  /** Null if each run prints its steps. */
  readonly several: SeveralRuns | null;
  /** The results of the runs. They are added as the runs end. */
  readonly done: Map<PlannedRun, RunResult>;
  /** The coverages of the runs. They are added as the runs end. */
  readonly coverages: CoverageView[];
}

interface Ends {
  /** The results of the runs that were begun, in the order of the plan. */
  readonly results: readonly RunResult[];
  readonly begun: ReadonlySet<PlannedRun>;
  /** True if `--verify` found two logs that differ. */
  readonly unequal: boolean;
  /** True if `--keep` or `--pause` held a sandbox when the signal came. */
  readonly wasHeld: boolean;
}

async function inTurn({ runs, flags, reports, running, signal, several, done, coverages }: RunsRequest): Promise<Ends> {
  const results: RunResult[] = [];
  const begun = new Set<PlannedRun>();
  let unequal = false;
  let wasHeld = false;
  const held = (how: 'kept' | 'paused') => {
    const tell = heldPrinter(how, running, flags.json === true);
    return (...at: Parameters<typeof tell>) => {
      wasHeld = true;
      return tell(...at);
    };
  };
  for (const planned of runs) {
    if (signal.aborted) break;
    begun.add(planned);
    const lines: string[] = [];
    const keep = flags.keep === true ? held('kept') : undefined;
    const pause = flags.pause === true ? held('paused') : undefined;
    const onLogLine = flags.verify === true ? (line: string) => void lines.push(line) : undefined;
    const witness = reports.witness();
    const sinkOf = () => (several === null ? runSink(endsOpen(runs.length, flags) ? 'open' : 'counts') : () => {});
    const onCoverage = isCovered(flags) ? (one: CoverageView) => void coverages.push(one) : undefined;
    const looks = { keep, pause, onLogLine, witness, onCoverage, out: outOf(reports, planned) };
    const result = await playPlanned(planned, flags, { signal, sink: sinkOf(), ...looks });
    const trouble = troubleText(result);
    if (several !== null) several.ended(planned, result);
    else if (trouble !== null) talk(trouble);
    reports.add(result, witness, planned.folder);
    results.push(result);
    done.set(planned, result);
    if (flags.verify === true && result.exitCode <= EXIT.failed) {
      const difference = await differenceOfSecond(
        { ...planned, seed: result.seed },
        { flags, lines, signal, sink: sinkOf() },
      );
      if (difference !== null && !signal.aborted) {
        unequal = true;
        talk(`NOT DETERMINISTIC  ${planned.file}  ${difference}`);
      }
    }
    if (flags.failFast === true && (endsFast(result, flags) || unequal)) break;
  }
  return { results, begun, unequal, wasHeld };
}

interface SecondPlay {
  readonly flags: RunFlags;
  /** The log of the first play. */
  readonly lines: readonly string[];
  readonly signal: AbortSignal;
  readonly sink: RunSink;
}

/** Plays the run again; returns the first difference of the logs, or null. */
async function differenceOfSecond(
  planned: PlannedRun,
  { flags, lines, signal, sink }: SecondPlay,
): Promise<string | null> {
  const again: string[] = [];
  const onLogLine = (line: string) => void again.push(line);
  await playPlanned(planned, flags, { signal, sink, onLogLine });
  return firstDifference(lines, again);
}

async function inProcesses({ runs, flags, reports, signal, several, done, coverages }: RunsRequest): Promise<Ends> {
  const ends = await runJobs(runs, {
    jobs: flags.jobs ?? 1,
    flags,
    signal,
    onEnd: ({ planned, result, text, coverages: own }) => {
      done.set(planned, result);
      coverages.push(...own);
      if (several === null) talkOfChild(text.trimEnd());
      else several.ended(planned, result);
    },
  });
  for (const { report, result, planned } of ends) {
    if (report !== null) reports.take(report, planned.folder);
    // The process died with the data of the report, so only the result is reported.
    else reports.add(result, reports.witness(), planned.folder);
  }
  const begun = new Set(ends.map(({ planned }) => planned));
  return { results: ends.map(({ result }) => result), begun, unequal: false, wasHeld: false };
}
