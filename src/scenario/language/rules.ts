/** The rules of a file: conditions on the whole run. */

import { formatDuration } from '../../base/time/durations.ts';
import type { Slices } from '../../base/time/slices.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, shown } from '../../plant/mistakes.ts';
import type { CheckSubject } from '../judging/subject.ts';
import type { Matcher } from '../model/matchers.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import type { ScenarioRule } from '../model/scenario.ts';
import { countOf } from './conditions/keys.ts';
import { CONDITIONS } from './conditions.ts';
import { boundName, DURATION_FORM, duration, type Field, field, fieldsOf, receiver } from './field.ts';
import { MODIFIERS } from './modifiers.ts';
import { condition, readSubject } from './read-condition.ts';
import { readFields, readList, withModifiersBeside } from './read-map.ts';

interface RuleKey<T> {
  readonly field: Field<T>;
  /** A rule with the key, as a YAML list entry. */
  readonly example: string;
}

/** The words of a rule. */
const VERBS = {
  every: {
    field: condition(
      'every',
      'Each match of this condition must fulfil the other keys of the rule. The rule fails if there is no match, unless count: 0.. allows that.',
    ),
    example: '- every: {event: alert.created}\n  delivered_to: erp\n  within: 5s',
  },
  always: {
    field: condition(
      'always',
      'This condition must be true during the whole run. The rule fails if there never was an object that fitted its subject, unless count: 0.. allows that, or the file has a system of your own.',
    ),
    example: '- always: {alerts: open, count: 0..9}',
  },
  never: {
    field: condition('never', 'This condition must not become true during the whole run.'),
    example: '- never: {alert: heat_stress}',
  },
} as const satisfies Readonly<Record<string, RuleKey<CheckSubject>>>;

/** Keys next to `every`. */
const OF_EVERY = {
  within: {
    field: duration(
      `The time limit of "delivered_to" and of "followed_by", or the time within which the answer of a probe must follow a change. The time of a probe starts when your system could know the change. That is when the event was delivered and, since then, the API has refused no call of your system. ${DURATION_FORM}`,
    ),
    example: '- every: {event: alert.*}\n  delivered_to: erp\n  within: 5s',
  },
  apart: {
    field: duration(`The minimum time between two matches. ${DURATION_FORM}`),
    example: '- every: {event: alert.created}\n  apart: 1s\n  count: 0..',
  },
  delivered_to: {
    field: receiver('The receiver to which each event that the rule matches must be delivered.'),
    example: '- every: {event: alert.*}\n  delivered_to: erp',
  },
  as: {
    field: boundName('A name for the match, to be used in "followed_by".'),
    example:
      '- every: {event: alert.created}\n  as: e\n  followed_by: {alert: $e.object, status: acknowledged}\n  within: 30s',
  },
  followed_by: {
    // The names that the follower may use are known only after `as`, so `readFollower` reads it.
    field: field<unknown>(
      'condition',
      'This condition must become true for each match of the rule, within the time limit.',
      { $ref: '#/definitions/check' },
      (value) => value,
      'none',
    ),
    example:
      '- every: {event: alert.created}\n  as: e\n  followed_by: {request: PATCH /v1/alerts/$e.object.id, status: 200}\n  within: 30s',
  },
  signed: {
    field: field<'valid'>(
      'one-of',
      'valid: each attempt must have a valid signature for the receiver.',
      { type: 'string', enum: ['valid'] },
      (value, at) =>
        value === 'valid' ? value : at.mistake(`${shown(value)} is not how it is signed. Write signed: valid.`),
    ),
    example: '- every: {delivery: any}\n  signed: valid',
  },
  count: {
    field: countOf(
      'The required number of matches; default: at least one. "always" may only have 0.. beside it. Examples:',
    ),
    example: '- every: {event: muster.*}\n  count: 0..',
  },
} as const satisfies Readonly<Record<string, RuleKey<unknown>>>;

/** The keys that only rules have, with their explanations. */
export const RULE_KEYS = { ...VERBS, ...OF_EVERY };

type RuleVerb = keyof typeof VERBS;
export const RULE_VERBS = Object.keys(VERBS) as readonly RuleVerb[];
const EVERY_KEYS: readonly string[] = Object.keys(OF_EVERY);
const KEYS_OF = { every: EVERY_KEYS, always: ['count'], never: [], probe: ['within'] } as const;

/** Modifiers of steps that rules have too. */
const SHARED = { note: MODIFIERS.note.field, equivalent: MODIFIERS.equivalent.field };

/** Keys next to the word of a rule. */
const BESIDE = { ...fieldsOf(OF_EVERY), ...SHARED };

/** Every key of a rule. */
export const RULE_FIELDS = { ...fieldsOf(VERBS), ...BESIDE };

/** Keys that a user can put inside the braces by mistake: single-line keys that no condition has. */
const MISPLACED = Object.entries(BESIDE).flatMap(([key, { kind }]) => {
  const isOfCondition = [...CONDITIONS.values()].some(({ fields }) => Object.hasOwn(fields, key));
  return isOfCondition || kind === 'condition' || kind === 'map' ? [] : [key];
});

/** Reads the rules of a file; rules with mistakes are reported and omitted. */
export const readRules = (value: unknown, reading: ScenarioReading): Slices<ScenarioRule[]> =>
  readList(value, reading.of('rules'), 'Rules are a list. Write a line "- never: {...}" for each.', readRule);

function readRule(value: unknown, at: ScenarioReading): ScenarioRule | null {
  if (value === undefined) return null;
  const verb = isMap(value) ? RULE_VERBS.find((word) => Object.hasOwn(value, word)) : undefined;
  if (!isMap(value) || verb === undefined) {
    const [key] = isMap(value) ? Object.keys(value) : [];
    const meant = key === undefined ? '' : didYouMean(key, RULE_VERBS);
    const place = key === undefined ? at : at.of(key);
    return place.mistake(`${quoted(key ?? value)} is not a rule.${meant || ' Write every, always or never.'}`, 'key');
  }
  const fitting = reportRuleKeys(value, verb, at);
  const rule = withModifiersBeside(value, verb, { modifiers: MISPLACED, fitting, own: undefined }, at);
  const subject = readSubject(verb, rule[verb], at.of(verb));
  const { each, whole } = readFields(rule, BESIDE, at);
  const follower = readFollower(rule, subject, at);
  if (follower === null || subject === null || whole === null || isUnfitting(verb, subject, each, follower, at))
    return null;
  const { within, apart, delivered_to: deliveredTo, signed, count } = whole;
  const { file, line } = at.placeOf([...at.path, verb]);
  const parts = [
    `${verb} ${subject.text}`,
    deliveredTo === undefined ? '' : `delivered to ${deliveredTo}`,
    follower === undefined ? '' : `followed by ${follower.text}`,
    within === undefined ? '' : `within ${formatDuration(within)}`,
    apart === undefined ? '' : `${formatDuration(apart)} apart`,
    signed === undefined ? '' : 'signed',
  ];
  return {
    file,
    line,
    text: parts.filter((one) => one !== '').join(' '),
    afterMs: 0,
    atMs: null,
    as: follower === undefined ? null : ((rule['as'] as string | undefined) ?? null),
    refused: false,
    follower: follower ?? null,
    mayBeNone: follower !== undefined || (at.explores ?? false),
    verb,
    subject,
    withinMs: within ?? null,
    apartMs: apart ?? null,
    deliveredTo: deliveredTo ?? null,
    signed: signed === 'valid',
    count: count ?? null,
  };
}

/** Reports keys that the word of a rule does not allow; returns the allowed ones. */
function reportRuleKeys(rule: JsonMap, verb: RuleVerb, at: ScenarioReading): readonly string[] {
  const check = rule[verb];
  const asksProbe = isMap(check) && Object.hasOwn(check, 'probe');
  const known = [verb, ...Object.keys(SHARED), ...KEYS_OF[asksProbe ? 'probe' : verb]];
  for (const key of Object.keys(rule)) {
    if (known.includes(key)) continue;
    const free = known.filter((one) => !Object.hasOwn(rule, one));
    const message = EVERY_KEYS.includes(key)
      ? `${quoted(key)} has no effect next to ${quoted(verb)}. Delete it.`
      : `${quoted(key)} cannot be used with ${quoted(verb)}.${didYouMean(key, free)}`;
    at.of(key).mistake(message, 'key');
  }
  return known;
}

const mayBeNone = (count: Matcher): boolean => count.kind === 'compare' && count.operator === '>=' && count.than === 0;

/** Reports keys that do not fit the condition; returns true if there is one. */
function isUnfitting(
  verb: RuleVerb,
  subject: CheckSubject,
  { within, delivered_to: deliveredTo, signed, count }: ReturnType<typeof readFields<typeof BESIDE>>['each'],
  follower: CheckSubject | undefined,
  at: ScenarioReading,
): boolean {
  const isWrong = (key: string, message: string, spot: 'key' | 'value' = 'key'): true => {
    at.of(key).mistake(message, spot);
    return true;
  };
  if (verb === 'every' && subject.all === null)
    return isWrong(verb, `There is no "every" of ${quoted(subject.word)}. Write always: or never:.`, 'value');
  if (deliveredTo !== undefined && subject.word !== 'event')
    return isWrong('delivered_to', 'Events are delivered. Write every: {event: ...} beside it.');
  if (signed !== undefined && subject.word !== 'delivery')
    return isWrong('signed', 'Deliveries are signed. Write every: {delivery: any} beside it.');
  if (verb === 'always' && count !== undefined && count !== null && !mayBeNone(count))
    return isWrong('count', '"always" has no number of matches. Write count: 0.. where nothing may fit, or delete it.');
  if (verb === 'never' && subject.probe !== undefined)
    return isWrong(verb, 'What a probe answers is true all the time. Write always:.');
  const hasLimited = deliveredTo !== undefined || follower !== undefined || subject.probe !== undefined;
  if (within === undefined || hasLimited) return false;
  return isWrong(
    'within',
    '"within" is the limit of "delivered_to" and of "followed_by". Write one of them too, or delete it.',
  );
}

/**
 * Reads `followed_by`: a condition that can refer to the match by the name given with `as`. Returns undefined if it is
 * absent, null after a mistake.
 */
function readFollower(
  rule: JsonMap,
  subject: CheckSubject | null,
  at: ScenarioReading,
): CheckSubject | null | undefined {
  const { as, followed_by: follower } = rule;
  if (follower === undefined) {
    if (as === undefined) return undefined;
    const message = '"as" names the match for "followed_by". Write followed_by: and a check, or delete it.';
    return at.of('as').mistake(message, 'key');
  }
  if (!Object.hasOwn(rule, 'within'))
    return at.of('followed_by').mistake('"followed_by" has a limit. Write within: 30s beside it.', 'key');
  const inside: ScenarioReading = { ...at, names: at.names.inner() };
  const { line } = at.placeOf(at.path);
  if (as !== undefined) inside.names.give(as, subject?.names ?? 'any', line, at.of('as'));
  return readSubject('followed_by', follower, inside.of('followed_by'));
}
