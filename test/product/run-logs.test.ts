/** `sandbox logs KIND --run FILE`: the log of a run that failed in CI answers questions, with nothing else at hand. [cli] */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../src/sandbox/boot.ts';
import { VERSION } from '../../src/sandbox/version.ts';
import { runFile } from '../../src/scenario/playing/run-file.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';

const SCENARIO = `scenario: An SOS, its loss, and a check that fails
seed: 7
site:
  name: Small plant
  origin: [43.3, -8.4]
  zones:
    Dock: {type: work_area, box: [0, 0, 200, 120]}
workers: {ana: {in: Dock}, luis: {in: Dock}, pia: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
rules:
  - never: {alert: low_battery}
steps:
  - sos: ana
    after: 10s
    as: sos
  - expect: {alert: $sos, severity: critical, details: {trigger: after_fall}}
    within: 5s
  - sos: {who: luis}
    after: 1m
  - acknowledge: {alert: $sos, by: Desk 2}
  - acknowledge: {alert: $sos, by: Desk 2}
    refused: true
  - resolve: {alert: $sos, by: Desk 2}
  - acknowledge: {alert: $sos, by: Desk 2}
    refused: true
  - battery: {who: luis, pct: 3}
  - receiver: {name: erp, does: 503}
  - sos: ana
    as: second
  - clock: {advance: 26h}
  - expect: {alert: fall_detected, of: pia}
    within: 1s
  - acknowledge: {alert: $sos, by: Desk 3}
`;

interface CheckRow {
  readonly line: number;
  readonly check: string;
  readonly differences: readonly unknown[];
  readonly near: readonly { readonly kind: string; readonly text: string }[];
}

const folder = ownFolder();
const log = join(folder.path, 'out', 'run.jsonl');
const logs = (...words: string[]) => runHere(['logs', ...words, '--run', log]);
/** The rows of `--json`. */
async function rowsOf<T = Record<string, unknown>>(kind: string, ...words: string[]): Promise<T[]> {
  const { code, stdout } = await logs(kind, '--json', ...words);
  expect(code).toBe(0);
  return JSON.parse(stdout).data[kind];
}
/** A log with other bytes, as a file. */
function changed(text: string): string {
  const file = join(folder.path, 'changed.jsonl');
  writeFileSync(file, text);
  return file;
}

beforeAll(async () => {
  const file = join(folder.path, 'sos.scenario.yaml');
  writeFileSync(file, SCENARIO);
  const out = join(folder.path, 'out');
  const result = await runFile(file, { mode: 'fast', boot: bootStage, sink: () => {}, version: VERSION, out });
  expect(result.verdict).toBe('failed');
});
afterAll(() => folder.remove());

describe('the log of a run', () => {
  test('shows each failed check, what differed, and what happened near it; checks are what it shows by default', async () => {
    const { code, stdout, stderr } = await runHere(['logs', '--run', log]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/00:00:15\.000 {2}FAIL line 16 {2}expect alert \$sos within 5s {2}it did not come in time/);
    expect(stdout).toMatch(/details\.trigger +expected after_fall +got watch_button/);
    expect(stdout).toMatch(
      /00:00:10\.000 {2}step {6}sos ana\n.*event {5}alert\.created sos of ana\n.*delivery {2}erp ←/,
    );
    const rows = await rowsOf<CheckRow>('checks');
    expect(rows.map(({ line, check }) => [line, check])).toEqual([
      [16, 'expect alert $sos within 5s'],
      [21, 'acknowledge $sos by Desk 2'],
      [31, 'expect alert fall_detected of pia within 1s'],
      [33, 'acknowledge $sos by Desk 3'],
      [11, 'never alert low_battery'],
    ]);
    expect(rows[0]?.differences).toEqual([{ path: 'details.trigger', expected: 'after_fall', got: 'watch_button' }]);
  });

  test('says that a failure has no check, where its log has fewer', async () => {
    const more = readFileSync(log, 'utf8').replace('"d":{"failed":5,', '"d":{"failed":6,');
    const { stderr } = await runHere(['logs', 'checks', '--run', changed(more)]);
    expect(stderr).toBe('1 failure of the run had no check; its report has all\n');
  });

  test('has events, deliveries and e-mails by time from the start, and about a worker or an alert in any of their names', async () => {
    const alerts = await rowsOf<{ at_s: number; data: { alert: { id: string } } }>('events', '--about', 'ANA');
    expect(alerts.map(({ at_s }) => at_s)).toEqual([10, 75, 75, 75]);
    const id = alerts[0]?.data.alert.id ?? '';
    expect(await rowsOf('events', '--about', id)).toHaveLength(3);
    expect(await rowsOf('events', '--about', 'SIM-ana')).toEqual(alerts);
    expect(await rowsOf('events', '--from', '10s', '--to', '74s')).toHaveLength(1);
    const attempts = await rowsOf('deliveries', '--about', 'ana', '--from', '76s', '--limit', '2');
    expect(attempts).toMatchObject([{ try: 30 }, { try: 30, receiver: 'erp', result: 'lost', status: 503 }]);
    expect((await rowsOf('mail', '--about', 'ana'))[0]).toMatchObject({ at_s: 86475.001, to: expect.any(String) });
    expect((await rowsOf<CheckRow>('checks', '--about', 'luis')).map(({ line }) => line)).toEqual([21, 31, 33, 11]);
    expect((await logs('mail', '--to', '1m')).stderr).toBe('no mail\n');
    // Nothing came of her, which is why a check failed; and the text of an event has no other id.
    expect(await rowsOf<CheckRow>('checks', '--about', 'pia')).toMatchObject([
      { check: expect.stringContaining('of pia') },
    ]);
    const [event = ''] = /(?<=event )[0-9a-f-]{36}/.exec((await logs('events')).stdout) ?? [];
    expect(await rowsOf('events', '--about', event)).toHaveLength(3);
    expect((await logs('checks', '--to', '1s')).stderr).toMatch(
      /^no failed check here; in the whole run, \d checks? held and \d failed\n$/,
    );
  });

  test.each([
    [['requests'], 'does not hold "requests"'],
    [['delivries'], 'Did you mean "deliveries"?'],
    [['events', '--about', 'anna'], 'is about "anna". Did you mean "ana"?'],
    [['events', '--about', 'Desk 2'], 'Its workers are ana, luis, pia.'],
    [['events', '--from', '2m', '--to', '1m'], 'Write --from 1m --to 2m.'],
    [['events', '--from', '50'], '50 has no unit. Write 50s or 50m.'],
    [['events', '--to', '2026-10-05T06:00:50Z'], 'Write --to 90s, the time since the start.'],
    [['events', '--follow'], 'Leave out --follow.'],
  ])('logs %j is wrong usage, with the right form', async (words, message) => {
    const { code, stderr } = await logs(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('is asked for by --run alone', async () => {
    for (const words of [['checks'], ['events', '--about', 'ana']])
      expect(await runHere(['logs', ...words])).toMatchObject({ code: 2, stderr: expect.stringContaining('--run') });
  });
});

describe('a file', () => {
  const whole = () => readFileSync(log, 'utf8');
  const checksIn = (text: string) => runHere(['logs', 'checks', '--run', changed(text)]);

  test('with CR LF and a byte order mark is read like any other', async () => {
    const { code, stdout } = await checksIn(`\ufeff${whole().replaceAll('\n', '\r\n')}`);
    expect([code, stdout]).toEqual([0, (await logs('checks')).stdout]);
  });

  test('cut off answers up to its end, and says so', async () => {
    const { code, stdout, stderr } = await checksIn(whole().slice(0, -700));
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('FAIL line 16'),
      expect.stringContaining('is cut off'),
    ]);
  });

  test('of another version answers, and says of which', async () => {
    const { code, stderr } = await checksIn(whole().replace(`"version":"${VERSION}"`, '"version":"9.0.0"'));
    expect([code, stderr]).toEqual([0, expect.stringContaining(`is of version 9.0.0, and this is ${VERSION}`)]);
  });

  test.each([
    ['empty', () => '', 'is not the log of a run'],
    ['events.jsonl', () => '{"id": "1", "type": "alert.created"}\n', 'its first line is not a header'],
    ['with a broken line', () => whole().replace('\n', '\n{"k":\n'), 'changed.jsonl:2 is not a record of a run'],
  ])('%s is refused, and the right one is named', async (_words, textOf, message) => {
    const { code, stderr } = await checksIn(textOf());
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('missing, or a folder, is refused, with the name of the file that it wants', async () => {
    for (const file of [folder.path, 'nowhere.jsonl']) {
      const { code, stderr } = await runHere(['logs', '--run', file]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('report/run.jsonl')]);
    }
  });
});
