/** `sandbox up --node`: several processes on one Postgres and one Mosquitto are one sandbox for clients, watches and receivers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pause } from '../faults/harness.ts';
import { NodesPlant, type PlantNode } from '../faults/nodes-plant.ts';
import { withoutMosquitto } from '../helpers/needs.ts';
import { withoutPostgres } from '../helpers/postgres-server.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';

const PATCH = { status: 'acknowledged', actor: { name: 'Desk' } };

unless(withoutWhole, withoutPostgres, withoutMosquitto).describe('nodes', () => {
  let plant: NodesPlant;
  let [a, b]: PlantNode[] = [];
  beforeAll(async () => {
    plant = await NodesPlant.make(12);
    [a, b] = await Promise.all([plant.join('a'), plant.join('b')]);
    await plant.untilShared();
  });
  afterAll(() => plant?.end());

  const on = (node: PlantNode | undefined) => node?.sandbox ?? expect.unreachable('it did not start');
  const press = (node: PlantNode | undefined, site: string) =>
    on(node).act({ action: 'hazard', site, kind: 'earthquake', magnitude: 6, distance_km: 50 });

  test('have the same clients, watches and secrets, and a token of one is good at the other', async () => {
    expect(on(b).ready.clients).toEqual(on(a).ready.clients);
    expect(on(b).ready.watches).toEqual(on(a).ready.watches);
    const token = await on(a).token();
    for (const node of [a, b]) expect((await on(node).call('GET', '/v1/sites', token)).status).toBe(200);
  });

  test('show at once what the other has acknowledged, in any order of asking', async () => {
    const token = await on(a).token();
    const [site] = await plant.sites();
    for (let round = 0; round < 10; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a];
      const { body } = await press(here, site?.name ?? '');
      const path = `/v1/alerts/${(body as { result: { alert_id: string } }).result.alert_id}`;
      expect((await on(there).call('GET', path, token)).body.status).toBe('unacknowledged');
      expect((await on(there).call('PATCH', path, token, PATCH)).status).toBe(200);
      expect((await on(here).call('GET', path, token)).body.status).toBe('acknowledged');
      await on(here).call('PATCH', path, token, { ...PATCH, status: 'resolved' });
    }
  });

  test('give the events of both one order, without a tie', async () => {
    const [site] = await plant.sites();
    const { body } = await press(a, site?.name ?? '');
    const alert = (body as { result: { alert_id: string } }).result.alert_id;
    await Promise.all(
      [a, b].map(async (node) => {
        for (let n = 0; n < 10; n++) {
          await on(node).act({ action: 'resolve', alert, by: 'Desk', reason: 'done' });
          await on(node).act({ action: 'reopen', alert, by: 'Desk' });
        }
      }),
    );
    // A second earthquake would fold into an alert that is open.
    await on(a).act({ action: 'resolve', alert, by: 'Desk', reason: 'done' });
    const token = await on(a).token();
    const lists = await Promise.all([a, b].map((node) => on(node).call('GET', '/v1/events?limit=200', token)));
    expect(lists[0]?.body).toEqual(lists[1]?.body);
    const times = lists[0]?.body.data.map(({ created_at: at }: { created_at: string }) => at) as string[];
    expect(times.length).toBeGreaterThan(20);
    expect(times).toEqual([...new Set(times)].toSorted());
  });

  test('hear each site at one node, share out the destinations, and deliver each event once', async () => {
    const token = await on(a).token();
    for (let n = 0; n < 4; n++) await plant.destination();
    const nodes = async () =>
      (await on(b).call('GET', '/v1/sandbox/nodes', on(b).ready.control_token)).body.nodes as {
        name: string;
        sites: number;
        destinations: number;
      }[];
    await expect.poll(async () => (await nodes()).map(({ destinations }) => destinations)).toEqual([2, 2]);
    expect((await nodes()).map(({ sites }) => sites).toSorted()).toEqual([1, 2]);
    const before = plant.receiver.received.length;
    const [site] = await plant.sites();
    const { body } = await press(a, site?.name ?? '');
    const { alert_id: alert } = (body as { result: { alert_id: string } }).result;
    await on(b).call('PATCH', `/v1/alerts/${alert}`, token, PATCH);
    await expect.poll(() => plant.receiver.received.length - before).toBe(8);
    await pause(500);
    expect(plant.receiver.received.length - before).toBe(8);
    expect(new Set(plant.receiver.received.slice(before).map(({ eventId }) => eventId)).size).toBe(2);
  });

  test('keep real time: the clock is refused to be turned', async () => {
    const { control_token: control } = on(a).ready;
    expect(await on(a).call('POST', '/v1/sandbox/clock', control, { advance: '1h' })).toMatchObject({
      status: 409,
      body: { code: 'action_refused' },
    });
  });

  test('answer 503 while the database is away, and go on by themselves', async () => {
    const token = await on(a).token();
    await plant.server.stop('SIGQUIT');
    for (const node of [a, b])
      expect(await on(node).call('GET', '/v1/sites', token)).toMatchObject({
        status: 503,
        body: { code: 'storage_unavailable' },
      });
    await plant.server.resume();
    for (const node of [a, b])
      await expect
        .poll(
          async () =>
            (
              await on(node)
                .call('GET', '/v1/sites', token)
                .catch(() => null)
            )?.status,
        )
        .toBe(200);
    await plant.untilShared();
  });

  test('are all as at the beginning after a reset of one', async () => {
    const [site] = await plant.sites();
    await press(a, site?.name ?? '');
    const { control_token: control } = on(a).ready;
    expect((await on(a).call('POST', '/v1/sandbox/reset', control, {})).status).toBe(200);
    const alertsAt = async (node: PlantNode | undefined) => {
      const token = await on(node)
        .token()
        .catch(() => null);
      return token === null
        ? null
        : (
            await on(node)
              .call('GET', '/v1/alerts', token)
              .catch(() => null)
          )?.body?.data;
    };
    for (const node of [a, b]) await expect.poll(() => alertsAt(node)).toEqual([]);
  });

  test('stop cleanly, and leave everything to those that stay', async () => {
    expect((await on(b).stop()).code).toBe(0);
    await plant.untilShared();
    expect(await plant.ownerOf((await plant.sites())[0]?.id ?? '')).toBe(a);
    expect((await on(a).call('GET', '/v1/sites', await on(a).token())).status).toBe(200);
  });
});

describe('up --node is refused', () => {
  const URLS = ['--database', 'postgres://muster@127.0.0.1:9/world', '--broker', 'mqtt://127.0.0.1:9'];
  test.each([
    ['without a database and a broker', ['--node', 'a', ...URLS.slice(2)], 'Give both'],
    ['with a name that is none', ['--node', 'a b', ...URLS], 'not a name for a node'],
    ['with a speed', ['--node', 'a', ...URLS, '--speed', '60'], 'Leave out --speed or --node'],
    ['with a scenario', ['--node', 'a', ...URLS, '--scenario', 'x.yaml'], 'Leave out --scenario or --node'],
  ])('%s', async (_, args, words) => {
    const { code, stderr } = await runHere(['up', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  test('a database that does not answer is reported with what to do', async () => {
    const { code, stderr } = await runHere(['up', '--node', 'a', ...URLS, '--port', '0']);
    expect(code).toBe(3);
    expect(stderr).toContain('Check whether a Postgres server is running there');
  });
});
