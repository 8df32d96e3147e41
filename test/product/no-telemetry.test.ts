/** Nothing but this machine is contacted by the product's main commands: no telemetry, no look for updates. [cli] */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, withoutWhole } from '../helpers/whole.ts';
import { TestReceiver } from '../proving/certify/receiver.ts';
import { Receiver } from '../service/webhooks/receiver.ts';
import { COMMAND, cleanEnv, RunningSandbox, run } from './sandbox-process.ts';

const PRELOAD = join(import.meta.dirname, '../helpers/loopback-only.cjs');
const folder = ownFolder();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});
afterAll(() => folder.remove());

let file = '';
let count = 0;
beforeEach(() => {
  file = join(folder.path, `contacts-${++count}`);
});
/** The preload is also of every process that the command starts. */
const watched = () => ({ NODE_OPTIONS: `--require ${PRELOAD}`, CONTACTS: file });
const contacts = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

describe('the preload that watches', () => {
  eachOf(
    [
      ["import('node:net').then(({ connect }) => connect(9, '192.0.2.1').on('error', () => {}))", 'connect 192.0.2.1'],
      [
        "import('node:net').then((net) => new net.Socket().connect({ port: 9, host: 'example.com' }).on('error', () => {}))",
        'connect example.com',
      ],
      ["fetch('http://192.0.2.2/').catch(() => {})", 'connect 192.0.2.2'],
      ["fetch('https://example.org/').catch(() => {})", 'connect example.org'],
      [
        "import('node:dns/promises').then(({ lookup }) => lookup('example.net')).catch(() => {})",
        'dns lookup example.net',
      ],
      ["import('node:dns').then(({ resolve4 }) => resolve4('example.com', () => {}))", 'dns resolve4 example.com'],
      [
        "import('node:dgram').then(({ createSocket }) => createSocket('udp4').send('a', 9, '192.0.2.3'))",
        'send 192.0.2.3',
      ],
    ],
    4,
  )('sees `%s`', (code, contact) => {
    spawnSync(process.execPath, ['-e', code], { env: cleanEnv(watched()) });
    expect(contacts()).toEqual([contact]);
  });
});

describe('nothing outside of this machine is contacted by', () => {
  test('up, whose watches connect and whose events are forwarded and listened to', async () => {
    const receiver = await Receiver.start();
    ended.push(() => receiver.close());
    const place = ['--data-dir', join(folder.path, 'up')];
    const forward = ['--forward', `receiver.example=${receiver.url}`];
    const sandbox = await RunningSandbox.up([...place, ...forward, '--watches', '12'], { env: watched() });
    ended.push(() => sandbox.stop());
    const listening = spawn(
      process.execPath,
      [...COMMAND, 'listen', '--json', ...place, '--forward-to', new URL('/hook', receiver.url).href],
      {
        env: cleanEnv(watched()),
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    ended.push(async () => {
      const exit = once(listening, 'exit');
      if (listening.kill('SIGINT')) await exit;
    });
    const lines = createInterface({ input: listening.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const token = await sandbox.token();
    const destination = { url: 'https://receiver.example/hook', event_types: ['alert.*'] };
    expect((await sandbox.call('POST', '/v1/webhooks', token, destination)).status).toBe(201);
    await sandbox.act({ action: 'sos', who: 'W-001' });
    const wait = { delivery: 'https://receiver.example/hook', match: { status: 200 }, within: '20s' };
    expect((await sandbox.call('POST', '/v1/sandbox/wait', token, wait)).status).toBe(200);
    for (const end of ended.splice(0).reverse()) await end();
    expect(contacts()).toEqual([]);
  });

  unless(withoutWhole).test('run, of a scenario with receivers', async () => {
    const name = isWhole ? 'receiver-outage' : 'webhook-filters';
    const scenario = join(import.meta.dirname, `../../scenarios/${name}.scenario.yaml`);
    expect((await run(['run', scenario], { env: watched() })).code).toBe(0);
    expect(contacts()).toEqual([]);
  });

  unless(withoutWhole).test('certify, of a receiver on this machine', async () => {
    const receiver = await TestReceiver.start();
    const some = isWhole ? [] : ['--only', '1-12'];
    const words = ['certify', receiver.url.href, '--secret', 'whsec_of_the_test_receiver', ...some];
    expect((await run(words, { env: watched() })).code).toBe(0);
    await receiver.close();
    expect(contacts()).toEqual([]);
  });

  eachOf([['--version'], ['--help'], ['doctor'], ['openapi'], ['list'], ['gaps']], 6)('%s', async (...words) => {
    await run(words, { env: watched(), cwd: folder.path });
    expect(contacts()).toEqual([]);
  });
});
