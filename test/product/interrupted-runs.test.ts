/** `sandbox run` that is broken off, or whose processes die: every run has an end that is reported. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere, StartedHere } from './here.ts';
import { COMMAND, cleanEnv } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const scenario = (name: string, steps: string): string => {
  const file = join(folder.path, `${name}.scenario.yaml`);
  writeFileSync(
    file,
    `scenario: ${name}
site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
${steps}
`,
  );
  return file;
};
const quick = scenario('quick', '  - check: {alerts: open, count: 0}');
const wrong = scenario('wrong', '  - check: {alerts: open, count: 7}');
/** In real time it lasts until it is broken off. */
const slow = scenario('slow', '  - sos: {who: ana}\n  - wait: 20m');

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A receiver of the user's own, which says when a scenario is under way. */
async function receiver(): Promise<{ flag: string; received: (count: number) => Promise<void> }> {
  let count = 0;
  const waiting: { count: number; done: () => void }[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      count++;
      for (const one of waiting) if (count >= one.count) one.done();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return {
    flag: `erp=http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: (wanted) =>
      new Promise((done) => (count >= wanted ? done() : void waiting.push({ count: wanted, done }))),
  };
}

const IN_REAL_TIME = ['--mode', 'real', '--json'];
const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

/** The command as a process of its own. */
function began(args: readonly string[]) {
  const child = spawn(process.execPath, [...COMMAND, 'run', ...args, ...IN_REAL_TIME], {
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closing.push(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes;
  });
  const pid = child.pid as number;
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number,
    stderr,
    stdout,
  }));
  return { child, pid, ended };
}

/** The job processes that this one has begun; a clone has that of its transpiler besides. */
const jobsOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(' run -- '))
    .map((line) => Number.parseInt(line, 10));
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('Ctrl-C', () => {
  test('ends the runs of --jobs with the envelope: those that were done, those broken off, those not begun', async () => {
    const { flag, received } = await receiver();
    const words = [quick, slow, wrong, '--seeds', '1..2', '--jobs', '2', '--receiver', flag, '--verbose'];
    const running = await StartedHere.start(['run', ...words, ...IN_REAL_TIME], { first: 'stderr' });
    await Promise.all([running.prints(/quick\.scenario\.yaml/, 'stderr'), received(2)]);
    const children = jobsOf(process.pid);
    expect(children).toHaveLength(2);
    const code = await running.end('SIGINT');
    const { stderr } = running;
    const line = lastLine(running.stdout);
    expect({ code, status: line.status, error: line.error.code }).toEqual({
      code: 130,
      status: 'error',
      error: 'interrupted',
    });
    const reported = line.data.runs.map(
      (one: { file: string; seed: number; verdict: string; error: { code: string } }) => [
        ...[one.file, one.seed, one.verdict, one.error?.code ?? null],
      ],
    );
    expect(reported).toEqual([
      [quick, 1, 'passed', null],
      [quick, 2, 'passed', null],
      [slow, 1, 'error', 'interrupted'],
      [slow, 2, 'error', 'interrupted'],
    ]);
    expect(line.data.not_begun).toMatchObject([
      { file: wrong, seed: 1 },
      { file: wrong, seed: 2 },
    ]);
    expect(stderr).toContain('2 runs not begun:');
    expect(children.filter(isAlive)).toEqual([]);
  });

  unless(withoutWhole).test('ends a run without --jobs with the envelope too', async () => {
    const { flag, received } = await receiver();
    const { child, ended } = began([slow, quick, '--receiver', flag]);
    await received(1);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    const line = lastLine(stdout);
    expect({ code, status: line.status, error: line.error.code }).toEqual({
      code: 130,
      status: 'error',
      error: 'interrupted',
    });
    expect(line.data.runs).toMatchObject([{ file: slow, verdict: 'error' }]);
    expect(line.data.not_begun).toMatchObject([{ file: quick }]);
  });
});

describe('a job process', () => {
  test('a killed job process is an error of its run, and the next run gets a new one', async () => {
    const { flag, received } = await receiver();
    const ended = runHere(['run', slow, quick, '--jobs', '1', '--receiver', flag, ...IN_REAL_TIME]);
    await received(1);
    const [first = 0] = jobsOf(process.pid);
    process.kill(first, 'SIGKILL');
    const { code, stdout, stderr } = await ended;
    const line = lastLine(stdout);
    expect(code).toBe(3);
    expect(line.data.runs).toMatchObject([
      { file: slow, verdict: 'error', error: { code: 'process_died' } },
      { file: quick, verdict: 'passed', error: null },
    ]);
    expect(line).toMatchObject({ status: 'error', error: { code: 'process_died' } });
    expect(stderr).toContain('The process of this run ended by SIGKILL before the run was over.');
  });

  unless(withoutWhole).test('ends with the command that began it, however that ends', async () => {
    const { flag, received } = await receiver();
    const { child, pid } = began([slow, slow, '--seeds', '1..2', '--jobs', '2', '--receiver', flag]);
    await received(2);
    const children = jobsOf(pid);
    const ends = children.map((one) => gone(one));
    child.kill('SIGKILL');
    await Promise.all(ends);
    expect(children).toHaveLength(2);
  });
});

unless(withoutWhole).test('--fail-fast with --jobs says which runs were not begun', async () => {
  const { code, stdout, stderr } = await runHere(['run', wrong, quick, slow, '--jobs', '1', '--fail-fast', '--json']);
  const { data, status } = JSON.parse(stdout);
  expect({ code, status, runs: data.runs.length }).toEqual({ code: 1, status: 'ok', runs: 1 });
  expect(data.not_begun.map(({ file }: { file: string }) => file)).toEqual([quick, slow]);
  expect(stderr).toContain(`2 runs not begun:\n  ${quick}\n  ${slow}\n`);
});

/** Resolves when the process is gone: a shell waits for it, since it is not ours. */
const gone = async (pid: number): Promise<void> => {
  await once(spawn('tail', ['--pid', String(pid), '-f', '/dev/null'], { stdio: 'ignore' }), 'close');
};
