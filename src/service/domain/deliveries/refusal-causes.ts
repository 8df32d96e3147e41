/** Why a receiver may have refused a delivery: known causes by its status and body. [spec 4, 5, 6.4] */

interface RefusedAttempt {
  /** Null if there was no reply. */
  readonly status: number | null;
  /** Null if the delivery was accepted. */
  readonly error: string | null;
  readonly answer: string;
  readonly body: string;
}

/** A cause with its fix. `isCertain`: the cause was computed, not guessed. */
export interface RefusalCause {
  readonly isCertain: boolean;
  readonly says: string;
  readonly fix: string;
}

interface CauseRow {
  readonly status: (status: number | null) => boolean;
  /** Matched against the reply, or against the error if there was no reply. */
  readonly words?: RegExp;
  readonly cause: (attempt: RefusedAttempt) => { readonly says: string; readonly fix: string };
}

const is =
  (...statuses: number[]) =>
  (status: number | null): boolean =>
    status !== null && statuses.includes(status);
const none = (status: number | null): boolean => status === null;
const failing = (status: number | null): boolean => status !== null && status >= 400;
const always = (says: string, fix: string) => () => ({ says, fix });

/** The statuses that name another address. 304 and the rest of 3xx are no redirects. */
export const isRedirect = (status: number): boolean => [300, 301, 302, 303, 307, 308].includes(status);

/** `says` is a sentence about the receiver. Of the rows whose words match, only the first is used. */
const CAUSES: readonly CauseRow[] = [
  {
    status: none,
    words: /No answer within/,
    cause: always(
      'It processes the event before it answers.',
      'Verify, store, answer 2xx, and process the event afterwards: the service closes the connection after 5 s.',
    ),
  },
  {
    status: none,
    words: /refused/,
    cause: always(
      'It is not running, or listens at another port or address.',
      'Start it. In a container, it must listen at 0.0.0.0.',
    ),
  },
  {
    status: none,
    words: /resolve/,
    cause: always(
      'Its name is unknown here.',
      'Check the url of the destination; for a local receiver, use sandbox up --forward HOST=URL.',
    ),
  },
  {
    status: none,
    words: /TLS/,
    cause: always(
      'Its certificate is not valid for its name, or the chain is incomplete.',
      'Serve the intermediate certificates too, and renew the certificate before it expires.',
    ),
  },
  {
    status: none,
    words: /closed the connection/,
    cause: always(
      'It crashed, or a proxy cut the connection.',
      'Read its log at this time. Answer before you close the connection.',
    ),
  },
  {
    status: (status) => status !== null && isRedirect(status),
    cause: always(
      'The address redirects, which is not followed.',
      'Register the final address: https, host, and the slash at the end.',
    ),
  },
  {
    status: none,
    words: /header of the answer/,
    cause: always(
      'Its answer has a header with a space before the colon, a line end or a wrong length.',
      'Send the answer with curl -v, and correct the header that the framework or a proxy adds.',
    ),
  },
  {
    status: is(101),
    cause: always(
      'It switches protocols, as for a WebSocket: the address is not that of a webhook receiver.',
      'Register the address that takes a POST, and answer 2xx.',
    ),
  },
  {
    status: is(304),
    cause: always(
      'It, or a cache before it, answers that nothing changed, as to a GET.',
      'Answer 2xx to each POST, and exempt the path from caches and conditional requests.',
    ),
  },
  {
    status: is(400, 401, 403, 419),
    words: /csrf|cross.site|antiforgery|page expired/i,
    cause: always(
      'The CSRF protection of its framework refuses the delivery.',
      'Exempt the path of the receiver: deliveries are authenticated by their signature.',
    ),
  },
  {
    status: failing,
    words: /timestamp|expired|too old|tolerance|skew|stale|replay/i,
    cause: always(
      'It considers the timestamp too old or too new: it reads seconds as milliseconds, or its clock is wrong.',
      'X-Service-Timestamp is in Unix seconds: compare it with a clock in seconds, and set the clock by NTP.',
    ),
  },
  {
    status: failing,
    words: /signature|hmac|digest|verif|forged|tamper/i,
    cause: always(
      'It computes another signature: over JSON that it serialized again, or with another secret (rotated, of another destination, without whsec_, with a line end).',
      'Log the signature that it computes, and write it with --got SIGNATURE: the command then names a known mistake.',
    ),
  },
  {
    status: is(401, 403, 407),
    cause: always(
      'A proxy before the receiver requires credentials, or the check of the signature fails.',
      'Deliveries carry no token and no cookie: exempt the path from login, basic authentication and IP rules.',
    ),
  },
  {
    status: is(404, 410),
    cause: always(
      'The receiver has no route for this path.',
      'Compare the path of the destination with the route of the receiver.',
    ),
  },
  {
    status: is(405),
    cause: always('The route does not accept POST.', 'Accept POST. A redirect of a proxy may have changed it to GET.'),
  },
  {
    status: is(409),
    cause: always('It refuses duplicates.', 'A duplicate was delivered: answer 2xx and do nothing.'),
  },
  {
    status: is(413),
    cause: ({ body }) => ({
      says: `It does not accept a body of ${Buffer.byteLength(body)} bytes.`,
      fix: 'Allow 1 MiB: limit of the body parser, client_max_body_size of nginx.',
    }),
  },
  {
    status: is(415, 406),
    cause: always(
      'It requires another content type.',
      'It is application/json; compare the media type without its parameters.',
    ),
  },
  {
    status: is(429),
    cause: always(
      'It limits the rate.',
      'Exempt the receiver from rate limits: the service ignores Retry-After, and evacuations cause bursts.',
    ),
  },
  {
    status: is(400, 422),
    cause: ({ body }) => ({
      says: `It does not take this content.${nullsText(body)}`,
      fix: 'Accept nulls, unknown fields and unknown words; verify before you validate.',
    }),
  },
  {
    status: is(500),
    words: /same byte length|must have equal length|RangeError/i,
    cause: always('It compares texts of different lengths in constant time, which throws.', 'Compare lengths first.'),
  },
  {
    status: is(500),
    cause: ({ body }) => ({
      says: `It threw an exception.${nullsText(body)}`,
      fix: 'Read its log at this time.',
    }),
  },
  {
    status: is(502, 503, 504),
    cause: always(
      'A proxy answered instead of the receiver.',
      'The receiver behind it is down, overloaded, or slower than the timeout of the proxy.',
    ),
  },
];

/**
 * The likely causes; empty for a delivery that was accepted. A match in the text of the reply has priority over the
 * status alone.
 */
export function likelyCauses(attempt: RefusedAttempt): RefusalCause[] {
  if (attempt.error === null) return [];
  const text = attempt.status === null ? attempt.error : attempt.answer;
  const rows = CAUSES.filter(({ status, words }) => status(attempt.status) && words?.test(text) !== false);
  const spoken = rows.filter(({ words }) => words !== undefined);
  return (spoken.length > 0 ? spoken.slice(0, 1) : rows).map(({ cause }) => ({ isCertain: false, ...cause(attempt) }));
}

/** Names the fields of the alert or muster that are null in this event, since code that reads inside them fails. */
function nullsText(body: string): string {
  const { data } = JSON.parse(body) as { data?: Record<string, Record<string, unknown>> };
  const [object] = Object.values(data ?? {});
  const names = Object.entries(object ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
  return names.length === 0 ? '' : ` Null in this event: ${names.join(', ')}.`;
}
