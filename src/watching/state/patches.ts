/** The differences between two states of an object, as JSON: a record has each object once, and then what changed of it. */

/** A replaced value is in a list of one; a map has the patches of those keys whose values changed. */
export type Patch = readonly [value: unknown] | { readonly [key: string]: Patch };

/** Null: nothing changed. An object with other keys, and a list of another length, is replaced as a whole. */
export function patchOf(before: unknown, after: unknown): Patch | null {
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after))
    return before === after ? null : [after];
  const keys = Object.keys(after);
  const isAlike = keys.length === Object.keys(before).length && keys.every((key) => Object.hasOwn(before, key));
  if (!isAlike) return [after];
  const patch: Record<string, Patch> = {};
  let count = 0;
  for (const key of keys) {
    const part = patchOf(before[key], after[key]);
    if (part === null) continue;
    patch[key] = part;
    count++;
  }
  return count === 0 ? null : patch;
}

/** Unchanged parts are those of `before`. */
export function patched(before: unknown, patch: Patch): unknown {
  if (isReplaced(patch)) return patch[0];
  const next: JsonNode = Array.isArray(before) ? ([...before] as unknown as JsonNode) : { ...(before as JsonNode) };
  for (const [key, part] of Object.entries(patch)) next[key] = patched(next[key], part);
  return next;
}

interface JsonNode {
  [key: string]: unknown;
}

const isNested = (value: unknown): value is JsonNode => typeof value === 'object' && value !== null;
const isReplaced = (patch: Patch): patch is readonly [unknown] => Array.isArray(patch);
