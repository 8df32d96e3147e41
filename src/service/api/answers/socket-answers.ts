/**
 * Answers below the HTTP layer, which replace those of Node: to bytes that are not HTTP, requests that never end, and
 * CONNECT. [decisions 2]
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isUntrusted } from '../../../base/network/tls-port.ts';
import { CLI } from '../../../base/text/command-form.ts';
import { PROBLEMS } from '../../../contract/problems.ts';
import { type AnsweredRequest, auditRow } from '../requests/audit.ts';
import { CLIENT_WENT_AWAY, type Visits } from '../requests/visit.ts';
import type { ApiParts } from '../route.ts';
import { errorAnswer } from './error-answer.ts';
import { ProblemAnswer } from './problem-answer.ts';

type ClientError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/**
 * Time for which bytes are still accepted after the answer, in wall ms. Otherwise a client that is still sending would
 * not read the answer.
 */
const LINGER_MS = 500;

/** Node's limit of a request line and headers. */
const MOST_HEAD_BYTES = 16 * 1024;

const TLS_HANDSHAKE = 0x16;

export class SocketAnswers {
  readonly #parts: ApiParts;
  readonly #visits: Visits;
  readonly #answered = new WeakSet<Socket>();

  constructor(parts: ApiParts, visits: Visits) {
    this.#parts = parts;
    this.#visits = visits;
  }

  watch(server: Server): void {
    // Other expectations than 100-continue may be ignored (RFC 9110 section 10.1.1); Node would answer a bare 417.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.on('connect', (request, socket) => {
      const problem = new ProblemAnswer('malformed_request', 'This server is not a proxy: CONNECT is not possible.');
      this.#answer(socket as Socket, problem, `CONNECT ${request.url ?? ''}`);
    });
  }

  /** Closes the connection, because the beginning of the next request is unknown. */
  clientError(error: ClientError, socket: Socket): void {
    if (isUntrusted(error)) this.#logUntrusted();
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // The client would take a second answer for the answer to its next request.
    if (this.#visits.hasAnswered(socket)) return void socket.destroy();
    this.#answer(socket, problemOf(error), error.code ?? error.message);
  }

  /** Answers a client that uses http on an https port. */
  plainHttp(socket: Socket): void {
    const detail = `This port uses only https: call ${this.#parts.baseUrl()}, and trust the certificate authority that ${CLI} env names as SANDBOX_CA_FILE.`;
    this.#answer(socket, new ProblemAnswer('malformed_request', detail), 'plain http at a port of https');
  }

  #logUntrusted(): void {
    const note = `The client does not trust the certificate: it needs the authority that ${CLI} env names as SANDBOX_CA_FILE.`;
    this.#log({ status: CLIENT_WENT_AWAY, code: null, problem: null, note });
  }

  #answer(socket: Socket, problem: ProblemAnswer, note: string): void {
    // The parser fails again with each further packet.
    if (this.#answered.has(socket)) return;
    this.#answered.add(socket);
    const { clock, baseUrl } = this.#parts;
    const visit = this.#visits.on(socket);
    const answer = errorAnswer(problem, { baseUrl: baseUrl(), path: null, route: visit?.route });
    const { status, code, problem: sentences } = answer;
    socket.end(
      `HTTP/1.1 ${status} ${PROBLEMS[problem.code].title}\r\nContent-Type: ${answer.type}\r\n` +
        `Content-Length: ${Buffer.byteLength(answer.body)}\r\nConnection: close\r\n\r\n${answer.body}`,
    );
    socket.resume();
    const cancel = clock.afterWall(LINGER_MS, () => socket.destroy(), { unref: true });
    socket.once('close', cancel);
    if (visit !== null) return this.#visits.answeredBelow(socket, { status, code, problem: sentences });
    this.#log({ status, code, problem: sentences, note });
  }

  /** Logs an answer on a connection without a request. */
  #log(row: Pick<AnsweredRequest, 'status' | 'code' | 'problem' | 'note'>): void {
    const { clock, engine } = this.#parts;
    const request = { client: null, method: '-', target: '-', tookMs: 0, warnings: [], ...row };
    engine.logRequest(auditRow(clock, this.#visits.secrets, request));
  }
}

function problemOf({ code, rawPacket }: ClientError): ProblemAnswer {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0);
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      if (isOneLine(packet)) return new ProblemAnswer('uri_too_long', 'The request line alone is larger than 16 KiB.');
      return new ProblemAnswer('headers_too_large', 'The request line and headers are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProblemAnswer('request_timeout', 'The request did not arrive in time.');
    default:
      if (packet[0] === TLS_HANDSHAKE)
        return new ProblemAnswer(
          'malformed_request',
          `This looks like TLS; this port speaks plain http. For https start it with: ${CLI} up --tls`,
        );
      return new ProblemAnswer('malformed_request', 'The request is not valid HTTP.');
  }
}

/** True if the packet begins a request whose first line alone exceeds the limit. */
function isOneLine(packet: Buffer): boolean {
  const end = packet.indexOf('\n');
  return /^[A-Z]+ /.test(packet.toString('latin1', 0, 16)) && (end < 0 || end > MOST_HEAD_BYTES);
}
