/** `sandbox explore FILE`: searches for a scenario in which a rule about the user's own system breaks, and writes the shortest one. [cli] */

import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { monotonicMs } from '../../base/time/timers.ts';
import { isMap } from '../../contract/schema.ts';
import { keep, keepCorpus, keepRecord, removeReplaced } from '../../proving/explore/kept.ts';
import { exploreHtml, exploreJunit } from '../../proving/explore/reports.ts';
import {
  NOTHING_SEARCHED,
  type SearchEnd,
  type SearchParts,
  type SearchProgress,
  search,
  unsoundRules,
} from '../../proving/explore/search.ts';
import { bootStage } from '../../sandbox/boot.ts';
import { VERSION } from '../../sandbox/version.ts';
import { readMerged, readNamed } from '../../scenario/reading/merged-file.ts';
import { commandsIn } from '../../scenario/reading/read-system.ts';
import { CommandError, EXIT, envelope, out, talkLine, usage } from '../output.ts';
import {
  addReportFlags,
  envelopeText,
  mainReport,
  type RequestedReports,
  requestedReports,
  writeReports,
} from '../reports.ts';
import { progress } from '../run/sink.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { FIRST_RULES } from '../scenarios/init.ts';
import { printCommands } from '../shell-commands.ts';
import { runUntilSignal } from '../signals.ts';
import { decimalNumber, drawnSeed, MOST_JOBS, seedOrRandom, shard, wholeNumber } from '../values.ts';
import type { ExploreFlags } from './flags.ts';
import { defaultJobs, type JobLine, jobsOf, mergedEnd, searchInProcesses } from './jobs.ts';
import { printSearch, printVerdict, warningsOf } from './print.ts';
import { recheckFindings } from './recheck.ts';
import { announceResets, resetToRunning, runningSystemOf } from './running-system.ts';

/** Default of `--minutes`. */
const DEFAULT_MINUTES = 2;

/** Most time for shrinking a finding, which may take at most half of the time that is left. */
const SHRINK_MS = 120_000;

/** Time after the limit in which a search finishes what it has begun, so that the command ends 15 s after the limit; ms. */
const GRACE_MS = 10_000;

/** Above this limit, the time after it is a share of it; ms. */
const LONG_LIMIT_MS = 300_000;
const LONG_GRACE_SHARE = 0.08;

const HELP = `
Tests your system with generated scenarios. FILE describes how your system starts, which addresses return its
state, and which rules must always hold:

${FIRST_RULES.replace(/^/gm, '  ').trimEnd()}

The start command gets SANDBOX_API_URL, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_WEBHOOK_SECRET and
PORT in its environment. Signed deliveries go to the url of a receiver. "${CLI} init --explore" writes this
file.

What explore does:
  1. It generates scenarios from alerts, evacuations, retries, duplicates, reordered deliveries, outages, rotated
     secrets, expired tokens, jumps of the clock, and your own \`moves\`.
  2. It plays them against your system in simulated time, and varies those that reach a new situation.
  3. If a scenario breaks a rule, it plays the scenario again, shortens it as far as possible, and writes it into a
     folder next to FILE. The next search begins with the scenarios of that folder. In the time left, it delays or
     drops one delivery or call after another: the last one whose change lets the rule hold is what decided.
  4. It continues the search for the other rules. If a failure does not repeat every time, it reports the rate. If
     your system is only later than its patience, and in time for the rule, that is a warning with the pause.

A time limit of a rule starts when your system could know of the change. If the service refuses a request (5xx,
429, an expired token), the limit is extended.

Examples:
  ${CLI} explore inbox.explore.yaml
  ${CLI} explore inbox.explore.yaml --minutes 10 --jobs 4
  ${CLI} explore inbox.explore.yaml --recheck                does a fix hold?
  ${CLI} explore inbox.explore.yaml --seed 7 --runs 500 --json
  ${CLI} explore inbox.explore.yaml --report html,junit --out inbox.found
  ${CLI} run inbox.found/line-11-3f2a9c.scenario.yaml       plays a found scenario again

Exit codes: 0 nothing found, or a system that is only slow, 1 a rule was broken, or the time did not suffice to
tell slow from broken, 2 an invalid file, 3 your system, a receiver or a probe cannot
be reached, or a rule had nothing to judge, 5 our bug, 130 interrupted.`;

export function defineExplore(program: Command, ended: (code: number) => void): void {
  const exploring = program
    .command('explore <file>')
    .description('search for scenarios in which your own system breaks a rule (fuzzing)')
    .option('--seed <n>', 'number that determines the scenarios; "random" selects one', seedOrRandom, '1')
    .addOption(new Option('--runs <n>', 'end the search after n scenarios').argParser(wholeNumber(1_000_000)))
    .addOption(
      new Option(
        '--minutes <n>',
        `end the search after n minutes, such as 0.5 (default: ${DEFAULT_MINUTES}, or no limit with --runs)`,
      ).argParser(decimalNumber(10_000)),
    )
    .addOption(
      new Option(
        '--jobs <n>',
        'number of scenarios at a time, each with its own instance of your system (default: two per core, at most 8)',
      ).argParser(wholeNumber(MOST_JOBS)),
    )
    .option('--recheck', 'play the stored findings as often as their rates demand, to see whether a fix holds')
    .addOption(sandboxFlag('allowCommands', 'explore'))
    .addOption(sandboxFlag('dataDir', 'explore'))
    .option('--json', 'print the result as one JSON object')
    .addOption(new Option('--share <part>').argParser(shard).hideHelp());
  addReportFlags(
    exploring,
    'folder of the found scenarios and the reports (default: a folder next to FILE, and report)',
  )
    .addHelpText('after', HELP)
    .action(async (file: string, flags: ExploreFlags, command: Command) => {
      const reports = requestedReports('explore', command);
      ended(await explore(file, { ...flags, seed: drawnSeed(flags.seed) }, reports));
    });
}

async function explore(file: string, flags: ExploreFlags, reports: RequestedReports<'explore'>): Promise<number> {
  const running = runUntilSignal();
  const interrupt = new AbortController();
  void running.ended.then(() => interrupt.abort());
  const { signal } = interrupt;
  const isUnlimited = flags.minutes === undefined && (flags.runs !== undefined || flags.recheck === true);
  const limitMs = isUnlimited ? null : (flags.minutes ?? DEFAULT_MINUTES) * 60_000;
  const endMs = limitMs === null ? Number.POSITIVE_INFINITY : monotonicMs() + limitMs;
  const ends = { endMs, lastMs: endMs + graceMsOf(limitMs ?? 0) };
  try {
    if (flags.share !== undefined) return await exploreShare(file, flags, ends, signal);
    const error = unsoundRules(file);
    if (error !== null) return report({ file, flags, reports }, { ...NOTHING_SEARCHED, error }, false);
    const merged = readMerged(file, readNamed(file), 'explore');
    printCommands(commandsIn(merged.value, merged));
    const runs = runningSystemOf(merged.value);
    if (runs !== null) announceResets(runs);
    const noticeAfter = () => (runs === null ? null : resetToRunning(runs, flags.dataDir));
    if (flags.recheck === true)
      return await recheckFindings({ file, flags, reports, lastMs: endMs, signal, noticeAfter });
    const bar = progress();
    const begunMs = monotonicMs();
    const show = (standing: SearchProgress) => bar.show(standingOf(standing, begunMs, endMs));
    const jobs = jobsFor(file, flags);
    if (jobs > 1) talkLine(`jobs     ${jobs}, each with its own instance of your system`);
    const parts = { file, flags, jobs, signal, limitMs };
    const searched =
      jobs === 1
        ? await search(partsOf(file, flags, ends, { index: 0, processes: 1, signal, onProgress: show }))
        : mergedEnd(await searchInProcesses({ ...parts, onProgress: show }));
    bar.stop();
    const notice = await noticeAfter();
    return report({ file, flags, reports, notice }, written(file, searched), signal.aborted);
  } finally {
    running.done();
  }
}

/** Writes all scenarios that were found to their files. */
function written(file: string, end: SearchEnd): SearchEnd {
  for (const one of [...end.findings, ...end.suspicions, ...end.unplayed]) keep(one);
  for (const one of end.findings) removeReplaced(one);
  const corpus = keepCorpus(file, end.corpus);
  if (corpus !== null) talkLine(`corpus   ${corpus}`);
  const findings = end.findings.map((one) => ({
    ...one,
    record: one.record === null ? null : keepRecord(one.record, one.path),
  }));
  return { ...end, findings };
}

/**
 * The number of scenarios at a time. A system that the sandbox does not start has one instance, which plays one scenario at a
 * time.
 */
function jobsFor(file: string, { jobs }: ExploreFlags): number {
  const { system } = readMerged(file, readNamed(file), 'explore').value;
  const isStarted = !isMap(system) || system['start'] !== undefined;
  if (!isStarted && (jobs ?? 1) > 1)
    throw usage(
      'Your system is already running, so it plays one scenario at a time.',
      'Leave out --jobs, or write start: and a command.',
    );
  return jobs ?? (isStarted ? defaultJobs() : 1);
}

/** The ends of a search by `monotonicMs()`. */
type SearchEnds = Pick<SearchParts, 'endMs' | 'lastMs'>;

const graceMsOf = (limitMs: number): number =>
  limitMs <= LONG_LIMIT_MS ? GRACE_MS : Math.max(GRACE_MS, limitMs * LONG_GRACE_SHARE);

const partsOf = (
  file: string,
  { seed, runs, out: folder }: ExploreFlags,
  ends: SearchEnds,
  rest: Required<Pick<SearchParts, 'index' | 'processes' | 'signal' | 'onProgress'>>,
): SearchParts => ({
  file,
  seed,
  ...ends,
  out: folder,
  boot: bootStage,
  version: VERSION,
  shrinkMs: SHRINK_MS,
  ...rest,
  mostFindings: Number.POSITIVE_INFINITY,
  mostScenarios: Math.ceil((runs ?? Number.POSITIVE_INFINITY) / rest.processes),
});

/** A process of `--jobs`: prints the progress and the ends of its jobs as lines of JSON. */
async function exploreShare(file: string, flags: ExploreFlags, ends: SearchEnds, signal: AbortSignal): Promise<number> {
  const { share = { part: 1, of: 1 }, jobs: processes = 1 } = flags;
  const print = (line: JobLine) => out(JSON.stringify(line));
  const playing = jobsOf(share, processes).map(async (index) => {
    const onProgress = (progress: SearchProgress) => print({ job: index, progress });
    const end = await search(partsOf(file, flags, ends, { index, processes, signal, onProgress }));
    print({ job: index, end });
  });
  await Promise.all(playing);
  return EXIT.done;
}

const DOING = { confirm: 'playing it again', shrink: 'shrinking', decide: 'finding the moment that decided' } as const;

function standingOf(
  { scenarios, features, found, doing, steps }: SearchProgress,
  begunMs: number,
  endMs: number,
): string {
  const tookMs = Math.max(1, monotonicMs() - begunMs);
  const findings = found === 0 ? '' : `, ${found} found`;
  const pace = `${scenarios} scenarios, ${Math.round((scenarios / tookMs) * 60_000)} a minute, ${features} situations met${findings}`;
  if (doing !== 'search')
    return `${pace}; a rule broke: ${DOING[doing]}${doing === 'shrink' ? `, ${steps} steps` : ''}`;
  const left = Number.isFinite(endMs)
    ? `, ${formatDuration(Math.max(0, Math.ceil((endMs - monotonicMs()) / 1_000)) * 1_000)} left`
    : '';
  return `${pace}${left}`;
}

interface SearchRequest {
  readonly file: string;
  readonly flags: ExploreFlags;
  readonly reports: RequestedReports<'explore'>;
  /** What the user of a system that runs already has to do after the search. */
  readonly notice?: string | null;
}

function report({ file, flags, reports, notice = null }: SearchRequest, end: SearchEnd, interrupted: boolean): number {
  const { findings, error } = end;
  const code = interrupted && findings.length === 0 ? EXIT.interrupted : codeOf(end);
  const warnings = [...warningsOf(end), ...(notice === null ? [] : [notice])];
  const line = envelopeOf(end, code, warnings);
  if (flags.json === true) out(JSON.stringify(line));
  if (error === null) printSearch(end);
  if (notice !== null) talkLine(`notice   ${notice}`);
  const searched = { file, seed: flags.seed, version: VERSION, end, warnings };
  writeReports(reports, {
    'report.html': () => exploreHtml(searched),
    'junit.xml': () => exploreJunit(searched),
    'report.json': () => envelopeText(line),
  });
  if (error !== null) {
    if (flags.json === true) return code;
    throw new CommandError(error.exitCode, error.code, error.message, { actions: [error.fix] });
  }
  printVerdict(end, flags.seed, interrupted, mainReport(reports));
  return code;
}

/** A rule that judged nothing must not count as a rule that holds. */
function codeOf({ findings, error, idle }: SearchEnd): number {
  if (error !== null) return error.exitCode;
  if (findings.length > 0) return EXIT.failed;
  return idle.length > 0 ? EXIT.environment : EXIT.done;
}

function envelopeOf(end: SearchEnd, code: number, warnings: string[]): object {
  const { findings, suspicions, slow, unplayed, error, idle, scenarios, features, statistics, wallMs } = end;
  const data = {
    finding: findings[0] ?? null,
    findings,
    unconfirmed: suspicions,
    slow,
    unplayed,
    stories: scenarios,
    situations: features.length,
    wall_ms: wallMs,
    idle_rules: idle.map(({ file, line, text }) => ({ file, line, text })),
    statistics: { per_minute: Math.round(scenarios / (Math.max(wallMs, 1) / 60_000)), ...statistics },
  };
  const line = envelope('explore', data, warnings);
  if (code === EXIT.done || code === EXIT.failed) return line;
  const [trouble = error ?? INTERRUPTED] = error === null && idle.length > 0 ? [IDLE] : [];
  const { code: name, message, fix } = trouble;
  const retryable = code === EXIT.environment;
  return {
    ...line,
    status: 'error',
    error: { code: name, message, retryable, details: error?.details ?? null, actions: [fix] },
  };
}

const INTERRUPTED = { code: 'interrupted', message: 'The search was interrupted.', fix: 'Run it again.' };
const IDLE = {
  code: 'rule_not_judged',
  message: 'A rule had nothing to judge in any scenario.',
  fix: 'Check the objects that the rule names, or search longer: --minutes 10.',
};
