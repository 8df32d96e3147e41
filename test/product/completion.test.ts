/** `sandbox completion`: what a shell offers, in real shells where they are installed. [cli] */
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachOf } from '../helpers/each-of.ts';
import { withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { BIN, cleanEnv } from './sandbox-process.ts';

const folder = ownFolder();
let sandbox: SandboxHere;
/** Without blocking: the sandbox that answers is in this process. */
const program = promisify(execFile);
const env = () => cleanEnv({ PATH: `${folder.path}:${process.env['PATH'] ?? ''}` });

beforeAll(async () => {
  const command = join(folder.path, 'sandbox');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(command, 0o755);
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder.path, `completion.${shell}`), (await runHere(['completion', shell])).stdout);
  sandbox = await SandboxHere.up(['--watches', '12', '--seed', '1'], { cwd: folder.path });
  await runHere(['snapshot', 'save', 'before-the-fire'], { cwd: folder.path });
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

/** What is typed, and what is offered. */
const OFFERED: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [['tri'], ['trigger']],
  [
    ['env', '--format', ''],
    ['sh', 'dotenv', 'json', 'github', 'mosquitto-acl', 'mosquitto-passwords'],
  ],
  [['env', '--fo'], ['--format']],
  [['trigger', 'fal'], ['fall']],
  [
    ['trigger', 'fall', '--an'],
    ['--answers', '--answers-after'],
  ],
  [
    ['trigger', 'fall', '--answers', ''],
    ['ok', 'help', 'never'],
  ],
  [['trigger', 'fall', '--who', 'W-00'], [1, 2, 3, 4, 5, 6].map((n) => `W-00${n}`)],
  [
    ['snapshot', ''],
    ['save', 'load', 'list'],
  ],
  [['snapshot', 'load', ''], ['before-the-fire']],
  [['trigger', 'move', '--via', 'Tank'], ['Tank\\ Farm']],
  [['completion', 'z'], ['zsh']],
  [['exec', '--se'], ['--seed']],
];

unless(withoutPrograms('bash')).describe('bash', () => {
  const offered = async (typed: readonly string[]): Promise<string[]> => {
    const script = `source completion.bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _muster_sandbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await program('bash', ['-c', script, 'bash', 'sandbox', ...typed], {
      cwd: folder.path,
      env: env(),
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  };

  eachOf(OFFERED, 6)('%j: %j', async (typed, words) => {
    expect((await offered(typed)).sort()).toEqual([...words].sort());
  });

  test('takes the names of actions with hyphens', async () => {
    expect(await offered(['trigger', 'start-m'])).toEqual(['start_muster']);
    expect(await offered(['trigger', 'start-muster', '--ki'])).toEqual(['--kind']);
    expect(await offered(['explain', 'start-m'])).toContain('start_muster');
  });

  test('quotes names with blanks, also after the blank', async () => {
    expect(await offered(['trigger', 'enter', '--who', 'W-001', '--zone', 'Main'])).toEqual([
      'Maintenance\\ Shop',
      'Main\\ Quay',
    ]);
    expect(await offered(['trigger', 'enter', '--who', 'W-001', '--zone', 'Main\\ Q'])).toEqual(['Main\\ Quay']);
  });

  test('offers another person in a list, programs behind --, the shipped scenarios and files', async () => {
    expect(await offered(['trigger', 'fall', '--who', 'W-001', 'W-00'])).toContain('W-002');
    expect(await offered(['exec', '--', 'bas'])).toContain('bash');
    expect((await offered(['run', ''])).join()).toContain('fall-to-sos.scenario.yaml');
    expect(await offered(['up', '--ready-file', 'comp'])).toContain('completion.bash');
  });

  test('is quiet where no sandbox runs', async () => {
    const { stdout, stderr } = await program('bash', ['-c', 'sandbox completion names people'], {
      cwd: '/',
      env: env(),
    });
    expect([stdout, stderr]).toEqual(['', '']);
  });
});

unless(withoutPrograms('fish')).describe('fish', () => {
  eachOf(OFFERED, 12)('%j: %j', async (typed, words) => {
    const script = `source completion.fish; complete -C '${['sandbox', ...typed].join(' ')}'`;
    const { stdout } = await program('fish', ['--no-config', '-c', script], { cwd: folder.path, env: env() });
    const found = stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
    // Some versions of fish quote blanks here, and others only in the line.
    const plain = (all: readonly string[]) => all.map((word) => word.replace(/\\(.)/g, '$1')).sort();
    expect(plain(found.filter((word) => word !== ''))).toEqual(plain(words));
  });
});

unless(withoutPrograms('zsh')).describe('zsh', () => {
  test('takes the script', async () => {
    const { stderr } = await program('zsh', ['-f', '-n', join(folder.path, 'completion.zsh')]);
    expect(stderr).toBe('');
  });
});

test('every script knows every command and action', async () => {
  const { commands } = JSON.parse((await runHere(['help', '--json'])).stdout).data;
  const { actions } = JSON.parse((await runHere(['trigger', '--list', '--json'])).stdout).data;
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { script } = JSON.parse((await runHere(['completion', shell, '--json'])).stdout).data;
    const words = new Set<string>(script.split(/[\s'":]+/));
    const missing = [
      ...commands.map(({ name }: { name: string }) => name),
      ...actions.map(({ action }: { action: string }) => action),
    ].filter((word) => !words.has(word));
    expect([shell, missing]).toEqual([shell, []]);
  }
});
