/** Why a receiver may have refused a delivery: its status and body, and the known causes of them. [spec 4, 5, 6.4] */

interface RefusedAttempt {
  /** Null: no answer. */
  readonly status: number | null;
  /** Null: delivered. */
  readonly error: string | null;
  readonly answer: string;
  readonly body: string;
}

/** A cause with its fix. `isCertain`: computed, not guessed. */
export interface RefusalCause {
  readonly isCertain: boolean;
  readonly says: string;
  readonly fix: string;
}

interface CauseRow {
  readonly status: (status: number | null) => boolean;
  /** In the answer, or in the error where there was none. */
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

/** `says` is a sentence about the receiver. Of rows whose words fit, the first counts. */
const CAUSES: readonly CauseRow[] = [
  {
    status: none,
    words: /No answer within/,
    cause: always(
      'It works before it answers.',
      'Verify, store, answer 2xx, and work afterwards: after 5 s nobody listens.',
    ),
  },
  {
    status: none,
    words: /refused/,
    cause: always(
      'It is not running, or listens at another port or address.',
      'Start it; in a container it has to listen at 0.0.0.0.',
    ),
  },
  {
    status: none,
    words: /resolve/,
    cause: always(
      'Its name is unknown here.',
      'Check the url of the destination; a local receiver is reached by sandbox up --forward HOST=URL.',
    ),
  },
  {
    status: none,
    words: /TLS/,
    cause: always(
      'Its certificate is not valid for its name, or the chain is incomplete.',
      'Serve the intermediate certificates too, and renew in time.',
    ),
  },
  {
    status: none,
    words: /closed the connection/,
    cause: always(
      'It crashed, or a proxy cut the connection.',
      'Look into its log at this time; answer before closing.',
    ),
  },
  {
    status: (status) => status !== null && status >= 300 && status < 400,
    cause: always(
      'The address redirects, which is not followed.',
      'Register the address that it ends at: https, host, and the slash at the end.',
    ),
  },
  {
    status: is(400, 401, 403, 419),
    words: /csrf|cross.site|antiforgery|page expired/i,
    cause: always(
      'The CSRF protection of its framework stands before it.',
      'Exempt the path of the receiver: deliveries are authenticated by their signature.',
    ),
  },
  {
    status: failing,
    words: /timestamp|expired|too old|tolerance|skew|stale|replay/i,
    cause: always(
      'It finds the timestamp too far from its clock: it takes seconds for milliseconds, or its clock is off.',
      'X-Service-Timestamp is in Unix seconds: compare it with a clock in seconds, and keep the clock right by NTP.',
    ),
  },
  {
    status: failing,
    words: /signature|hmac|digest|verif|forged|tamper/i,
    cause: always(
      'It computes another signature: over JSON that it wrote anew, or with another secret (rotated since, of another destination, without whsec_, with a line end).',
      'Let it log the signature that it computes, and ask again with --got SIGNATURE: a known mistake is then named.',
    ),
  },
  {
    status: is(401, 403, 407),
    cause: always(
      'Something before the receiver asks for credentials, or its check of the signature fails.',
      'Deliveries carry no token and no cookie: exempt the path from login, basic authentication and IP rules.',
    ),
  },
  {
    status: is(404, 410),
    cause: always('Nothing is at this path.', 'Compare the path of the destination with the route of the receiver.'),
  },
  {
    status: is(405),
    cause: always('The route does not take POST.', 'Let it take POST; a proxy that redirects may have made it a GET.'),
  },
  {
    status: is(409),
    cause: always('It refuses what it has already.', 'A duplicate was delivered: answer 2xx and do nothing.'),
  },
  {
    status: is(413),
    cause: ({ body }) => ({
      says: `It takes no body of ${Buffer.byteLength(body)} bytes.`,
      fix: 'Allow 1 MiB: limit of the body parser, client_max_body_size of nginx.',
    }),
  },
  {
    status: is(415, 406),
    cause: always(
      'It wants another content type.',
      'It is application/json; compare the media type without its parameters.',
    ),
  },
  {
    status: is(429),
    cause: always(
      'It limits the rate.',
      'Exempt the receiver: Retry-After is not obeyed, and evacuations come in bursts.',
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
      fix: 'Look into its log at this time.',
    }),
  },
  {
    status: is(502, 503, 504),
    cause: always(
      'A proxy answered in its place.',
      'The receiver behind it is down, overloaded, or slower than the proxy waits.',
    ),
  },
];

/** The likely causes; empty for a delivery that was accepted. What the answer says wins over what its status may mean. */
export function likelyCauses(attempt: RefusedAttempt): RefusalCause[] {
  if (attempt.error === null) return [];
  const text = attempt.status === null ? attempt.error : attempt.answer;
  const rows = CAUSES.filter(({ status, words }) => status(attempt.status) && words?.test(text) !== false);
  const spoken = rows.filter(({ words }) => words !== undefined);
  return (spoken.length > 0 ? spoken.slice(0, 1) : rows).map(({ cause }) => ({ isCertain: false, ...cause(attempt) }));
}

/** Fields of the alert or muster that are null in this event: code that reads on from them fails. */
function nullsText(body: string): string {
  const { data } = JSON.parse(body) as { data?: Record<string, Record<string, unknown>> };
  const [object] = Object.values(data ?? {});
  const names = Object.entries(object ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
  return names.length === 0 ? '' : ` Null in this event: ${names.join(', ')}.`;
}
