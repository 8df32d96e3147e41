/** `up --tls` as strict clients meet it: what it prints, who trusts it, who is refused, and what stays at the next start. [cli, up --tls] */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { trustVariables } from '../../src/contract/banner.ts';
import { bundledScript } from '../helpers/bundles.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { serverTls } from '../helpers/server-tls.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { type EndedHere, runHere, StartedHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { COMMAND, cleanEnv, type ReadySandbox, RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
const dataDir = join(folder.path, 'data');
const FEW = ['--watches', '12'];

let sandbox: SandboxHere;
beforeAll(async () => {
  sandbox = await SandboxHere.up(['--tls', ...FEW, '--data-dir', dataDir]);
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

const env = (...args: string[]): Promise<EndedHere> => runHere(['env', '--data-dir', dataDir, ...args]);

const trusting = () => trustVariables(sandbox.ready.ca_file);

describe('what it prints', () => {
  test('is https and mqtts everywhere, and the file of the authority', async () => {
    const { api_url, mqtt_url, panel_url, ca_file, data_dir } = sandbox.ready;
    expect([api_url, mqtt_url, panel_url]).toEqual([
      expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^mqtts:\/\/127\.0\.0\.1:\d+$/),
      `${api_url}/panel`,
    ]);
    expect(ca_file).toBe(join(data_dir, 'ca.pem'));
    expect(JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8')).data).toEqual(sandbox.ready);
    const { body } = await sandbox.call('GET', '/v1/nowhere', await sandbox.token());
    expect(body.type).toBe(`${api_url}/problems/not-found`);
    const asyncapi = await sandbox.call('GET', '/asyncapi.json', '');
    expect(asyncapi.body.servers.sandbox).toMatchObject({ protocol: 'mqtts' });
  });

  test('is in each format of env', async () => {
    const variables = Object.entries(trusting());
    expect(variables.map(([name]) => name).slice(0, 3)).toEqual([
      ...['SANDBOX_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
    ]);
    const [dotenv, sh, github, json, envelope] = await Promise.all(
      [[], ['--format', 'sh'], ['--format', 'github'], ['--format', 'json'], ['--json']].map((args) => env(...args)),
    );
    for (const [name, file] of variables) {
      expect(dotenv?.stdout).toContain(`${name}=${file}\n`);
      expect(sh?.stdout).toContain(`export ${name}=${file}\n`);
      expect(github?.stdout).toContain(`${name}=${file}\n`);
    }
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject(trusting());
    expect(JSON.parse(envelope?.stdout ?? '').data).toMatchObject(trusting());
  });

  unless(withoutWhole).test('has a line of the banner about trust', async () => {
    const child = spawn(
      process.execPath,
      [...COMMAND, 'up', '--tls', ...FEW, '--memory', '--port', '0', '--mqtt-port', '0'],
      {
        cwd: folder.path,
        env: cleanEnv(),
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let text = '';
    await new Promise<void>((done) =>
      child.stdout.on('data', (bytes) => {
        text += bytes;
        if (text.includes('Ctrl-C')) done();
      }),
    );
    child.kill();
    await new Promise((done) => child.once('close', done));
    expect(text).toMatch(/^ {2}CA {8}(\S+ca\.pem) {3}NODE_EXTRA_CA_CERTS=\1$/m);
    expect(text).toContain('--cacert $SANDBOX_CA_FILE');
  });

  test('has none of it without --tls', async () => {
    const plain = await SandboxHere.up([...FEW, '--data-dir', join(folder.path, 'plain')]);
    const { stdout } = await runHere(['env', '--data-dir', plain.ready.data_dir]);
    await plain.stop();
    expect([Object.hasOwn(plain.ready, 'ca_file'), /CA_|CERT/.test(stdout)]).toEqual([false, false]);
    expect(existsSync(join(plain.ready.data_dir, 'ca.pem'))).toBe(false);
  });
});

describe('the folder', () => {
  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

  test('keeps the authority at a restart, private, and renews the certificate for other names', async () => {
    const place = join(folder.path, 'kept');
    const start = (...args: string[]) => SandboxHere.up(['--tls', ...FEW, '--seed', '7', '--data-dir', place, ...args]);
    const first = await start();
    const ca = first.ca;
    expect(modeOf(join(place, 'authority.pem'))).toBe('600');
    await first.stop();
    const second = await start('--public-url', 'https://sandbox.example');
    expect(second.ca).toBe(ca);
    expect(await namesOf(second)).toContain('DNS:sandbox.example');
    expect((await second.call('GET', '/v1/sandbox/clock', second.ready.control_token)).status).toBe(200);
    await second.stop();
    // Of an equal seed, in another folder.
    const third = await SandboxHere.up(['--tls', ...FEW, '--seed', '7', '--data-dir', `${place}-too`]);
    expect(third.ca).not.toBe(ca);
    await third.stop();
  });

  test('of a sandbox in memory is the one that sandbox.json names, and nothing of it stays', async () => {
    const [place, absent] = [join(folder.path, 'held'), join(folder.path, 'absent')];
    const memory = await SandboxHere.up(['--tls', '--memory', ...FEW, '--data-dir', absent]);
    const { ca_file = '', data_dir } = memory.ready;
    expect([dirname(ca_file), existsSync(ca_file), data_dir === absent]).toEqual([data_dir, true, false]);
    const found = await runHere(['status', '--data-dir', absent]);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('https:') });
    await memory.stop();
    expect([existsSync(data_dir), existsSync(absent)]).toEqual([false, false]);
    // A data folder that is there keeps the authority, which its user trusted once.
    mkdirSync(place);
    const there = () => SandboxHere.up(['--tls', '--memory', ...FEW, '--data-dir', place]);
    const one = await there();
    const { ca } = one;
    await one.stop();
    const next = await there();
    expect([next.ca, next.ready.data_dir]).toEqual([ca, place]);
    await next.stop();
  });

  test('with an authority that is damaged is refused, with the fix', async () => {
    const place = join(folder.path, 'damaged');
    mkdirSync(place, { mode: 0o700 });
    writeFileSync(join(place, 'authority.pem'), 'nothing of the kind');
    const { code, stderr } = await runHere([
      'up',
      '--tls',
      ...FEW,
      '--data-dir',
      place,
      '--port',
      '0',
      '--mqtt-port',
      '0',
    ]);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/authority\.pem is damaged[\s\S]*delete \S*authority\.pem/),
    ]);
    const doctor = await runHere(['doctor', '--data-dir', place]);
    expect([doctor.code, doctor.stdout]).toEqual([3, expect.stringMatching(/failed +certificate .*is damaged/)]);
  });
});

test('--tls with --node is refused', async () => {
  const node = ['--node', 'a', '--database', 'postgres://u:p@127.0.0.1:1/x', '--broker', 'mqtt://127.0.0.1:1'];
  const { code, stderr } = await runHere(['up', '--tls', ...node]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Leave out --tls or --node')]);
});

unless(withoutWhole).test('SANDBOX_TLS and the settings file are as the flag', async () => {
  const up = ['--memory', ...FEW, '--data-dir', join(folder.path, 'none')];
  const byVariable = await RunningSandbox.up(up, { env: { SANDBOX_TLS: '1' } });
  await byVariable.stop();
  const cwd = join(folder.path, 'project');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'sandbox.config.yaml'), 'tls: true\n');
  const bySettings = await RunningSandbox.up(up, { cwd });
  await bySettings.stop();
  expect([byVariable, bySettings].map(({ ready }) => new URL(ready.api_url).protocol)).toEqual(['https:', 'https:']);
});

test('watches of a fleet of its own connect over mqtts, and one under certify is judged there', async () => {
  const place = join(folder.path, 'fleetless');
  const quiet = await SandboxHere.up(['--tls', '--no-fleet', '--seed', '1', ...FEW, '--data-dir', place]);
  const fleet = await StartedHere.start(['fleet', '--watches', '2', '--json', '--data-dir', place]);
  expect(JSON.parse(fleet.stdout).data).toMatchObject({ broker_url: quiet.ready.mqtt_url, watches: 2 });
  await fleet.end('SIGTERM');
  const strange = await serverTls();
  onTestFinished(strange.remove);
  const refused = await runHere(['fleet', '--watches', '2', '--ca', strange.caFile, '--data-dir', place]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('could connect')]);

  const { serial = '' } = quiet.ready.watches.find(({ emulated }) => !emulated) ?? {};
  const device = `exec ${process.execPath} ${bundledScript(resolve(import.meta.dirname, '../proving/certify/watch/device.ts'))}`;
  const judge = ['certify', '--watch', serial, '--data-dir', place, '--start-command', device, '--only', 'W5,W12'];
  expect(await runHere(judge)).toMatchObject({ code: 0, stdout: expect.stringMatching(/mqtts:[\s\S]*2 passed/) });
  await quiet.stop();
});

unless(withoutWhole).test('a scenario that is played in it calls the API over https', async () => {
  const lines = ['up', '--tls', '--json', '--memory', ...FEW, '--speed', '300', '--scenario', 'fall-to-sos'];
  const child = spawn(process.execPath, [...COMMAND, ...lines, '--port', '0', '--mqtt-port', '0'], {
    cwd: folder.path,
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  await new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        text += bytes;
        if (/passed|failed/.test(text)) done();
      });
  });
  child.kill();
  await new Promise((done) => child.once('close', done));
  expect(text).toMatch(/passed/);
});

describe('a local receiver with a self-signed certificate', () => {
  const received = async () => {
    const tls = await serverTls();
    const paths: string[] = [];
    const server = createTlsServer({ cert: tls.cert, key: tls.key }, (request, response) => {
      paths.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      tls.remove();
    });
    return { paths, url: `https://localhost:${(server.address() as AddressInfo).port}` };
  };

  const delivered = async (...flags: string[]) => {
    const { paths, url } = await received();
    const forward = ['--forward', `receiver.example=${url}`];
    const running = await SandboxHere.up([
      '--memory',
      ...FEW,
      '--data-dir',
      join(folder.path, 'x'),
      ...forward,
      ...flags,
    ]);
    onTestFinished(() => running.stop());
    const token = await running.token();
    await running.call('POST', '/v1/webhooks', token, {
      url: 'https://receiver.example/hook',
      event_types: ['alert.*'],
    });
    await running.act({ action: 'sos', who: 'W-001' });
    const attempt = await running.printed(({ event }) => event === 'delivery-attempted');
    const found = ['--data-dir', running.ready.data_dir];
    const logs = await runHere(['logs', 'deliveries', ...found]);
    const explained = await runHere(['explain-delivery', String(attempt['delivery_id']), ...found]);
    return { attempt, paths, logs: logs.stdout, explained: explained.stdout };
  };

  test('gets deliveries with --skip-verify', async () => {
    const { attempt, paths } = await delivered('--skip-verify');
    expect([attempt, paths]).toEqual([expect.objectContaining({ result: 'delivered', status: 200 }), ['/hook']]);
  });

  test('gets none without it, and each place where one looks names the flag', async () => {
    const { attempt, paths, logs, explained } = await delivered();
    expect([attempt['result'], paths]).toEqual(['waiting', []]);
    const why = 'sandbox up --skip-verify accepts any certificate here';
    for (const text of [attempt['error'], logs, explained]) expect(text).toContain(why);
  });
});

test('listen takes deliveries from it to a local receiver', async () => {
  let body = '';
  const receiver = createServer((request, response) => {
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => response.end());
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const listening = await StartedHere.start(['listen', '--forward-to', url, '--data-dir', dataDir]);
  await listening.prints(/secret/);
  await sandbox.act({ action: 'sos', who: 'W-002' });
  await listening.prints(/alert\.created/);
  await listening.end();
  receiver.close();
  expect(body).toContain('alert.created');
});

/** Of the certificate that a client sees who calls the API. */
function namesOf({ ready, ca }: ReadySandbox): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(ready.api_url).port), ca: ca ?? '' });
  return new Promise((done, failed) => {
    socket.once('error', failed);
    socket.once('secureConnect', () => {
      done(socket.getPeerX509Certificate()?.subjectAltName ?? '');
      socket.destroy();
    });
  });
}
