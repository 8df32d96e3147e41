/**
 * Tells whether a mutation cannot change anything: with its names bound and its durations read, the step is the same. A
 * mutation that changes the run in a way that no check notices is not such a mutation.
 */
import { isDeepStrictEqual } from 'node:util';
import { parseDuration } from '../../base/time/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import { edited, type Version } from '../model/change.ts';
import { idOf, parsedReference, valueBehind } from '../model/references.ts';
import type { BoundNames } from './bound-names.ts';

/** `played`: the names of each play of the step in the unchanged run. */
export function isSameStep(file: JsonMap, path: Path, { edits }: Version, played: readonly BoundNames[]): boolean {
  const [before, after] = [valueAt(file, path), valueAt(edited(file, edits), path)];
  const all = played.length === 0 ? [new Map()] : played;
  return all.every((names) => isDeepStrictEqual(resolved(before, names), resolved(after, names)));
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((now: unknown, key) => (now as Readonly<Record<string | number, unknown>> | undefined)?.[key], value);

/** The step with ids for names, milliseconds for durations, and one form for what takes no time and does nothing. */
function resolved(step: unknown, names: BoundNames): unknown {
  const value = resolvedValue(step, names, null);
  if (!isMap(value) || !isDeepStrictEqual(value['clock'], { advance: { ms: 0 } })) return value;
  const { clock: _clock, ...beside } = value;
  return { ...beside, wait: { ms: 0 } };
}

function resolvedValue(value: unknown, names: BoundNames, key: string | null): unknown {
  if (Array.isArray(value)) return value.map((item) => resolvedValue(item, names, key));
  if (isMap(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolvedValue(item, names, name)]));
  if (typeof value !== 'string') return value;
  const ms = parseDuration(value);
  return ms === null ? objectBehind(value, names, key) : { ms };
}

/** The object of `$name`; the text itself if it is no bound name. */
function objectBehind(text: string, names: BoundNames, key: string | null): unknown {
  const reference = parsedReference(text);
  const named = reference === null ? undefined : names.get(reference.name);
  if (reference === null || named === undefined) return text;
  // `since` uses the beginning of the step that bound the name, not its object.
  if (key === 'since') return text;
  // A check about an event is about its alert or muster.
  const isAbout = key === 'about' && named.kind === 'event' && reference.fields.length === 0;
  const found = valueBehind(isAbout ? { ...reference, fields: ['object'] } : reference, named);
  if (reference.fields.length === 0 && !isAbout) return { object: idOf(found) ?? named.id };
  return isMap(found) ? { object: idOf(found) } : { value: found };
}
