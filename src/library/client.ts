/** Calls the API over HTTP as a client of the sandbox, with an access token of that client. */

import { type FetchInit, fetchTrusting } from '../base/network/trusting-fetch.ts';
import { monotonicMs } from '../base/time/timers.ts';
import { refusal } from './errors.ts';
import type { ApiAnswer, Client, ClientOptions, ReadyClient } from './types.ts';

/** Time before its expiry at which a token is renewed; ms. */
const SPARE_MS = 60_000;

/** The client can be used after a reset, because addresses and tokens stay the same. */
export function apiClient(
  { apiUrl, ca }: { readonly apiUrl: string; readonly ca: string | null },
  { client_id, client_secret }: ReadyClient,
  { scopes }: ClientOptions,
): Client {
  let held: { readonly token: string; readonly until: number } | null = null;

  async function token(): Promise<string> {
    if (held !== null && monotonicMs() < held.until) return held.token;
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    if (scopes !== undefined) body.set('scope', scopes.join(' '));
    const { status, body: answer } = await answerOf<Record<string, string>>(
      await request(ca, `${apiUrl}/v1/oauth/token`, { method: 'POST', body }),
    );
    if (status !== 200)
      throw refusal(
        { code: answer['error'] ?? 'invalid_client', detail: answer['error_description'] ?? '' },
        'No token: ',
      );
    held = {
      token: answer['access_token'] ?? '',
      until: monotonicMs() + Number(answer['expires_in']) * 1_000 - SPARE_MS,
    };
    return held.token;
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<ApiAnswer<T>> {
    return await answerOf<T>(
      await request(ca, `${apiUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await token()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  }

  async function bodyOf<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<T & { code: string; detail: string }>(method, path, body);
    if (answer.status < 300) return answer.body;
    throw refusal(answer.body, `${method} ${path} is ${answer.status}: `);
  }

  return {
    clientId: client_id,
    token,
    call,
    get: (path) => bodyOf('GET', path),
    post: (path, body) => bodyOf('POST', path, body),
    patch: (path, body) => bodyOf('PATCH', path, body),
    delete: (path) => bodyOf('DELETE', path),
  };
}

const request = (ca: string | null, url: string, init: FetchInit): Promise<Response> =>
  fetchTrusting(ca, url, init).catch(() => {
    throw refusal({ code: 'unreachable', detail: `Nothing answers at ${url}. Has the sandbox been stopped?` });
  });

async function answerOf<T>(response: Response): Promise<ApiAnswer<T>> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body = (isJson && text !== '' ? JSON.parse(text) : text === '' ? null : text) as T;
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
