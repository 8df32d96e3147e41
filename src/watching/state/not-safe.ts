/** The people who were not safe at the end of the last muster of a site, as rows. [decisions 4, After a muster] */

import { compareText } from '../../base/text/order.ts';
import type { CountedStatus } from '../../contract/resources/headcount.ts';
import { NOT_SAFE_STATUSES } from '../../contract/resources/vocabulary.ts';
import type { StreamNotSafe, StreamSite, StreamWorker } from '../../contract/stream.ts';
import { codeOf } from './events.ts';
import { reasonTerm } from './people.ts';
import { lastPlace, lastPlaceWords } from './places.ts';
import type { StreamState } from './state.ts';

export interface NotSafeRow {
  /** Differs from the worker's id, because the worker is also among the people of the site. */
  readonly id: string;
  readonly workerId: string;
  /** Null: the viewer does not know the worker, who may have been removed. */
  readonly worker: StreamWorker | null;
  readonly status: Exclude<CountedStatus, 'safe'>;
  readonly rank: NotSafeRank;
  /** The reason in words, at the end of the muster. */
  readonly word: string;
  /** The last place, or the reason why none is shown. */
  readonly place: string;
  /** Time of day of the last position, in hours and minutes; null if no place is shown. */
  readonly placeAt: string | null;
  /** Place and time, such as `Tank Farm at 06:12`. */
  readonly placeWords: string;
}

/** The status, or the rank above all of them. */
type NotSafeRank = Exclude<CountedStatus, 'safe'> | 'rescue';

/** Most serious first. */
const ORDER: readonly NotSafeRank[] = ['rescue', ...NOT_SAFE_STATUSES];

/**
 * A reason that is not a status of a headcount is an injury or a critical alert. A worker with the reason
 * `evacuation_help` may be helping another person, so the rank is `help`.
 */
function rankOf({ reason, status }: StreamNotSafe): NotSafeRank {
  if (reason === 'evacuation_help') return 'help';
  return ORDER.some((known) => known === reason) ? status : 'rescue';
}

/** Most serious first, then by code, as in the list of a muster; empty while a muster is active. */
export function notSafeRows(state: StreamState, site: StreamSite): NotSafeRow[] {
  const rows = (state.notSafe.get(site.id) ?? []).map((one): NotSafeRow => {
    const { muster_id, worker_id } = one;
    return {
      id: `${muster_id}/${worker_id}`,
      workerId: worker_id,
      worker: state.workers.get(worker_id) ?? null,
      status: one.status,
      rank: rankOf(one),
      word: reasonTerm(one.reason).word,
      ...lastPlace(site, one),
      placeWords: lastPlaceWords(site, one),
    };
  });
  return rows.sort(
    (a, b) =>
      ORDER.indexOf(a.rank) - ORDER.indexOf(b.rank) ||
      compareText(a.worker === null ? LAST : codeOf(a.worker), b.worker === null ? LAST : codeOf(b.worker)) ||
      compareText(a.workerId, b.workerId),
  );
}

/** Sorts behind every code. */
const LAST = '~';

/** Who was not safe when a muster ended; empty if another one has been on its site since. */
export function rowsAtEnd(
  state: StreamState,
  { id, site }: { readonly id: string; readonly site: { readonly id: string } },
): readonly { readonly status: NotSafeRow['status']; readonly rescue: boolean }[] {
  const rows = state.notSafe.get(site.id) ?? [];
  return rows
    .filter(({ muster_id }) => muster_id === id)
    .map((one) => ({ status: one.status, rescue: rankOf(one) === 'rescue' }));
}
