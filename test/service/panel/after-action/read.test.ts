/** The record of a running sandbox: active, ended, and after a restart. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockstepClock } from '../../../../src/base/time/clocks.ts';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/start.ts';
import { readReport } from '../../../../src/service/panel/after-action/after-action.ts';
import { peopleCsv } from '../../../../src/service/panel/after-action/exports.ts';
import { reportPage } from '../../../../src/service/panel/after-action/page.ts';

const MINUTE = 60_000;
const SITE = 'Terminal Puerto Alerce';
const START = Date.UTC(2026, 9, 5, 15);

let folder: string;
let sandbox: Sandbox;
let clock: ReturnType<typeof lockstepClock>;

async function start(at: number): Promise<void> {
  clock = lockstepClock({ start: at });
  sandbox = await startSandbox({ dataDir: folder, port: 0, mqttPort: 0, seed: 'roll', watches: 40, clock });
}

async function stop(): Promise<void> {
  await sandbox.stop();
  clock.stop();
}

const act = async (body: Parameters<Sandbox['act']>[0]): Promise<void> => {
  const outcome = await sandbox.act(body);
  if ('rejected' in outcome && outcome.rejected) throw new Error(JSON.stringify(outcome));
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'report-'));
  await start(START);
});
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a muster leaves a record that a restart keeps', async () => {
  await clock.advance(MINUTE);
  await act({ action: 'start_muster', site: SITE, kind: 'general', reason: 'Drill', by: 'Shift lead' });
  const [muster] = [...sandbox.engine.world.indexes.activeMusters()];
  const id = muster?.id ?? '';
  await clock.advance(3 * MINUTE);
  const half = await readReport(sandbox, id);
  expect(half).toMatchObject({ status: 'active', endedAt: null, asOf: START + 4 * MINUTE });

  await clock.advance(12 * MINUTE);
  await act({ action: 'end_muster', muster: id, outcome: 'completed', by: 'Shift lead' });
  const report = await readReport(sandbox, id);
  const shown = sandbox.engine.world.need('muster', id).totals;
  expect(report).toMatchObject({ status: 'completed', endedAt: START + 16 * MINUTE });
  expect(report?.totals).toMatchObject({ expected: shown.expected, safe: shown.safe });
  expect(report?.people).toHaveLength(shown.expected);
  expect(report?.people?.filter(({ status }) => status === 'safe')).toHaveLength(shown.safe);
  // They walk: the first half takes some minutes, and more are safe at the end than in the middle.
  expect(shown.safe).toBeGreaterThan(half?.totals.safe ?? 0);
  expect(report?.shares?.[0]?.firstAt).toBeGreaterThan(START + MINUTE);
  const sums = report?.course.map(({ totals: { expected, ...of } }) => [
    expected,
    Object.values(of).reduce((sum: number, one) => sum + (one ?? 0), 0),
  ]);
  expect(sums?.length).toBeGreaterThan(5);
  expect(sums?.filter(([expected, sum]) => expected !== sum)).toEqual([]);

  await stop();
  await start(START + 20 * MINUTE);
  const later = await readReport(sandbox, id.toUpperCase());
  expect(later === null || report === null).toBe(false);
  expect({ ...later, drawnAt: 0, alerts: [] }).toEqual({ ...report, drawnAt: 0, alerts: [] });
  if (later === null) return;
  expect(reportPage(later)).toContain(`Everybody (${shown.expected})`);
  expect(peopleCsv(later).trim().split('\r\n')).toHaveLength(shown.expected + 1);
});

test('a muster that nobody knows has none', async () => {
  expect(await readReport(sandbox, '00000000-0000-4000-8000-000000000000')).toBeNull();
  expect(await readReport(sandbox, 'constructor')).toBeNull();
});
