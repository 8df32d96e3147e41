/** Who was not safe at the end of the last muster of a site, as rows. [decisions 4, After a muster] */
import type { CountedStatus } from '../contract/enumerations.ts';
import type { StreamSite, StreamWorker } from '../contract/stream.ts';
import { lastPlace, lastPlaceWords } from './places.ts';
import type { StreamState } from './state.ts';
import { reasonWord } from './words.ts';

export interface NotSafeRow {
  /** Distinct from the id of the worker, who is among the people of the site too. */
  readonly id: string;
  readonly workerId: string;
  /** Null: the viewer does not know the worker, who may be gone. */
  readonly worker: StreamWorker | null;
  readonly status: Exclude<CountedStatus, 'safe'>;
  /** Could not walk, asked for help, or had an open critical alert. */
  readonly isGrave: boolean;
  /** The reason in words, as of the end of the muster. */
  readonly word: string;
  /** The last place, or why none is shown. */
  readonly place: string;
  /** Time of day of the last position, in hours and minutes; null where no place is shown. */
  readonly placeAt: string | null;
  /** Both: `Tank Farm at 06:12`. */
  readonly placeWords: string;
}

const ORDER = ['help', 'wrong_point', 'no_signal', 'not_worn', 'pending'] as const;

/** The gravest first; empty while a muster is active. */
export function notSafeRows(state: StreamState, site: StreamSite): NotSafeRow[] {
  const rows = (state.notSafe.get(site.id) ?? []).map((one): NotSafeRow => {
    const { muster_id, worker_id, status, reason } = one;
    return {
      id: `${muster_id}/${worker_id}`,
      workerId: worker_id,
      worker: state.workers.get(worker_id) ?? null,
      status,
      isGrave: reason !== status || status === 'help',
      word: reasonWord(reason),
      ...lastPlace(site, one),
      placeWords: lastPlaceWords(site, one),
    };
  });
  const weight = ({ isGrave, status }: NotSafeRow): number => (isGrave ? 0 : 10) + ORDER.indexOf(status);
  return rows.sort((a, b) => weight(a) - weight(b) || (a.workerId < b.workerId ? -1 : 1));
}
