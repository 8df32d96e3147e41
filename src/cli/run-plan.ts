/** Which runs `sandbox run` makes: each file, each of its cases, each seed, each order of ties. */
import { readYaml } from '../plant/yaml-source.ts';
import { shownCase, type Values } from '../scenario/bindings.ts';
import { loadStory } from '../scenario/load.ts';
import { usage } from './exit.ts';

/** One run to be made. */
export interface PlannedRun {
  readonly file: string;
  readonly values: Values | null;
  /** Wins over that of the file. */
  readonly seed: string | undefined;
  /** The order of ties; 0: the usual one. */
  readonly order: number;
  /** Of its reports, under the folder of all; empty where there is one run only. */
  readonly folder: string;
}

export interface PlanAsked {
  readonly files: readonly string[];
  /** What `--set` says. */
  readonly set: Values;
  /** What `--case` asks for: `fault=slow`. */
  readonly cases: readonly string[];
  /** Empty: the file's own, or the one of `--seed`. */
  readonly seeds: readonly string[];
  readonly seed: string | undefined;
  /** At least one. */
  readonly orders: readonly number[];
}

/** More runs than this are a slip of the keyboard. */
const MOST_RUNS = 10_000;

export function plannedRuns({ files, set, cases, seeds, seed, orders }: PlanAsked): PlannedRun[] {
  if (Math.max(1, seeds.length) * orders.length > MOST_RUNS)
    throw usage('These seeds times these orders are more than 10,000 runs. Write fewer.');
  const drawn = (seeds.length === 0 ? [seed] : seeds).flatMap((one) => orders.map((order) => ({ seed: one, order })));
  const all = files.flatMap((file, index) =>
    casesOf(file, set, cases).flatMap((values) =>
      drawn.map((one) => ({
        ...{ file, values, ...one },
        folder: folderOf(file, index, values, [
          ...(seeds.length > 1 ? [`seed=${one.seed}`] : []),
          ...(orders.length > 1 ? [`order=${one.order}`] : []),
        ]),
      })),
    ),
  );
  return all.length === 1 ? all.map((one) => ({ ...one, folder: '' })) : all;
}

/** With several runs each has a folder of its own. */
function folderOf(file: string, index: number, values: Values | null, drawn: readonly string[]): string {
  const name = (file.split('/').at(-1) ?? String(index)).replace(/\.scenario\.yaml$/, '');
  const parts = [name, values === null ? '' : shownCase(values), ...drawn];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replace(/[^\w=,. -]+/g, '_');
}

/** What `--set` says, as YAML would read it: `3`, `30s`, `[a, b]`. */
export function valuesOf(told: readonly string[]): Values {
  return Object.fromEntries(
    told.map((one) => {
      const [name = '', ...rest] = one.split('=');
      return [name, (readYaml(`it: ${rest.join('=')}`, '--set').value as { it?: unknown })?.it];
    }),
  ) as Values;
}

/** `1..50` as seeds. */
export const seedsOf = (range: string): string[] => rangeOf('--seeds', 'seeds', range, '1..50').map(String);

/** `1..5` as orders of ties; 0 is the usual one. */
export const ordersOf = (range: string): number[] => rangeOf('--orders', 'orders', range, '1..5');

function rangeOf(flag: string, what: string, range: string, example: string): number[] {
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(range) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === undefined || last < first) throw usage(`${flag} ${range} is not a range of ${what}. Write ${example}.`);
  if (last - first >= MOST_RUNS) throw usage(`${flag} ${range} are more than 10,000 runs. Write fewer.`);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** The runs that a file stands for and `--case` asks for; null for a file that is one run. */
function casesOf(file: string, set: Values, wanted: readonly string[]): (Values | null)[] {
  const loaded = loadStory(file, { set });
  // Its mistakes are told by the run.
  if (!loaded.ok) return [null];
  if (loaded.cases.length === 0) {
    if (wanted.length > 0) throw usage(`${file} is one run: it has no matrix and no cases for --case.`);
    return [null];
  }
  const kept = loaded.cases.filter((values) => {
    const told = Object.entries(values).map(([name, value]) => shownCase({ [name]: value }));
    return wanted.every((one) => told.includes(one));
  });
  if (kept.length > 0) return kept;
  const known = loaded.cases.map(shownCase).slice(0, 10).join('; ');
  throw usage(`${file} has no run with ${wanted.join(' and ')}. It has ${known}.`);
}
