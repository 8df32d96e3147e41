import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, expect } from 'vitest';
import { idFrom } from '../../src/base/ids.ts';
import { streams } from '../../src/base/random/streams.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { RunningSandbox } from './sandbox-process.ts';

/** More of them where the time is taken: KILLS=20. */
const KILLS = Number(process.env['KILLS'] ?? 1);

const folder = ownFolder();
afterAll(() => folder.remove());

interface Promised {
  /** Uplinks whose PUBACK came: the worker of each. */
  readonly presses: { worker: string; at: number }[];
  /** Alerts whose update was answered 200. */
  readonly resolved: string[];
}

/** Presses SOS by MQTT and resolves by the API as fast as both answer, until the sandbox is gone. */
async function hammer(
  sandbox: RunningSandbox,
  token: string,
  round: number,
  promised: Promised,
  onKept: () => void,
): Promise<void> {
  const spares = sandbox.ready.watches.filter(({ emulated }) => !emulated).slice(0, 4);
  const clients: MqttClient[] = [];
  const gone = new Promise<void>((done) => sandbox.child.once('exit', () => done()));
  const press = async (index: number): Promise<void> => {
    const watch = spares[index] as (typeof spares)[number];
    const client = await connectAsync(sandbox.ready.mqtt_url, {
      clientId: watch.serial,
      username: watch.serial,
      password: watch.key,
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    clients.push(client);
    client.on('error', () => {});
    for (let n = 1; sandbox.child.exitCode === null && sandbox.child.signalCode === null; n++) {
      const id = idFrom('press', round, index, n);
      const body = JSON.stringify({
        id,
        session: round * 1_000 + 1,
        seq: n,
        t: new Date().toISOString(),
        with: 'watch_button',
      });
      const acknowledged = await Promise.race([
        client.publishAsync(`wt/v1/${watch.site_id}/${watch.serial}/up/event/sos`, body, { qos: 1 }).then(
          () => true,
          () => false,
        ),
        gone.then(() => false),
      ]);
      if (!acknowledged) return;
      promised.presses.push({ worker: watch.worker as string, at: Date.now() });
      onKept();
    }
  };
  const resolve = async (): Promise<void> => {
    while (sandbox.child.exitCode === null && sandbox.child.signalCode === null) {
      const { body } = await sandbox.call('GET', '/v1/alerts?status=unacknowledged&limit=10', token);
      for (const { id } of body?.data ?? []) {
        const { status } = await sandbox.call('PATCH', `/v1/alerts/${id}`, token, {
          status: 'resolved',
          actor: { name: 'Desk' },
        });
        if (status === 200) promised.resolved.push(id);
        onKept();
      }
    }
  };
  const swallow = (work: Promise<void>) => work.catch(() => {});
  const work = Promise.all([swallow(resolve()), ...spares.map((_, index) => swallow(press(index)))]);
  await Promise.race([work, gone]);
  for (const client of clients) client.end(true);
}

// Of the store alone: test/service/store/faults.test.ts.
unless(
  withoutWhole,
).test(`after kill -9 (${KILLS} times) every acknowledged press has its alert and every answered update its event`, async () => {
  const args = ['--data-dir', join(folder.path, 'data'), '--watches', '12', '--no-fleet'];
  const chance = streams(process.env['KILL_SEED'] ?? 'kill').stream('test', 'moment');
  const promised: Promised = { presses: [], resolved: [] };
  for (let round = 0; round < KILLS; round++) {
    const sandbox = await RunningSandbox.up(args);
    // Before the timer: on a busy machine the request takes longer than the first moments.
    const token = await sandbox.token();
    // After a number of promises, and not after a time: a slow machine would make too few. The moment is any one after it.
    const [presses, updates] = [promised.presses.length + chance.int(12, 80), promised.resolved.length + 2];
    let isDue = false;
    const onKept = () => {
      if (isDue || promised.presses.length < presses || promised.resolved.length < updates) return;
      isDue = true;
      setTimeout(() => sandbox.child.kill('SIGKILL'), chance.int(0, 30));
    };
    await hammer(sandbox, token, round, promised, onKept);
    expect((await sandbox.ended).signal).toBe('SIGKILL');
  }
  const sandbox = await RunningSandbox.up(args);
  const token = await sandbox.token();
  const events: { type: string; data: { alert: { id: string; worker: { external_id: string } } } }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await sandbox.call('GET', `/v1/events?limit=200${cursor && `&cursor=${cursor}`}`, token);
    events.push(...body.data);
    cursor = body.next_cursor;
  }
  const resolvedIds = new Set(events.filter(({ type }) => type === 'alert.resolved').map(({ data }) => data.alert.id));
  expect(promised.resolved.filter((id) => !resolvedIds.has(id))).toEqual([]);
  // A press is in an alert's timeline: as its first line, or as a further one of the open alert.
  const lines = new Map<string, number>();
  const ids = new Set(events.filter(({ type }) => type === 'alert.created').map(({ data }) => data.alert.id));
  const workerOf = new Map(events.map(({ data }) => [data.alert.id, data.alert.worker.external_id]));
  for (const id of ids) {
    const page = await (await fetch(`${sandbox.ready.panel_url}/alerts/${id}`)).text();
    const worker = workerOf.get(id) as string;
    lines.set(worker, (lines.get(worker) ?? 0) + (page.match(/SOS by the screen button/g) ?? []).length);
  }
  const pressed = new Map<string, number>();
  for (const { worker } of promised.presses) pressed.set(worker, (pressed.get(worker) ?? 0) + 1);
  for (const [worker, count] of pressed) expect([worker, (lines.get(worker) ?? 0) >= count]).toEqual([worker, true]);
  expect(promised.presses.length).toBeGreaterThan(KILLS * 10);
  expect(promised.resolved.length).toBeGreaterThan(KILLS);
  console.log(
    `${KILLS} kills: ${promised.presses.length} presses acknowledged, ${promised.resolved.length} updates answered, 0 lost`,
  );
  await sandbox.stop();
});
