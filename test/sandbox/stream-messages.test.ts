/** A real sandbox sends a snapshot and a change of every subject, and each fits the schema that readers and OpenAPI take. [decisions 9] */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ActionBody } from '../../src/contract/actions.ts';
import { check } from '../../src/contract/check.ts';
import { StreamChange, StreamSnapshot } from '../../src/contract/stream.ts';
import { EventReader } from '../../src/dashboard/stream.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

const SUBJECTS = [
  ...['person', 'worker', 'site', 'alert', 'muster', 'destination', 'delivery', 'clock', 'truth', 'event'],
  'destination gone',
];

test('every message of a real sandbox fits its schema', async () => {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  ends.push(() => receiver.close());
  const forwards = new Map([['receiver.example', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`]]);
  const sandbox = await startSandbox({ memory: true, seed: '1', watches: 12, port: 0, mqttPort: 0, forwards });
  ends.push(() => sandbox.stop());
  const { api_url, control_token, clients } = sandbox.ready;
  const client = clients[0]!;

  const hangUp = new AbortController();
  ends.push(() => hangUp.abort());
  const stream = await fetch(`${api_url}/v1/sandbox/stream?truth=true`, {
    headers: { authorization: `Bearer ${control_token}` },
    signal: hangUp.signal,
  });
  const missing = new Set(SUBJECTS);
  let onDelivery = (): void => {};
  const delivered = new Promise<void>((resolve) => {
    onDelivery = resolve;
  });
  const misfits: unknown[] = [];
  let snapshots = 0;
  const reading = (async (): Promise<void> => {
    const [reader, decoder] = [new EventReader(), new TextDecoder()];
    for await (const bytes of stream.body!) {
      for (const { event, data } of reader.take(decoder.decode(bytes as Uint8Array, { stream: true }))) {
        const message: unknown = JSON.parse(data);
        const checked = check(event === 'snapshot' ? StreamSnapshot : StreamChange, message);
        if (!checked.ok) misfits.push({ errors: checked.errors, message });
        if (event === 'snapshot') snapshots += 1;
        else {
          const { subject, gone } = message as { subject: string; gone?: string };
          missing.delete(gone === undefined ? subject : `${subject} gone`);
          if (subject === 'delivery') onDelivery();
        }
      }
      if (missing.size === 0) return;
    }
  })().catch(() => {});

  const call = async (token: string, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api_url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.status === 204 ? null : ((await answer.json()) as { id: string });
  };
  const act = async (body: ActionBody) => {
    const outcome = await sandbox.act(body);
    if (isRejection(outcome)) throw new Error(outcome.detail);
  };
  const form = { grant_type: 'client_credentials', client_id: client.client_id, client_secret: client.client_secret };
  const granted = await fetch(`${api_url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = (await granted.json()) as { access_token: string };

  const url = 'https://receiver.example/';
  const made = await call(access_token, 'POST', '/v1/webhooks', { url, event_types: ['alert.*'] });
  await act({ action: 'sos', who: sandbox.ready.watches.find(({ emulated }) => emulated)!.serial });
  await act({ action: 'start_muster', site: 'Terminal Puerto Alerce', kind: 'general', by: 'Lead' });
  await act({ action: 'privacy', site: 'Terminal Puerto Alerce', mode: 'on_demand' });
  await act({ action: 'contract', company: client.client_id, include_worker_names: false });
  // A delivery ends with its destination, and then there is no message of it.
  await delivered;
  await call(control_token, 'POST', '/v1/sandbox/clock', { advance: '1m' });
  await call(access_token, 'DELETE', `/v1/webhooks/${made!.id}`);
  await reading;
  expect([...missing]).toEqual([]);
  expect({ misfits, snapshots }).toEqual({ misfits: [], snapshots: 1 });
});
