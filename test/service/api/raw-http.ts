/** HTTP/1.1 by hand over a socket, for requests that no client library sends. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
  readonly body: any;
  /** All that came, for what is no single answer. */
  readonly bytes: string;
}

/** What a request is made of; `headers` come as they are, also twice. */
export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string | null | undefined;
  readonly headers?: readonly string[];
  /** An object is sent as JSON. */
  readonly body?: string | Buffer | object | undefined;
  /** Null: none is sent. */
  readonly type?: string | null;
  /** Null: none is sent. */
  readonly host?: string | null;
  /** Bytes behind the headers that no Content-Length announces. */
  readonly tail?: string;
}

export function requestBytes(ask: Ask): Buffer {
  const {
    method = 'GET',
    path = '/v1/sites',
    token,
    headers = [],
    body,
    type = 'application/json',
    host = 'x',
    tail = '',
  } = ask;
  const bytes =
    body === undefined
      ? null
      : Buffer.isBuffer(body)
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(token == null ? [] : [`Authorization: Bearer ${token}`]),
    ...(bytes === null || type === null ? [] : [`Content-Type: ${type}`]),
    ...(bytes === null ? [] : [`Content-Length: ${bytes.length}`]),
    ...headers,
    'Connection: close',
  ];
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
    bytes ?? Buffer.alloc(0),
    Buffer.from(tail),
  ]);
}

/**
 * Sends the bytes and resolves when the server has closed the connection; it never closes first.
 * `behind` is sent when the first bytes of an answer are there.
 */
export function rawHttp(port: number, bytes: Buffer | string, behind?: string): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      if (chunks.push(chunk) === 1 && behind !== undefined) socket.write(behind);
    });
    socket.on('end', () => socket.end());
    // A reset after the answer is as good a close as any.
    socket.on('error', () => {});
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString('utf8'))));
  });
}

function readAnswer(bytes: string): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...lines] = bytes.slice(0, Math.max(0, end)).split('\r\n');
  const headers = new Map(
    lines.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()] as const;
    }),
  );
  const text = end < 0 ? '' : bytes.slice(end + 4);
  const status = Number(line.split(' ')[1] ?? 0);
  return {
    status,
    headers,
    text,
    bytes,
    // Read when it is looked at: what came may be many answers.
    get body() {
      return text !== '' && /json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : null;
    },
  };
}
