/** Options of startSandbox are refused before anything starts, by their names, with how to write them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkedOptions } from '../../src/library/options.ts';
import type { SandboxOptions } from '../../src/library/types.ts';
import { inOptions } from '../../src/sandbox/options/names.ts';
import { ownFolder } from '../helpers/own-folder.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const refusalOf = (options: unknown): string => {
  try {
    checkedOptions(options as SandboxOptions);
  } catch (error) {
    expect(error).toMatchObject({ name: 'OptionError', code: 'invalid_options' });
    return (error as Error).message;
  }
  throw new Error(`These options were taken: ${JSON.stringify(options)}`);
};

describe('refused', () => {
  test.each<[unknown, string]>([
    [{ speed: 'fast' }, 'The option speed is "fast"; it must be a number. Write it as {speed: 60}.'],
    [{ speed: 0 }, 'The option speed is 0; it must be more than 0. Write it as {speed: 60}.'],
    [{ port: 65_536 }, 'The option port is 65536; it must be between 0 and 65535. Write it as {port: 0}.'],
    [{ mqttport: 0 }, 'There is no option "mqttport". Did you mean "mqttPort"?'],
    [{ wherever: 0 }, 'There is no option "wherever".'],
    [
      { ambient: 'bussy' },
      'The option ambient is "bussy"; it must be one of "calm", "busy"; did you mean "busy"? Write it as {ambient: \'busy\'}.',
    ],
    [
      { memory: true, database: 'postgres://127.0.0.1/x' },
      'The option memory keeps nothing, and database says where to keep it. Leave out one of the two.',
    ],
    [
      { truth: 'a', fleet: false },
      'The option truth is about emulated watches, and fleet: false has none. Leave out one of the two.',
    ],
    [
      { database: 'mysql://a:secret@b/c' },
      'The option database is "mysql://...@b/c"; it must be the address of a Postgres database. Write it as {database: \'postgres://user:password@127.0.0.1:5432/name\'}.',
    ],
    [
      { assume: { retryy: 'delay' } },
      'The option assume has no switch "retryy". Did you mean "retry"? "npx sandbox gaps" lists them.',
    ],
    [{ assume: { retry: 'never' } }, 'The option assume.retry must be "offset" or "delay", not "never".'],
    [
      { credentials: { control_token: 'short' } },
      "The option credentials has a secret that is not of at least 16 characters of [A-Za-z0-9_]. Write it as {credentials: {control_token: '...'}}.",
    ],
    [{ site: 'nowhere.yaml' }, 'The option site names nowhere.yaml, which does not exist.'],
    [
      { onNotice: 'log' },
      'The option onNotice is "log"; it must be a function. Write it as {onNotice: (notice) => console.log(notice.kind)}.',
    ],
    [null, 'The options must be an object, as startSandbox({memory: true}), not null.'],
  ])('%j', (options, message) => {
    expect(refusalOf(options)).toBe(message);
  });

  test('all mistakes at once', () => {
    expect(refusalOf({ speed: 'fast', cors: 'localhost', prot: 1 })).toMatch(
      /^The options have 2 mistakes\.\n- .*speed.*\n- .*"prot"/,
    );
  });

  test('a site file with its lines', () => {
    const file = join(folder.path, 'plant.yaml');
    writeFileSync(file, 'site: Here\nzoness: []\n');
    expect(refusalOf({ site: file })).toMatch(/The option site names a file with mistakes:[\s\S]*plant\.yaml:2/);
  });
});

describe('taken', () => {
  test('as the sandbox has them; an undefined one is absent', () => {
    const forwards = { 'Receiver.example': 'http://127.0.0.1:3000' };
    const options = { seed: 7, start: new Date(0), forwards, port: undefined, cors: 'http://localhost:80/' };
    expect(checkedOptions(options).options).toEqual({
      seed: '7',
      start: 0,
      forwards: new Map([['receiver.example', 'http://127.0.0.1:3000']]),
      cors: 'http://localhost',
    });
  });
});

test('a message of the sandbox names options where it named flags', () => {
  expect(inOptions('Give another folder with --data-dir, or npm install --omit=optional.')).toBe(
    'Give another folder with the option dataDir, or npm install --omit=optional.',
  );
});
