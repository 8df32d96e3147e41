/** Reports modifiers inside the braces of a step, a rule or a `when`, and moves them beside the word, where they belong. [scenario-language, Time and reference] */

import { ACTION_NAMES, ACTIONS } from '../../contract/actions.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { FilePlace } from '../../plant/mistakes.ts';

interface ModifiersAround {
  /** The modifiers of all words. */
  readonly modifiers: readonly string[];
  /** The modifiers of this word. */
  readonly fitting: readonly string[];
}

/** Words whose `note` is a key of their own. */
const UPDATES = ['acknowledge', 'resolve'];

/**
 * The step with its modifiers moved beside the word. Each is reported with the fix that moves it, or as not allowed
 * beside this word at all.
 */
export function withModifiersBeside(step: JsonMap, word: string, around: ModifiersAround, place: FilePlace): JsonMap {
  const value = step[word];
  if (!isMap(value)) return step;
  const inside = Object.keys(value).filter((key) => around.modifiers.includes(key) && !isOwn(word, key));
  if (inside.length === 0) return step;
  const meant: Record<string, unknown> = { ...step };
  for (const key of inside) {
    const at = place.of(word, key);
    if (!around.fitting.includes(key)) {
      at.mistake(`${quoted(key)} says nothing in ${quoted(word)}, nor beside it. Delete it.`, 'key');
      continue;
    }
    const twice = Object.hasOwn(step, key);
    const sentence = `${quoted(key)} stands beside ${quoted(word)}, not inside.`;
    if (twice) at.mistake(`${sentence} It is there already: delete this one.`, 'key');
    else
      at.mistake(`${sentence} Write it beside the step, on a line of its own${asLine(key, value[key])}.`, 'key', {
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

/** Whether it is a key of the step itself, as `at` is of `position`. */
function isOwn(word: string, key: string): boolean {
  if (UPDATES.includes(word)) return key === 'note';
  const action = ACTION_NAMES.find((name) => name === word);
  return action !== undefined && Object.hasOwn(ACTIONS[action].fields.properties, key);
}
