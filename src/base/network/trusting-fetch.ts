/**
 * `fetch` with a certificate authority, and requests of one short text without `fetch`. The `fetch` of Node.js accepts an
 * authority only at the start of the process, in NODE_EXTRA_CA_CERTS.
 */

import type { IncomingMessage } from 'node:http';
import type { Agent, RequestOptions } from 'node:https';
import { addAbortSignal, Readable } from 'node:stream';
import { CLI } from '../text/command-form.ts';
import { PROGRAM_AGENT } from './program-agent.ts';

/** The part of `RequestInit` that the callers use. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
  readonly signal?: AbortSignal;
}

/** One agent for each authority, since connections to one sandbox are kept and share their TLS session. */
const agents = new Map<string, Agent>();

/** The agent that trusts only this authority (PEM). */
async function agentTrusting(ca: string): Promise<Agent> {
  const { Agent } = await import('node:https');
  const agent = agents.get(ca) ?? new Agent({ ca, keepAlive: true, rejectUnauthorized: true });
  agents.set(ca, agent);
  return agent;
}

/**
 * Like `fetch`, which is used if there is no authority. `ca` (PEM) is trusted instead of the authorities of Node.js.
 * Redirects are not followed. Rejects as `fetch` does: with a `TypeError` that has a `cause`, or with the reason of the
 * signal.
 */
export async function fetchTrusting(ca: string | null, url: string, init: FetchInit = {}): Promise<Response> {
  if (ca === null || !url.startsWith('https:')) return await fetch(url, named(init));
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

/** Why a `fetch` failed, from its cause. For an answer 101, which no call asks for, the cause is only "bad upgrade". */
export function fetchFault({ cause, message }: Error): string {
  const reason = cause instanceof Error ? cause.message || message : message;
  return reason === 'bad upgrade' ? 'it answered 101, a switch of protocols' : reason;
}

/**
 * Resolves with the status and the text of a reply. Loads neither `fetch` nor its classes, which take as long as Node.js
 * itself takes to start: for commands that send one request. Rejects with the error of the socket, or of the signal.
 */
export async function requestText(
  ca: string | null,
  url: string,
  init: FetchInit = {},
): Promise<{ status: number; text: string }> {
  const message = await requested(ca, url, init);
  const { statusCode: status = 0 } = message;
  // A proxy in front of the sandbox may redirect, for example to https. `fetch` follows.
  if (status >= 300 && status < 400 && status !== 304) {
    message.destroy();
    const response = await fetchTrusting(ca, url, init);
    return { status: response.status, text: await response.text() };
  }
  message.setEncoding('utf8');
  let text = '';
  for await (const piece of message) text += piece;
  return { status, text };
}

async function requested(
  ca: string | null,
  url: string,
  { method = 'GET', headers = {}, body, signal }: FetchInit,
): Promise<IncomingMessage> {
  const isTls = url.startsWith('https:');
  const { request } = isTls ? await import('node:https') : await import('node:http');
  const type = body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const text = body === undefined ? undefined : String(body);
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  const options: RequestOptions = { method, headers: { ...type, ...named({ headers }).headers, ...length } };
  if (isTls && ca !== null) options.agent = await agentTrusting(ca);
  return await new Promise((resolve, reject) => {
    const call = request(url, signal === undefined ? options : { ...options, signal }, resolve);
    call.on('error', reject);
    call.end(text);
  });
}

const named = (init: FetchInit): FetchInit => ({ ...init, headers: { 'user-agent': PROGRAM_AGENT, ...init.headers } });

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

/** The fix for the `code` of a failed TLS connection to a sandbox; null if the failure is not about TLS. */
export function tlsFix(code: string): string | null {
  if (/^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/.test(code))
    return `Set SANDBOX_CA_FILE to the ca.pem of that sandbox: its "${CLI} env" prints the path.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Call it by a name in its certificate: localhost, 127.0.0.1, ::1, its --host, or the host of its --public-url.';
  if (code === 'EPROTO') return 'Does it speak https? Without --tls its address begins with http://.';
  return null;
}
