/**
 * A right control room in this process, written from the specification alone: it pages two people for each critical alert,
 * acknowledges several at a time, follows musters, and fills gaps by polling the event log. `wrong` plants mistakes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { later, wallMs } from '../../../src/base/time/timers.ts';

export type RoomMistake =
  | 'gives-up-at-429'
  | 'ignores-retry-after'
  | 'keeps-a-refused-token'
  | 'gives-up-at-401'
  | 'logs-in-for-each-call'
  | 'writes-local-time'
  | 'reads-the-first-page'
  | 'never-polls'
  | 'pages-at-each-event'
  | 'pages-at-each-delivery'
  | 'pages-again-by-poll'
  | 'misspells-a-parameter'
  | 'hides-behind-its-acknowledgement'
  | 'keeps-the-first-secret'
  | 'keeps-every-secret';

export interface RoomEnvironment {
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
}
interface RoomOptions {
  readonly wrong?: RoomMistake;
  readonly pollEveryMs?: number;
  /** What writes of times are shifted by where the mistake is the plant's local time. */
  readonly offsetMs?: number;
}

interface Alert {
  id: string;
  status: string;
  severity: string;
  date_last_modified: string;
  simulated: boolean;
}
interface Muster {
  id: string;
  status: string;
}
interface Envelope {
  id: string;
  type: string;
  created_at: string;
  organization_id: string | null;
  data: { alert?: Alert; muster?: Muster };
}
interface ApiAnswer {
  readonly status: number;
  readonly body: { data?: Envelope[]; next_cursor?: string | null } & Record<string, unknown>;
}

const ON_CALL = ['shift-lead', 'safety-officer'];
const RETRY_MS = 500;
/** An event is polled again from so long before the newest that is held. */
const OVERLAP_MS = 60_000;

export class ControlRoom {
  readonly url: URL;
  readonly probe: URL;
  readonly pagesProbe: URL;
  readonly secretTo: URL;
  readonly close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    const at = (path: string) => new URL(path, `http://127.0.0.1:${port}`);
    this.url = at('/hook');
    this.probe = at('/state');
    this.pagesProbe = at('/pages');
    this.secretTo = at('/secret');
    this.close = close;
  }

  static async start(port: number, environment: RoomEnvironment, options: RoomOptions = {}): Promise<ControlRoom> {
    const room = new Room(environment, options);
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const [status, body] = room.answer(request, Buffer.concat(chunks));
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    room.begin();
    return new ControlRoom((server.address() as AddressInfo).port, async () => {
      room.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }
}

class Room {
  readonly #environment: RoomEnvironment;
  readonly #options: RoomOptions;
  readonly #over = new AbortController();
  readonly #seen = new Set<string>();
  readonly #alerts = new Map<string, Alert>();
  readonly #musters = new Map<string, { muster: Muster; at: string }>();
  readonly #acted: string[] = [];
  readonly #pages: { alert: string; person: string }[] = [];
  readonly #paged = new Set<string>();
  readonly #acknowledged = new Set<string>();
  #secrets: string[];
  #token: Promise<string> | null = null;
  #notBeforeMs = 0;
  #newestAt: string | null = null;
  #givenUp = false;

  constructor(environment: RoomEnvironment, options: RoomOptions) {
    this.#environment = environment;
    this.#options = options;
    this.#secrets = [environment.webhookSecret];
  }

  begin(): void {
    if (!this.#is('never-polls')) void this.#pollForEver();
  }

  end(): void {
    this.#over.abort();
  }

  #is(mistake: RoomMistake): boolean {
    return this.#options.wrong === mistake;
  }

  answer({ method, url = '/', headers }: IncomingMessage, body: Buffer): [number, unknown?] {
    if (method === 'GET' && url === '/state')
      return [
        200,
        {
          alerts: [...this.#alerts.values()],
          musters: [...this.#musters.values()].map(({ muster }) => muster),
          acted: this.#acted,
        },
      ];
    if (method === 'GET' && url === '/pages') return [200, { pages: this.#pages }];
    if (method !== 'POST') return [404];
    if (url === '/secret') {
      this.#rotate(JSON.parse(body.toString('utf8')).secret);
      return [204];
    }
    if (url !== '/hook') return [404];
    if (!this.#isGenuine(headers, body)) return [401];
    let event: Envelope;
    try {
      event = JSON.parse(body.toString('utf8'));
    } catch {
      return [204];
    }
    this.#take(event, 'delivery');
    return [204];
  }

  /** The previous secret stays valid; the second rotation retires it. */
  #rotate(secret: string): void {
    if (this.#is('keeps-the-first-secret')) return;
    const kept = this.#is('keeps-every-secret') ? this.#secrets : this.#secrets.slice(0, 1);
    this.#secrets = [secret, ...kept];
  }

  #isGenuine(headers: IncomingMessage['headers'], body: Buffer): boolean {
    const timestamp = String(headers['x-service-timestamp'] ?? '');
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(wallMs() / 1_000 - Number(timestamp)) > 300) return false;
    const given = String(headers['x-service-signature'] ?? '').split(',');
    return this.#secrets.some((secret) => {
      const right = `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
      return given.some((one) => one.length === right.length && timingSafeEqual(Buffer.from(one), Buffer.from(right)));
    });
  }

  #take(event: Envelope, by: 'delivery' | 'poll'): void {
    if (this.#is('pages-at-each-delivery') && event.data.alert) this.#page(event.data.alert);
    if (this.#is('pages-again-by-poll') && by === 'poll' && event.data.alert && this.#seen.has(event.id)) {
      this.#page(event.data.alert);
    }
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    this.#acted.push(event.id);
    // A test event is about no real alert.
    const { alert, muster } = event.data;
    if (alert) this.#hold(alert, event.organization_id !== null);
    if (muster) this.#follow(muster, event.created_at);
  }

  #hold(alert: Alert, isToBeAttended: boolean): void {
    if (this.#acknowledged.has(alert.id)) return;
    const held = this.#alerts.get(alert.id);
    if (held && held.date_last_modified >= alert.date_last_modified) return;
    this.#alerts.set(alert.id, alert);
    if (!isToBeAttended || alert.status !== 'unacknowledged' || alert.severity !== 'critical') {
      if (alert.status !== 'unacknowledged') this.#paged.delete(alert.id);
      return;
    }
    if (this.#paged.has(alert.id) && !this.#is('pages-at-each-event')) return;
    this.#paged.add(alert.id);
    this.#page(alert);
    void this.#acknowledge(alert.id);
  }

  #page({ id, severity, status }: Alert): void {
    if (severity !== 'critical' || status !== 'unacknowledged') return;
    for (const person of ON_CALL) this.#pages.push({ alert: id, person });
  }

  #follow(muster: Muster, at: string): void {
    const held = this.#musters.get(muster.id);
    if (held && held.at >= at) return;
    this.#musters.set(muster.id, { muster, at });
    if (muster.status === 'active') void this.#fetchMuster(muster.id);
  }

  /** Each alert by a call of its own, all at the same time. */
  async #acknowledge(id: string): Promise<void> {
    const update = { status: 'acknowledged', actor: { name: 'Night shift' } };
    const answer = await this.#callUntilAnswered('PATCH', `/v1/alerts/${id}`, update);
    if (answer?.status === 200) this.#hold(answer.body as unknown as Alert, true);
    if (answer?.status === 200 && this.#is('hides-behind-its-acknowledgement')) this.#acknowledged.add(id);
    if (answer?.status === 409) {
      const now = await this.#callUntilAnswered('GET', `/v1/alerts/${id}`);
      if (now?.status === 200) this.#hold(now.body as unknown as Alert, true);
    }
  }

  async #fetchMuster(id: string): Promise<void> {
    await Promise.all([
      this.#callUntilAnswered('GET', `/v1/musters/${id}`),
      this.#callUntilAnswered('GET', `/v1/musters/${id}/missing`),
    ]);
  }

  async #pollForEver(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#poll();
      await this.#wait(this.#options.pollEveryMs ?? 1_000);
    }
  }

  async #poll(): Promise<void> {
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ [this.#is('misspells-a-parameter') ? 'page_size' : 'limit']: '100' });
      if (cursor !== null) query.set('cursor', cursor);
      if (this.#newestAt !== null) query.set('created_after', this.#newestAt);
      const answer: ApiAnswer | null = await this.#callUntilAnswered('GET', `/v1/events?${query}`);
      if (answer?.status !== 200) return;
      for (const event of answer.body.data ?? []) this.#take(event, 'poll');
      cursor = this.#is('reads-the-first-page') ? null : (answer.body.next_cursor ?? null);
      const last = answer.body.data?.at(-1);
      // The cursor is bound to its query, so the beginning moves when the walk has ended.
      if (cursor === null && last) this.#newestAt = this.#written(Date.parse(last.created_at) - OVERLAP_MS);
    } while (cursor !== null);
  }

  #written(atMs: number): string {
    return new Date(atMs + (this.#is('writes-local-time') ? (this.#options.offsetMs ?? 0) : 0)).toISOString();
  }

  /** Repeats the call after 429, 5xx and lost connections. Null: the room has ended, or gave up. */
  async #callUntilAnswered(method: string, path: string, body?: unknown): Promise<ApiAnswer | null> {
    while (!this.#over.signal.aborted && !this.#givenUp) {
      await this.#wait(this.#notBeforeMs - wallMs());
      const answer = await this.#call(method, path, body).catch(() => null);
      if (answer !== null && answer.status !== 429 && answer.status < 500) return answer;
      if (answer?.status === 429 && this.#is('gives-up-at-429')) {
        this.#givenUp = true;
        return null;
      }
      if (answer?.status !== 429) await this.#wait(RETRY_MS);
      else if (this.#is('ignores-retry-after')) await this.#wait(50);
    }
    return null;
  }

  async #call(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    for (let isSecondTry = false; ; isSecondTry = true) {
      if (this.#is('logs-in-for-each-call')) this.#token = null;
      this.#token ??= this.#logIn();
      const token = this.#token;
      const headers: Record<string, string> = { authorization: `Bearer ${await token}` };
      if (body !== undefined) headers['content-type'] = 'application/json';
      const answer = await this.#send(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer.status !== 401 || isSecondTry || this.#is('gives-up-at-401')) return answer;
      // Of several calls with the same old token, the first asks for a new one.
      if (this.#token === token && !this.#is('keeps-a-refused-token')) this.#token = null;
    }
  }

  async #logIn(): Promise<string> {
    const { clientId, clientSecret } = this.#environment;
    try {
      const answer = await this.#send('/v1/oauth/token', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
        }).toString(),
      });
      if (answer.status !== 200) throw new Error(`no token: ${answer.status}`);
      return String(answer.body['access_token']);
    } catch (error) {
      this.#token = null;
      throw error;
    }
  }

  async #send(path: string, init: RequestInit): Promise<ApiAnswer> {
    const response = await fetch(this.#environment.apiUrl + path, { ...init, signal: this.#over.signal });
    const text = await response.text();
    if (response.status === 429 && !this.#is('ignores-retry-after')) {
      this.#notBeforeMs = wallMs() + Number(response.headers.get('retry-after') ?? 1) * 1_000;
    }
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    const { signal } = this.#over;
    await new Promise<void>((resolve) => {
      const cancel = later(ms, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = () => {
        cancel();
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
