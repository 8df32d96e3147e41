/** The receiver's own calls of the API: tokens, gaps, pages, limits; and rotations, for which it is restarted. [spec 5, 6.6, 8, Rotate] */
import { CLI } from '../../base/text/command-form.ts';
import { type ApiClientWatch, EVENTS_PATH, nextCursor, RETRY_AFTER_S } from '../api-client-watch.ts';
import { type CheckBench, type Finding, failed, notJudged, passed, RETRIES, type ReceiverCheck } from '../check.ts';
import { isAccepted, replyText } from '../send.ts';
import { acceptedFinding, refusedFinding } from './row.ts';

const group = 'client';

/** A wait that ends early by this many milliseconds is still obeyed: clocks are read at both ends. */
const EARLY_MS = 100;

interface ClientRow {
  readonly number: number;
  readonly title: string;
  readonly clause: string;
  readonly judge: (client: ApiClientWatch, bench: CheckBench) => Finding | Promise<Finding>;
}

const clientCheck = ({ number, title, clause, judge }: ClientRow): ReceiverCheck => ({
  number,
  group,
  title,
  clause,
  needs: ['client'],
  judge: async (bench) => {
    const client = bench.client!;
    return client.calls.length === 0
      ? notJudged(
          'the receiver made no call of the API',
          'It finds the API in SANDBOX_API_URL, SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET; --client-wait gives it more time.',
        )
      : judge(client, bench);
  },
});

/** The client has met the rate limit, and has fetched the missed events. */
export const isWalked = (client: ApiClientWatch): boolean =>
  client.calls.some(({ trial }) => trial === 'throttled') && client.hasFetched(client.missed);

const LOST =
  'An event that was given up as lost comes by no other way: your system never hears of that alert. [spec 6.6]';

export const CLIENT_CHECKS: readonly ReceiverCheck[] = [
  clientCheck({
    number: 51,
    title: 'A token is kept and used for many calls',
    clause: '5, 8 token life',
    judge: ({ tokenCalls, dataCalls }) => {
      const granted = tokenCalls.filter(({ status }) => status === 200).length;
      const [sent, got] = ['credentials, and tokens of 3600 s', `${granted} tokens for ${dataCalls.length} calls`];
      const refused = tokenCalls.find(({ status }) => status !== 200);
      if (granted === 0)
        return failed(sent, `POST /v1/oauth/token was answered ${refused?.status ?? 'never'}`, {
          production: 'Without a token every call is 401.',
          fix: 'Send grant_type=client_credentials, client_id and client_secret as application/x-www-form-urlencoded.',
        });
      if (granted <= 1 + Math.max(2, dataCalls.length / 2)) return passed(sent, got);
      return failed(sent, got, {
        production: 'Token requests count against the 600 requests a minute, and double the time of each call.',
        fix: 'Keep the token until it expires (expires_in) or a call is answered 401.',
      });
    },
  }),
  clientCheck({
    number: 52,
    title: 'A gap is filled from GET /v1/events',
    clause: '6.6',
    judge: (client) => {
      const { fetched } = client;
      const absent = client.missed.filter((id) => !fetched.has(id));
      const sent = `${client.missed.length} events in the log that no delivery brings`;
      const fetches = client.calls.filter(({ path }) => path === EVENTS_PATH);
      if (fetches.length === 0)
        return notJudged(
          'the receiver did not call GET /v1/events',
          'Call it at the start, and every minute or so: it is how gaps are filled.',
        );
      if (absent.length === 0) return passed(sent, `all of them were fetched, by ${fetches.length} calls`);
      return failed(
        sent,
        `${absent.length} of them were never fetched; the first call was GET /v1/events${fetches[0]?.query === '' ? '' : `?${fetches[0]?.query}`}`,
        {
          production: LOST,
          fix: 'Begin at the created_at of the last event that you have (at the first start: a time before it), and go on by next_cursor until it is null.',
        },
      );
    },
  }),
  clientCheck({
    number: 53,
    title: 'A page walk goes on to its end, also when events come meanwhile',
    clause: '2 Pages and lists; decisions 1',
    judge: ({ calls }) => {
      const lists = calls.filter(({ status, answer }) => status === 200 && nextCursor(answer) !== null);
      if (lists.length === 0) return notJudged('the receiver fetched no page that has a next one');
      const follows = (cursor: string, path: string) =>
        calls.some(
          (call) =>
            call.status === 200 && call.path === path && new URLSearchParams(call.query).get('cursor') === cursor,
        );
      const left = lists.filter(({ path, answer }) => !follows(nextCursor(answer)!, path));
      const misused = calls.filter(({ answer }) => (answer as { code?: string } | null)?.code === 'invalid_cursor');
      const sent = `${lists.length} pages with a next_cursor; an event came between the first two`;
      if (misused.length > 0)
        return failed(sent, 'a cursor was used with another query: 422 invalid_cursor', {
          production: 'A cursor belongs to the query that made it.',
          fix: 'Send the same parameters with each page, and cursor beside them.',
        });
      if (left.length === 0) return passed(sent, 'each was followed');
      return failed(sent, `${left.length} of them were not followed`, {
        production: 'The rest of the list is never seen.',
        fix: 'Fetch pages until next_cursor is null; do not stop at a page that is shorter or larger than expected.',
      });
    },
  }),
  clientCheck({
    number: 54,
    title: 'Retry-After of a 429 is obeyed',
    clause: '7, 8',
    judge: (client) => {
      const { dataCalls } = client;
      const place = dataCalls.findIndex(({ trial }) => trial === 'throttled');
      if (place < 0)
        return notJudged(
          'the receiver made too few calls to meet a limit',
          'It has to make three calls or more, as a walk over two pages does; --client-wait gives it more time.',
        );
      const sent = `a 429 with Retry-After: ${RETRY_AFTER_S}`;
      const next = dataCalls[place + 1];
      if (next === undefined)
        return failed(sent, 'no call came after it', {
          production: 'What that call was for is never fetched.',
          fix: 'Wait as many seconds as Retry-After says, then make the same call again.',
        });
      const waitedMs = next.atMs - dataCalls[place]!.atMs;
      const got = `the next call came after ${(waitedMs / 1_000).toFixed(1)} s`;
      if (waitedMs >= RETRY_AFTER_S * 1_000 - EARLY_MS) return passed(sent, got);
      return failed(sent, got, {
        production: 'It is refused again: only calls that are answered leave the window of a minute.',
        fix: 'Wait as many seconds as Retry-After says before any further call of this client.',
      });
    },
  }),
  clientCheck({
    number: 55,
    title: 'A 401 leads to a new token, and the call is made again',
    clause: '5, 7',
    judge: ({ dataCalls, tokenCalls }) => {
      const place = dataCalls.findIndex(({ trial }) => trial === 'revoked');
      const revoked = dataCalls[place];
      if (revoked === undefined)
        return notJudged(
          'the receiver made too few calls to meet a revoked token',
          '--client-wait gives it more time.',
        );
      const sent = 'a 401 invalid_token: the token was revoked after its first use';
      const renewed = tokenCalls.find(({ atMs, status }) => status === 200 && atMs > revoked.atMs);
      const again = dataCalls.slice(place + 1).filter(({ token }) => token !== revoked.token);
      const stale = dataCalls.slice(place + 1).filter(({ token }) => token === revoked.token);
      const fix =
        'On 401 forget the token, ask for a new one once, and make the same call again; tokens also end before their time, when they are revoked.';
      const production = 'Every further call is 401 until your system is restarted: gaps are not filled.';
      if (renewed === undefined || again.length === 0)
        return failed(
          sent,
          `${stale.length} further calls with the same token, ${renewed === undefined ? 'no new token' : 'and a new token that was not used'}`,
          { production, fix },
        );
      if (stale.length > 2)
        return failed(sent, `${stale.length} further calls with the same token before a new one`, {
          production: 'Each of them is refused, and counts against the limit.',
          fix,
        });
      return passed(sent, 'a new token, and the call again');
    },
  }),
  clientCheck({
    number: 56,
    title: 'Every call fits the contract',
    clause: '4, 7',
    judge: ({ calls }) => {
      const wrong = calls.filter(({ status, trial }) => status >= 400 && status !== 401 && trial === null);
      const sent = `answers to ${calls.length} calls`;
      if (wrong.length === 0) return passed(sent, 'none of them was refused');
      const words = wrong.slice(0, 3).map(({ method, path, query, status, answer }) => {
        const { code, detail } = (answer ?? {}) as { code?: string; detail?: string };
        return `${method} ${path}${query === '' ? '' : `?${query}`}: ${status} ${code ?? ''} ${detail ?? ''}`.trim();
      });
      return failed(sent, words.join('; '), {
        production: 'It refuses them too.',
        fix: `The detail says what is wrong; ${CLI} openapi and /docs of a running sandbox have every operation.`,
      });
    },
  }),
  clientCheck({
    number: 57,
    title: 'A gap that opens later is filled without a restart',
    clause: '6.6',
    judge: async (client, { probe }) => {
      const late = client.late;
      if (late === null) return notJudged('the first gap was not filled, so that a second was not made');
      const sent = `${late.length} further events that no delivery brings`;
      const { fetched } = client;
      if (late.some((id) => !fetched.has(id)))
        return notJudged(
          'they were not fetched in time',
          'Call GET /v1/events now and then (every minute, say); --client-wait gives it more time.',
        );
      const state = await probe?.until(({ acted }) => acted === undefined || late.every((id) => acted.includes(id)));
      if (state === undefined || typeof state === 'string' || state.acted === undefined)
        return passed(sent, 'they were fetched');
      const all = [...client.missed, ...late];
      const times = (id: string) => state.acted!.filter((one) => one === id).length;
      const wrong = all.filter((id) => times(id) !== 1);
      if (wrong.length === 0)
        return passed(sent, `they were fetched, and each of ${all.length} events was acted on once`);
      return failed(sent, `${wrong.length} of ${all.length} events were not acted on exactly once`, {
        production:
          'What is fetched overlaps with what was delivered: pages begin at created_at inclusive, and a delivery may come meanwhile.',
        fix: 'Send what you fetch through the same door as deliveries: deduplicate by the event id, then keep the newest version.',
      });
    },
  }),
  {
    number: 58,
    group: 'restart',
    title: 'After a rotation the new secret is taken over',
    clause: 'Rotate',
    needs: ['process'],
    judge: async (bench) => {
      const [old, now] = [bench.make, bench.make.withSecret(bench.make.otherSecret())];
      await bench.process!.restart(now.secret);
      const good = [
        await bench.send(now.sos('within the 24 h: v1=<new>,v1=<old>', { secrets: [now.secret, old.secret] })),
        await bench.send(now.sos('after the 24 h: v1=<new>')),
      ];
      const accepted = acceptedFinding(
        good,
        'Read SANDBOX_WEBHOOK_SECRET at each start, and accept a delivery when any of its signatures fits.',
      );
      if (accepted.result !== 'passed') return accepted;
      const stale = await bench.send(old.sos('with the old secret alone, after the restart with the new one'));
      const found = refusedFinding(
        [stale],
        'Forget the old secret once you have the new one: during the 24 h both sign each delivery, so that you never need two.',
      );
      return found.result === 'failed'
        ? { ...found, production: 'Nothing: but who has the old secret can forge alerts for ever.' }
        : { ...found, sent: `${accepted.sent}; ${found.sent}`, got: `${accepted.got}; ${found.got}` };
    },
  },
  {
    number: 59,
    group: 'restart',
    title: 'A second rotation retires the first secret',
    clause: 'Rotate: never more than two',
    needs: ['process'],
    judge: async (bench) => {
      const first = bench.make;
      const [second, third] = [first.withSecret(first.otherSecret()), first.withSecret(first.otherSecret())];
      await bench.process!.restart(second.secret);
      const during = await bench.send(
        third.sos('v1=<third>,v1=<second>, before you take the third', { secrets: [third.secret, second.secret] }),
      );
      if (!isAccepted(during)) return acceptedFinding([during], 'Accept a delivery when any of its signatures fits.');
      await bench.process!.restart(third.secret);
      const after = [
        await bench.send(second.sos('with the second secret alone, after the third was taken')),
        await bench.send(first.sos('with the first secret alone')),
      ];
      const found = refusedFinding(after, 'Keep only the newest secret.');
      if (found.result !== 'passed') return found;
      const fine = await bench.send(third.sos('with the third secret'));
      if (!isAccepted(fine))
        return failed(fine.delivery.what, replyText(fine), {
          production: RETRIES,
          fix: 'Read SANDBOX_WEBHOOK_SECRET at each start.',
          exchanges: [fine],
        });
      return passed(
        'two rotations, with a restart after each',
        'the newest secret is accepted, the retired ones are refused',
        [during, ...after, fine],
      );
    },
  },
];
