/** The pages of deliveries and calls without JavaScript: an inbox for who has no receiver, filters, cursors, secrets. [spec 4, 5, 7, decisions 7, 9, 10] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryAttempt } from '../../../src/contract/resources/logs.ts';
import { Receiver, status } from '../webhooks/receiver.ts';
import { Panel, words } from './panel.ts';

const SITE = 'Terminal Puerto Alerce';

let panel: Panel;
let receiver: Receiver;
let cookie: string;
beforeAll(async () => {
  receiver = await Receiver.start();
  panel = await Panel.start({ watches: 12, forwards: new Map([['receiver.example', new URL(receiver.url).origin]]) });
  cookie = await panel.cookie();
});
afterAll(async () => {
  await panel.stop();
  await receiver.close();
});

const control = () => ({ authorization: `Bearer ${panel.token}` });
const attempts = async (): Promise<DeliveryAttempt[]> =>
  ((await (await panel.get('/v1/sandbox/deliveries?limit=1000', control())).json()) as { data: DeliveryAttempt[] })
    .data;

/** Lets the deliveries that are due be made. */
const deliver = (): Promise<unknown> => panel.clock.advance(1_000);

const listen = async (): Promise<{ id: string; secret: string }> => {
  const answer = await fetch(`${panel.url}/v1/sandbox/destinations`, {
    method: 'POST',
    headers: { ...control(), 'content-type': 'application/json' },
    body: JSON.stringify({ forward_to: new URL('/hook', receiver.url).href }),
  });
  return (await answer.json()) as { id: string; secret: string };
};
const end = (id: string) =>
  fetch(`${panel.url}/v1/sandbox/destinations/${id}`, { method: 'DELETE', headers: control() });

/** The list of attempts or calls. */
const listIn = (page: string): string => /<ol class="attempts[\s\S]*?<\/ol>/.exec(page)?.[0] ?? '';

/** Its rows, by what they show. */
const rows = (page: string): string[] =>
  listIn(page)
    .split('<li data-key="')
    .slice(1)
    .map((row) => words(row.slice(row.indexOf('>') + 1)));

describe('a sandbox without a receiver', () => {
  test('tells a reader how to see deliveries, and offers the inbox to who may act', async () => {
    const reader = words(await panel.text('/panel/deliveries'));
    expect(reader).toContain('No destination is there');
    expect(reader).toContain('sandbox listen');
    expect(reader).not.toContain('Open the inbox');
    expect(words(await panel.text('/panel/deliveries', { cookie }))).toContain('Open the inbox');
    const refused = await panel.post('/panel/inbox', { what: 'open' });
    expect(refused.status).toBe(401);
    expect(
      (await panel.post('/panel/inbox', { what: 'open' }, { cookie, origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect(words(await panel.text('/panel/deliveries'))).toContain('No destination is there');
  });

  test('has an inbox of one click: deliveries come there signed, and are shown in full', async () => {
    const opened = await panel.post('/panel/inbox', { what: 'open' }, { cookie });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/panel/deliveries']);
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-001' });
    await deliver();
    const [attempt] = await attempts();
    expect(attempt).toMatchObject({ event_type: 'alert.created', result: 'delivered', status: 204 });
    const page = await panel.text('/panel/deliveries');
    const text = words(page);
    expect(rows(page)[0]).toMatch(
      /^ ?↦ delivered · 204 alert\.created .*◉ SOS by .*\(W-001\) · \S.* to the inbox of .* try 1/,
    );
    expect(text).toContain(`POST ${panel.url}/panel/inbox/`);
    expect(text).toContain(`X-Service-Signature: ${attempt?.request.headers['X-Service-Signature']}`);
    expect(text).toContain('computed again with the secret: the same');
    expect(page).toContain(`/panel/alerts/${alert_id}`);
    // Reading shows no secret.
    expect(page).not.toContain('whsec_');
    const alert = await panel.text(`/panel/alerts/${alert_id}`);
    expect(alert).toContain(`/panel/deliveries?about=${alert_id}`);
    // The looking itself is in no log.
    const calls = await panel.sandbox.store.requests({ limit: 100 });
    expect(calls.filter(({ path }) => path.startsWith('/panel/deliveries'))).toEqual([]);
  });

  test('refuses in its inbox what is not signed by it', async () => {
    const [attempt] = await attempts();
    const forged = await fetch(attempt?.request.url ?? '', {
      method: 'POST',
      headers: attempt?.request.headers ?? {},
      body: '{}',
    });
    expect([forged.status, await forged.text()]).toEqual([401, expect.stringContaining('does not fit')]);
  });

  test('closes the inbox again, and says of its deliveries that the destination is gone', async () => {
    expect((await panel.post('/panel/inbox', { what: 'close' }, { cookie })).status).toBe(303);
    const page = words(await panel.text('/panel/deliveries'));
    expect(page).toContain('The destination was deleted');
    expect([...panel.sandbox.engine.world.all('destination')]).toEqual([]);
  });

  test('offers the inbox again when no destination is left, also above deliveries of before', async () => {
    expect(rows(await panel.text('/panel/deliveries', { cookie })).length).toBeGreaterThan(0);
    expect(words(await panel.text('/panel/deliveries', { cookie }))).toContain('Open the inbox');
    expect(words(await panel.text('/panel/deliveries?part=destinations'))).toContain('No destination is there');
  });
});

describe('the page of deliveries', () => {
  test('shows a refusal with its answer, why, and the next attempt; a resend signs anew', async () => {
    const { id, secret } = await listen();
    receiver.behave = () => status(401);
    await panel.act({ action: 'sos', who: 'W-002' });
    await receiver.has(1);
    await deliver();
    const event = receiver.received[0]?.eventId ?? '';
    const page = words(await panel.text(`/panel/deliveries/${event}`));
    expect(page).toContain('answer 401');
    expect(page).toContain('Why the receiver may refuse it');
    expect(page).toMatch(/The next attempt is at 2026-10-05 \d\d:\d\d:\d\d/);
    expect(page).not.toContain(secret);
    const listed = async () => rows(await panel.text('/panel/deliveries'))[0];
    expect(await listed()).toMatch(/401.*will be tried again/);
    receiver.behave = () => status(204);
    const asReader = await panel.post('/panel/actions', { action: 'resend', to: id, event });
    expect(asReader.status).toBe(401);
    const sent = await panel.post('/panel/actions', { action: 'resend', to: id, event }, { cookie });
    expect(sent.status).toBe(303);
    await receiver.has(2);
    await deliver();
    expect(receiver.received[1]).toMatchObject({ eventId: event, body: receiver.received[0]?.body });
    await end(id);
  });

  test('says of a failed attempt what became of it: waiting, tried again, or its destination was deleted', async () => {
    const { id } = await listen();
    const row = async (type: string) =>
      rows(await panel.text('/panel/deliveries')).find((one) => one.includes('401') && one.includes(type));
    receiver.behave = () => status(401);
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Shift lead' });
    await deliver();
    expect(await row('muster.started')).toContain('will be tried again');
    receiver.behave = () => status(204);
    await panel.clock.advance(120_000);
    expect(await row('muster.started')).toContain('was tried again');
    receiver.behave = () => status(401);
    await panel.act({ action: 'end_muster', outcome: 'completed', by: 'Desk 2', muster: muster_id as string });
    await deliver();
    await end(id);
    receiver.behave = () => status(204);
    expect(await row('muster.ended')).toContain('not tried again: the destination was deleted');
    expect(words(await panel.text('/panel/deliveries'))).not.toContain('will be tried again');
  });

  test('shows the secret of a destination to the control token alone, and not to the cookie', async () => {
    const { id, secret } = await listen();
    const ask = (token: string) => panel.post('/panel/secrets', { token, destination: id }, { cookie });
    const refused = await ask('guess');
    expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining(secret)]);
    const shown = await ask(panel.token);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(secret)]);
    expect((await panel.post('/panel/secrets', { token: panel.token, destination: 'none' })).status).toBe(404);
    await end(id);
  });

  test('shows both signatures of a rotation, each with its secret', async () => {
    const { client_id, client_secret } = panel.sandbox.ready.clients[0]!;
    const headers = {
      authorization: `Bearer ${await tokenOf(client_id, client_secret)}`,
      'content-type': 'application/json',
    };
    const send = (path: string, body: string) => fetch(`${panel.url}${path}`, { method: 'POST', headers, body });
    const wanted = { url: 'https://receiver.example/hook', event_types: ['alert.created'] };
    const { id } = (await (await send('/v1/webhooks', JSON.stringify(wanted))).json()) as { id: string };
    await send(`/v1/webhooks/${id}/rotate-secret`, '');
    const before = receiver.received.length;
    await panel.act({ action: 'sos', who: 'W-003' });
    await receiver.has(before + 1);
    await deliver();
    const page = words(await panel.text(`/panel/deliveries/${receiver.received[before]?.eventId}`));
    expect(page).toMatch(/v1=[0-9a-f]{64} computed again with the secret: the same/);
    expect(page).toMatch(/v1=[0-9a-f]{64} computed again with the previous secret: the same/);
    await fetch(`${panel.url}/v1/webhooks/${id}`, { method: 'DELETE', headers });
  });

  test('is filtered by type, worker, alert and muster, and goes on by a cursor that new deliveries do not move', async () => {
    const { id } = await listen();
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-004' });
    await panel.act({ action: 'acknowledge', alert: alert_id as string, by: 'Desk 2', via: 'panel' });
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Lead' });
    await deliver();
    const typesOf = async (query: string) =>
      new Set(rows(await panel.text(`/panel/deliveries?${query}`)).map((row) => /(alert|muster)\.\w+/.exec(row)?.[0]));
    expect(await typesOf('type=alert.acknowledged')).toEqual(new Set(['alert.acknowledged']));
    const ofWorker = await typesOf('worker=w-004');
    expect(ofWorker).toEqual(new Set(['alert.created', 'alert.acknowledged']));
    expect(await typesOf(`worker=${encodeURIComponent(panel.worker('W-004').name)}`)).toEqual(ofWorker);
    expect(await typesOf(`about=${alert_id}&type=alert.created`)).toEqual(new Set(['alert.created']));
    expect([...(await typesOf(`about=${muster_id}`))].every((type) => type?.startsWith('muster.'))).toBe(true);
    expect(words(await panel.text('/panel/deliveries?worker=nobody'))).toContain('No alert is about a worker');

    for (let n = 0; n < 60; n++) await panel.post('/panel/deliveries/test', { destination: id }, { cookie });
    await deliver();
    const first = await panel.text('/panel/deliveries');
    expect(rows(first)).toHaveLength(50);
    const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
    const keys = (page: string) => [...listIn(page).matchAll(/<li data-key="([^"]+)"/g)].map(([, key]) => key);
    const second = keys(await panel.text(older));
    await panel.post('/panel/deliveries/test', { destination: id }, { cookie });
    await deliver();
    expect(keys(await panel.text(older))).toEqual(second);
    expect(second.some((key) => keys(first).includes(key))).toBe(false);
    await panel.act({ action: 'end_muster', outcome: 'cancelled', by: 'Lead', muster: muster_id as string });
    await end(id);
  });

  test('says of an unknown event that there is no such page', async () => {
    expect((await panel.get('/panel/deliveries/00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });
});

describe('the page of calls', () => {
  test('shows what a client asked, with the answer, and of a problem what it said and its fix', async () => {
    const { client_id, client_secret } = panel.sandbox.ready.clients[0]!;
    expect(await tokenOf(client_id, 'wrong')).toBeUndefined();
    const token = await tokenOf(client_id, client_secret);
    const headers = { authorization: `Bearer ${token}` };
    await panel.get('/v1/alerts?stauts=resolved', headers);
    await panel.get('/v1/sites', headers);
    await panel.get('/v1/alerts', { authorization: 'Bearer nonsense' });
    const page = await panel.text('/panel/calls');
    const [nonsense, sites, misspelt, , wrong] = rows(page);
    expect(nonsense).toMatch(/401 GET \/v1\/alerts .* no known client .* invalid_token .* Fix Request a new token/);
    expect(sites).toMatch(new RegExp(`200 GET /v1/sites .* ${client_id} · [\\d.]+ ms`));
    expect(misspelt).toMatch(
      /422 GET \/v1\/alerts\?stauts=resolved .*validation_failed .*\?stauts .*did you mean.*Fix /,
    );
    expect(wrong).toMatch(/401 POST \/v1\/oauth\/token .*invalid_client .*Fix Check client_id/);
    for (const secret of [client_secret, token ?? '', panel.token]) expect(page).not.toContain(secret);
    // Each problem leads to its page.
    expect((await panel.get('/problems/validation-failed')).status).toBe(200);
    expect(page).toContain('href="/problems/validation-failed"');
  });

  test('leaves out the sandbox’s own calls unless they are asked for, and shows problems or one client alone', async () => {
    await panel.get('/v1/sandbox/clock', control());
    const of = async (query: string) => rows(await panel.text(`/panel/calls?${query}`));
    expect((await of('')).join()).not.toContain('/v1/sandbox/clock');
    expect((await of('all=')).join()).toContain('/v1/sandbox/clock');
    const problems = await of('problems=');
    expect(problems.length).toBeGreaterThan(2);
    expect(problems.every((row) => /^ ?4\d\d /.test(row))).toBe(true);
    const { client_id } = panel.sandbox.ready.clients[0]!;
    expect((await of(`client=${client_id}`)).every((row) => row.includes(client_id))).toBe(true);
    expect((await of('client=nobody')).every((row) => row.includes('no known client'))).toBe(true);
  });

  test('goes on with older calls', async () => {
    for (let n = 0; n < 60; n++) await panel.get('/v1/alerts', { authorization: 'Bearer nonsense' });
    const first = await panel.text('/panel/calls');
    expect(rows(first)).toHaveLength(50);
    const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
    expect(rows(await panel.text(older)).length).toBeGreaterThan(10);
  });
});

async function tokenOf(id: string, secret: string): Promise<string | undefined> {
  const answer = await fetch(`${panel.url}/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  return ((await answer.json()) as { access_token?: string }).access_token;
}
