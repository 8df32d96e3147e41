/** The thread that reads large scenarios, as it is started from the sources. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nextTurn } from '../../src/base/time/timers.ts';
import { type Examination, examine } from '../../src/sandbox/runs/examine.ts';
import { ScenarioReader } from '../../src/sandbox/runs/scenario-reader.ts';
import { loadInSlices, loadScenario } from '../../src/scenario/reading/load.ts';
import { readShared } from '../../src/scenario/reading/merged-file.ts';
import { fromTransfer } from '../../src/scenario/reading/transferred.ts';
import { isRejection } from '../../src/service/domain/changes.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';

// Files over HTTP are inside the project, which is the working folder.
const CACHE = join(process.cwd(), 'node_modules/.cache');
mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'reader-'));
const reader = new ScenarioReader((wake) => void nextTurn(wake));
afterAll(() => {
  reader.stop();
  rmSync(folder, { recursive: true });
});

const file = join(folder, 'large.scenario.yaml');
writeFileSync(
  file,
  `scenario: Large
params: {silence: 30s}
matrix: {fault: [1, 2]}
site: {name: H, origin: [43.3, -8.4], zones: {A: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: A}}
receivers: {erp: {events: [alert.*]}}
macros: {m: {params: [n], steps: [{check: {alerts: open, count: $n}}, {wait: $silence}]}}
when: [{first: {alert: sos, of: ana}, as: one, steps: [{acknowledge: {alert: $one, by: Desk}}]}]
rules: [{never: {alert: fall_detected}}]
steps:
${'  - do: {macro: m, with: {n: $fault}}\n    only: {fault: 2}\n'.repeat(400)}  - together: [{wait: 1s}, {repeat: {times: 2, steps: [{mark: Again}]}}]
finally: [{mark: The end}]
`,
);

const request = { file, parameters: { fault: 2, silence: '45s' }, seed: '9', viewer: null, mode: 'real' } as const;

/** What has come from another thread, compared with what was read here. */
function isAsReadHere(examined: Pick<Examination, 'scenario' | 'loaded'>): void {
  const here = loadScenario(file, { seed: '9', values: { fault: 2 }, set: { silence: '45s' } });
  if (!here.ok || !examined.loaded.ok) throw new Error('It has no mistakes.');
  // Checks are functions, so they are compared by their text.
  const shape = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (_key, one) => (one instanceof Map ? [...one] : one)));
  expect(shape(examined.loaded.scenario)).toEqual(shape(here.scenario));
  expect(examined.loaded.cases).toEqual(here.cases);
  expect(examined.scenario.steps).toHaveLength(402);
  expect(examined.scenario).toMatchObject({ seed: '9', values: { fault: 2 }, set: { silence: '45s' }, beyond: [] });
}

// A thread that is started from the sources takes 2 s. test/product/reading-over-http.test.ts has one of the package.
test('a scenario that is transferred as between threads is read in slices, and the same as one that was read here', () => {
  const examined = examine(request, readShared);
  if (isRejection(examined)) throw new Error(examined.detail);
  const work = loadInSlices(fromTransfer(structuredClone(examined.transfer())));
  let slices = 0;
  let next = work.next();
  for (; next.done !== true; next = work.next()) slices += 1;
  const loaded = next.value;
  // Between two of them, other work of the process runs.
  expect(slices).toBeGreaterThan(20);
  if (!loaded.ok) throw new Error(loaded.text);
  isAsReadHere({ scenario: structuredClone(examined.scenario), loaded });
});

unless(withoutWhole).test('a scenario that another thread has read is the same as one that was read here', async () => {
  const examined = await reader.examine(request);
  if (isRejection(examined)) throw new Error(examined.detail);
  isAsReadHere(examined);
});

unless(withoutWhole).test('a large scenario is read beside other work of the process, not before it', async () => {
  let turns = 0;
  let isRead = false;
  const counting = (): void => {
    turns += 1;
    if (!isRead) void nextTurn(counting);
  };
  const used = process.cpuUsage();
  counting();
  await reader.listed('large', file);
  isRead = true;
  const { user, system } = process.cpuUsage(used);
  // A turn in each three milliseconds or less, whichever thread used them; read at once it would be a few turns in all.
  expect(turns).toBeGreaterThan((user + system) / 1000 / 3);
});

unless(withoutWhole).test('a scenario that needs the other thread is listed with its length', async () => {
  expect(await reader.listed('large', file)).toMatchObject({
    title: 'Large',
    parameters: { silence: '30s', fault: [1, 2] },
  });
});

test('a reader that has stopped answers what waits, and reads no more', async () => {
  const own = new ScenarioReader((wake) => void nextTurn(wake));
  const waiting = own.examine(request);
  // The file is being read by then, in slices or in the other thread.
  await new Promise<void>((resolve) => void nextTurn(resolve));
  own.stop();
  expect(await waiting).toMatchObject({ rejected: true, detail: 'The sandbox is stopping.' });
  expect(await own.examine(request)).toMatchObject({ rejected: true });
});
