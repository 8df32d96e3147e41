/** Reads a list of steps: the word of each, and the modifiers beside it; `rules`, conditions on the whole run; and `when`, steps that run in parallel to the story. */

import { isDeepStrictEqual } from 'node:util';
import { CLI } from '../../base/command-form.ts';
import { explainDuration, formatDuration, parseDuration, parseRange } from '../../base/durations.ts';
import type { Slices } from '../../base/slices.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../plant/mistakes.ts';
import { readCount } from '../judging/subjects/parts.ts';
import type { Subject } from '../judging/subjects/subject.ts';
import { type MsSpan, parseSpan } from '../story/draws.ts';
import { readOneOf, reportKeys, type StoryReading } from '../story/read-matcher.ts';
import type { GivenKind } from '../story/references.ts';
import type { Limit, StoryRule, StoryStep, StoryWhen } from '../story/story.ts';
import { readSubject, reportProbe } from './read-check.ts';
import { withModifiersBeside } from './read-inside.ts';
import { MODIFIERS, type Modifier, STEP_KINDS, type StepKind } from './step-kinds.ts';

/** Modifiers of every word. */
const ALWAYS_BESIDE: readonly string[] = ['after', 'at', 'note', 'only', 'equivalent'];

/** The steps of a list; those with mistakes are reported and omitted. */
export function* readSteps(value: unknown, at: StoryReading): Slices<StoryStep[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    at.mistake('Steps are a list. Write a line "- wait: 20s" for each.', 'key');
    return [];
  }
  const steps: StoryStep[] = [];
  for (const [i, item] of value.entries()) {
    const step = yield* readStep(item, at.of(i));
    if (step !== null) steps.push(step);
    yield;
  }
  return steps;
}

function* readStep(value: unknown, place: StoryReading): Slices<StoryStep | null> {
  if (value === undefined) return null;
  if (!isMap(value)) {
    const word =
      typeof value === 'string' && STEP_KINDS.has(value)
        ? ` Write ${value}: and what it needs.`
        : ' Write - wait: 20s.';
    return place.mistake(`${shown(value)} is not a step.${word}`);
  }
  if (!isOfThisCase(value, place)) return null;
  const word = wordOf(value, place);
  const kind = word === null ? undefined : STEP_KINDS.get(word);
  if (word === null || kind === undefined) {
    // A step with a mistake still binds its name, to avoid follow-up mistakes.
    readName(value, undefined, place.placeOf(place.path).line, place);
    return null;
  }
  const { file, line } = place.placeOf([...place.path, word]);
  reportMisplaced(value, word, kind, place);
  const fitting = [...ALWAYS_BESIDE, ...kind.beside];
  const step = withModifiersBeside(value, word, { modifiers: MODIFIERS, fitting }, place);
  const after = readDuration(step, 'after', place);
  const at = readDuration(step, 'at', place);
  const beside = { within: readLimit(step, place), forMs: readDuration(step, 'for', place) };
  if (step['note'] !== undefined && typeof step['note'] !== 'string') {
    place.of('note').mistake(`${shown(step['note'])} is not a text. Write it in quotes.`);
  }
  reportEquivalent(step, place);
  const reading = kind.read(step[word], place.of(word), beside);
  const hasSteps = reading !== null && Symbol.iterator in reading;
  place.budget?.takeStep({ hasSteps });
  const read = hasSteps ? yield* reading : reading;
  const named = kind.beside.includes('as');
  const as = named ? readName(step, read === null ? undefined : read.names, line, place) : null;
  if (read === null) return null;
  const refused = readRefused(step, place);
  return { ...read.body, file, line, text: read.text, afterMs: after ?? 0, atMs: at, as, refused };
}

/** `only: {fault: slow}`, or a list of values: restricts the step to these cases. */
function isOfThisCase(step: JsonMap, at: StoryReading): boolean {
  const { only } = step;
  if (only === undefined) return true;
  if (!isMap(only)) {
    at.of('only').mistake(`${shown(only)} is not a case. Write only: {param: value}.`);
    return true;
  }
  return Object.entries(only).every(([name, wanted]) => {
    if (!Object.hasOwn(at.values, name)) {
      const meant = didYouMean(name, Object.keys(at.values));
      at.of('only', name).mistake(`${quoted(name)} is not a parameter or case.${meant}`, 'key');
      return true;
    }
    return [wanted].flat().some((one) => isDeepStrictEqual(one, at.values[name]));
  });
}

/** The word of a step; null after reporting none or several. */
function wordOf(step: JsonMap, at: FilePlace): string | null {
  const keys = Object.keys(step);
  const words = keys.filter((key) => STEP_KINDS.has(key));
  const others = keys.filter((key) => !words.includes(key) && !isModifier(key));
  if (words.length > 1) {
    const both = words.map(quoted).join(' and ');
    return at.of(words[1]!).mistake(`A step has one action; ${both} need a line with "- " each.`, 'key');
  }
  const [word] = words;
  if (word === undefined) {
    const [key] = others;
    const known = [...STEP_KINDS.keys()];
    const meant =
      key === undefined ? ' Write - wait: 20s.' : didYouMean(key, known) || ` "${CLI} explain" lists them all.`;
    (key === undefined ? at : at.of(key)).mistake(`${quoted(key ?? keys.join(', '))} is not a step.${meant}`, 'key');
    return null;
  }
  return word;
}

function isModifier(key: string): boolean {
  return MODIFIERS.includes(key as Modifier);
}

function reportMisplaced(step: JsonMap, word: string, kind: StepKind, at: FilePlace): void {
  const fitting: readonly string[] = [...ALWAYS_BESIDE, ...kind.beside];
  for (const key of Object.keys(step)) {
    if (key === word || fitting.includes(key)) continue;
    at.of(key).mistake(misplaced(key, word, fitting, step), 'key');
  }
}

function misplaced(key: string, word: string, fitting: readonly string[], step: JsonMap): string {
  if (isModifier(key)) return `${quoted(key)} says nothing beside ${quoted(word)}. Delete it.`;
  const free = fitting.filter((one) => !Object.hasOwn(step, one));
  return `${quoted(key)} does not stand beside ${quoted(word)}; what the step itself has stands inside its braces.${didYouMean(key, free).replace(/^ Write.*/, '')}`;
}

/** `equivalent: {step: why}`: mutations that the story need not detect, each with its reason. */
function reportEquivalent({ equivalent }: JsonMap, at: FilePlace): void {
  if (equivalent === undefined) return;
  if (!isMap(equivalent)) {
    at.of('equivalent').mistake(
      `${shown(equivalent)} is not what changes nothing. Write equivalent: {step: why}, or a detail of the check in the place of step.`,
    );
    return;
  }
  for (const [detail, reason] of Object.entries(equivalent)) {
    if (typeof reason === 'string' && reason.trim() !== '') continue;
    at.of('equivalent', detail).mistake(
      `${shown(reason)} is not a reason. Write it in words, in quotes where it has a comma.`,
    );
  }
}

/** `refused: true`: the step is expected to be rejected. */
function readRefused(step: JsonMap, at: FilePlace): boolean {
  const { refused } = step;
  if (refused === undefined || typeof refused === 'boolean') return refused ?? false;
  at.of('refused').mistake(`${shown(refused)} is neither true nor false. Write refused: true.`);
  return false;
}

function readDuration(step: JsonMap, key: 'after' | 'at' | 'for', at: FilePlace): MsSpan | null {
  const value = step[key];
  if (value === undefined) return null;
  const ms = parseSpan(value);
  if (ms === null) at.of(key).mistake(explainDuration(String(value)));
  return ms;
}

/** `within: 5s` is an upper limit; `within: 29s..31s` has a lower one too. */
function readLimit(step: JsonMap, at: FilePlace): Limit | null {
  const value = step['within'];
  if (value === undefined) return null;
  const max = typeof value === 'string' ? parseDuration(value) : null;
  if (max !== null) return { min: 0, max };
  const range = typeof value === 'string' ? parseRange(value) : null;
  if (range === null) at.of('within').mistake(explainDuration(String(value)));
  return range;
}

function readName(step: JsonMap, kind: GivenKind | null | undefined, line: number, at: StoryReading): string | null {
  const name = step['as'];
  if (name === undefined) return null;
  if (kind === null) return at.of('as').mistake('This step finds nothing that could have a name. Delete "as".', 'key');
  return at.names.give(name, kind ?? 'any', line, at.of('as')) ? name : null;
}

// Reads `rules`, conditions on the whole run, and `when`, steps that run in parallel to the story.

export const RULE_VERBS = ['every', 'always', 'never'] as const;
/** Keys allowed beside `every`. */
export const BESIDE_EVERY = ['within', 'apart', 'delivered_to', 'signed', 'as', 'followed_by', 'count'] as const;
const OF_EVERY: readonly string[] = BESIDE_EVERY;

/** Keys that a check also may have. */
const INSIDE_RULE = ['note', ...OF_EVERY.filter((key) => key !== 'count' && key !== 'followed_by')];

/** The rules of a file; those with mistakes are reported and omitted. */
export function* readRules(value: unknown, reading: StoryReading): Slices<StoryRule[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reading.report.mistake(['rules'], 'Rules are a list. Write a line "- never: {...}" for each.', 'key');
    return [];
  }
  const rules: StoryRule[] = [];
  for (const [i, item] of value.entries()) {
    const rule = readRule(item, reading.of('rules', i));
    if (rule !== null) rules.push(rule);
    yield;
  }
  return rules;
}

function readRule(value: unknown, at: StoryReading): StoryRule | null {
  if (value === undefined) return null;
  const verb = isMap(value) ? RULE_VERBS.find((word) => Object.hasOwn(value, word)) : undefined;
  if (!isMap(value) || verb === undefined) {
    const [key] = isMap(value) ? Object.keys(value) : [];
    const meant = key === undefined ? '' : didYouMean(key, RULE_VERBS);
    const place = key === undefined ? at : at.of(key);
    return place.mistake(`${quoted(key ?? value)} is not a rule.${meant || ' Write every, always or never.'}`, 'key');
  }
  const asksProbe = isMap(value[verb]) && Object.hasOwn(value[verb], 'probe');
  const own = verb === 'every' ? OF_EVERY : asksProbe ? ['within'] : [];
  const known = [verb, 'note', 'equivalent', ...own];
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const free = known.filter((one) => !Object.hasOwn(value, one));
    const elsewhere = OF_EVERY.includes(key) ? `${quoted(key)} says nothing beside ${quoted(verb)}. Delete it.` : null;
    at.of(key).mistake(
      elsewhere ?? `${quoted(key)} does not stand beside ${quoted(verb)}.${didYouMean(key, free)}`,
      'key',
    );
  }
  reportEquivalent(value, at);
  const around = { modifiers: INSIDE_RULE, fitting: known };
  const rule = withModifiersBeside(value, verb, around, at);
  const subject = readSubject(verb, rule[verb], at.of(verb));
  const withinMs = readMs(rule, 'within', at);
  const apartMs = readMs(rule, 'apart', at);
  const deliveredTo = readDeliveredTo(rule, at);
  const count = readCount(rule, at);
  const signed = readSigned(rule, at);
  const follower = readFollower(rule, subject, at);
  if (follower === null || subject === null || [withinMs, apartMs, deliveredTo, count].includes(null)) return null;
  if (verb === 'every' && subject.all === null)
    return at.of(verb).mistake(`There is no "every" of ${quoted(subject.word)}. Write always: or never:.`);
  if (deliveredTo !== undefined && subject.word !== 'event')
    return at.of('delivered_to').mistake('Events are delivered. Write every: {event: ...} beside it.', 'key');
  if (signed && subject.word !== 'delivery')
    return at.of('signed').mistake('Deliveries are signed. Write every: {delivery: any} beside it.', 'key');
  if (verb === 'never' && subject.probe !== undefined)
    return at.of(verb).mistake('What a probe answers is true all the time. Write always:.', 'key');
  if (withinMs !== undefined && deliveredTo === undefined && follower === undefined && subject.probe === undefined) {
    const cure = '"within" is the limit of "delivered_to" and of "followed_by". Write one of them too, or delete it.';
    return at.of('within').mistake(cure, 'key');
  }
  const { file, line } = at.placeOf([...at.path, verb]);
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
    ...{ follower: follower ?? null, mayBeNone: follower !== undefined || (at.explores ?? false) },
    ...{ verb, subject, withinMs: withinMs ?? null, apartMs: apartMs ?? null },
    ...{ deliveredTo: deliveredTo ?? null, signed, count: count ?? null },
  };
}

/** `followed_by`: a check, in which the match has the name given with `as`; undefined if absent, null after a mistake. */
function readFollower(rule: JsonMap, subject: Subject | null, at: StoryReading): Subject | null | undefined {
  const { as, followed_by: follower } = rule;
  if (follower === undefined) {
    if (as === undefined) return undefined;
    const cure = '"as" names the match for "followed_by". Write followed_by: and a check, or delete it.';
    return at.of('as').mistake(cure, 'key');
  }
  if (!Object.hasOwn(rule, 'within'))
    return at.of('followed_by').mistake('"followed_by" has a limit. Write within: 30s beside it.', 'key');
  const inside: StoryReading = { ...at, names: at.names.inner() };
  const { line } = at.placeOf(at.path);
  if (as !== undefined) inside.names.give(as, subject?.names ?? 'any', line, at.of('as'));
  return readSubject('followed_by', follower, inside.of('followed_by'));
}

function readMs(value: JsonMap, key: string, at: StoryReading): number | null | undefined {
  const duration = value[key];
  if (duration === undefined) return undefined;
  const ms = typeof duration === 'string' ? parseDuration(duration) : null;
  if (ms === null) at.of(key).mistake(explainDuration(String(duration)));
  return ms;
}

function readDeliveredTo(value: JsonMap, at: StoryReading): string | null | undefined {
  const receiver = value['delivered_to'];
  if (receiver === undefined) return undefined;
  return readOneOf(receiver, at.receivers, 'not a receiver', at.of('delivered_to'));
}

function readSigned(value: JsonMap, at: StoryReading): boolean {
  const { signed } = value;
  if (signed !== undefined && signed !== 'valid')
    at.of('signed').mistake(`${shown(signed)} is not how it is signed. Write signed: valid.`);
  return signed === 'valid';
}

export const WHEN_KEYS = ['every', 'first', 'as', 'after', 'steps'] as const;
const OF_WHEN: readonly string[] = WHEN_KEYS;

const INSIDE_WHEN = ['as', 'after'];

/** The `when`s of a file; names that they bind are visible in their own steps only. */
export function* readWhens(value: unknown, reading: StoryReading): Slices<StoryWhen[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reading.report.mistake(['when'], '"when" is a list. Write - every: {...} with steps: below it.', 'key');
    return [];
  }
  const whens: StoryWhen[] = [];
  for (const [i, item] of value.entries()) {
    const when = yield* readWhen(item, reading.of('when', i));
    if (when !== null) whens.push(when);
    yield;
  }
  return whens;
}

function* readWhen(value: unknown, at: StoryReading): Slices<StoryWhen | null> {
  if (value === undefined) return null;
  if (!isMap(value))
    return at.mistake(`${shown(value)} is not a "when". Write every: or first: and a check, then steps:.`);
  reportKeys(value, OF_WHEN, 'does not stand in a "when"', at);
  const verbs = (['every', 'first'] as const).filter((word) => Object.hasOwn(value, word));
  const [verb] = verbs;
  if (verb === undefined || verbs.length > 1)
    return at.mistake('A "when" waits for one thing. Write every: or first: and a check.');
  if (!Object.hasOwn(value, 'steps')) at.mistake('A "when" has steps. Write steps: and a line "- wait: 1s".');
  const reading: StoryReading = { ...at, names: at.names.inner() };
  const around = { modifiers: INSIDE_WHEN, fitting: INSIDE_WHEN };
  const when = withModifiersBeside(value, verb, around, at);
  const subject = readSubject(verb, when[verb], reading.of(verb));
  if (subject !== null && reportProbe(subject, reading.of(verb))) return null;
  const { after, as } = when;
  const afterMs = after === undefined ? 0 : parseSpan(after);
  if (afterMs === null) at.of('after').mistake(explainDuration(String(after)));
  const { line, file } = reading.placeOf([...at.path, verb]);
  const named = as === undefined || reading.names.give(as, subject?.names ?? 'any', line, at.of('as')) ? as : undefined;
  const steps = yield* reading.readSteps(value['steps'], reading.of('steps'));
  if (subject === null || afterMs === null) return null;
  const text = `when ${verb} ${subject.text}`;
  return { file, line, text, verb, subject, as: (named as string | undefined) ?? null, afterMs, steps };
}
