/** `sandbox explore FILE`: searches for a scenario in which a rule about the user's own system breaks, and writes the shortest one. [cli] */

import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { monotonicMs } from '../../base/time/timers.ts';
import { isMap } from '../../contract/schema.ts';
import { keep } from '../../explore/kept.ts';
import { type FoundScenario, type SearchEnd, type SearchProgress, search, unsoundRules } from '../../explore/search.ts';
import { bootStage } from '../../sandbox/boot.ts';
import { VERSION } from '../../sandbox/version.ts';
import { readMerged, readNamed } from '../../scenario/reading/merged-file.ts';
import { commandsIn } from '../../scenario/reading/read-system.ts';
import { CommandError, colourOf, EXIT, envelope, out, talk, talkLine, usage } from '../output.ts';
import { progress } from '../run/sink.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { printCommands } from '../shell-commands.ts';
import { runUntilSignal } from '../signals.ts';
import { MOST_JOBS, shard, wholeNumber, wholeSeed } from '../values.ts';
import type { ExploreFlags } from './flags.ts';
import { mergedEnd, searchInProcesses } from './jobs.ts';

/** Default of `--minutes`. */
const DEFAULT_MINUTES = 2;

/** Time for shrinking a finding, beyond the end of the search if need be. */
const SHRINK_MS = 120_000;

/** By default no more processes than this: each has a sandbox and a system of the user's. */
const MOST_DEFAULT_JOBS = 4;

const HELP = `
FILE says how your system starts, what can be asked of it, and what must always hold:

  explore: The alert inbox of our control room
  system: {start: node inbox.mjs, ready: /health}           gets SANDBOX_API_URL, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET,
                                                            SANDBOX_WEBHOOK_SECRET and PORT
  receivers: {inbox: {url: /hook}}                          signed deliveries go there
  probes: {open_alerts: {get: /open-alerts, path: "[*].id"}}
  rules:
    - always: {probe: open_alerts, same_as: {alerts: open}}
      within: 10s
    - every: {event: alert.created, object: {severity: critical}}
      as: e
      followed_by: {request: PATCH /v1/alerts/$e.object.id, status: 200}
      within: 30s

The sandbox makes scenarios (alerts, evacuations, retries, duplicates, reordering, outages, rotated secrets, ended tokens, jumps of
the clock), plays them in simulated time against your system, and keeps what meets something new. A scenario that breaks a rule is
played again, made as short as possible, and written into a folder beside FILE, whose scenarios are tried first next time.
Limits count from when your system could know: the delivery arrived, and the API refused it nothing since.

Examples:
  ${CLI} explore inbox.explore.yaml
  ${CLI} explore inbox.explore.yaml --minutes 10 --jobs 4
  ${CLI} explore inbox.explore.yaml --seed 7 --runs 500 --json
  ${CLI} run inbox.found/line-11-3f2a9c.scenario.yaml       plays a found scenario again

Exit codes: 0 nothing found, 1 a rule broke, 2 a wrong file, 3 your system, a receiver or a probe cannot be reached, or a rule
had nothing to judge, 5 our bug, 130 interrupted.`;

export function defineExplore(program: Command, ended: (code: number) => void): void {
  program
    .command('explore <file>')
    .description('search for a scenario in which your own system breaks a rule')
    .option('--seed <n>', 'the scenarios follow from it; "random" draws one', '1')
    .addOption(new Option('--runs <n>', 'end after n scenarios in all').argParser(wholeNumber(1_000_000)))
    .addOption(
      new Option('--minutes <n>', `end after n minutes; default ${DEFAULT_MINUTES}, without --runs`).argParser(
        wholeNumber(10_000),
      ),
    )
    .addOption(
      new Option(
        '--jobs <n>',
        'number of processes, each with a system of yours; default: one for each core, at most 4',
      ).argParser(wholeNumber(MOST_JOBS)),
    )
    .addOption(sandboxFlag('allowCommands', 'explore'))
    .option('--out <folder>', 'where found scenarios are written, instead of the folder beside FILE')
    .option('--json', 'the result as one JSON object')
    .addOption(new Option('--share <part>').argParser(shard).hideHelp())
    .addHelpText('after', HELP)
    .action(async (file: string, flags: ExploreFlags) => {
      ended(await explore(file, { ...flags, seed: wholeSeed(flags.seed) }));
    });
}

async function explore(file: string, flags: ExploreFlags): Promise<number> {
  const running = runUntilSignal();
  const interrupt = new AbortController();
  void running.ended.then(() => interrupt.abort());
  const { signal } = interrupt;
  const limitMs =
    flags.minutes === undefined && flags.runs !== undefined ? null : (flags.minutes ?? DEFAULT_MINUTES) * 60_000;
  const endMs = limitMs === null ? Number.POSITIVE_INFINITY : monotonicMs() + limitMs;
  try {
    if (flags.share !== undefined) return await exploreShare(file, flags, endMs, signal);
    const error = unsoundRules(file);
    if (error !== null) return report(file, flags, { ...NOTHING_SEARCHED, error }, false);
    const merged = readMerged(file, readNamed(file), 'explore');
    printCommands(commandsIn(merged.value, merged));
    const bar = progress();
    const begunMs = monotonicMs();
    const show = (standing: SearchProgress) => bar.show(standingOf(standing, begunMs, endMs));
    const jobs = jobsFor(file, flags);
    const parts = { file, flags, jobs, signal, limitMs };
    const end =
      jobs === 1
        ? await search(partsOf(file, flags, endMs, { signal, onProgress: show }))
        : mergedEnd(await searchInProcesses({ ...parts, onProgress: show }));
    bar.stop();
    if (end.finding !== null) keep(end.finding);
    return report(file, flags, end, signal.aborted);
  } finally {
    running.done();
  }
}

const NOTHING_SEARCHED: SearchEnd = { finding: null, scenarios: 0, features: [], idle: [], error: null, wallMs: 0 };

/** A system that the sandbox does not start is one, and takes one scenario at a time. */
function jobsFor(file: string, { jobs }: ExploreFlags): number {
  const { system } = readMerged(file, readNamed(file), 'explore').value;
  const isStarted = !isMap(system) || system['start'] !== undefined;
  if (!isStarted && (jobs ?? 1) > 1)
    throw usage(
      'Your system runs already, and takes one scenario at a time.',
      'Leave out --jobs, or write start: and a command.',
    );
  return jobs ?? (isStarted ? Math.min(availableParallelism(), MOST_DEFAULT_JOBS) : 1);
}

const partsOf = (
  file: string,
  { seed, runs, out: folder, share }: ExploreFlags,
  endMs: number,
  rest: { readonly signal: AbortSignal; readonly onProgress: (standing: SearchProgress) => void },
) => ({
  file,
  seed,
  endMs,
  out: folder,
  boot: bootStage,
  version: VERSION,
  shrinkMs: SHRINK_MS,
  ...rest,
  index: (share?.part ?? 1) - 1,
  mostScenarios: Math.ceil((runs ?? Number.POSITIVE_INFINITY) / (share?.of ?? 1)),
});

/** A process of `--jobs`: prints its progress and its end as lines of JSON. */
async function exploreShare(file: string, flags: ExploreFlags, endMs: number, signal: AbortSignal): Promise<number> {
  const end = await search(
    partsOf(file, flags, endMs, { signal, onProgress: (standing) => out(JSON.stringify({ progress: standing })) }),
  );
  out(JSON.stringify({ end }));
  return EXIT.done;
}

function standingOf({ scenarios, features, doing, steps }: SearchProgress, begunMs: number, endMs: number): string {
  const tookMs = Math.max(1, monotonicMs() - begunMs);
  const pace = `${scenarios} scenarios, ${Math.round((scenarios / tookMs) * 60_000)} a minute, ${features} situations met`;
  if (doing !== 'search')
    return `${pace}; a rule broke: ${doing === 'shrink' ? `shrinking, ${steps} steps` : 'playing it again'}`;
  const left = Number.isFinite(endMs)
    ? `, ${formatDuration(Math.max(0, Math.ceil((endMs - monotonicMs()) / 1_000)) * 1_000)} left`
    : '';
  return `${pace}${left}`;
}

function report(file: string, flags: ExploreFlags, end: SearchEnd, interrupted: boolean): number {
  const { finding, error, idle } = end;
  const code = interrupted && finding === null ? EXIT.interrupted : codeOf(end);
  const warnings = idle.map(
    ({ file: of, line, text }) => `${of}:${line}  ${text}: no scenario had anything for this rule to judge.`,
  );
  if (flags.json === true) out(JSON.stringify(envelopeOf(end, code, warnings)));
  if (error !== null) {
    if (flags.json === true) return code;
    throw new CommandError(error.exitCode, error.code, error.message, { actions: [error.fix] });
  }
  const { scenarios, features, wallMs } = end;
  const spent = `${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'} in ${(wallMs / 1_000).toFixed(1)} s, ${features.length} situations met, seed ${flags.seed}`;
  if (finding !== null) printFinding(finding, spent);
  else if (interrupted) talkLine(`Interrupted after ${spent}.`);
  else {
    const paint = colourOf(process.stderr);
    if (idle.length === 0) talkLine(`${paint(32, 'nothing found')}  ${file}  ${spent}`);
    else talkLine(`${paint(31, 'not judged')}  ${file}  ${spent}`);
    for (const warning of warnings) talkLine(`       ${warning}`);
    if (idle.length > 0) talkLine('       Look at what the rule names, or search longer: --minutes 10.');
  }
  return code;
}

/** A rule that judged nothing must not pass for one that holds. */
function codeOf({ finding, error, idle }: SearchEnd): number {
  if (error !== null) return error.exitCode;
  if (finding !== null) return EXIT.failed;
  return idle.length > 0 ? EXIT.environment : EXIT.done;
}

function envelopeOf(
  { finding, error, idle, scenarios, features, wallMs }: SearchEnd,
  code: number,
  warnings: string[],
): object {
  const data = {
    finding,
    stories: scenarios,
    situations: features.length,
    wall_ms: wallMs,
    idle_rules: idle.map(({ file, line, text }) => ({ file, line, text })),
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
  fix: 'Look at what the rule names, or search longer: --minutes 10.',
};

function printFinding({ rule, source, path, text, again, ...found }: FoundScenario, spent: string): void {
  const paint = colourOf(process.stderr);
  talkLine(`${paint(31, 'FOUND')}  ${rule.file}:${rule.line}  ${source}`);
  talk(`       ${rule.why.split('\n').join('\n       ')}`);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const how = found.kept
    ? 'It broke in an earlier search, and still does.'
    : `Scenario ${found.story} broke it after ${seconds(found.foundMs)}.`;
  talkLine(`       ${how} Shrunk from ${found.foundSteps} to ${found.steps} steps in ${found.tries} tries.`);
  talk(`\n${text.trimEnd()}\n`);
  talkLine(`written  ${path}`);
  talkLine(`again    ${again}`);
  talkLine(spent);
}
