/** `when`: steps that run in parallel to the scenario each time, or the first time, that a condition becomes true. */

import type { Slices } from '../../base/time/slices.ts';
import { isMap } from '../../contract/schema.ts';
import { shown } from '../../plant/mistakes.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import type { ScenarioWhen } from '../model/scenario.ts';
import { boundName, DURATION_FORM, required, span, steps } from './field.ts';
import { condition, readSubject, reportProbe } from './read-condition.ts';
import { readFields, readList, reportUnknownKeys, withModifiersBeside } from './read-map.ts';

export const WHEN_FIELDS = {
  every: condition('every', 'The steps run each time this condition becomes true.'),
  first: condition('first', 'The steps run the first time this condition becomes true.'),
  as: boundName('A name for the match. Only these steps can use it.'),
  after: span(`The pause before the steps. ${DURATION_FORM}`),
  steps: required(steps('The steps that run.')),
};

/** The example of `first`, a word that only `when` has; it is explained with the words of rules. */
export const FIRST_EXAMPLE = '- first: {alert: any}\n  steps: [{mark: The first alert}]';

const VERBS = ['every', 'first'] as const;

/** Keys that a user can put inside the braces by mistake. */
const MISPLACED: readonly (keyof typeof WHEN_FIELDS)[] = ['as', 'after'];

/** Reads the `when`s of a file; the names that they bind are visible only in their own steps. */
export const readWhens = (value: unknown, reading: ScenarioReading): Slices<ScenarioWhen[]> =>
  readList(value, reading.of('when'), '"when" is a list. Write - every: {...} with steps: below it.', readWhen);

function* readWhen(value: unknown, at: ScenarioReading): Slices<ScenarioWhen | null> {
  if (value === undefined) return null;
  if (!isMap(value))
    return at.mistake(`${shown(value)} is not a "when". Write every: or first: and a check, then steps:.`);
  reportUnknownKeys(value, Object.keys(WHEN_FIELDS), 'cannot be used in a "when"', at);
  const verbs = VERBS.filter((word) => Object.hasOwn(value, word));
  const [verb] = verbs;
  if (verb === undefined || verbs.length > 1)
    return at.mistake('A "when" waits for one thing. Write every: or first: and a check.');
  if (!Object.hasOwn(value, 'steps')) at.mistake('A "when" has steps. Write steps: and a line "- wait: 1s".');
  const reading: ScenarioReading = { ...at, names: at.names.inner() };
  const when = withModifiersBeside(value, verb, { modifiers: MISPLACED, fitting: MISPLACED, own: undefined }, at);
  const subject = readSubject(verb, when[verb], reading.of(verb));
  if (subject !== null && reportProbe(subject, reading.of(verb))) return null;
  const { as } = when;
  const { whole } = readFields(when, { after: WHEN_FIELDS.after }, at);
  const { line, file } = reading.placeOf([...at.path, verb]);
  const isNamed = as !== undefined && reading.names.give(as, subject?.names ?? 'any', line, at.of('as'));
  const inner = yield* reading.readSteps(value['steps'], reading.of('steps'));
  if (subject === null || whole === null) return null;
  const text = `when ${verb} ${subject.text}`;
  return { file, line, text, verb, subject, as: isNamed ? as : null, afterMs: whole.after ?? 0, steps: inner };
}
