/** The receiver's own calls of the API: tokens, gaps, pages, times, and whether each fits the contract. [spec 5, 6.6, 8] */
import { CLI } from '../../../base/text/command-form.ts';
import { monotonicMs, wallMs } from '../../../base/time/timers.ts';
import { type ApiClientWatch, type ClientCall, EVENTS_PATH, nextCursor } from '../api-client-watch.ts';
import { type CheckBench, type Finding, failed, notJudged, passed, type ReceiverCheck } from '../check.ts';
import { RECEIVER_ZONE } from '../receiver-process.ts';

const group = 'client';

export const callText = ({ method, path }: ClientCall): string => `${method} ${path}`;

/** Longest wait for a quiet period of the receiver's calls. A receiver that polls continuously has none. Wall milliseconds. */
export const REST_MS = 1_500;

interface ClientRow {
  readonly number: number;
  readonly title: string;
  readonly clause: string;
  readonly timedMs?: (bench: CheckBench) => number;
  readonly judge: (client: ApiClientWatch, bench: CheckBench) => Finding | Promise<Finding>;
}

export const clientCheck = ({ number, title, clause, timedMs, judge }: ClientRow): ReceiverCheck => ({
  number,
  group,
  title,
  clause,
  ...(timedMs === undefined ? {} : { timedMs }),
  needs: ['client'],
  judge: async (bench) => {
    const client = bench.client!;
    return client.calls.length === 0
      ? notJudged(
          'the receiver made no call of the API',
          'It finds the API in SANDBOX_API_URL, SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET; Use --client-wait to wait longer.',
        )
      : judge(client, bench);
  },
});

/**
 * True if the client could have avoided the refusal. It cannot foresee that a token ends, that a limit is reached, or
 * that somebody else resolves an alert. An alert that the receiver should have refused, or that of a test event, is
 * unknown to the API.
 */
const isMistaken = ({ status, trial, path, answer }: ClientCall, delivered: ApiClientWatch['delivered']): boolean =>
  status >= 400 &&
  trial === null &&
  ![401, 429].includes(status) &&
  (answer as { code?: string } | null)?.code !== 'invalid_transition' &&
  !(status === 404 && delivered.isAbout(path));

/** Whether the client requested the next page with the cursor of this page. */
const isFollowed = ({ calls }: ApiClientWatch, { path, answer }: ClientCall): boolean =>
  calls.some(
    (call) =>
      call.status === 200 && call.path === path && new URLSearchParams(call.query).get('cursor') === nextCursor(answer),
  );

/** Time within which a client requests the next page; wall milliseconds. */
const WALK_MS = 5_000;

const LOST = 'A lost event is sent in no other way: your system never learns of that alert. [spec 6.6]';

const ACTED_AGAIN = {
  production:
    'Fetched events overlap with delivered events: pages include created_at itself, and a delivery may arrive at the same time.',
  fix: 'Process fetched events with the same code as deliveries: deduplicate by the event id, then keep the newest version.',
};

const NEVER_ACTED = {
  production: LOST,
  fix: 'Process each fetched event, also one with the created_at of an event that you have, or an older one: skip only ids that you have.',
};

/** Says what was seen of the receiver's calls since the second gap was made. */
function unfetched({ calls, fetched }: ApiClientWatch, late: readonly string[]): Finding {
  const fetches = calls.filter(({ path }) => path === EVENTS_PATH);
  const last = fetches.at(-1);
  const got = late.filter((id) => fetched.has(id)).length;
  const seen =
    last === undefined
      ? 'no call of GET /v1/events came'
      : last.status !== 200
        ? `the last call of GET /v1/events was answered ${last.status}`
        : `the last of ${fetches.length} calls was GET /v1/events${last.query === '' ? '' : `?${last.query}`}`;
  const fix =
    last !== undefined && last.status === 200 && got > 0
      ? 'Follow next_cursor until it is null, and begin the next call at the created_at of the last event.'
      : 'Call GET /v1/events now and then (every minute, say), from the created_at of your last event; Use --client-wait to wait longer.';
  return notJudged(`${got} of ${late.length} were fetched in time; ${seen}`, fix);
}

export const GAP_CHECKS: readonly ReceiverCheck[] = [
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
          'Call it at the start, and about every minute, to fetch lost events.',
        );
      if (absent.length === 0) return passed(sent, `all of them were fetched, by ${fetches.length} calls`);
      return failed(
        sent,
        `${absent.length} of them were never fetched; the first call was GET /v1/events${fetches[0]?.query === '' ? '' : `?${fetches[0]?.query}`}`,
        {
          production: LOST,
          fix: 'Begin at the created_at of your last event (at the first start: at an earlier time), and follow next_cursor until it is null.',
        },
      );
    },
  }),
  clientCheck({
    number: 53,
    title: 'A page walk goes on to its end, also when events come meanwhile',
    clause: '2 Pages and lists; decisions 1',
    judge: async (client, { clientWaitMs }) => {
      const lists = () => client.calls.filter(({ status, answer }) => status === 200 && nextCursor(answer) !== null);
      if (lists().length === 0) return notJudged('the receiver fetched no page that has a next one');
      const left = () => lists().filter((list) => !isFollowed(client, list));
      // A page walk in progress is not a mistake yet.
      await client.until(() => left().length === 0, Math.min(clientWaitMs, WALK_MS));
      const { calls } = client;
      const misused = calls.filter(({ answer }) => (answer as { code?: string } | null)?.code === 'invalid_cursor');
      const sent = `${lists().length} pages with a next_cursor; an event came between the first two`;
      if (misused.length > 0)
        return failed(sent, 'a cursor was used with another query: 422 invalid_cursor', {
          production: 'A cursor belongs to the query that made it.',
          fix: 'Send the same parameters with each page, and add cursor.',
        });
      if (left().length === 0) return passed(sent, 'each was followed');
      return failed(sent, `${left().length} of them were not followed`, {
        production: 'Your system never gets the rest of the list.',
        fix: 'Fetch pages until next_cursor is null; do not stop at a page that is shorter or larger than expected.',
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
      if (late.some((id) => !fetched.has(id))) return unfetched(client, late);
      const state = await probe?.until(({ acted }) => acted === undefined || late.every((id) => acted.includes(id)));
      if (state === undefined || typeof state === 'string' || state.acted === undefined)
        return passed(sent, 'they were fetched');
      const all = [...client.missed, ...late];
      const times = (id: string) => state.acted!.filter((one) => one === id).length;
      const wrong = all.filter((id) => times(id) !== 1);
      if (wrong.length === 0)
        return passed(sent, `they were fetched, and each of ${all.length} events was acted on once`);
      const never = wrong.filter((id) => times(id) === 0).length;
      const counts = [
        ...(never === 0 ? [] : [`${never} never`]),
        ...(never === wrong.length ? [] : [`${wrong.length - never} more than once`]),
      ].join(', ');
      return failed(sent, `of ${all.length} fetched events, ${counts} acted on`, never > 0 ? NEVER_ACTED : ACTED_AGAIN);
    },
  }),
];

/** Query parameters that set the start of the requested period. */
const LOWER_BOUNDS = ['created_after', 'modified_since'];

/** A lower bound that is later than the clock by more than this is a mistake; certify dates versions up to 3 s ahead. */
const MOST_AHEAD_MS = 60_000;

function judgeTimes({ dataCalls }: ApiClientWatch): Finding {
  const bounds = dataCalls.flatMap((call) => {
    const query = new URLSearchParams(call.query);
    const startedAtMs = wallMs() - (monotonicMs() - call.startedMs);
    return LOWER_BOUNDS.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [{ call, name, value, aheadMs: Date.parse(value) - startedAtMs }];
    });
  });
  if (bounds.length === 0)
    return notJudged(
      `no call had ${LOWER_BOUNDS.join(' or ')}`,
      'A poll that asks only for what is new has one of them; Use --client-wait to wait longer.',
    );
  const sent = `answers to ${bounds.length} calls with ${LOWER_BOUNDS.join(' or ')}`;
  const ahead = bounds.filter(({ aheadMs }) => aheadMs > MOST_AHEAD_MS);
  const [first] = ahead;
  if (first === undefined) return passed(sent, 'none of them asks for what is later than now');
  return failed(
    sent,
    `${callText(first.call)}?${first.name}=${first.value} asks for what happens from ${apartText(first.aheadMs)} after now on: a local time that is written as UTC (${ahead.length} of ${bounds.length} calls)`,
    {
      production:
        'Events arrive late by this number of hours, or never, because all of them are before the requested time.',
      fix: `Times of the API are UTC: convert before you write the Z (toISOString, datetime.now(timezone.utc), Instant.now, Time.now.utc). With --start-command certify starts your system with TZ=${RECEIVER_ZONE}, which is 5:45 h ahead of UTC.`,
    },
  );
}

/** The duration as text, such as `5 h 45 min`. */
function apartText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}

/** Judged after the trials, over all calls so far. */
export const CALL_CHECKS: readonly ReceiverCheck[] = [
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
          production: 'Without a token, every call gets 401.',
          fix: 'Send grant_type=client_credentials, client_id and client_secret as application/x-www-form-urlencoded.',
        });
      // Some additional tokens are normal: certify revokes one token, and restarts a receiver that makes no call by
      // itself.
      if (granted <= 3 + dataCalls.length / 2) return passed(sent, got);
      return failed(sent, got, {
        production: 'Token requests count against the 600 requests a minute, and double the time of each call.',
        fix: 'Keep the token until it expires (expires_in) or a call is answered 401.',
      });
    },
  }),
  clientCheck({
    number: 56,
    title: 'Every call fits the contract',
    clause: '4, 7',
    judge: ({ calls, delivered }) => {
      const wrong = calls.filter((call) => isMistaken(call, delivered));
      const sent = `answers to ${calls.length} calls`;
      if (wrong.length === 0) return passed(sent, 'none of them was refused');
      const words = wrong.slice(0, 3).map(({ method, path, query, status, answer }) => {
        const { code, detail } = (answer ?? {}) as { code?: string; detail?: string };
        return `${method} ${path}${query === '' ? '' : `?${query}`}: ${status} ${code ?? ''} ${detail ?? ''}`.trim();
      });
      return failed(sent, words.join('; '), {
        production: 'It refuses them too.',
        fix: `The detail names the mistake. ${CLI} openapi and /docs of a running sandbox describe every operation.`,
      });
    },
  }),
  clientCheck({
    number: 60,
    title: 'Times in requests are in UTC',
    clause: '2 times are UTC; decisions 1',
    judge: judgeTimes,
  }),
];
