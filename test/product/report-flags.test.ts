/** `--report` and `--out`: one form in every command, wrong words, folders that cannot be used, and the flags that were replaced. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { everyCommand } from '../../src/cli/commands.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());
const sandbox = (...args: string[]) => runHere(args, { cwd: folder.path });

const SCENARIO = `scenario: One alert
workers: [ana]
steps:
  - sos: ana
  - expect: {alert: sos}
    within: 1s
`;
writeFileSync(join(folder.path, 'one.scenario.yaml'), SCENARIO);
writeFileSync(join(folder.path, 'a-file'), '');
mkdirSync(join(folder.path, 'taken', 'junit.xml'), { recursive: true });

describe('every command with reports', () => {
  test('has the two flags, and no other flag names a file of a report', async () => {
    const flagsOf = new Map((await everyCommand()).map((one) => [one.name(), one.options.map(({ long }) => long)]));
    const reporting = [...flagsOf].filter(([, flags]) => flags.includes('--report'));
    expect(reporting.map(([name]) => name).sort()).toEqual(
      ['certify', 'compare', 'drill', 'explore', 'proxy', 'run', 'status', 'validate'].sort(),
    );
    for (const [name, flags] of reporting) expect([name, flags.includes('--out')]).toEqual([name, true]);
    for (const [name, flags] of flagsOf)
      expect([name, flags.filter((flag) => /^--(?:junit|html|csv|markdown|md)\b/.test(flag ?? ''))]).toEqual([
        name,
        [],
      ]);
  });

  test('names each file that it wrote, and keeps a folder with a space', async () => {
    const { code, stderr } = await sandbox('validate', 'one.scenario.yaml', '--out', 'my reports');
    expect([code, stderr]).toEqual([0, 'report  my reports/junit.xml\n']);
    expect(readdirSync(join(folder.path, 'my reports'))).toEqual(['junit.xml']);
  });

  test('takes --report twice as both kinds together', async () => {
    const { stderr } = await sandbox(...['run', 'one.scenario.yaml', '--report', 'junit', '--report', 'md']);
    for (const file of ['junit.xml', 'summary.md']) expect(stderr).toContain(`report  report/${file}\n`);
  });

  test('of several runs leaves no log of an earlier single run beside the common files', async () => {
    const isThere = () => existsSync(join(folder.path, 'twice', 'run.jsonl'));
    await sandbox('run', 'one.scenario.yaml', '--report', 'junit', '--out', 'twice');
    expect(isThere()).toBe(true);
    await sandbox('run', 'one.scenario.yaml', '--seeds', '1..2', '--report', 'junit', '--out', 'twice');
    expect(isThere()).toBe(false);
  });

  test('writes to the folder report without --out', async () => {
    const { stderr } = await sandbox('validate', 'one.scenario.yaml', '--report', 'junit');
    expect(stderr).toBe('report  report/junit.xml\n');
  });
});

describe('wrong words', () => {
  test.each<[args: string[], code: number, lines: string[]]>([
    [
      ['run', '--report', 'junti'],
      2,
      ['is not a report of run. Did you mean "junit"?', 'html, junit, json, md, github'],
    ],
    [['drill', '--report', 'xml'], 2, ['"xml" is not a report of drill.', 'There are html, json, csv.']],
    [['compare', '--report', 'markdown'], 2, ['"markdown" is not a report of compare.']],
    [['certify', '--list', '--report', 'markdown'], 2, ['Did you mean "md"?']],
    [['run', '--report', ''], 2, ['is not a report of run', 'html, junit, json, md, github']],
    [['run', '--out', ''], 2, ['--out must not be empty']],
    [['drill', '--report', 'pages/drill.html'], 2, ['Write: --report html --out pages']],
    [['run', '--report', 'build/junit.xml'], 2, ['Write: --report junit --out build']],
    [
      ['certify', 'http://127.0.0.1:1', '--junit', 'my out/c.xml', '--html=x.html'],
      2,
      ["--report junit,html --out 'my out'"],
    ],
    [['compare', '--html', 'pages/c.html'], 2, ['compare has no --html', 'Write: --report html --out pages']],
    [['proxy', '--to', 'http://127.0.0.1:1', '--junit', 'p.xml'], 2, ['Write: --report junit --out .']],
    [['drill', '--csv', 'a/runs.csv', '--csv-people', 'a/p.csv'], 2, ['Write: --report csv --out a']],
    [['run', 'one.scenario.yaml', '--junit', 'build/r.xml', '--html'], 2, ['Write: --report junit,html --out build']],
    [['explore', '--html', '--seed', '3'], 2, ['Write: --report html\n']],
    [['validate', 'one.scenario.yaml', '--html=v.html'], 2, ['The reports of validate are junit and github.']],
    [['run', 'one.scenario.yaml', '--out', 'a-file'], 3, ['--out a-file cannot be written', 'it is a file']],
    [['drill', '--out', 'a-file/x'], 3, ['a-file is a file', 'Name another folder with --out.']],
    [['drill', '--out', '/dev/null/x'], 3, ['/dev/null is a file']],
    [['validate', 'one.scenario.yaml', '--out', 'taken'], 3, ['junit.xml in it is a folder']],
  ])('%j are refused before any work, with what to write', async (args, code, lines) => {
    const refused = await sandbox(...args);
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    for (const line of lines) expect(refused.stderr).toContain(line);
  });

  test('a refusal leaves no folder behind', async () => {
    expect((await sandbox('drill', '--out', 'new/folder', '--people', '5', '--watches', '6')).code).toBe(2);
    expect(existsSync(join(folder.path, 'new'))).toBe(false);
  });
});

describe('the settings file', () => {
  const settings = (text: string) => writeFileSync(join(folder.path, 'sandbox.config.yaml'), text);
  afterAll(() => settings(''));

  test('may name kinds that a command does not have, and no flag that was replaced', async () => {
    settings('report: html, csv, junit\nout: from settings\n');
    const { code, stderr } = await sandbox('validate', 'one.scenario.yaml');
    expect([code, stderr]).toEqual([0, 'report  from settings/junit.xml\n']);
    settings('csv-people: tables/p.csv\n');
    const refused = await sandbox('validate', 'one.scenario.yaml');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/Write: report: csv\s+and: out: tables/)]);
  });
});
