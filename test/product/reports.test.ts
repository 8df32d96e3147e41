/** `sandbox run --report`: which files stand where, and the answer to a wrong word. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
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
});
