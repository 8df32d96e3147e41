/** Files with secrets are for their owner's eyes only, whatever made them and with whatever mode; the ready file is there while the sandbox is. [cli, decisions 10] */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);
const FEW = ['--watches', '12', '--no-fleet'];

/** Every file below, with its mode. */
function modesIn(place: string): Record<string, string> {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [name, mode(join(parentPath, name))]));
}

const ready = join(folder.path, 'ready.json');

describe('what a killed sandbox has left', () => {
  const data = join(folder.path, 'data');
  // More watches than the ready line lists, so that there is a list of them all.
  const args = ['--data-dir', data, '--watches', '210', '--no-fleet'];
  const secrets = ['key', 'sandbox.json', 'watches.json', 'world.db', 'world.db-wal', 'world.db-shm'];
  beforeAll(async () => {
    const sandbox = await RunningSandbox.up([...args, '--ready-file', ready]);
    expect(modesIn(data)).toMatchObject(Object.fromEntries(secrets.map((name) => [name, '600'])));
    sandbox.child.kill('SIGKILL');
    await sandbox.ended;
  });

  test('the ready file is gone when the next one begins to start', async () => {
    expect(existsSync(ready)).toBe(true);
    // A start that fails leaves none.
    const failed = await runHere(['up', '--json', ...args, '--ready-file', ready, '--seed', '8']);
    expect([failed.code, existsSync(ready)]).toEqual([3, false]);
  });

  test('the files are 0600 again while the next one runs, where somebody had opened them to all', async () => {
    const left = Object.keys(modesIn(data));
    for (const name of left) chmodSync(join(data, name), 0o644);
    const again = await SandboxHere.up(args);
    const modes = modesIn(data);
    expect(Object.keys(modes)).toEqual(expect.arrayContaining(secrets));
    for (const name of secrets) expect([name, modes[name]]).toEqual([name, '600']);
    await again.stop();
  });
});

describe('the ready file', () => {
  const args = [...FEW, '--data-dir', join(folder.path, 'ready'), '--ready-file', ready];

  eachOf(
    [
      ['there was none', () => {}],
      ['one of another mode lies there', () => writeFileSync(ready, 'old', { mode: 0o666 })],
      [
        'it is a link to a file that all may read',
        () => {
          writeFileSync(join(folder.path, 'elsewhere.json'), 'old', { mode: 0o644 });
          symlinkSync(join(folder.path, 'elsewhere.json'), ready);
        },
      ],
    ],
    3,
  )('is 0600 and whole where %s, and gone after a clean stop', async (_where, prepare) => {
    prepare();
    const sandbox = await RunningSandbox.up(args);
    expect([mode(ready), JSON.parse(readFileSync(ready, 'utf8'))]).toEqual(['600', sandbox.line]);
    await sandbox.stop();
    expect([existsSync(ready), existsSync(join(folder.path, 'elsewhere.json'))]).toEqual([false, false]);
  });

  test('a ready file that cannot be written is reported, with what to do', async () => {
    mkdirSync(join(folder.path, 'a-folder'));
    const reported = await runHere([
      'up',
      ...FEW,
      '--memory',
      '--port',
      '0',
      '--mqtt-port',
      '0',
      '--ready-file',
      join(folder.path, 'a-folder'),
    ]);
    expect([reported.code, reported.stderr]).toEqual([3, expect.stringContaining('writable folder with --ready-file')]);
  });
});
