/** Merges the maps of a file and its parts by their keys. */

import { nameForm } from '../../base/text/same-name.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';

/** The keys of `above` override those of `below`. */
export function mergeFields(below: JsonMap, above: JsonMap): JsonMap {
  // A Map is used, because an assignment would treat `__proto__` specially. Its keys are the forms of names.
  const merged = new Map(Object.entries(below).map(([key, value]) => [nameForm(key), [key, value] as const]));
  for (const [key, value] of Object.entries(above)) {
    const [spelling, under] = merged.get(nameForm(key)) ?? [key, undefined];
    merged.set(nameForm(key), [spelling, isMap(under) && isMap(value) ? mergeFields(under, value) : value]);
  }
  return Object.fromEntries(merged.values());
}
