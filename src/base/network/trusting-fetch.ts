/** `fetch` with a certificate authority. The `fetch` of Node.js takes one only at the start of the process, from NODE_EXTRA_CA_CERTS. */

import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { addAbortSignal, Readable } from 'node:stream';
import { CLI } from '../text/command-form.ts';

/** What our callers use of `RequestInit`. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
  readonly signal?: AbortSignal;
}

/** Connections to one sandbox are kept and share their TLS session, so there is an agent for each authority. */
const agents = new Map<string, Agent>();

/** The agent that trusts this authority (PEM) and no other. */
async function agentTrusting(ca: string): Promise<Agent> {
  const { Agent } = await import('node:https');
  const agent = agents.get(ca) ?? new Agent({ ca, keepAlive: true, rejectUnauthorized: true });
  agents.set(ca, agent);
  return agent;
}

/**
 * As `fetch`, which it is without an authority; `ca` (PEM) is trusted in place of those of Node.js. Redirections are not
 * followed. Rejects as `fetch` does: with a `TypeError` that has the `cause`, or with the reason of the signal.
 */
export async function fetchTrusting(ca: string | null, url: string, init: FetchInit = {}): Promise<Response> {
  if (ca === null || !url.startsWith('https:')) return await fetch(url, init);
  const { signal } = init;
  signal?.throwIfAborted();
  try {
    const message = await requested(ca, url, init);
    const body = signal === undefined ? message : addAbortSignal(signal, message);
    return new Response(hasBody(message) ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : drained(message), {
      status: message.statusCode ?? 0,
      headers: headersOf(message),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    throw new TypeError('fetch failed', { cause });
  }
}

async function requested(
  ca: string,
  url: string,
  { method = 'GET', headers = {}, body, signal }: FetchInit,
): Promise<IncomingMessage> {
  const { request } = await import('node:https');
  const agent = await agentTrusting(ca);
  const type = body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const text = body === undefined ? undefined : String(body);
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  const options = { method, headers: { ...type, ...headers, ...length }, agent };
  return await new Promise((resolve, reject) => {
    const call = request(url, signal === undefined ? options : { ...options, signal }, resolve);
    call.on('error', reject);
    call.end(text);
  });
}

/** A `Response` of these statuses must not have a body. */
const hasBody = ({ statusCode = 0 }: IncomingMessage): boolean => ![101, 204, 205, 304].includes(statusCode);

function drained(message: IncomingMessage): null {
  message.resume();
  return null;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  return headers;
}

/** What to do about the `code` of the cause, where a sandbox was called and TLS failed; null: it was not TLS. */
export function tlsFix(code: string): string | null {
  if (/^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/.test(code))
    return `Set SANDBOX_CA_FILE to the ca.pem of that sandbox: its "${CLI} env" prints the path.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Call it by a name in its certificate: localhost, 127.0.0.1, ::1, its --host, or the host of its --public-url.';
  if (code === 'EPROTO') return 'Does it speak https? Without --tls its address begins with http://.';
  return null;
}
