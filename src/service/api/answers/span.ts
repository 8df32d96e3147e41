/** The time range of a list: from `created_after` up to but excluding `created_before`. [decisions 1] */
import { parseInstant, parseInstantUp } from '../../../base/time/instants.ts';
import type { Assumptions } from '../../../contract/gaps.ts';
import { invalid } from '../route.ts';

interface SpanQuery {
  readonly created_after?: string;
  readonly created_before?: string;
}

interface TimeSpan {
  readonly after: number | undefined;
  readonly before: number | undefined;
}

/** Refuses an inverted range: its empty page would look like "nothing happened". With `turned-window=empty` it is an empty range. */
export function readSpan({ created_after, created_before }: SpanQuery, assumptions: Assumptions): TimeSpan {
  const [after, before] = [beginOf(created_after, assumptions), instantOf(created_before)];
  const isTurned = before !== undefined && before < (instantOf(created_after) ?? before);
  if (isTurned && assumptions['turned-window'] === '422')
    return invalid([{ pointer: '?created_before', detail: 'must not be before created_after' }], 'query');
  return isTurned ? { after, before: after } : { after, before };
}

/**
 * The first instant of a range that begins at this time. With `time-bounds=exclusive` the range begins 1 ms later.
 * [decisions 1]
 */
export const beginOf = (text: string | undefined, assumptions: Assumptions): number | undefined =>
  text !== undefined && assumptions['time-bounds'] === 'exclusive'
    ? (parseInstant(text) as number) + 1
    : instantOf(text);

/** Rounds up: all times of the world are whole milliseconds, so a finer bound excludes the millisecond before it. */
const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : (parseInstantUp(text) as number);
