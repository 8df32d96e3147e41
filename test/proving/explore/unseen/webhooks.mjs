/**
 * A control room that works from webhooks: an inbox of open alerts, pages for critical alerts that nobody has acknowledged,
 * their acknowledgement by the API, and the musters with their missing lists. BUG=<name> plants one bug of bugs.json.
 *
 * It reads lists only at its start. After that it asks the API only about what a delivery announced.
 * Without wake calls its clock is the wall clock. The first POST /poll makes the wake calls its clock: one every WAKE_MS.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import { Api, Clock, Later, RETRY_MS } from './webhooks-api.mjs';

const MAX_SKEW_S = 300;
const ON_CALL = ['shift-lead', 'safety-officer'];

const planted = (name) => process.env.BUG === name;
const log = (...words) => console.log(new Date().toISOString(), ...words);

/** What the control room knows and does, from one reset to the next. */
class Room {
  alerts = new Map();
  musters = new Map();
  seen = new Set();
  acted = [];
  journal = [];
  pages = [];
  acknowledged = [];
  #pagedAt = new Map();
  #toAcknowledge = [];
  #missingDue = new Set();
  #startDue = new Set(['alerts', 'musters']);
  #working = null;
  #again = false;
  #notBefore = 0;

  constructor(env, clock) {
    this.env = env;
    this.clock = clock;
    this.api = new Api(env, clock);
    this.secrets = [env.SANDBOX_WEBHOOK_SECRET_INBOX ?? env.SANDBOX_WEBHOOK_SECRET];
  }

  /** The previous secret stays valid for a day; a second rotation retires it. */
  rotate(secret) {
    this.secrets = planted('last-signature') ? [secret] : [secret, this.secrets[0]];
  }

  genuine(headers, body) {
    const timestamp = headers['x-service-timestamp'] ?? '';
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_SKEW_S) return false;
    let signatures = (headers['x-service-signature'] ?? '').split(',').map((part) => part.trim());
    if (planted('last-signature'))
      signatures = [`v1=${Object.fromEntries(signatures.map((part) => part.split('='))).v1}`];
    return this.secrets.some((secret) => {
      const right = Buffer.from(
        `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`,
      );
      return signatures.some((one) => {
        const given = Buffer.from(one);
        return given.length === right.length && timingSafeEqual(given, right);
      });
    });
  }

  take(event) {
    const object = event.data?.alert ?? event.data?.muster;
    const key = planted('dedupe-by-status') ? `${object?.id} ${object?.status}` : event.id;
    if (this.seen.has(key)) return;
    if (event.organization_id === null) log('test event', event.id);
    else if (event.data?.alert) this.#takeAlert(event.data.alert, event.type);
    else if (event.data?.muster) this.#takeMuster(event.data.muster, event);
    this.seen.add(key);
    this.acted.push(event.id);
    this.journal.push({ id: event.id, type: event.type, about: object?.id ?? null });
    void this.work();
  }

  #takeAlert(alert, type) {
    const held = this.alerts.get(alert.id);
    const at = Date.parse(alert.date_last_modified);
    const heldAt = planted('older-overwrites') ? Date.parse(held?.date_created) : Date.parse(held?.date_last_modified);
    if (!held || !(at < heldAt)) this.alerts.set(alert.id, alert);
    this.#escalate(alert, held, type);
  }

  /** One page for each person and each time that the alert is raised, in whatever order its events arrive. */
  #escalate(given, held, type) {
    const alert = this.alerts.get(given.id);
    if (alert.severity !== 'critical' || alert.status !== 'unacknowledged') return;
    const paged = this.#pagedAt.get(alert.id);
    if (paged !== undefined && planted('reopened-not-paged')) return;
    const raisedAgain =
      (held !== undefined && held.status !== 'unacknowledged' && alert === given) ||
      (type === 'alert.reopened' && Date.parse(given.date_last_modified) > paged);
    if (paged === undefined || raisedAgain) {
      const cause = paged === undefined ? 'raised' : `again ${alert.date_last_modified}`;
      for (const person of ON_CALL) {
        const page = { id: `${alert.id} ${person} ${cause}`, alert: alert.id, person, text: this.#pageText(alert) };
        this.pages.push(page);
        log('page', page.id, page.text);
      }
      this.#pagedAt.set(alert.id, Date.parse(alert.date_last_modified));
    }
    if (!this.#toAcknowledge.includes(alert.id)) this.#toAcknowledge.push(alert.id);
  }

  #pageText(alert) {
    const who = alert.worker;
    if (who === null) return alert.title;
    const name = planted('null-name') ? who.name.toUpperCase() : (who.name ?? who.external_id ?? 'unknown worker');
    return `${name}: ${alert.title} (${alert.zone?.name ?? 'no zone'})`;
  }

  #takeMuster(muster, event) {
    const held = this.musters.get(muster.id);
    const at = event === null ? 0 : Date.parse(event.created_at);
    if (held && (at <= held.at || held.muster.status !== 'active')) return;
    const next = held && planted('kind-ignored') ? { ...muster, kind: held.muster.kind } : muster;
    this.musters.set(muster.id, { at, muster: next, missing: muster.status === 'active' ? (held?.missing ?? []) : [] });
    const counted = planted('missing-stale') ? ['muster.started', 'muster.worker_missing'].includes(event?.type) : true;
    if (muster.status !== 'active') this.#missingDue.delete(muster.id);
    else if (counted || event === null) this.#missingDue.add(muster.id);
  }

  /** Works off what the API has to be asked for. At most one such pass runs at a time. */
  work() {
    this.#again = true;
    this.#working ??= (async () => {
      while (this.#again) {
        this.#again = false;
        await this.#pass();
      }
      this.#working = null;
    })();
    return this.#working;
  }

  async #pass() {
    if (this.clock.now() < this.#notBefore) return;
    try {
      await this.#acknowledge();
      await this.#start();
      await this.#fetchMissing();
    } catch (error) {
      if (!(error instanceof Later)) throw error;
      this.#notBefore = error.at;
      log('later:', error.message);
    }
  }

  async #acknowledge() {
    while (this.#toAcknowledge.length > 0) {
      const id = this.#toAcknowledge[0];
      if (this.alerts.get(id)?.status === 'unacknowledged') {
        const answer = await this.api.call('PATCH', `/v1/alerts/${id}`, {
          status: 'acknowledged',
          actor: { name: 'Control room' },
        });
        if (answer.status === 200) {
          this.#takeAlert(answer.body, 'answer');
          this.acknowledged.push(id);
          log('acknowledged', id);
        } else if (answer.status === 409) {
          if (planted('409-blocks')) throw new Later(`${id}: ${answer.status}`, this.clock.now() + RETRY_MS);
          const now = await this.api.call('GET', `/v1/alerts/${id}`);
          if (now.status === 200) this.#takeAlert(now.body, 'answer');
        } else if (answer.status === 403) {
          throw new Later(`${id}: 403`, this.clock.now() + RETRY_MS);
        } else log('cannot acknowledge', id, answer.status);
        if (answer.status === 200 && this.alerts.get(id).status === 'unacknowledged') continue;
      }
      this.#toAcknowledge.splice(this.#toAcknowledge.indexOf(id), 1);
    }
  }

  async #start() {
    if (this.#startDue.has('alerts')) {
      for await (const alert of this.api.walk('/v1/alerts?status=unacknowledged&status=acknowledged'))
        this.#takeAlert(alert, 'list');
      this.#startDue.delete('alerts');
      await this.#acknowledge();
    }
    if (this.#startDue.has('musters')) {
      for await (const muster of this.api.walk('/v1/musters?status=active')) this.#takeMuster(muster, null);
      this.#startDue.delete('musters');
    }
  }

  async #fetchMissing() {
    for (const id of [...this.#missingDue]) {
      this.#missingDue.delete(id);
      try {
        const answer = await this.api.call('GET', `/v1/musters/${id}/missing`);
        const held = this.musters.get(id);
        if (answer.status === 200 && held.muster.status === 'active') held.missing = answer.body.data;
      } catch (error) {
        this.#missingDue.add(id);
        throw error;
      }
    }
  }

  attended() {
    const handled = [...this.alerts.values()].filter(({ status }) => status !== 'unacknowledged');
    return [...new Set([...this.#pagedAt.keys(), ...handled.map(({ id }) => id)])];
  }
  openAlerts() {
    return [...this.alerts.values()].filter(({ status }) => status !== 'resolved');
  }
  activeMusters() {
    return [...this.musters.values()].filter(({ muster }) => muster.status === 'active');
  }
}

let clock = new Clock();
let room = new Room(process.env, clock);

const brief = ({ id, type, severity, status, title, date_last_modified, simulated }) => ({
  id,
  type,
  severity,
  status,
  title,
  date_last_modified,
  simulated,
});
const shown = (muster) => ({
  id: muster.id,
  kind: muster.kind,
  phase: muster.phase,
  status: muster.status,
  totals: muster.totals,
});
const chosen = (items, query) =>
  items.filter((item) => [...query].every(([key, value]) => String(item[key]) === value));

const views = {
  '/health': () => ({ ok: true }),
  '/open-alerts': (query) => ({ alerts: chosen(room.openAlerts().map(brief), query) }),
  '/pages': () => ({ pages: room.pages }),
  // Alerts that somebody was paged for, or that no longer waited when the room heard of them.
  '/attended': () => room.attended(),
  '/acknowledgements': () => ({ alerts: room.acknowledged }),
  '/journal': () => ({ events: room.journal }),
  '/musters': (query) => ({
    musters: chosen(
      room.activeMusters().map(({ muster }) => shown(muster)),
      query,
    ),
  }),
  '/missing': () => ({
    musters: room.activeMusters().map(({ muster, missing }) => ({ id: muster.id, people: missing })),
  }),
  // Musters whose list has more names than the headcount has people who are not safe.
  '/searched-in-vain': () => ({
    musters: room
      .activeMusters()
      .filter(({ muster, missing }) => missing.length > muster.totals.expected - muster.totals.safe)
      .map(({ muster }) => muster.id),
  }),
  '/state': () => ({
    alerts: [...room.alerts.values()].map(brief),
    musters: [...room.musters.values()].map(({ muster }) => shown(muster)),
    acted: room.acted,
  }),
};

async function answerOf(request, body) {
  const url = new URL(request.url, 'http://localhost');
  if (request.method === 'GET') return url.pathname in views ? [200, views[url.pathname](url.searchParams)] : [404];
  if (request.method !== 'POST') return [405];
  if (url.pathname === '/hook') {
    if (!room.genuine(request.headers, body)) return [401];
    let event;
    try {
      event = JSON.parse(body);
    } catch {
      log('a signed body that is no JSON');
      return [204];
    }
    room.take(event);
    return [204];
  }
  if (url.pathname === '/reset') {
    room.api.ended.abort();
    clock = new Clock();
    room = new Room(JSON.parse(body), clock);
    void room.work();
    return [204];
  }
  if (url.pathname === '/secret') {
    room.rotate(JSON.parse(body).secret);
    return [204];
  }
  if (url.pathname === '/poll') {
    clock.tick();
    await room.work();
    return [204];
  }
  return [404];
}

http
  .createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    try {
      const [status, body] = await answerOf(request, Buffer.concat(parts));
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    } catch (error) {
      log('error', error.stack);
      response.writeHead(500).end();
    }
  })
  .listen(Number(process.env.PORT), '127.0.0.1', () => log('listening on', process.env.PORT));

setInterval(() => void room.work(), 500);
void room.work();
