/** Checks that send deliveries and judge only the status of the answer: accepted, or refused. */

import { wallMs } from '../../../base/time/timers.ts';
import { isRedirect } from '../../../service/domain/deliveries/refusal-causes.ts';
import {
  advice,
  type CheckBench,
  type CheckGroup,
  type Finding,
  FORGED,
  failed,
  NOT_FOLLOWED,
  notJudged,
  passed,
  RETRIES,
  type ReceiverCheck,
} from '../check.ts';
import type { CraftedDelivery, DeliveryMaker } from '../deliveries.ts';
import { type Exchange, isAccepted, replyText } from '../send.ts';

export interface StatusRow {
  readonly number: number;
  readonly group: CheckGroup;
  readonly title: string;
  readonly clause: string;
  readonly fix: string;
  /**
   * Each delivery is made right before it is sent. `second` is the current time of the wall clock in Unix seconds, if
   * `exact` is set.
   */
  readonly sends: readonly ((make: DeliveryMaker, second: number) => CraftedDelivery)[];
  readonly requires?: readonly number[];
  /**
   * True if the timestamps are near the tolerance: after a slow answer it is not certain what the receiver compared.
   */
  readonly exact?: boolean;
}

/** A check that every delivery is answered 2xx. */
export const accepts = (row: StatusRow): ReceiverCheck => statusCheck(row, acceptedFinding);

/** A check that every delivery is answered, and never with 2xx. */
export const refuses = (row: StatusRow): ReceiverCheck => statusCheck(row, refusedFinding);

const statusCheck = (row: StatusRow, findingOf: (exchanges: readonly Exchange[], fix: string) => Finding) => {
  const { number, group, title, clause, fix, requires = [], exact = false } = row;
  const judge = async (bench: CheckBench): Promise<Finding> => {
    const exchanges = await sendAll(bench, row);
    const finding = findingOf(exchanges, fix);
    const isBlurred = exact && exchanges.some(({ tookMs }) => tookMs > SHARP_MS);
    if (finding.result === 'passed' || !exact) return finding;
    if (isBlurred) return notJudged('the answers take too long to tell one second from the next');
    return { ...finding, fix: `${finding.fix}${skewText(exchanges)}` };
  };
  return { number, group, title, clause, needs: [], requires, judge };
};

/** A sentence about the receiver's clock, if its Date header differs from the clock of this machine. */
function skewText(exchanges: readonly Exchange[]): string {
  const dateMs = Date.parse(exchanges.at(-1)?.answerHeaders['date'] ?? '');
  const apartS = Math.round((wallMs() - dateMs) / 1_000);
  if (Number.isNaN(apartS) || Math.abs(apartS) <= MOST_SKEW_S) return '';
  return ` Its Date header is ${Math.abs(apartS)} s ${apartS > 0 ? 'behind' : 'ahead of'} the clock of this machine.`;
}

/** Tolerance for a Date header, which has whole seconds and is renewed by Node once a second. */
const MOST_SKEW_S = 2;

/** After an answer within this time, the receiver's clock was in the same second as ours; wall milliseconds. */
const SHARP_MS = 500;
const EXACT_TRIES = 3;

async function sendAll(bench: CheckBench, { sends, exact = false }: StatusRow): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const send of sends) {
    if (!exact) {
      exchanges.push(await bench.send(send(bench.make, 0)));
      continue;
    }
    let exchange: Exchange;
    let tries = 0;
    do exchange = await bench.send(send(bench.make, await bench.earlyInSecond()));
    while (exchange.tookMs > SHARP_MS && ++tries < EXACT_TRIES);
    exchanges.push(exchange);
  }
  return exchanges;
}

export const sentText = (exchanges: readonly Exchange[]): string => {
  const [first] = exchanges;
  if (exchanges.length === 1 && first !== undefined) return first.delivery.what;
  const words = exchanges.map(({ delivery }) => delivery.what);
  return `${exchanges.length} deliveries: ${words.join('; ')}`;
};

const named = (exchange: Exchange): string => `${exchange.delivery.what}: ${replyText(exchange)}`;

/** The replies as text: the only reply, or the wrong replies, or a summary of all. */
const gotText = (exchanges: readonly Exchange[], wrong: readonly Exchange[]): string => {
  const [only] = exchanges;
  if (exchanges.length === 1 && only !== undefined) return replyText(only);
  if (wrong.length > 0) return wrong.map(named).join('; ');
  const statuses = [...new Set(exchanges.map(({ status }) => String(status)))].join(', ');
  return `${statuses}; the slowest in ${Math.max(...exchanges.map(({ tookMs }) => tookMs)).toFixed(0)} ms`;
};

/** The finding for deliveries that must be accepted. The wrong exchanges come first. */
export function acceptedFinding(exchanges: readonly Exchange[], fix: string): Finding {
  const wrong = exchanges.filter((exchange) => !isAccepted(exchange));
  const [sent, got] = [sentText(exchanges), gotText(exchanges, wrong)];
  if (wrong.length === 0) return passed(sent, got, exchanges);
  const redirects = wrong.some(({ status }) => status !== null && isRedirect(status));
  const production = redirects ? NOT_FOLLOWED : RETRIES;
  return failed(sent, got, { production, fix, exchanges: [...wrong, ...exchanges.filter(isAccepted)] });
}

/** The finding for deliveries that must be refused with an answer. The wrong exchanges come first. */
export function refusedFinding(exchanges: readonly Exchange[], fix: string): Finding {
  const sent = sentText(exchanges);
  const accepted = exchanges.filter(isAccepted);
  const mute = exchanges.filter(({ status }) => status === null);
  const crashed = exchanges.filter(({ status }) => status !== null && status >= 500);
  const [wrong] = [accepted, mute, crashed].filter(({ length }) => length > 0);
  if (wrong === undefined) return passed(sent, gotText(exchanges, []), exchanges);
  const got = gotText(exchanges, wrong);
  const ordered = [...wrong, ...exchanges.filter((one) => !wrong.includes(one))];
  if (wrong === accepted) return failed(sent, got, { production: FORGED, fix, exchanges: ordered });
  if (wrong === mute) return failed(sent, got, { production: STOPPABLE, fix: ANSWER_ALL, exchanges: ordered });
  return advice(sent, got, REFUSED_BY_EXCEPTION, ordered);
}

const STOPPABLE =
  'Anyone who finds the address can stop your receiver with one request, so genuine deliveries fail too.';
const ANSWER_ALL = 'Answer 401 to every request that cannot be verified, and keep running.';
const REFUSED_BY_EXCEPTION =
  'An exception refused it. Check lengths and formats before comparing, and answer 401, because a 5xx means that your system failed.';
