/** Every command that talks to a running sandbox does so over https, and verifies it: found by its folder, and by its address. [cli, up --tls] */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { serverTls } from '../helpers/server-tls.ts';
import { type Ended, RunningSandbox, run } from './sandbox-process.ts';

const folder = ownFolder();
const out = join(folder.path, 'recorded.scenario.yaml');

/** A command that calls the sandbox: its words, and what shows that it got an answer. */
interface CallingRow {
  readonly args: readonly string[];
  readonly stdout?: RegExp;
  readonly stderr?: RegExp;
  /** Default: 0. */
  readonly code?: number;
  /** It reads the data folder, and takes no address. */
  readonly isLocal?: true;
  /** Without an answer it says nothing, since a shell waits for it. */
  readonly isSilent?: true;
}

/** `elsewhere`: the test that covers it. `alone`: why it needs no running sandbox. */
type Row = CallingRow | { readonly elsewhere: string } | { readonly alone: string };

/** Of all commands, so that a new one without a row fails. */
const ROWS: Readonly<Record<string, Row>> = {
  up: { elsewhere: 'tls.test.ts' },
  exec: { elsewhere: 'tls.test.ts' },
  fleet: { elsewhere: 'tls.test.ts' },
  certify: { elsewhere: 'tls.test.ts' },
  record: { args: ['record', '--for', '100ms', '--out', out], stderr: /written to/ },
  replay: { args: ['replay', '--to', 'nowhere.example', '--since', '1m'], code: 2, stderr: /destination/ },
  trigger: { args: ['trigger', 'sos', '--who', 'W-001'], stdout: /W-001.*\/panel\/alerts\/[0-9a-f-]{36}/s },
  dashboard: { args: ['dashboard', '--once'], stdout: /SANDBOX .*people/s },
  listen: { args: ['listen', '--print-secret'], stdout: /^whsec_/ },
  logs: { args: ['logs', 'watches'], stdout: /online/ },
  'explain-delivery': { args: ['explain-delivery', 'nothing'], code: 2, stderr: /There is no delivery/ },
  strictness: { args: ['strictness'], stdout: /Nothing that production may refuse/ },
  env: { args: ['env'], stdout: /SANDBOX_CA_FILE=.*ca\.pem/, isLocal: true },
  clock: { args: ['clock'], stdout: /speed 1/ },
  status: { args: ['status'], stdout: /API\s+https:/ },
  stop: { elsewhere: 'the last test of this file' },
  world: { args: ['world', 'people'], stdout: /W-001/ },
  snapshot: { args: ['snapshot', 'save', 'kept'], stdout: /saved kept/ },
  reset: { args: ['reset'], stdout: /back to the beginning/ },
  doctor: { args: ['doctor', '--tls'], stdout: /runs at https:[\s\S]*ca\.pem is valid until/, isLocal: true },
  completion: { args: ['completion', 'names', 'people'], stdout: /W-001/, isSilent: true },
  run: { alone: 'it starts a sandbox for each run' },
  explore: { alone: 'it starts a sandbox for each run' },
  drill: { alone: 'it has no sandbox' },
  validate: { alone: 'it reads files' },
  list: { alone: 'it reads files' },
  explain: { alone: 'it reads the catalogue' },
  schema: { alone: 'it prints a document' },
  init: { alone: 'it writes files' },
  gaps: { alone: 'it reads the catalogue' },
  version: { alone: 'it prints the version' },
  openapi: { args: ['openapi'], stdout: /"url": "https:/, isLocal: true },
  asyncapi: { args: ['asyncapi'], stdout: /"protocol": "mqtts"/, isLocal: true },
};

const CALLING = Object.entries(ROWS).flatMap(([name, row]) => ('args' in row ? [[name, row] as const] : []));

let sandbox: RunningSandbox;
let stranger: Awaited<ReturnType<typeof serverTls>>;
beforeAll(async () => {
  stranger = await serverTls();
  sandbox = await RunningSandbox.up(['--tls', '--watches', '12', '--data-dir', join(folder.path, 'data')]);
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
const call = ({ args }: CallingRow, env: Record<string, string>): Promise<Ended> =>
  run(args, { cwd: folder.path, env });

function answered({ stdout = /^/, stderr = /^/, code = 0 }: CallingRow, ended: Ended): void {
  expect(ended).toMatchObject({
    ...{ code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) },
  });
}

test('each command has a row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(Object.keys(COMMANDS).sort());
});

test('a command that is said to need no sandbox does not look for one', () => {
  const cli = resolve(import.meta.dirname, '../../src/cli');
  const reaches = (file: string, seen = new Set<string>()): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    if (file === './running.ts') return true;
    const text = readFileSync(join(cli, file), 'utf8');
    return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.\/[^']+)'/g)].some(([, to = '']) => reaches(to, seen));
  };
  const wrong = Object.entries(ROWS).filter(([name, row]) => 'alone' in row && reaches(`./${name}.ts`));
  expect(wrong).toEqual([]);
});

describe.concurrent('a command that talks to a sandbox of https', () => {
  // A reset ends what others are in the middle of, and doctor looks at the receiver of each listen.
  const together = CALLING.filter(([name]) => !['reset', 'doctor'].includes(name));

  test.each(together)('%s finds it by its folder', async (_name, row) => {
    answered(row, await call(row, { SANDBOX_DATA_DIR: sandbox.ready.data_dir }));
  });

  test.each(together.filter(([, row]) => row.isLocal !== true))('%s finds it by its address', async (_name, row) => {
    answered(row, await call(row, byAddress(sandbox.ready.ca_file)));
  });

  test.each(together.filter(([, row]) => row.isLocal !== true))('%s verifies it', async (_name, row) => {
    for (const env of [byAddress(stranger.caFile), byAddress(undefined)]) {
      const { code, stdout, stderr } = await call(row, env);
      if (row.isSilent === true) expect([stdout, stderr]).toEqual(['', '']);
      else expect([code, stderr]).toEqual([3, expect.stringMatching(/unable to verify|SANDBOX_CA_FILE/)]);
    }
  });
});

test('doctor, reset, and then stop, reach it too', async () => {
  const doctor = ROWS['doctor'] as CallingRow;
  answered(doctor, await call(doctor, { SANDBOX_DATA_DIR: sandbox.ready.data_dir }));
  const row = ROWS['reset'] as CallingRow;
  answered(row, await call(row, { SANDBOX_DATA_DIR: sandbox.ready.data_dir }));
  answered(row, await call(row, byAddress(sandbox.ready.ca_file)));
  expect(await call(row, byAddress(stranger.caFile))).toMatchObject({ code: 3 });
  const stopped = await run(['stop'], { cwd: folder.path, env: { SANDBOX_DATA_DIR: sandbox.ready.data_dir } });
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('stopped: https://') });
  expect((await sandbox.ended).code).toBe(0);
});

test('a file that is no authority is named, with the fix', async () => {
  const cases = [
    [join(folder.path, 'none.pem'), 'does not exist'],
    [folder.path, 'is a folder'],
    [resolve(import.meta.filename), 'is not a PEM certificate'],
  ] as const;
  for (const [file, why] of cases) {
    const { code, stderr } = await run(['status'], { cwd: folder.path, env: byAddress(file) });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`SANDBOX_CA_FILE names ${file}, which ${why}`)]);
    expect(stderr).toContain('Give the ca.pem of that sandbox');
  }
});
