/** One POST and its reply: reads at most 64 KiB of the body, follows no redirect, and ends when the signal aborts. [spec 4, decisions 7] */
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { monotonicMs } from '../../base/time/timers.ts';

/** Maximum number of bytes of a reply's body that are read; the same limit applies to its headers. */
export const MAX_ANSWER_BYTES = 64 * 1_024;

interface Posting {
  readonly target: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Null: the addresses that the system resolves; only for forwards. */
  readonly addresses: readonly string[] | null;
  readonly agent: Agent;
}

/** How the body of a reply ended: complete, still open at the time limit, broken off, or longer than the limit. */
export type BodyEnd = 'whole' | 'open' | 'broken' | 'long';

/** The result of the request. With a status, the reply was in time, whatever happened to its body. */
export type ReceiverReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      readonly bodyEnd: BodyEnd;
      readonly headers: Readonly<Record<string, string>>;
      /** Time until the status line and the headers arrived; wall ms. */
      readonly headersMs: number;
    }
  | { readonly kind: 'unanswered'; readonly error: NodeJS.ErrnoException };

export function post(
  { target, headers, body, addresses, agent }: Posting,
  signal: AbortSignal,
): Promise<ReceiverReply> {
  const send = target.protocol === 'http:' ? httpRequest : httpsRequest;
  const startedMs = monotonicMs();
  return new Promise((resolve) => {
    const request = send({
      method: 'POST',
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port,
      path: target.pathname + target.search,
      headers: { ...headers, host: target.host, 'content-length': String(body.length) },
      agent,
      maxHeaderSize: MAX_ANSWER_BYTES,
      signal,
      ...(addresses === null ? {} : { lookup: handingBack(addresses) }),
    });
    request.on('response', (response) => resolve(read(response, monotonicMs() - startedMs, signal)));
    // Node reports an answer 101 by one of two events, with or without a header Upgrade, and never as a response.
    const switched = (response: { statusCode?: number | undefined; headers: IncomingMessage['headers'] }) => {
      const headers = headersOf(response.headers);
      const headersMs = monotonicMs() - startedMs;
      resolve({ kind: 'answered', status: SWITCHING, body: '', bodyEnd: 'whole', headers, headersMs });
      request.destroy();
    };
    request.on('upgrade', (response, socket) => {
      switched(response);
      socket.destroy();
    });
    request.on('information', (information) => {
      if (information.statusCode === SWITCHING) switched(information);
    });
    request.on('error', (error) => resolve({ kind: 'unanswered', error }));
    // Node ends some requests without an error.
    request.on('close', () => resolve({ kind: 'unanswered', error: new Error('closed without an answer') }));
    request.end(body);
  });
}

/** The receiver switches protocols: no delivery is answered so. */
const SWITCHING = 101;

const headersOf = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/**
 * Returns a look-up function with the checked addresses, so that the connection does not resolve the name a second
 * time.
 */
export const handingBack =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    queueMicrotask(() => {
      if (options.all) callback(null, found);
      else callback(null, found[0]?.address ?? '', found[0]?.family);
    });
  };

/**
 * The status is already final. The body is only for display, so a body that breaks off or never ends changes nothing.
 */
function read(response: IncomingMessage, headersMs: number, signal: AbortSignal): Promise<ReceiverReply> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let bodyEnd: BodyEnd = 'broken';
  return new Promise((resolve) => {
    const done = () => {
      const body = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
      const headers = headersOf(response.headers);
      resolve({ kind: 'answered', status: response.statusCode as number, body, bodyEnd, headers, headersMs });
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      // The rest of the body must be read before the socket can be used again; closing the socket is cheaper.
      if (bytes <= MAX_ANSWER_BYTES) return;
      bodyEnd = 'long';
      response.destroy();
    });
    // `response.complete` is not used, because it is also true for a body without a length whose connection this side
    // closed.
    response.on('end', () => {
      if (bodyEnd === 'broken' && !signal.aborted) bodyEnd = 'whole';
    });
    signal.addEventListener('abort', () => {
      if (bodyEnd === 'broken') bodyEnd = 'open';
    });
    response.on('error', done);
    response.on('close', done);
  });
}
