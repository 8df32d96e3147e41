/** The data folder of the real command, changed from outside while it runs, damaged while it does not, and a stop in the middle of its boot. [decisions 10] */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { connectAsync } from 'mqtt';
import { afterAll, describe, expect, test } from 'vitest';
import { idFrom } from '../../src/base/ids.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { watchFlags } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { COMMAND, type ReadySandbox, RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());
let made = 0;
const newData = (): string => join(folder.path, `data-${++made}`);
const SMALL = ['--watches', '12', '--no-fleet'];

/** A press by a user's own watch; resolves with whether its PUBACK came. */
async function presser(sandbox: ReadySandbox): Promise<() => Promise<boolean>> {
  const watchOf = sandbox.ready.watches.find(({ emulated }) => !emulated) as ReadySandbox['ready']['watches'][number];
  const { serial, key: password, site_id } = watchOf;
  const client = await connectAsync(sandbox.ready.mqtt_url, {
    clientId: serial,
    username: serial,
    password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  });
  client.on('error', () => {});
  const closed = new Promise<boolean>((gone) => client.once('close', () => gone(false)));
  let seq = 0;
  return () => {
    const body = {
      id: idFrom('damage', serial, ++seq),
      session: 1,
      seq,
      t: new Date().toISOString(),
      with: 'watch_button',
    };
    const sent = client.publishAsync(`wt/v1/${site_id}/${serial}/up/event/sos`, JSON.stringify(body), { qos: 1 });
    return Promise.race([
      sent.then(
        () => true,
        () => false,
      ),
      closed,
    ]);
  };
}

describe('a data folder that is changed while the sandbox runs', () => {
  const changes: readonly [string, (data: string) => void, RegExp][] = [
    ['deleted', (data) => rmSync(data, { recursive: true }), /deleted or moved away/],
    ['moved', (data) => renameSync(data, `${data}-moved`), /deleted or moved away/],
    ['without its database', (data) => unlinkSync(join(data, 'world.db')), /The database was deleted/],
    ['without its -wal', (data) => unlinkSync(join(data, 'world.db-wal')), /write-ahead log .* deleted/],
    ['without its key', (data) => unlinkSync(join(data, 'key')), /The root key was deleted/],
    ['with another key', (data) => writeFileSync(join(data, 'key'), 'another\n'), /The root key was overwritten/],
    ['with an emptied database', (data) => truncateSync(join(data, 'world.db')), /The database was overwritten/],
  ];

  eachOf(changes, 7)(
    '(%s) stops it at once: no 2xx and no PUBACK more, exit 3, and it says why',
    async (_, change, why) => {
      const data = newData();
      const sandbox = await RunningSandbox.up(['--data-dir', data, ...SMALL]);
      const token = await sandbox.token();
      const press = await presser(sandbox);
      expect(await press()).toBe(true);
      const [alert] = (await sandbox.call('GET', '/v1/alerts', token)).body.data;
      change(data);
      const update = { status: 'acknowledged', actor: { name: 'Desk' } };
      const answer = (method: string, path: string, body?: unknown): Promise<number> =>
        sandbox.call(method, path, token, body).then(
          ({ status }) => status,
          // The process has gone already.
          () => 0,
        );
      const [pressed, ...answers] = await Promise.all([
        press(),
        answer('PATCH', `/v1/alerts/${alert.id}`, update),
        answer('GET', '/v1/alerts'),
        answer('GET', '/v1/sandbox/clock'),
      ]);
      expect(pressed).toBe(false);
      for (const status of answers) expect([0, 503]).toContain(status);
      const { code, stdout } = await sandbox.ended;
      expect(code).toBe(3);
      const { error } = JSON.parse(stdout.trim().split('\n').at(-1) as string);
      expect(error).toMatchObject({ code: 'data_folder_changed', message: expect.stringMatching(why) });
    },
  );
});

/** Folders of killed sandboxes by their arguments: each is made once, and every test damages a copy. */
const killed = new Map<string, Promise<{ data: string; token: string }>>();

/** A folder whose sandbox was killed after an SOS was acknowledged; answers its control token. */
async function killedSandbox(data: string, args: readonly string[] = []): Promise<string> {
  const key = args.join(' ');
  if (!killed.has(key)) {
    const template = newData();
    killed.set(
      key,
      killedAt(template, args).then((token) => ({ data: template, token })),
    );
  }
  const { data: from, token } = await killed.get(key)!;
  cpSync(from, data, { recursive: true, preserveTimestamps: true });
  return token;
}

async function killedAt(data: string, args: readonly string[]): Promise<string> {
  const sandbox = await RunningSandbox.up(['--data-dir', data, ...SMALL, ...args]);
  const press = await presser(sandbox);
  expect(await press()).toBe(true);
  await sandbox.stop('SIGKILL');
  return sandbox.ready.control_token;
}

const refusal = async (
  data: string,
  args: readonly string[] = [],
): Promise<{ code: string; message: string; fix: string }> => {
  const { code, stdout } = await runHere([
    'up',
    '--json',
    '--port',
    '0',
    '--mqtt-port',
    '0',
    '--data-dir',
    data,
    ...SMALL,
    ...args,
  ]);
  expect(code).toBe(3);
  const { error } = JSON.parse(stdout.trim().split('\n').at(-1) as string);
  return { ...error, fix: error.actions.join(' ') };
};

const corrupt = (data: string, statement: string): void => {
  const vandal = new Database(join(data, 'world.db'));
  vandal.exec(statement);
  vandal.close();
};

describe('a data folder that was damaged while the sandbox did not run', () => {
  const damages: readonly [string, (data: string) => void, RegExp, 'world stays' | 'world is new'][] = [
    ['no -wal', (data) => unlinkSync(join(data, 'world.db-wal')), /^\d+ commits since .* are lost/, 'world is new'],
    [
      'a cut -wal',
      (data) => truncateSync(join(data, 'world.db-wal'), statSync(join(data, 'world.db-wal')).size - 100),
      /^\d+ commits? since .* (is|are) lost/,
      'world stays',
    ],
    [
      'an empty database',
      (data) => truncateSync(join(data, 'world.db')),
      /is empty, and \d+ commits were in it/,
      'world is new',
    ],
    ['no key', (data) => unlinkSync(join(data, 'key')), /root key .* is missing/, 'world stays'],
    [
      'an alert that is no UTF-8',
      (data) => corrupt(data, `UPDATE documents SET body = CAST(x'7bff7d' AS TEXT) WHERE kind = 'alert'`),
      /1 stored row is lost.*not UTF-8/,
      'world stays',
    ],
    [
      'a worker that is no JSON',
      (data) => corrupt(data, `UPDATE documents SET body = 'x' WHERE kind = 'worker' AND body LIKE '%W-001%'`),
      /1 stored row is lost.*worker .* not JSON/,
      'world stays',
    ],
    [
      'an event that is no UTF-8',
      (data) => corrupt(data, `UPDATE events SET body = CAST(x'7bff7d' AS TEXT)`),
      /1 stored row is lost.*event .* not UTF-8/,
      'world stays',
    ],
  ];

  eachOf(damages, 7)(
    '(%s) is told with what is lost; --accept-loss goes on with a world that answers',
    async (_, make, lost, kept) => {
      const data = newData();
      const before = await killedSandbox(data);
      make(data);
      const { message, fix } = await refusal(data);
      expect(message).toMatch(lost);
      expect(fix).toContain('--accept-loss');
      const sandbox = await SandboxHere.up(['--data-dir', data, ...SMALL, '--accept-loss']);
      expect(sandbox.line.warnings.join(' ')).toMatch(/^Lost, and accepted: /);
      const token = await sandbox.token();
      for (const path of [
        '/v1/sites',
        '/v1/alerts',
        '/v1/events',
        '/v1/workers?limit=200',
        '/v1/devices?limit=200',
        '/v1/positions',
      ])
        expect([path, (await sandbox.call('GET', path, token)).status]).toEqual([path, 200]);
      const workers = (await sandbox.call('GET', '/v1/workers?limit=200', token)).body.data as {
        external_id: string;
      }[];
      expect(workers.map(({ external_id }) => external_id)).toContain('W-001');
      expect(await (await presser(sandbox))()).toBe(true);
      expect(kept === 'world stays' || sandbox.ready.control_token === before).toBe(true);
      await sandbox.stop();
      const again = await SandboxHere.up(['--data-dir', data, ...SMALL]);
      expect(again.line.warnings).toEqual([]);
      await again.stop();
    },
  );

  test('a key that follows from the seed is made again without a word', async () => {
    const data = newData();
    const before = await killedSandbox(data, ['--seed', '7']);
    unlinkSync(join(data, 'key'));
    const again = await SandboxHere.up(['--data-dir', data, ...SMALL, '--seed', '7']);
    expect(again.ready.control_token).toBe(before);
    expect(again.line.warnings).toEqual([]);
    await again.stop();
  });
});

describe('a stop while it boots', () => {
  const stops: readonly [NodeJS.Signals, string, number][] = [
    ['SIGTERM', 'lock', 0],
    ['SIGTERM', 'world.db', 0],
    ['SIGTERM', 'commits', 0],
    ['SIGHUP', 'key', 0],
    ['SIGINT', 'commits', 130],
  ];
  eachOf(stops, 5)(
    '(%s when %s appears) ends with exit code %i, and the folder opens again',
    async (signal, name, code) => {
      const data = newData();
      mkdirSync(data);
      const flags = ['--port', '0', '--mqtt-port', '0', '--data-dir', data, ...watchFlags(12)];
      const child = spawn(process.execPath, [...COMMAND, 'up', ...flags], { stdio: 'ignore' });
      const watcher = watch(data, (_event, file) => {
        if (file !== name) return;
        watcher.close();
        child.kill(signal);
      });
      const [exit, by] = await once(child, 'exit');
      expect([exit, by]).toEqual([code, null]);
      const again = await RunningSandbox.up(['--data-dir', data, ...watchFlags(12)]);
      expect(again.line.warnings).toEqual([]);
      expect((await again.stop()).code).toBe(0);
    },
  );
});
