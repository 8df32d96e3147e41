/** The people who were not safe at the end of the last muster of a site, as rows. [decisions 4, After a muster] */

import { compareText } from '../../base/text/order.ts';
import type { DetailsOf } from '../../contract/resources/details.ts';
import type { CountedStatus } from '../../contract/resources/headcount.ts';
import { PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Alert } from '../../contract/resources.ts';
import type { PersonReason, StreamNotSafe, StreamSite, StreamWorker } from '../../contract/stream.ts';
import { codeOf } from './events.ts';
import {
  byWaiting,
  isHelperAlert,
  openByWorker,
  reasonTerm,
  riskOf,
  type StatusRank,
  type WaitingPerson,
  waitingAmong,
} from './people.ts';
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

/** The status, or what ranks beside them: who must be rescued, and who only helps another. */
type NotSafeRank = Exclude<StatusRank, 'safe' | 'person'>;

export interface Standing {
  readonly rank: NotSafeRank;
  /** The reason in words. */
  readonly word: string;
}

type EndAlert = Pick<Alert, 'type' | 'details'>;

/** For each of these, somebody has to go there. [decisions 4, Rescue] */
const RESCUE_REASONS: readonly PersonReason[] = ['trapped', 'injured', 'sos', 'fall_detected'];

/**
 * Rank and word of a worker at the end of a muster. That somebody only helps another is known from their call, while it is
 * open (`open`: the open alerts of the worker); after that, every screen says that they called for help.
 */
export function standingAtEnd(
  { muster_id, status, reason }: Pick<StreamNotSafe, 'muster_id' | 'status' | 'reason'>,
  open: readonly EndAlert[],
): Standing {
  const isCall = reason === 'evacuation_help' || reason === 'help';
  const word = isCall ? PERSON_TERMS.help.word : reasonTerm(reason).word;
  if ([reason, ...open.map(({ type }) => type)].some((one) => RESCUE_REASONS.includes(one)))
    return { rank: 'rescue', word };
  if (status !== 'help' || !isCall) return { rank: status, word };
  const call = open.find(({ type, details }) => type === 'evacuation_help' && callOf(details).muster_id === muster_id);
  if (call === undefined) return { rank: 'help', word };
  return isHelperAlert(call)
    ? { rank: 'helping', word: PERSON_TERMS.helping.word }
    : { rank: 'rescue', word: reasonTerm('evacuation_help').word };
}

const callOf = (details: Alert['details']): DetailsOf<'evacuation_help'> => details as DetailsOf<'evacuation_help'>;

/** The order of a list of people at the end of a muster: as in `byRisk`, then by code. */
export const byRankAtEnd = (a: EndOrder, b: EndOrder): number =>
  byWaiting(a, b) ||
  (a.waiting === null ? riskOf(a.rank) - riskOf(b.rank) : 0) ||
  compareText(a.code ?? LAST, b.code ?? LAST);

interface EndOrder extends WaitingPerson {
  readonly rank: NotSafeRank;
  readonly code: string | null;
}

/** The people at the end of a muster, with their standing and their open alerts. */
export function standingsAtEnd(
  { alerts }: Pick<StreamState, 'alerts'>,
  people: readonly StreamNotSafe[],
): readonly (Standing & WaitingPerson & { readonly one: StreamNotSafe })[] {
  const open = people.length === 0 ? NONE : openByWorker(alerts.values());
  return people.map((one) => {
    const own = open.get(one.worker_id) ?? [];
    const standing = standingAtEnd(one, own);
    return { one, ...standing, rescue: standing.rank === 'rescue', waiting: waitingAmong(own) };
  });
}

const NONE: ReadonlyMap<string, readonly Alert[]> = new Map();

/** Who was not safe, who is to be helped first at the top, as in the list of a muster; empty while a muster is active. */
export function notSafeRows(state: StreamState, site: StreamSite): NotSafeRow[] {
  const rows = standingsAtEnd(state, state.notSafe.get(site.id) ?? []).map(({ one, rank, word, ...waiting }) => {
    const worker = state.workers.get(one.worker_id) ?? null;
    const row: NotSafeRow = {
      id: `${one.muster_id}/${one.worker_id}`,
      workerId: one.worker_id,
      worker,
      status: one.status,
      rank,
      word,
      ...lastPlace(site, one),
      placeWords: lastPlaceWords(site, one),
    };
    return { row, rank, ...waiting, code: worker === null ? null : codeOf(worker) };
  });
  rows.sort((a, b) => byRankAtEnd(a, b) || compareText(a.row.workerId, b.row.workerId));
  return rows.map(({ row }) => row);
}

/** Sorts behind every code. */
const LAST = '~';

/** Who was not safe when a muster ended; empty if another one has been on its site since. */
export function rowsAtEnd(
  state: StreamState,
  { id, site }: { readonly id: string; readonly site: { readonly id: string } },
): readonly { readonly status: NotSafeRow['status']; readonly rescue: boolean; readonly helps: boolean }[] {
  const people = (state.notSafe.get(site.id) ?? []).filter(({ muster_id }) => muster_id === id);
  return standingsAtEnd(state, people).map(({ one: { status }, rescue, rank }) => ({
    status,
    rescue,
    helps: rank === 'helping',
  }));
}
