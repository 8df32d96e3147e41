/** `sandbox validate --fix` as its user types it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SCENARIO = `scenario: Two slips
site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: Dock}}
steps:
  - sos: {who: anna}                    # the button
  - expect: {alert: sos, within: 5s}
`;
const MENDED = SCENARIO.replace('anna', 'ana').replace(', within: 5s}', '}\n    within: 5s');
const file = join(folder.path, 'slips.scenario.yaml');
beforeEach(() => writeFileSync(file, SCENARIO));

const DIFF = `--- ${file}
+++ ${file}
@@ -2,5 +2,6 @@
 site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
 workers: {ana: {in: Dock}}
 steps:
-  - sos: {who: anna}                    # the button
-  - expect: {alert: sos, within: 5s}
+  - sos: {who: ana}                    # the button
+  - expect: {alert: sos}
+    within: 5s
`;

test('without it the mistakes are told, and how many it would mend', async () => {
  const { code, stderr } = await runHere(['validate', file]);
  expect(code).toBe(2);
  expect(stderr).toContain(`2 of 2 mistakes can be corrected by: sandbox validate --fix ${file}`);
  expect(readFileSync(file, 'utf8')).toBe(SCENARIO);
});

test('it shows a diff, writes the file, and finds nothing to do the second time', async () => {
  const { code, stdout, stderr } = await runHere(['validate', file, '--fix']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: DIFF });
  expect(stderr).toContain('2 mistakes in 1 file corrected');
  expect(readFileSync(file, 'utf8')).toBe(MENDED);
  const again = await runHere(['validate', file, '--fix']);
  expect(again).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('no mistakes with a certain correction'),
  });
  expect(readFileSync(file, 'utf8')).toBe(MENDED);
});

test('--dry-run shows the same and writes nothing', async () => {
  const { code, stdout } = await runHere(['validate', file, '--fix', '--dry-run']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: DIFF });
  expect(readFileSync(file, 'utf8')).toBe(SCENARIO);
});

test('--json has the fixes, the diff and what is left', async () => {
  const { code, stdout } = await runHere(['validate', file, '--fix', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'ok',
    data: {
      files: [{ file, valid: true, mistakes: [] }],
      fixes: [
        { line: 5, fix: { kind: 'word', from: 'anna', to: 'ana' } },
        { line: 6, fix: { kind: 'beside' } },
      ],
      diff: DIFF.trimEnd(),
      written: true,
    },
  });
});

test('--dry-run alone is wrong usage', async () => {
  expect(await runHere(['validate', file, '--dry-run'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--dry-run goes with --fix'),
  });
});
