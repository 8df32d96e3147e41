/** `sandbox drill` as a command: figures on the terminal, JSON, tables and page, wrong words, processes, and Ctrl-C. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { WORKS } from '../proving/drill/layouts.ts';
import { runHere, StartedHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const file = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const works = file('works.yaml', WORKS);
const drill = (...args: string[]) => runHere(['drill', ...args], { cwd: folder.path });

interface Drilled {
  readonly data: {
    readonly layouts: readonly {
      readonly people: { readonly median: number };
      readonly safe_s: Record<'50_pct' | '90_pct' | '100_pct' | 'last', { readonly median: number | null }>;
      readonly each_run: readonly { readonly run: number; readonly seed: string }[];
      readonly points: readonly {
        readonly name: string;
        readonly excluded: boolean;
        readonly people: { readonly median: number };
      }[];
    }[];
    readonly difference: object | null;
  };
  readonly error: { readonly code: string; readonly message: string; readonly details: unknown } | null;
}
const json = (stdout: string): Drilled => JSON.parse(stdout) as Drilled;

describe('sandbox drill', () => {
  test('prints when whom is safe, in at most 120 columns', async () => {
    const { code, stdout, stderr } = await drill('--site', works, '--runs', '6', '--people', '40');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Old works: general drill, 40 people, 6 runs of seed 1\n/);
    expect(stdout).toMatch(/\n {2}90 % safe +\d+:\d\d +\d+:\d\d to \d+:\d\d +\d+:\d\d/);
    for (const title of ['By assembly point', 'By zone at the alarm', 'last of those who came'])
      expect(stdout).toContain(title);
    expect(stderr).toMatch(/\nDONE {2}6 runs {3}50 % safe \d+:\d\d {3}90 % safe \d+:\d\d {3}100 % safe .* s\n$/);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
  });

  test('gives the same bytes for a seed, in one process and in two, and fewer runs are the first of more', async () => {
    const flags = ['--site', works, '--people', '30', '--json'];
    const [one, two, other, fewer] = await Promise.all([
      drill(...flags, '--runs', '7', '--jobs', '1'),
      drill(...flags, '--runs', '7', '--jobs', '2'),
      drill(...flags, '--runs', '7', '--seed', '2'),
      drill(...flags, '--runs', '3'),
    ]);
    expect(one.code).toBe(0);
    expect(two.stdout).toBe(one.stdout);
    expect(other.stdout).not.toBe(one.stdout);
    const eachOf = ({ stdout }: typeof one) => json(stdout).data.layouts[0]!.each_run;
    expect(eachOf(fewer)).toEqual(eachOf(one).slice(0, 3));
    expect(eachOf(one).map(({ seed }) => seed)).toEqual(['1/1', '1/2', '1/3', '1/4', '1/5', '1/6', '1/7']);
  });

  test('takes a bundled plant by its name, a kind, and points that are out of use', async () => {
    const { code, stdout } = await drill(
      '--site',
      'harbour',
      '--kind',
      'tsunami',
      '--exclude',
      'Hill North',
      '--runs',
      '2',
      '--json',
    );
    expect(code).toBe(0);
    const [layout] = json(stdout).data.layouts;
    expect(layout?.points.map(({ name, excluded, people }) => [name, excluded, people.median > 30])).toEqual([
      ['Gate A', false, false],
      ['Hill North', true, false],
      ['Hill South', false, true],
    ]);
  });

  test('compares two layouts, and writes page and tables', async () => {
    const wide = file('wide.yaml', WORKS.replace('0.9]]', '3]]').replace('Old', 'New'));
    const { code, stdout, stderr } = await drill(
      ...['--site', works, '--compare', wide, '--runs', '3', '--people', '20'],
      ...['--out', 'two layouts'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/From the alarm +A +B +B less A \(interval\) +B earlier +B later\n/);
    const files = ['report.html', 'report.json', 'runs.csv', 'people.csv'];
    for (const file of files) expect(stderr).toContain(`report  two layouts/${file}\n`);
    const text = (name: string) => readFileSync(join(folder.path, 'two layouts', name), 'utf8');
    const html = text('report.html');
    expect(json(text('report.json')).data).toMatchObject({ runs_asked: 3 });
    expect(html).toContain('<h2>A: Old works</h2>');
    for (const title of ['By assembly point', 'By zone at the alarm']) {
      const [, ...names] = (stdout.match(new RegExp(`^ *${title}.*`, 'm'))?.[0] ?? '').trim().split(/ {2,}/);
      expect(names.length, title).toBeGreaterThan(2);
      for (const name of names) expect(html, title).toContain(`<th scope="col" class="n">${name}<`);
    }
    expect(html).not.toMatch(/<script|https?:\/\//);
    const rows = (name: string) => parse(text(name), { columns: true, bom: true }) as Record<string, string>[];
    expect(rows('runs.csv').map(({ layout, run: number }) => [layout, number])).toEqual([
      ...['1', '2', '3'].map((number) => [works, number]),
      ...['1', '2', '3'].map((number) => [wide, number]),
    ]);
    expect(rows('people.csv')).toHaveLength(120);
  });
});

describe('wrong words', () => {
  test.each<[args: string[], message: RegExp]>([
    [['--site', 'harbor'], /Did you mean "harbour"\?/],
    [['--site', 'nowhere.yaml'], /nowhere\.yaml does not exist.*bundled plant/s],
    [['--kind', 'quake'], /general.*tsunami.*earthquake/i],
    [
      ['--site', works, '--kind', 'tsunami', '--exclude', 'Hill'],
      /that is not excluded serves the kind tsunami.*Served: general or earthquake\./s,
    ],
    [['--site', works, '--exclude', 'Gaet'], /no such assembly point\. Did you mean "Gate"\?/],
    [['--site', works, '--site', works, '--compare', works], /compares two layouts/],
    [['--people', '5', '--watches', '6'], /the same number/],
    [['--seed', 'x'], /whole number/],
    [['--runs', '0'], /whole number/],
    [['--after', '5'], /duration/],
  ])('%j are refused, with what to write', async (args, message) => {
    const { code, stdout, stderr } = await drill(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('a wrong site file is answered as by validate: each mistake with its place', async () => {
    const broken = file(
      'broken.yaml',
      WORKS.replace('work_area', 'work_aera').replace('serves: [general, t', 'serves: [genral, t'),
    );
    const [drilled, validated] = await Promise.all([drill('--site', broken), runHere(['validate', broken])]);
    expect(drilled.code).toBe(2);
    expect(validated.code).toBe(2);
    const places = (text: string) => [...text.matchAll(/broken\.yaml:(\d+):(\d+)/g)].map(([place]) => place);
    expect(places(drilled.stderr)).toHaveLength(2);
    expect(places(drilled.stderr)).toEqual(places(`${validated.stdout}${validated.stderr}`));
    const { error } = json((await drill('--site', broken, '--json')).stdout);
    expect(error?.code).toBe('invalid_file');
  });

  test('fewer people than the file names are refused', async () => {
    const named = file('named.yaml', `${WORKS}crowd:\n  pack: {in: Hall, count: 12}\n`);
    const { code, stderr } = await drill('--site', named, '--people', '9');
    expect(code).toBe(2);
    expect(stderr).toContain('names 12 workers, more than 9');
  });
});

describe('Ctrl-C', () => {
  const LONG = ['drill', '--site', works, '--people', '300', '--runs', '10000'];
  test.each(['1', '2'])('ends with 130 and says how many runs were done, with --jobs %s', async (jobs) => {
    const drilling = await StartedHere.start(
      [...LONG, '--jobs', jobs, '--report', 'csv', '--out', join(folder.path, `cut-${jobs}`)],
      {
        first: 'stderr',
      },
    );
    expect(await drilling.end()).toBe(130);
    const [, done] = /Interrupted after (\d+) of 10000 runs\./.exec(drilling.stderr) ?? [];
    expect(Number(done)).toBeLessThan(10_000);
    expect(existsSync(join(folder.path, `cut-${jobs}/runs.csv`))).toBe(Number(done) > 0);
  });

  test('keeps the runs that were done', async () => {
    const drilling = await StartedHere.start([...LONG, '--share', '1/1']);
    await drilling.prints(/\n.*\n/);
    await drilling.end();
    const lines = drilling.stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { run: { run: number } }).run.run).slice(0, 2)).toEqual([1, 2]);
    expect(lines.length).toBeLessThan(50);
    expect(drilling.stderr).toBe('');
  });
});
