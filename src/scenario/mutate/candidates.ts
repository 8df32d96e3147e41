/** The steps that may notice a mutation, the best first: which of them do is found by playing them. */
import { formatDuration } from '../../base/time/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { conditionIn } from '../language/conditions.ts';
import { DEFAULT_LIMIT_MS } from '../language/steps/check.ts';
import type { ScenarioChange } from '../model/change.ts';
import type { Values } from '../model/scenario.ts';
import { flowText } from './check-changes.ts';
import { type PastePlace, placesIn } from './places.ts';
import type { ComparedRuns } from './played-case.ts';
import { type Difference, differences, stateDifferences } from './traces.ts';

/** A step to paste. */
interface Suggestion {
  readonly place: PastePlace;
  /** The word of the step with its check, and the modifiers. */
  readonly step: string;
  readonly beside: JsonMap;
  /** When what it finds happens; ms from the start. Null: at any time. */
  readonly t: number | null;
}

/** Number of differences of time for which a limit is tried. */
const MOST_TIMED = 4;

/** Half of the range of a limit that proves a time. */
const MARGIN_MS = 1_000;

export function candidatesFor(change: ScenarioChange, file: string, text: string, runs: ComparedRuns): Suggestion[] {
  const { unchanged, mutated, step } = runs;
  const isOwn = step.file === file && change.kind !== 'threshold';
  const { around, end } = placesIn(text, isOwn ? step.line : null);
  const endedMs = unchanged.steps.find((one) => one.file === step.file && one.line === step.line)?.endedMs ?? 0;
  const all = differences(runs).map((one) => ({ ...one, check: withParameters(one.check, runs.values) }));
  const own = all.filter(({ otherT }) => otherT === null);
  const states = stateDifferences(unchanged.after, mutated.after).map((check) =>
    around.map((place) => stateAt(place, check)),
  );
  const last = stateDifferences(unchanged.over, mutated.over);
  return [
    ...own.filter(isPlain).flatMap((one) => suggestionsOf(one, around, end, endedMs)),
    ...states.flat(),
    ...last.flatMap((check) => (end === null ? [] : [stateAt(end, check)])),
    ...own.filter((one) => !isPlain(one)).flatMap((one) => suggestionsOf(one, around, end, endedMs)),
    ...all
      .filter(({ otherT }) => otherT !== null)
      .slice(0, MOST_TIMED)
      .flatMap((one) => around.map((place) => timed(one, place, endedMs))),
  ];
}

/** The check with `$name` for what is a value of the case: it holds in the other cases too. */
function withParameters(check: JsonMap, values: Values | null): JsonMap {
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, named(item)]));
    const [name] = Object.entries(values ?? {}).find(([, one]) => typeof one === 'string' && one === value) ?? [];
    return name === undefined ? value : `$${name}`;
  };
  return named(check) as JsonMap;
}

/** A check without values of the object. */
const isPlain = ({ check }: Difference): boolean => Object.keys(check).every((key) => PLAIN.includes(key));
const PLAIN: readonly string[] = [
  'event',
  'of',
  'alert',
  'status',
  'delivery',
  'result',
  'mail',
  'request',
  'watch',
  'shows',
];

function suggestionsOf(
  { counts: [own, others], check, t }: Difference,
  around: readonly PastePlace[],
  end: PastePlace | null,
  endedMs: number,
): Suggestion[] {
  const condition = conditionIn(check);
  const canCount = condition !== undefined && Object.hasOwn(condition.fields, 'count');
  const since = condition?.searches === true ? { since: 'start' } : {};
  const sooner = t - endedMs <= DEFAULT_LIMIT_MS;
  const limit = sooner ? {} : { within: formatDuration(Math.ceil((t - endedMs + MARGIN_MS) / 1_000) * 1_000) };
  const found: Suggestion[] = [];
  if (own > 0 && others === 0) {
    for (const place of around) found.push({ place, step: `expect: ${flowText(check)}`, beside: limit, t });
    if (end !== null) found.push({ place: end, step: `check: ${flowText(check)}`, beside: since, t });
  }
  if (canCount && end !== null)
    found.push({ place: end, step: `check: ${flowText({ ...check, count: own })}`, beside: since, t });
  if (own > 0 && others > 0 && !canCount)
    for (const place of around) found.push({ place, step: `expect: ${flowText(check)}`, beside: limit, t });
  return found;
}

const stateAt = (place: PastePlace, check: JsonMap): Suggestion => ({
  place,
  step: `check: ${flowText(check)}`,
  beside: {},
  t: null,
});

/** The time of the unchanged run, but not that of the mutated one. */
function timed({ check, t, otherT }: Difference, place: PastePlace, endedMs: number): Suggestion {
  const margin = Math.min(MARGIN_MS, Math.floor(Math.abs((otherT ?? t) - t) / 2));
  const [min, max] = [Math.max(0, t - endedMs - margin), Math.max(0, t - endedMs + margin)];
  const within = min === 0 ? formatDuration(max) : `${formatDuration(min)}..${formatDuration(max)}`;
  return { place, step: `expect: ${flowText(check)}`, beside: { within }, t };
}
