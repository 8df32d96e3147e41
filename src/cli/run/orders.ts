/**
 * The results of the orders of simultaneous steps: how many orders exist, how many ran, and how their results differ.
 * [scenario-language, Simultaneous work]
 */

import { plural } from '../../contract/sentences.ts';
import { isAccepted } from '../../scenario/log/run-notices.ts';
import { shownCase } from '../../scenario/model/scenario.ts';
import type { RunResult } from '../../scenario/playing/run-file.ts';
import { EXIT } from '../output.ts';
import type { RunFlags } from './flags.ts';

/** The orders of one scenario with one case and seed. */
export interface OrdersData {
  readonly exist: number;
  readonly ran: number;
  /** True if an order has another verdict or other failing lines than the first order that ran. */
  readonly result_differs: boolean;
  /** One line for each difference from the first order that ran: verdicts and failing lines first, then other facts. */
  readonly differ: readonly string[];
  /** The reason in the file why its orders may differ. */
  readonly may_differ: string | null;
}

/** A run that ended so says nothing about orders. */
const UNPLAYED: readonly string[] = ['skipped', 'error'];

/** Maximum number of listed facts of one order. */
const MOST_LISTED = 8;

/** Orders by result. All results of one scenario, case and seed share the entry. */
export function ordersData(results: readonly RunResult[]): ReadonlyMap<RunResult, OrdersData> {
  const entries = groupsOf(results).flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || UNPLAYED.includes(first.verdict)) return [];
    const ofResults = others.flatMap((other) => resultDifferences(first, other));
    const ofFacts = others.flatMap((other) => factDifferences(first, other));
    const data: OrdersData = {
      // The number of orders that the first run found, as the plan of the further orders does: another order may lead to
      // other groups.
      exist: first.orders,
      ran: group.length,
      result_differs: ofResults.length > 0,
      differ: [...ofResults, ...ofFacts],
      may_differ: first.ordersMayDiffer,
    };
    return group.map((result) => [result, data] as const);
  });
  return new Map(entries);
}

/** The results of each scenario, case and seed. */
function groupsOf(results: readonly RunResult[]): RunResult[][] {
  const groups = new Map<string, RunResult[]>();
  for (const result of results) {
    const { file, values, seed } = result;
    const key = JSON.stringify([file, values, seed]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return [...groups.values()];
}

/**
 * Returns the results of `--orders`. Where the file has `orders_may_differ`, a failure in another order is
 * accepted if the order of the file passed, because that is the order without `--orders`.
 */
export function withAllowedOrders(results: readonly RunResult[]): RunResult[] {
  const allowed = groupsOf(results).flatMap((group) => {
    const isSound = group.some(({ order, verdict }) => order === 0 && verdict === 'passed');
    return isSound ? group.filter(mayBeAllowed) : [];
  });
  return results.map((result) =>
    allowed.includes(result)
      ? { ...result, verdict: 'known_failure', exitCode: 0, reason: `orders_may_differ: ${result.ordersMayDiffer}` }
      : result,
  );
}

/** True if the result ends the runs of `--fail-fast`: a failure that other orders may make acceptable does not. */
export const endsFast = (result: RunResult, { orders }: RunFlags): boolean =>
  result.exitCode !== EXIT.done && (orders === undefined || !mayBeAllowed(result));

/** True for a failure that the results of other orders may make acceptable. */
const mayBeAllowed = ({ verdict, ordersMayDiffer, order }: RunResult): boolean =>
  verdict === 'failed' && ordersMayDiffer !== null && order !== 0;

function resultDifferences(first: RunResult, other: RunResult): string[] {
  const [name, base] = [`order ${other.order}`, `order ${first.order}`];
  const lines = ({ failures }: RunResult) => failures.map(({ line }) => line).join(', ') || 'none';
  const verdict = first.verdict === other.verdict ? [] : [`${name} ${other.verdict}, ${base} ${first.verdict}`];
  const failures =
    lines(first) === lines(other) ? [] : [`${name} fails at lines ${lines(other)}; ${base}: ${lines(first)}`];
  return [...verdict, ...failures];
}

function factDifferences(first: RunResult, other: RunResult): string[] {
  const [name, base] = [`order ${other.order}`, `order ${first.order}`];
  const missing = (from: RunResult, than: RunResult) => than.outcome.filter((fact) => !from.outcome.includes(fact));
  const facts = [
    ...missing(first, other).map((fact) => `only in ${name}: ${fact}`),
    ...missing(other, first).map((fact) => `only in ${base}, not in ${name}: ${fact}`),
  ];
  const left = facts.length - MOST_LISTED;
  return [...facts.slice(0, MOST_LISTED), ...(left > 0 ? [`and ${left} more`] : [])];
}

/**
 * The text for each file, such as `a.scenario.yaml  2 orders exist, 2 ran: all have the same result.` Cases and seeds of
 * a file with the same text share it.
 */
export function ordersLines(orders: ReadonlyMap<RunResult, OrdersData>): string[] {
  const namesOf = new Map<
    string,
    { readonly lines: readonly string[]; readonly names: string[]; readonly file: string }
  >();
  const seen = new Set<OrdersData>();
  for (const [result, data] of orders) {
    if (seen.has(data)) continue;
    seen.add(data);
    const { file, values, seed } = result;
    const lines = ordersText(data);
    const key = JSON.stringify([file, lines]);
    const entry = namesOf.get(key) ?? { lines, names: [], file };
    entry.names.push(
      [values === null ? '' : shownCase(values), `seed ${seed}`].filter((word) => word !== '').join('  '),
    );
    namesOf.set(key, entry);
  }
  const texts = [...namesOf.values()].flatMap(({ lines: [first = '', ...others], names, file }) => {
    const more = names.length === 1 ? '' : ` and ${names.length - 1} more`;
    return [`${file}  ${names[0]}${more}  ${first}`, ...others];
  });
  const unmarked = [...orders].filter(([, one]) => one.result_differs && one.may_differ === null);
  if (!unmarked.some(([{ verdict }]) => !isAccepted(verdict))) return texts;
  const files = [...new Set(unmarked.map(([{ file }]) => file))];
  return [
    ...texts,
    `If these orders may differ, write the reason in the file (${files.join(', ')}): orders_may_differ: REASON`,
  ];
}

/** The text, such as `2 orders exist, 2 ran: all have the same result.`, or the differences, one per line. */
function ordersText({ exist, ran, result_differs, differ, may_differ }: OrdersData): string[] {
  const counts = `${plural(exist, 'order')} ${exist === 1 ? 'exists' : 'exist'}, ${ran} ran`;
  if (exist === 1) return [`${counts}: no steps are simultaneous.`];
  if (ran === 1) return [`${counts}.`];
  const lines = differ.map((line) => `  ${line}`);
  if (!result_differs)
    return [`${counts}: all have the same result${differ.length === 0 ? '.' : '. Other facts differ:'}`, ...lines];
  return [
    `${counts}, and they differ${may_differ === null ? '' : `, which the file allows (${may_differ})`}:`,
    ...lines,
  ];
}
