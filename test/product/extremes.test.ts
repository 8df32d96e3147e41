/** Whatever anybody sends, the sandbox answers soon, lives on, and its clock goes: every action, route and wait with the ends of its schema. */
import { Agent, request } from 'node:http';
import type { TObject } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTION_NAMES, type ActionName, actionBody, actionExample } from '../../src/contract/actions.ts';
import { RateLimiter } from '../../src/service/api/access/limits.ts';
import type { Route } from '../../src/service/api/route.ts';
import { allRoutes } from '../../src/service/api/routes/all.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownMachineToo, soonMs } from '../helpers/needs.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole } from '../helpers/whole.ts';
import { endsOf, type Place, placesOf, type Schema, withRaw } from './extremes.ts';
import { RunningSandbox } from './sandbox-process.ts';

/** An answer that takes longer is none. Wall ms. */
const SOON_MS = soonMs(2_000);

/** Requests under way at a time: each must be soon although the others are there. */
const AT_ONCE = 6;

/** What may take its time: it waits for something, for as long as the caller stays connected. It is hung up on, and the rest must be answered meanwhile. */
const WAITS = new Set(['POST /v1/sandbox/wait', 'POST /v1/sandbox/clock', 'GET /v1/sandbox/stream']);
const PATIENCE_MS = 150;

/** Some ends are sent with each of the two tokens; all of them with both where `EXTREMES=all`. */
const shareOf = (probes: readonly Probe[], token: number): readonly Probe[] =>
  process.env['EXTREMES'] === 'all' ? probes : probes.filter((_, n) => n % (isWhole ? 8 : 24) === token);

const routes = allRoutes(new RateLimiter());

/** Answers that nobody may cause by what they send. 503 is the simulated outage's, which is turned off again. */
const isFault = (status: number): boolean => status >= 500;

interface Probe {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
}

interface Reported {
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
}

let sandbox: RunningSandbox;
let client: string;
let alertId: string;
let destinationId: string;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE + 2 });
let sent = 0;

beforeAll(async () => {
  sandbox = await RunningSandbox.up([
    ...['--memory', '--seed', '7', '--watches', '40', '--start', '2026-10-05T15:00:00Z'],
    ...['--forward', 'receiver.example=http://127.0.0.1:9'],
  ]);
  await restore();
  const sos = await sandbox.act({ action: 'sos', who: 'W-014' });
  alertId = (sos.body as { result: { alert_id: string } }).result.alert_id;
  const made = await sandbox.call('POST', '/v1/webhooks', client, {
    url: 'https://receiver.example/hook',
    event_types: ['alert.*', 'muster.*'],
  });
  destinationId = made.body.id;
});

afterAll(async () => {
  agent.destroy();
  const { code, stderr } = await sandbox.stop();
  expect(stderr.split('\n').filter((line) => /our bug|Error:/.test(line))).toEqual([]);
  expect(code).toBe(0);
});

/** Null: it was hung up on. */
function tell(
  { method, path, body, type }: Probe,
  token: string | null,
  patienceMs = SOON_MS,
): Promise<Reported | null> {
  const begin = performance.now();
  sent++;
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    };
    const { hostname, port } = new URL(sandbox.ready.api_url);
    const outgoing = request({ hostname, port, method, path, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text, tookMs: performance.now() - begin });
      });
      response.on('error', () => resolve(null));
    });
    const timer = setTimeout(() => {
      resolve(null);
      outgoing.destroy();
    }, patienceMs);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // A body that is too large may be cut off before it was sent whole.
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve({ status: 413, text: '', tookMs: 0 });
      else reject(error);
    });
    outgoing.end(body);
  });
}

/** What was answered too late, by a fault, or not at all. */
async function faultsOf(probes: readonly Probe[], token: string | null): Promise<string[]> {
  const faults: string[] = [];
  const left = [...probes];
  const work = async () => {
    for (let probe = left.pop(); probe !== undefined; probe = left.pop()) {
      const { method, path, body = '' } = probe;
      const waits = WAITS.has(`${method} ${path.split('?')[0]}`);
      const reported = await tell(probe, token, waits ? PATIENCE_MS : SOON_MS);
      const what = `${method} ${path.slice(0, 200)} ${body.slice(0, 200)}`;
      if (reported === null && !waits) faults.push(`${what}: no answer within ${SOON_MS} ms`);
      if (reported !== null && isFault(reported.status))
        faults.push(`${what}: ${reported.status} ${reported.text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults;
}

/** What actions may turn in the sandbox itself is turned back. */
async function restore(): Promise<void> {
  const [{ client_id = '' } = {}] = sandbox.ready.clients;
  for (const body of [
    { action: 'api_fault', share: 0 },
    { action: 'broker', does: 'start' },
    {
      action: 'limits',
      company: client_id,
      requests_per_minute: 1e6,
      query_seconds_per_minute: 1e6,
      query_time_factor: 1,
    },
  ])
    expect(await sandbox.act(body)).toMatchObject({ status: 200 });
  const { scopes } = sandbox.ready.clients[0] as (typeof sandbox.ready.clients)[0];
  await sandbox.act({ action: 'contract', company: client_id, scopes, contractors: null });
  const control = sandbox.ready.control_token;
  for (const turn of [{ resume: true }, { speed: 1 }])
    expect(await sandbox.call('POST', '/v1/sandbox/clock', control, turn)).toMatchObject({ status: 200 });
  client = await sandbox.token();
}

const simulatedNow = async (): Promise<number> => {
  const reported = await tell({ method: 'GET', path: '/v1/sandbox/clock' }, sandbox.ready.control_token);
  return Date.parse(JSON.parse(reported?.text ?? '{}').now);
};

/** The process answers, and simulated time has passed since. */
async function livesOn(since: number): Promise<void> {
  expect(await tell({ method: 'GET', path: '/v1/sites' }, client)).toMatchObject({ status: 200 });
  expect(await simulatedNow()).toBeGreaterThan(since);
  expect([sandbox.child.exitCode, sandbox.child.signalCode]).toEqual([null, null]);
}

/** What is due is played when simulated time has come so far by itself: only then is such a wait over. */
async function playsWhatIsDue(): Promise<void> {
  const body = '{"event":"muster.ended","since":"9998-01-01T00:00:00Z","within":"5ms"}';
  const waited = await tell({ method: 'POST', path: '/v1/sandbox/wait', body }, sandbox.ready.control_token);
  expect(waited?.status).toBe(408);
}

/** What a body of the action is probed from: its example, with an alert that there is. */
function baseOf(action: ActionName): object {
  const example: Record<string, unknown> = { ...actionExample(action) };
  if ('alert' in example) example['alert'] = alertId;
  if ('to' in example && action === 'deliveries') example['to'] = destinationId;
  return example;
}

const probesOf = (path: string, method: string, places: readonly Place[], base: unknown): Probe[] =>
  places.flatMap((place) =>
    endsOf(place.schema).map((raw) => ({ method, path, body: withRaw(base, place.path, raw) })),
  );

unless(ownMachineToo).describe('the ends of every action', () => {
  afterAll(playsWhatIsDue);

  eachOf(
    ACTION_NAMES.map((action) => [action] as const),
    4,
  )('%s', async (action) => {
    const places = placesOf(actionBody(action) as Schema).filter(({ path }) => path[0] !== 'action');
    const probes = probesOf('/v1/sandbox/actions', 'POST', places, baseOf(action));
    expect(probes.length).toBeGreaterThan(10);
    const begin = await simulatedNow();
    for (const [n, token] of [client, sandbox.ready.control_token].entries()) {
      expect(await faultsOf(shareOf(probes, n), token)).toEqual([]);
      await restore();
    }
    await livesOn(begin);
  });
});

/** Ends of what can stand between two slashes, and behind a question mark. */
const IN_PATHS = [
  '%00',
  '%F0%9F%98%80',
  '00000000-0000-0000-0000-000000000000',
  '..%2F..',
  '__proto__',
  'x'.repeat(900),
  '%ED%A0%80',
];

function probesOfRoute(route: Route): Probe[] {
  const { method, path, query, body } = route;
  const params = [...path.matchAll(/:(\w+)/g)].map(([whole]) => whole);
  const real = path
    .replace(':alert_id', alertId)
    .replace(':id', destinationId)
    .replace(/:\w+/g, '00000000-0000-4000-8000-000000000000');
  const inPath = params.flatMap((param) =>
    IN_PATHS.map((end) => ({ method, path: path.replace(param, end).replace(/:\w+/g, alertId) })),
  );
  const inQuery = Object.entries({ unknown: {}, ...(query as TObject | undefined)?.properties }).flatMap(
    ([name, schema]) =>
      endsOf(schema as Schema)
        .map((raw) => JSON.parse(raw.startsWith('"') ? raw : JSON.stringify(raw)) as string)
        .filter((value) => value.length < 4_000)
        .map((value) => ({
          method,
          path: `${real}?${name}=${encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'))}`,
        })),
  );
  const sent = (body ?? route.reads?.schema()) as Schema | undefined;
  const whole = sent === undefined ? [] : endsOf({}).map((raw) => ({ method, path: real, body: raw }));
  const base = path === '/v1/webhooks' ? { url: 'https://receiver.example/x', event_types: ['alert.*'] } : {};
  const places = sent === undefined || path === '/v1/sandbox/actions' ? [] : placesOf(sent);
  const form = route.reads?.media.includes('application/x-www-form-urlencoded') === true;
  return [
    ...inPath,
    ...inQuery,
    ...whole,
    ...probesOf(
      real,
      method,
      places,
      path === '/v1/alerts/:alert_id' ? { status: 'acknowledged', actor: { name: 'Desk' } } : base,
    ),
    ...(form ? ['%00', 'a='.repeat(20_000), '&'.repeat(60_000), 'grant_type=%ED%A0%80'] : []).map((text) => ({
      method,
      path: real,
      body: text,
      type: 'application/x-www-form-urlencoded',
    })),
  ];
}

unless(ownMachineToo).describe('the ends of every route', () => {
  afterAll(playsWhatIsDue);

  eachOf(
    routes.map((route) => [`${route.method} ${route.path}`, route] as const),
    4,
  )('%s', async (_name, route) => {
    const probes = probesOfRoute(route);
    expect(probes.length).toBeGreaterThan(5);
    const begin = await simulatedNow();
    const tokens = route.access === 'none' ? [null] : [client, sandbox.ready.control_token];
    for (const [n, token] of tokens.entries()) {
      expect(await faultsOf(token === null ? probes : shareOf(probes, n), token)).toEqual([]);
      await restore();
    }
    await livesOn(begin);
  });

  test('the ends of what a wait may look for', async () => {
    const begin = await simulatedNow();
    const patterns = [
      '/^(a+)+$/',
      '/(a|a)*b/',
      `/${'(a?){30}'.repeat(20)}/`,
      '/(?<=a)b/',
      '/\\1(a)/',
      `/${'['.repeat(900)}/`,
      '/a{9}{9}{9}/',
      `${'1s  '.repeat(40)}!`,
      '9'.repeat(5_000),
    ];
    const values = [
      ...patterns,
      '>= 1e999',
      '9..1',
      'not not x',
      'one of ',
      '+99999999999999999999',
      '$',
      '$x.y.z',
      'any',
    ];
    await tell(
      {
        method: 'PATCH',
        path: `/v1/alerts/${alertId}`,
        body: JSON.stringify({ status: 'resolved', note: 'a'.repeat(499), actor: { name: 'x' } }),
      },
      client,
    );
    const subjects = [
      { alert: 'any' },
      { event: 'alert.*' },
      { muster: 'active' },
      { request: 'GET /v1/*' },
      { delivery: 'any' },
    ];
    const keys = [
      'of',
      'about',
      'object',
      'count',
      'result',
      'offsets',
      'tries',
      'status',
      'resolved',
      'x',
      '__proto__',
      '',
    ];
    const probes = subjects.flatMap((subject) =>
      keys.flatMap((key) =>
        values.map((value) => ({
          method: 'POST',
          path: '/v1/sandbox/wait',
          body: JSON.stringify({
            ...subject,
            match: { [key]: key === 'resolved' ? { note: value } : value },
            within: '1ms',
          }),
        })),
      ),
    );
    for (const [n, token] of [client, sandbox.ready.control_token].entries())
      expect(await faultsOf(shareOf(probes, n), token)).toEqual([]);
    await livesOn(begin);
  });
});

unless(ownMachineToo).test('so much was sent', () => {
  console.log(`${sent} requests over two tokens`);
  expect(sent).toBeGreaterThan(process.env['EXTREMES'] === 'all' ? 5_000 : isWhole ? 2_500 : 200);
});
