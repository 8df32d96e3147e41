/** A server in front of a sandbox that changes its answers: a build that deviates in one clause. True answers are kept, so that all builds have the same world. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: a patch looks into any body
export type Body = any;

export interface TrueAnswer {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** The parts of the answer that deviate; undefined: the answer is unchanged. */
export type Patch = (answer: TrueAnswer) => Partial<TrueAnswer> | undefined;

export class DeviatingService {
  patch: Patch = () => undefined;
  readonly #server: Server;
  readonly #kept = new Map<string, TrueAnswer>();
  readonly #target: string;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer({ maxHeaderSize: 64 * 1024 }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '/', headers } = request;
      const sent = {
        ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
        ...(headers['content-type'] === undefined ? {} : { 'content-type': headers['content-type'] }),
        ...(headers['x-compare'] === undefined ? {} : { 'x-compare': String(headers['x-compare']) }),
      };
      const answer = await this.#answer(method, url, sent, Buffer.concat(chunks).toString());
      const {
        status,
        headers: shown,
        body,
      } = { ...answer, ...this.patch({ ...answer, body: structuredClone(answer.body) }) };
      response.writeHead(status, shown);
      response.end(
        body === undefined || method === 'HEAD' ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      );
    });
  }

  static async before(target: string): Promise<DeviatingService> {
    const service = new DeviatingService(target);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(method: string, url: string, headers: Record<string, string>, body: string): Promise<TrueAnswer> {
    const key = JSON.stringify([method, url, headers, body]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const answer = await fetch(`${this.#target}${url}`, { method, headers, ...(body === '' ? {} : { body }) });
    const text = await answer.text();
    const {
      connection: _,
      'content-length': __,
      'keep-alive': ___,
      'transfer-encoding': ____,
      ...shown
    } = Object.fromEntries(answer.headers);
    const { pathname: path, searchParams: query } = new URL(url, this.#target);
    const made = { method, path, query, status: answer.status, headers: shown, body: bodyOf(text) };
    this.#kept.set(key, made);
    return made;
  }
}

function bodyOf(text: string): Body {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
