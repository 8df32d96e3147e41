/** HTTP as the service speaks it: header names in any case, keep-alive, no redirection, bursts. [spec 4, 6.4, decisions 7] */
import { isRedirect } from '../../../service/domain/deliveries/refusal-causes.ts';
import { advice, failed, NOT_FOLLOWED, notJudged, passed, RETRIES, type ReceiverCheck } from '../check.ts';
import { type Exchange, isAccepted, replyText } from '../send.ts';
import { acceptedFinding, accepts } from './row.ts';

const group = 'http';

/** Number of deliveries in the burst, and how many are in flight at a time, as in production. [decisions 7] */
const BURST = 60;
const IN_FLIGHT = 4;

/** Above this part of the time limit, an answer to a burst is slow: 2 s of 5 s. */
const SLOW_PART = 0.4;

export const HTTP_CHECKS: readonly ReceiverCheck[] = [
  accepts({
    number: 34,
    group,
    title: 'Header names in any case are accepted',
    clause: '4 headers; RFC 9110 5.1',
    fix: 'Header names are case-insensitive, and proxies write them in lower case. Read them with a function that ignores the case.',
    sends: [
      (make) => make.sos('header names in lower case', { headerCase: (name) => name.toLowerCase() }),
      (make) => make.sos('header names in upper case', { headerCase: (name) => name.toUpperCase() }),
    ],
  }),
  accepts({
    number: 35,
    group,
    title: 'Each JSON content type is accepted',
    clause: '4 a JSON content type',
    fix: 'Compare the media type without its parameters: application/json; charset=utf-8 is the same type.',
    sends: ['application/json; charset=utf-8', 'application/json;charset=UTF-8'].map(
      (contentType) => (make) => make.sos(`Content-Type: ${contentType}`, { contentType }),
    ),
  }),
  {
    number: 36,
    group,
    title: 'The answer is no redirection',
    clause: '4, 8 redirects are failures',
    needs: [],
    isIndependent: true,
    judge: async (bench) => {
      const exchange = await bench.send(bench.make.sos('a new SOS to the address as given'));
      const { status, answerHeaders } = exchange;
      const to = answerHeaders['location'];
      if (status === null) return notJudged('no answer came in time');
      if (isAccepted(exchange)) return passed(exchange.delivery.what, replyText(exchange), [exchange]);
      if (!isRedirect(status)) return notJudged(`it was refused: ${replyText(exchange)}`);
      return failed(exchange.delivery.what, `${replyText(exchange)}${to === undefined ? '' : `, to ${to}`}`, {
        production: NOT_FOLLOWED,
        fix: 'Register the final address: https instead of http, with or without the slash at the end, with www or without.',
        exchanges: [exchange],
      });
    },
  },
  {
    number: 37,
    group,
    title: 'A connection serves several deliveries',
    clause: 'decisions 7',
    needs: [],
    judge: async ({ make, send }) => {
      const exchanges: Exchange[] = [];
      for (const what of ['first', 'second', 'third'])
        exchanges.push(await send(make.sos(`the ${what} on a kept connection`)));
      const finding = acceptedFinding(
        exchanges,
        'Read the whole request before you answer, and send Content-Length or chunks, or Connection: close.',
      );
      const closes = exchanges.every(({ answerHeaders }) => answerHeaders['connection']?.toLowerCase() === 'close');
      if (finding.result !== 'passed' || !closes) return finding;
      return advice(
        finding.sent,
        `${finding.got}, each with Connection: close`,
        'Keep connections open for some seconds. With TLS, a new connection for each delivery takes most of the response time.',
        exchanges,
      );
    },
  },
  {
    number: 38,
    group,
    title: 'A burst is accepted',
    clause: '6.4; decisions 7: 4 in flight',
    needs: [],
    judge: async ({ make, send, answerLimitMs }) => {
      const exchanges: Exchange[] = [];
      let begun = 0;
      const sent = `${BURST} deliveries, ${IN_FLIGHT} at a time, as when an evacuation starts`;
      const worker = async () => {
        while (begun < BURST) exchanges.push(await send(make.sos(`number ${++begun} of a burst`)));
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
      const wrong = exchanges.filter((exchange) => !isAccepted(exchange));
      const slowest = Math.max(...exchanges.map(({ tookMs }) => tookMs));
      const shown = [...wrong, ...exchanges].slice(0, 3);
      if (wrong.length > 0)
        return failed(sent, `${wrong.length} of them not 2xx, first ${replyText(wrong[0]!)}`, {
          production: RETRIES,
          fix: 'Answer before you process the event, and do not limit the rate at this address, because production ignores Retry-After.',
          exchanges: shown,
        });
      const got = `all 2xx, the slowest in ${slowest.toFixed(0)} ms`;
      if (slowest < SLOW_PART * answerLimitMs) return passed(sent, got, shown);
      return advice(
        sent,
        got,
        'Production closes the connection after 5 s: answer first, and process the event in a queue.',
        shown,
      );
    },
  },
];
