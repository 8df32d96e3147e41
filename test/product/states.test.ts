/** Reset and snapshots of a running sandbox, and of a data folder on which none runs. [cli, decisions 9] */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

const FEW = ['--watches', '12', '--seed', '7', '--start', '2026-10-05T08:00:00Z'];
let folder = ownFolder();
let sandbox: SandboxHere;
beforeEach(async () => {
  folder = ownFolder();
  sandbox = await SandboxHere.up(FEW, { cwd: folder.path });
});
afterEach(async () => {
  await sandbox.stop();
  folder.remove();
});
afterAll(() => folder.remove());

const cli = (...args: string[]) => runHere(args, { cwd: folder.path });
const openAlerts = async (token: string) =>
  (await sandbox.call('GET', '/v1/alerts', token)).body.data.map(({ type }: { type: string }) => type);

/** Where the person truly is. */
async function placeOf(person: string): Promise<string | null> {
  const { control_token: token, api_url } = sandbox.ready;
  const { stdout } = await cli('world', 'people', '--json');
  const people = JSON.parse(stdout).data.people as { id: string; external_id: string }[];
  const headers = { authorization: `Bearer ${token}` };
  const stream = await (await fetch(`${api_url}/v1/sandbox/stream?once=true&truth=true`, { headers })).text();
  const { truth } = JSON.parse(/^data: (.*)$/m.exec(stream)?.[1] ?? '{}') as {
    truth: { worker_id: string; zone: string | null }[];
  };
  const id = people.find(({ external_id }) => external_id === person)?.id;
  return truth.find(({ worker_id }) => worker_id === id)?.zone ?? null;
}

describe('a reset', () => {
  test('brings back the beginning at the same addresses, and tokens stay good', async () => {
    const token = await sandbox.token();
    await sandbox.act({ action: 'sos', who: 'W-001' });
    await sandbox.call('POST', '/v1/webhooks', token, { url: 'https://receiver.example/', event_types: ['alert.*'] });
    await cli('clock', 'advance', '10m');
    expect(await openAlerts(token)).toContain('sos');

    const { code, stdout } = await cli('reset', '--json');
    expect([code, JSON.parse(stdout).data.now]).toEqual([0, expect.stringMatching(/^2026-10-05T08:00:0/)]);
    expect(await openAlerts(token)).toEqual([]);
    for (const path of ['/v1/webhooks', '/v1/events', '/v1/musters'])
      expect([path, (await sandbox.call('GET', path, token)).body.data]).toEqual([path, []]);
    expect((await sandbox.act({ action: 'sos', who: 'W-001' })).status).toBe(200);
    expect(await sandbox.token()).not.toBe(token);
  });

  test('one at a time: the second is refused, and the first is whole', async () => {
    const reset = () => sandbox.call('POST', '/v1/sandbox/reset', sandbox.ready.control_token);
    const answers = await Promise.all([reset(), reset()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await openAlerts(await sandbox.token())).toEqual([]);
    expect((await reset()).status).toBe(200);
  });

  test('gives the fleet the watch back that a client took over', async () => {
    const [taken] = sandbox.ready.watches.filter(({ emulated }) => emulated);
    const { serial = '', key = '' } = taken ?? {};
    const watch = await connectAsync(sandbox.ready.mqtt_url, {
      clientId: serial,
      username: serial,
      password: key,
      reconnectPeriod: 0,
    });
    const press = () => sandbox.act({ action: 'sos', who: taken?.worker });
    await expect.poll(async () => (await press()).status).toBe(409);
    watch.end(true);
    expect((await cli('reset')).code).toBe(0);
    expect((await press()).status).toBe(200);
  });

  test('ends streams and waits, and is there for the next start', async () => {
    const stream = await fetch(`${sandbox.ready.api_url}/v1/sandbox/stream`, {
      headers: { authorization: `Bearer ${sandbox.ready.control_token}` },
    });
    const waiting = sandbox.call('POST', '/v1/sandbox/wait', sandbox.ready.control_token, {
      alert: 'sos',
      within: '10m',
    });
    await sandbox.act({ action: 'fall', who: 'W-002', answers: 'never' });
    expect((await cli('reset')).code).toBe(0);
    expect((await waiting.catch(() => ({ status: 0 }))).status).not.toBe(200);
    await expect(stream.text().catch(() => 'broken off')).resolves.toBeDefined();
    await sandbox.stop();
    sandbox = await SandboxHere.up(FEW, { cwd: folder.path });
    expect(await openAlerts(await sandbox.token())).toEqual([]);
  });
});

describe('a snapshot', () => {
  const fileOf = (name: string) => join(folder.path, '.sandbox/snapshots', `${name}.ndjson`);
  const bytes = (name: string) => readFileSync(fileOf(name), 'utf8');

  test('of a running sandbox loads while it runs; equal states are equal bytes', async () => {
    const token = await sandbox.token();
    await cli('clock', 'pause');
    await sandbox.act({ action: 'sos', who: 'W-001' });
    expect((await cli('snapshot', 'save', 'a')).code).toBe(0);
    expect((await cli('snapshot', 'save', 'b')).code).toBe(0);
    expect(bytes('a')).toBe(bytes('b'));
    expect((statSync(fileOf('a')).mode & 0o777).toString(8)).toBe('600');
    const { now } = (await sandbox.call('GET', '/v1/sandbox/clock', sandbox.ready.control_token)).body;

    await cli('reset');
    await sandbox.act({ action: 'fall', who: 'W-003' });
    const { code, stdout } = await cli('snapshot', 'load', 'a', '--json');
    expect([code, JSON.parse(stdout).data]).toMatchObject([0, { name: 'a', running: true }]);
    expect(Date.parse(JSON.parse(stdout).data.now) - Date.parse(now)).toBeLessThan(2_000);
    expect(await openAlerts(token)).toEqual(['sos']);
    expect((await cli('snapshot', 'list')).stdout).toMatch(/^name .*\na .*\nb .*\n$/s);
  });

  test('keeps the limits that an action changed, and a reset brings back those of the contract', async () => {
    const token = await sandbox.token();
    const company = sandbox.ready.clients[0]?.client_id;
    const statuses = async () => {
      const calls = Array.from({ length: 4 }, () => sandbox.call('GET', '/v1/sites', token));
      return (await Promise.all(calls)).map(({ status }) => status).sort();
    };
    await cli('snapshot', 'save', 'a');
    await sandbox.act({ action: 'limits', company, requests_per_minute: 2 });
    await cli('snapshot', 'load', 'a');
    expect(await statuses()).toEqual([200, 200, 429, 429]);
    await cli('reset');
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test('of a stopped sandbox is of what its folder keeps, and the next start goes on from a loaded one', async () => {
    await sandbox.act({ action: 'sos', who: 'W-001' });
    await sandbox.stop();
    expect((await cli('snapshot', 'save', 'with-sos')).code).toBe(0);
    sandbox = await SandboxHere.up(FEW, { cwd: folder.path });
    await cli('reset');
    await sandbox.stop();
    expect(JSON.parse((await cli('snapshot', 'load', 'with-sos', '--json')).stdout).data.running).toBe(false);
    sandbox = await SandboxHere.up(FEW, { cwd: folder.path });
    expect(await openAlerts(await sandbox.token())).toEqual(['sos']);
  });

  test('a snapshot that cannot be used changes nothing', async () => {
    const token = await sandbox.token();
    await sandbox.act({ action: 'sos', who: 'W-001' });
    await cli('snapshot', 'save', 'good');
    writeFileSync(fileOf('short'), bytes('good').slice(0, -300));
    writeFileSync(fileOf('turned'), bytes('good').replace('sos', 'sot'));
    writeFileSync(fileOf('empty'), '');
    for (const [name, code] of [
      ['short', 1],
      ['turned', 1],
      ['empty', 1],
      ['goood', 2],
      ['..', 2],
    ] as const) {
      const ended = await cli('snapshot', 'load', name);
      expect([name, ended.code]).toEqual([name, code]);
      expect(ended.stderr).toMatch(/damaged or cut short|Did you mean "good"|cannot be a snapshot's name/);
    }
    expect(await openAlerts(token)).toEqual(['sos']);
  });

  test('of another world is refused with the flags that it needs', async () => {
    await cli('snapshot', 'save', 'of-seed-7');
    await sandbox.stop();
    sandbox = await SandboxHere.up(['--memory', '--watches', '9'], { cwd: folder.path });
    const { code, stderr } = await cli('snapshot', 'load', 'of-seed-7');
    expect([code, stderr]).toEqual([1, expect.stringContaining('sandbox up --seed 7 --watches 12')]);
  });

  test('goes from one sandbox in memory to the next of the folder, whose secrets differ', async () => {
    await sandbox.stop();
    const memory = ['--memory', '--watches', '9'];
    sandbox = await SandboxHere.up(memory, { cwd: folder.path });
    const first = sandbox.ready;
    await sandbox.act({ action: 'sos', who: 'W-001' });
    await sandbox.act({ action: 'enter', who: 'W-001', zone: 'Jetty' });
    await sandbox.act({ action: 'fall', who: 'W-001', answers: 'never' });
    expect(await placeOf('W-001')).toBe('Jetty');
    await cli('snapshot', 'save', 'kept');
    await sandbox.stop();
    sandbox = await SandboxHere.up(memory, { cwd: folder.path });
    expect(await placeOf('W-001')).not.toBe('Jetty');
    expect((await cli('snapshot', 'load', 'kept')).code).toBe(0);
    expect(await placeOf('W-001')).toBe('Jetty');
    expect(sandbox.ready.control_token).not.toBe(first.control_token);
    expect((await openAlerts(await sandbox.token())).sort()).toEqual(['fall_detected', 'sos']);
    expect((await sandbox.act({ action: 'free', who: 'W-001' })).status).toBe(200);
  });
});
