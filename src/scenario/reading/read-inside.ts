/** Modifiers inside the braces of a step, a rule or a `when`, where they mean nothing: they belong beside the word. [scenario-language, Time and reference] */

import { ACTION_NAMES, ACTIONS } from '../../contract/actions.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path, Report } from '../../plant/mistakes.ts';

/** What a map of keys around a word may have, and what of it is meant. */
interface ModifiersAround {
  /** Every key that stands beside some word. */
  readonly modifiers: readonly string[];
  /** Those that may stand beside this one. */
  readonly fitting: readonly string[];
}

/** `note` of an update is a key of its own. */
const UPDATES = ['acknowledge', 'resolve'];

/**
 * The step as it was meant: its modifiers beside the word. Each of them is reported, with the fix that moves it; what may not
 * stand beside this word either is reported as such.
 */
export function withModifiersBeside(
  step: JsonMap,
  word: string,
  around: ModifiersAround,
  path: Path,
  report: Report,
): JsonMap {
  const value = step[word];
  if (!isMap(value)) return step;
  const inside = Object.keys(value).filter((key) => around.modifiers.includes(key) && !isOwn(word, key));
  if (inside.length === 0) return step;
  const meant: Record<string, unknown> = { ...step };
  for (const key of inside) {
    const at = [...path, word, key];
    if (!around.fitting.includes(key)) {
      report.mistake(at, `${quoted(key)} says nothing in ${quoted(word)}, nor beside it. Delete it.`, 'key');
      continue;
    }
    const twice = Object.hasOwn(step, key);
    const told = `${quoted(key)} stands beside ${quoted(word)}, not inside.`;
    if (twice) report.mistake(at, `${told} It is there already: delete this one.`, 'key');
    else
      report.mistake(at, `${told} Write it beside the step, on a line of its own${asLine(key, value[key])}.`, 'key', {
        kind: 'beside',
      });
    if (!twice) meant[key] = value[key];
  }
  meant[word] = Object.fromEntries(Object.entries(value).filter(([key]) => !inside.includes(key)));
  return meant;
}

function asLine(key: string, value: unknown): string {
  return typeof value === 'object' ? '' : `: ${key}: ${String(value)}`;
}

/** A key that the step itself has, as `position` has `at`. */
function isOwn(word: string, key: string): boolean {
  if (UPDATES.includes(word)) return key === 'note';
  const action = ACTION_NAMES.find((name) => name === word);
  return action !== undefined && Object.hasOwn(ACTIONS[action].fields.properties, key);
}
