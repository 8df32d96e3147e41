/** What a page may show: what an unscoped client of the company sees, no credential, and ground truth on request only. [decisions 4] */
import { beforeAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import type { Boot } from '../../../src/scenario/playing/ports.ts';
import { htmlReport } from '../../../src/scenario/reporting/html/html-report.ts';
import { jsonReport } from '../../../src/scenario/reporting/json-report.ts';
import { Redaction } from '../../../src/scenario/reporting/redaction.ts';
import type { RunReport } from '../../../src/scenario/reporting/report-data.ts';
import { dataOf, PagedRun, reported } from './reported.ts';

const NAME = 'Ana Quiroga Salvatierra';

/** Nobody but luis, who has an SOS, may be seen, and eva for 15 s; mar is in a privacy zone. */
const SCENARIO = `
scenario: Who may be seen
seed: 7
site:
  name: Terminal
  origin: [43.361, -8.412]
  privacy_mode: on_demand
  unveil_min_severity: high
  zones:
    Dock: {type: work_area, box: [0, 0, 100, 80]}
    Clinic: {type: privacy, polygon: [[200, 0], [237.3, 0], [237.3, 41.7], [200, 41.7]]}
contract: {include_worker_names: false}
workers:
  ana: {name: ${NAME}, external_id: A-1, at: [13.7, 29.3]}
  luis: {name: Luis Quiroga, at: [77.1, 61.3]}
  mar: {name: Mar Quiroga, at: [221.9, 33.3]}
  eva: {name: Eva Quiroga, at: [50.5, 40.1]}
receivers: {erp: {events: [alert.*]}}
steps:
  - sos: {who: luis}
    after: 20s
  - sos: {who: mar}
    after: 20s
  - webhook: {rotate_secret: erp}
  - api: {get: /v1/workers, answers: {status: 200}}
  - unveil: {who: eva, by: Shift lead, duration: 15s}
    after: 20s
  - wait: 40s
`;

/** Credentials of the run, as they went over the wire. */
const secrets = new Set<string>();
const boot: Boot = async (request) => {
  const stage = await bootStage(request);
  for (const { clientSecret } of stage.clients) secrets.add(clientSecret);
  secrets.add(stage.controlToken);
  return stage;
};

let report: RunReport;
let page: string;
let run: PagedRun;
let truePage: string;
beforeAll(async () => {
  report = await reported(SCENARIO, {
    boot,
    onAnswer: ({ token }, { body }) => {
      const { access_token, secret } = (body ?? {}) as Record<string, string | undefined>;
      for (const one of [token, access_token, secret]) if (one !== undefined) secrets.add(one);
    },
  });
  page = htmlReport(report);
  run = new PagedRun(page);
  truePage = htmlReport(await reported(SCENARIO, { truth: true }));
});

describe('without --truth', () => {
  test('no name is in the page that the contract hides, in no report', () => {
    expect(page).not.toContain('Quiroga');
    expect(jsonReport([report])).not.toContain('Quiroga');
  });

  test('a veiled worker has no position at any instant', () => {
    for (const t of [0, 30_000, report.result.simulatedMs])
      expect(run.person('ana', t)).toMatchObject({
        location: null,
        location_withheld: true,
        place: { kind: 'withheld' },
      });
    expect(run.run.truth).toBeNull();
    const mine = dataOf(page).seen.tracks.find(({ worker }) => worker === run.person('ana', 0)?.worker_id);
    // A track without a position has a state and the times of reports.
    expect(mine?.text.length).toBeLessThan(200);
  });

  test('a worker is on the plan from the instant at which an alert lifts the veil', () => {
    expect(run.place('luis', 10_000)).toBeNull();
    expect(run.place('luis', 19_999)).toBeNull();
    expect(run.place('luis', 25_000)).toEqual([77.1, 61.3]);
  });

  test('a worker is on the plan for exactly as long as an approved request lifts the veil', () => {
    const places = [59_999, 60_000, 74_999, 75_000, 86_000].map((t) => run.place('eva', t));
    expect(places).toEqual([null, [50.5, 40.1], [50.5, 40.1], null, null]);
  });

  test('a worker in a privacy zone is at the zone’s own point, and the shape of the zone is not drawn', () => {
    const end = report.result.simulatedMs;
    expect(run.person('mar', end)).toMatchObject({ location: { masked: true }, place: { kind: 'located' } });
    expect(run.place('mar', end)).not.toEqual([221.9, 33.3]);
    expect(page).not.toContain('Clinic (privacy)');
    expect(page).not.toContain('>ground truth<');
  });
});

describe('with --truth', () => {
  test('names and true positions are there, under a badge', () => {
    expect(truePage).toContain(NAME);
    const trueRun = new PagedRun(truePage);
    expect(trueRun.person('ana', 30_000)?.location).toBeNull();
    expect(trueRun.truth('ana', 30_000)).toEqual({ name: NAME, at: [13.7, 29.3] });
    expect(trueRun.truth('mar', 30_000)?.at).toEqual([221.9, 33.3]);
    // Only the layer has the name: what the client sees has none.
    expect([...trueRun.world(30_000).workers.values()].map(({ name }) => name)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(truePage).toContain('Clinic (privacy)');
    expect(truePage).toContain('<span class="truth">ground truth</span>');
  });
});

describe('credentials', () => {
  test('of the run are nowhere in a page', () => {
    // A control token, a client's secret and token, and two secrets of a destination.
    expect(secrets.size).toBeGreaterThanOrEqual(5);
    expect([...secrets].some((one) => one.startsWith('whsec_'))).toBe(true);
    for (const text of [page, truePage, jsonReport([report])])
      expect([...secrets].filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('are redacted by the names of fields, and wherever a known value occurs', () => {
    const redaction = new Redaction();
    redaction.add('a-rather-long-secret');
    redaction.addAddress('http://127.0.0.1:40123');
    expect(redaction.json({ client_secret: 'x', list: [{ note: 'is a-rather-long-secret.' }], status: 200 })).toEqual({
      client_secret: '(hidden)',
      list: [{ note: 'is (hidden).' }],
      status: 200,
    });
    expect(redaction.text('http://127.0.0.1:40123/panel')).toBe('http://sandbox/panel');
  });
});
