import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ReadyLine } from '../../src/contract/banner.ts';
import { check } from '../../src/contract/check.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { watchFlags } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { RunningSandbox } from './sandbox-process.ts';

const folders: { remove: () => void }[] = [];
const newFolder = (): string => {
  const folder = ownFolder();
  folders.push(folder);
  return folder.path;
};
afterAll(() => {
  for (const { remove } of folders) remove();
});

describe('sandbox up', () => {
  let sandbox: RunningSandbox;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = join(newFolder(), 'data');
    sandbox = await RunningSandbox.up(['--data-dir', dataDir]);
  });
  afterAll(async () => {
    await sandbox.stop();
  });

  test('says in one line how to enter, and leaves the same line in sandbox.json, for the owner only', () => {
    expect(check(ReadyLine, sandbox.line)).toEqual({ ok: true, value: sandbox.line });
    const file = join(dataDir, 'sandbox.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(sandbox.line);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'key')).mode & 0o777).toBe(0o600);
  });

  test('has every emulated watch connected and positioned by then, and leaves two a site to the user', async () => {
    const { watches } = sandbox.ready;
    expect(watches).toHaveLength(110);
    const spare = new Map<string, number>();
    for (const { site_id, emulated } of watches) if (!emulated) spare.set(site_id, (spare.get(site_id) ?? 0) + 1);
    expect([...spare.values()]).toEqual([2, 2, 2]);
    const { body } = await sandbox.call('GET', '/v1/positions', await sandbox.token());
    const continuous = watches.filter(({ emulated }) => emulated).length;
    expect(body.data.length).toBeGreaterThan(50);
    expect(body.data.length).toBeLessThan(continuous);
  });

  test('refuses a second one on the same data folder, and names the process that holds it', async () => {
    const second = await runHere(['up', '--json', '--data-dir', dataDir, '--port', '0', '--mqtt-port', '0']);
    expect(second.code).toBe(3);
    const line = JSON.parse(second.stdout.trim().split('\n').at(-1) as string);
    expect(line).toMatchObject({
      status: 'error',
      error: { code: 'data_folder_taken', message: expect.stringContaining(String(sandbox.child.pid)) },
    });
  });

  test('refuses a port that was asked for and is taken, and names the holder and the flag', async () => {
    const port = new URL(sandbox.ready.api_url).port;
    const { code, stderr } = await runHere([
      'up',
      '--memory',
      '--data-dir',
      newFolder(),
      '--port',
      port,
      '--mqtt-port',
      '0',
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain(`port ${port} is taken by`);
    expect(stderr).toContain('--port');
    if (process.platform === 'linux') expect(stderr).toContain(`process ${sandbox.child.pid}`);
  });

  test('opens the docs, the panel and an alert page, and none of them to a foreign Host', async () => {
    const { body } = await sandbox.act({ action: 'sos', who: 'W-001' });
    const { alert_id } = (body as { result: { alert_id: string } }).result;
    for (const path of ['/docs', '/panel', `/panel/alerts/${alert_id}`]) {
      const page = await fetch(`${sandbox.ready.api_url}${path}`);
      expect([path, page.status]).toEqual([path, 200]);
    }
    const alert = await fetch(`${sandbox.ready.panel_url}/alerts/${alert_id}`);
    expect(await alert.text()).toContain('SOS by the screen button');
  });

  test('trigger acts, and tells a wrong word, a refusal and a stranger apart by its exit code', async () => {
    const words = (...args: string[]) => ['trigger', ...args, '--data-dir', dataDir];
    const trigger = (...args: string[]) => runHere(words(...args));
    const fall = await runHere(words('fall', '--who', 'W-002', '--answers', 'never', '--json'));
    expect([fall.code, JSON.parse(fall.stdout)]).toMatchObject([
      0,
      { command: 'trigger', data: { action: 'fall', result: { alert_id: expect.any(String) } } },
    ]);
    expect(await trigger('falll', '--who', 'W-002')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "fall"?'),
    });
    expect(await trigger('fall', '--who', 'W-999')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('W-999'),
    });
    expect(await trigger('fall')).toMatchObject({ code: 2, stderr: expect.stringContaining('--who is required') });
    const spare = sandbox.ready.watches.find(({ emulated }) => !emulated)?.worker as string;
    expect(await trigger('fall', '--who', spare)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not emulated'),
    });
    expect(await trigger('answer', '--who', 'W-003', '--with', 'ok')).toMatchObject({ code: 1 });
    expect((await trigger('--list')).stdout).toContain('sandbox trigger press_ack');
    expect(await runHere(['trigger', 'sos', '--who', 'x', '--data-dir', newFolder()])).toMatchObject({ code: 3 });
  });

  test('a contract, the tokens and the limits of a company can be changed, and the client feels it', async () => {
    const [{ client_id: company } = { client_id: '' }] = sandbox.ready.clients;
    const trigger = (...args: string[]) => runHere(['trigger', ...args, '--data-dir', dataDir]);
    const token = await sandbox.token();
    const firstWorker = async (with_: string) => (await sandbox.call('GET', '/v1/workers?limit=1', with_)).body.data[0];
    const named = await firstWorker(token);
    expect(named.name).toEqual(expect.any(String));
    expect((await trigger('contract', '--company', company, '--include-worker-names', 'false')).code).toBe(0);
    const { name: _, ...unnamed } = named;
    expect({ ...(await firstWorker(token)), date_last_seen: 0, device: 0 }).toEqual({
      ...unnamed,
      date_last_seen: 0,
      device: 0,
    });
    await trigger('contract', '--company', company, '--include-worker-names', 'true');
    expect((await trigger('token', '--revoke', company)).code).toBe(0);
    const refused = await sandbox.call('GET', '/v1/sites', token);
    expect([refused.status, refused.body.detail]).toEqual([401, expect.stringContaining('revoked')]);
    const fresh = await sandbox.token();
    await trigger('limits', '--company', company, '--requests-per-minute', '1');
    expect((await sandbox.call('GET', '/v1/sites', fresh)).body.code).toBe('rate_limited');
    await trigger('limits', '--company', company, '--requests-per-minute', '600', '--query-seconds-per-minute', '0');
    expect((await sandbox.call('GET', '/v1/sites', fresh)).body.code).toBe('query_time_exceeded');
    await trigger('limits', '--company', company, '--query-seconds-per-minute', '30');
    expect((await sandbox.call('GET', '/v1/sites', fresh)).status).toBe(200);
    const byClient = await sandbox.call('POST', '/v1/sandbox/actions', fresh, { action: 'limits', company });
    expect([byClient.status, byClient.body.code]).toEqual([403, 'insufficient_scope']);
    expect(await trigger('contract', '--company', 'nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nobody'),
    });
    expect((await trigger('token')).code).toBe(2);
  });

  test('env tells addresses and credentials in three formats', async () => {
    const env = (format: string) => runHere(['env', '--format', format, '--data-dir', dataDir]);
    const { client_id, client_secret } = sandbox.ready.clients[1] as (typeof sandbox.ready.clients)[number];
    expect((await env('dotenv')).stdout.split('\n')).toEqual(
      expect.arrayContaining([`SANDBOX_API_URL=${sandbox.ready.api_url}`, `SANDBOX_CLIENT_ID_2=${client_id}`]),
    );
    expect(JSON.parse((await env('json')).stdout)).toMatchObject({
      SANDBOX_CLIENT_SECRET_2: client_secret,
      SANDBOX_MQTT_URL: sandbox.ready.mqtt_url,
    });
    const github = await env('github');
    expect(github.stdout).toContain(`SANDBOX_CLIENT_SECRET_2=${client_secret}`);
    expect(github.stderr).toContain(`::add-mask::${client_secret}`);
  });

  test('clock tells the time, and jumps ahead', async () => {
    const clock = (...args: string[]) => runHere(['clock', ...args, '--json', '--data-dir', dataDir]);
    const before = Date.parse(JSON.parse((await clock()).stdout).data.now);
    const after = Date.parse(JSON.parse((await clock('advance', '5m')).stdout).data.now);
    expect(after - before).toBeGreaterThanOrEqual(300_000);
    expect((await clock('advance', '5')).code).toBe(2);
    expect((await clock('rewind')).code).toBe(2);
  });

  test('logs tell what the client sent and what was delivered', async () => {
    const token = await sandbox.token();
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'control-room/1.0' };
    for (const path of ['/v1/alerts?limit=1', '/v1/nothing'])
      await fetch(`${sandbox.ready.api_url}${path}`, { headers });
    const { code, stdout } = await runHere(['logs', 'requests', '--json', '--data-dir', dataDir]);
    const rows = JSON.parse(stdout).data.requests as {
      method: string;
      path: string;
      status: number;
      code: string | null;
    }[];
    expect(code).toBe(0);
    expect(rows.slice(-2)).toMatchObject([
      { method: 'GET', path: '/v1/alerts', query: 'limit=1', status: 200, code: null },
      { method: 'GET', path: '/v1/nothing', status: 404, code: 'not_found' },
    ]);
    expect(stdout).not.toContain(token);
    expect((await runHere(['logs', '--data-dir', dataDir])).stdout).toContain('/v1/nothing');
    expect((await runHere(['logs', 'deliveries', '--data-dir', dataDir])).code).toBe(0);
    expect((await runHere(['logs', 'nothing', '--data-dir', dataDir])).code).toBe(2);
    expect((await runHere(['logs', 'events', '--data-dir', dataDir])).code).toBe(0);
    const watches = JSON.parse((await runHere(['logs', 'watches', '--json', '--data-dir', dataDir])).stdout);
    expect(watches.data.watches).toContainEqual(
      expect.objectContaining({ kind: 'online', serial: expect.any(String) }),
    );
  });

  test("the user's own client speaks for a spare watch, and for no other", async () => {
    const [mine, other] = sandbox.ready.watches.filter(({ emulated }) => !emulated) as typeof sandbox.ready.watches;
    if (mine === undefined || other === undefined) throw new Error('no spare watches');
    const client = await connectAsync(sandbox.ready.mqtt_url, {
      clientId: mine.serial,
      username: mine.serial,
      password: mine.key,
      protocolVersion: 4,
    });
    const id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
    const t = new Date().toISOString();
    await client.publishAsync(
      `wt/v1/${mine.site_id}/${mine.serial}/up/event/sos`,
      JSON.stringify({ id, session: 1, seq: 1, t, with: 'watch_button' }),
      { qos: 1 },
    );
    const { body } = await sandbox.call('GET', '/v1/alerts?type=sos&limit=200', await sandbox.token());
    expect(
      body.data.filter((alert: { worker: { external_id: string } }) => alert.worker.external_id === mine.worker),
    ).toHaveLength(1);
    const closed = new Promise((done) => client.once('close', () => done('closed')));
    client.publish(
      `wt/v1/${other.site_id}/${other.serial}/up/event/sos`,
      JSON.stringify({ id: id.replaceAll('a', 'b'), session: 1, seq: 2, t, with: 'watch_button' }),
      { qos: 1 },
    );
    expect(await closed).toBe('closed');
    await client.endAsync(true);
    const wrong = connectAsync(sandbox.ready.mqtt_url, {
      clientId: mine.serial,
      username: mine.serial,
      password: other.key,
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    await expect(wrong).rejects.toThrow(/not authorized|bad user/i);
  });
});

describe('a sandbox that is told to stop', () => {
  eachOf(
    [
      ['SIGINT', 130],
      ['SIGTERM', 0],
      ['SIGHUP', 0],
    ] as const,
    3,
  )('by %s stops cleanly with %i and takes sandbox.json away', async (signal, code) => {
    const dataDir = join(newFolder(), 'data');
    const sandbox = await RunningSandbox.up(['--data-dir', dataDir, '--watches', '12']);
    expect(await sandbox.stop(signal)).toMatchObject({ code, signal: null, stderr: '' });
    expect(existsSync(join(dataDir, 'sandbox.json'))).toBe(false);
  });
});

describe('what cannot start says why', () => {
  const site = (text: string): string => {
    const file = join(newFolder(), 'plant.yaml');
    writeFileSync(file, text);
    return file;
  };

  test.each([
    [['up', '--prot', '1'], 2, 'Did you mean --port?'],
    [['up', '--port', '70000'], 2, '0 to 65535'],
    [['up', '--watches', 'many'], 2, 'whole number'],
    [['up', '--truth', 'truth.ndjson', '--no-fleet'], 2, 'Leave out one of the two'],
    [['up', '--assume', 'retri=delay'], 2, 'Did you mean "retry"?'],
    [['up', '--forward', 'receiver.example'], 2, 'HOST=URL'],
    [['up', '--seed', '1', '--host', '0.0.0.0', '--memory'], 2, '--seed determines the secrets'],
    [['up', '--site', 'nowhere.yaml'], 2, 'nowhere.yaml does not exist'],
    [['upp'], 2, 'Did you mean up?'],
    [['dashboard', '--data-dir', '/nowhere/at/all'], 3, 'No sandbox is running'],
    [['env', '--data-dir', '/nowhere/at/all'], 3, 'No sandbox is running'],
  ] as const)('sandbox %j exits with %i', async (args, code, text) => {
    const ended = await runHere(args, { cwd: newFolder() });
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(text);
  });

  test('a site file with mistakes: line, column, and what to write', async () => {
    const file = site(
      'part: My plant\nsite:\n  name: My plant\n  origin: [43.3, -8.4]\n  zones:\n    Dock: {type: work_aera, box: [0, 0, 10]}\n',
    );
    const { code, stderr } = await runHere(['up', '--site', file, '--memory', '--data-dir', newFolder()]);
    expect(code).toBe(2);
    expect(stderr).toContain('plant.yaml:6:18');
    expect(stderr).toContain('work_area');
    expect(stderr).toContain('^^^^');
  });

  test('a data folder that is a file', async () => {
    const { code, stderr } = await runHere(['up', '--data-dir', site('x'), '--port', '0', '--mqtt-port', '0']);
    expect(code).toBe(3);
    expect(stderr).toContain('--data-dir');
  });

  test('a data folder with a world of other options', async () => {
    const dataDir = join(newFolder(), 'data');
    await (await SandboxHere.up(['--data-dir', dataDir, '--watches', '12'])).stop();
    const { code, stderr } = await runHere([
      'up',
      '--data-dir',
      dataDir,
      '--watches',
      '13',
      '--port',
      '0',
      '--mqtt-port',
      '0',
    ]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('other options')]);
  });
});

describe('a default port that is taken', () => {
  const servers: { close: () => void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  test('moves to a free one and says so', async () => {
    const taken = createServer().listen(4600, '127.0.0.1');
    servers.push(taken);
    // Another process may hold it, which does as well.
    await new Promise((done) => taken.once('listening', done).once('error', done));
    const sandbox = await RunningSandbox.up(['--memory', '--data-dir', newFolder(), '--watches', '9'], {
      defaultPorts: true,
    });
    expect(sandbox.ready.api_url).not.toMatch(/:4600$/);
    expect(sandbox.line.warnings.join()).toContain('4600');
    await sandbox.stop();
  });
});

describe('a fall on a watch', () => {
  test("becomes a signed webhook at the user's receiver, and 30 s later the SOS after_fall", async () => {
    const received: { body: string; headers: IncomingMessage['headers']; url: string }[] = [];
    let reported = (): void => {};
    const receiver = createHttpServer((request, answer) => {
      let body = '';
      request.on('data', (bytes) => {
        body += bytes;
      });
      request.on('end', () => {
        received.push({ body, headers: request.headers, url: request.url ?? '' });
        answer.writeHead(204).end();
        reported();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((done) => receiver.once('listening', done));
    const { port } = receiver.address() as AddressInfo;
    const sandbox = await SandboxHere.up([
      '--memory',
      '--data-dir',
      newFolder(),
      ...watchFlags(40),
      '--speed',
      '30',
      '--forward',
      `receiver.example=http://127.0.0.1:${port}`,
    ]);
    const token = await sandbox.token();
    const made = await sandbox.call('POST', '/v1/webhooks', token, {
      url: 'https://receiver.example/h',
      event_types: ['alert.*'],
      filters: { min_severity: 'critical' },
    });
    expect(made.status).toBe(201);
    const both = new Promise<void>((done) => {
      reported = () => received.length === 2 && done();
    });
    await sandbox.act({ action: 'fall', who: 'W-014' });
    await both;
    const stripe = new Stripe('sk_test_unused');
    for (const { body, headers, url } of received) {
      expect(url).toBe('/h');
      expect(headers['user-agent']).toBe('Service-Webhooks/2026-09-24');
      const timestamp = headers['x-service-timestamp'] as string;
      const signature = headers['x-service-signature'] as string;
      expect(signature).toBe(
        `v1=${createHmac('sha256', made.body.secret).update(`${timestamp}.${body}`).digest('hex')}`,
      );
      expect(stripe.webhooks.constructEvent(body, `t=${timestamp},${signature}`, made.body.secret).id).toBe(
        headers['x-service-event-id'],
      );
    }
    const events = received.map(({ body }) => JSON.parse(body));
    expect(events.map(({ data }) => [data.alert.type, data.alert.details])).toEqual([
      ['fall_detected', { escalated_to_sos: false }],
      ['sos', { trigger: 'after_fall' }],
    ]);
    const apart = Date.parse(events[1].created_at) - Date.parse(events[0].created_at);
    // Exact times are for lock-step; here a busy machine makes simulated seconds of its milliseconds.
    expect(apart).toBeGreaterThanOrEqual(30_000);
    const { body: log } = await sandbox.call('GET', '/v1/events?type=alert.created', token);
    expect(log.data).toEqual(expect.arrayContaining(events));
    receiver.close();
    await sandbox.stop();
  });
});
