/**
 * How many of the planted mistakes `sandbox explore` finds, and at what cost:
 * `node --import tsx bench/control-rooms/measure.ts --results FILE [--minutes N] [--seed N] [--jobs N]
 * [--only SYSTEM[/SWITCH]] [--full] [--right [--runs N]] [--sandbox COMMAND] [--beside FILE]`.
 *
 * Each row is written to FILE at once, and a row that FILE has is not measured again. A search ends soon after its first
 * finding; `--full` lets it go on. `--right` counts the findings in the correct systems instead: false alarms.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlRoom, commandLine, copied, padded, selected } from './set.ts';

/** The fields of the JSON result of `explore` that the table needs. */
interface Finding {
  readonly rule: { readonly line: number; readonly text: string };
  readonly flaky: unknown;
  readonly foundMs: number;
  readonly story: number;
}
interface Searched {
  readonly findings: readonly Finding[];
  readonly unconfirmed: readonly unknown[];
  readonly stories: number;
}

interface Row {
  readonly family: string;
  readonly found: boolean;
  /** Processor seconds until the finding (sampled; Linux only), and of the whole search with all its children. */
  readonly cpuToFindingS: number | null;
  readonly cpuS: number;
  /** Wall seconds until the finding, and of the whole search. */
  readonly wallToFindingS: number | null;
  readonly wallS: number;
  /** The scenario that found it, and all that were played. */
  readonly foundIn: number | null;
  readonly scenarios: number;
  readonly rules: readonly string[];
  readonly flaky: string;
  readonly unconfirmed: number;
  readonly exit: number | null;
}

const SAMPLE_MS = 200;
const TICKS_PER_S = 100;
const WIDTHS = [32, 11, 9, 8, 8, 8, 9, 6, 0];
const HEAD = ['switch', 'family', 'found', 'cpu s', 'all cpu', 'wall s', 'scenarios', 'flaky', 'rule'];

const { only, sandbox, text, has } = commandLine(
  ['results', 'minutes', 'seed', 'jobs', 'runs', 'beside'],
  ['right', 'full'],
);
const results = text('results');
if (results === undefined) throw new Error('--results FILE is missing: the file that gets a row for each switch.');
/** The rows of another version, for a Markdown table of both. */
const beside = text('beside');
const isRight = has('right');
const settings = {
  sandbox,
  minutes: Number(text('minutes') ?? 2),
  seed: text('seed') ?? '1',
  jobs: Number(text('jobs') ?? 1),
  runs: Number(text('runs') ?? 300),
  full: has('full'),
};
const limits = isRight ? ['--runs', `${settings.runs}`] : ['--minutes', `${settings.minutes}`];

const stored = existsSync(results)
  ? (JSON.parse(readFileSync(results, 'utf8')) as { settings: typeof settings; rows: Record<string, Row> })
  : { settings, rows: {} };
if (JSON.stringify(stored.settings) !== JSON.stringify(settings)) {
  throw new Error(`${results} was measured with ${JSON.stringify(stored.settings)}: name another file.`);
}

/** Processor seconds of a process and all below it, those that it waited for included. Null: this system does not tell. */
function cpuOfTree(root: number): number | null {
  if (process.platform !== 'linux') return null;
  const below = new Map<number, number[]>();
  const spent = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const pid = Number(name);
      below.set(fields[1] ?? 0, [...(below.get(fields[1] ?? 0) ?? []), pid]);
      spent.set(pid, [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] ?? 0), 0) / TICKS_PER_S);
    } catch {
      // The process ended meanwhile.
    }
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(below.get(pid) ?? []));
  return tree.reduce((sum, pid) => sum + (spent.get(pid) ?? 0), 0);
}

/** `times` of a shell: user and system seconds of its children, in its second line. */
function secondsOf(times: string): number {
  const parts = [...(times.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/** Runs one search in a copy of the system. */
async function search(room: ControlRoom, bug: string, family: string): Promise<Row> {
  const { folder, remove } = copied(room);
  const flags = ['--seed', settings.seed, '--jobs', `${settings.jobs}`, '--json', ...limits].join(' ');
  // Ctrl-C ends the search with its result; the shell stays for its `times`.
  const line = `trap : INT; ${sandbox} explore ${room.rules} ${flags} >result.json; code=$?; times >times.txt; exit $code`;
  const begun = performance.now();
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    detached: true,
    env: Object.assign({}, process.env, { BUG: bug, TMPDIR: folder }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const root = child.pid ?? 0;
  const stop = () => process.kill(-root, 'SIGINT');
  const cancel = () => {
    stop();
    process.exit(130);
  };
  process.once('SIGINT', cancel);
  const samples: { readonly atMs: number; readonly cpuS: number | null }[] = [];
  const sampling = setInterval(() => {
    samples.push({ atMs: performance.now() - begun, cpuS: cpuOfTree(root) });
  }, SAMPLE_MS);
  let isStopped = false;
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    if (isRight || settings.full || isStopped || !/\d+ found/.test(part)) return;
    isStopped = true;
    stop();
  });
  const exit = await new Promise<number | null>((done) => child.on('close', done));
  clearInterval(sampling);
  process.off('SIGINT', cancel);
  const wallS = (performance.now() - begun) / 1000;
  try {
    const { data } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as { data: Searched };
    const [first] = [...data.findings].sort((one, other) => one.foundMs - other.foundMs);
    const sample = first === undefined ? undefined : samples.find(({ atMs }) => atMs >= first.foundMs);
    return {
      family,
      found: first !== undefined,
      cpuToFindingS: sample?.cpuS ?? null,
      cpuS: secondsOf(readFileSync(join(folder, 'times.txt'), 'utf8')),
      wallToFindingS: first === undefined ? null : first.foundMs / 1000,
      wallS,
      foundIn: first?.story ?? null,
      scenarios: data.stories,
      rules: data.findings.map(({ rule }) => `${rule.line}: ${rule.text}`),
      flaky: first === undefined ? '' : first.flaky === null ? 'no' : JSON.stringify(first.flaky),
      unconfirmed: data.unconfirmed.length,
      exit,
    };
  } finally {
    remove();
  }
}

const figure = (value: number | null): string => (value === null ? '' : value.toFixed(1));

function printed(name: string, row: Row): string {
  const counted = row.foundIn === null ? `${row.scenarios}` : `${row.foundIn}/${row.scenarios}`;
  const cells = [
    figure(row.cpuToFindingS),
    figure(row.cpuS),
    figure(row.wallToFindingS ?? row.wallS),
    counted,
    row.flaky,
  ];
  return padded([name, row.family, row.found ? 'found' : 'no', ...cells, row.rules.join('; ')], WIDTHS);
}

console.log(padded(HEAD, WIDTHS));
for (const { room, switches } of selected(only)) {
  const plays = isRight ? [{ name: '', family: '' }] : switches;
  for (const { name, family } of plays) {
    const key = isRight ? `${room.name} (correct)` : `${room.name}/${name}`;
    stored.rows[key] ??= await search(room, name, family);
    writeFileSync(results, `${JSON.stringify(stored, null, 2)}\n`);
    console.log(printed(key, stored.rows[key]));
  }
}
if (beside !== undefined) {
  const { rows: before } = JSON.parse(readFileSync(beside, 'utf8')) as typeof stored;
  const cells = (row: Row | undefined): string =>
    row === undefined ? ' | ' : row.found ? `${figure(row.cpuToFindingS ?? row.cpuS)} | ${row.foundIn}` : '– | –';
  console.log('\n| switch | family | cpu s before | scenario | cpu s | scenario |\n|---|---|--:|--:|--:|--:|');
  for (const [name, row] of Object.entries(stored.rows))
    console.log(`| \`${name}\` | ${row.family} | ${cells(before[name])} | ${cells(row)} |`);
}
const measured = Object.values(stored.rows);
const found = measured.filter((row) => row.found);
const costs = found.map((row) => row.cpuToFindingS ?? row.cpuS).sort((one, other) => one - other);
const median = costs[Math.floor(costs.length / 2)] ?? null;
if (isRight) console.log(`${measured.reduce((sum, row) => sum + row.rules.length, 0)} false alarms`);
else
  console.log(
    `${found.length} of ${measured.length} found; the median of those took ${figure(median)} s of processor time`,
  );
