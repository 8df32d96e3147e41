// The wall board of a control room: alerts, evacuations and people, read from the API by polling.
//
// A delivered webhook is only a hint to poll at once. Every poll reads the open alerts, the active musters with their
// missing people, the positions that may be seen, and the new part of the event log for the log book.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PORT = Number(process.env.PORT ?? 3000);
// Named in the environment, the snapshot survives a restart of the process; else it is the process's own.
const SNAPSHOT = process.env.SNAPSHOT ?? join(tmpdir(), `wall-board-${process.pid}.json`);
const PAGE = 20; // short pages cost little query time
const RETRY_MS = Number(process.env.RETRY_MS ?? 100);
const TRIES = 4;

/** One planted mistake for each value of BUG; switches.json describes them. */
const bug = (name) => process.env.BUG === name;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// ---------------------------------------------------------------- the API

/** Reads the API: renews the token, obeys Retry-After, repeats after a 5xx, follows pages to the end. */
class Api {
  #token = null;
  #renewAt = 0;

  constructor({ url, clientId, clientSecret }) {
    this.url = url;
    this.credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  }

  async get(path, query = {}) {
    const target = `${this.url}${path}?${new URLSearchParams(query)}`;
    let renewed = false;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#call(target, { headers: { authorization: `Bearer ${await this.#currentToken()}` } });
      if (answer.status === 200) return answer.body;
      if (answer.status === 401 && !renewed && !bug('token-by-clock')) {
        // The service may end a token before its time.
        this.#token = null;
        renewed = true;
      } else if (!(await this.#mayRepeat(answer, attempt))) {
        throw new Error(`GET ${path} was answered ${answer.status}`);
      }
    }
  }

  /** All items of a list that has pages. */
  async list(path, query = {}) {
    const items = [];
    let cursor = null;
    do {
      const page = await this.get(path, { ...query, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
      items.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null && !(bug('first-page-only') && path === '/v1/alerts'));
    return items;
  }

  async #currentToken() {
    if (this.#token !== null && Date.now() < this.#renewAt) return this.#token;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#call(`${this.url}/v1/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(this.credentials),
      });
      if (answer.status === 200) {
        this.#token = answer.body.access_token;
        this.#renewAt = Date.now() + (answer.body.expires_in - 60) * 1000;
        return this.#token;
      }
      if (!(await this.#mayRepeat(answer, attempt))) throw new Error(`no token: ${answer.status}`);
    }
  }

  /** The status and the parsed body. Status 0: no answer, or a body that was cut off. */
  async #call(target, options) {
    try {
      const answer = await fetch(target, { ...options, signal: AbortSignal.timeout(20_000) });
      const isJson = answer.status === 200;
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        body: isJson ? await answer.json() : await answer.text(),
      };
    } catch {
      return { status: 0, retryAfter: null, body: '' };
    }
  }

  /** Waits as the answer demands. False: the call must not be repeated. */
  async #mayRepeat({ status, retryAfter }, attempt) {
    if (status === 429) {
      const seconds = Number(retryAfter ?? 1);
      await sleep(bug('retry-after-in-ms') ? seconds : seconds * 1000);
      return true;
    }
    if ((status !== 0 && status < 500) || attempt === TRIES) return false;
    await sleep(RETRY_MS * 2 ** (attempt - 1));
    return true;
  }
}

// ---------------------------------------------------------------- the loudspeaker

/** The siren of the control room, which is a device of its own and keeps a record of what it played. */
class Speaker {
  record = [];

  async play(alert, opening) {
    await sleep(15);
    this.record.push({ key: `${alert.id}#${opening}`, alert: alert.id, opening });
  }
}

// ---------------------------------------------------------------- the board

/** Null-safe names of what an alert is about. Alerts of a whole site have neither a zone nor a worker. */
const placeOf = (alert) => [alert.site.name, alert.zone?.name].filter(Boolean).join(' / ');
const personOf = (alert) => alert.worker?.name ?? alert.worker?.external_id ?? null;

class Board {
  open = new Map(); // open alerts by id
  musters = []; // active musters: {muster, missing}
  people = []; // positions that may be seen now
  book = new Map(); // log book: the newest event of each alert, and of each muster
  seen = new Set(); // ids of events in the log book
  mark = null; // created_at of the last event that was read from the log
  openings = new Map(); // how often each critical alert was opened
  sounded = new Set(); // critical alerts on the board whose siren has sounded
  lastSeenAt = new Map(); // the last position of each worker

  #polling = null;
  #again = false;

  constructor(api, speaker) {
    this.api = api;
    this.speaker = speaker;
    this.#load();
  }

  /** Polls. A hint that comes during a poll starts another one afterwards: the poll may have read too early. */
  poll() {
    if (bug('siren-check-then-act')) return this.#pollOnce();
    this.#again = true;
    this.#polling ??= (async () => {
      while (this.#again) {
        this.#again = false;
        await this.#pollOnce();
      }
      this.#polling = null;
    })();
    return this.#polling;
  }

  async #pollOnce() {
    try {
      await this.#readLog();
      await this.#readAlerts();
      await this.#readMusters();
      await this.#readPeople();
      this.#save();
    } catch (error) {
      console.error(`poll failed: ${error.message}`);
      // What was half read is dropped: the board starts afresh from its snapshot, as after a restart.
      this.#load();
    }
  }

  async #readAlerts() {
    const listed = await this.api.list('/v1/alerts', { status: 'unacknowledged,acknowledged' });
    const open = new Map();
    for (const alert of listed) {
      const entry = this.book.get(alert.id)?.object;
      // A page that was read before the log may still have what is resolved by now.
      const isClosed = bug('closed-stays-closed')
        ? this.book.get(alert.id)?.wasResolved === true
        : entry?.status === 'resolved' && entry.date_last_modified > alert.date_last_modified;
      if (!isClosed) open.set(alert.id, alert);
    }
    this.open = open;
    for (const id of this.sounded) if (!open.has(id)) this.sounded.delete(id);
    for (const alert of open.values()) await this.#sound(alert);
  }

  /** The siren sounds once for each time that a critical alert is opened. */
  async #sound(alert) {
    if (alert.severity !== 'critical' || alert.status !== 'unacknowledged' || this.sounded.has(alert.id)) return;
    const opening = (this.openings.get(alert.id) ?? 0) + 1;
    await this.speaker.play(alert, opening);
    this.openings.set(alert.id, opening);
    this.sounded.add(alert.id);
    this.#save(); // the rest of this poll may fail
  }

  async #readMusters() {
    const active = await this.api.list('/v1/musters', { status: 'active' });
    const shown = bug('one-muster') ? active.slice(0, 1) : active;
    const musters = [];
    for (const muster of shown) {
      const { data } = await this.api.get(`/v1/musters/${muster.id}/missing`);
      const missing = data.map((one) => ({
        who: one.worker.name ?? one.worker.external_id,
        status: one.status,
        rescue: one.needs_rescue,
        lastSeen: one.last_seen_at,
      }));
      const until = bug('null-deadline') ? muster.deadline.at : (muster.deadline?.at ?? null);
      musters.push({ ...muster, until, missing });
    }
    this.musters = musters;
  }

  async #readPeople() {
    const { data } = await this.api.get('/v1/positions');
    this.people = data.map(({ worker, location, in_vehicle }) => ({ worker: worker.id, ...location, in_vehicle }));
    for (const one of this.people) this.lastSeenAt.set(one.worker, one);
  }

  /** Reads the log from the mark, the instant of the mark included, and leaves out what the book has. */
  async #readLog() {
    const events = await this.api.list('/v1/events', this.mark === null ? {} : { created_after: this.#after() });
    for (const event of events) {
      this.mark = event.created_at;
      if (this.seen.has(event.id)) continue;
      this.seen.add(event.id);
      const object = event.data.alert ?? event.data.muster;
      const before = this.book.get(object.id);
      const wasResolved = before?.wasResolved === true || event.type === 'alert.resolved';
      this.book.set(object.id, {
        kind: event.data.alert ? 'alert' : 'muster',
        at: event.created_at,
        object,
        wasResolved,
      });
    }
  }

  #after() {
    if (bug('mark-plus-second')) return new Date(Date.parse(this.mark) + 1000).toISOString();
    if (bug('mark-in-local-time')) return `${new Date(this.mark).toLocaleString('sv').replace(' ', 'T')}Z`;
    return this.mark;
  }

  // ---- what the board shows

  alerts() {
    return [...this.open.values()].map((alert) => ({
      id: alert.id,
      type: alert.type,
      severity: alert.severity,
      state: alert.status,
      place: placeOf(alert),
      person: personOf(alert),
      position: this.#positionOf(alert),
      withheld: alert.location_withheld,
      acknowledged: alert.acknowledged === null ? null : { by: alert.acknowledged.by, at: alert.acknowledged.at },
      on_watch: alert.worker_acknowledged_at,
    }));
  }

  #positionOf(alert) {
    const point = alert.location;
    if (point !== null) return { lat: point.latitude, lon: point.longitude, exact: !point.masked };
    if (bug('withheld-last-place') && alert.location_withheld) {
      const last = this.lastSeenAt.get(alert.worker?.id);
      if (last !== undefined) return { lat: last.latitude, lon: last.longitude, exact: !last.masked };
    }
    return null;
  }

  evacuations() {
    return this.musters.map(({ id, site, kind, phase, until, totals, missing }) => {
      const { expected, safe, help, pending } = totals;
      return { id, site: site.name, kind, phase, until, expected, safe, help, pending, missing };
    });
  }

  logBook() {
    return [...this.book.values()].map(({ kind, at, object }) => ({ kind, at, id: object.id, state: object.status }));
  }

  // ---- the snapshot

  #save() {
    const { mark, seen, book, open, openings, sounded } = this;
    const kept = { mark, seen: [...seen], book: [...book], open: [...open] };
    const sirens = bug('siren-after-restart') ? {} : { openings: [...openings], sounded: [...sounded] };
    writeFileSync(SNAPSHOT, JSON.stringify({ ...kept, ...sirens }));
  }

  #load() {
    let kept = {};
    try {
      kept = JSON.parse(readFileSync(SNAPSHOT, 'utf8'));
    } catch {
      // The first start: there is no snapshot, and the log is read from its beginning.
    }
    this.mark = kept.mark ?? null;
    this.seen = new Set(kept.seen);
    this.book = new Map(kept.book);
    this.open = new Map(kept.open);
    this.openings = new Map(kept.openings);
    this.sounded = new Set(kept.sounded);
  }
}

// ---------------------------------------------------------------- webhooks and pages

/** The secrets that may sign: the newest first. */
let secrets = [];
let board;
let speaker;

function begin(settings) {
  secrets = [settings.SANDBOX_WEBHOOK_SECRET].filter(Boolean);
  const api = new Api({
    url: settings.SANDBOX_API_URL,
    clientId: settings.SANDBOX_CLIENT_ID,
    clientSecret: settings.SANDBOX_CLIENT_SECRET,
  });
  speaker = new Speaker();
  board = new Board(api, speaker);
}

function isGenuine(headers, body) {
  const timestamp = headers['x-service-timestamp'] ?? '';
  const signatures = headers['x-service-signature'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const given = bug('one-signature') ? [signatures] : signatures.split(',');
  return secrets.some((secret) => {
    const hex = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
    const expected = Buffer.from(`v1=${hex}`);
    return given.some((text) => {
      const one = Buffer.from(text.trim());
      return one.length === expected.length && timingSafeEqual(one, expected);
    });
  });
}

const routes = {
  'GET /health': () => ({ status: 'ok' }),
  'GET /board': () => ({ alerts: board.alerts() }),
  'GET /board/unacknowledged': () => ({ alerts: board.alerts().filter((one) => one.state === 'unacknowledged') }),
  'GET /board/critical': () => ({ alerts: board.alerts().filter((one) => one.severity === 'critical') }),
  'GET /board/map': () => ({ alerts: board.alerts().filter((one) => one.position !== null), people: board.people }),
  'GET /evacuations': () => ({ musters: board.evacuations() }),
  'GET /evacuations/help': () => ({ musters: board.evacuations().filter((one) => one.help > 0) }),
  'GET /evacuations/inspecting': () => ({ musters: board.evacuations().filter((one) => one.phase === 'inspecting') }),
  'GET /book/alerts': () => ({ entries: board.logBook().filter((one) => one.kind === 'alert') }),
  'GET /book/resolved': () => ({ entries: board.logBook().filter((one) => one.state === 'resolved') }),
  'GET /book/musters': () => ({ entries: board.logBook().filter((one) => one.kind === 'muster') }),
  'GET /sirens': () => ({ sirens: speaker.record }),
  'POST /poll': async () => {
    await board.poll();
    return {};
  },
  'POST /hook': (body, headers) => {
    if (!isGenuine(headers, body)) return null;
    void board.poll();
    return {};
  },
  'POST /secret': (body) => {
    secrets = [JSON.parse(body).secret, ...secrets].slice(0, 2);
    return {};
  },
  'POST /reset': (body) => {
    rmSync(SNAPSHOT, { force: true });
    begin(JSON.parse(body));
    return {};
  },
};

if (process.env.SNAPSHOT === undefined) rmSync(SNAPSHOT, { force: true });
begin(process.env);
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    const route = routes[`${request.method} ${request.url}`];
    let status = 404;
    let answer = {};
    if (route !== undefined) {
      try {
        answer = await route(Buffer.concat(parts), request.headers);
        status = answer === null ? 401 : 200;
      } catch (error) {
        console.error(error);
        status = 500;
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
}).listen(PORT, '127.0.0.1');
