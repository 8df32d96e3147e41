/** `sandbox explore --jobs n`: searches side by side that draw differently, spread over the cores as processes. */

import { availableParallelism } from 'node:os';
import { sameRule } from '../../proving/explore/play.ts';
import { NOTHING_SEARCHED, type SearchEnd, type SearchProgress } from '../../proving/explore/search.ts';
import { summedStatistics } from '../../proving/explore/statistics.ts';
import { runLineJob } from '../line-job.ts';
import type { ExploreFlags } from './flags.ts';

interface ExploreJobs {
  readonly file: string;
  readonly flags: ExploreFlags;
  readonly jobs: number;
  /** Wall ms; null if only `--runs` ends the search. */
  readonly limitMs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (all: SearchProgress) => void;
}

/** The default of `--jobs` for each core: a search waits for the user's system, and in pauses for `Retry-After`. */
const JOBS_OF_A_CORE = 2;

/** Most jobs by default. Each one has a sandbox and an instance of the user's system. */
const MOST_DEFAULT_JOBS = 8;

/** The default of `--jobs` for a system that the sandbox starts. */
export const defaultJobs = (cores = availableParallelism()): number =>
  Math.min(JOBS_OF_A_CORE * cores, MOST_DEFAULT_JOBS);

/** A process of `--jobs`: its number from 1, and the number of all. */
type ProcessShare = NonNullable<ExploreFlags['share']>;

/** The indexes of the jobs of a process. What a job plays depends on its index and the number of jobs alone. */
export const jobsOf = ({ part, of }: ProcessShare, jobs: number): number[] =>
  Array.from({ length: jobs }, (_, index) => index).filter((index) => index % of === part - 1);

/** A line of JSON of such a process. */
export interface JobLine {
  /** The index of the job. */
  readonly job: number;
  readonly progress?: SearchProgress;
  readonly end?: SearchEnd;
}

/** Returns the results of all jobs. A job that was stopped before its search began has no result. */
export async function searchInProcesses(request: ExploreJobs): Promise<SearchEnd[]> {
  const { jobs, signal, onProgress } = request;
  const standings = new Map<number, SearchProgress>();
  const ends = new Map<number, SearchEnd>();
  const over = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  const onLine = ({ job, progress, end }: JobLine) => {
    if (end !== undefined) ends.set(job, end);
    if (end !== undefined && end.error !== null) stop();
    if (progress === undefined) return;
    standings.set(job, progress);
    const all = [...standings.values()];
    const first = all.find(({ doing }) => doing !== 'search') ?? progress;
    const sumOf = (key: 'scenarios' | 'found') => all.reduce((sum, one) => sum + one[key], 0);
    onProgress({
      ...first,
      scenarios: sumOf('scenarios'),
      found: sumOf('found'),
      features: Math.max(...all.map(({ features }) => features)),
    });
  };
  const of = Math.min(jobs, availableParallelism());
  const shares = Array.from({ length: of }, (_, index) => ({ part: index + 1, of }));
  await Promise.all(
    shares.map((share) => {
      const isDone = () => jobsOf(share, jobs).every((job) => ends.has(job));
      const words = wordsOf(request, share);
      return runLineJob({
        words,
        signal: over.signal,
        onLine: (line) => onLine(JSON.parse(line) as JobLine),
        isDone,
      });
    }),
  );
  signal.removeEventListener('abort', stop);
  return [...ends].toSorted(([a], [b]) => a - b).map(([, end]) => end);
}

function wordsOf({ file, flags, jobs, limitMs }: ExploreJobs, { part, of }: ProcessShare): string[] {
  const { seed, runs, out } = flags;
  return [
    ...['explore', file, '--seed', seed, '--jobs', String(jobs), '--share', `${part}/${of}`],
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(limitMs === null ? [] : ['--minutes', String(limitMs / 60_000)]),
    ...(out === undefined ? [] : ['--out', out]),
  ];
}

/**
 * Merges the results. Of several findings about one rule, one is kept. A rule was idle if it was idle in every process.
 */
export function mergedEnd(ends: readonly SearchEnd[]): SearchEnd {
  const all = ends.flatMap(({ findings }) => findings);
  // A finding that breaks in each run comes before one that does not, then a decided one, then a shorter one.
  const lackOf = ({ flaky, undecided }: SearchEnd['findings'][number]) =>
    2 * Number(flaky !== null) + Number(undecided !== null);
  const ordered = all.toSorted((a, b) => lackOf(a) - lackOf(b) || a.steps - b.steps);
  const findings = ordered.filter(
    ({ rule }, place) => ordered.findIndex((one) => one.rule.line === rule.line) === place,
  );
  const [first] = ends;
  const idle = (first?.idle ?? []).filter((rule) =>
    ends.every((end) => end.idle.some(({ line }) => line === rule.line)),
  );
  return {
    ...NOTHING_SEARCHED,
    findings,
    suspicions: ends.flatMap(({ suspicions }) => suspicions),
    slow: slowestOf(ends),
    unplayed: ends.flatMap(({ unplayed }) => unplayed),
    scenarios: ends.reduce((sum, { scenarios }) => sum + scenarios, 0),
    features: [...new Set(ends.flatMap(({ features }) => features))],
    idle,
    statistics: summedStatistics(ends.map(({ statistics }) => statistics)),
    corpus: ends.flatMap(({ corpus }) => corpus),
    error: findings.length > 0 ? null : (ends.find(({ error }) => error !== null)?.error ?? null),
    wallMs: Math.max(0, ...ends.map(({ wallMs }) => wallMs)),
  };
}

/** Of several pauses about one rule, the longest. */
function slowestOf(ends: readonly SearchEnd[]): SearchEnd['slow'] {
  const ordered = ends.flatMap(({ slow }) => slow).toSorted((a, b) => b.pauseMs - a.pauseMs);
  return ordered.filter((rule, place) => ordered.findIndex((one) => sameRule(one, rule)) === place);
}
