/** Help that fits a screen, and that says of each command when to use it, with an example whose output is real. [cli, help] */
import { afterAll, describe, expect, test } from 'vitest';
import { ALIASES, COMMANDS, FIRST_COMMANDS } from '../../src/cli/commands.ts';
import { USES } from '../../src/cli/uses.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

const folder = ownFolder();
const cwd = folder.path;
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  folder.remove();
});

describe('the help of the program', () => {
  test('fits one screen of 40 lines and 80 columns, first steps first', async () => {
    const { stdout } = await runHere(['--help']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(stdout.indexOf('First steps:')).toBeLessThan(stdout.indexOf('Commands:'));
    expect((await runHere([])).stdout).toBe(stdout);
  });

  test('names commands that there are, and aliases of commands that there are', async () => {
    const names = Object.keys(COMMANDS);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(FIRST_COMMANDS), ...Object.values(ALIASES)]));
    for (const [alias, name] of Object.entries(ALIASES)) {
      const { stdout } = await runHere([name, '--help']);
      expect((await runHere([alias, '--help'])).stdout).toBe(stdout);
      expect((await runHere(['help', alias])).stdout).toBe(stdout);
    }
  });
});

test('the help of each command ends with when to use it and an example', async () => {
  expect(Object.keys(USES).sort()).toEqual(Object.keys(COMMANDS).sort());
  for (const [name, { when, example }] of Object.entries(USES)) {
    const { stdout } = await runHere([name, '--help']);
    expect(stdout).toContain(`When to use it: ${when}`.slice(0, 40));
    expect(stdout).toContain(`sandbox ${example}`.slice(0, 40));
    expect(example.startsWith(name)).toBe(true);
    expect(when).toMatch(/[.?]$/);
  }
});

/** The lines with `…` as in the table; a line of it alone stands for any number of lines. */
const patternOf = (prints: readonly string[]): RegExp => {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  const lines = prints.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${literal(line)}\\s*\\n`));
  return new RegExp(`^${lines.join('')}`, 'm');
};

/** In their order: `init` after `list`, which lists a folder of its own where there is one; `stop` is another process's. */
const OF_A_SANDBOX = ['status', 'trigger', 'env', 'clock', 'world', 'strictness', 'snapshot', 'reset', 'dashboard'];
const ALONE = ['list', 'explain', 'run', 'init', 'validate', 'gaps', 'certify', 'mcp', 'doctor', 'version'];

test('what the examples print is what they print', async () => {
  for (const name of ALONE) await expectPrinted(name);
  const sandbox = await SandboxHere.up(['--watches', '20', '--seed', '1'], { cwd });
  ends.push(() => sandbox.stop());
  for (const name of OF_A_SANDBOX) await expectPrinted(name);
});

async function expectPrinted(name: string): Promise<void> {
  const { example, prints } = USES[name]!;
  const { stdout, stderr, code } = await runHere(example.split(' '), { cwd });
  expect(`${stdout}\n${stderr}`, name).toMatch(patternOf(prints));
  expect([name, code]).toEqual([name, 0]);
}
