/** The time range of a list: from `created_after` up to but excluding `created_before`. [decisions 1] */
import { parseInstantUp } from '../../base/time/instants.ts';
import { invalid } from '../route.ts';

interface SpanQuery {
  readonly created_after?: string;
  readonly created_before?: string;
}

interface TimeSpan {
  readonly after: number | undefined;
  readonly before: number | undefined;
}

/** Refuses an inverted range: its empty page would look like "nothing happened". */
export function readSpan({ created_after, created_before }: SpanQuery): TimeSpan {
  const [after, before] = [instantOf(created_after), instantOf(created_before)];
  if (after !== undefined && before !== undefined && before < after)
    return invalid([{ pointer: '?created_before', detail: 'must not be before created_after' }], 'query');
  return { after, before };
}

/** Rounded up: things happen at whole milliseconds, so a finer bound excludes the millisecond before. */
export const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : (parseInstantUp(text) as number);
