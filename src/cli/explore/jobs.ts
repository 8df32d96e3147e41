/** `sandbox explore --jobs n`: processes that search with different seeds. */

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

/** Returns the results of all processes. A process that was stopped before its search began has no result. */
export async function searchInProcesses(request: ExploreJobs): Promise<SearchEnd[]> {
  const { jobs, signal, onProgress } = request;
  const standings = new Map<number, SearchProgress>();
  const over = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  const onStanding = (index: number, standing: SearchProgress) => {
    standings.set(index, standing);
    const all = [...standings.values()];
    const first = all.find(({ doing }) => doing !== 'search') ?? standing;
    const sumOf = (key: 'scenarios' | 'found') => all.reduce((sum, one) => sum + one[key], 0);
    onProgress({
      ...first,
      scenarios: sumOf('scenarios'),
      found: sumOf('found'),
      features: Math.max(...all.map(({ features }) => features)),
    });
  };
  const ends = await Promise.all(
    Array.from({ length: jobs }, async (_, index) => {
      const end = await searchShare(request, index, over.signal, (standing) => onStanding(index, standing));
      if (end !== null && end.error !== null) stop();
      return end;
    }),
  );
  signal.removeEventListener('abort', stop);
  return ends.filter((end) => end !== null);
}

async function searchShare(
  { file, flags, jobs, limitMs }: ExploreJobs,
  index: number,
  signal: AbortSignal,
  onProgress: (standing: SearchProgress) => void,
): Promise<SearchEnd | null> {
  const { seed, runs, out } = flags;
  const words = [
    ...['explore', file, '--seed', seed, '--share', `${index + 1}/${jobs}`],
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(limitMs === null ? [] : ['--minutes', String(limitMs / 60_000)]),
    ...(out === undefined ? [] : ['--out', out]),
  ];
  const ends: SearchEnd[] = [];
  const onLine = (line: string) => {
    const message = JSON.parse(line) as { progress?: SearchProgress; end?: SearchEnd };
    if (message.progress !== undefined) onProgress(message.progress);
    if (message.end !== undefined) ends.push(message.end);
  };
  await runLineJob({ words, signal, onLine, isDone: () => ends.length > 0 });
  return ends[0] ?? null;
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
