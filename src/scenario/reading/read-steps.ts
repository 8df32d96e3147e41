/** Reads a list of steps: the word of each step, and the modifiers next to it. */

import { CLI } from '../../base/text/command-form.ts';
import { isSlices, type Slices } from '../../base/time/slices.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../plant/mistakes.ts';
import { fieldsOf } from '../language/field.ts';
import { COMMON_MODIFIERS, isModifier, MODIFIER_NAMES, MODIFIERS } from '../language/modifiers.ts';
import { readFields, readList, withModifiersBeside } from '../language/read-map.ts';
import { namesIn } from '../language/steps/do.ts';
import { STEPS } from '../language/steps.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import { type GivenKind, isName } from '../model/references.ts';
import type { ScenarioStep } from '../model/scenario.ts';

/** Reads the steps of a list; steps with mistakes are reported and omitted. */
export const readSteps = (value: unknown, at: ScenarioReading): Slices<ScenarioStep[]> =>
  readList(value, at, 'Steps are a list. Write a line "- wait: 20s" for each.', readStep);

function* readStep(value: unknown, place: ScenarioReading): Slices<ScenarioStep | null> {
  if (value === undefined) return null;
  if (!isMap(value)) {
    const word =
      typeof value === 'string' && STEPS.has(value) ? ` Write ${value}: and what it needs.` : ' Write - wait: 20s.';
    return place.mistake(`${shown(value)} is not a step.${word}`);
  }
  if (value['only'] !== undefined && MODIFIERS.only.field.read(value['only'], place.of('only')) === false) {
    for (const name of namesIn(value)) place.names.giveInOtherCases(name, place.placeOf(place.path).line);
    return null;
  }
  const word = wordOf(value, place);
  const kind = word === null ? undefined : STEPS.get(word);
  if (word === null || kind === undefined) {
    // A step with a mistake still binds its name, to avoid further mistakes about this name.
    readName(value, undefined, place.placeOf(place.path).line, place);
    return null;
  }
  const { file, line } = place.placeOf([...place.path, word]);
  const fitting: readonly string[] = [...COMMON_MODIFIERS, ...kind.modifiers];
  reportMisplaced(value, word, fitting, place);
  const step = withModifiersBeside(value, word, { modifiers: MODIFIER_NAMES, fitting, own: kind.value.fields }, place);
  const { each: beside } = readFields(step, READ_BEFORE, place);
  const { within = null, for: forMs = null, since = null, refused } = beside;
  const reading = kind.read(step[word], place.of(word), { within, forMs, since });
  const hasSteps = isSlices(reading);
  place.budget?.takeStep({ hasSteps });
  const read = hasSteps ? yield* reading : reading;
  const named = fitting.includes('as');
  const as = named ? readName(step, read === null ? undefined : read.names, line, place) : null;
  if (read === null) return null;
  return {
    ...read.body,
    file,
    line,
    ...(place.calls === undefined ? {} : { calls: place.calls }),
    text: read.text,
    permission: kind.permission(read.body),
    afterMs: beside.after ?? 0,
    atMs: beside.at ?? null,
    as,
    // The caller of a macro may use what the macro finds last.
    ...(as === null || place.doing.length > 0 ? {} : { nameUse: place.names.usageOf(as) }),
    refused: refused ?? false,
  };
}

const { only: _only, as: _as, ...BEFORE } = MODIFIERS;
/** Modifiers that are read before the step; `only` is read before these, and `as` after the step. */
const READ_BEFORE = fieldsOf(BEFORE);

/** Returns the word of a step; null after reporting that there is none, or that there are several. */
function wordOf(step: JsonMap, at: FilePlace): string | null {
  const keys = Object.keys(step);
  const words = keys.filter((key) => STEPS.has(key));
  const others = keys.filter((key) => !words.includes(key) && !isModifier(key));
  if (words.length > 1) {
    const both = words.map(quoted).join(' and ');
    return at.of(words[1]!).mistake(`A step has one action; ${both} need a line with "- " each.`, 'key');
  }
  const [word] = words;
  if (word === undefined) {
    const [key] = others;
    const known = [...STEPS.keys()];
    const meant =
      key === undefined ? ' Write - wait: 20s.' : didYouMean(key, known) || ` "${CLI} explain" lists them all.`;
    (key === undefined ? at : at.of(key)).mistake(`${quoted(key ?? keys.join(', '))} is not a step.${meant}`, 'key');
    return null;
  }
  return word;
}

function reportMisplaced(step: JsonMap, word: string, fitting: readonly string[], at: FilePlace): void {
  for (const key of Object.keys(step)) {
    if (key === word || fitting.includes(key)) continue;
    at.of(key).mistake(misplaced(key, word, fitting, step), 'key');
  }
}

function misplaced(key: string, word: string, fitting: readonly string[], step: JsonMap): string {
  if (isModifier(key)) return `${quoted(key)} has no effect next to ${quoted(word)}. Delete it.`;
  const free = fitting.filter((one) => !Object.hasOwn(step, one));
  return `${quoted(key)} cannot be used next to ${quoted(word)}; the keys of the step itself are inside its braces.${didYouMean(key, free).replace(/^ Write.*/, '')}`;
}

function readName(step: JsonMap, kind: GivenKind | null | undefined, line: number, at: ScenarioReading): string | null {
  const name = step['as'];
  if (name === undefined) return null;
  if (kind === null) {
    at.of('as').mistake('This step finds nothing that could have a name. Delete "as".', 'key');
    // The name is known all the same, to avoid further mistakes about it.
    if (typeof name === 'string' && isName(name)) at.names.give(name, 'any', line, at.of('as'));
    return null;
  }
  return at.names.give(name, kind ?? 'any', line, at.of('as')) ? name : null;
}
