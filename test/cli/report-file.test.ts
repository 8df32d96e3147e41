/** Report files are written whole or not at all. [cli] */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Outage } from '../../src/base/assert.ts';
import { makeFolder, writeReportFile } from '../../src/cli/report-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'report-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('makes its folder, and replaces an earlier report', () => {
  const file = join(folder, 'a', 'b', 'report.html');
  for (const text of ['first', 'second']) writeReportFile(file, text);
  expect([readFileSync(file, 'utf8'), readdirSync(join(folder, 'a', 'b'))]).toEqual(['second', ['report.html']]);
});

test('writes through a link, which stays', () => {
  const [file, link] = [join(folder, 'real.html'), join(folder, 'link.html')];
  writeFileSync(file, 'first');
  symlinkSync(file, link);
  writeReportFile(link, 'second');
  expect([readFileSync(file, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['second', true]);
});

test('a folder that the system does not take is an error, and no endless search for its parents', () => {
  expect(() => makeFolder('/proc/muster/reports')).toThrow('ENOENT');
  expect([makeFolder(join(folder, 'new/deep')), makeFolder(join(folder, 'new/deep'))]).toEqual([
    join(folder, 'new'),
    undefined,
  ]);
});

test('a file that cannot be written is an outage with a fix', () => {
  mkdirSync(join(folder, 'taken'));
  for (const file of [join(folder, 'taken'), join(folder, 'real.html', 'report.html')])
    expect(() => writeReportFile(file, 'x')).toThrow(Outage);
});
