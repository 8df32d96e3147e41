/** Wrong values for the details of checks: plausible mistakes, and values that cannot match. */
import { formatDuration, parseDuration, parseRange } from '../../base/time/durations.ts';
import {
  ALERT_STATUSES,
  ALERT_TYPES,
  ASSEMBLY_POINT_STATUSES,
  DEADLINE_SOURCES,
  DEVICE_STATUSES,
  ELEVATION_SOURCES,
  EVENT_GROUPS,
  EVENT_TYPES,
  HELP_REASONS,
  LOCATION_SOURCES,
  MUSTER_KINDS,
  MUSTER_PHASES,
  MUSTER_STATUSES,
  NEARBY_KINDS,
  PRIVACY_MODES,
  SEVERITIES,
  SOS_TRIGGERS,
  ZONE_TYPES,
} from '../../contract/enumerations.ts';
import { PROBLEM_CODES } from '../../contract/problems.ts';
import { MISSING_STATUSES } from '../../contract/resources/headcount.ts';
import { CONDITIONS } from '../language/conditions.ts';

/** A number that no count, battery level or time of a scenario reaches. */
const FAR = 1_000_003;

/** Enumerations: a wrong word is another word of the same list. */
const ENUMERATIONS: readonly (readonly string[])[] = [
  EVENT_TYPES,
  EVENT_GROUPS,
  ALERT_TYPES,
  ALERT_STATUSES,
  SEVERITIES,
  MUSTER_STATUSES,
  MUSTER_PHASES,
  MUSTER_KINDS,
  MISSING_STATUSES,
  HELP_REASONS,
  SOS_TRIGGERS,
  DEVICE_STATUSES,
  ZONE_TYPES,
  PRIVACY_MODES,
  LOCATION_SOURCES,
  ASSEMBLY_POINT_STATUSES,
  ELEVATION_SOURCES,
  DEADLINE_SOURCES,
  NEARBY_KINDS,
  PROBLEM_CODES,
];

/** The enumerations, and the words of the keys of conditions, such as the results of a delivery. */
const WORD_LISTS: ReadonlySet<readonly string[]> = new Set([
  ...ENUMERATIONS,
  ...[...CONDITIONS.values()].flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ schema }) => {
      const { enum: words } = schema;
      return Array.isArray(words) && words.every((word) => typeof word === 'string') ? [words] : [];
    }),
  ),
]);

const COMPARE = /^(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$/;
const OPPOSITE: Readonly<Record<string, string>> = { '>=': '<', '<': '>=', '<=': '>', '>': '<=' };
/** A pattern or a name. */
const OPEN = /^(?:\/.*\/[a-z]*|\$.+)$/s;
const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/;

/**
 * Returns true if the opposite may be true of another candidate, as for `tries: ">= 2"`, which must hold for only one
 * of several candidates.
 */
export const asksForOneOfSeveral = (value: unknown): boolean =>
  typeof value === 'string' && (COMPARE.test(value) || OPEN.test(value));

/**
 * Returns values that do not match where `value` does, the most plausible first. `onTheWay`: the state may have had a
 * near value earlier, so a distant one is added.
 */
export function wrongValues(value: unknown, onTheWay: boolean): unknown[] {
  if (value === null) return ['any'];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, ...(onTheWay ? [value + FAR] : [])];
  return typeof value === 'string' ? wrongTexts(value) : [];
}

function wrongTexts(text: string): unknown[] {
  if (text === 'any') return [null];
  const [, operator, than] = COMPARE.exec(text) ?? [];
  if (operator !== undefined) {
    const far = operator.startsWith('>') ? Number(than) + FAR : Number(than) - FAR;
    return [`${OPPOSITE[operator]} ${than}`, `${operator} ${far}`];
  }
  const [, min, max] = RANGE.exec(text) ?? [];
  if (min !== undefined) return [`${Number(max) + 1}..${Number(max) + 1 + FAR}`, `${FAR}..${2 * FAR}`];
  const [, least] = /^(\d+)\.\.$/.exec(text) ?? [];
  if (least !== undefined) return [`${Number(least) + FAR}..`];
  const [, more] = /^\+(\d+)$/.exec(text) ?? [];
  if (more !== undefined) return [`+${Number(more) + 1}`];
  if (OPEN.test(text)) return [`not ${text}`, '(no such text)'];
  if (text.startsWith('not ')) return [text.slice('not '.length)];
  const ms = parseDuration(text);
  if (ms !== null) return [formatDuration(ms + 7_000)];
  const span = parseRange(text);
  if (span !== null) return [`${formatDuration(span.max + 1)}..${formatDuration(span.max + 7_000)}`];
  const others = [...WORD_LISTS].filter((list) => list.includes(text)).flatMap((list) => othersOf(list, text));
  // A group matches all of its events; at least one of these event types never occurs.
  const events = EVENT_GROUPS.some((group) => group === text) ? EVENT_TYPES : [];
  return [...others, ...events, '(no such text)'];
}

/** Returns the list rotated to begin after the word, without it. */
function othersOf(list: readonly string[], word: string): string[] {
  const at = list.indexOf(word);
  return [...list.slice(at + 1), ...list.slice(0, at)];
}
