/** Reads the condition of a check, a rule, a `when` or a wait: its subject and its keys. */

import { CLI } from '../../base/text/command-form.ts';
import { ALERT_TYPES, EVENT_SELECTORS } from '../../contract/enumerations.ts';
import { isMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, shown } from '../../plant/mistakes.ts';
import type { CheckSubject } from '../judging/subject.ts';
import { parseSpan } from '../model/draws.ts';
import { flowOf } from '../model/flow.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import { CONDITIONS, conditionIn } from './conditions.ts';
import { type Field, field } from './field.ts';
import { MODIFIER_NAMES } from './modifiers.ts';

/** Modifiers that are not a key of any condition. */
const ELSEWHERE: readonly string[] = MODIFIER_NAMES.filter(
  (name) => ![...CONDITIONS.values()].some(({ fields }) => Object.hasOwn(fields, name)),
);

/** Reads the condition of a check; returns null after reporting a mistake. */
export function readSubject(verb: string, value: unknown, at: ScenarioReading): CheckSubject | null {
  if (value === undefined) return null;
  if (verb === 'wait_for' && typeof value === 'string' && parseSpan(value) !== null)
    return at.mistake(`${value} is a time, and "wait_for" waits for a check. Write wait: ${value}.`);
  if (!isMap(value)) return at.mistake(`${shown(value)} is not a check. Write ${verb}: ${checkOf(value, at)}.`);
  const beside = Object.keys(value).filter((key) => ELSEWHERE.includes(key));
  for (const key of beside) {
    at.of(key).mistake(`${quoted(key)} belongs next to ${quoted(verb)}, on the next line, not inside.`, 'key');
  }
  const found = conditionIn(value);
  if (found !== undefined) return beside.length > 0 ? null : found.read(value, at);
  const [first] = Object.keys(value);
  const words = [...CONDITIONS.keys()];
  if (first === undefined) at.mistake('A check has a subject. Write {alert: sos, of: ana}.');
  else {
    const meant = didYouMean(first, words) || ` "${CLI} explain" lists what can.`;
    at.of(first).mistake(`${quoted(first)} is not what a check can be about.${meant}`, 'key');
  }
  return null;
}

/**
 * Reports a probe in a step: a step judges at one instant, but an external system replies later. Returns true if there
 * was a probe.
 */
export function reportProbe({ probe }: CheckSubject, at: ScenarioReading): boolean {
  if (probe === undefined) return false;
  at.of('probe').mistake('Rules ask a probe, steps do not. Write - always: {probe: ...} under rules:.', 'key');
  return true;
}

/** A condition below the word `verb`. */
export const condition = (verb: string, help: string): Field<CheckSubject> =>
  field('condition', help, { $ref: '#/definitions/check' }, (value, at) => readSubject(verb, value, at), 'none');

/** The check that a value alone probably means, with the word of its subject. */
function checkOf(value: unknown, { cast, receivers }: ScenarioReading): string {
  const person = [...cast.keys()][0];
  const usual = person === undefined ? '{alert: sos}' : `{alert: sos, of: ${person}}`;
  if (typeof value !== 'string') return usual;
  const subjects: readonly (readonly [key: string, words: readonly string[]])[] = [
    ['alert', ALERT_TYPES],
    ['event', EVENT_SELECTORS],
    ['delivery', receivers],
  ];
  const found = subjects.find(([, words]) => words.includes(value));
  if (found !== undefined) return flowOf({ [found[0]]: value });
  if (cast.has(value)) return flowOf({ alert: 'sos', of: value });
  return value.startsWith('$') ? flowOf({ alert: value }) : usual;
}
