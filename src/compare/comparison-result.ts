/** What a comparison found, whatever form it is reported in, and by what a baseline knows each difference. [cli, compare] */
import type { ComparedCheck } from './compared-check.ts';
import type { PointRow } from './open-points/rows.ts';
import type { DeviationGroup } from './report.ts';

export interface ComparisonResult {
  readonly checks: readonly ComparedCheck[];
  readonly groups: readonly DeviationGroup[];
  readonly points: readonly PointRow[];
  /** Exchanges and deliveries that were judged, by operation. */
  readonly judged: ReadonlyMap<string, number>;
}

export const keyOfCheck = ({ request, differences }: ComparedCheck): string => `${request} ${differences.join('; ')}`;
export const keyOfPoint = ({ id, observed }: PointRow): string => `open point ${id} ${observed ?? ''}`;

/** Everything that differs, by what a baseline knows it by. */
export function differencesIn({ checks, groups, points }: ComparisonResult): { readonly key: string }[] {
  return [
    ...checks.filter(({ result }) => result === 'different').map((one) => ({ key: keyOfCheck(one) })),
    ...groups.map(({ key }) => ({ key })),
    ...points.filter(({ result }) => result === 'otherwise').map((one) => ({ key: keyOfPoint(one) })),
  ];
}

export const exchangesIn = ({ judged }: ComparisonResult): number =>
  [...judged.values()].reduce((sum, count) => sum + count, 0);
