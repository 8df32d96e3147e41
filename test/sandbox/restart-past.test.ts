/** A sandbox that is started again on its data folder still shows the curve of a muster and what became of deliveries. [decisions 9, a restart] */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { StreamSnapshot } from '../../src/contract/stream.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';
import { afterSnapshot, EMPTY_STATE } from '../../src/watching/state/state.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

async function seen({ ready }: Sandbox): Promise<StreamSnapshot> {
  const answer = await fetch(`${ready.api_url}/v1/sandbox/stream?once=true`, {
    headers: { authorization: `Bearer ${ready.control_token}` },
  });
  return JSON.parse(/data: (.*)/.exec(await answer.text())?.[1] ?? '') as StreamSnapshot;
}

async function bookDestination({ ready }: Sandbox): Promise<string> {
  const [client] = ready.clients;
  const form = { grant_type: 'client_credentials', client_id: client!.client_id, client_secret: client!.client_secret };
  const token = await fetch(`${ready.api_url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = (await token.json()) as { access_token: string };
  const made = await fetch(`${ready.api_url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://receiver.example/', event_types: ['muster.*'] }),
  });
  return ((await made.json()) as { id: string }).id;
}

test('what was counted and delivered before a restart is in the first snapshot after it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-past-'));
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  ends.push(() => receiver.close());
  const forwards = new Map([['receiver.example', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`]]);
  const start = async (): Promise<Sandbox> => {
    const sandbox = await startSandbox({ dataDir, seed: '1', watches: 20, port: 0, mqttPort: 0, forwards });
    ends.push(() => sandbox.stop());
    return sandbox;
  };

  const first = await start();
  const destination = await bookDestination(first);
  const begun = await first.act({
    action: 'start_muster',
    site: 'Terminal Puerto Alerce',
    kind: 'general',
    by: 'Lead',
  });
  if (isRejection(begun)) throw new Error(begun.detail);
  await first.clock.advance(6 * 60_000);
  // Every delivery that is due has been attempted: an attempt holds the clock.
  const before = await seen(first);
  await first.stop();
  const [curve] = before.curves ?? [];
  expect(curve?.points.length).toBeGreaterThan(3);
  const tally = before.tallies?.find(({ destination_id }) => destination_id === destination);
  expect(tally?.delivered).toBeGreaterThan(3);
  expect(tally?.took_ms).toHaveLength(Math.min(50, tally?.delivered ?? 0));

  const again = await seen(await start());
  expect(again.curves?.find(({ muster_id }) => muster_id === curve?.muster_id)?.points).toEqual(
    expect.arrayContaining([...(curve?.points ?? [])]),
  );
  const known = afterSnapshot(EMPTY_STATE, again, 0);
  expect(known.tallies.get(destination)?.delivered).toBeGreaterThanOrEqual(tally?.delivered ?? 0);
  expect(known.tallies.get(destination)?.tookMs).toEqual(expect.arrayContaining(tally?.took_ms.slice(-10) ?? []));
  expect(known.curves.get(curve?.muster_id ?? '')?.length).toBeGreaterThan(3);
});
