/**
 * An alert inbox as an integrator would write it: it takes webhooks (MODE=push) or polls the API when poked (MODE=poll), pages
 * the operator on duty and acknowledges critical alerts. BUG plants one mistake; without it the inbox is right.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT, MODE = 'push', BUG = '' } = process.env;

let settings = process.env;
let state = fresh();
let reopened = 0;
let isDeaf = false;

function fresh() {
  const secrets = [settings.SANDBOX_WEBHOOK_SECRET];
  return {
    secrets,
    alerts: new Map(),
    musters: new Map(),
    seen: new Set(),
    pages: [],
    token: null,
    since: null,
    cursors: [],
    polling: null,
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function token(mine) {
  mine.token ??= (async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: settings.SANDBOX_CLIENT_ID,
      client_secret: settings.SANDBOX_CLIENT_SECRET,
    });
    const answer = await fetch(`${settings.SANDBOX_API_URL}/v1/oauth/token`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`token: ${answer.status}`);
    return (await answer.json()).access_token;
  })();
  try {
    return await mine.token;
  } catch (error) {
    mine.token = null;
    throw error;
  }
}

/** One call, tried again after 401, 429 and 5xx. */
async function call(mine, method, path, body, tries = Number.POSITIVE_INFINITY) {
  const [first, most] = BUG === 'slow-retry' ? [900, 900] : [10, 100];
  for (let left = tries, gap = first; ; left--, gap = Math.min(2 * gap, most)) {
    try {
      const authorization = `Bearer ${await token(mine)}`;
      const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(settings.SANDBOX_API_URL + path, { method, headers, ...sent });
      if (answer.status === 401) mine.token = null;
      const again = answer.status === 401 || answer.status === 429 || answer.status >= 500;
      if (!again) return { status: answer.status, body: await answer.json().catch(() => null) };
      if (left <= 1 || mine !== state) return { status: answer.status, body: null };
    } catch (error) {
      if (left <= 1 || mine !== state) throw error;
    }
    await pause(gap);
  }
}

const open = (alert) => alert.status !== 'resolved';

/** Takes one version of an alert. */
function take(mine, alert, type) {
  const held = mine.alerts.get(alert.id);
  if (BUG === 'late-created' && held === undefined && type === 'alert.resolved') return;
  if (BUG === 'deaf' && type === 'alert.reopened') isDeaf = true;
  if (BUG === 'no-reopen' && type === 'alert.reopened') return;
  // A race: every third time.
  if (BUG === 'at-times' && type === 'alert.reopened' && reopened++ % 3 === 0) return;
  const older = held !== undefined && Date.parse(held.date_last_modified) > Date.parse(alert.date_last_modified);
  if (older && BUG !== 'last-arrival') return;
  const entry = {
    ...alert,
    place: BUG === 'null-zone' ? `${alert.site.name}, ${alert.zone.name}` : (alert.zone?.name ?? ''),
  };
  mine.alerts.set(alert.id, entry);
  if (alert.severity !== 'critical' || alert.status !== 'unacknowledged') return;
  if (!mine.pages.includes(alert.id)) mine.pages.push(alert.id);
  void acknowledge(mine, alert.id).catch(() => {});
}

const acknowledge = (mine, id) =>
  call(
    mine,
    'PATCH',
    `/v1/alerts/${id}`,
    { status: 'acknowledged', actor: { name: 'Inbox' } },
    BUG === 'no-retry' ? 1 : undefined,
  );

/** Takes one version of a muster. */
function takeMuster(mine, muster, { type, created_at }) {
  const held = mine.musters.get(muster.id);
  if (BUG === 'no-cancel' && type === 'muster.ended' && muster.status === 'cancelled') return;
  if (held !== undefined && Date.parse(held.as_of) > Date.parse(created_at)) return;
  const kind = BUG === 'first-kind' && held !== undefined ? held.kind : muster.kind;
  mine.musters.set(muster.id, { id: muster.id, status: muster.status, kind, as_of: created_at });
}

const active = (mine) => [...mine.musters.values()].filter(({ status }) => status === 'active');

function isSigned(mine, { headers }, body) {
  const timestamp = headers['x-service-timestamp'] ?? '';
  const secrets = BUG === 'old-secret' ? mine.secrets.slice(0, 1) : mine.secrets;
  return String(headers['x-service-signature'] ?? '')
    .split(',')
    .some((one) =>
      secrets.some((secret) => {
        const wanted = Buffer.from(`v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`);
        const got = Buffer.from(one.trim());
        return wanted.length === got.length && timingSafeEqual(wanted, got);
      }),
    );
}

async function hook(mine, request, body) {
  if (!isSigned(mine, request, body)) return 401;
  const event = JSON.parse(body);
  const isTest = event.organization_id === null;
  if (isTest && BUG !== 'test-is-real') return 204;
  if (event.data.muster !== undefined) takeMuster(mine, event.data.muster, event);
  if (event.data.alert === undefined) return 204;
  if (MODE === 'poll') {
    await poll(mine);
    return 204;
  }
  const key = BUG === 'dedupe-by-alert' ? event.data.alert.id : event.id;
  if (mine.seen.has(key)) return 204;
  mine.seen.add(key);
  if (BUG === 'slow-answer') await pause(5_500);
  take(mine, event.data.alert, event.type);
  return 204;
}

/** One poll at a time; a poke during one begins another. */
function poll(mine) {
  mine.polling = (mine.polling ?? Promise.resolve()).then(() => pollOnce(mine)).catch(() => {});
  return mine.polling;
}

async function pollOnce(mine) {
  if (BUG === 'stable-pages') return walkPages(mine);
  const query = new URLSearchParams({ limit: '50' });
  if (mine.since !== null) {
    if (BUG === 'no-overlap') query.set('created_after', mine.since);
    else query.set('modified_since', BUG === 'time-zone' ? local(mine.since) : before(mine.since));
  }
  const found = [];
  for (let cursor = null; ; ) {
    if (cursor !== null) query.set('cursor', cursor);
    const { status, body } = await call(mine, 'GET', `/v1/alerts?${query}`);
    if (status !== 200) return;
    found.push(...body.data);
    cursor = body.next_cursor;
    if (cursor === null) break;
  }
  if (BUG === 'no-overlap') {
    for (const { id } of [...mine.alerts.values()].filter(open)) {
      const { status, body } = await call(mine, 'GET', `/v1/alerts/${id}`);
      if (status === 200) found.push(body);
    }
  }
  const field = BUG === 'no-overlap' ? 'date_created' : 'date_last_modified';
  for (const alert of found) {
    if (mine.since === null || Date.parse(alert[field]) > Date.parse(mine.since)) mine.since = alert[field];
    take(mine, alert, 'poll');
  }
}

/** A second is polled twice, so that what had the same time is not missed. */
const before = (time) => new Date(Date.parse(time) - 1_000).toISOString();

/** The clock on the wall of the control room in Tokyo, written as if it were UTC. */
const local = (time) => new Date(Date.parse(time) - 1_000 + 9 * 3_600_000).toISOString();

/** Page 2 is taken to begin for ever where it once began. */
async function walkPages(mine) {
  const found = new Map();
  for (let page = 0; ; page++) {
    const cursor = page === 0 ? null : mine.cursors[page - 1];
    const { status, body } = await call(
      mine,
      'GET',
      `/v1/alerts?limit=2${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    if (status !== 200) return;
    for (const alert of body.data) found.set(alert.id, alert);
    if (body.next_cursor === null) break;
    mine.cursors[page] ??= body.next_cursor;
  }
  for (const alert of found.values()) take(mine, alert, 'poll');
}

const ANSWERS = {
  'GET /health': () => [200, 'ok'],
  'GET /open-alerts': (mine) => [200, [...mine.alerts.values()].filter(open).map(({ id }) => ({ id }))],
  'GET /musters': (mine) => [200, active(mine)],
  'GET /waves': (mine) => [200, active(mine).filter(({ kind }) => kind === 'tsunami')],
  'GET /pages': (mine) => [200, mine.pages],
  'POST /hook': async (mine, request, body) => [await hook(mine, request, body)],
  'POST /poll': async (mine) => {
    await poll(mine);
    return [204];
  },
  'POST /secret': (mine, _request, body) => {
    if (BUG !== 'old-secret') mine.secrets = [JSON.parse(body).secret, ...mine.secrets.slice(0, 1)];
    return [204];
  },
  'POST /reset': (_mine, _request, body) => {
    if (isDeaf) return [500];
    settings = JSON.parse(body);
    state = fresh();
    return [204];
  },
};

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const mine = state;
  const answer = ANSWERS[`${request.method} ${request.url}`];
  const [status, sent] = answer === undefined ? [404] : await answer(mine, request, body);
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(sent === undefined ? '' : JSON.stringify(sent));
}).listen(Number(PORT), '127.0.0.1');
