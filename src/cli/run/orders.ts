/**
 * The results of the orders of simultaneous steps: how many orders exist, how many ran, and how their results differ.
 * [scenario-language, Simultaneous work]
 */

import { plural } from '../../contract/sentences.ts';
import type { RunResult } from '../../scenario/playing/run-file.ts';

/** The orders of one scenario with one case and seed. */
export interface OrdersData {
  readonly exist: number;
  readonly ran: number;
  /** One line for each difference from the first order that ran; empty if all orders have the same result. */
  readonly differ: readonly string[];
}

/** Maximum number of listed differences of one order. */
const MOST_LISTED = 8;

/** Orders by result. All results of one scenario, case and seed share the entry. */
export function ordersData(results: readonly RunResult[]): ReadonlyMap<RunResult, OrdersData> {
  const groups = new Map<string, RunResult[]>();
  for (const result of results) {
    const { file, values, seed } = result;
    const key = JSON.stringify([file, values, seed]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  const entries = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || first.verdict === 'skipped') return [];
    const differ = others.flatMap((other) => differences(first, other));
    // Uses the number of orders that the first run found, as the plan of the further orders does: another order may
    // lead to other groups.
    const data = { exist: first.orders, ran: group.length, differ };
    return group.map((result) => [result, data] as const);
  });
  return new Map(entries);
}

function differences(first: RunResult, other: RunResult): string[] {
  const name = `order ${other.order}`;
  const base = `order ${first.order}`;
  const lines = ({ failures }: RunResult) => failures.map(({ line }) => line).join(', ') || 'none';
  const verdict = first.verdict === other.verdict ? [] : [`${name} ${other.verdict}, ${base} ${first.verdict}`];
  const failures =
    lines(first) === lines(other) ? [] : [`${name} fails at lines ${lines(other)}; ${base}: ${lines(first)}`];
  const missing = (from: RunResult, than: RunResult) => than.outcome.filter((fact) => !from.outcome.includes(fact));
  const facts = [
    ...missing(first, other).map((fact) => `only in ${name}: ${fact}`),
    ...missing(other, first).map((fact) => `only in ${base}, not in ${name}: ${fact}`),
  ];
  const left = facts.length - MOST_LISTED;
  return [...verdict, ...failures, ...facts.slice(0, MOST_LISTED), ...(left > 0 ? [`and ${left} more`] : [])];
}

/** The text, such as `2 orders exist, 2 ran: all have the same result.`, or the differences, one per line. */
export function ordersText({ exist, ran, differ }: OrdersData): string[] {
  const counts = `${plural(exist, 'order')} ${exist === 1 ? 'exists' : 'exist'}, ${ran} ran`;
  if (exist === 1) return [`${counts}: no steps are simultaneous.`];
  if (ran === 1) return [`${counts}.`];
  return differ.length === 0
    ? [`${counts}: all have the same result.`]
    : [`${counts}, and they differ:`, ...differ.map((line) => `  ${line}`)];
}
