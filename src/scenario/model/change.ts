/** A mutation of a scenario: a step that is left out or has another value, another threshold, or one wrong detail of a check. */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';

/** Replaces a value; undefined removes its key. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

export interface Version {
  /** For example `ana -> luis`. */
  readonly text: string;
  readonly edits: readonly Edit[];
}

/**
 * `left-out`: without the step. `other`: the step with another worker or value. `threshold`: another threshold of
 * `service`. `broken`: an expected value is wrong. `inverted`: a `never` is inverted, so that its failure is not one of
 * the original check.
 */
type MutationKind = 'left-out' | 'other' | 'threshold' | 'broken' | 'inverted';

/** A mutation that the scenario should detect. */
export interface ScenarioChange {
  /** Identifies the same mutation across all cases of a matrix. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  /** Of the step, the rule or the section in the file as one map. */
  readonly path: Path;
  /** The word of the step, such as `wear`. */
  readonly word: string;
  /** `step` if the whole step is left out, else the detail, such as `object.severity`. */
  readonly detail: string;
  readonly kind: MutationKind;
  /** Variants in order; the first that the reader accepts is played. */
  readonly versions: readonly Version[];
  /** True if one detected variant suffices, because a wrong value may be true briefly, or for another person. */
  readonly anyVersion: boolean;
  /** The reason in `equivalent` why the scenario need not detect the mutation. */
  readonly equivalent: string | null;
}

/**
 * Returns true for changes of the events, which can make any check fail; other mutations only make their own check
 * fail.
 */
export const isOfCause = ({ kind }: Pick<ScenarioChange, 'kind'>): boolean =>
  kind === 'left-out' || kind === 'other' || kind === 'threshold';

/** A check, `never` or rule of a scenario. */
export interface ScenarioCheck {
  /** Identifies the same check across all cases of a matrix. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  /** `expect`, `never`, `every`. */
  readonly word: string;
  /** The check as YAML on one line. */
  readonly text: string;
  /** The reason in `equivalent: {idle: why}` why the check fails under no change. */
  readonly idle: string | null;
}

/** A copy with the edits applied; unchanged parts are shared. */
export function edited(value: JsonMap, edits: readonly Edit[]): JsonMap {
  return edits.reduce<JsonMap>((now, { path, value: to }) => replaced(now, path, to) as JsonMap, value);
}

function replaced(value: unknown, path: Path, to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  if (Array.isArray(value)) return value.map((item: unknown, i) => (i === key ? replaced(item, rest, to) : item));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [
    name,
    name === key ? replaced(item, rest, to) : item,
  ]);
  const known = Object.hasOwn(value, key) ? entries : [...entries, [String(key), to] as [string, unknown]];
  return Object.fromEntries(known.filter(([, item]) => item !== undefined));
}
