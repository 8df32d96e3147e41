/** The traffic that is judged: API exchanges and webhook deliveries, recorded or made by `compare`. */
import type { ObservableId } from '../../contract/gaps.ts';

/** An API request and its answer. */
export interface ApiExchange {
  readonly kind: 'call';
  readonly method: string;
  /** Path without the base address, such as `/v1/alerts`. */
  readonly path: string;
  /** Without the leading `?`. */
  readonly query: string;
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Recorded without content: `body` is empty, and only status and headers are judged. */
  readonly isWithoutContent?: true;
  /** Where it was recorded: `session.har entry 12`. */
  readonly source: string;
  /** Body of the request. Absent: not known. */
  readonly sent?: string;
  /** Scopes of the token. Absent: not known. */
  readonly scopes?: readonly string[];
  /** Identifies the client that has the token: equal texts are the same client. Absent: not known. */
  readonly client?: string;
  /** The request had no token. Absent: it had one, or this is not known. */
  readonly isAnonymous?: true;
  /** When the request was sent and answered. Absent: each answer arrived before the next request was sent. */
  readonly span?: ReadSpan;
}

/** From the request to its answer, in ms or as positions in a sequence. */
export interface ReadSpan {
  readonly from: number;
  readonly to: number;
}

/** True if `one` ended before `other` began. Overlapping requests may be answered in any order. */
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
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent. The signature covers these bytes. */
  readonly body: string;
  /** Recorded without content: `body` is empty, and only headers are judged. */
  readonly isWithoutContent?: true;
  readonly source: string;
  /** Time of delivery, in ms since the Unix epoch. Absent: not known. */
  readonly atMs?: number;
}

/** One exchange or delivery. Lists of traffic are in chronological order. */
export type Traffic = ApiExchange | DeliveryTraffic;

/** A violation of the contract at a place in a body. `operation` is set if an earlier answer contains the violation. */
export type ContractFinding = Pick<Deviation, 'rule' | 'clause' | 'pointer' | 'detail' | 'point'> & {
  readonly operation?: string;
};

/** A violation of the contract in one exchange or delivery. */
export interface Deviation {
  /** Name of the rule. Deviations with the same rule, operation and place form a group. */
  readonly rule: string;
  /** `[spec 7]`, `[decisions 2]`. */
  readonly clause: string;
  /** `GET /v1/alerts`, or `delivery`. */
  readonly operation: string;
  /** JSON pointer with `*` for list indexes; empty for the whole body. */
  readonly pointer: string;
  /** Description of the violation. */
  readonly detail: string;
  /** The open point that has a reading which allows it. */
  readonly point?: ObservableId;
  readonly traffic: Traffic;
}
