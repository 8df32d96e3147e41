/** The control room's actions with an evacuation, by the actions endpoint of a whole sandbox; and that nothing else opens one. [spec 1.3, decisions 6, 9] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { MUSTER_ACTIONS } from '../../../src/contract/actions/muster.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { T0 } from '../domain/small-world.ts';
import { misfit, routes } from './documented.ts';

const PORT = 'Terminal Puerto Alerce';
const YARD = 'Astillero Ría Brava';

let folder: string;
let sandbox: Sandbox;
let clientToken: string;
/** External ids of people on the port's site. */
let people: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-actions-'));
  const clock = lockstepClock({ start: T0 });
  sandbox = await startSandbox({
    seed: '1',
    memory: true,
    dataDir: folder,
    port: 0,
    mqttPort: 0,
    fleet: false,
    watches: 30,
    clock,
  });
  const { engine, ready } = sandbox;
  for (const { id, siteId } of engine.world.all('device')) {
    const { origin } = engine.world.need('site', siteId);
    const fix = {
      ...origin,
      uncertaintyM: 4,
      source: 'gps',
      height: null,
      inVehicle: false,
      at: T0,
      worn: true,
    } as const;
    await engine.submit({ type: 'report-position', deviceId: id, fixes: [fix] });
  }
  people = [...engine.world.all('worker')]
    .filter(({ siteId }) => engine.world.need('site', siteId).name === PORT)
    .map(({ externalId }) => externalId ?? '');
  const [client] = ready.clients;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client?.client_id ?? '',
    client_secret: client?.client_secret ?? '',
  });
  const answer = await fetch(`${ready.api_url}/v1/oauth/token`, { method: 'POST', body: form });
  clientToken = ((await answer.json()) as { access_token: string }).access_token;
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown, token = sandbox.ready.control_token) {
  const response = await fetch(`${sandbox.ready.api_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
  return { status: response.status, headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as any };
}

async function act(action: string, fields: object = {}, token?: string) {
  const answer = await call('POST', '/v1/sandbox/actions', { action, ...fields }, token);
  expect(misfit('POST', '/v1/sandbox/actions', answer)).toBeNull();
  return answer;
}

const by = 'Shift lead';
const start = (fields: object = {}) => act('start_muster', { kind: 'general', site: PORT, by, ...fields });
const muster = async (id: string) => (await call('GET', `/v1/musters/${id}`, undefined, clientToken)).body;
const refused = (detail: RegExp) => ({
  status: 409,
  body: { code: 'action_refused', detail: expect.stringMatching(detail) },
});
const wrong = (pointer: string) => ({
  status: 422,
  body: { code: 'validation_failed', errors: [expect.objectContaining({ pointer })] },
});

afterEach(async () => {
  for (const { id } of [...sandbox.engine.world.indexes.activeMusters()])
    await act('end_muster', { muster: id, outcome: 'cancelled', by });
});

test('a muster from its start to its end, named or not where only one is active', async () => {
  const { clock } = sandbox;
  const started = await start({ reason: 'Drill', deadline: '20m' });
  expect(started).toMatchObject({
    status: 200,
    body: { action: 'start_muster', result: { site_id: expect.any(String) } },
  });
  const id = started.body.result.muster_id as string;
  expect(await muster(id)).toMatchObject({
    reason: 'Drill',
    deadline: { at: new Date(clock.now() + 20 * 60_000).toISOString(), source: 'official' },
  });
  expect(await act('exclude_point', { point: 'Gate A', reason: 'Smoke', by })).toMatchObject({
    body: { result: { muster_id: id } },
  });
  expect(await act('exclude_point', { muster: id, point: 'Gate A', reason: 'Smoke', by })).toMatchObject(
    refused(/Gate A is excluded already/),
  );
  expect((await act('reinstate_point', { muster: id.toUpperCase(), point: 'Gate A', by })).status).toBe(200);
  expect(await act('reinstate_point', { point: 'Gate A', by })).toMatchObject(refused(/not excluded/));
  expect((await act('change_kind', { to: 'tsunami', by })).status).toBe(200);
  expect(await act('change_kind', { to: 'tsunami', by })).toMatchObject(refused(/tsunami already/));
  expect(await muster(id)).toMatchObject({ kind: 'tsunami', targets_revision: 4 });
  expect(await act('inspect', { by })).toMatchObject(refused(/missing/));
  const marked = await act('mark_safe', { who: people, by });
  expect(marked.body.results.map(({ worker_id }: { worker_id: string }) => worker_id)).toEqual(
    people.map((who) => [...sandbox.engine.world.all('worker')].find(({ externalId }) => externalId === who)?.id),
  );
  const one = await act('mark_safe', { who: people[0], by, point: 'Cerro Mirador' });
  expect(one.body.result).toEqual({
    muster_id: id,
    site_id: expect.any(String),
    worker_id: expect.any(String),
    device_id: expect.any(String),
  });
  await clock.advance(5_000);
  expect((await act('inspect', { by })).status).toBe(200);
  expect((await act('end_muster', { outcome: 'completed', by })).status).toBe(200);
  expect(await muster(id)).toMatchObject({
    status: 'completed',
    phase: 'inspecting',
    totals: { expected: people.length, safe: people.length, pending: null },
  });
  expect(await act('end_muster', { outcome: 'completed', by })).toMatchObject(refused(/No muster is active/));
  expect(await act('inspect', { muster: id, by })).toMatchObject(refused(/The muster is completed/));
});

test('its page in the panel shows the banner, the points, who is missing, and what was done', async () => {
  const { body } = await start({ reason: 'Drill <b>' });
  const id = body.result.muster_id as string;
  await act('exclude_point', { point: 'Gate A', reason: 'Smoke', by });
  const page = async (path: string) => (await fetch(`${sandbox.ready.api_url}${path}`)).text();
  const text = await page(`/panel/musters/${id}`);
  const shown = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  for (const words of [
    'General muster at Terminal Puerto Alerce',
    'Drill &lt;b&gt;',
    `expected ${people.length}`,
    'Excluded Gate A',
  ])
    expect(shown).toContain(words);
  const [missing] = [...sandbox.engine.world.indexes.expectedIn(id).keys()];
  expect(text).toContain(sandbox.engine.world.need('worker', missing ?? '').name);
  expect(await page('/panel')).toContain(`/panel/musters/${id}`);
  await act('end_muster', { outcome: 'completed', by });
  expect(await page(`/panel/musters/${id}`)).not.toContain('are missing');
  expect((await fetch(`${sandbox.ready.api_url}/panel/musters/${id.replace(/^./, 'x')}`)).status).toBe(404);
});

describe('an origin', () => {
  const originOf = async (origin: object) => {
    const { body } = await start({ origin });
    return (await muster(body.result.muster_id)).origin;
  };

  test('is a whole zone, a point of a zone, degrees, or metres', async () => {
    const zone = await originOf({ zone: 'Gate A', radius_m: 120, label: 'Leak' });
    expect(zone).toMatchObject({ radius_m: 120, label: 'Leak', zone: { name: 'Gate A' } });
    await act('end_muster', { outcome: 'cancelled', by });
    const { latitude, longitude } = zone;
    expect(await originOf({ at: 'Gate A' })).toEqual({ latitude, longitude, radius_m: 0, label: null, zone: null });
    await act('end_muster', { outcome: 'cancelled', by });
    expect(await originOf({ at: { latitude: 1.5, longitude: -2 } })).toMatchObject({ latitude: 1.5, longitude: -2 });
    await act('end_muster', { outcome: 'cancelled', by });
    const { origin } = [...sandbox.engine.world.all('site')].find(({ name }) => name === PORT) ?? {};
    expect(await originOf({ at: [0, 0] })).toMatchObject(origin ?? {});
  });

  test('tells the site where only one has such a zone', async () => {
    const { status, body } = await start({ site: undefined, origin: { zone: 'Car Park' } });
    expect(status).toBe(200);
    expect(sandbox.engine.world.need('site', body.result.site_id).name).toBe(YARD);
  });

  test.each([
    [{}, '/origin'],
    [{ at: [0, 0], zone: 'Gate A' }, '/origin'],
    [{ at: [0] }, '/origin/at'],
    [{ at: { latitude: 91, longitude: 0 } }, '/origin/at/latitude'],
    [{ zone: 'Gate A', radius_m: -1 }, '/origin/radius_m'],
  ])('%j is refused at its place', async (origin, pointer) => {
    expect(await start({ origin })).toMatchObject(wrong(pointer));
  });

  test('of another site is refused', async () => {
    const id = [...sandbox.engine.world.all('zone')].find(({ name }) => name === 'Car Park')?.id;
    expect(await start({ origin: { zone: id } })).toMatchObject({
      status: 404,
      body: { code: 'not_found', errors: [{ pointer: '/origin/zone' }] },
    });
  });
});

describe('a deadline', () => {
  test.each([
    ['90s', undefined, { at: 90_000, source: 'official' }],
    ['90s', 'plan_estimate', { at: 90_000, source: 'plan_estimate' }],
    ['2026-10-05T08:30:00+02:00', 'official', { at: 1_800_000, source: 'official' }],
  ])('%s, source %s', async (deadline, deadline_source, { at, source }) => {
    const begun = sandbox.clock.now();
    const { body } = await start({ deadline, ...(deadline_source === undefined ? {} : { deadline_source }) });
    const from = deadline.includes('T') ? T0 : begun;
    expect((await muster(body.result.muster_id)).deadline).toEqual({ at: new Date(from + at).toISOString(), source });
  });

  test.each([
    [{ deadline: '30' }, '/deadline'],
    [{ deadline: '2026-13-05T06:00:00Z' }, '/deadline'],
    [{ deadline_source: 'official' }, '/deadline'],
    [{ deadline: '5m', deadline_source: 'physics' }, '/deadline_source'],
  ])('%j is refused at its place', async (fields, pointer) => {
    expect(await start(fields)).toMatchObject(wrong(pointer));
  });
});

describe('what is meant', () => {
  test('must be said where it could be several', async () => {
    expect(await start({ site: undefined })).toMatchObject(wrong('/site'));
    await start();
    await start({ site: YARD });
    expect(await act('change_kind', { to: 'tsunami', by })).toMatchObject(wrong('/muster'));
    expect(await act('end_muster', { outcome: 'completed', by })).toMatchObject(wrong('/muster'));
    // A point and a person tell the site.
    expect((await act('exclude_point', { point: 'Gate A', reason: 'Smoke', by })).status).toBe(200);
    expect((await act('mark_safe', { who: people[0], by })).status).toBe(200);
  });

  test('must be there', async () => {
    expect(await start({ site: 'Nowhere' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await start();
    expect(await act('exclude_point', { point: 'Gate Z', reason: 'Smoke', by })).toMatchObject({ status: 404 });
    expect(await act('mark_safe', { who: 'W-999', by })).toMatchObject({ status: 404 });
    expect(await act('inspect', { muster: '00000000-0000-4000-8000-000000000000', by })).toMatchObject({ status: 404 });
    expect(await start()).toMatchObject(refused(/active on Terminal Puerto Alerce already/));
  });
});

describe('the API can open no muster', () => {
  test('a client’s token may not steer one either', async () => {
    for (const action of Object.keys(MUSTER_ACTIONS)) {
      const { example } = MUSTER_ACTIONS[action as keyof typeof MUSTER_ACTIONS];
      expect(await act(action, example, clientToken), action).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      });
    }
    expect([...sandbox.engine.world.indexes.activeMusters()]).toEqual([]);
  });

  test('no route of the API outside the sandbox’s own writes to musters, and none opens one whatever is sent', async () => {
    const before = sandbox.engine.world.count('muster');
    const real = routes.filter(({ path }) => path.startsWith('/v1/') && !path.startsWith('/v1/sandbox/'));
    expect(real.filter(({ path, method }) => path.includes('muster') && method !== 'GET')).toEqual([]);
    const body = { kind: 'general', site: PORT, by, action: 'start_muster', reason: null };
    const paths = [...new Set([...real.map(({ path }) => path), '/v1/musters', '/v1/musters/start'])];
    for (const path of paths)
      for (const method of ['POST', 'PUT', 'PATCH'])
        for (const token of [clientToken, sandbox.ready.control_token])
          expect(
            (await call(method, path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000'), body, token)).status,
            `${method} ${path}`,
          ).toBeGreaterThanOrEqual(400);
    expect(sandbox.engine.world.count('muster')).toBe(before);
  });
});
