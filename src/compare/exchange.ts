/** An exchange with the service, or a delivery of it, as it was recorded or sent by `compare`. */
import type { ObservableId } from '../contract/gaps.ts';

/** A call and its answer. */
export interface ApiExchange {
  readonly kind: 'call';
  readonly method: string;
  /** Without the base address: `/v1/alerts`. */
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Where it was recorded: `session.har entry 12`. */
  readonly source: string;
  /** The body of the request, where it is known. */
  readonly sent?: string;
  /** The scopes of the token, where they are known. */
  readonly scopes?: readonly string[];
  /** Whose token it is: the same text for the same client. Absent: not known. */
  readonly client?: string;
  /** The request had no token. Absent: not known. */
  readonly isAnonymous?: true;
  /** When it was sent and answered. Absent: each answer came before the next request. */
  readonly span?: ReadSpan;
}

/** From the request to its answer; ms, or places in a sequence. */
export interface ReadSpan {
  readonly from: number;
  readonly to: number;
}

/** Whether the first one was over when the other began. Requests that overlap may be answered in any order. */
export const isBeforeSpan = (one: ReadSpan, other: ReadSpan): boolean => one.to <= other.from;

/** When the service sent the answer, by its own clock; ms since the Unix epoch. Null: the answer does not state it. */
export function sentAt({ headers }: ApiExchange): number | null {
  const date = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? null : date;
}

/** Less than the 5 s between two headcounts: at most one headcount is between two answers that are closer. [spec 8 Count check] */
const CLOSE_MS = 4_000;

/** Whether a value that comes and goes cannot have changed and changed back between the two times of `sentAt`. */
export const isClose = (one: number | null, other: number | null): boolean =>
  one !== null && other !== null && other - one <= CLOSE_MS;

/** A webhook delivery with its headers. */
export interface DeliveryTraffic {
  readonly kind: 'delivery';
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent: the signature is over these bytes. */
  readonly body: string;
  readonly source: string;
  /** When it was delivered, ms since the Unix epoch, where that is known. */
  readonly atMs?: number;
}

/** In the order in which they happened. */
export type Traffic = ApiExchange | DeliveryTraffic;

/** What does not fit the contract, at a place of a body; `operation`: where it is of an answer before. */
export type ContractFinding = Pick<Deviation, 'rule' | 'clause' | 'pointer' | 'detail' | 'point'> & {
  readonly operation?: string;
};

/** What does not fit the contract. */
export interface Deviation {
  /** Groups deviations of one kind: the same rule, operation and place. */
  readonly rule: string;
  /** `[spec 7]`, `[decisions 2]`. */
  readonly clause: string;
  /** `GET /v1/alerts`, or `delivery`. */
  readonly operation: string;
  /** JSON pointer with `*` for places of lists; empty for the whole. */
  readonly pointer: string;
  /** The difference in words. */
  readonly detail: string;
  /** The open point of which a reading would allow it. */
  readonly point?: ObservableId;
  readonly traffic: Traffic;
}
