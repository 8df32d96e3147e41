/** `--json` on every command: help lists it, and wrong usage is the envelope on the last line of stdout. [cli] */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { run } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

interface Line {
  readonly schema_version: number;
  readonly command: string;
  readonly status: string;
  readonly data: unknown;
  readonly error: { readonly code: string; readonly message: string; readonly actions: readonly string[] } | null;
}

/** The output with `--json`, in a folder where nothing is; by default in this process. */
async function jsonOf(args: readonly string[], how: typeof run | typeof runHere = runHere) {
  const { code, stdout } = await how([...args, '--json'], { cwd: folder.path });
  return { code, line: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Line };
}

/** Of these, the first of each kind is called in a process of its own too. */
const twice = <T extends readonly string[]>(calls: readonly T[]) => [
  ...calls.map((args) => ({ args, how: runHere })),
  ...calls.slice(0, 1).map((args) => ({ args, how: run })),
];

/** Wrong usage beyond an unknown flag, for each command that takes words. */
const WRONG: readonly string[][] = [
  ['run'],
  ['run', 'no.scenario.yaml'],
  ['run', 'first.scenario.yaml', '--orders', '5..1'],
  ['validate', 'no.scenario.yaml'],
  ['list', 'no.scenario.yaml'],
  ['explain', 'falll'],
  ['replay', 'no.jsonl', '--inputs'],
  ['trigger', 'soss'],
  ['trigger', 'sos', '--whom', 'ana'],
  ['dashboard', '--theme', 'pink'],
  ['logs', 'nothing'],
  ['env', '--format', 'xml'],
  ['fleet', '--shard', '9/4'],
  ['clock', 'backwards'],
  ['world', 'peeple'],
  ['snapshot', 'sav', 'one'],
  ['snapshot', 'save', '../one'],
  ['snapshot', 'load'],
  ['doctor', '--receiver', 'nowhere'],
  ['completion', 'csh'],
  ['completion', 'names', 'things'],
  ['exec'],
  ['up', '--cors', 'nowhere'],
  ['certify'],
  ['certify', 'nowhere'],
  ['explain-delivery', 'an-id', '--got', ' '],
  ['openapi', '--url', 'x'],
  ['asyncapi', '--url', 'x'],
  ['help', 'no-such-word'],
  ['nothing'],
];

describe('every command', () => {
  let commands: readonly { name: string; options: readonly { flags: string }[] }[] = [];
  beforeAll(async () => {
    const { line } = await jsonOf(['help']);
    commands = (line.data as { commands: typeof commands }).commands;
  });

  test('lists --json in its help', () => {
    expect(commands.length).toBeGreaterThan(15);
    const without = commands.filter(({ options }) => !options.some(({ flags }) => flags === '--json'));
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test('says wrong usage in the envelope, and nothing besides', async () => {
    const unknown = commands.map(({ name }) => [name, '--no-such-flag']);
    for (const { args, how } of [...twice(unknown), ...twice(WRONG)]) {
      const { code, line } = await jsonOf(args, how);
      const { command, status, data, schema_version } = line;
      expect([args, code, { command, status, data, schema_version }]).toEqual([
        args,
        2,
        { command: args[0], status: 'error', data: null, schema_version: 1 },
      ]);
      expect(line.error?.message).not.toBe('');
    }
  });

  test('of a sandbox that is not running says that in the envelope', async () => {
    for (const { args, how } of twice([
      ['clock'],
      ['env'],
      ['logs'],
      ['explain-delivery', 'an-id'],
      ['dashboard'],
      ['status'],
      ['stop'],
      ['world'],
      ['reset'],
      ['snapshot', 'save', 'one'],
      ['snapshot', 'load', 'one'],
      ['trigger', 'sos', '--who', 'W-001'],
    ])) {
      const { code, line } = await jsonOf(args, how);
      expect([args, code, line.status, line.error?.code]).toEqual([args, 3, 'error', 'no_sandbox']);
    }
  });
});

test('list says in the envelope which files have mistakes', async () => {
  writeFileSync(join(folder.path, 'broken.scenario.yaml'), 'scenario: Nothing happens\n');
  const { code, line } = await jsonOf(['list', 'broken.scenario.yaml']);
  expect([code, line.status, line.error?.code]).toEqual([2, 'error', 'invalid_file']);
  expect(line.error?.message).toContain('broken.scenario.yaml');
});

test('a word behind -- is not ours', async () => {
  const { code, stdout, stderr } = await runHere(['exec', '--watches', '3', '--', 'no-such-tool', '--json']);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('no-such-tool cannot be started');
});

test('the dashboard is a snapshot in the envelope, or one object a line', async () => {
  const sandbox = await SandboxHere.up(['--memory', '--watches', '4'], { cwd: folder.path });
  try {
    const found = { SANDBOX_URL: sandbox.ready.api_url, SANDBOX_CONTROL_TOKEN: sandbox.ready.control_token };
    const { code, stdout } = await runHere(['dashboard', '--once', '--json'], { env: found });
    const line = JSON.parse(stdout) as Line;
    expect([code, line.status, line.command]).toEqual([0, 'ok', 'dashboard']);
    expect(line.data).toMatchObject({ sites: expect.any(Array) });
  } finally {
    await sandbox.stop();
  }
});
