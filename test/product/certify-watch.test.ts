/** `sandbox certify --watch`: what it prints and writes, and with which code it ends. [cli] */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, describe, expect, test } from 'vitest';
import { bundledScript } from '../helpers/bundles.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere, StartedHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const DEVICE = `exec ${process.execPath} ${bundledScript(resolve(import.meta.dirname, '../proving/certify/watch/device.ts'))}`;
const WATCH = ['certify', '--watch', 'ACME-0001', '--position-every', '1s', '--alarm-every', '500ms'];

describe.concurrent('sandbox certify --watch', () => {
  test('of a right watch ends with 0, in each form of report', async () => {
    const flags = ['--only', 'W1-6,W9,W12,W36-40', '--report', 'junit,html', '--out', folder.path];
    const { code, stdout } = await runHere([...WATCH, '--start-command', DEVICE, ...flags]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('13 passed')]);
    expect(stdout).toMatch(/^ {2}✓ W\d+ to W\d+$/m);
    const document = new DOMParser().parseFromString(readFileSync(join(folder.path, 'junit.xml'), 'utf8'), 'text/xml');
    expect(document.getElementsByTagName('testcase')[0]?.getAttribute('name')).toMatch(/^W01 It connects as itself/);
    const page = readFileSync(join(folder.path, 'report.html'), 'utf8');
    expect(page).toContain('<h1>Watch</h1>');
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
  });

  test('of a wrong watch ends with 1, with the packets around it', async () => {
    const args = ['--start-command', `MISTAKE=pulse ${DEVICE}`, '--only', 'W9,W36', '--json'];
    const { code, stdout } = await runHere([...WATCH, ...args]);
    const { data } = JSON.parse(stdout);
    expect([code, data.url, data.counts.failed]).toEqual([1, 'watch ACME-0001', 1]);
    expect(data.checks[1]).toMatchObject({ number: 'W36', result: 'failed', trace: expect.any(Array) });
    expect(data.checks[1].came_back).toContain('battery: /pulse');
  });

  test('a device without a harness is judged by what it does unasked', async () => {
    // Its stdin is closed to it: nothing that is asked for is answered.
    const args = ['--start-command', `${DEVICE} < /dev/null`, '--only', 'W5,W12', '--unattended'];
    const { code, stdout, stderr } = await runHere([...WATCH, ...args]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed, 1 not judged')]);
    expect(stderr).toContain('no harness');
    expect(stdout).toContain('it needs a wearer');
  });

  test('a command that ends is the environment’s trouble, with what it printed', async () => {
    const { code, stderr } = await runHere([...WATCH, '--start-command', 'echo no such module; exit 1']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('it ended with 1. It printed: no such module')]);
  });

  test('a watch that does not come is no failure: 3', async () => {
    const { code, stderr } = await runHere([...WATCH, '--start-timeout', '1s', '--mqtt-port', '0']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('nothing connected within 1 s')]);
  });

  test('--list prints its checks, with what they need', async () => {
    const { code, stdout } = await runHere([...WATCH, '--list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /W14 {2}What got no PUBACK is sent again, with the same id {2}\[watch-protocol .*needs a wearer/,
    );
    const { stdout: json } = await runHere([...WATCH, '--list', '--json']);
    expect(JSON.parse(json).data.checks).toHaveLength(40);
  });

  test.each([
    [['--watch', 'a/b'], 'is no serial'],
    [['--watch', 'A', 'http://127.0.0.1'], 'not both'],
    [['--watch', 'A', '--only', 'W41'], 'There is no check 41'],
    [['--watch', 'A', '--host', '0.0.0.0'], '--watch-key'],
    [['--watch', 'A', '--alarm-every', '2s'], 'at most half'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await runHere(['certify', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('Ctrl-C ends it with 130, and the device too', async () => {
    const pidFile = join(folder.path, 'device.pid');
    const args = [...WATCH, '--start-command', `echo $$ > ${pidFile}; ${DEVICE}`, '--only', 'W5,W22'];
    const judging = await StartedHere.start(args);
    // W5 is judged: the outage begins.
    await judging.prints(/How it connects/);
    expect(await judging.end()).toBe(130);
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
  });

  test('a watch of a sandbox that runs is judged before it', async () => {
    const dataDir = join(folder.path, 'running');
    const sandbox = await SandboxHere.up(['--data-dir', dataDir, '--seed', '1', '--watches', '12']);
    const { serial } = sandbox.ready.watches.find(({ emulated }) => !emulated) as { serial: string };
    const judge = (watch: string) =>
      runHere(['certify', '--watch', watch, '--data-dir', dataDir, '--start-command', DEVICE, '--only', 'W5,W12,W16']);
    const { code, stdout, stderr } = await judge(serial);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('3 passed'), '']);
    const { stderr: refused } = await judge(sandbox.ready.watches.find(({ emulated }) => emulated)?.serial ?? '');
    expect(refused).toContain(`Take one that it leaves to you: ${serial}`);
    await sandbox.stop();
  });

  test('a port that is taken is named', async () => {
    const file = join(folder.path, 'holder.mjs');
    writeFileSync(
      file,
      `import { createServer } from 'node:net'; createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); });`,
    );
    const holder = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = await new Promise<string>((done) => holder.stdout.once('data', (bytes) => done(String(bytes).trim())));
    const { code, stderr } = await runHere([...WATCH, '--mqtt-port', port]);
    holder.kill();
    expect([code, stderr]).toEqual([3, expect.stringContaining(`cannot listen at 127.0.0.1:${port}`)]);
  });
});
