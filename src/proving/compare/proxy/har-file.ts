/** A HAR 1.2 file that is complete after each entry, so that it is readable even if the proxy is killed. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { formatInstant } from '../../../base/time/instants.ts';
import { hiddenHeaders, TokenNumbers, withoutTokens, withTokenNumbers } from '../without-tokens.ts';
import type { PassedExchange } from './forwarding-server.ts';

const TAIL = '\n]}}\n';

/** Only the owner may read the file, because it contains names, but no secrets. */
const MODE = 0o600;

export class HarFile {
  readonly #file: number;
  #end: number;
  #isFirst = true;
  readonly #numbers = new TokenNumbers();

  /** Throws if the file cannot be written. */
  constructor(path: string, version: string) {
    this.#file = openSync(path, 'w', MODE);
    const head = `{"log":{"version":"1.2","creator":{"name":"muster-sandbox","version":${JSON.stringify(version)}},"entries":[`;
    this.#end = writeSync(this.#file, head, 0);
    writeSync(this.#file, TAIL, this.#end);
  }

  add(exchange: PassedExchange): void {
    const text = `${this.#isFirst ? '\n' : ',\n'}${JSON.stringify(entryOf(exchange, this.#numbers))}`;
    this.#isFirst = false;
    this.#end += writeSync(this.#file, text, this.#end);
    writeSync(this.#file, TAIL, this.#end);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function entryOf(exchange: PassedExchange, numbers: TokenNumbers): object {
  const { method, sentHeaders, sent, status, headers, body, startedAt, tookMs } = exchange;
  const headerOf = (name: string, all: PassedExchange['headers']) =>
    all.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
  const url = withoutTokens(exchange.url);
  return {
    startedDateTime: formatInstant(startedAt),
    time: tookMs,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: hiddenHeaders(sentHeaders, numbers),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: sent.length,
      ...(sent.length === 0
        ? {}
        : {
            postData: { mimeType: headerOf('content-type', sentHeaders), text: withoutTokens(sent.toString('utf8')) },
          }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: hiddenHeaders(headers, numbers),
      content: {
        size: body.length,
        mimeType: headerOf('content-type', headers),
        text: withTokenNumbers(body.toString('utf8'), numbers),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: body.length,
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
  };
}
