/** The span of time that a list is asked for: from `created_after` up to, and without, `created_before`. [decisions 1] */
import { parseInstantUp } from '../base/instants.ts';
import { invalid } from './problem.ts';

interface SpanQuery {
  readonly created_after?: string;
  readonly created_before?: string;
}

interface TimeSpan {
  readonly after: number | undefined;
  readonly before: number | undefined;
}

/** A span that ends before it begins is refused: its empty page would look like "nothing happened". */
export function readSpan({ created_after, created_before }: SpanQuery): TimeSpan {
  const [after, before] = [instantOf(created_after), instantOf(created_before)];
  if (after !== undefined && before !== undefined && before < after)
    return invalid([{ pointer: '?created_before', detail: 'must not be before created_after' }], 'query');
  return { after, before };
}

/** What happened, happened at a whole millisecond: a finer bound lies between two of them, and the later one decides. */
export const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : (parseInstantUp(text) as number);
