/** Non-standard input: accepted with a warning in the request log, and refused by a strict sandbox. [decisions 1, 3, cli] */
import { LENIENCIES, type LeniencyName } from '../../../contract/leniencies.ts';
import { ENCODED_COMMA } from '../../../contract/query.ts';
import { seesContractor, type Viewer } from '../../domain/access/viewer.ts';
import type { World } from '../../domain/world/world.ts';
import { type Call, invalid } from '../route.ts';

/** Writes the warning into the row of this request, once. */
export function warn({ visit }: Pick<Call['request'], 'visit'>, name: LeniencyName): void {
  const { warning } = LENIENCIES[name];
  if (!visit.warnings.includes(warning)) visit.warnings.push(warning);
}

/**
 * Returns a function that is true for the values that a free-text filter names. Without the filter, it is true for all.
 */
export function textFilter(
  call: Call,
  parameter: string,
  visible: () => Iterable<string | null>,
): (value: string | null) => boolean {
  const named = namedTexts(call, parameter, visible);
  const items = new Set(named);
  return (value) => named === undefined || (value !== null && items.has(value));
}

/**
 * The values that a free-text filter names, or undefined without the filter. `visible` returns the values that the
 * viewer may see. A value with an encoded comma is one name if it is among them. Otherwise the comma separates names,
 * which is non-standard input. [decisions 1]
 */
export function namedTexts(
  call: Call,
  parameter: string,
  visible: () => Iterable<string | null>,
): readonly string[] | undefined {
  const named = (call.query as Readonly<Record<string, readonly string[] | undefined>>)[parameter];
  if (named === undefined) return undefined;
  const ambiguous = call.ambiguous.get(parameter) ?? [];
  if (ambiguous.length > 0) {
    const names = new Set(visible());
    if (ambiguous.some((value) => !names.has(value))) {
      if (call.parts.strict) invalid([{ pointer: `?${parameter}`, detail: ENCODED_COMMA }], 'query');
      warn(call.request, 'encoded-comma');
    }
  }
  return named;
}

/** The contractors of the workers whom the viewer may see. */
export function* contractorsSeen(world: World, viewer: Viewer): Iterable<string | null> {
  for (const { contractor } of world.indexes.workersOfOrganization.of(viewer.organizationId).values())
    if (seesContractor(viewer, contractor)) yield contractor;
}
