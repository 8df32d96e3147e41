/**
 * Makes the data folder that a release leaves behind, for the tests of upgrades:
 *
 *     node test/product/releases/make.mjs CHECKOUT NAME
 *
 * CHECKOUT is a checkout of the release, with its dependencies. Two folders follow: NAME was closed, NAME-killed was not.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';

const [checkout, name] = process.argv.slice(2);
if (checkout === undefined || name === undefined) throw new Error('node make.mjs CHECKOUT NAME');

for (const [ending, signal] of [
  ['', 'SIGINT'],
  ['-killed', 'SIGKILL'],
]) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-release-'));
  const ports = ['--port', '0', '--mqtt-port', '0'];
  // Nothing listens there: the deliveries stay pending, and nothing leaves the machine.
  const forward = ['--forward', 'receiver.example=http://127.0.0.1:9'];
  const made = ['--seed', 'release', '--watches', '6', '--start', '2026-11-01T08:00:00Z'];
  const args = [
    resolve(checkout, 'bin/sandbox.js'),
    'up',
    ...ports,
    '--data-dir',
    folder,
    ...made,
    ...forward,
    '--json',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { data } = JSON.parse(line);
  await live(data).catch((error) => {
    child.kill();
    throw error;
  });
  child.kill(signal);
  await once(child, 'exit');
  const place = join(import.meta.dirname, `${name}${ending}`);
  mkdirSync(place, { recursive: true });
  for (const file of ['world.db', 'world.db-wal', 'key', 'commits', 'sealed', 'made.json'])
    if (existsSync(join(folder, file)))
      writeFileSync(join(place, `${file}.gz`), gzipSync(readFileSync(join(folder, file)), { level: 9 }));
  rmSync(folder, { recursive: true });
}

/** An open alert, a resolved one, a destination that nobody answers at, and an active muster. */
async function live({ api_url, control_token, clients, watches }) {
  const ask = async (method, path, token, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${api_url}${path}`, { method, headers, ...init });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  const act = (action) => ask('POST', '/v1/sandbox/actions', control_token, action);
  const [{ client_id, client_secret }] = clients;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const issued = await fetch(`${api_url}/v1/oauth/token`, { method: 'POST', body: form });
  const { access_token } = await issued.json();
  const url = 'https://receiver.example/hook';
  await ask('POST', '/v1/webhooks', access_token, { url, event_types: ['alert.*', 'muster.*'] });
  const { data: sites } = await ask('GET', '/v1/sites', access_token);
  const worn = watches.find(
    ({ emulated, worker, site_id }) => emulated && worker !== null && sites.some(({ id }) => id === site_id),
  );
  const { result } = await act({ action: 'sos', who: worn.worker });
  await ask('PATCH', `/v1/alerts/${result.alert_id}`, access_token, {
    status: 'resolved',
    actor: { name: 'Shift lead' },
  });
  await act({ action: 'sos', who: worn.worker });
  await act({ action: 'start_muster', kind: 'general', site: worn.site_id, reason: 'Drill', by: 'Shift lead' });
  await ask('POST', '/v1/sandbox/clock', control_token, { advance: '3m' });
}
