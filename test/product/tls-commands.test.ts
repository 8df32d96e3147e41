/** Every command that talks to a running sandbox does so over https, and verifies it: found by its folder, and by its address. [cli, up --tls] */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { serverTls } from '../helpers/server-tls.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { answered, type CallingRow, callingRows } from './calling-commands.ts';
import { type EndedHere, runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
const out = join(folder.path, 'recorded.scenario.yaml');

const ROWS = callingRows({ out, tls: true });

const CALLING = Object.entries(ROWS).flatMap(([name, row]) => ('args' in row ? [[name, row] as const] : []));

let sandbox: SandboxHere;
let stranger: Awaited<ReturnType<typeof serverTls>>;
beforeAll(async () => {
  stranger = await serverTls();
  sandbox = await SandboxHere.up(['--tls', '--watches', '12', '--data-dir', join(folder.path, 'data')]);
});
afterAll(async () => {
  await sandbox.stop();
  stranger.remove();
  folder.remove();
});

const byAddress = (caFile: string | undefined) => ({
  SANDBOX_URL: sandbox.ready.api_url,
  SANDBOX_CONTROL_TOKEN: sandbox.ready.control_token,
  ...(caFile === undefined ? {} : { SANDBOX_CA_FILE: caFile }),
});

/** In a folder without a sandbox, so that the environment alone says where one is. */
const call = ({ args }: CallingRow, env: Record<string, string>): Promise<EndedHere> =>
  runHere(args, { cwd: folder.path, env });

test('each command has a row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(Object.keys(COMMANDS).sort());
});

test('a command that is said to need no sandbox does not look for one', () => {
  const cli = resolve(import.meta.dirname, '../../src/cli');
  const reaches = (file: string, seen = new Set<string>()): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    if (file === join(cli, 'running.ts')) return true;
    const imported = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
    return [...imported]
      .map(([, to = '']) => resolve(dirname(file), to))
      .some((path: string) => path.startsWith(cli) && reaches(path, seen));
  };
  const sources = readdirSync(cli, { recursive: true, encoding: 'utf8' });
  const sourceOf = (command: string): string => {
    const found = sources.filter((path) => path.endsWith(`/${command}.ts`));
    expect(found, command).toHaveLength(1);
    return join(cli, found[0] as string);
  };
  const wrong = Object.entries(ROWS).filter(([name, row]) => 'alone' in row && reaches(sourceOf(name)));
  expect(wrong).toEqual([]);
});

describe.concurrent('a command that talks to a sandbox of https', () => {
  // A reset ends what others are in the middle of, and doctor looks at the receiver of each listen.
  const together = CALLING.filter(([name]) => !['reset', 'doctor'].includes(name));

  eachOf(together, 6)('%s finds it by its folder', async (_name, row) => {
    answered(row, await call(row, { SANDBOX_DATA_DIR: sandbox.ready.data_dir }));
  });

  const remote = together.filter(([, row]) => row.isLocal !== true);
  eachOf(remote, 6)('%s finds it by its address', async (_name, row) => {
    answered(row, await call(row, byAddress(sandbox.ready.ca_file)));
  });

  eachOf(remote, 6)('%s verifies it', async (_name, row) => {
    for (const env of [byAddress(stranger.caFile), byAddress(undefined)]) {
      const { code, stdout, stderr } = await call(row, env);
      if (row.isSilent === true) expect([stdout, stderr]).toEqual(['', '']);
      else expect([code, stderr]).toEqual([3, expect.stringMatching(/unable to verify|SANDBOX_CA_FILE/)]);
    }
  });
});

test('doctor and reset reach it too', async () => {
  const doctor = ROWS['doctor'] as CallingRow;
  answered(doctor, await call(doctor, { SANDBOX_DATA_DIR: sandbox.ready.data_dir }));
  const row = ROWS['reset'] as CallingRow;
  answered(row, await call(row, { SANDBOX_DATA_DIR: sandbox.ready.data_dir }));
  answered(row, await call(row, byAddress(sandbox.ready.ca_file)));
  expect(await call(row, byAddress(stranger.caFile))).toMatchObject({ code: 3 });
});

unless(withoutWhole).test('stop reaches it too', async () => {
  const dataDir = join(folder.path, 'stopped');
  const other = await RunningSandbox.up(['--tls', '--no-fleet', '--data-dir', dataDir]);
  const stopped = await runHere(['stop'], { cwd: folder.path, env: { SANDBOX_DATA_DIR: dataDir } });
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('stopped: https://') });
  expect((await other.ended).code).toBe(0);
});

test('a file that is no authority is named, with the fix', async () => {
  const cases = [
    [join(folder.path, 'none.pem'), 'does not exist'],
    [folder.path, 'is a folder'],
    [resolve(import.meta.filename), 'is not a PEM certificate'],
  ] as const;
  for (const [file, why] of cases) {
    const { code, stderr } = await runHere(['status'], { cwd: folder.path, env: byAddress(file) });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`SANDBOX_CA_FILE names ${file}, which ${why}`)]);
    expect(stderr).toContain('Give the ca.pem of that sandbox');
  }
});
