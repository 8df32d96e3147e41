/** What to do for the items that were not met: scenarios, by what they were measured to offer, and actions for refusals. [cli, Coverage] */
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import type { ActionBody } from '../../contract/actions.ts';
import { flowOf } from '../../scenario/model/flow.ts';
import { CUSTOMER } from '../../scenario/model/own-system.ts';
import { triggerCommand } from '../control/action-example.ts';
import offers from './offers.json' with { type: 'json' };
import type { CoverageSummary } from './summary.ts';

/** Where a coverage is written that has no file yet. */
const DEFAULT_FILE = 'coverage.json';

/** The most scenarios that one command has. */
const MOST_SCENARIOS = 3;
const MOST_ACTIONS = 2;

/** The receiver that they have: one flag connects the user's own to all of them. */
const RECEIVER = 'erp';

/** Those that pass with the user's own receiver. */
const OFFERS = Object.entries(offers).flatMap(([name, items]) => (items === null ? [] : [[name, items] as const]));

/** The actions that cause a refusal, for a company by its name. A share lets a later request succeed. */
export const REFUSING_ACTIONS: Readonly<Record<string, (company: string) => ActionBody>> = {
  invalid_token: (expire) => ({ action: 'token', expire }),
  rate_limited: (company) => ({ action: 'limits', company, requests_per_minute: 5, ends_after: '2m' }),
  query_time_exceeded: (company) => ({ action: 'limits', company, query_seconds_per_minute: 0, ends_after: '2m' }),
  internal_error: () => ({ action: 'api_fault', status: 500, share: 0.5 }),
  storage_unavailable: () => ({ action: 'api_fault', status: 503, share: 0.5 }),
  gateway: () => ({ action: 'api_fault', status: 502, share: 0.5 }),
};

/** The company of a scenario is in no running sandbox, so its refusals are steps. */
function stepText({ action, ...fields }: ActionBody): string {
  // In a scenario, `for` of the step ends it.
  const own = Object.entries(fields).filter(([name]) => name !== 'ends_after');
  return `a step in a scenario of yours: - ${action}: ${flowOf(Object.fromEntries(own))}`;
}

/** The scenarios that add most to the coverage, the best first, and the number of items that they add together. */
export function bestScenarios({ groups }: CoverageSummary): {
  readonly names: readonly string[];
  readonly adds: number;
} {
  const open = new Set(
    groups.flatMap(({ items }) => items.filter(({ result }) => result !== 'met').map(({ id }) => id)),
  );
  const before = open.size;
  const names: string[] = [];
  while (names.length < MOST_SCENARIOS) {
    const gains = OFFERS.map(([name, items]) => ({ name, items, gain: items.filter((id) => open.has(id)).length }));
    const [best] = gains.toSorted((a, b) => b.gain - a.gain);
    if (best === undefined || best.gain === 0) break;
    names.push(best.name);
    for (const id of best.items) open.delete(id);
  }
  return { names, adds: before - open.size };
}

/** One command of scenarios, and the actions for refusals. Operations and pages are offered by nothing but the user's system. */
export function nextLines(summary: CoverageSummary): string[] {
  const { names, adds } = bestScenarios(summary);
  const refusals = summary.groups.find(({ group }) => group === 'refusals')?.items ?? [];
  // Without a company, nobody has asked for anything yet: a token first.
  const [company] = summary.organizations.toSorted((a, b) => Number(a === CUSTOMER) - Number(b === CUSTOMER));
  const actions =
    company === undefined
      ? []
      : refusals.flatMap(({ name, result }) => (result === 'met' ? [] : (REFUSING_ACTIONS[name]?.(company) ?? [])));
  return [
    ...(names.length === 0
      ? []
      : [
          `  next: ${CLI} run ${names.map((name) => shellWord(name)).join(' ')} --receiver ${shellWord(RECEIVER)}=http://127.0.0.1:3000/hook --coverage ${shellWord(summary.file ?? DEFAULT_FILE)}   (+${adds})`,
        ]),
    ...actions
      .slice(0, MOST_ACTIONS)
      .map(
        (action) => `  next: ${company === CUSTOMER ? stepText(action) : `${triggerCommand(action)}${summary.place}`}`,
      ),
  ];
}
