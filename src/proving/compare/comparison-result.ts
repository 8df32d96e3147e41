/** The result of a comparison for all report formats, and the keys that identify each difference in a baseline. [cli, compare] */
import type { ComparedCheck } from './compared-check.ts';
import type { PointRow } from './open-points/rows.ts';
import type { DeviationGroup } from './report.ts';

export interface ComparisonResult {
  readonly checks: readonly ComparedCheck[];
  readonly groups: readonly DeviationGroup[];
  readonly points: readonly PointRow[];
  /** Number of judged exchanges and deliveries, by operation. */
  readonly judged: ReadonlyMap<string, number>;
}

export const keyOfCheck = ({ request, differences }: ComparedCheck): string => `${request} ${differences.join('; ')}`;
export const keyOfPoint = ({ id, observed }: PointRow): string => `open point ${id} ${observed ?? ''}`;

/** Returns the keys of all differences, for comparison with a baseline. */
export function differencesIn({ checks, groups, points }: ComparisonResult): { readonly key: string }[] {
  return [
    ...checks.filter(({ result }) => result === 'different').map((one) => ({ key: keyOfCheck(one) })),
    ...groups.map(({ key }) => ({ key })),
    ...points.filter(({ result }) => result === 'otherwise').map((one) => ({ key: keyOfPoint(one) })),
  ];
}

export const exchangesIn = ({ judged }: ComparisonResult): number =>
  [...judged.values()].reduce((sum, count) => sum + count, 0);
