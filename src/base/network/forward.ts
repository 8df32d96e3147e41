/** Sends an HTTP request on to another address, for the proxies of `certify`, `compare` and `proxy`. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Headers in their order. Names keep their letter case, and may be repeated. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Headers of a single connection, which each side sets itself. [RFC 9110 7.6.1] */
const OF_A_CONNECTION: readonly string[] = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'host', 'content-length'],
];

/** `raw`: names and values in turn, as Node has them. */
export const headerPairs = (raw: readonly string[]): HeaderPairs =>
  raw.flatMap((name, place) => (place % 2 === 0 ? [[name, raw[place + 1] ?? ''] as const] : []));

/** Without the headers of one connection. */
const passedOn = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(([name]) => !OF_A_CONNECTION.includes(name.toLowerCase()));

/** The headers of an answer as they are returned. Keeps Content-Length, because the bytes of the answer do not change. */
export const returnedHeaders = (headers: HeaderPairs): Record<string, string | string[]> =>
  grouped(
    headers.filter(
      ([name]) => name.toLowerCase() === 'content-length' || !OF_A_CONNECTION.includes(name.toLowerCase()),
    ),
  );

/** A repeated name has several values. */
function grouped(headers: HeaderPairs): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const known = found[name];
    found[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return found;
}

/**
 * Opens the request at the address `to` with method and headers of the call; the caller sends the body. `instead`: headers
 * that replace those of the call. `path`: path and query as they are sent, byte for byte; default: those of the address.
 */
export function forwardRequest(
  { method, rawHeaders }: IncomingMessage,
  to: string,
  instead: HeaderPairs,
  onAnswer: (answer: IncomingMessage) => void,
  path?: string,
): ClientRequest {
  const replaced = instead.map(([name]) => name.toLowerCase());
  const kept = passedOn(headerPairs(rawHeaders)).filter(([name]) => !replaced.includes(name.toLowerCase()));
  const send = to.startsWith('https:') ? httpsRequest : httpRequest;
  const options = { method, headers: grouped([...kept, ...instead]), ...(path === undefined ? {} : { path }) };
  return send(to, options, onAnswer);
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** Forwards a call whose body has been read. `path`: path and query, which may differ from those of the call. Rejects if there is no answer. */
export function forwardWhole(call: IncomingMessage, origin: string, path: string, body: Buffer): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode as number, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    };
    const outgoing = forwardRequest(call, origin, [['Content-Length', String(body.length)]], onAnswer, path);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
