/** The command line that reproduces a run, with every flag that affected it; failures and reports print it. [scenario-language, Messages] */
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { type RunMode, shownCase, type Values } from './scenario.ts';

/** Everything that determines a run. */
export interface Again {
  readonly file: string;
  readonly seed: string;
  readonly mode: RunMode;
  /** `--speed` of a scaled run, if given. */
  readonly speed?: number | undefined;
  /** The values of this case; null if the file is a single run. */
  readonly values: Values | null;
  readonly set?: Values | undefined;
  readonly receivers?: ReadonlyMap<string, string> | undefined;
  /** The order of simultaneous steps; 0 or absent: the order of the file. */
  readonly order?: number | undefined;
  /** `--shuffle-ties`: the number of the order is counted from 1. */
  readonly shufflesTies?: boolean | undefined;
  /** `--until`; null: the whole scenario. */
  readonly line: number | null;
}

/** Selects the options that determine a run. */
export const againOf = (
  { file, values }: Pick<Again, 'file' | 'values'>,
  seed: string,
  {
    mode,
    speed,
    set,
    receivers,
    order,
    shufflesTies,
  }: Pick<Again, 'mode' | 'speed' | 'set' | 'receivers' | 'order' | 'shufflesTies'>,
): Again => ({ file, seed, mode, speed, values, set, receivers, order, shufflesTies, line: null });

/** With `pause` the run stops after that line and its sandbox stays available for inspection. */
export function commandOf(again: Again, pause = false): string {
  const { file, seed, mode, speed, values, set, receivers, line } = again;
  const flags: (readonly [string, string?])[] = [
    ['--seed', seed],
    ...(mode === 'fast' ? [] : [['--mode', mode] as const]),
    ...(speed === undefined || mode !== 'scaled' ? [] : [['--speed', String(speed)] as const]),
    ...named(values).map((value) => ['--case', value] as const),
    ...named(set).map((value) => ['--set', value] as const),
    ...[...(receivers ?? [])].map(([name, url]) => ['--receiver', `${name}=${url}`] as const),
    ...orderFlag(again),
    ...(line === null ? [] : [['--until', String(line)] as const]),
    ...(pause ? [['--pause'] as const] : []),
  ];
  return [`${CLI} run`, shellWord(file), ...flags.flatMap((words) => words.map((word) => shellWord(word ?? '')))].join(
    ' ',
  );
}

function orderFlag({ order = 0, shufflesTies = false }: Again): (readonly [string, string?])[] {
  if (order === 0) return [];
  if (!shufflesTies) return [['--orders', `${order}..${order}`]];
  return [order === 1 ? ['--shuffle-ties'] : ['--shuffle-ties', String(order)]];
}

const named = (values: Values | null | undefined): string[] =>
  Object.entries(values ?? {}).map(([name, value]) => shownCase({ [name]: value }));
