/** One change to a story: a step that is left out, or one detail of a check that is made wrong. */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';

/** A value put in the place of another; undefined takes the key away. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

/** One way in which a detail can be made wrong. */
export interface Version {
  /** `ana -> luis`. */
  readonly text: string;
  readonly edits: readonly Edit[];
}

/** What the story should notice. */
export interface StoryChange {
  /** The same change in all cases of a matrix. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  /** The word of the step: `wear`. */
  readonly word: string;
  /** `step` where the whole step is left out, else the detail: `object.severity`. */
  readonly detail: string;
  readonly kind: 'left-out' | 'broken';
  /** The reading of the file refuses some; the first that it takes decides. */
  readonly versions: readonly Version[];
  /** A wrong value can be true on the way to the right one, or of somebody else: one version that is noticed is enough. */
  readonly anyVersion: boolean;
  /** Why the story need not notice it, as the file says beside the step. */
  readonly equivalent: string | null;
}

/** The value with the edits made; what is not on their way is shared. */
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
