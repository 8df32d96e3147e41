/** Scenarios in a running sandbox, by the built command: one that plays in it, and one that is recorded there and played back. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere, StartedHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SCENARIO = `scenario: Somebody presses SOS
site:
  name: Guest plant
  origin: [43.3, -8.4]
  zones:
    Dock: {type: work_area, box: [0, 0, 200, 120]}
workers: {ana: {in: Dock}}
receivers: {erp: {}}
steps:
  - wait: 5s
  - sos: {who: ana}
  - expect: {delivery: erp, event: alert.created, result: delivered}
    within: 5s
`;

/** Resolves when the program has printed it on stderr. */
function printed({ stderr }: ChildProcess, words: string): Promise<string> {
  let reported = '';
  return new Promise((resolve) =>
    stderr?.on('data', (bytes: Buffer) => {
      reported += bytes;
      if (reported.includes(words)) resolve(reported);
    }),
  );
}

describe('sandbox up --scenario', () => {
  test('plays the scenario in the sandbox that it boots, tells its steps on stderr, and goes on', async () => {
    const file = join(folder.path, 'sos.scenario.yaml');
    writeFileSync(file, SCENARIO);
    const sandbox = await RunningSandbox.up(['--memory', '--watches', '12', '--speed', '20', '--scenario', file], {
      cwd: folder.path,
    });
    const reported = await printed(sandbox.child, 'the scenario passed');
    expect(reported).toContain('sos ana');
    expect(reported).toMatch(/✓ expect delivery erp of alert.created within 5s/);
    const { body } = await sandbox.call('GET', '/v1/sandbox/runs', await sandbox.token());
    expect(body.data).toMatchObject([{ scenario: 'sos', status: 'passed', steps_done: 3, failures: [] }]);
    expect((await sandbox.stop()).code).toBe(0);
  });

  test('refuses a scenario with mistakes before anything is booted', async () => {
    const file = join(folder.path, 'broken.scenario.yaml');
    writeFileSync(file, SCENARIO.replace('who: ana', 'who: anna'));
    const { code, stderr, stdout } = await runHere(['up', '--memory', '--port', '0', '--scenario', file]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('"anna" is not a worker or a crowd. Did you mean "ana"?');
  });
});

describe('sandbox record', () => {
  test('writes a draft of what was done until Ctrl-C, and sandbox run passes it', async () => {
    const dataDir = join(folder.path, 'data');
    const sandbox = await SandboxHere.up(['--data-dir', dataDir, '--watches', '12']);
    const out = join(folder.path, 'recorded.scenario.yaml');
    const recorder = await StartedHere.start(['record', '--out', out, '--data-dir', dataDir], { first: 'stderr' });
    await recorder.prints(/Ctrl-C ends it/, 'stderr');
    await runHere(['trigger', 'fall', '--who', 'W-001', '--answers', 'ok', '--data-dir', dataDir]);
    expect(await recorder.end()).toBe(0);
    expect(recorder.stderr).toMatch(/[23] steps, 1 of them expectations[\s\S]*play it with: sandbox run/);
    await sandbox.stop();
    expect(readFileSync(out, 'utf8')).toContain('fall: {who: ');
    const { code, stderr } = await runHere(['run', out]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 passed, 0 failed')]);
  });

  test('says what to do where no sandbox is running', async () => {
    const { code, stderr } = await runHere(['record', '--data-dir', join(folder.path, 'nothing')]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('Start one with: sandbox up')]);
  });
});
