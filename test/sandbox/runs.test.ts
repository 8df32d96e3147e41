/** Scenarios that play in a running sandbox, beside the life that it has of its own. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/contract/enumerations.ts';
import type { Notice } from '../../src/contract/notices.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type TokenViewer, tokenViewerOf } from '../../src/service/domain/access/viewer.ts';
import { isRejection } from '../../src/service/domain/changes.ts';

const SCENARIO = 'fall-to-sos';

let folder = '';
let sandbox: Sandbox;
let own = '';
let other = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'runs-'));
  sandbox = await startSandbox({ port: 0, mqttPort: 0, seed: 'runs', watches: 12, dataDir: join(folder, 'data') });
  [own, other] = await Promise.all([tokenOf(0), tokenOf(1)]);
});

afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, { token = own, body }: { token?: string; body?: unknown } = {}) {
  const answer = await fetch(`${sandbox.ready.api_url}${path}`, {
    method,
    headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
  return { status: answer.status, body: (await answer.json()) as any };
}

async function tokenOf(company: number): Promise<string> {
  const { client_id, client_secret } = sandbox.ready.clients[company]!;
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  return (await call('POST', '/v1/oauth/token', { token: '', body })).body.access_token;
}

const start = (name = SCENARIO, token = own, body: object = {}) =>
  call('POST', `/v1/sandbox/scenarios/${name}/runs`, { token, body });
const runOf = async (id: string, token = own) => (await call('GET', `/v1/sandbox/runs/${id}`, { token })).body;

/** Simulated time passes until it has ended. */
async function ended(id: string, token = own) {
  let run = await runOf(id, token);
  while (run.status === 'running') {
    await sandbox.clock.advance(10_000);
    run = await runOf(id, token);
  }
  return run;
}

const sites = async () => (await call('GET', '/v1/sites')).body.data.map(({ name }: { name: string }) => name);

/** A scenario of a test's own, with a worker whose number another of the company has already. */
function playFile(steps: string, viewer: TokenViewer | null = null, company = 0) {
  const file = join(folder, 'own.scenario.yaml');
  writeFileSync(
    file,
    `scenario: A scenario of my own
modes: [real, scaled]
clock: {speed: 60}
site:
  name: Guest plant
  origin: [43.3, -8.4]
  zones:
    Dock: {type: work_area, box: [0, 0, 200, 120]}
    Gate: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}
workers: {ana: {in: Dock, external_id: W-001}}
receivers: {erp: {events: [alert.*]}}
steps:
${steps}`,
  );
  const client = sandbox.engine.world.need('client', sandbox.ready.clients[company]!.client_id);
  const started = sandbox.runs.start('own', file, client, { viewer });
  if (isRejection(started)) throw new Error(started.detail);
  return started;
}

describe('a scenario in a running sandbox', () => {
  test('is reported with its title, what it is about, its parameters and its length', async () => {
    const { body } = await call('GET', '/v1/sandbox/scenarios');
    const reported = body.data.find(({ name }: { name: string }) => name === SCENARIO);
    expect(reported).toMatchObject({ title: 'A fall nobody answers becomes an SOS', parameters: {}, duration_s: 594 });
  });

  test('adds its plant to the company, plays to its verdict, and leaves nothing but events', async () => {
    const before = await sites();
    const { status, body } = await start();
    expect([status, body]).toMatchObject([202, { scenario: SCENARIO, status: 'running', seed: '42', ended_at: null }]);
    expect(body.warnings.join()).toContain('"contract" of the file is ignored');
    while ((await runOf(body.id)).steps_done < 2) await sandbox.clock.advance(5_000);
    expect(await sites()).toEqual([...before, 'Harbour plant'].sort());
    expect((await call('GET', '/v1/alerts')).body.data).toMatchObject([{ type: 'fall_detected' }]);
    const run = await ended(body.id);
    expect(run).toMatchObject({ status: 'passed', steps_done: 16, steps_total: 16, failures: [] });
    expect(await sites()).toEqual(before);
    for (const list of ['alerts', 'webhooks']) expect((await call('GET', `/v1/${list}`)).body.data).toEqual([]);
    expect((await call('GET', '/v1/events')).body.data.length).toBeGreaterThan(4);
  });

  test('is the only one of its company, and nobody else sees it', async () => {
    const { body } = await start();
    expect((await start()).body).toMatchObject({ status: 409, code: 'action_refused' });
    expect((await call('GET', `/v1/sandbox/runs/${body.id}`, { token: other })).status).toBe(404);
    expect((await call('DELETE', `/v1/sandbox/runs/${body.id}`, { token: other })).status).toBe(404);
    expect((await call('GET', '/v1/sandbox/runs', { token: other })).body.data).toEqual([]);
    const { run: another, joined } = playFile('  - wait: 1h\n', null, 1);
    await joined;
    const theirs = another.state;
    expect([theirs.status, (await runOf(theirs.id, other)).status]).toEqual(['running', 'running']);
    await sandbox.clock.advance(30_000);
    const cancelled = await call('DELETE', `/v1/sandbox/runs/${body.id}`);
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { status: 'cancelled', failures: [] }]);
    expect(cancelled.body.ended_at).not.toBeNull();
    const token = sandbox.ready.control_token;
    expect((await call('GET', '/v1/sandbox/runs', { token })).body.data).toMatchObject([
      { id: theirs.id, status: 'running' },
      { id: body.id, status: 'cancelled' },
      { status: 'passed' },
    ]);
    expect((await call('DELETE', `/v1/sandbox/runs/${theirs.id}`, { token })).body.status).toBe('cancelled');
  });

  test('means its own people and its own alerts, whatever else is called the same', async () => {
    const { worker_id } = (await call('POST', '/v1/sandbox/actions', { body: { action: 'sos', who: 'W-001' } })).body
      .result;
    const { run, over } = playFile(`  - check: {alerts: open, count: 0}
  - sos: {who: ana}
  - expect: {delivery: erp, event: alert.created, result: delivered}
  - check: {alerts: open, count: 1}
  - check: {deliveries: erp, count: 1}
`);
    await over;
    expect(run.state).toMatchObject({ status: 'passed', failures: [], stepsDone: 5 });
    expect(run.state.warnings).toEqual(['"clock" of the file is ignored: time is that of the sandbox.']);
    const { data } = (await call('GET', '/v1/alerts')).body;
    expect(data.map(({ worker }: { worker: { id: string } }) => worker.id)).toEqual([worker_id]);
  });

  test('a scenario that fails says where and why, and what it has changed is restored', async () => {
    const { run, over } = playFile(`  - limits: {requests_per_minute: 7}
  - contract: {include_worker_names: false}
  - api_fault: {status: 503}
  - check: {alerts: open, count: 3}
`);
    await over;
    const { status, failures, stepsDone } = run.state;
    expect([status, stepsDone, failures.map(({ line }) => line)]).toEqual(['failed', 4, [16]]);
    expect(failures[0]?.text).toContain('count   expected 3   got 0');
    const { client_id } = sandbox.ready.clients[0]!;
    expect(sandbox.limiter.limitsOf(client_id).requestsPerMinute).toBe(600);
    expect(sandbox.engine.world.need('client', client_id).includeWorkerNames).toBe(true);
    expect((await call('GET', '/v1/sites')).status).toBe(200);
  });

  test('a scenario that the user’s system stops has no result, and a client sees no address in it', async () => {
    const steps = '  - wait: 1s\nsystem: {url: "http://127.0.0.1:9", reset: /reset}\n';
    const notices: Notice[] = [];
    const stopListening = sandbox.onNotice((notice) => notices.push(notice));
    const client = sandbox.engine.world.need('client', sandbox.ready.clients[0]!.client_id);
    for (const viewer of [null, tokenViewerOf(client, SCOPES)]) {
      const { run, over } = playFile(steps, viewer);
      await over;
      const [failure] = run.state.failures;
      expect(run.state).toMatchObject({ status: 'error', failures: [{ line: 1 }] });
      expect(failure?.text).toContain(viewer === null ? 'http://127.0.0.1:9' : '(system_not_reachable)');
    }
    stopListening();
    const kinds = notices.map(({ kind }) => kind).filter((kind) => kind === 'internal-error' || kind === 'run-stopped');
    expect(kinds).toEqual(['run-stopped']);
    const token = sandbox.ready.control_token;
    expect((await call('GET', '/v1/sandbox/runs', { token })).body.data[0].status).toBe('error');
  });

  test('is refused where it cannot play, with what to do instead', async () => {
    expect((await start('receiver-outage')).body.detail).toBe(
      'This scenario plays in fast time only, and this sandbox runs in real time. Play it with: npx sandbox run.',
    );
    expect((await start('nothing')).body.code).toBe('not_found');
    expect((await start(SCENARIO, own, { parameters: { x: 1 } })).body.code).toBe('validation_failed');
  });

  test('does with a client’s token what that token may, and fails at its start with every step that is more', async () => {
    const { client_id } = sandbox.ready.clients[1]!;
    const before = sandbox.engine.world.need('client', client_id);
    const { status, body } = await start('names-by-contract', other);
    expect([status, body.status, body.steps_done]).toEqual([202, 'failed', 0]);
    expect(body.failures).toEqual([
      { line: 11, text: expect.stringMatching(/^sos .*the contract of this client does not show ana\.$/) },
      { line: 17, text: expect.stringMatching(/^contract, include_worker_names true: needs the control token\.$/) },
    ]);
    expect(sandbox.engine.world.need('client', client_id)).toBe(before);
    expect((await runOf(body.id, other)).failures).toEqual(body.failures);
  });

  test.each([
    ['api_fault: {status: 503}', ['alerts:read', 'webhooks:manage'], /needs the control token/],
    ['start_muster: {kind: general, by: Lead}', ['alerts:read', 'webhooks:manage'], /needs the control token/],
    ['broker: {does: stop}', ['webhooks:manage'], /needs the control token/],
    ['device: {who: ana, swap_to: SIM-NEW}', ['webhooks:manage'], /new to the company needs the control token/],
    ['api: {get: /v1/sites, token: revoked}', ['webhooks:manage'], /token: revoked needs the control token/],
    [
      'api: {get: /v1/webhooks, token: narrow}',
      ['webhooks:manage'],
      /no other scope than the route's, needs the control/,
    ],
    ['api: {get: /v1/sites, scope: "workers:read"}', ['webhooks:manage'], /lacks the scope workers:read/],
    ['check: {alerts: open, count: 0}', ['webhooks:manage'], /lacks alerts:read/],
    ['check: {event: muster.started, count: 0}', ['alerts:read', 'webhooks:manage'], /lacks musters:read/],
    ['check: {position: ana, visible: true}', ['alerts:read', 'webhooks:manage'], /lacks positions:read/],
    ['wait: 1s', ['alerts:read'], /^receivers: the token lacks webhooks:manage/],
  ] as const)('a scenario that does %s with the scopes %j alone fails by name', async (step, scopes, why) => {
    const client = sandbox.engine.world.need('client', sandbox.ready.clients[0]!.client_id);
    const { run, over } = playFile(`  - ${step}\n`, tokenViewerOf(client, scopes));
    await over;
    expect(run.state).toMatchObject({
      status: 'failed',
      stepsDone: 0,
      failures: [{ text: expect.stringMatching(why) }],
    });
  });

  test('of a client’s token sees what that token sees', async () => {
    const client = sandbox.engine.world.need('client', sandbox.ready.clients[0]!.client_id);
    const steps = `  - sos: {who: ana}
    as: sos
  - api: {get: /v1/alerts/$sos, answers: {status: 200}}
  - api: {get: /v1/musters, answers: {status: 403}}
  - check: {alerts: open, count: 1}
`;
    const { run, over } = playFile(steps, tokenViewerOf(client, ['alerts:read', 'webhooks:manage']));
    await over;
    expect(run.state).toMatchObject({ status: 'passed', failures: [] });
  });

  test('tells what failed to whoever may see as much as the token that started it', async () => {
    const { run, over } = playFile('  - check: {alerts: open, count: 3}\n');
    await over;
    const [reported] = (await runOf(run.state.id, sandbox.ready.control_token)).failures;
    expect(reported.text).toContain('count   expected 3');
    const [kept] = (await runOf(run.state.id)).failures;
    expect([kept.line, kept.text]).toEqual([
      reported.line,
      expect.stringContaining('visible only to a token with the permissions'),
    ]);
  });

  test('is something that a test waits for: its first effect, and its end', async () => {
    const { body } = await start();
    const waiting = call('POST', '/v1/sandbox/wait', {
      body: { alert: 'sos', match: { of: 'E-1041' }, within: '10m' },
    });
    const run = await ended(body.id);
    expect([(await waiting).body.found.type, run.status]).toEqual(['sos', 'passed']);
  });

  test('a scenario that was killed with its sandbox is gone after the restart, and what it has changed is restored', async () => {
    sandbox.limiter.setLimits(sandbox.ready.clients[0]!.client_id, { requestsPerMinute: 1_234 });
    playFile(`  - limits: {requests_per_minute: 7}
  - contract: {include_worker_names: false, contractors: [Nobody], scopes: ["alerts:read", "webhooks:manage"]}
  - api_fault: {status: 503}
  - wait: 1h
`);
    await sandbox.clock.advance(40_000);
    await sandbox.engine.flush();
    const turned = sandbox.engine.world.need('client', sandbox.ready.clients[0]!.client_id);
    expect([turned.includeWorkerNames, turned.contractors]).toEqual([false, ['Nobody']]);
    const copy = join(folder, 'copy');
    cpSync(join(folder, 'data'), copy, { recursive: true });
    const again = await startSandbox({ port: 0, mqttPort: 0, seed: 'runs', watches: 12, dataDir: copy });
    const { world } = again.engine;
    const left = [...world.all('site')].map(({ name }) => name);
    expect([left.includes('Guest plant'), world.count('destination'), world.count('device')]).toEqual([false, 0, 12]);
    expect(world.count('guest')).toBe(0);
    const { client_id } = again.ready.clients[0]!;
    const { includeWorkerNames, contractors, scopes } = world.need('client', client_id);
    expect([includeWorkerNames, contractors, scopes]).toEqual([true, null, [...SCOPES]]);
    expect(again.limiter.limitsOf(client_id).requestsPerMinute).toBe(1_234);
    expect((await fetch(`${again.ready.api_url}/v1/sites`)).status).toBe(401);
    await again.stop();
  });
});
