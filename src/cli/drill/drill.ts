/** `sandbox drill`: many seeded musters of a plant in fast time, as percentiles, with a report that compares two layouts. [cli] */

import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { readShipped, shippedPath } from '../../base/shipped.ts';
import { CLI } from '../../base/text/command-form.ts';
import { declaredName } from '../../base/text/same-name.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { monotonicMs, nextTurn } from '../../base/time/timers.ts';
import { MUSTER_KINDS } from '../../contract/enumerations.ts';
import { closest, list, plural, quoted } from '../../contract/sentences.ts';
import { drillData, peopleOfRunsCsv, runsCsv } from '../../proving/drill/data.ts';
import { type DrillFigures, figuresOf } from '../../proving/drill/figures.ts';
import { drillHtml } from '../../proving/drill/html-report.ts';
import { type DrillLayout, pointsOf, readLayout } from '../../proving/drill/layout.ts';
import { type DrillRun, type DrillSetting, playDrill, seedOfRun } from '../../proving/drill/play.ts';
import { peopleText } from '../../proving/drill/words.ts';
import { besides } from '../../sandbox/options/values.ts';
import { VERSION } from '../../sandbox/version.ts';
import { checkedSiteFile } from '../../scenario/mend/checked-part.ts';
import { CommandError, colourOf, EXIT, envelope, out, talkLine, usage } from '../output.ts';
import {
  addReportFlags,
  envelopeText,
  mainReport,
  type RequestedReports,
  requestedReports,
  writeReports,
} from '../reports.ts';
import { progress } from '../run/sink.ts';
import { runUntilSignal } from '../signals.ts';
import { readText, talkRemarks, unsoundSite } from '../up/options.ts';
import { count, drawnSeed, durationOf, MOST_JOBS, many, seedOrRandom, shard, wholeNumber } from '../values.ts';
import { verdictLine } from '../verdict.ts';
import type { DrillFlags } from './flags.ts';
import { type DrillRow, drillInProcesses } from './jobs.ts';
import { drillFacts, printDrill } from './lines.ts';

/** The analysis rule of IMO asks for at least 50 runs of a case. [realism 1.3] */
const DEFAULT_RUNS = 50;
const MOST_RUNS = 10_000;
const MOST_DEFAULT_JOBS = 4;

/** If the product of people and runs per process is smaller, another process takes longer to start than it saves. */
const LEAST_FOR_A_JOB = 5_000;

const SITES = 'scenarios/sites';
const DEFAULT_SITE = 'terminal-puerto-alerce';
const DEFAULT_AFTER_MS = 10 * 60_000;
const DEFAULT_LIMIT_MS = 60 * 60_000;

const HELP = `
Simulates the evacuation of a plant many times, without API, broker and watches. In each run, people work until
the alarm, finish what they are doing, and walk to an assembly point. The seed determines the people, habits and
delays of each run.

The figures are medians and 95th percentiles over all runs: when 50, 90 and 100 % of the people were safe, by
assembly point and by zone; who was not safe, and why; and where queues formed. A person is safe when they reach a
point that serves this kind of muster and stay there. This is their real position, not that of a watch.

The walking model is verified with published tests, but not validated with measurements of your plant. Use it to
compare layouts, and hold drills with people.

Examples:
  ${CLI} drill                                                    the first bundled plant, a general muster, ${DEFAULT_RUNS} runs
  ${CLI} drill --site my-plant.yaml --kind tsunami --runs 100
  ${CLI} drill --site my-plant.yaml --exclude "Gate A"             without the assembly point Gate A
  ${CLI} drill --site today.yaml --compare new-gate.yaml --report html
  ${CLI} drill --site my-plant.yaml --people 500 --json
  ${CLI} drill --site my-plant.yaml --report csv --out drill       writes drill/runs.csv and drill/people.csv

Exit codes: 0 done, 2 wrong usage or an invalid file, 3 a report cannot be written, 5 our bug, 130 interrupted.`;

export function defineDrill(program: Command, ended: (code: number) => void): void {
  const drilling = program
    .command('drill')
    .description('simulate the evacuation of a plant many times: percentiles, queues, comparison of two layouts')
    .addOption(
      new Option(
        '--site <file>',
        `site file or bundled plant; give it twice to compare two layouts (default: ${DEFAULT_SITE})`,
      ).argParser(many),
    )
    .option('--compare <file>', 'site file of the second layout')
    .addOption(new Option('--kind <kind>', 'kind of the muster').choices(MUSTER_KINDS).default('general'))
    .addOption(new Option('--runs <n>', 'number of runs').argParser(wholeNumber(MOST_RUNS)).default(DEFAULT_RUNS))
    .option('--seed <n>', 'number that determines people, habits and delays; "random" selects one', seedOrRandom, '1')
    .addOption(new Option('--people <n>', 'number of people (default: that of the site file)').argParser(count))
    .addOption(new Option('--watches <n>', 'same as --people, since each person wears one watch').argParser(count))
    .addOption(new Option('--exclude <point>', 'assembly point that cannot be used (repeatable)').argParser(many))
    .addOption(
      new Option('--after <duration>', 'simulated time from the start of the shift to the alarm')
        .argParser(durationOf)
        .default(DEFAULT_AFTER_MS, formatDuration(DEFAULT_AFTER_MS)),
    )
    .addOption(
      new Option(
        '--limit <duration>',
        'longest simulated time after the alarm; a run ends earlier when nobody moves any more',
      )
        .argParser(durationOf)
        .default(DEFAULT_LIMIT_MS, formatDuration(DEFAULT_LIMIT_MS)),
    )
    .addOption(
      new Option('--jobs <n>', 'number of processes (default: one per core, at most 4)').argParser(
        wholeNumber(MOST_JOBS),
      ),
    )
    .option('--json', 'print the figures as one JSON object')
    .addOption(new Option('--share <part>').argParser(shard).hideHelp());
  addReportFlags(drilling)
    .addHelpText('after', HELP)
    .action(async (flags: DrillFlags, command: Command) =>
      ended(await drill({ ...flags, seed: drawnSeed(flags.seed) }, requestedReports('drill', command))),
    );
}

async function drill(flags: DrillFlags, reports: RequestedReports<'drill'>): Promise<number> {
  const { runs, seed, share, json } = flags;
  const layouts = layoutsOf(flags);
  const setting = settingOf(flags, layouts);
  const running = runUntilSignal();
  const interrupt = new AbortController();
  void running.ended.then(() => interrupt.abort());
  const { signal } = interrupt;
  try {
    const begunMs = monotonicMs();
    if (share === undefined)
      talkLine(
        `${setting.kind} drill of ${layouts.map(({ label, people }) => `${label} (${peopleText(people)})`).join(' and ')}, ${plural(runs, 'run')}`,
      );
    const bar = progress();
    const rows: DrillRow[] = [];
    const take = (row: DrillRow): void => {
      rows.push(row);
      bar.show(standing(rows.length / layouts.length, runs, monotonicMs() - begunMs));
    };
    const work = layouts.reduce((sum, { people }) => sum + people * runs, 0);
    const useful = Math.min(availableParallelism(), MOST_DEFAULT_JOBS, Math.ceil(work / LEAST_FOR_A_JOB));
    const jobs = Math.min(runs, flags.jobs ?? useful);
    if (share !== undefined) await playAll(layouts, setting, flags, signal, (row) => out(JSON.stringify(row)));
    else if (jobs > 1) await drillInProcesses({ flags, jobs, signal, onRow: take });
    else await playAll(layouts, setting, flags, signal, take);
    bar.stop();
    if (share !== undefined) return signal.aborted ? EXIT.interrupted : EXIT.done;
    const figures = figuresOfRows(layouts, setting, rows);
    const done = figures[0]?.runs.length ?? 0;
    const line = envelope('drill', drillData(seed, runs, figures));
    if (done > 0) {
      if (json !== true) printDrill(figures, seed, runs);
      writeReports(reports, {
        'report.html': () => drillHtml({ layouts: figures, seed, runsRequested: runs, version: VERSION }),
        'report.json': () => envelopeText(line),
        'runs.csv': () => runsCsv(figures),
        'people.csv': () => peopleOfRunsCsv(figures),
      });
    }
    if (signal.aborted && done < runs)
      throw new CommandError(EXIT.interrupted, 'interrupted', `Interrupted after ${done} of ${plural(runs, 'run')}.`, {
        details: { runs_done: done, runs_asked: runs },
        retryable: true,
        actions: ['Run it again.'],
      });
    if (json === true) out(JSON.stringify(line));
    const counts = plural(done * layouts.length, 'run');
    const facts = [...drillFacts(figures), `${((monotonicMs() - begunMs) / 1_000).toFixed(1)} s`];
    talkLine(verdictLine({ word: 'DONE', counts, facts, report: mainReport(reports) }, colourOf(process.stderr)));
    return EXIT.done;
  } finally {
    running.done();
  }
}

/** Plays the runs of the share, in order. Each run is played in every layout before the next run begins. */
async function playAll(
  layouts: readonly DrillLayout[],
  setting: DrillSetting,
  { runs, seed, share = { part: 1, of: 1 } }: DrillFlags,
  signal: AbortSignal,
  onRow: (row: DrillRow) => void,
): Promise<void> {
  const pause = {
    breathe: () => new Promise<void>((done) => void nextTurn(done)),
    isOver: () => signal.aborted,
  };
  for (let number = share.part; number <= runs; number += share.of)
    for (const [layout, plan] of layouts.entries()) {
      const run = await playDrill(plan, setting, { run: number, seed: seedOfRun(seed, number) }, pause);
      if (run === null) return;
      onRow({ layout, run });
    }
}

/** The figures of all runs. After an interrupted comparison, these are the runs that ended in both layouts. */
function figuresOfRows(
  layouts: readonly DrillLayout[],
  setting: DrillSetting,
  rows: readonly DrillRow[],
): DrillFigures[] {
  const byLayout = layouts.map(() => new Map<number, DrillRun>());
  for (const { layout, run } of rows) byLayout[layout]?.set(run.run, run);
  const numbers = [...(byLayout[0]?.keys() ?? [])].filter((number) => byLayout.every((runs) => runs.has(number)));
  if (numbers.length === 0) return [];
  return layouts.map((layout, i) =>
    figuresOf(
      layout,
      setting,
      numbers.sort((a, b) => a - b).map((number) => byLayout[i]!.get(number)!),
    ),
  );
}

function layoutsOf({ site, compare, people, watches }: DrillFlags): DrillLayout[] {
  const files = [...(site ?? [DEFAULT_SITE]), ...(compare === undefined ? [] : [compare])];
  if (files.length > 2) throw usage(`A drill compares two layouts, but ${files.length} were named.`);
  if (people !== undefined && watches !== undefined && people !== watches)
    throw usage('--people and --watches are the same number. Leave out one of the two.');
  return files.map((file) => layoutOf(file, people ?? watches));
}

function layoutOf(file: string, people: number | undefined): DrillLayout {
  const bundled = bundledPlants();
  const isFile = existsSync(file);
  if (!isFile && !bundled.includes(file)) {
    const meant = closest(file, bundled);
    throw usage(
      `The site file ${file} does not exist.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
      `Name a file, or a bundled plant: ${list(bundled)}.`,
    );
  }
  const text = isFile ? readText(file, 'site file') : readShipped(`${SITES}/${file}.yaml`);
  const read = (seed: string) => checkedSiteFile(text, file, { seed, readFile: besides(file) });
  const { layout, mistakes, ...remarks } = readLayout({ label: file, read }, people);
  if (layout === null) throw unsoundSite(mistakes, file, text);
  talkRemarks(remarks, text);
  if (people !== undefined && people < layout.named)
    throw usage(`${file} names ${layout.named} workers, more than ${people}. Write --people ${layout.named} or more.`);
  return layout;
}

function bundledPlants(): string[] {
  const folder = shippedPath(SITES);
  const names = folder === null ? [] : readdirSync(folder);
  return names.flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -'.yaml'.length)] : []));
}

/** Throws a usage error if no assembly point serves the kind, or if an excluded point does not exist. */
function settingOf({ kind, exclude = [], after, limit }: DrillFlags, layouts: readonly DrillLayout[]): DrillSetting {
  const names = layouts.flatMap((layout) => pointsOf(layout, kind, []).map(({ name }) => name));
  const excluded = exclude.map((name) => declaredName(names, name));
  for (const name of excluded) {
    if (names.includes(name)) continue;
    const meant = closest(name, names);
    throw usage(
      `--exclude ${quoted(name)}: there is no such assembly point.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
      `There are ${list([...new Set(names)])}.`,
    );
  }
  for (const layout of layouts) {
    if (pointsOf(layout, kind, excluded).some(({ serves }) => serves)) continue;
    const left = excluded.length === 0 ? '' : ' that is not excluded';
    const served = MUSTER_KINDS.filter((one) => pointsOf(layout, one, excluded).some(({ serves }) => serves));
    throw usage(
      `No assembly point of ${layout.label}${left} serves the kind ${kind}: in such a muster nobody can be safe.`,
      served.length === 0 ? 'None serves any kind.' : `Served: ${list(served)}.`,
    );
  }
  return { kind, excluded, afterMs: after, limitMs: limit };
}

function standing(done: number, runs: number, tookMs: number): string {
  const perSecond = (done * 1_000) / Math.max(1, tookMs);
  const leftMs = perSecond === 0 ? 0 : Math.ceil((runs - done) / perSecond) * 1_000;
  return `drill ${Math.floor(done)} of ${runs} runs, ${perSecond.toFixed(1)} a second, ${formatDuration(leftMs)} left`;
}
