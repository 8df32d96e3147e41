/** A right receiver in this process, and the same with one thing wrong. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { later, nextTurn, wallMs } from '../../../src/base/time/timers.ts';

/** The site of the deliveries. */
export const SITE = {
  organizationId: '3f0c1d52-7a64-4c19-9d38-5b8e2f6a7c10',
  siteId: '8b1e4a77-2d93-4f56-8c0a-6e9d3b5f1a24',
  name: 'Harbour',
  panelUrl: 'https://panel.example',
  otherSite: { id: 'c2a95f0e-61d7-4b38-a4e2-0f7d8c1b6935', name: 'Quay' },
};

export const SECRET = 'whsec_of_the_test_receiver';

interface Held {
  id: string;
  status: string;
  date_last_modified?: string;
  [key: string]: unknown;
}
interface Envelope {
  id: string;
  type: string;
  created_at: string;
  organization_id: string | null;
  data: { alert?: Held & { date_last_modified: string; zone: { name: string } | null }; muster?: Held };
}
type Headers = IncomingMessage['headers'];

/** The places in which it can be wrong; each default is right. */
export interface ReceiverParts {
  /** The bytes whose signature is checked. */
  readonly signedBody: (body: Buffer) => Buffer;
  readonly signedText: (timestamp: string, body: Buffer) => Buffer;
  readonly key: string;
  readonly headersOf: (request: IncomingMessage) => Headers;
  /** Unix seconds of the header. */
  readonly timestampOf: (header: string) => number;
  readonly isFresh: (apartS: number) => boolean;
  readonly signaturesOf: (header: string) => string[];
  readonly fits: (given: string, expected: string) => boolean;
  readonly mostBytes: number;
  /** A status that ends the request before it is verified; null: go on. */
  readonly before: (headers: Headers, body: Buffer) => number | null;
  readonly eventIdOf: (headers: Headers, event: Envelope) => string;
  /** A status that ends it after it is verified; null: go on. May throw. */
  readonly after: (event: Envelope, isKnown: boolean) => number | null;
  readonly isDuplicate: (seen: ReadonlySet<string>, id: string) => boolean;
  /** Between the look at what is known and the note that this is. */
  readonly work: () => Promise<void>;
  readonly isNewer: (held: Held, held_at: string, alert: Held, at: string) => boolean;
  readonly statusOf: (event: Envelope, held: Held | undefined) => string | undefined;
  /** The entries of the probe for a held alert. */
  readonly listed: (held: Held) => readonly object[];
  readonly actsFirst: boolean;
  readonly answerAfterMs: number;
  readonly status: number;
  readonly headers: Record<string, string>;
}

const RIGHT: ReceiverParts = {
  signedBody: (body) => body,
  signedText: (timestamp, body) => Buffer.concat([Buffer.from(`${timestamp}.`), body]),
  key: SECRET,
  headersOf: ({ headers }) => headers,
  timestampOf: (header) => (/^\d{1,12}$/.test(header) ? Number(header) : Number.NaN),
  isFresh: (apartS) => Math.abs(apartS) <= 300,
  signaturesOf: (header) => header.split(','),
  fits: (given, expected) =>
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected)),
  mostBytes: 1_048_576,
  before: () => null,
  eventIdOf: (_, { id }) => id,
  after: () => null,
  isDuplicate: (seen, id) => seen.has(id),
  work: async () => {},
  isNewer: (_held, heldAt, _alert, at) => heldAt < at,
  statusOf: ({ data }) => (data.alert ?? data.muster)?.status,
  listed: (held) => [held],
  actsFirst: false,
  answerAfterMs: 0,
  status: 204,
  headers: {},
};

export class TestReceiver {
  readonly url: URL;
  readonly probe: URL;
  readonly close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.url = new URL(`http://127.0.0.1:${port}/hook`);
    this.probe = new URL(`http://127.0.0.1:${port}/state`);
    this.close = close;
  }

  static async start(wrong: Partial<ReceiverParts> = {}): Promise<TestReceiver> {
    const parts = { ...RIGHT, ...wrong };
    const seen = new Set<string>();
    const acted: string[] = [];
    const held = { alert: new Map<string, Held>(), muster: new Map<string, Held>() };
    const heldAt = new Map<string, string>();

    const take = async (headers: Headers, event: Envelope): Promise<number> => {
      const id = parts.eventIdOf(headers, event);
      const isKnown = parts.isDuplicate(seen, id);
      const early = parts.after(event, isKnown);
      if (early !== null) return early;
      if (isKnown) return parts.status;
      if (parts.work !== RIGHT.work) await parts.work();
      seen.add(id);
      const kind = event.data.alert === undefined ? 'muster' : 'alert';
      const object = event.data[kind];
      if (object !== undefined) {
        const before = held[kind].get(object.id);
        const at = object.date_last_modified ?? event.created_at;
        if (before === undefined || parts.isNewer(before, heldAt.get(object.id) as string, object, at)) {
          held[kind].set(object.id, { ...object, status: parts.statusOf(event, before) ?? object.status });
          heldAt.set(object.id, at);
        }
      }
      acted.push(id);
      return parts.status;
    };

    const isGenuine = (headers: Headers, body: Buffer): boolean => {
      const timestamp = headers['x-service-timestamp'] as string | undefined;
      const signature = headers['x-service-signature'] as string | undefined;
      if (timestamp === undefined || signature === undefined) return false;
      const seconds = parts.timestampOf(timestamp);
      if (Number.isNaN(seconds) || !parts.isFresh(wallMs() / 1_000 - seconds)) return false;
      const digest = createHmac('sha256', parts.key)
        .update(parts.signedText(timestamp, parts.signedBody(body)))
        .digest('hex');
      return parts.signaturesOf(signature).some((one) => parts.fits(one, `v1=${digest}`));
    };

    const server = createServer(async (request, response) => {
      if (request.method === 'GET') {
        const state = {
          alerts: [...held.alert.values()].flatMap(parts.listed),
          musters: [...held.muster.values()],
          acted,
        };
        response.end(JSON.stringify(state));
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const headers = parts.headersOf(request);
      let status: number;
      try {
        if (parts.actsFirst) await take(headers, JSON.parse(body.toString('utf8')) as Envelope).catch(() => 500);
        const early = parts.before(headers, body);
        if (early !== null) status = early;
        else if (body.length > parts.mostBytes) status = 413;
        else if (!isGenuine(headers, body)) status = 401;
        else status = await take(headers, JSON.parse(body.toString('utf8')) as Envelope);
      } catch {
        status = 500;
      }
      const answer = () => response.writeHead(status, parts.headers).end();
      if (parts.answerAfterMs > 0) later(parts.answerAfterMs, answer);
      else answer();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TestReceiver((server.address() as AddressInfo).port, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }
}

/** Some turns of the event loop, as a database takes. */
export const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => nextTurn(resolve));
};
