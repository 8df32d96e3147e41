/** Observers of the open points about evacuations. [decisions 4, 6, cli compare] */

import { canonicalJson } from '../../../base/text/canonical-json.ts';
import type { MUSTER_POINTS } from '../../../contract/gaps/musters.ts';
import type { ObservableId } from '../../../contract/gaps.ts';
import { COUNTED_STATUSES } from '../../../contract/resources/headcount.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import { agreed, eventsOf, map, missingOf, mustersOf, type ObservedParts, type Observers } from './observation.ts';

type MusterId = Extract<(typeof MUSTER_POINTS)[number]['id'], ObservableId>;

const NO_ACTIVE = 'the client sees no active muster';
/** Most missing lists that are read. */
const MOST_MUSTERS = 5;

export const MUSTER_OBSERVERS: Observers<MusterId> = {
  'muster-statuses': async (parts) =>
    agreed(
      (await inStatus(parts, ['active'])).map(({ totals }) => {
        const sum = COUNTED_STATUSES.reduce((all, counter) => all + Number(map(totals)[counter] ?? 0), 0);
        return sum === map(totals)['expected'] ? 'one status each' : 'otherwise';
      }),
      NO_ACTIVE,
    ),
  'muster-closing': async (parts) => {
    const ended = (await inStatus(parts, ['completed', 'cancelled'])).slice(0, MOST_MUSTERS);
    const readings = await Promise.all(
      ended.map(async (muster) => {
        const totals = map(muster['totals']);
        const others = COUNTED_STATUSES.filter((counter) => counter !== 'safe' && totals[counter] !== null);
        const isEmpty = (await missingOf(parts, muster)).length === 0;
        return others.length === 0 && isEmpty ? ('expected and safe' as const) : ('otherwise' as const);
      }),
    );
    return agreed(readings, 'the client sees no ended muster');
  },
  'missing-order': async (parts) => {
    const lists = (await missingLists(parts)).filter((list) => list.length > 1);
    return agreed(
      lists.map((list) => (isInOrder(list) ? 'as here' : 'otherwise')),
      'no active muster has two missing workers',
    );
  },
  'missing-without-positions': async (parts) => {
    const entries = (await missingLists(parts, 'musters:read')).flat();
    return agreed(
      entries.map((entry) => ('location' in entry ? 'null' : 'absent')),
      'no active muster has a missing worker, or the client gets no token of musters:read alone',
    );
  },
  'muster-updated-order': async (parts) => {
    const events = (await eventsOf(parts)).toSorted((a, b) =>
      String(a['created_at']).localeCompare(String(b['created_at'])),
    );
    const readings = events.slice(1).flatMap((event, place) => {
      const before = events[place] ?? {};
      const types = [before['type'], event['type']];
      const isPair = types.includes('muster.updated') && types.includes('muster.worker_missing');
      const [a, b] = [before, event].map(({ data }) => map(map(data)['muster']));
      if (!isPair || a?.['id'] !== b?.['id'] || canonicalJson(a?.['totals']) !== canonicalJson(b?.['totals']))
        return [];
      return [
        types[0] === 'muster.updated' ? ('muster.updated first' as const) : ('muster.worker_missing first' as const),
      ];
    });
    return agreed(readings, 'no headcount in the log has both events');
  },
};

const inStatus = async (parts: ObservedParts, statuses: readonly string[]): Promise<JsonMap[]> =>
  (await mustersOf(parts)).filter(({ status }) => statuses.includes(String(status)));

async function missingLists(parts: ObservedParts, scope?: string): Promise<JsonMap[][]> {
  const active = (await inStatus(parts, ['active'])).slice(0, MOST_MUSTERS);
  const lists: JsonMap[][] = [];
  for (const muster of active) lists.push(await missingOf(parts, muster, scope));
  return lists;
}

/** The order is: help first, then workers who were never seen, then by the time since they were last seen. [decisions 1] */
function isInOrder(list: readonly JsonMap[]): boolean {
  const keys = list.map((one) => `${one['status'] === 'help' ? 0 : 1} ${String(one['last_seen_at'] ?? '')}`);
  return keys.every((key, place) => place === 0 || (keys[place - 1] ?? '') <= key);
}
