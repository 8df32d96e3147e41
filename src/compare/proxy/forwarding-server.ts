/** A local server that passes each request on to another address, and each answer back, byte for byte. [cli, proxy] */
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { monotonicMs, wallMs } from '../../base/time/timers.ts';

/** A request with its answer, as both passed by. */
export interface PassedExchange {
  readonly method: string;
  /** Where it went. */
  readonly url: string;
  /** As it was requested, with its query. */
  readonly target: string;
  /** Names as they were written. */
  readonly sentHeaders: readonly (readonly [name: string, value: string])[];
  readonly sent: Buffer;
  /** 0: no answer. */
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Wall clock, ms since the Unix epoch. */
  readonly startedAt: number;
  readonly tookMs: number;
  /** False: a body is larger than what is kept of one. */
  readonly isWhole: boolean;
}

interface ForwardingParts {
  /** Where a request goes, by its target: path and query. */
  readonly addressOf: (target: string) => string;
  readonly host: string;
  readonly port: number;
  /** Answers are requested without compression, so that they can be judged. */
  readonly isJudged: boolean;
  readonly onExchange: (exchange: PassedExchange) => void;
}

export interface ForwardingServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Of one connection only, and set anew by each side. [RFC 9110 7.6.1] */
const OF_A_CONNECTION: readonly string[] = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'host', 'content-length'],
];

/** Bytes of a body that are kept to be judged; all are passed on. */
const MOST_KEPT = 16 * 1024 * 1024;

/** Rejects when the port cannot be taken. */
export async function startForwarding(parts: ForwardingParts): Promise<ForwardingServer> {
  const server = createServer((request, response) => pass(parts, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(parts.port, parts.host, resolve);
  });
  return {
    url: `http://${parts.host}:${(server.address() as AddressInfo).port}`,
    stop: () => stopped(server),
  };
}

function stopped(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function pass(
  { addressOf, isJudged, onExchange }: ForwardingParts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method = 'GET', url: target = '/' } = request;
  const to = addressOf(target);
  const [startedAt, beganMs] = [wallMs(), monotonicMs()];
  const sentHeaders = pairsOf(request.rawHeaders);
  const [sent, received] = [new KeptBytes(), new KeptBytes()];
  const ended = (status: number, headers: PassedExchange['headers']) =>
    onExchange({
      method,
      target,
      url: to,
      sentHeaders,
      sent: sent.bytes(),
      status,
      headers,
      body: received.bytes(),
      startedAt,
      tookMs: Math.round(monotonicMs() - beganMs),
      isWhole: sent.isWhole() && received.isWhole(),
    });
  const send = to.startsWith('https:') ? httpsRequest : httpRequest;
  const length = request.headers['content-length'];
  const headers = [
    ...passedOn(sentHeaders).filter(([name]) => !isJudged || name.toLowerCase() !== 'accept-encoding'),
    ...(length === undefined ? [] : ([['Content-Length', length]] as const)),
    ...(isJudged ? ([['Accept-Encoding', 'identity']] as const) : []),
  ];
  const forwarded = send(to, { method, headers: grouped(headers) }, (answer) => {
    const answerHeaders = pairsOf(answer.rawHeaders);
    const status = answer.statusCode ?? 502;
    response.writeHead(status, answer.statusMessage, grouped(passedBack(answerHeaders)));
    answer.on('data', (chunk: Buffer) => received.add(chunk));
    answer.once('end', () => ended(status, answerHeaders));
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  });
  forwarded.once('error', (error) => {
    if (!response.headersSent) {
      response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(`The proxy got no answer: ${new URL(to).origin} does not answer: ${error.message}\n`);
    } else response.destroy();
    ended(0, []);
  });
  response.once('close', () => {
    if (!response.writableFinished) forwarded.destroy();
  });
  request.on('data', (chunk: Buffer) => sent.add(chunk));
  request.pipe(forwarded);
}

/** The bytes of a body, up to the bound. */
class KeptBytes {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MOST_KEPT) this.#chunks.push(chunk);
  }

  isWhole(): boolean {
    return this.#size <= MOST_KEPT;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function pairsOf(raw: readonly string[]): (readonly [string, string])[] {
  return raw.flatMap((name, place) => (place % 2 === 0 ? [[name, raw[place + 1] ?? ''] as const] : []));
}

const passedOn = (headers: PassedExchange['headers']) =>
  headers.filter(([name]) => !OF_A_CONNECTION.includes(name.toLowerCase()));

/** The length of the answer is as it was: its bytes are. */
const passedBack = (headers: PassedExchange['headers']) =>
  headers.filter(([name]) => name.toLowerCase() === 'content-length' || !OF_A_CONNECTION.includes(name.toLowerCase()));

/** With the names as they were written; a repeated name has several values. */
function grouped(headers: PassedExchange['headers']): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const known = found[name];
    found[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return found;
}
