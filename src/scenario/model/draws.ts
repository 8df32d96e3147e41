/** Ranges `a..b` in actions: parsing, and the seeded draw of one value each time a step begins. [scenario-language, Time and reference] */

import { type Stream, streams } from '../../base/random/streams.ts';
import { explainDuration, formatDuration, parseDuration, parseRange } from '../../base/time/durations.ts';
import { isMap, partsOf, type SchemaNode, variantsOf } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { Duration } from '../../contract/shapes.ts';
import type { FilePlace, Path } from '../../plant/mistakes.ts';
import type { Draw, MsSpan, PlacedDraw } from './planned-draws.ts';
import type { RepeatCount, StepFrame } from './scenario.ts';

export const DURATION_PATTERN = (Duration as SchemaNode).pattern;

const NUMBERS = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/;
const DISTANCES = /^(\d+(?:\.\d+)?)(m|km)?\.\.(\d+(?:\.\d+)?)(m|km)$/;

/** Least number of decimal places of a drawn number. */
const LEAST_DECIMALS = 2;

/** Returns all ranges in the value of a field; null after reporting a range from which no value can be drawn. */
export function readDraws(rule: SchemaNode, value: unknown, at: FilePlace): PlacedDraw[] | null {
  const found: PlacedDraw[] = [];
  return walk(variantsOf(rule), value, at, [], found) ? found : null;
}

function walk(rules: readonly SchemaNode[], value: unknown, at: FilePlace, within: Path, found: PlacedDraw[]): boolean {
  if (typeof value === 'string') {
    const draw = value.includes('..') ? readDraw(rules, value, at) : undefined;
    if (draw !== undefined && draw !== null) found.push({ path: within, draw });
    return draw !== null;
  }
  return partsOf(rules, value)
    .map(([key, item, inner]) => walk(inner.flatMap(variantsOf), item, at.of(key), [...within, key], found))
    .every(Boolean);
}

/** Returns undefined if the text is not a range of this field's type; null after reporting a mistake. */
function readDraw(rules: readonly SchemaNode[], text: string, at: FilePlace): Draw | null | undefined {
  for (const rule of rules) {
    const draw = rule.type === 'string' ? textDraw(rule, text, at) : numberDraw(rule, text, at);
    if (draw !== undefined) return draw;
  }
  return undefined;
}

function textDraw({ pattern }: SchemaNode, text: string, at: FilePlace): Draw | null | undefined {
  if (pattern === DURATION_PATTERN) {
    const range = parseRange(text);
    if (range !== null) return { kind: 'duration', ...range, decimals: 0 };
    if (text.split('..').some((end) => parseDuration(end.trim()) === null)) return undefined;
    return at.mistake(explainDuration(text));
  }
  if (pattern?.startsWith('^-?(?=') === true) return signedDraw(text, at);
  const [, from, , to] = pattern?.includes('(m|km)') === true ? (DISTANCES.exec(text) ?? []) : [];
  if (from === undefined || to === undefined) return undefined;
  const [low = '', high = ''] = text.split('..');
  const unit = /[a-z]+$/.exec(high)?.[0] ?? 'm';
  const ends = [metresOf(/[a-z]$/.test(low) ? low : low + unit), metresOf(high)] as const;
  return inOrder({ kind: 'number', min: ends[0], max: ends[1], decimals: LEAST_DECIMALS }, text, at);
}

function metresOf(text: string): number {
  return Number.parseFloat(text) * (text.endsWith('km') ? 1000 : 1);
}

/** Reads a signed clock error such as `-2m..20s`. */
function signedDraw(text: string, at: FilePlace): Draw | null | undefined {
  const [min = null, max = null, more] = text.split('..').map((end) => {
    const ms = parseDuration(end.replace(/^-/, ''));
    return ms === null ? null : end.startsWith('-') ? -ms : ms;
  });
  if (min === null || max === null || more !== undefined) return undefined;
  return inOrder({ kind: 'duration', min, max, decimals: 0 }, text, at);
}

function numberDraw(rule: SchemaNode, text: string, at: FilePlace): Draw | null | undefined {
  const whole = rule.type === 'integer';
  if ((!whole && rule.type !== 'number') || rule.enum !== undefined) return undefined;
  const [, from, to] = NUMBERS.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const decimals = Math.max(LEAST_DECIMALS, ...[from, to].map((end) => end.split('.')[1]?.length ?? 0));
  const [min, max] = [Number(from), Number(to)];
  const draw = inOrder({ kind: whole ? 'whole' : 'number', min, max, decimals }, text, at);
  if (draw === null) return null;
  const complaint = unfitting(rule, draw, text, String(at.path.findLast((one) => typeof one === 'string')));
  if (complaint !== null) at.mistake(complaint);
  return complaint === null ? draw : null;
}

function inOrder(draw: Draw, text: string, at: FilePlace): Draw | null {
  if (draw.min <= draw.max) return draw;
  const [from = '', to = ''] = text.split('..');
  return at.mistake(`${text} ends before it begins. Write ${to}..${from}.`);
}

/** Returns the mistake in a range that exceeds the bounds of its field; null if every drawn value fits. */
function unfitting(rule: SchemaNode, { kind, min, max }: Draw, text: string, key: string): string | null {
  if (kind === 'whole' && !(Number.isInteger(min) && Number.isInteger(max))) {
    const [low, high] = [Math.ceil(min), Math.floor(max)];
    const write = low <= high ? `${low}..${high}` : `${Math.floor(min)}..${Math.ceil(max)}`;
    return `${text} is not a range of whole numbers, as ${quoted(key)} is. Write ${write}.`;
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, exclusiveMinimum } = rule;
  const least = exclusiveMinimum ?? minimum;
  const low = exclusiveMinimum === undefined ? min >= minimum : min > exclusiveMinimum;
  if (low && max <= maximum) return null;
  const bounds = `${exclusiveMinimum === undefined ? '' : 'more than '}${least} to ${maximum}`;
  const step = exclusiveMinimum === undefined ? 0 : 0.1;
  const [from, to] = [low ? min : least + step, Math.min(max, maximum)];
  return `${text} goes beyond what ${quoted(key)} can be, ${bounds}. Write ${from <= to ? `${from}..${to}` : 'a range within it'}.`;
}

/** Reads a duration or a range of durations, as in `after: 1s..3s`; returns null for anything else. */
export function parseSpan(text: unknown): MsSpan | null {
  return typeof text === 'string' ? (parseDuration(text) ?? parseRange(text)) : null;
}

export function shownSpan(span: MsSpan): string {
  return typeof span === 'number' ? formatDuration(span) : `${formatDuration(span.min)}..${formatDuration(span.max)}`;
}

export const leastOf = (span: MsSpan): number => (typeof span === 'number' ? span : span.min);

/** Draws one value, in the form that the action accepts. */
export function drawnFrom({ kind, min, max, decimals }: Draw, stream: Stream): unknown {
  if (kind === 'duration') return formatDuration(stream.int(min, max));
  if (kind === 'whole') return stream.int(min, max);
  const scale = 10 ** decimals;
  return Math.round((min + stream.float() * (max - min)) * scale) / scale;
}

/** Returns both ends of a range, in the form that the action accepts. */
export function endsOf({ kind, min, max }: Draw): readonly [unknown, unknown] {
  return kind === 'duration' ? [formatDuration(min), formatDuration(max)] : [min, max];
}

/** Returns the value with every range replaced by a drawn value. */
export function withDrawn(
  value: unknown,
  draws: readonly PlacedDraw[],
  drawOf: (placed: PlacedDraw) => unknown,
): unknown {
  return draws.reduce((whole, placed) => replaced(whole, placed.path, drawOf(placed)), value);
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item: unknown, i) => (i === key ? replaced(item, rest, by) : item));
  return isMap(value) ? { ...value, [key]: replaced(value[key], rest, by) } : value;
}

/** One random stream per actor and purpose of a run; successive draws continue it. */
export type DrawStreams = (actor: string, purpose: string) => Stream;

function drawStreams(seed: string): DrawStreams {
  const all = streams(seed);
  const kept = new Map<string, Stream>();
  return (actor, purpose) => {
    const key = JSON.stringify([actor, purpose]);
    const stream = kept.get(key) ?? all.stream(actor, purpose);
    kept.set(key, stream);
    return stream;
  };
}

export class SpanDraws {
  readonly stream: DrawStreams;

  constructor(seed: string) {
    this.stream = drawStreams(seed);
  }

  /** Returns ms. Each line has its own stream, so parallel steps do not affect each other's draws. */
  ms(span: MsSpan, step: Pick<StepFrame, 'line'>, what: string): number {
    return typeof span === 'number' ? span : this.#drawn(span, step, what);
  }

  times(count: RepeatCount, step: Pick<StepFrame, 'line'>): number {
    return typeof count === 'number' ? count : this.#drawn(count, step, 'times');
  }

  #drawn({ min, max }: { min: number; max: number }, { line }: Pick<StepFrame, 'line'>, what: string): number {
    return this.stream(`line ${line}`, what).int(min, max);
  }
}
