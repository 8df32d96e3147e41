/** Records one real answer per operation and success status of a sandbox with the plant of the examples: `node --import tsx test/service/api/record-examples.ts`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { parseInstant } from '../../../src/base/time/instants.ts';
import { ACTION_NAMES, actionExample, NOBODYS_WORDS } from '../../../src/contract/actions.ts';
import { problemBody } from '../../../src/contract/operations/problem-body.ts';
import type { ProblemCode } from '../../../src/contract/problems.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { RECORDED_AT, type Recording } from '../../../src/service/api/openapi/examples.ts';
import { EXAMPLE_PLAN } from './example-plan.ts';

const FILE = resolve(import.meta.dirname, '../../../src/service/api/openapi/examples.json');
const START = '2026-10-05T06:00:00.000Z';
/** Lists show this many items. */
const ITEMS = 2;

type Body = Record<string, unknown> & { data?: unknown[]; id?: string };
type Draft = { -readonly [K in keyof Recording]: Record<string, never> };

/** A shortened stream. */
const STREAM = `id: 1791180000000000
event: snapshot
data: {"clock":{"now":"${START}","speed":1,"paused":false},"sites":[],"workers":[],"people":[],"alerts":[],"musters":[],"curves":[],"events":[],"destinations":[],"tallies":[],"deliveries":[]}

id: 1791180000000001
event: change
data: {"subject":"clock","at":"${START}","clock":{"now":"${START}","speed":60,"paused":false}}

: ping

`;

/** Replaces random and wall-clock values by invented ones, the same at every recording. */
class MadeUp {
  readonly #words = new Map<string, string>();

  learn(real: unknown, made: string): void {
    if (typeof real === 'string') this.#words.set(real, made);
  }

  in(text: string): string {
    let replaced = text;
    for (const [real, made] of this.#words) replaced = replaced.replaceAll(real, made);
    return replaced
      .replace(/v1=[0-9a-f]{64}/g, `v1=${'0123456789abcdef'.repeat(4)}`)
      .replace(/"X-Service-Timestamp":"\d+"/g, `"X-Service-Timestamp":"${(parseInstant(START) as number) / 1_000}"`)
      .replace(/"string_to_sign":"\d+/g, `"string_to_sign":"${(parseInstant(START) as number) / 1_000}`)
      .replace(/"wall_at":"[^"]+"/g, `"wall_at":"${START}"`)
      .replace(/"took_ms":[\d.]+/g, '"took_ms":1.5');
  }
}

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.includes('json') === true;

/** A client that records answers. */
class Recorder {
  readonly draft = { answers: {}, requests: {}, problems: {}, oauth: {}, deliveries: {} } as Draft;
  readonly madeUp = new MadeUp();
  readonly #url: string;
  token = '';

  constructor(url: string) {
    this.#url = url;
  }

  async call(method: string, path: string, init: { body?: unknown; headers?: Record<string, string> } = {}) {
    const { body, headers = {} } = init;
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        'user-agent': 'control-room/1.0',
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' || !isJson(response) ? null : JSON.parse(text)) as Body };
  }

  async success(operationId: string, method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${operationId}: ${answer.status} ${JSON.stringify(answer.body)}`);
    const cut = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, ITEMS) : value);
    const cutIn = (value: unknown): unknown =>
      Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, cut(part)]));
    // Items of a coverage are lists themselves.
    const few = (value: unknown): unknown =>
      operationId === 'getCoverage' && Array.isArray(value) ? value.map(cutIn) : cut(value);
    const shortened = operationId === 'getWorld' ? Object.keys(answer.body) : ['data', 'companies'];
    const shown =
      answer.body === null
        ? null
        : Object.fromEntries(
            Object.entries(answer.body).map(([key, value]) => [key, shortened.includes(key) ? few(value) : value]),
          );
    if (shown !== null) this.#put('answers', operationId, { [answer.status]: shown });
    return answer.body;
  }

  /** Of an answer that is no JSON: how it reads. */
  text(operationId: string, text: string): void {
    this.#put('answers', operationId, { 200: text });
  }

  /** Of what the recording's sandbox cannot do: its one world has one beginning. */
  invented(operationId: string, status: number, body: object): void {
    this.#put('answers', operationId, { [status]: body });
  }

  request(operationId: string, name: string, body: unknown): void {
    this.#put('requests', operationId, { [name]: body });
  }

  async problem(code: string, method: string, path: string, init: Parameters<Recorder['call']>[2] = {}): Promise<void> {
    const { body } = await this.call(method, path, init);
    if (body?.['code'] !== code) throw new Error(`${method} ${path} should be ${code}: ${JSON.stringify(body)}`);
    this.keep(code, body);
  }

  keep(code: string, body: object): void {
    this.#put('problems', code, body);
  }

  async oauth(status: number, form: Record<string, string>): Promise<void> {
    const answer = await this.call('POST', '/v1/oauth/token', { body: new URLSearchParams(form) });
    if (answer.status !== status) throw new Error(`the token endpoint should be ${status}, not ${answer.status}`);
    this.#put('oauth', String(status), answer.body);
  }

  #put(part: keyof Draft, key: string, value: object | null): void {
    const room = this.draft[part] as Record<string, object | null>;
    room[key] = { ...room[key], ...value };
  }
}

async function record(sandbox: Sandbox): Promise<Recording> {
  const recorder = new Recorder(`http://127.0.0.1:${new URL(sandbox.ready.api_url).port}`);
  const { madeUp } = recorder;
  const [client] = sandbox.ready.clients;
  if (client === undefined) throw new Error('the sandbox has no client');
  madeUp.learn(client.client_secret, 'secret_of_your_client');
  madeUp.learn(sandbox.ready.control_token, 'control_token_of_your_sandbox');

  const credentials = { client_id: client.client_id, client_secret: client.client_secret };
  const grant = { grant_type: 'client_credentials', ...credentials };
  recorder.request('issueToken', 'all scopes', grant);
  recorder.request('issueToken', 'some scopes', { ...grant, scope: 'alerts:read musters:read' });
  const { access_token } = await recorder.success('issueToken', 'POST', '/v1/oauth/token', new URLSearchParams(grant));
  madeUp.learn(access_token, 'made_up_access_token_that_opens_nothing');
  await recorder.oauth(400, { ...grant, scope: 'admin' });
  await recorder.oauth(401, { ...grant, client_secret: 'wrong' });
  const alertsOnly = await recorder.call('POST', '/v1/oauth/token', { body: { ...grant, scope: 'alerts:read' } });
  await recorder.problem('invalid_token', 'GET', '/v1/sites');
  recorder.token = access_token as string;

  await recorder.success('listSites', 'GET', '/v1/sites');
  const siteId = [...sandbox.engine.world.all('site')].find(({ name }) => name === NOBODYS_WORDS.site)?.id as string;
  await recorder.success('listZones', 'GET', `/v1/sites/${siteId}/zones?type=assembly_point`);

  const hook = await makeDestination(recorder, siteId);
  const people = await happen(recorder, sandbox);
  await recorder.success('listWorkers', 'GET', `/v1/workers?external_id=${people.join(',')}`);
  await recorder.success('listDevices', 'GET', '/v1/devices?limit=2');
  await recorder.success('listPositions', 'GET', `/v1/positions?site_id=${siteId}`);
  await evacuate(recorder, sandbox, siteId);
  await refuse(recorder, hook, alertsOnly.body['access_token'] as string);
  await playScenario(recorder, sandbox);
  await recordSession(recorder, sandbox);
  await turnClock(recorder, sandbox);
  await lookBack(recorder, sandbox.ready.control_token);
  return JSON.parse(madeUp.in(JSON.stringify(recorder.draft))) as Recording;
}

async function makeDestination(recorder: Recorder, siteId: string): Promise<string> {
  const { madeUp } = recorder;
  const wanted = {
    url: 'https://receiver.example/hook',
    event_types: ['alert.*', 'muster.*'],
    filters: { site_ids: [siteId], min_severity: 'high' },
  };
  recorder.request('createWebhook', 'all events of one site', wanted);
  recorder.request('createWebhook', 'all alerts', { url: wanted.url, event_types: ['alert.*'] });
  const made = await recorder.success('createWebhook', 'POST', '/v1/webhooks', wanted);
  const id = made.id as string;
  madeUp.learn(made['secret'], 'whsec_made_up_and_signs_nothing');
  madeUp.learn(id, '5eba27ae-6b1c-4d0a-9f0e-2f6c1f0a7c11');
  await recorder.success('testWebhook', 'POST', `/v1/webhooks/${id}/test`);
  await recorder.success('listWebhooks', 'GET', '/v1/webhooks');
  const rotated = await recorder.success('rotateWebhookSecret', 'POST', `/v1/webhooks/${id}/rotate-secret`);
  madeUp.learn(rotated['secret'], 'whsec_made_up_and_signs_nothing_either');
  return id;
}

/** People do something, and an operator answers. Answers with whom it was about. */
async function happen(recorder: Recorder, sandbox: Sandbox): Promise<string[]> {
  const { clock } = sandbox;
  const [first = '', second = ''] = sandbox.ready.watches.filter((one) => one.emulated).map((one) => one.worker ?? '');
  await clock.advance(60_000);
  for (const action of ACTION_NAMES) recorder.request('performAction', action, actionExample(action, NOBODYS_WORDS));
  const act = (body: object) => recorder.call('POST', '/v1/sandbox/actions', { body });
  const sos = { action: 'sos', who: first };
  const done = await recorder.success('performAction', 'POST', '/v1/sandbox/actions', sos);
  const { alert_id: alertId } = done['result'] as { alert_id: string };
  const match = { of: first, status: 'unacknowledged' };
  recorder.request('waitFor', 'an alert of somebody', { alert: 'sos', match, within: '10s' });
  recorder.request('waitFor', 'a call of your client', { request: `PATCH /v1/alerts/${alertId}`, within: '1m' });
  recorder.request('waitFor', 'a delivery', { delivery: 'receiver.example', match: { about: alertId } });
  await recorder.success('waitFor', 'POST', '/v1/sandbox/wait', { alert: 'sos', match });
  await act({ action: 'signal', who: second, is: 'lost' });
  await recorder.success('performAction', 'POST', '/v1/sandbox/actions', { action: 'fall', who: second });
  await clock.advance(2_000);

  await recorder.success('getAlert', 'GET', `/v1/alerts/${alertId}`);
  const actor = { name: 'Desk 2', external_id: 'OP-7' };
  const acknowledge = { status: 'acknowledged', actor };
  const resolve_ = { status: 'resolved', resolution_reason: 'Found and well', note: 'Brought to the clinic.', actor };
  recorder.request('updateAlert', 'acknowledge', acknowledge);
  recorder.request('updateAlert', 'resolve', resolve_);
  await recorder.call('PATCH', `/v1/alerts/${alertId}`, { body: acknowledge });
  await clock.advance(90_000);
  await recorder.success('updateAlert', 'PATCH', `/v1/alerts/${alertId}`, resolve_);
  await recorder.problem('invalid_transition', 'PATCH', `/v1/alerts/${alertId}`, { body: acknowledge });
  await recorder.problem('validation_failed', 'PATCH', `/v1/alerts/${alertId}`, { body: { status: 'acknowledged' } });
  await recorder.problem('action_refused', 'POST', '/v1/sandbox/actions', {
    body: { action: 'answer', who: first, with: 'ok' },
  });
  await recorder.success('listAlerts', 'GET', '/v1/alerts?limit=1');
  await recorder.success('listEvents', 'GET', '/v1/events?type=alert.created&limit=1');
  return [first, second];
}

/** A person of the control room opens an evacuation, one worker is at a point, and one reports that they cannot leave. */
async function evacuate(recorder: Recorder, sandbox: Sandbox, siteId: string): Promise<void> {
  const { clock, engine } = sandbox;
  const by = 'Shift lead';
  const client = recorder.token;
  const asControl = async (body: object) => {
    recorder.token = sandbox.ready.control_token;
    const { status, body: answer } = await recorder.call('POST', '/v1/sandbox/actions', { body });
    recorder.token = client;
    if (status !== 200) throw new Error(JSON.stringify(answer));
    return (answer['result'] as { muster_id: string }).muster_id;
  };
  const { world } = engine;
  const gate = [...world.all('zone')].find((zone) => zone.siteId === siteId && zone.assemblyPoint !== null)?.name;
  const origin = { zone: gate, radius_m: 120, label: 'Ammonia leak' };
  const musterId = await asControl({
    action: 'start_muster',
    kind: 'general',
    site: siteId,
    reason: 'Leak',
    origin,
    by,
  });
  const [safe, trapped] = [...world.indexes.expectedIn(musterId).values()].map((one) => one.workerId);
  await asControl({ action: 'exclude_point', point: gate, reason: 'Downwind of the leak', by });
  await asControl({ action: 'mark_safe', who: safe, by });
  const deviceId = world.need('worker', trapped ?? '').deviceId ?? '';
  const uplinkId = '0a51e7c0-0000-4000-8000-000000000021';
  await engine.submit({ type: 'report-help', reason: 'trapped', deviceId, uplinkId, watchTime: clock.now() });
  await clock.advance(5_000);
  await recorder.success('getMuster', 'GET', `/v1/musters/${musterId}`);
  await recorder.success('listMissingWorkers', 'GET', `/v1/musters/${musterId}/missing`);
  await asControl({ action: 'end_muster', outcome: 'completed', by });
  await recorder.success('listMusters', 'GET', '/v1/musters');
}

const NOBODYS = '00000000-0000-4000-8000-000000000000';

/** Trouble that nobody can ask for: the words are those of the API, the body is made as the API makes it. */
const TROUBLE: Readonly<Partial<Record<ProblemCode, [path: string, detail: string]>>> = {
  request_timeout: ['/', 'The request did not arrive in time.'],
  query_time_exceeded: ['/v1/alerts', 'More than 30 s of query time in a minute. Try again in 12 s.'],
  internal_error: ['/v1/alerts', 'The sandbox made a mistake. It is on its log.'],
  storage_unavailable: ['/v1/webhooks', 'The sandbox cannot write to its storage now. Nothing was changed; try again.'],
};

async function refuse(recorder: Recorder, hook: string, narrow: string): Promise<void> {
  const post = (body: unknown) => ({ body });
  const good = { url: 'https://receiver.example/hook', event_types: ['alert.*'] };
  await recorder.problem('not_found', 'GET', `/v1/alerts/${NOBODYS}`);
  await recorder.problem('site_not_accessible', 'GET', `/v1/sites/${NOBODYS}/zones`);
  await recorder.problem('invalid_cursor', 'GET', '/v1/alerts?cursor=abc');
  await recorder.problem('malformed_request', 'GET', '/v1/%zz');
  await recorder.problem('uri_too_long', 'GET', `/v1/alerts?cursor=${'x'.repeat(9_000)}`);
  await recorder.problem('malformed_json', 'POST', '/v1/webhooks', post('{"url":'));
  await recorder.problem('payload_too_large', 'POST', '/v1/webhooks', post({ url: 'x'.repeat(70_000) }));
  await recorder.problem(
    'invalid_destination_url',
    'POST',
    '/v1/webhooks',
    post({ ...good, url: 'http://a.example/' }),
  );
  const text = { headers: { 'content-type': 'text/plain' } };
  await recorder.problem('unsupported_media_type', 'POST', '/v1/webhooks', { ...post('url=x'), ...text });
  await recorder.problem('method_not_allowed', 'DELETE', `/v1/alerts/${NOBODYS}`);
  await recorder.problem('headers_too_large', 'GET', '/v1/sites', { headers: { 'x-long': 'x'.repeat(17_000) } });
  for (const [code, [path, detail]] of Object.entries(TROUBLE))
    recorder.keep(code, problemBody(RECORDED_AT, path, code as ProblemCode, detail));
  const { token } = recorder;
  recorder.token = narrow;
  await recorder.problem('insufficient_scope', 'GET', '/v1/workers');
  recorder.token = token;
  await recorder.call('DELETE', `/v1/webhooks/${hook}`);
}

/** Starts a scenario, and cancels it after half a minute. */
async function playScenario(recorder: Recorder, sandbox: Sandbox): Promise<void> {
  await recorder.success('listScenarios', 'GET', '/v1/sandbox/scenarios');
  recorder.request('startRun', 'as it stands', {});
  recorder.request('startRun', 'another seed', { seed: '7' });
  const { id } = await recorder.success('startRun', 'POST', '/v1/sandbox/scenarios/fall-to-sos/runs', {});
  await sandbox.clock.advance(30_000);
  await recorder.success('getRun', 'GET', `/v1/sandbox/runs/${id}`);
  await recorder.success('cancelRun', 'DELETE', `/v1/sandbox/runs/${id}`);
  await recorder.success('listRuns', 'GET', '/v1/sandbox/runs');
}

/** A worker falls while a recording is on. */
async function recordSession(recorder: Recorder, sandbox: Sandbox): Promise<void> {
  const client = recorder.token;
  recorder.token = sandbox.ready.control_token;
  const { id } = await recorder.success('beginRecording', 'POST', '/v1/sandbox/recordings');
  await sandbox.clock.advance(20_000);
  const who = sandbox.ready.watches.filter((one) => one.emulated).map((one) => one.worker)[4] ?? '';
  await recorder.call('POST', '/v1/sandbox/actions', { body: { action: 'fall', who, answers: 'ok' } });
  await sandbox.clock.advance(20_000);
  await recorder.success('endRecording', 'DELETE', `/v1/sandbox/recordings/${id}`);
  recorder.token = client;
}

/** The recording's own clock is in lock-step: it only tells, and remembers a speed. */
async function turnClock(recorder: Recorder, sandbox: Sandbox): Promise<void> {
  const client = recorder.token;
  recorder.token = sandbox.ready.control_token;
  await recorder.success('getClock', 'GET', '/v1/sandbox/clock');
  recorder.text('openStream', STREAM);
  await recorder.success('listNewestEvents', 'GET', '/v1/sandbox/events?limit=1');
  await recorder.success('listWatchLog', 'GET', '/v1/sandbox/watches?limit=2');
  recorder.request('turnClock', 'a minute in a second', { speed: 60 });
  recorder.request('turnClock', 'a day later', { advance: '25h' });
  await recorder.success('turnClock', 'POST', '/v1/sandbox/clock', { speed: 60 });
  await recorder.success('listNodes', 'GET', '/v1/sandbox/nodes');
  await recorder.success('getWorld', 'GET', '/v1/sandbox/world');
  const beginning = { now: START, speed: 1, paused: false };
  recorder.invented('resetSandbox', 200, beginning);
  recorder.invented('loadSnapshot', 200, beginning);
  const saved = { name: 'before-the-fire', file: '/home/you/plant/.sandbox/snapshots/before-the-fire.ndjson' };
  const snapshot = { ...saved, bytes: 412_873, saved_at: START };
  recorder.request('saveSnapshot', 'by a name', { name: saved.name });
  recorder.invented('saveSnapshot', 201, snapshot);
  recorder.invented('listSnapshots', 200, { data: [snapshot] });
  const listening = { forward_to: 'http://127.0.0.1:3000/hook', event_types: ['alert.*'] };
  const session = await recorder.success('createSessionDestination', 'POST', '/v1/sandbox/destinations', listening);
  recorder.madeUp.learn(session['secret'], 'whsec_made_up_for_the_session');
  await recorder.success('listSessionDestinations', 'GET', '/v1/sandbox/destinations');
  await recorder.call('DELETE', `/v1/sandbox/destinations/${session.id}`);
  recorder.token = client;
}

/** The logs, then what needs an exhausted limit. */
async function lookBack(recorder: Recorder, controlToken: string): Promise<void> {
  const { madeUp } = recorder;
  await recorder.success('listActions', 'GET', '/v1/sandbox/actions');
  await recorder.success('listGaps', 'GET', '/v1/sandbox/gaps');
  await recorder.success('getCoverage', 'GET', '/v1/sandbox/coverage');
  await recorder.success('listMail', 'GET', '/v1/sandbox/mail');
  const { data: requests = [] } = await recorder.success('listRequests', 'GET', '/v1/sandbox/requests?limit=2');
  requests.forEach((row, n) => {
    madeUp.learn((row as Body).id, `0a51e7c0-0000-4000-8000-00000000000${n + 1}`);
  });
  const { data: shown = [] } = await recorder.success('listDeliveries', 'GET', '/v1/sandbox/deliveries?limit=1');
  const [attempt] = shown as { id: string; delivery_id: string }[];
  // Both follow from the id of the destination, which chance had a hand in.
  madeUp.learn(attempt?.id, '0a51e7c0-0000-4000-8000-000000000011');
  madeUp.learn(attempt?.delivery_id, '0a51e7c0-0000-4000-8000-000000000012');
  const client = recorder.token;
  recorder.token = controlToken;
  await recorder.success('explainDelivery', 'GET', `/v1/sandbox/deliveries/${attempt?.delivery_id}`);
  recorder.token = client;
  const { data: attempts = [] } = (await recorder.call('GET', '/v1/sandbox/deliveries?limit=100')).body;
  const deliveries: Record<string, object> = {};
  for (const [group, type] of [
    ['alert.*', 'alert.created'],
    ['muster.*', 'muster.targets_changed'],
  ] as const) {
    const { data: events = [] } = (await recorder.call('GET', `/v1/events?type=${type}`)).body;
    for (const { event_id, request } of attempts as { event_id: string; request: { headers: object } }[]) {
      const body = (events as Body[]).find(({ id }) => id === event_id);
      if (body !== undefined) deliveries[group] = { headers: request.headers, body };
    }
  }
  recorder.draft.deliveries = deliveries as never;
  for (let status = 0; status !== 429; ) ({ status } = await recorder.call('HEAD', '/v1/sites'));
  await recorder.problem('rate_limited', 'GET', '/v1/sites');
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-record-'));
  const receiver = createServer((request, response) => {
    request.resume();
    response.end('thanks');
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const { port } = receiver.address() as AddressInfo;
  const sandbox = await startSandbox({
    seed: '1',
    plan: EXAMPLE_PLAN,
    memory: true,
    dataDir: folder,
    port: 0,
    mqttPort: 0,
    publicUrl: RECORDED_AT,
    clock: lockstepClock({ start: parseInstant(START) as number }),
    forwards: new Map([['receiver.example', `http://127.0.0.1:${port}`]]),
  });
  try {
    const recording = await record(sandbox);
    const text = JSON.stringify(recording, null, 2).replaceAll(`http://127.0.0.1:${port}`, 'http://127.0.0.1:3000');
    writeFileSync(FILE, `${text}\n`);
    execFileSync('npx', ['biome', 'check', '--write', FILE], { stdio: 'ignore' });
  } finally {
    await sandbox.stop();
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
