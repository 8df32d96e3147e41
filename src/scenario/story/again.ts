/** The command that plays a run again, with every flag that mattered: of a failure, and of a report. [scenario-language, Messages] */
import { shownCase, type Values } from './bindings.ts';
import type { RunMode } from './story.ts';

/** What a run followed from. */
export interface Again {
  readonly file: string;
  readonly seed: string;
  readonly mode: RunMode;
  /** The `--speed` of a scaled run, where it was given. */
  readonly speed?: number | undefined;
  /** The values of this case; null where the file is one run. */
  readonly values: Values | null;
  readonly set?: Values | undefined;
  readonly receivers?: ReadonlyMap<string, string> | undefined;
  /** Of `--shuffle-ties`, counted from 1; 0 or absent: the usual order. */
  readonly order?: number | undefined;
  /** Up to this line; null: all of it. */
  readonly line: number | null;
}

/** All of a run; what it does not follow from is left out. */
export const againOf = (
  { file, values }: Pick<Again, 'file' | 'values'>,
  seed: string,
  { mode, speed, set, receivers, order }: Pick<Again, 'mode' | 'speed' | 'set' | 'receivers' | 'order'>,
): Again => ({ file, seed, mode, speed, values, set, receivers, order, line: null });

/** With `pause` it stops behind that line and leaves the sandbox up, so that a person can look. */
export function commandOf(again: Again, pause = false): string {
  const { file, seed, mode, speed, values, set, receivers, order = 0, line } = again;
  const flags: (readonly [string, string?])[] = [
    ['--seed', seed],
    ...(mode === 'fast' ? [] : [['--mode', mode] as const]),
    ...(speed === undefined || mode !== 'scaled' ? [] : [['--speed', String(speed)] as const]),
    ...named(values).map((value) => ['--case', value] as const),
    ...named(set).map((value) => ['--set', value] as const),
    ...[...(receivers ?? [])].map(([name, url]) => ['--receiver', `${name}=${url}`] as const),
    ...(order === 0 ? [] : order === 1 ? [['--shuffle-ties'] as const] : [['--shuffle-ties', String(order)] as const]),
    ...(line === null ? [] : [['--until', String(line)] as const]),
    ...(pause ? [['--pause'] as const] : []),
  ];
  return ['sandbox run', pasted(file), ...flags.flatMap((words) => words.map((word) => pasted(word ?? '')))].join(' ');
}

const named = (values: Values | null | undefined): string[] =>
  Object.entries(values ?? {}).map(([name, value]) => shownCase({ [name]: value }));

/** A word as a shell takes it. */
function pasted(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
