/** What is left of a run for people and for CI: one HTML file, JUnit, JSON and Markdown, all of one telling. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportKind } from '../../../src/base/text/report-files.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { type RunResult, runFile } from '../../../src/scenario/playing/run-file.ts';
import { htmlReport } from '../../../src/scenario/reporting/html/html-report.ts';
import type { RunReport } from '../../../src/scenario/reporting/report-data.ts';
import { type Reported, reportTexts } from '../../../src/scenario/reporting/report-texts.ts';
import { Witness } from '../../../src/scenario/reporting/witness.ts';
import { filesOf } from '../small-stage.ts';
import { PagedRun } from './reported.ts';

const SCENARIO = `
scenario: 'Somebody <falls> & "waits"'
site:
  name: Harbour
  origin: [43.361, -8.412]
  zones:
    Dock: {type: work_area, box: [0, 0, 100, 100]}
    Gate A: {type: assembly_point, box: [120, 0, 140, 20], serves: [general]}
workers: {ana: {in: Dock}, luis: {in: Dock}}
receivers: {erp: {events: [alert.*, muster.*]}}
steps:
  - mark: Somebody falls
  - fall: {who: ana}
  - expect: {alert: sos, of: ana, details: {trigger: watch_button}}
    within: 40s
  - press_ack: {who: luis}
  - start_muster: {kind: general, by: Lead}
    as: m
  - move: {who: luis, to: Gate A}
  - wait_for: {muster: $m, totals: {safe: 1}}
    within: 5m
  - end_muster: {muster: $m, outcome: completed, by: Lead}
`;

const folder = mkdtempSync(join(tmpdir(), 'muster-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = filesOf({ 'scenario.scenario.yaml': SCENARIO, 'broken.scenario.yaml': 'scenario: No steps\n' });
const play = (file: string, witness?: Witness) =>
  runFile(file, { mode: 'fast', boot: bootStage, sink: () => {}, read, witness });

let result: RunResult;
let report: RunReport;
beforeAll(async () => {
  const witness = new Witness();
  result = await play('scenario.scenario.yaml', witness);
  if (result.verdict === 'error') throw new Error(result.mistakes ?? result.error?.message);
  report = witness.report(result, '1.2.3', 'sandbox run scenario.scenario.yaml --seed 1');
});

function write(out: string, runs: readonly Reported[], kinds: readonly ReportKind[]): string[] {
  return [...reportTexts(runs, kinds)].map(({ file, text: content }) => {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    writeFileSync(join(out, file), content);
    return file;
  });
}

const text = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

function xmlOf(source: string) {
  const faults: string[] = [];
  const document = new DOMParser({ onError: (level, message) => faults.push(`${level} ${message}`) });
  const root = document.parseFromString(source, 'text/xml').documentElement;
  expect(faults).toEqual([]);
  return root as NonNullable<typeof root>;
}

test('the page says whose view it shows', () => {
  expect(htmlReport(report)).toContain('<b>View:</b> what an unscoped client sees of customer (with names).');
  const scoped = htmlReport({ ...report, views: [{ company: 'Sur', names: false, contractors: ['Norte SL'] }] });
  expect(scoped).toContain('of Sur (without names, not only of Norte SL).');
});

describe('a witness', () => {
  test('changes nothing of the run', async () => {
    expect((await play('scenario.scenario.yaml')).logSha256).toBe(result.logSha256);
  });

  test('knows every step once, and how each check came out', () => {
    expect(report.steps.map(({ line, kind, t }) => [line, kind, t])).toEqual([
      [12, 'mark', 0],
      [13, 'step', 0],
      [14, 'failed', 40_000],
      [16, 'refused', 40_000],
      [17, 'step', 40_000],
      [19, 'step', 40_000],
      [20, 'passed', expect.any(Number)],
      [22, 'step', expect.any(Number)],
    ]);
  });

  test('knows the alerts of each person, each count of a muster, and each try of a delivery', () => {
    expect(report.alerts).toMatchObject([
      { type: 'fall_detected', who: 'ana', changes: [{ t: 0, what: 'created' }, { t: 30_000 }] },
      { type: 'sos', who: 'ana', changes: [{ t: 30_000, what: 'created' }] },
    ]);
    const [muster] = report.musters;
    expect(muster?.counts.map(({ phase }) => phase)).toContain('evacuating');
    expect(muster?.counts.at(-1)).toMatchObject({ phase: 'completed', totals: { expected: 2, safe: 1 } });
    const [erp] = report.receivers;
    expect(erp?.name).toBe('erp');
    expect(erp?.attempts[0]).toMatchObject({ t: 0, eventType: 'alert.created', try: 1, status: 204 });
  });

  test('follows people on their way, and records who stands still once', () => {
    const run = new PagedRun(htmlReport(report));
    expect(report.people.map(({ who }) => who)).toEqual(['ana', 'luis']);
    const times = Array.from({ length: 60 }, (_, minute) => minute * 5_000);
    const placesOf = (who: string) => new Set(times.map((t) => run.place(who, t)?.join()));
    expect(placesOf('luis').size).toBeGreaterThan(9);
    expect(placesOf('ana').size).toBe(1);
    expect(report.truth).toBeNull();
  });

  test('knows what a check found, and what happened before a step', () => {
    const saw = report.steps.map((step) => [step.line, step.saw]);
    expect(saw).toEqual(expect.arrayContaining([[20, [expect.stringContaining('muster')]]]));
    const [, fall, failed] = report.steps;
    expect(report.happenings[fall?.happened ?? -1]?.text).toBe('alert.created fall_detected of ana');
    expect(failed?.happened).toBeGreaterThan(fall?.happened ?? 0);
  });
});

describe('the reports of one run', () => {
  beforeAll(() => void write(folder, [{ report, folder: '' }], ['html', 'junit', 'json', 'md', 'github']));

  test('are an HTML page that loads nothing and shows everything without scripts', () => {
    const page = text('report.html').replace(/<script type="application\/json"[\s\S]*?<\/script>/, '');
    expect(page).not.toMatch(/ src="|@import|url\(|https?:/);
    expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
    const still = page.replace(/<script[\s\S]*?<\/script>/g, '');
    // Every link leads to a part of the page, and no style is inline, which its policy forbids.
    expect(still).not.toMatch(/href="(?![#?])|action="|<[^>]* style="/);
    expect(still).toContain('Somebody &lt;falls&gt; &amp; &quot;waits&quot;');
    for (const words of ['✗ scenario.scenario.yaml:14', 'Gate A', 'erp', 'fall_detected', result.logSha256 as string])
      expect(still).toContain(words);
    for (const [, line] of still.matchAll(/href="#(line-\d+)"/g)) expect(still).toContain(`id="${line}"`);
  });

  test('are JUnit: a case for each expectation, and one for what failed besides', () => {
    const suites = xmlOf(text('junit.xml'));
    expect([suites.getAttribute('tests'), suites.getAttribute('failures')]).toEqual(['3', '2']);
    const cases = [...suites.getElementsByTagName('testcase')];
    expect(cases.map((one) => one.getAttribute('name'))).toEqual([
      'expect alert sos of ana within 40s',
      'press_ack luis',
      'wait_for muster $m totals within 5m',
    ]);
    const [failure] = [...(cases[0]?.getElementsByTagName('failure') ?? [])];
    expect(failure?.textContent).toContain('details.trigger   expected watch_button   got after_fall');
    expect(failure?.getAttribute('message')).toContain('scenario.scenario.yaml:14');
    const properties = [...suites.getElementsByTagName('property')].map((one) => one.getAttribute('name'));
    expect(properties).toEqual(expect.arrayContaining(['seed', 'mode', 'log_sha256', 'rerun']));
  });

  test('are JSON and Markdown with the same figures', () => {
    const { runs } = JSON.parse(text('report.json'));
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      verdict: 'failed',
      expectations: { passed: 1, failed: 2, skipped: 0 },
      checks: [
        { line: 14, verdict: 'failed', waited_s: 40 },
        { line: 20, verdict: 'passed' },
      ],
      receivers: [{ name: 'erp', waiting: 0, lost: 0 }],
    });
    expect(text('summary.md')).toMatch(/0 of 1 run passed, 1 failed[\s\S]*\*\*2 failed\*\*[\s\S]*Again: `sandbox run/);
  });
});

test('several runs have a folder each, and one page above; a file that does not load is an error of its own', async () => {
  const witness = new Witness();
  const broken = await play('broken.scenario.yaml', witness);
  const runs = [
    { report, folder: 'scenario' },
    { report: witness.report(broken, '1.2.3', 'sandbox run broken.scenario.yaml'), folder: 'not so/good' },
  ];
  expect(write(join(folder, 'all'), runs, ['junit', 'html'])).toEqual([
    ...['scenario/junit.xml', 'not so/good/junit.xml', 'junit.xml'],
    ...['scenario/report.html', 'not so/good/report.html', 'report.html'],
  ]);
  const page = text('all', 'report.html');
  expect(page).toContain('href="scenario/report.html"');
  expect(page).toContain('href="not%20so/good/report.html"');
  expect(page).toContain(
    'line 14: expect alert sos of ana within 40s: details.trigger: expected watch_button, got after_fall (and 1 more)',
  );
  expect(page).toMatch(/broken\.scenario\.yaml<\/small><br><small class="why">broken\.scenario\.yaml/);
  expect(text('all', 'not so', 'good', 'report.html')).toContain('broken.scenario.yaml');
  const suites = xmlOf(text('all', 'junit.xml'));
  expect([suites.getAttribute('failures'), suites.getAttribute('errors')]).toEqual(['2', '1']);
  expect([...suites.getElementsByTagName('testsuite')]).toHaveLength(2);
});
