/** `sandbox help`, and what an action takes. [cli] */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runHere } from './here.ts';
import { run } from './sandbox-process.ts';

describe('sandbox help', () => {
  test('a process of its own prints it too', async () => {
    const { code, stdout, stderr } = await run(['help', 'run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: sandbox run [options]');
  });

  test('--all lists every command with its flags, and a wrong flag gets the one that was meant', async () => {
    const { code, stdout } = await runHere(['help', '--all']);
    expect(code).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`^ {2}${name}( |$)`, 'm'));
    expect(stdout).toMatch(/^ {2}listen\n[\s\S]*?--forward-to/m);
    const named: string[] = stdout.match(/--[a-z][a-z-]*/g) ?? [];
    expect(named.filter((flag, i) => named.indexOf(flag) < i)).toEqual([]);
    const { commands } = JSON.parse((await runHere(['help', '--json'])).stdout).data;
    const flags = commands.flatMap(({ options }: { options: { flags: string }[] }) =>
      options.map((one) => /--[a-z][a-z-]*/.exec(one.flags)?.[0]),
    );
    expect([...new Set(flags)].filter((flag) => !named.includes(String(flag)))).toEqual([]);
    expect(await runHere(['help', '--al'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "--all"?'),
    });
  });

  test('each flag is on a page besides the table of all flags', async () => {
    const docs = join(import.meta.dirname, '../../docs');
    const texts = readdirSync(docs)
      .filter((name) => name.endsWith('.md') && name !== 'configuration.md')
      .map((name) => readFileSync(join(docs, name), 'utf8'));
    const pages = texts.join('\n');
    const { commands } = JSON.parse((await runHere(['help', '--json'])).stdout).data;
    const flags = new Set<string>(
      commands.flatMap(({ options }: { options: { flags: string }[] }) =>
        options.map((one) => /--[a-z][a-z-]*/.exec(one.flags)?.[0] ?? one.flags),
      ),
    );
    expect(texts.length).toBeGreaterThan(20);
    expect([...flags].filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(pages))).toEqual([]);
  });

  test('version prints what --version prints', async () => {
    const [{ stdout }, long] = await Promise.all([runHere(['version']), run(['--version'])]);
    expect(stdout).toBe(long.stdout);
    expect(JSON.parse((await runHere(['version', '--json'])).stdout)).toMatchObject({
      command: 'version',
      data: { version: stdout.trim() },
    });
  });

  test.each([
    [['help'], 'Usage: sandbox [options] [command]'],
    [['help', 'run'], 'Usage: sandbox run [options]'],
    [['help', 'fall'], '- fall: {who: ana'],
    [['help', 'delivery'], 'in a check'],
    [['trigger', 'fall', '--help'], '--answers-after  The time after which the worker answers, such as 10s'],
    [['trigger', 'api_fault', '-h'], 'sandbox trigger api_fault --status 503'],
  ])('%j', async (args, text) => {
    const { code, stdout, stderr } = await runHere(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(text);
  });

  test.each([
    [['help', 'falll'], 'Did you mean "fall"?'],
    [['help', 'valdate'], 'Did you mean "validate"?'],
    [['trigger', 'falll', '--help'], 'Did you mean "fall"?'],
  ])('%j is wrong usage, with what was meant', async (args, text) => {
    const { code, stdout, stderr } = await runHere(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(text);
  });

  test('as JSON lists every command with its options, one of them, or the fields of an action', async () => {
    const data = async (...args: string[]) => JSON.parse((await runHere([...args, '--json'])).stdout).data;
    const { commands } = await data('help');
    expect(commands.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['up', 'run', 'logs']));
    const [up] = (await data('help', 'up')).commands;
    expect(up.options).toContainEqual(expect.objectContaining({ flags: '--seed <n>', env: 'SANDBOX_SEED' }));
    expect((await data('trigger', 'sos', '--help')).fields).toContainEqual(
      expect.objectContaining({ flag: '--who', required: true }),
    );
  });
});
