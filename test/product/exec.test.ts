/** `sandbox exec -- CMD`: the command gets a sandbox of its own, and its exit code is the answer. [cli] */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { BIN, COMMAND, cleanEnv } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const FEW = ['--watches', '3'];
const exec = (...args: string[]) => runHere(['exec', ...FEW, ...args], { cwd: folder.path });
/** What its command writes goes to the stdout of the process, so it is written to a file. */
const OUT = join(folder.path, 'out.txt');
const written = (): string => readFileSync(OUT, 'utf8');
const node = (script: string) => ['--', process.execPath, '-e', script];

describe('the command of exec', () => {
  test('has the addresses and credentials, and the sandbox answers while it runs and no longer', async () => {
    const { code, stderr } = await exec(
      ...node(`
        const e = process.env;
        const body = (n) => new URLSearchParams({ grant_type: 'client_credentials',
          client_id: e['SANDBOX_CLIENT_ID' + n], client_secret: e['SANDBOX_CLIENT_SECRET' + n] });
        const status = async (n) => (await fetch(e.SANDBOX_API_URL + '/v1/oauth/token', { method: 'POST', body: body(n) })).status;
        Promise.all([status(''), status('_2')]).then((all) => require('node:fs').writeFileSync(${JSON.stringify(OUT)}, JSON.stringify([all, e.SANDBOX_API_URL, e.SANDBOX_MQTT_URL, e.SANDBOX_PANEL_URL])));
      `),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [statuses, api, mqtt, panel] = JSON.parse(written());
    expect([statuses, mqtt, panel]).toEqual([[200, 200], expect.stringMatching(/^mqtt:/), `${api}/panel`]);
    await expect(fetch(api)).rejects.toThrow();
    expect(existsSync(join(folder.path, '.sandbox'))).toBe(false);
  });

  test('finds the sandbox by its own commands', async () => {
    const trigger = `"${process.execPath}" "${BIN}" trigger sos --who W-001 > "${OUT}"`;
    expect([(await exec('--', 'sh', '-c', trigger)).code, written()]).toEqual([0, expect.stringContaining('sos')]);
  });

  eachOf(
    [
      ['its exit code', ['--', 'sh', '-c', 'exit 7'], 7],
      ['128 and the signal that ended it', ['--', 'sh', '-c', 'kill -9 $$'], 137],
      ['3 where there is no such program', ['--', 'no-such-program'], 3],
      ['3 where the sandbox cannot start', ['--host', '203.0.113.7', '--', 'true'], 3],
      ['2 without a command', ['--'], 2],
      ['2 for a flag that up does not have', ['--whatever', '--', 'true'], 2],
    ],
    6,
  )('answers %s', async (_words, args, code) => {
    const ended = await exec(...args);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
  });

  unless(withoutWhole).test('keeps the state where --data-dir says so', async () => {
    const kept = ['--data-dir', 'kept'];
    const trigger = `"${process.execPath}" "${BIN}" trigger sos --who W-001 > "${OUT}"`;
    expect((await exec(...kept, '--', 'sh', '-c', trigger)).code).toBe(0);
    const status = `"${process.execPath}" "${BIN}" status --json > "${OUT}"`;
    const { code } = await exec(...kept, '--', 'sh', '-c', status);
    expect([code, JSON.parse(written()).data.alerts.open]).toEqual([0, 1]);
  });

  test('gets a signal once, and the sandbox stands until it has ended', async () => {
    const notes = join(folder.path, 'signals.txt');
    writeFileSync(notes, '');
    const script = `
      const fs = require('node:fs');
      process.on('SIGINT', async () => {
        fs.appendFileSync(${JSON.stringify(notes)}, 'signal ');
        setTimeout(async () => {
          const { status } = await fetch(process.env.SANDBOX_API_URL + '/health');
          fs.appendFileSync(${JSON.stringify(notes)}, String(status));
          process.exit(5);
        }, 300);
      });
      console.log('up');
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, [...COMMAND, 'exec', ...FEW, ...node(script)], {
      cwd: folder.path,
      env: cleanEnv(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((done) => child.stdout.once('data', done));
    child.kill('SIGINT');
    const code = await new Promise((done) => child.once('close', done));
    expect([code, readFileSync(notes, 'utf8')]).toEqual([5, 'signal 200']);
  });
});

test('a command that ends with its stdin ends the sandbox of a test runner that was killed, and nothing is left', async () => {
  const temporary = join(folder.path, 'temporary');
  mkdirSync(temporary);
  const keeper = 'console.log(process.env.SANDBOX_API_URL); process.stdin.resume()';
  const child = spawn(process.execPath, [...COMMAND, 'exec', ...FEW, ...node(keeper)], {
    cwd: folder.path,
    env: cleanEnv({ TMPDIR: temporary }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = String(await new Promise((done) => child.stdout.once('data', done))).trim();
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(readdirSync(temporary)).toHaveLength(1);
  // What the system does with the pipe of a killed process.
  child.stdin.destroy();
  expect(await new Promise((done) => child.once('close', done))).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
  expect(readdirSync(temporary)).toEqual([]);
});

test('what cannot start is reported in the envelope with --json', async () => {
  const { code, stdout } = await exec('--json', '--', 'no-such-program');
  expect([code, JSON.parse(stdout).error.code]).toEqual([3, 'command_not_started']);
});
