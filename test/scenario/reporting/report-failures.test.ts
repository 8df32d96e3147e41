/** What a failing run leaves behind: each failure whole, with what happened around it and the commands that play it again. */
import { DOMParser } from '@xmldom/xmldom';
import { beforeAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { aroundOf } from '../../../src/scenario/reporting/happenings.ts';
import { htmlReport } from '../../../src/scenario/reporting/html/html-report.ts';
import { jsonReport } from '../../../src/scenario/reporting/json-report.ts';
import { junitReport } from '../../../src/scenario/reporting/junit.ts';
import { markdownReport } from '../../../src/scenario/reporting/markdown.ts';
import type { RunReport } from '../../../src/scenario/reporting/report-data.ts';
import { Witness } from '../../../src/scenario/reporting/witness.ts';
import { PagedRun } from './reported.ts';

const LONG = `It should have said ${'something quite different and '.repeat(8)}nothing else`;

const SCENARIO = `
scenario: Things go wrong
seed: 5
site:
  name: Harbour
  origin: [43.361, -8.412]
  zones:
    Dock: {type: work_area, box: [0, 0, 100, 100]}
    Gate A: {type: assembly_point, box: [120, 0, 140, 20], serves: [general]}
    Gate T: {type: assembly_point, box: [120, 40, 140, 60], serves: [tsunami]}
workers: {ana: {in: Dock}, luis: {in: Dock}, eva: {in: Dock}, jon: {in: Dock}, mar: {in: Dock}}
receivers: {erp: {events: [alert.*, muster.*]}, down: {events: [alert.*]}}
steps:
  - receiver: {name: down, does: 503}
  - sos: {who: ana}
    after: 1m
    as: s
  - expect: {alert: sos, of: ana, title: "${LONG}"}
    within: 10s
  - api: {get: /v1/alerts, query: {status: unacknowledged}, answers: {status: 418}}
  - webhook: {rotate_secret: erp}
  - start_muster: {kind: general, by: Lead}
    as: m
  - cannot_evacuate: {who: eva, reason: trapped}
  - cannot_evacuate: {who: jon, reason: injured}
  - move: {who: luis, to: Gate A}
  - move: {who: mar, to: Gate T}
  - wait: 5m
  - check: {muster: $m, totals: {safe: 4}}
`;

let report: RunReport;
beforeAll(async () => {
  const witness = new Witness();
  const result = await runFile('wrong.scenario.yaml', {
    mode: 'fast' as const,
    boot: bootStage,
    sink: () => {},
    witness,
    read: (path) => (path === 'wrong.scenario.yaml' ? SCENARIO : undefined),
  });
  if (result.verdict !== 'failed') throw new Error(result.mistakes ?? result.verdict);
  report = witness.report(result, '1.2.3', 'sandbox run wrong.scenario.yaml --seed 5');
});

describe('a failure', () => {
  test('has path, expected and got in full, though the terminal cuts them', () => {
    const [first] = report.result.failures;
    expect(first?.rows).toEqual([{ path: 'title', expected: LONG, got: expect.stringMatching(/^SOS: /) }]);
    expect(first?.whole).toContain(LONG);
    expect(first?.text).not.toContain(LONG);
    expect([first?.beganMs, first?.atMs]).toEqual([60_000, 70_000]);
  });

  test('a failure with nothing near it is reported with what happened last before it', () => {
    const [failure] = report.result.failures;
    if (failure === undefined) throw new Error('Nothing failed.');
    const happenings = report.happenings.filter(({ t }) => t <= 70_000);
    const { happenings: around } = aroundOf({ ...failure, beganMs: 900_000, atMs: 900_000 }, happenings);
    expect(around.map(({ place }) => place)).toEqual([-4, -3, -2, -1].map((place) => happenings.length + place));
  });

  test('is reported with the events, deliveries and requests around it, and their bodies without secrets', () => {
    const [first, second] = report.around;
    const reported = (first?.happenings ?? []).map(({ t, kind, text }) => `${t} ${kind} ${text}`);
    expect(reported).toEqual(
      expect.arrayContaining([
        '60000 event alert.created sos of ana',
        '60000 delivery erp ← alert.created, try 1: 204, delivered',
        '60000 delivery down ← alert.created, try 1: 503, waiting',
      ]),
    );
    // Nothing from a minute before: the destinations were made at the beginning.
    expect(first?.happenings.every(({ t }) => t >= 50_000 && t <= 80_000)).toBe(true);
    const created = first?.happenings.find(({ kind }) => kind === 'event');
    expect(JSON.parse(created?.body ?? '')).toMatchObject({ type: 'alert.created', data: { alert: { type: 'sos' } } });
    const call = second?.happenings.find(({ text }) => text === 'GET /v1/alerts?status=unacknowledged 200');
    expect(JSON.parse(call?.body ?? '').got.data).toHaveLength(1);
    const rotated = second?.happenings.find(({ text }) => text.includes('rotate'));
    expect(JSON.parse(rotated?.body ?? '').got.secret).toBe('(hidden)');
    expect(htmlReport(report)).not.toMatch(/whsec_/);
  });
});

describe('the page', () => {
  test('opens at the first failure: it is focused, has links to the next, its step, and both commands', () => {
    const page = htmlReport(report);
    expect(page.match(/ autofocus>/g)).toHaveLength(1);
    expect(page).toMatch(/<article class="failure" id="failure-1" tabindex="-1"[^>]* autofocus>/);
    for (const link of ['href="#failure-2"', 'href="#failure-3"', 'href="#line-18"', 'id="line-18"', 'id="failure-3"'])
      expect(page).toContain(link);
    expect(page).toContain('sandbox run wrong.scenario.yaml --seed 5 --until 18</pre>');
    expect(page).toContain('sandbox run wrong.scenario.yaml --seed 5 --until 18 --pause</pre>');
    expect(page).toContain(`<td><code>${LONG}</code></td>`);
    expect(page.match(/id="line-\d+"/g)?.length).toBe(new Set(page.match(/id="line-\d+"/g)).size);
  });

  test('of a run that passed has no failure to open at', () => {
    const passed = { ...report, around: [], result: { ...report.result, failures: [], verdict: 'passed' as const } };
    expect(htmlReport(passed)).not.toContain(' autofocus>');
  });

  test('shows each status as the panel does, by a sign and a word', () => {
    const page = htmlReport(report);
    const run = new PagedRun(page);
    const standing = (who: string, t: number) => {
      const { status, reason } = run.person(who, t) ?? {};
      return [status, reason];
    };
    const end = report.result.simulatedMs;
    expect([0, 60_000, end].map((t) => standing('ana', t))).toEqual([
      [null, null],
      [null, 'sos'],
      ['pending', 'sos'],
    ]);
    expect(standing('eva', end)).toEqual(['help', 'trapped']);
    expect(standing('jon', end)).toEqual(['help', 'injured']);
    expect(standing('luis', end)?.[0]).toBe('safe');
    expect(standing('mar', end)?.[0]).toBe('wrong_point');
  });
});

test('the deliveries that still fail at the end stand in every report', () => {
  const { deliveries } = report.result;
  expect(deliveries).toMatchObject({ lost: 0 });
  expect(deliveries.failing).toBeGreaterThan(0);
  const reported = `${deliveries.delivered} ok, ${deliveries.retried} of them retried, 0 lost, ${deliveries.failing} still failing`;
  expect(htmlReport(report)).toContain(reported);
  expect(markdownReport([report])).toContain(reported);
  expect(junitReport([report])).toContain(`name="deliveries" value="${reported}"`);
  expect(JSON.parse(jsonReport([report])).runs[0].deliveries).toEqual(deliveries);
});

describe('JUnit', () => {
  const xmlOf = (text: string) => {
    const faults: string[] = [];
    const parser = new DOMParser({ onError: (level, message) => faults.push(`${level} ${message}`) });
    const root = parser.parseFromString(text, 'text/xml').documentElement;
    expect(faults).toEqual([]);
    return root as NonNullable<typeof root>;
  };

  test('has every failure whole', () => {
    const [failure] = [...xmlOf(junitReport([report])).getElementsByTagName('failure')];
    expect(failure?.textContent).toBe(report.result.failures[0]?.whole);
    expect(failure?.textContent).toContain(LONG);
  });

  test('has no escape sequence, control character or broken text in it, whatever was said', () => {
    const [first] = report.result.failures;
    if (first === undefined) throw new Error('Nothing failed.');
    const wild =
      '\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 bell\x07 null\0 \ufffe \ud800 \u202eback <&>"\'\n\tline';
    const failures = [{ ...first, step: wild, whole: `FAIL wrong.scenario.yaml:18  ${wild}` }];
    const text = junitReport([{ ...report, result: { ...report.result, scenario: wild, failures } }]);
    expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cs}\ufffe\uffff\u202e]/u);
    const suites = xmlOf(text);
    const [failure] = [...suites.getElementsByTagName('failure')];
    expect(failure?.textContent).toBe('FAIL wrong.scenario.yaml:18  red link bell null   back <&>"\'\n\tline');
    expect(text).not.toContain('[31m');
  });
});
