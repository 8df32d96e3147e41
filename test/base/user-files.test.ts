/** Files of users as their editors and programs write them: byte order marks, line ends, other encodings, and mistakes in JSON. [decisions 9, Limits of scenario files] */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readJson } from '../../src/base/text/json-text.ts';
import { FILE_LIMITS, readMarkedText, readUserJson, readUserLines, readUserText } from '../../src/base/user-files.ts';
import { readRun } from '../../src/scenario/log/recorded-run.ts';
import { ownFolders } from '../helpers/own-folder.ts';

const own = ownFolders();
afterAll(own.remove);
const folder = own.next();
const LIMITS = { mostBytes: FILE_LIMITS.document };

function fileOf(content: string | Buffer): string {
  const file = join(folder, 'file');
  writeFileSync(file, content);
  return file;
}

test('a byte order mark is no part of a text, its lines or its value, and is kept where bytes count', () => {
  const file = fileOf('\ufeff{"a":\r\n1}\r\n');
  expect(readUserText(file, LIMITS)).toBe('{"a":\r\n1}\r\n');
  expect(readUserLines(file, LIMITS)).toEqual(['{"a":', '1}']);
  expect(readUserJson(file, LIMITS)).toEqual({ value: { a: 1 } });
  expect(readMarkedText(file, LIMITS)).toBe('\ufeff{"a":\r\n1}\r\n');
});

test('a log with the line ends of Windows has the lines that were written', () => {
  const head = '{"k":"head","t":0,"d":{"version":"0","scenario":"x","file":"x.scenario.yaml","seed":"1"}}';
  expect(readRun(fileOf(`\ufeff${head}\r\n{"k":"end","t":1}\r\n`)).lines).toEqual(
    readRun(fileOf(`${head}\n{"k":"end","t":1}\n`)).lines,
  );
});

const UTF_16 = 'is text in UTF-16. Save it in UTF-8';

test.each([
  ['little endian with its mark', Buffer.from('\ufeff{}', 'utf16le'), UTF_16],
  ['big endian with its mark', Buffer.from('\ufeff{}', 'utf16le').swap16(), UTF_16],
  ['little endian without a mark', Buffer.from('a: 1\n', 'utf16le'), UTF_16],
  ['big endian without a mark', Buffer.from('a: 1\n', 'utf16le').swap16(), UTF_16],
  ['Latin-1', Buffer.from('a: é\n', 'latin1'), 'is not text in UTF-8. Save it in UTF-8'],
])('a text in another encoding is refused by its name: %s', (_what, bytes, why) => {
  const file = fileOf(bytes);
  expect(readUserText(file, LIMITS)).toMatchObject({ why });
  expect(readUserJson(file, LIMITS)).toMatchObject({ why });
  expect(readUserLines(file, LIMITS)).toMatchObject({ why });
});

test('a name with an accent finds the file in each normal form', () => {
  mkdirSync(join(folder, 'plans'));
  writeFileSync(join(folder, 'plans', 'caf\u00e9.yaml'), 'a');
  writeFileSync(join(folder, 'plans', 'the\u0301.yaml'), 'b');
  expect(readUserText(join(folder, 'plans', 'cafe\u0301.yaml'), LIMITS)).toBe('a');
  expect(readUserText(join(folder, 'plans', 'th\u00e9.yaml'), LIMITS)).toBe('b');
});

test.each([
  ['', 'line 1, column 1, a value is missing'],
  ['{', 'line 1, column 2, the file ends, and a { is not closed'],
  ['{\n  "a": [1, 2\n', 'line 3, column 1, the file ends, and a [ is not closed'],
  ['{"a": 1,\r\n}', 'line 2, column 1, a } follows a comma. Delete the comma'],
  ['[1,\n 2,\n]', 'line 3, column 1, a ] follows a comma. Delete the comma'],
  ['{"a": 1\n "b": 2}', 'line 2, column 2, a comma or } is missing'],
  ['[1 2]', 'line 1, column 4, a comma or ] is missing'],
  ['{"a" 1}', 'line 1, column 6, a colon after the key is missing'],
  ['{a: 1}', 'line 1, column 2, a key in double quotes is missing'],
  ["{'a': 1}", 'line 1, column 2, a key in double quotes is missing'],
  ['{"a": }', 'line 1, column 7, a value is missing'],
  ['{"a": secret}', 'line 1, column 7, a value is neither a number, true, false or null, nor a text in double quotes'],
  ['{"a": 01}', 'line 1, column 7, a number is not in the form of JSON, such as -0.5'],
  ['{"a": "secret\n"}', 'line 1, column 7, a text in quotes does not end on its line, or has an escape'],
  ['{"a": "C:\\data"}', 'line 1, column 7, a text in quotes does not end on its line, or has an escape'],
  ['{ // why\n}', 'line 1, column 3, a comment begins, and JSON has none. Delete it'],
  ['{} {}', 'line 1, column 4, text follows the end'],
  [`${'['.repeat(100_000)}1 2`, 'line 1, column 100003, a comma or ] is missing'],
])('JSON with a mistake gets its place and reason, and no part of the text: %j', (text, message) => {
  const read = readJson(text);
  expect('why' in read ? read.why : read.value).toContain(`is not JSON: at ${message}`);
  expect(JSON.stringify(read)).not.toContain('secret');
});

test('whatever JSON.parse refuses has a place', () => {
  const whole = '{"a":[1,-2.5e+3,true,null,"\\u00e9\\n"],"b":{"c":{}},"d":[]}';
  expect(readJson(` ${whole}\r\n`)).toEqual({ value: JSON.parse(whole) });
  for (let at = 0; at < whole.length; at++)
    for (const text of [
      whole.slice(0, at),
      whole.slice(0, at) + whole.slice(at + 1),
      `${whole.slice(0, at)}\u0007${whole.slice(at)}`,
    ]) {
      const read = readJson(text);
      if ('why' in read)
        expect(read.why).toMatch(/^is not JSON: at line \d+, column \d+, a|^is not JSON: at line \d+, column \d+, t/);
    }
});
