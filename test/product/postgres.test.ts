/** `sandbox up --database`: the world lives in Postgres, outlives the data folder and a kill, and waits for a server that is away. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { PostgresServer, withoutPostgres } from '../helpers/postgres-server.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { RunningSandbox, run } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

unless(withoutPostgres).describe('a world in Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.destroy());

  const flagsOf = (database: string, dataDir: string) => [
    ...['--database', database, '--data-dir', join(folder.path, dataDir), '--watches', '12'],
  ];
  const up = (database: string, dataDir: string) => RunningSandbox.up(flagsOf(database, dataDir));

  test('goes on after kill -9, also from another data folder, with the same secrets and all that was acknowledged; asked for another world, it names the database', async () => {
    const database = await server.database();
    const first = await up(database, 'one');
    const acted = await first.act({ action: 'sos', who: 'W-001' });
    expect(acted.status).toBe(200);
    const { clients } = first.ready;
    await first.stop('SIGKILL');
    const second = await SandboxHere.up(flagsOf(database, 'two'));
    expect(second.ready.clients).toEqual(clients);
    const { body } = await second.call('GET', '/v1/alerts', await second.token());
    expect(body.data).toEqual([expect.objectContaining({ type: 'sos' })]);
    const events = await second.call('GET', '/v1/events', await second.token());
    expect(events.body.data.map(({ type }: { type: string }) => type)).toEqual(['alert.created']);
    await second.stop();
    // A world that was made with other options is called the database, and not the data folder.
    const flags = ['--json', '--port', '0', '--mqtt-port', '0', '--watches', '8', '--database', database];
    const { code, stdout } = await runHere(['up', ...flags, '--data-dir', join(folder.path, 'two')]);
    const { error } = JSON.parse(stdout);
    expect(code).toBe(3);
    expect(error).toMatchObject({
      code: 'other_world',
      message: expect.stringMatching(/^The database world_1 at .* holds a world/),
    });
    expect(JSON.stringify(error)).not.toMatch(/data folder|--data-dir/);
  });

  unless(withoutWhole).test('takes one sandbox at a time, and the second is told by which', async () => {
    const database = await server.database();
    const first = await up(database, 'three');
    const second = await run([
      'up',
      '--database',
      database,
      '--data-dir',
      join(folder.path, 'four'),
      '--no-fleet',
      '--json',
    ]);
    expect(second.code).toBe(3);
    expect(JSON.parse(second.stdout).error).toMatchObject({
      code: 'database_taken',
      message: expect.stringContaining(`muster-sandbox ${first.ready.pid} at `),
    });
    await first.stop();
  });

  unless(withoutWhole).test('answers 503 while its server is away, and goes on by itself when it is back', async () => {
    const sandbox = await up(await server.database(), 'five');
    const token = await sandbox.token();
    const [who, again] = ['W-001', 'W-002'];
    await sandbox.act({ action: 'sos', who });
    const { body } = await sandbox.call('GET', '/v1/alerts', token);
    const path = `/v1/alerts/${body.data[0].id}`;
    await server.stop('SIGQUIT');
    const patch = { status: 'acknowledged', actor: { name: 'Desk' } };
    expect(await sandbox.call('PATCH', path, token, patch)).toMatchObject({
      status: 503,
      body: { code: 'storage_unavailable' },
    });
    expect((await sandbox.call('GET', path, token)).body.status).toBe('unacknowledged');
    expect(await sandbox.call('GET', '/healthz', token)).toMatchObject({ status: 503 });
    await server.resume();
    expect(await sandbox.call('GET', '/healthz', token)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await sandbox.call('PATCH', path, token, patch)).toMatchObject({ status: 200 });
    expect((await sandbox.act({ action: 'sos', who: again })).status).toBe(200);
    expect((await sandbox.stop()).code).toBe(0);
  });

  unless(withoutWhole).test('may be reset, saved and loaded like one in a file', async () => {
    const sandbox = await up(await server.database(), 'six');
    await sandbox.act({ action: 'sos', who: 'W-001' });
    const token = await sandbox.token();
    const alerts = async () => (await sandbox.call('GET', '/v1/alerts', token)).body.data;
    const before = await alerts();
    const place = ['--data-dir', join(folder.path, 'six')];
    expect((await runHere(['snapshot', 'save', 'one-sos', ...place])).code).toBe(0);
    expect((await runHere(['reset', ...place])).code).toBe(0);
    expect(await alerts()).toEqual([]);
    expect((await runHere(['snapshot', 'load', 'one-sos', ...place])).code).toBe(0);
    expect(await alerts()).toEqual(before);
    await sandbox.stop();
  });

  unless(withoutWhole).test('exec may keep its world there, and the next one finds it', async () => {
    const words = ['exec', '--database', await server.database(), '--watches', '12'];
    const runs: string[] = [];
    for (const folderName of ['eight', 'nine']) {
      const place = ['--data-dir', join(folder.path, folderName)];
      const { code, stdout } = await run([...words, ...place, '--', 'sh', '-c', 'echo $SANDBOX_CLIENT_SECRET']);
      expect(code).toBe(0);
      runs.push(stdout);
    }
    expect(runs[0]).toMatch(/^[A-Za-z0-9]{40,}\n$/);
    expect(runs[1]).toBe(runs[0]);
  });

  test.each([
    ['postgres://muster:hunter2@127.0.0.1:9/world', 3, 'database_not_reachable'],
    ['mysql://muster:hunter2@127.0.0.1/world', 2, 'usage'],
    ['postgres://127.0.0.1', 2, 'usage'],
  ])('%s is refused, and no password is reported', async (url, code, name) => {
    const refused = await runHere(['up', '--database', url, '--data-dir', join(folder.path, 'seven'), '--json']);
    expect([refused.code, JSON.parse(refused.stdout).error.code]).toEqual([code, name]);
    expect(refused.stdout + refused.stderr).not.toContain('hunter2');
  });
});
