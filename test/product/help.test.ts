/** `sandbox help`, and what an action takes. [cli] */
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
    expect(await runHere(['help', '--al'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "--all"?'),
    });
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
