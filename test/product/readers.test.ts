/** Who reads the output may go away at any time, and nothing ends by it; a disk that is full behind stdout is reported. [cli] */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { EventsFile } from '../../src/scenario/log/events-file.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownMachine, unlessMachine } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, watchFlags } from '../helpers/whole.ts';
import { SandboxHere } from './sandbox-here.ts';
import { BIN, COMMAND, RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SCENARIO = `scenario: Ana presses
site: {name: Plant, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: Dock}}
steps:
  - sos: {who: ana}
  - expect: {alert: sos, of: ana}
  - check: {alerts: open, count: COUNT}
`;

function scenario(name: string, count: number): string {
  const file = join(folder.path, `${name}.scenario.yaml`);
  writeFileSync(file, SCENARIO.replace('COUNT', String(count)));
  return file;
}

/** A command whose reader takes `lines` lines of the stream and then goes away, as \`head\` does. */
function readBy(args: readonly string[], lines: number, which: 'stdout' | 'stderr' = 'stdout'): Promise<number | null> {
  const child = spawn(process.execPath, [...COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  goAwayAfter(child, lines, which);
  child[which === 'stdout' ? 'stderr' : 'stdout'].resume();
  return new Promise((done) => child.once('exit', done));
}

function goAwayAfter(child: ChildProcess, lines: number, which: 'stdout' | 'stderr'): void {
  const stream = child[which] as NonNullable<ChildProcess['stdout']>;
  let seen = 0;
  if (lines === 0) return void stream.destroy();
  stream.on('data', (bytes: Buffer) => {
    seen += bytes.toString().split('\n').length - 1;
    if (seen >= lines) stream.destroy();
  });
}

describe('a scenario', () => {
  eachOf(
    [
      ['passes', 1, 0, 'stdout', 0],
      ['passes', 1, 1, 'stdout', 0],
      ['passes', 1, 0, 'stderr', 0],
      ['fails', 2, 0, 'stdout', 1],
      ['fails', 2, 1, 'stdout', 1],
    ] as const,
    5,
  )(
    'a scenario that %s does so with its reports, though (case %#) nobody reads on',
    async (_, count, lines, which, code) => {
      const out = join(folder.path, `${which}-${count}-${lines}`);
      expect(await readBy(['run', scenario(`s${count}`, count), '--out', out], lines, which)).toBe(code);
      expect(readdirSync(out).sort()).toEqual(
        expect.arrayContaining(['report.html', 'report.json', 'run.jsonl', 'summary.md']),
      );
    },
  );
});

eachOf([['stdout'], ['stderr']] as const, 2)(
  'a sandbox whose %s nobody reads any more goes on, and stops cleanly',
  async (which) => {
    const dataDir = join(folder.path, `data-${which}`);
    const sandbox = await RunningSandbox.up(['--data-dir', dataDir, ...watchFlags(12)]);
    onTestFinished(() => void sandbox.child.kill('SIGKILL'));
    sandbox.child[which]?.destroy();
    const who = sandbox.ready.watches.find(({ emulated }) => emulated)?.serial;
    // Each of them would be printed on the stream that is gone.
    for (const action of ['sos', 'call_request', 'fall']) expect((await sandbox.act({ action, who })).status).toBe(200);
    const { status } = await sandbox.call('GET', '/v1/sandbox/clock', sandbox.ready.control_token);
    expect(status).toBe(200);
    expect(existsSync(join(dataDir, 'sandbox.json'))).toBe(true);
    expect((await sandbox.stop()).code).toBe(0);
    expect(existsSync(join(dataDir, 'sandbox.json'))).toBe(false);
  },
);

test('a log that is followed ends when nobody reads it', async () => {
  const dataDir = join(folder.path, 'followed');
  const sandbox = await SandboxHere.up(['--data-dir', dataDir, ...watchFlags(12)]);
  const who = sandbox.ready.watches.find(({ emulated }) => emulated)?.serial;
  await sandbox.act({ action: 'sos', who });
  const child = spawn(process.execPath, [...COMMAND, 'logs', 'events', '--follow', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const code = new Promise((done) => child.once('exit', done));
  await new Promise((done) => child.stdout.once('data', done));
  child.stdout.destroy();
  await sandbox.act({ action: 'call_request', who });
  expect(await code).toBe(0);
  await sandbox.stop();
});

const withoutFullDevice = unlessMachine(existsSync('/dev/full'), '/dev/full', 'run on Linux');

unless(withoutFullDevice).describe('a full disk behind stdout', () => {
  const shell = (command: string) =>
    new Promise<{ code: number | null; stderr: string }>((done) => {
      const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (bytes: Buffer) => {
        stderr += bytes;
      });
      child.once('close', (code) => done({ code, stderr }));
    });

  eachOf([[`run ${scenario('full', 1)} --json`], ['list --json'], [`validate ${scenario('full', 1)}`]], 3)(
    'ends %s with exit 3, and is reported',
    async (args) => {
      const { code, stderr } = await shell(`"${process.execPath}" "${BIN}" ${args} > /dev/full`);
      expect(stderr).toContain('The output cannot be written: ');
      expect(code).toBe(3);
    },
  );
});

test('without a reader from its beginning a command does what it does', async () => {
  if (isWhole) expect(await readBy(['list'], 0)).toBe(0);
  expect(await readBy(['validate', join(folder.path, 'nothing.yaml')], 0)).toBe(2);
});

unless(
  ownMachine,
).test('a working folder that goes away meanwhile ends nothing either: the reports stand where they were to stand', async () => {
  const cwd = mkdtempSync(join(folder.path, 'gone-'));
  const file = scenario('in-real-time', 1);
  const child = spawn(process.execPath, [...COMMAND, 'run', file, '--mode', 'real', '--out', 'first'], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const code = new Promise((done) => child.once('exit', done));
  // The first line is printed when the scenario begins.
  await new Promise((done) => child.stderr.once('data', done));
  child.stderr.resume();
  // The run makes its folder meanwhile.
  rmSync(cwd, { recursive: true, maxRetries: 10 });
  expect(await code).toBe(0);
  expect(existsSync(join(cwd, 'first', 'report.html'))).toBe(true);
});

test('a working folder that is gone before the command begins is named, without a stack trace', async () => {
  const cwd = mkdtempSync(join(folder.path, 'before-'));
  const command = `rmdir "$PWD" && exec ${process.execPath} ${BIN} validate nothing.yaml`;
  const child = spawn('sh', ['-c', command], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
  expect(await new Promise((done) => child.once('close', done))).toBe(3);
  expect(printed).toBe('The working folder of this terminal does not exist any more. Change to another one: cd\n');
});

const REMOVER = `const { rmSync } = require('node:fs');
process.stdout.write('begun');
for (;;) try { rmSync(process.argv[1], { recursive: true }) } catch {}`;

test('a folder that another program removes again and again is made again until its file is open', async () => {
  const out = join(folder.path, 'out');
  const remover = spawn(process.execPath, ['-e', REMOVER, out], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((begun) => remover.stdout.once('data', begun));
  try {
    for (let n = 0; n < (isWhole ? 1_000 : 100); n++) new EventsFile(out).close();
  } finally {
    const ended = new Promise((done) => remover.once('exit', done));
    remover.kill('SIGKILL');
    expect(await ended).toBe(null);
  }
});
