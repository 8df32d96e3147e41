/** Rows of checks that send deliveries and look at the status alone: accepted, or refused. */
import {
  advice,
  type CheckBench,
  type CheckGroup,
  type Finding,
  FORGED,
  failed,
  NOT_FOLLOWED,
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
  readonly cure: string;
  /** Made one by one, right before each is sent; `second` is the current one of the wall clock, in Unix seconds. */
  readonly sends: readonly ((make: DeliveryMaker, second: number) => CraftedDelivery)[];
  /** The timestamps are near the tolerance, so that a slow answer would blur what was sent. */
  readonly exact?: boolean;
}

/** Every delivery is answered 2xx. */
export const accepts = (row: StatusRow): ReceiverCheck => ({
  ...{ ...plain(row), needs: [] },
  judge: async (bench) => acceptedFinding(await sendAll(bench, row), row.cure),
});

/** Every delivery is answered, and never 2xx. */
export const refuses = (row: StatusRow): ReceiverCheck => ({
  ...{ ...plain(row), needs: [] },
  judge: async (bench) => refusedFinding(await sendAll(bench, row), row.cure),
});

const plain = ({ number, group, title, clause }: StatusRow) => ({ number, group, title, clause });

async function sendAll(bench: CheckBench, { sends, exact = false }: StatusRow): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const send of sends) {
    const second = exact ? await bench.earlyInSecond() : 0;
    exchanges.push(await bench.send(send(bench.make, second)));
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

/** What came back: of all when there are few, else of those that matter. */
const gotText = (exchanges: readonly Exchange[], wrong: readonly Exchange[]): string => {
  const [only] = exchanges;
  if (exchanges.length === 1 && only !== undefined) return replyText(only);
  if (wrong.length > 0) return wrong.map(named).join('; ');
  const statuses = [...new Set(exchanges.map(({ status }) => String(status)))].join(', ');
  return `${statuses}; the slowest in ${Math.max(...exchanges.map(({ tookMs }) => tookMs)).toFixed(0)} ms`;
};

export function acceptedFinding(exchanges: readonly Exchange[], cure: string): Finding {
  const wrong = exchanges.filter((exchange) => !isAccepted(exchange));
  const [sent, got] = [sentText(exchanges), gotText(exchanges, wrong)];
  if (wrong.length === 0) return passed(sent, got, exchanges);
  const isRedirect = wrong.some(({ status }) => status !== null && status >= 300 && status < 400);
  return failed(sent, got, { production: isRedirect ? NOT_FOLLOWED : RETRIES, cure, exchanges });
}

export function refusedFinding(exchanges: readonly Exchange[], cure: string): Finding {
  const sent = sentText(exchanges);
  const letIn = exchanges.filter(isAccepted);
  if (letIn.length > 0) return failed(sent, gotText(exchanges, letIn), { production: FORGED, cure, exchanges });
  const mute = exchanges.filter(({ status }) => status === null);
  if (mute.length > 0)
    return failed(sent, gotText(exchanges, mute), {
      production:
        'Anybody who finds the address can stop your receiver with one request, and genuine deliveries with it.',
      cure: 'Answer 401 to what cannot be verified, whatever it holds, and go on serving.',
      exchanges,
    });
  const crashed = exchanges.filter(({ status }) => status !== null && status >= 500);
  if (crashed.length > 0)
    return advice(
      sent,
      gotText(exchanges, crashed),
      'It is refused by an exception. Check lengths and formats before comparing, and answer 401: a 5xx says that your system is broken.',
      exchanges,
    );
  return passed(sent, gotText(exchanges, []), exchanges);
}
