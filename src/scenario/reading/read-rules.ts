/** Reads `rules`, conditions on the whole run, and `when`, steps that run in parallel to the story. */

import { explainDuration, formatDuration, parseDuration } from '../../base/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path } from '../../plant/mistakes.ts';
import { didYouMean, shown } from '../../plant/section-check.ts';
import { readCount } from '../judging/subjects/parts.ts';
import type { Subject } from '../judging/subjects/subject.ts';
import { parseSpan } from '../story/draws.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import { readOneOf, reportKeys } from '../story/read-words.ts';
import type { StoryRule, StoryWhen } from '../story/story.ts';
import { readSubject, reportProbe } from './read-check.ts';
import { withModifiersBeside } from './read-inside.ts';
import { reportEquivalent } from './read-steps.ts';

export const RULE_VERBS = ['every', 'always', 'never'] as const;
/** Keys allowed beside `every`. */
export const BESIDE_EVERY = ['within', 'apart', 'delivered_to', 'signed', 'as', 'followed_by', 'count'] as const;
const OF_EVERY: readonly string[] = BESIDE_EVERY;

/** Keys that a check also may have. */
const INSIDE_RULE = ['note', ...OF_EVERY.filter((key) => key !== 'count' && key !== 'followed_by')];

/** The rules of a file; those with mistakes are reported and omitted. */
export function readRules(value: unknown, reading: StoryReading): StoryRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reading.report.mistake(['rules'], 'Rules are a list. Write a line "- never: {...}" for each.', 'key');
    return [];
  }
  return value.flatMap((item: unknown, i) => readRule(item, ['rules', i], reading) ?? []);
}

function readRule(value: unknown, path: Path, reading: StoryReading): StoryRule | null {
  const { report } = reading;
  if (value === undefined) return null;
  const verb = isMap(value) ? RULE_VERBS.find((word) => Object.hasOwn(value, word)) : undefined;
  if (!isMap(value) || verb === undefined) {
    const [key] = isMap(value) ? Object.keys(value) : [];
    const meant = key === undefined ? '' : didYouMean(key, RULE_VERBS);
    const place = key === undefined ? path : [...path, key];
    report.mistake(place, `${quoted(key ?? value)} is not a rule.${meant || ' Write every, always or never.'}`, 'key');
    return null;
  }
  const asksProbe = isMap(value[verb]) && Object.hasOwn(value[verb] as JsonMap, 'probe');
  const own = verb === 'every' ? OF_EVERY : asksProbe ? ['within'] : [];
  const known = [verb, 'note', 'equivalent', ...own];
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const free = known.filter((one) => !Object.hasOwn(value, one));
    const elsewhere = OF_EVERY.includes(key) ? `${quoted(key)} says nothing beside ${quoted(verb)}. Delete it.` : null;
    report.mistake(
      [...path, key],
      elsewhere ?? `${quoted(key)} does not stand beside ${quoted(verb)}.${didYouMean(key, free)}`,
      'key',
    );
  }
  reportEquivalent(value, path, report);
  const around = { modifiers: INSIDE_RULE, fitting: known };
  const rule = withModifiersBeside(value, verb, around, path, report);
  const subject = readSubject(verb, rule[verb], [...path, verb], reading);
  const withinMs = readMs(rule, 'within', path, reading);
  const apartMs = readMs(rule, 'apart', path, reading);
  const deliveredTo = readDeliveredTo(rule, path, reading);
  const count = readCount(rule, path, reading);
  const signed = readSigned(rule, path, reading);
  const follower = readFollower(rule, subject, path, reading);
  if (follower === null || subject === null || [withinMs, apartMs, deliveredTo, count].includes(null)) return null;
  if (verb === 'every' && subject.all === null) {
    report.mistake([...path, verb], `There is no "every" of ${quoted(subject.word)}. Write always: or never:.`);
    return null;
  }
  if (deliveredTo !== undefined && subject.word !== 'event') {
    report.mistake([...path, 'delivered_to'], 'Events are delivered. Write every: {event: ...} beside it.', 'key');
    return null;
  }
  if (signed && subject.word !== 'delivery') {
    report.mistake([...path, 'signed'], 'Deliveries are signed. Write every: {delivery: any} beside it.', 'key');
    return null;
  }
  if (verb === 'never' && subject.probe !== undefined) {
    report.mistake([...path, verb], 'What a probe answers is true all the time. Write always:.', 'key');
    return null;
  }
  if (withinMs !== undefined && deliveredTo === undefined && follower === undefined && subject.probe === undefined) {
    const cure = '"within" is the limit of "delivered_to" and of "followed_by". Write one of them too, or delete it.';
    report.mistake([...path, 'within'], cure, 'key');
    return null;
  }
  const { file, line } = reading.placeOf([...path, verb]);
  const said = [
    `${verb} ${subject.text}`,
    deliveredTo === undefined ? '' : `delivered to ${deliveredTo}`,
    follower === undefined ? '' : `followed by ${follower.text}`,
    withinMs === undefined ? '' : `within ${formatDuration(withinMs!)}`,
    apartMs === undefined ? '' : `${formatDuration(apartMs!)} apart`,
    signed ? 'signed' : '',
  ];
  return {
    ...{
      file,
      line,
      text: said.filter((one) => one !== '').join(' '),
      afterMs: 0,
      atMs: null,
      as: follower === undefined ? null : ((rule['as'] as string | undefined) ?? null),
      refused: false,
    },
    ...{ follower: follower ?? null, mayBeNone: follower !== undefined || (reading.explores ?? false) },
    ...{ verb, subject, withinMs: withinMs ?? null, apartMs: apartMs ?? null },
    ...{ deliveredTo: deliveredTo ?? null, signed, count: count ?? null },
  };
}

/** `followed_by`: a check, in which the match has the name given with `as`; undefined if absent, null after a mistake. */
function readFollower(
  rule: JsonMap,
  subject: Subject | null,
  path: Path,
  outer: StoryReading,
): Subject | null | undefined {
  const { as, followed_by: follower } = rule;
  const { report } = outer;
  if (follower === undefined) {
    if (as === undefined) return undefined;
    report.mistake(
      [...path, 'as'],
      '"as" names the match for "followed_by". Write followed_by: and a check, or delete it.',
      'key',
    );
    return null;
  }
  if (!Object.hasOwn(rule, 'within')) {
    report.mistake([...path, 'followed_by'], '"followed_by" has a limit. Write within: 30s beside it.', 'key');
    return null;
  }
  const reading: StoryReading = { ...outer, names: outer.names.inner() };
  const { line } = reading.placeOf(path);
  if (as !== undefined) reading.names.give(as, subject?.names ?? 'any', line, [...path, 'as'], report);
  return readSubject('followed_by', follower, [...path, 'followed_by'], reading);
}

function readMs(value: JsonMap, key: string, path: Path, { report }: StoryReading): number | null | undefined {
  const duration = value[key];
  if (duration === undefined) return undefined;
  const ms = typeof duration === 'string' ? parseDuration(duration) : null;
  if (ms === null) report.mistake([...path, key], explainDuration(String(duration)));
  return ms;
}

function readDeliveredTo(value: JsonMap, path: Path, { receivers, report }: StoryReading): string | null | undefined {
  const receiver = value['delivered_to'];
  if (receiver === undefined) return undefined;
  return readOneOf(receiver, receivers, 'not a receiver', [...path, 'delivered_to'], report);
}

function readSigned(value: JsonMap, path: Path, { report }: StoryReading): boolean {
  const { signed } = value;
  if (signed !== undefined && signed !== 'valid')
    report.mistake([...path, 'signed'], `${shown(signed)} is not how it is signed. Write signed: valid.`);
  return signed === 'valid';
}

export const WHEN_KEYS = ['every', 'first', 'as', 'after', 'steps'] as const;
const OF_WHEN: readonly string[] = WHEN_KEYS;

const INSIDE_WHEN = ['as', 'after'];

/** The `when`s of a file; names that they bind are visible in their own steps only. */
export function readWhens(value: unknown, reading: StoryReading): StoryWhen[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reading.report.mistake(['when'], '"when" is a list. Write - every: {...} with steps: below it.', 'key');
    return [];
  }
  return value.flatMap((item: unknown, i) => readWhen(item, ['when', i], reading) ?? []);
}

function readWhen(value: unknown, path: Path, outer: StoryReading): StoryWhen | null {
  const { report } = outer;
  if (value === undefined) return null;
  if (!isMap(value)) {
    report.mistake(path, `${shown(value)} is not a "when". Write every: or first: and a check, then steps:.`);
    return null;
  }
  reportKeys(value, OF_WHEN, 'does not stand in a "when"', path, report);
  const verbs = (['every', 'first'] as const).filter((word) => Object.hasOwn(value, word));
  const [verb] = verbs;
  if (verb === undefined || verbs.length > 1) {
    report.mistake(path, 'A "when" waits for one thing. Write every: or first: and a check.');
    return null;
  }
  if (!Object.hasOwn(value, 'steps')) report.mistake(path, 'A "when" has steps. Write steps: and a line "- wait: 1s".');
  const reading: StoryReading = { ...outer, names: outer.names.inner() };
  const around = { modifiers: INSIDE_WHEN, fitting: INSIDE_WHEN };
  const when = withModifiersBeside(value, verb, around, path, report);
  const subject = readSubject(verb, when[verb], [...path, verb], reading);
  if (subject !== null && reportProbe(subject, [...path, verb], reading)) return null;
  const { after, as } = when;
  const afterMs = after === undefined ? 0 : parseSpan(after);
  if (afterMs === null) report.mistake([...path, 'after'], explainDuration(String(after)));
  const { line, file } = reading.placeOf([...path, verb]);
  const named =
    as === undefined || reading.names.give(as, subject?.names ?? 'any', line, [...path, 'as'], report) ? as : undefined;
  const steps = reading.readSteps(value['steps'], [...path, 'steps'], reading);
  if (subject === null || afterMs === null) return null;
  const text = `when ${verb} ${subject.text}`;
  return { file, line, text, verb, subject, as: (named as string | undefined) ?? null, afterMs, steps };
}
