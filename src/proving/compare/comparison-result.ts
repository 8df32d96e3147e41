/** The result of a comparison for all report formats, and the keys that identify each difference in a baseline. [cli, compare] */
import { OPERATIONS } from '../../contract/operations/all.ts';
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

/**
 * The resources (`alerts`, `oauth`: the part of the path after `/v1/`) that the service never showed so that they can be
 * judged: all their checks that the sandbox answers with a success are unknown. What both refuse, such as a wrong method or
 * a token without the scope, shows nothing about the resource. [cli, compare]
 */
export function unjudgedGroups({ checks }: ComparisonResult): string[] {
  const judged = new Map<string, boolean>();
  for (const { request, result, sandbox } of checks) {
    const [, , group = ''] = (request.split(' ')[1] ?? '').split(/[/?]/);
    if (sandbox === null || sandbox.status >= 300 || !RESOURCES.has(group)) continue;
    judged.set(group, judged.get(group) === true || result !== 'unknown');
  }
  return [...judged].filter(([, isJudged]) => !isJudged).map(([group]) => group);
}

const RESOURCES: ReadonlySet<string> = new Set(OPERATIONS.map(({ path }) => path.split('/')[2] ?? ''));

export const exchangesIn = ({ judged }: ComparisonResult): number =>
  [...judged.values()].reduce((sum, count) => sum + count, 0);
