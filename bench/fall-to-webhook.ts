/** From the fall on the watch to the webhook at the receiver, with the default fleet and state on disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../src/sandbox/start.ts';
import { figures } from './figures.ts';
import { measured } from './table.ts';

const ROUNDS = 5;

export async function benchFallToWebhook(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const arrived = new Map<string, () => void>();
  const receiver = createServer((request, answer) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      answer.writeHead(204).end();
      const { data, type } = JSON.parse(body);
      if (type === 'alert.created') arrived.get(data.alert.device.serial)?.();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((done) => receiver.once('listening', done));
  const { port } = receiver.address() as AddressInfo;
  const forwards = new Map([['receiver.example', `http://127.0.0.1:${port}`]]);
  const sandbox = await startSandbox({ dataDir: join(folder, 'data'), port: 0, mqttPort: 0, forwards });
  const { api_url, clients } = sandbox.ready;
  const [first] = clients;
  if (first === undefined || sandbox.fleet === null) throw new Error('no client or no fleet');
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: first.client_id,
    client_secret: first.client_secret,
  });
  const { access_token } = (await (
    await fetch(`${api_url}/v1/oauth/token`, { method: 'POST', body: form })
  ).json()) as { access_token: string };
  await fetch(`${api_url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      url: 'https://receiver.example/h',
      event_types: ['alert.*'],
      filters: { min_severity: 'critical' },
    }),
  });
  const { world } = sandbox.engine;
  const company = [...world.all('organization')].find(({ name }) => name === first.organization)?.id;
  const serials = [...world.all('device')]
    .filter(({ organizationId, emulated }) => organizationId === company && emulated)
    .map(({ serial }) => serial);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const serial of serials) {
      const begun = performance.now();
      const received = new Promise<void>((done) => arrived.set(serial, done));
      await sandbox.fleet.perform(serial, { do: 'fall', answers: 'ok', answersAfterMs: 0 });
      await received;
      times.push(performance.now() - begun);
      // Falls come now and then, not in a flood: the fleet's own reports go on between.
      await new Promise((done) => setTimeout(done, 10));
    }
    for (const { id, status } of [...world.all('alert')])
      if (status !== 'resolved')
        await sandbox.engine.submit({
          type: 'update-alert',
          alertId: id,
          status: 'resolved',
          by: 'bench',
          actor: 'bench',
          reason: null,
          note: null,
        });
  }
  const { median, p99, count } = figures(times);
  measured({ what: 'fall on the watch to webhook, median', value: median, unit: 'ms', aim: { of: 'value', most: 15 } });
  measured({ what: 'fall on the watch to webhook, p99', value: p99, unit: 'ms', aim: { of: 'value', most: 60 } });
  console.log(
    `fall on the watch to webhook at the receiver, ${count} falls: median ${median.toFixed(1)} ms (target 15), p99 ${p99.toFixed(1)} ms (target 60)`,
  );
  await sandbox.stop();
  receiver.close();
  receiver.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
