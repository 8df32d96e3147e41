/** Names in the reports of several runs: unique, independent of results, and from the root of the repository. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());
const put = (path: string, text: string) => writeFileSync(join(folder.path, path), text);
for (const part of ['.git', 'sub/a', 'sub/b']) mkdirSync(join(folder.path, part), { recursive: true });

const steps = (button: string) => `
  - together:
      - sos: {who: ana, with: ${button}}
      - sos: {who: ben, with: ${button}}
  - expect: {alert: sos, of: ana}
    within: 1s
  - wait_for: {alert: fall_detected, of: ben}
    within: 1s
  - mark: Behind
  - together:
      - sos: ben
      - expect: {alert: sos, of: ana}
        within: 1s
  - expect: {alert: sos, of: ana}
    within: 1s
`;
put(
  'sub/a/x.scenario.yaml',
  `scenario: Two at once\nworkers: [ana, ben]\nmatrix: {button: [watch_button, watch_hardware_button]}\nsteps:${steps('$button')}`,
);
put('sub/b/x.scenario.yaml', `scenario: Two at once\nworkers: [ana, ben]\nsteps:${steps('watch_button')}`);

test('suites and tests of seeds, orders, a matrix and files with one title have different names, equal in each run', async () => {
  const junit = async (out: string) => {
    const flags = ['--seeds', '1..2', '--orders', '--report', 'junit,github', '--out', out];
    const { code, stdout } = await runHere(['run', 'a', 'b', ...flags], { cwd: join(folder.path, 'sub') });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error file=sub\/a\/x\.scenario\.yaml,line=10,/);
    return readFileSync(join(folder.path, 'sub', out, 'junit.xml'), 'utf8');
  };
  const text = await junit('first');
  const named = (tag: string) => [...text.matchAll(new RegExp(`<${tag} name="([^"]*)"`, 'g'))].map(([, name]) => name);
  const [suites, tests] = [named('testsuite'), named('testcase')];
  expect([suites.length, new Set(suites).size, new Set(tests).size]).toEqual([12, 12, tests.length]);
  expect(suites[0]).toBe('Two at once (button=watch_button, seed 1, order 0, sub/a/x.scenario.yaml)');
  expect(tests[0]).toBe(`expect alert sos of ana within 1s [${suites[0]}]`);
  expect(new Set([...text.matchAll(/file="([^"]*)"/g)].map(([, file]) => file))).toEqual(
    new Set(['sub/a/x.scenario.yaml', 'sub/b/x.scenario.yaml']),
  );
  // Behind the `wait_for`: a mark, an action and two checks.
  expect(text.match(/<skipped message="[^"]*the run stopped, because line \d+ failed/g)).toHaveLength(12 * 4);
  const withoutTimes = (xml: string) => xml.replace(/ time="[^"]*"/g, '');
  // Another run plays each of them again.
  for (const out of isWhole ? ['second'] : []) expect(withoutTimes(await junit(out))).toBe(withoutTimes(text));
});
