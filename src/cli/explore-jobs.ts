/** `sandbox explore --jobs n`: processes that search with seeds of their own, until one has found something or all have ended. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SearchEnd, SearchProgress } from '../explore/search.ts';
import type { ExploreFlags } from './explore.ts';
import { JOB_VARIABLE } from './job-variable.ts';
import { CommandError, EXIT, talkOfChild } from './output.ts';

export interface ExploreJobs {
  readonly file: string;
  readonly flags: ExploreFlags;
  readonly jobs: number;
  /** Wall ms; null: `--runs` alone ends the search. */
  readonly limitMs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (all: SearchProgress) => void;
}

/** The ends of all processes; one that was stopped before its search had begun has none. */
export async function searchInProcesses(asked: ExploreJobs): Promise<SearchEnd[]> {
  const { jobs, signal, onProgress } = asked;
  const standings = new Map<number, SearchProgress>();
  const over = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  const onStanding = (index: number, standing: SearchProgress) => {
    standings.set(index, standing);
    const all = [...standings.values()];
    const first = all.find(({ doing }) => doing !== 'search') ?? standing;
    const stories = all.reduce((sum, one) => sum + one.stories, 0);
    onProgress({ ...first, stories, features: Math.max(...all.map(({ features }) => features)) });
  };
  const ends = await Promise.all(
    Array.from({ length: jobs }, async (_, index) => {
      const end = await searchShare(asked, index, over.signal, (standing) => onStanding(index, standing));
      if (end !== null && (end.finding !== null || end.error !== null)) stop();
      return end;
    }),
  );
  signal.removeEventListener('abort', stop);
  return ends.filter((end) => end !== null);
}

function searchShare(
  { file, flags, jobs, limitMs }: ExploreJobs,
  index: number,
  signal: AbortSignal,
  onProgress: (standing: SearchProgress) => void,
): Promise<SearchEnd | null> {
  const script = process.argv[1];
  if (script === undefined) throw new CommandError(EXIT.bug, 'no_script', 'The command does not know its own file.');
  const { seed, runs, out } = flags;
  const words = [
    ...['explore', file, '--seed', seed, '--share', `${index + 1}/${jobs}`],
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(limitMs === null ? [] : ['--minutes', String(limitMs / 60_000)]),
    ...(out === undefined ? [] : ['--out', out]),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GITHUB_ACTIONS: '', [JOB_VARIABLE]: '1' },
    });
    let end: SearchEnd | null = null;
    let stderr = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as { progress?: SearchProgress; end?: SearchEnd };
      if (said.progress !== undefined) onProgress(said.progress);
      if (said.end !== undefined) end = said.end;
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes;
    });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (end !== null || signal.aborted) return resolve(end);
      if (stderr !== '') talkOfChild(stderr.trimEnd());
      const message = `A process of --jobs ended with ${code} before its search was over.`;
      reject(new CommandError(EXIT.environment, 'job_ended', message, { actions: ['Run it again with --jobs 1.'] }));
    });
  });
}

/** A rule was idle if it was idle in every process. */
export function mergedEnd(ends: readonly SearchEnd[]): SearchEnd {
  const findings = ends.flatMap(({ finding }) => (finding === null ? [] : [finding]));
  const [first] = ends;
  const idle = (first?.idle ?? []).filter((rule) =>
    ends.every((end) => end.idle.some(({ line }) => line === rule.line)),
  );
  return {
    finding: findings.toSorted((a, b) => a.steps - b.steps)[0] ?? null,
    stories: ends.reduce((sum, { stories }) => sum + stories, 0),
    features: [...new Set(ends.flatMap(({ features }) => features))],
    idle: findings.length > 0 ? [] : idle,
    error: findings.length > 0 ? null : (ends.find(({ error }) => error !== null)?.error ?? null),
    wallMs: Math.max(0, ...ends.map(({ wallMs }) => wallMs)),
  };
}
