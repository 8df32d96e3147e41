/** Non-standard input: accepted with a warning in the request log, and refused by a strict sandbox. [decisions 1, 3, cli] */
import { LENIENCIES, type LeniencyName } from '../contract/leniencies.ts';
import { ENCODED_COMMA } from '../contract/query.ts';
import { type Call, invalid } from './route.ts';

/** Writes the warning into the row of this request, once. */
export function warn({ visit }: Pick<Call['request'], 'visit'>, name: LeniencyName): void {
  const { warning } = LENIENCIES[name];
  if (!visit.warnings.includes(warning)) visit.warnings.push(warning);
}

/**
 * True for the values that a free-text filter names; without the filter, for all. A match that exists only because an
 * encoded comma separates is non-standard input: whether the comma separates depends on the names in the world. [decisions 1]
 */
export function textFilter(call: Call, parameter: string): (value: string | null) => boolean {
  const named = (call.query as Readonly<Record<string, readonly string[] | undefined>>)[parameter];
  if (named === undefined) return () => true;
  const items = new Set(named);
  const parts = call.textParts.get(parameter);
  return (value) => {
    if (value === null || !items.has(value)) return false;
    if (parts?.has(value) !== true) return true;
    if (call.parts.strict) invalid([{ pointer: `?${parameter}`, detail: ENCODED_COMMA }], 'query');
    warn(call.request, 'encoded-comma');
    return true;
  };
}
