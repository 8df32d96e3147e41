/** Calls a service over HTTP as its client does. It reuses tokens, and returns answers unchanged. */

import { asError } from '../../base/assert.ts';
import { type FetchInit, fetchFault, fetchTrusting } from '../../base/network/trusting-fetch.ts';
import { roughDuration } from '../../base/time/durations.ts';
import { judgeOnTime } from '../../base/time/lateness.ts';
import { later, MACHINE_TIME, monotonicMs } from '../../base/time/timers.ts';
import { TOKEN_PATH } from '../../contract/operations/operation.ts';
import type { CheckRequest, ComparedService } from './checks.ts';
import type { ApiExchange } from './exchange.ts';
import { withoutTokens } from './without-tokens.ts';

interface ClientSecret {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Timeout of a call; wall ms. */
const ANSWER_WITHIN_MS = 15_000;

/** The service at this address cannot be reached, or rejects the client. */
export class ServiceRefused extends Error {
  override readonly name = 'ServiceRefused';
}

/** The service issues no token because its rate limit is exceeded. [spec 8] */
export class ServiceBusy extends ServiceRefused {
  /** Seconds of Retry-After; null if the header is absent or invalid. */
  readonly retryAfterS: number | null;

  constructor(message: string, retryAfterS: number | null) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** `url`: base address of `/v1/`, without a trailing slash. `pace`: resolves when the next request may be sent. `machine`: the time of the timeout. */
export function serviceAt(
  name: ComparedService['name'],
  url: string,
  { client_id, client_secret }: ClientSecret,
  pace: () => Promise<void>,
  machine = MACHINE_TIME,
): ComparedService {
  /** Tokens by scopes; the empty string is the key of a token with all scopes of the client. */
  const tokens = new Map<string, string>();

  const send = async (request: CheckRequest, authorization: string | null, isOwn = false): Promise<ApiExchange> => {
    const { method, path, query, json, headers } = request;
    await pace();
    const form = request.hasCredentials ? { ...request.form, client_id, client_secret } : request.form;
    const body = json ?? (form === undefined ? undefined : new URLSearchParams(form));
    const init: FetchInit = {
      method,
      headers: {
        ...headers,
        ...(authorization === null ? {} : { authorization }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    };
    const address = `${url}${path}${query === undefined ? '' : `?${query}`}`;
    const ask = async (): Promise<Response | Error> => {
      const end = new AbortController();
      const cancel = machine.later(ANSWER_WITHIN_MS, () => end.abort(tooLate()), { unref: true });
      const got = await fetchTrusting(null, address, { ...init, signal: end.signal }).catch(asError);
      // The body has the same limit.
      if (got instanceof Error) cancel();
      return got;
    };
    // A request that changes something is not sent twice.
    const isTooLate = (got: Response | Error) =>
      method === 'GET' && got instanceof Error && got.name === 'TimeoutError';
    const { value: answer, lateMs } = await judgeOnTime(ANSWER_WITHIN_MS, ask, { machine, depends: isTooLate });
    if (answer instanceof Error) {
      const busy =
        lateMs === null
          ? ''
          : ` This is inconclusive: this machine was busy, and timers came ${roughDuration(lateMs)} late.`;
      throw new ServiceRefused(`The ${name} at ${url} does not answer: ${fetchFault(answer)}.${busy}`);
    }
    const text = await answer.text();
    const received = Object.fromEntries(answer.headers);
    return {
      kind: 'call',
      method,
      path,
      query: query ?? '',
      status: answer.status,
      headers: received,
      body: text,
      source: name,
      ...(body === undefined ? {} : { sent: withoutTokens(String(body)) }),
      ...(isOwn ? { client: `client ${client_id}` } : {}),
      ...(authorization === null ? { isAnonymous: true } : {}),
      ...(request.scope === undefined ? {} : { scopes: request.scope.split(' ') }),
    };
  };

  const newToken = async (scope: string): Promise<string> => {
    const form = { grant_type: 'client_credentials', client_id, client_secret, ...(scope === '' ? {} : { scope }) };
    const { status, headers, body } = await send({ method: 'POST', path: TOKEN_PATH, form }, null);
    if (status === 429) {
      const after = /^\d+$/.exec(headers['retry-after'] ?? '')?.[0];
      const when = after === undefined ? 'without Retry-After' : `for ${after} s (Retry-After)`;
      const message = `The ${name} at ${url} limits token requests now, ${when}: it answers 429.`;
      throw new ServiceBusy(message, after === undefined ? null : Number(after));
    }
    const granted = status === 200 ? (JSON.parse(body) as { access_token?: string }).access_token : undefined;
    if (granted === undefined)
      throw new ServiceRefused(`The ${name} at ${url} issues no token to the client: it answers ${status}.`);
    tokens.set(scope, granted);
    return granted;
  };

  const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  return {
    name,
    credentials: { client_id, client_secret },
    call: async (request) => {
      if (request.token === 'none') return send(request, null);
      if (request.token === 'wrong') return send(request, 'Bearer nobody-has-this-token');
      if (request.token === 'basic') return send(request, basic);
      const scope = request.scope ?? '';
      return send(request, `Bearer ${tokens.get(scope) ?? (await newToken(scope))}`, true);
    },
  };
}

const tooLate = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');

/** A rate limiter: the promise resolves when the next request may be sent. `perMinute`: requests a minute. */
export function paced(perMinute: number): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    const now = monotonicMs();
    const waitMs = Math.max(0, nextMs - now);
    nextMs = Math.max(now, nextMs) + 60_000 / perMinute;
    if (waitMs > 0) await new Promise<void>((resolve) => later(waitMs, resolve));
  };
}
