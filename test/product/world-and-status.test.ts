/** `sandbox world`, `status` and `stop`, and how refusals name what was meant. [cli] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
let sandbox: SandboxHere;
const cli = (...args: string[]) => runHere(args, { cwd: folder.path });
const data = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout).data;

beforeAll(async () => {
  sandbox = await SandboxHere.up(['--watches', '12', '--seed', '1'], { cwd: folder.path });
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

describe('world', () => {
  test('has the names that actions take, and neither secrets nor places', async () => {
    const world = await data('world');
    expect(Object.keys(world)).toEqual(['sites', 'people', 'zones', 'points', 'clients', 'watches']);
    expect([world.sites.length, world.people.length, world.watches.length, world.clients.length]).toEqual([
      3, 12, 12, 2,
    ]);
    const text = JSON.stringify(world);
    for (const { client_secret } of sandbox.ready.clients) expect(text).not.toContain(client_secret);
    for (const { key } of sandbox.ready.watches) expect(text).not.toContain(key);
    expect(text).not.toMatch(/latitude|coordinates/);
    const [point] = world.points;
    const who = world.people.find(({ site }: { site: string }) => site === point.site).external_id;
    expect((await cli('trigger', 'declare', '--who', who, '--point', point.name)).code).toBe(0);
  });

  test('by sections and sites, aligned', async () => {
    const site = 'Terminal Puerto Alerce';
    const { people } = await data('world', 'people', '--site', site);
    expect(new Set(people.map((one: { site: string }) => one.site))).toEqual(new Set([site]));
    const { stdout } = await cli('world', 'people', '--site', site);
    const [head = '', title = '', ...rows] = stdout.trimEnd().split('\n');
    expect(title.trim()).toBe(site);
    for (const row of rows) expect(row.slice(head.indexOf('watch')).startsWith('SIM-')).toBe(true);
    expect(rows.length).toBe(people.length);
  });

  test.each([
    [['world', 'peopel'], 'Did you mean "people"?'],
    [['world', '--site', 'Terminal Puerto Alerze'], 'Did you mean "Terminal Puerto Alerce"?'],
    [['trigger', 'sos', '--who', 'W-01'], 'Did you mean "W-001"?'],
    [['trigger', 'sos', '--who', 'SIM-001'], 'Did you mean "SIM-0001"?'],
    [['trigger', 'enter', '--who', 'W-001', '--zone', 'Wharehouse 2'], 'Did you mean "Warehouse 2"?'],
    [['trigger', 'limits', '--company', 'Naval Ria Brva', '--requests-per-minute', '9'], '"naval_ria_brava"?'],
    [['trigger', 'sos', '--whoo', 'W-001'], 'did you mean "who"?'],
    [['trigger', 'soss'], 'Did you mean "sos"?'],
    [['listen', '--forward-to', 'http://127.0.0.1:9/', '--company', 'naval_ria_brva'], '"naval_ria_brava"?'],
    [['snapshot', 'lst'], 'Did you mean "list"?'],
    [['clock', 'advanc', '1h'], 'Did you mean "advance"?'],
    [['logs', 'request'], 'Did you mean "requests"?'],
  ])('%j says what was meant', async (args, meant) => {
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(meant)]);
  });

  test('a client is told no names that its token may not read', async () => {
    const { client_id, client_secret } = sandbox.ready.clients[0] as { client_id: string; client_secret: string };
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      scope: 'alerts:read',
    });
    const answer = await fetch(`${sandbox.ready.api_url}/v1/oauth/token`, { method: 'POST', body: form });
    const { access_token: narrow } = (await answer.json()) as { access_token: string };
    const body = { action: 'sos', who: 'W-01' };
    const act = async (token: string) => (await sandbox.call('POST', '/v1/sandbox/actions', token, body)).body.detail;
    expect(await act(await sandbox.token())).toContain('Did you mean "W-001"?');
    expect(await act(narrow)).not.toContain('W-001');
  });
});

describe('status', () => {
  test('says where it is reached and how it is', async () => {
    await sandbox.act({ action: 'sos', who: 'W-001' });
    const status = await data('status');
    const { api_url, mqtt_url, panel_url, data_dir, pid } = sandbox.ready;
    expect(status).toMatchObject({
      running: true,
      api_url,
      mqtt_url,
      panel_url,
      data_dir,
      pid,
      clock: { speed: 1, paused: false },
      alerts: { open: 1, by_severity: { critical: 1 } },
      musters: [],
    });
    const { code, stdout } = await cli('status');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 open: 1 critical')]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

test('stop ends it as cleanly as SIGTERM, and a second one finds none', async () => {
  const other = await RunningSandbox.up(['--watches', '3', '--data-dir', 'other'], { cwd: folder.path });
  const { code, stdout } = await cli('stop', '--data-dir', 'other');
  expect([code, stdout]).toEqual([0, expect.stringContaining(`process ${other.ready.pid}`)]);
  expect((await other.ended).code).toBe(0);
  for (const command of ['stop', 'status']) expect((await cli(command, '--data-dir', 'other')).code).toBe(3);
});

test('up --strict takes no token request that production may refuse', async () => {
  const strict = await SandboxHere.up(['--memory', '--watches', '3', '--strict'], { cwd: folder.path });
  try {
    const [{ client_id, client_secret } = { client_id: '', client_secret: '' }] = strict.ready.clients;
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret });
    const headers = { 'content-type': 'application/json' };
    const address = `${strict.ready.api_url}/v1/oauth/token`;
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(415);
    expect(await strict.token()).toBeTypeOf('string');
  } finally {
    await strict.stop();
  }
});
