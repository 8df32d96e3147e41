/** `sandbox run --report`: which files stand where, and the answer to a wrong word. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';

const SCENARIO = 'scenarios/fall-to-sos.scenario.yaml';
const folder = mkdtempSync(join(tmpdir(), 'muster-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('sandbox run', () => {
  test('with --out writes the log and every report, and says which to open', async () => {
    const out = join(folder, 'all');
    const { code, stderr } = await runHere(['run', SCENARIO, '--out', out]);
    expect(code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([
      'events.jsonl',
      'junit.xml',
      'report.html',
      'report.json',
      'run.jsonl',
      'summary.md',
    ]);
    expect(stderr).toContain(`report  ${join(out, 'report.html')}`);
  });

  test('with --report writes those; github goes to the page of the job', async () => {
    const [out, page] = [join(folder, 'some'), join(folder, 'page.md')];
    const { code } = await runHere(['run', SCENARIO, '--report', 'md,github', '--out', out], {
      env: { GITHUB_STEP_SUMMARY: page },
    });
    expect(code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['events.jsonl', 'run.jsonl', 'summary.md']);
    expect(readFileSync(page, 'utf8')).toBe(readFileSync(join(out, 'summary.md'), 'utf8'));
  });

  test('a report that does not exist is refused before anything is played', async () => {
    const { code, stderr } = await runHere(['run', SCENARIO, '--report', 'pdf']);
    expect(code).toBe(2);
    expect(stderr).toContain('There are html, junit, json, md, github');
  });

  test('--truth needs the HTML report, which then has a badge', async () => {
    for (const flags of [[], ['--report', 'md,json']]) {
      const { code, stderr } = await runHere(['run', SCENARIO, '--truth', ...flags]);
      expect(code).toBe(2);
      expect(stderr).toContain('add --report html or --out');
    }
    const out = join(folder, 'truth');
    const { code } = await runHere(['run', SCENARIO, '--truth', '--report', 'html', '--out', out]);
    expect(code).toBe(0);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<span class="truth">ground truth</span>');
  });

  const OWN = `scenario: Our receivers
site: {name: Plant, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: Dock}}
params: {at: "http://127.0.0.1:9/hook"}
receivers: {erp: {events: [alert.*], url: $at}, other: {events: [alert.*]}}
steps:
  - sos: {who: ana}
  - webhook: {rotate_secret: erp}
  - api: {get: /v1/webhooks, answers: {status: 200}}
  - expect: {delivery: erp}
`;
  const WAYS: readonly (readonly string[])[] = [
    ['--receiver', 'other=9/hook', '--seed', '5', '--truth'],
    ...(isWhole ? [[], ['--set', 'at=http://127.0.0.1:9/else'], ['--seeds', '1..3'], ['--orders'], ['--mutate']] : []),
    ...(isWhole ? [['--seeds', '1..3', '--jobs', '2']] : []),
  ];

  test.each(
    WAYS.map((flags) => [flags]),
  )('with %j prints the secrets of the user’s own receivers once, on stderr and as JSON, and in no report', async (flags) => {
    const file = join(folder, 'own.scenario.yaml');
    writeFileSync(file, OWN);
    const out = join(folder, `own-${flags.join('').replace(/\W/g, '')}`);
    const isMutation = flags.includes('--mutate');
    const { stdout, stderr } = await runHere(['run', file, ...flags, ...(isMutation ? [] : ['--json', '--out', out])]);
    const printed = [...stderr.matchAll(/^secret {3}(\S+) {2}(\S+) {2}(whsec_\S+)$/gm)].map((row) => row.slice(1));
    const at = flags.includes('--set') ? 'http://127.0.0.1:9/else' : 'http://127.0.0.1:9/hook';
    const others = flags.includes('--receiver') ? [['other', 'http://localhost:9/hook', expect.any(String)]] : [];
    expect(printed).toEqual([['erp', at, expect.any(String)], ...others]);
    if (isMutation) return;
    const { receivers, ...rest } = JSON.parse(stdout).data;
    expect(receivers.map((row: Record<string, string>) => [row['name'], row['url'], row['secret']])).toEqual(printed);
    const reports = readdirSync(out, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const);
    expect(reports.length).toBeGreaterThan(5);
    for (const [name, text] of [...reports, ['data.runs', JSON.stringify(rest)] as const])
      for (const [, , secret = ''] of printed) expect([name, text.includes(secret)]).toEqual([name, false]);
  });
});
