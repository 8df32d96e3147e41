/** Reads a list of steps: the word of each, and the modifiers beside it; `rules`, conditions on the whole run; and `when`, steps that run in parallel to the story. */

import { isDeepStrictEqual } from 'node:util';
import { explainDuration, formatDuration, parseDuration, parseRange } from '../../base/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type Path, type Report, shown } from '../../plant/mistakes.ts';
import { readCount } from '../judging/subjects/parts.ts';
import { type MsSpan, parseSpan } from '../story/draws.ts';
import { readOneOf, reportKeys, type StoryReading } from '../story/read-matcher.ts';
import type { GivenKind } from '../story/references.ts';
import type { Limit, StoryRule, StoryStep, StoryWhen } from '../story/story.ts';
import { readSubject } from './read-check.ts';
import { withModifiersBeside } from './read-inside.ts';
import { MODIFIERS, type Modifier, STEP_KINDS, type StepKind } from './step-kinds.ts';

/** Modifiers of every word. */
const ALWAYS_BESIDE: readonly string[] = ['after', 'at', 'note', 'only', 'equivalent'];

/** The steps of a list; those with mistakes are reported and omitted. */
export function readSteps(value: unknown, path: Path, reading: StoryReading): StoryStep[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reading.report.mistake(path, 'Steps are a list. Write a line "- wait: 20s" for each.', 'key');
    return [];
  }
  return value.flatMap((item: unknown, i) => readStep(item, [...path, i], reading) ?? []);
}

function readStep(value: unknown, path: Path, reading: StoryReading): StoryStep | null {
  const { report } = reading;
  if (value === undefined) return null;
  if (!isMap(value)) {
    const word =
      typeof value === 'string' && STEP_KINDS.has(value)
        ? ` Write ${value}: and what it needs.`
        : ' Write - wait: 20s.';
    report.mistake(path, `${shown(value)} is not a step.${word}`);
    return null;
  }
  if (!isOfThisCase(value, path, reading)) return null;
  const word = wordOf(value, path, report);
  const kind = word === null ? undefined : STEP_KINDS.get(word);
  if (word === null || kind === undefined) {
    // A step with a mistake still binds its name, to avoid follow-up mistakes.
    readName(value, undefined, reading.placeOf(path).line, path, reading);
    return null;
  }
  const { file, line } = reading.placeOf([...path, word]);
  reportMisplaced(value, word, kind, path, report);
  const fitting = [...ALWAYS_BESIDE, ...kind.beside];
  const step = withModifiersBeside(value, word, { modifiers: MODIFIERS, fitting }, path, report);
  const after = readDuration(step, 'after', path, report);
  const at = readDuration(step, 'at', path, report);
  const beside = { within: readLimit(step, path, report), forMs: readDuration(step, 'for', path, report) };
  if (step['note'] !== undefined && typeof step['note'] !== 'string') {
    report.mistake([...path, 'note'], `${shown(step['note'])} is not a text. Write it in quotes.`);
  }
  reportEquivalent(step, path, report);
  const read = kind.read(step[word], [...path, word], reading, beside);
  const named = kind.beside.includes('as');
  const as = named ? readName(step, read === null ? undefined : read.names, line, path, reading) : null;
  if (read === null) return null;
  const refused = readRefused(step, path, report);
  return { ...read.body, file, line, text: read.text, afterMs: after ?? 0, atMs: at, as, refused };
}

/** `only: {fault: slow}`, or a list of values: restricts the step to these cases. */
function isOfThisCase(step: JsonMap, path: Path, { values, report }: StoryReading): boolean {
  const { only } = step;
  if (only === undefined) return true;
  if (!isMap(only)) {
    report.mistake([...path, 'only'], `${shown(only)} is not a case. Write only: {param: value}.`);
    return true;
  }
  return Object.entries(only).every(([name, wanted]) => {
    if (!Object.hasOwn(values, name)) {
      const meant = didYouMean(name, Object.keys(values));
      report.mistake([...path, 'only', name], `${quoted(name)} is not a parameter or case.${meant}`, 'key');
      return true;
    }
    return [wanted].flat().some((one) => isDeepStrictEqual(one, values[name]));
  });
}

/** The word of a step; null after reporting none or several. */
function wordOf(step: JsonMap, path: Path, report: Report): string | null {
  const keys = Object.keys(step);
  const words = keys.filter((key) => STEP_KINDS.has(key));
  const others = keys.filter((key) => !words.includes(key) && !isModifier(key));
  if (words.length > 1) {
    const both = words.map(quoted).join(' and ');
    report.mistake([...path, words[1]!], `A step has one action; ${both} need a line with "- " each.`, 'key');
    return null;
  }
  const [word] = words;
  if (word === undefined) {
    const [key] = others;
    const known = [...STEP_KINDS.keys()];
    const meant =
      key === undefined ? ' Write - wait: 20s.' : didYouMean(key, known) || ' "sandbox explain" lists them all.';
    report.mistake(
      key === undefined ? path : [...path, key],
      `${quoted(key ?? keys.join(', '))} is not a step.${meant}`,
      'key',
    );
    return null;
  }
  return word;
}

function isModifier(key: string): boolean {
  return MODIFIERS.includes(key as Modifier);
}

function reportMisplaced(step: JsonMap, word: string, kind: StepKind, path: Path, report: Report): void {
  const fitting: readonly string[] = [...ALWAYS_BESIDE, ...kind.beside];
  for (const key of Object.keys(step)) {
    if (key === word || fitting.includes(key)) continue;
    report.mistake([...path, key], misplaced(key, word, fitting, step), 'key');
  }
}

function misplaced(key: string, word: string, fitting: readonly string[], step: JsonMap): string {
  if (isModifier(key)) return `${quoted(key)} says nothing beside ${quoted(word)}. Delete it.`;
  const free = fitting.filter((one) => !Object.hasOwn(step, one));
  return `${quoted(key)} does not stand beside ${quoted(word)}; what the step itself has stands inside its braces.${didYouMean(key, free).replace(/^ Write.*/, '')}`;
}

/** `equivalent: {step: why}`: mutations that the story need not detect, each with its reason. */
function reportEquivalent({ equivalent }: JsonMap, path: Path, report: Report): void {
  if (equivalent === undefined) return;
  if (!isMap(equivalent)) {
    report.mistake(
      [...path, 'equivalent'],
      `${shown(equivalent)} is not what changes nothing. Write equivalent: {step: why}, or a detail of the check in the place of step.`,
    );
    return;
  }
  for (const [detail, reason] of Object.entries(equivalent)) {
    if (typeof reason === 'string' && reason.trim() !== '') continue;
    report.mistake(
      [...path, 'equivalent', detail],
      `${shown(reason)} is not a reason. Write it in words, in quotes where it has a comma.`,
    );
  }
}

/** `refused: true`: the step is expected to be rejected. */
function readRefused(step: JsonMap, path: Path, report: Report): boolean {
  const { refused } = step;
  if (refused === undefined || typeof refused === 'boolean') return refused ?? false;
  report.mistake([...path, 'refused'], `${shown(refused)} is neither true nor false. Write refused: true.`);
  return false;
}

function readDuration(step: JsonMap, key: 'after' | 'at' | 'for', path: Path, report: Report): MsSpan | null {
  const value = step[key];
  if (value === undefined) return null;
  const ms = parseSpan(value);
  if (ms === null) report.mistake([...path, key], explainDuration(String(value)));
  return ms;
}

/** `within: 5s` is an upper limit; `within: 29s..31s` has a lower one too. */
function readLimit(step: JsonMap, path: Path, report: Report): Limit | null {
  const value = step['within'];
  if (value === undefined) return null;
  const max = typeof value === 'string' ? parseDuration(value) : null;
  if (max !== null) return { min: 0, max };
  const range = typeof value === 'string' ? parseRange(value) : null;
  if (range === null) report.mistake([...path, 'within'], explainDuration(String(value)));
  return range;
}

function readName(
  step: JsonMap,
  kind: GivenKind | null | undefined,
  line: number,
  path: Path,
  reading: StoryReading,
): string | null {
  const name = step['as'];
  if (name === undefined) return null;
  if (kind === null) {
    reading.report.mistake([...path, 'as'], 'This step finds nothing that could have a name. Delete "as".', 'key');
    return null;
  }
  return reading.names.give(name, kind ?? 'any', line, [...path, 'as'], reading.report) ? name : null;
}

/** Reads `rules`, conditions on the whole run, and `when`, steps that run in parallel to the story. */
export const RULE_VERBS = ['every', 'always', 'never'] as const;
/** Keys allowed beside `every`. */
export const BESIDE_EVERY = ['within', 'apart', 'delivered_to', 'signed', 'count'] as const;
const OF_EVERY: readonly string[] = BESIDE_EVERY;

/** Keys that a check also may have. */
const INSIDE_RULE = ['note', ...OF_EVERY.filter((key) => key !== 'count')];

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
  const known = [verb, 'note', 'equivalent', ...(verb === 'every' ? OF_EVERY : [])];
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
  if (subject === null || [withinMs, apartMs, deliveredTo, count].includes(null)) return null;
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
  if (withinMs !== undefined && deliveredTo === undefined) {
    report.mistake([...path, 'within'], '"within" is the limit of "delivered_to". Write both, or delete it.', 'key');
    return null;
  }
  const { file, line } = reading.placeOf([...path, verb]);
  const said = [
    `${verb} ${subject.text}`,
    deliveredTo === undefined ? '' : `delivered to ${deliveredTo}`,
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
      as: null,
      refused: false,
    },
    ...{ verb, subject, withinMs: withinMs ?? null, apartMs: apartMs ?? null },
    ...{ deliveredTo: deliveredTo ?? null, signed, count: count ?? null },
  };
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
