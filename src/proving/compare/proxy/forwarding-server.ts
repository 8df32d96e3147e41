/** A local server that forwards each request to another address, and returns its answer byte for byte. [cli, proxy] */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardRequest, type HeaderPairs, headerPairs, returnedHeaders } from '../../../base/network/forward.ts';
import { monotonicMs, wallMs } from '../../../base/time/timers.ts';

/** A forwarded request with its answer. */
export interface PassedExchange {
  readonly method: string;
  /** The address to which it was forwarded. */
  readonly url: string;
  /** The requested path with its query. */
  readonly target: string;
  /** Names keep their letter case. */
  readonly sentHeaders: HeaderPairs;
  readonly sent: Buffer;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Buffer;
  /** Wall clock, ms since the Unix epoch. */
  readonly startedAt: number;
  readonly tookMs: number;
  /** False if a body was too large to be kept completely. */
  readonly isWhole: boolean;
}

interface ForwardingParts {
  /** Returns the address to which a request is forwarded, for its path and query. */
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

/** Most bytes of a body that are kept for judging. All bytes are forwarded. */
const MOST_KEPT = 16 * 1024 * 1024;

/** Rejects if the port cannot be used. */
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
  const sentHeaders = headerPairs(request.rawHeaders);
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
  const length = request.headers['content-length'];
  const instead: HeaderPairs = [
    ...(length === undefined ? [] : ([['Content-Length', length]] as const)),
    ...(isJudged ? ([['Accept-Encoding', 'identity']] as const) : []),
  ];
  const forwarded = forwardRequest(request, to, instead, (answer) => {
    const answerHeaders = headerPairs(answer.rawHeaders);
    const status = answer.statusCode ?? 502;
    response.writeHead(status, answer.statusMessage, returnedHeaders(answerHeaders));
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

/** The bytes of a body, up to `MOST_KEPT`. */
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
