/** Plans the runs of `sandbox run`: the product of files, cases, seeds and orders. */

import { streams } from '../../base/random/streams.ts';
import { declaredName } from '../../base/text/same-name.ts';
import { closest, quoted } from '../../contract/sentences.ts';
import { readYaml } from '../../plant/yaml-source.ts';
import { ownReceivers, type VerifyingReceiver } from '../../scenario/customer/destinations.ts';
import { shownCase, type Values } from '../../scenario/model/scenario.ts';
import { loadScenario } from '../../scenario/reading/load.ts';
import { usage } from '../output.ts';
import { ALL_ORDERS } from './flags.ts';

export interface PlannedRun {
  readonly file: string;
  /** The title of the scenario; the file if that has mistakes. */
  readonly title: string;
  readonly values: Values | null;
  /** If set, overrides the seed of the file. */
  readonly seed: string | undefined;
  /** The order of simultaneous steps; 0 is the order of the file. */
  readonly order: number;
  /** `--shuffle-ties`: work that is due at one instant inside the sandbox is permuted too. */
  readonly shufflesTies: boolean;
  /** True if the file was found in a folder or by its tags, and was not named. */
  readonly isFound: boolean;
  /** True if a receiver of the file has a `url`. */
  readonly mayHaveOwn: boolean;
  /** Folder of the run's reports below the common folder; empty for a single run. */
  readonly folder: string;
}

interface PlanRequest {
  readonly files: readonly string[];
  /** The files that the command line names. */
  readonly named: readonly string[];
  /** Values of `--set`. */
  readonly set: Values;
  /** Values of `--case`, such as `fault=slow`. Values of one name are alternatives; different names are combined. */
  readonly cases: readonly string[];
  /** If empty, the seed of the file, or that of `--seed`, is used. */
  readonly seeds: readonly string[];
  readonly seed: string | undefined;
  readonly order: number;
  readonly shufflesTies: boolean;
  /** The orders of `--orders`, of which only the first is planned here; null without the flag. */
  readonly orders: OrderRange | null;
}

/** Maximum number of runs, to protect against typing errors. */
const MOST_RUNS = 10_000;

export function plannedRuns({
  files,
  named,
  set,
  cases,
  seeds,
  seed,
  order,
  shufflesTies,
  orders,
}: PlanRequest): PlannedRun[] {
  if (orders !== null && Math.max(1, seeds.length) * ordersIn(orders) > MOST_RUNS)
    throw usage('These seeds times these orders are more than 10,000 runs. Write fewer.');
  const isFirstOrder = orders !== null;
  const drawn = (seeds.length === 0 ? [seed] : seeds).map((one) => ({ seed: one, order, shufflesTies }));
  const folders = new Map<string, string>();
  const all = files.flatMap((file, index) => {
    const { all: ofFile, mayHaveOwn, title } = casesOf(file, set, cases);
    return ofFile.flatMap((values) =>
      drawn.map((one) => ({
        file,
        title,
        values,
        mayHaveOwn,
        ...one,
        isFound: !named.includes(file),
        folder: [
          ownFolder(folders, folderOf(file, index, values), JSON.stringify([file, values])),
          ...(seeds.length > 1 ? [`seed=${one.seed}`] : []),
          ...(isFirstOrder ? [`order=${order}`] : []),
        ].join(' '),
      })),
    );
  });
  return all.length === 1 && !isFirstOrder ? all.map((one) => ({ ...one, folder: '' })) : all;
}

/** Numbers the folder if another file or case has it: files of two folders may have one name. */
function ownFolder(folders: Map<string, string>, wanted: string, key: string): string {
  for (let number = 1; ; number++) {
    const folder = number === 1 ? wanted : `${wanted} ${number}`;
    const owner = folders.get(folder);
    if (owner !== undefined && owner !== key) continue;
    folders.set(folder, key);
    return folder;
  }
}

/** The folder of the runs of a file and case. */
function folderOf(file: string, index: number, values: Values | null): string {
  const name = (file.split('/').at(-1) ?? String(index)).replace(/\.scenario\.yaml$/, '');
  const parts = [name, values === null ? '' : shownCase(values)];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replace(/[^\w=,. -]+/g, '_');
}

/** The user's own receivers of all runs, each once. A case may have another address than the first one. */
export function ownReceiversOf(
  runs: readonly PlannedRun[],
  { set, receivers }: { readonly set: Values; readonly receivers: ReadonlyMap<string, string> },
): VerifyingReceiver[] {
  const found = new Map<string, VerifyingReceiver>();
  const read = new Set<string>();
  for (const { file, values, mayHaveOwn } of runs) {
    const key = JSON.stringify([file, values]);
    if ((!mayHaveOwn && receivers.size === 0) || read.has(key)) continue;
    read.add(key);
    const loaded = loadScenario(file, { set, values, receivers });
    // The run itself reports the mistakes of the file.
    for (const own of loaded.ok ? ownReceivers(loaded.scenario.receivers) : []) found.set(JSON.stringify(own), own);
  }
  return [...found.values()];
}

/** Values of `--set` parsed as YAML: `3`, `30s`, `[a, b]`. */
export function valuesOf(settings: readonly string[]): Values {
  return Object.fromEntries(
    settings.map((one) => {
      const [name = '', ...rest] = one.split('=');
      return [name, (readYaml(`it: ${rest.join('=')}`, '--set').value as { it?: unknown })?.it];
    }),
  ) as Values;
}

/** The values of `--set` as they are written: YAML reads `007` as 7. */
export const textsOf = (settings: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(settings.map((one) => [one.split('=')[0] ?? '', one.slice(one.indexOf('=') + 1)]));

/** Reads seeds, such as `1..50`. */
export const seedsOf = (range: string): string[] => rangeOf('--seeds', 'seeds', range, '1..50').map(String);

/** The orders of `--orders`. */
interface OrderRange {
  readonly first: number;
  /** Null for all orders, or for a sample of them. */
  readonly last: number | null;
}

/** Reads `all`, or a range such as `1..5`. 0 is the order of the file. */
export function orderRange(range: string): OrderRange {
  if (range === ALL_ORDERS) return { first: 0, last: null };
  const orders = rangeOf('--orders', 'orders', range, '0..5');
  return { first: orders[0] ?? 0, last: orders.at(-1) ?? 0 };
}

/**
 * Number of orders that are run without a range. If more exist, a seeded sample of this size is run.
 * [scenario-language, Simultaneous work]
 */
const MOST_ORDERS = 24;

/**
 * Plans the runs of the further orders, after the first order has ended. `exist` is the number of orders that it found.
 * Where the file says that its orders may differ (`mayDiffer`), the order of the file judges the others, so it is played
 * too.
 */
export function furtherOrders(
  planned: PlannedRun,
  { exist, seed, mayDiffer }: { readonly exist: number; readonly seed: string; readonly mayDiffer: boolean },
  { first, last }: OrderRange,
): PlannedRun[] {
  const numbers = last === null ? ordersToTry(exist, seed) : between(first, Math.min(last, exist - 1));
  const judge = mayDiffer && first > 0 && first < exist ? [0] : [];
  return [...judge, ...numbers]
    .filter((order) => order !== first)
    .map((order) => ({ ...planned, order, folder: planned.folder.replace(/order=\d+$/, `order=${order}`) }));
}

const ordersIn = ({ first, last }: OrderRange): number => (last === null ? MOST_ORDERS : last - first + 1);

const between = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);

/** Returns all orders, or the order of the file and others that are drawn with the seed. */
function ordersToTry(exist: number, seed: string): number[] {
  if (exist <= MOST_ORDERS) return between(0, exist - 1);
  const { int } = streams(seed).stream('run', 'orders');
  const drawn = new Set([0]);
  while (drawn.size < MOST_ORDERS) drawn.add(int(1, exist - 1));
  return [...drawn].toSorted((a, b) => a - b);
}

function rangeOf(flag: string, what: string, range: string, example: string): number[] {
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(range) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === undefined || last < first) throw usage(`${flag} ${range} is not a range of ${what}. Write ${example}.`);
  if (last - first >= MOST_RUNS) throw usage(`${flag} ${range} are more than 10,000 runs. Write fewer.`);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

interface PlannedCases extends Pick<PlannedRun, 'mayHaveOwn' | 'title'> {
  readonly all: readonly (Values | null)[];
}

/** The cases of a file that `--case` selects, or `[null]` for a single run. */
function casesOf(file: string, set: Values, wanted: readonly string[]): PlannedCases {
  const loaded = loadScenario(file, { set });
  // The run itself reports the mistakes of the file.
  if (!loaded.ok) return { all: [null], mayHaveOwn: true, title: file };
  const { title } = loaded.scenario;
  const mayHaveOwn = loaded.scenario.receivers.some(({ url }) => url !== null);
  if (loaded.cases.length === 0) {
    if (wanted.length > 0) throw usage(`${file} is one run: it has no matrix and no cases for --case.`);
    return { all: [null], mayHaveOwn, title };
  }
  const selection = wantedOf(file, loaded.cases, wanted);
  const kept = loaded.cases.filter((values) =>
    [...selection].every(([name, any]) => any.includes(shownCase({ [name]: values[name] }))),
  );
  if (kept.length > 0) return { all: kept, mayHaveOwn, title };
  const known = loaded.cases.map(shownCase).slice(0, MOST_SHOWN).join('; ');
  throw usage(`${file} has no run with ${wanted.join(' and ')}.`, `It has ${known}.`);
}

/** Maximum number of values or cases in a message. */
const MOST_SHOWN = 10;

/** Reads the selection by name. An unknown name or value is a usage error. */
function wantedOf(file: string, cases: readonly Values[], wanted: readonly string[]): ReadonlyMap<string, string[]> {
  const selection = new Map<string, string[]>();
  const names = [...new Set(cases.flatMap((values) => Object.keys(values)))];
  for (const one of wanted) {
    const name = one.split('=')[0] ?? '';
    if (!names.includes(name)) {
      const meant = closest(name, names);
      const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
      throw usage(
        `--case ${one}: ${quoted(name)} is no name of a case of ${file}.${hint}`,
        `It has ${names.join(', ')}.`,
      );
    }
    const known = [...new Set(cases.map((values) => shownCase({ [name]: values[name] })))];
    const declared = declaredName(known, one);
    if (!known.includes(declared)) {
      const shown = known.slice(0, MOST_SHOWN).join(', ');
      const more = known.length > MOST_SHOWN ? ` and ${known.length - MOST_SHOWN} more` : '';
      const values = known.map((value) => value.slice(name.length + 1));
      const meant = one.includes('=') ? closest(one.slice(name.length + 1), values) : undefined;
      const hint = meant === undefined ? '' : ` Did you mean ${name}=${meant}?`;
      throw usage(`--case ${one}: there is no such case in ${file}.${hint}`, `It has ${shown}${more}.`);
    }
    selection.set(name, [...(selection.get(name) ?? []), declared]);
  }
  return selection;
}
