/** The data of a page: the run at any instant is what it was. */
import { beforeAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import type { Boot } from '../../../src/scenario/playing/ports.ts';
import { htmlReport } from '../../../src/scenario/reporting/html/html-report.ts';
import { packRun, scriptJson } from '../../../src/scenario/reporting/html/pack-run.ts';
import type { RunReport } from '../../../src/scenario/reporting/report-data.ts';
import { isOpen } from '../../../src/watching/state/people.ts';
import { afterChange, EMPTY_STATE, type StreamState } from '../../../src/watching/state/state.ts';
import { PagedRun, reported } from './reported.ts';

const TITLE = '</script><!--<img src=x onerror=alert(1)>\u2028&';

const SCENARIO = `
scenario: ${JSON.stringify(TITLE)}
seed: 7
site:
  name: Terminal
  origin: [43.361, -8.412]
  zones:
    Dock: {type: work_area, box: [0, 0, 100, 80]}
    Gate: {type: assembly_point, box: [-60, 0, -30, 30], serves: [general]}
workers: {ana: {at: [10, 20]}, luis: {at: [90, 70]}}
receivers: {erp: {events: [alert.*, muster.*]}}
steps:
  - sos: {who: ana}
    after: 10s
    as: s
  - expect: {alert: sos, of: ana}
    within: 10s
  - acknowledge: {alert: $s, by: Shift lead}
    after: 10s
  - start_muster: {kind: general, by: Shift lead}
    as: m
    after: 10s
  - move: {who: luis, to: Gate}
  - wait_for: {muster: $m, totals: {safe: 1}}
    within: 5m
  - resolve: {alert: $s, by: Shift lead, reason: assistance_provided}
    after: 10s
  - end_muster: {muster: $m, outcome: completed, by: Shift lead}
  - check: {alerts: open, count: 3}
`;

/** The state of a reader of the stream after each change that the run reported to its witness. */
const readings: { readonly t: number; readonly state: StreamState }[] = [];
const boot: Boot = async (request) => {
  const stage = await bootStage(request);
  let state = EMPTY_STATE;
  return {
    ...stage,
    onSeen: (listener) =>
      stage.onSeen((changes) => {
        listener(changes);
        for (const change of changes) {
          state = afterChange(state, change, 0);
          readings.push({ t: Date.parse(change.at), state });
        }
      }),
  };
};

let report: RunReport;
let run: PagedRun;
beforeAll(async () => {
  report = await reported(SCENARIO, { boot });
  run = new PagedRun(htmlReport(report));
});

/** Without what the page has no use for: ages, people near alerts, links. */
const seenIn = ({ sites, workers, people, alerts, musters, notSafe, curves }: StreamState) => ({
  sites: [...sites],
  workers: [...workers],
  people: new Map([...people].map(([id, one]) => [id, { ...one, place: { ...one.place, age_s: null } }])),
  alerts: [...alerts].map(([id, { nearby: _, panel_url: __, ...alert }]) => [id, alert]),
  musters: [...musters],
  notSafe: [...notSafe].filter(([, list]) => list.length > 0),
  curves: [...curves],
});

describe('the packed data', () => {
  test('has at each instant what a reader of the stream had then, forwards and backwards', () => {
    const last = readings
      .map(({ t, state }) => ({ t: Math.max(0, t - run.startMs), state }))
      .filter(({ t }, place, all) => t !== all[place + 1]?.t);
    expect(last.length).toBeGreaterThan(50);
    for (const { t, state } of [...last, ...last.toReversed()])
      expect([t, seenIn(run.world(t))]).toEqual([t, seenIn(state)]);
  });

  test.each([
    [0, null, [], null],
    [10_000, null, ['unacknowledged'], null],
    [20_000, null, ['acknowledged'], null],
    [30_000, 'pending', ['acknowledged'], 'active'],
    [10_000_000, null, [], 'completed'],
  ])('at %i ms the status of ana is %s', (t, status, alerts, muster) => {
    const world = run.world(t);
    expect(run.person('ana', t)?.status).toBe(status);
    expect([...world.alerts.values()].filter(isOpen).map((alert) => alert.status)).toEqual(alerts);
    expect([...world.musters.values()][0]?.status ?? null).toBe(muster);
  });

  test('has the body of each happening, and each body once', () => {
    expect(run.happenings.map(({ t, text }) => `${t} ${text}`)).toEqual(
      report.happenings.map(({ t, text }) => `${t} ${text}`),
    );
    for (const [place, { body }] of report.happenings.entries())
      expect(run.body(run.happenings[place]?.body ?? -1)).toEqual(JSON.parse(JSON.stringify(body)));
    const texts = run.run.bodies.map((body) => JSON.stringify(body));
    expect(new Set(texts).size).toBe(texts.length);
    const [event, delivery] = ['event', 'delivery'].map((kind) =>
      report.happenings.findIndex((one) => one.kind === kind),
    );
    expect(run.happenings[delivery ?? -1]?.body).toBe(run.happenings[event ?? -1]?.body);
    const [sent] = report.happenings.filter(({ text }) => text.startsWith('PATCH'));
    expect(sent?.body).toMatchObject({ sent: { status: 'acknowledged' }, got: { status: 'acknowledged' } });
    expect(report.happenings[delivery ?? -1]?.facts).toContainEqual(['X-Service-Signature', 'v1=(hidden)']);
  });

  test('has the beginning and the end of each step: of a check its result, of an action the beginning of the next', () => {
    const times = run.run.steps.map(([began, ended], place) => [report.steps[place]?.kind, began, ended - began]);
    const [ended] = report.musters[0]?.counts.slice(-1) ?? [];
    const evacuation = report.steps[5]?.waitedMs ?? 0;
    expect(times).toEqual([
      ['step', 10_000, 0],
      ['passed', 10_000, 0],
      ['step', 20_000, 10_000],
      ['step', 30_000, 0],
      ['step', 30_000, 0],
      ['passed', 30_000, evacuation],
      ['step', 40_000 + evacuation, 0],
      ['step', ended?.t, 0],
      ['failed', ended?.t, 0],
    ]);
  });

  test('knows the step of an instant', () => {
    expect([0, 10_000, 25_000].map((t) => run.run.steps[run.stepAt(t)]?.[2] ?? null)).toEqual([null, 16, 18]);
  });

  test('is the same for the same run, but for wall times', async () => {
    const again = await reported(SCENARIO);
    const page = (one: RunReport) => htmlReport({ ...one, result: { ...one.result, wallMs: 0 } });
    expect(page(again)).toBe(page(report));
  });
});

describe('no text of a scenario breaks out of the page', () => {
  test('neither of its markup nor of its data', () => {
    const page = htmlReport(report);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<!--');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('the data is JSON without a character that a script element or a line of script treats as its own', () => {
    const text = scriptJson({ text: `${TITLE}\u2029`, link: 'https://example.org' });
    expect(text).not.toMatch(/[<>&\u2028\u2029]|:\/\//);
    expect(JSON.parse(text)).toEqual({ text: `${TITLE}\u2029`, link: 'https://example.org' });
    expect(packRun(report).end).toBe(report.result.simulatedMs);
  });
});
