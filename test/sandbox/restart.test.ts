/** A sandbox that is started again on its data folder: what the service decided without the fleet, and a fleet of which nothing is left. [decisions 9, a restart] */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { distance } from '../../src/base/geometry/shapes.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import type { ActionBody } from '../../src/contract/actions.ts';
import type { SandboxOptions } from '../../src/sandbox/options/options.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';
import { openSqliteStore } from '../../src/service/store/sqlite/store.ts';
import { afterTest } from '../helpers/broker-bench.ts';
import { isWhole } from '../helpers/whole.ts';

const SITE = 'Terminal Puerto Alerce';
const MINUTE = 60_000;

function plant() {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-restart-'));
  afterTest(() => rmSync(dataDir, { recursive: true, force: true }));
  const file = join(dataDir, 'world.db');
  return {
    async start(options: SandboxOptions = {}): Promise<Sandbox> {
      const sandbox = await startSandbox({
        dataDir,
        seed: '1',
        watches: isWhole ? 60 : 20,
        port: 0,
        mqttPort: 0,
        ...options,
      });
      afterTest(() => sandbox.stop());
      return sandbox;
    },
    /** While nothing runs: what the fleet kept. */
    async kept(): Promise<ReadonlyMap<string, string>> {
      const store = await openSqliteStore({ file });
      const texts = await store.kept.load();
      await store.close();
      return texts;
    },
    /** While nothing runs: as if it had been kept no later than that; nothing: not at all. */
    async rewind(to: ReadonlyMap<string, string>): Promise<void> {
      const store = await openSqliteStore({ file });
      const now = await store.kept.load();
      const puts = Array.from(to, ([key, body]) => ({ key, body }));
      await store.kept.keep({ puts, removals: [...now.keys()].filter((key) => !to.has(key)) });
      await store.close();
    },
  };
}

async function act(sandbox: Sandbox, body: ActionBody): Promise<{ alert_id?: string; muster_id?: string }> {
  const outcome = await sandbox.act(body);
  if (isRejection(outcome)) throw new Error(`${body.action}: ${outcome.detail}`);
  return 'result' in outcome.answer ? outcome.answer.result : outcome.answer.results[0]!;
}

/** At most some minutes, until it is so. */
async function advanceUntil({ clock }: Sandbox, minutes: number, isSo: () => boolean): Promise<void> {
  for (let minute = 0; minute < minutes && !isSo(); minute++) await clock.advance(MINUTE);
}

/** The first whose wearer does that. */
const serialWho = ({ fleet }: Sandbox, doing: string): string =>
  fleet!.truth().find(({ activity }) => activity === doing)!.serial;
const activityOf = ({ fleet }: Sandbox, who: string): string =>
  fleet!.truth().find(({ serial }) => serial === who)!.activity;

it('whoever was freed by a resolution, and a muster that ended, in the last second before a kill: the fleet hears of it at the start', async () => {
  const folder = plant();
  const first = await folder.start();
  const { muster_id } = await act(first, { action: 'start_muster', site: SITE, kind: 'general', by: 'Lead' });
  await first.clock.advance(MINUTE);
  const who = serialWho(first, 'walking');
  const still = first.fleet!.truth().find(({ activity, serial }) => activity === 'walking' && serial !== who)!.serial;
  const { alert_id } = await act(first, { action: 'cannot_evacuate', who, reason: 'trapped' });
  await act(first, { action: 'cannot_evacuate', who: still, reason: 'injured' });
  await first.clock.advance((isWhole ? 10 : 2) * MINUTE);
  await first.stop();
  const before = await folder.kept();

  const second = await folder.start();
  expect(activityOf(second, who)).toBe('trapped');
  await act(second, { action: 'resolve', alert: alert_id!, by: 'Desk' });
  await act(second, { action: 'end_muster', muster: muster_id!, outcome: 'completed', by: 'Lead' });
  expect(activityOf(second, who)).not.toBe('trapped');
  await second.stop();
  await folder.rewind(before);

  const third = await folder.start();
  expect(activityOf(third, who)).not.toBe('trapped');
  expect(activityOf(third, still)).toBe('injured');
  // All but who is still to be freed are back at work.
  const left = () =>
    third.fleet!.truth().filter(({ activity }) => ['at_point', 'evacuating', 'helping'].includes(activity));
  await advanceUntil(third, 20, () => left().length === 0);
  expect(left()).toEqual([]);
});

it('a muster that began in the last second before a kill is heard, and everybody evacuates', async () => {
  const folder = plant();
  const first = await folder.start();
  await first.stop();
  const before = await folder.kept();
  const second = await folder.start();
  await act(second, { action: 'start_muster', site: SITE, kind: 'general', by: 'Lead' });
  await second.stop();
  await folder.rewind(before);
  const third = await folder.start();
  const arrived = () => third.fleet!.truth().filter(({ activity }) => activity === 'at_point').length;
  await advanceUntil(third, 15, () => arrived() > (isWhole ? 20 : 5));
  expect(arrived()).toBeGreaterThan(isWhole ? 20 : 5);
});

it('people of whom nothing was kept go on where the service last saw them, and so does a folder that never had a fleet', async () => {
  const folder = plant();
  const alone = await folder.start({ fleet: false });
  await alone.stop();
  const first = await folder.start();
  expect(first.warnings).toEqual([]);
  await first.clock.advance((isWhole ? 40 : 3) * MINUTE);
  const who = serialWho(first, 'working');
  await act(first, { action: 'wear', who, is: 'off' });
  await act(first, { action: 'battery', who, pct: 33 });
  await first.clock.advance(10_000);
  await first.stop();
  const known = new Map(first.fleet!.truth().map(({ serial, point }) => [serial, point]));
  await folder.rewind(new Map());
  const second = await folder.start();
  const truth = second.fleet!.truth();
  expect(truth.find(({ serial }) => serial === who)).toMatchObject({ worn: false, batteryPct: 33 });
  const far = truth.filter(({ serial, point }) => distance(point, known.get(serial)!) > 60);
  // A fix is at most 24 m off, and a person may have walked since the last one.
  expect(far.map(({ serial }) => serial)).toEqual([]);
});

it('what cannot be read of the fleet is a warning, and everything else goes on', async () => {
  const folder = plant();
  const first = await folder.start();
  await first.stop();
  const kept = new Map(await folder.kept());
  const person = [...kept.keys()].find((key) => key.startsWith('person/'))!;
  await folder.rewind(kept.set(person, '{"asOf":"yesterday"}'));
  const second = await folder.start();
  const [warning = '', ...more] = second.warnings;
  expect(more).toEqual([]);
  expect(warning).toContain(`1 part of what the emulated fleet kept cannot be read (${person}: `);
  expect(warning).toContain('/asOf must be a number');
  expect(warning).toContain('Their workers continue at the last position that the service knows');
});

it('a run in lock-step keeps nothing, and everything else all of it', async () => {
  const folder = plant();
  const clock = lockstepClock({ start: Date.UTC(2026, 9, 5, 6) });
  const stepped = await folder.start({ clock });
  await act(stepped, { action: 'move', who: 'W-004', to: 'Gate A' });
  await stepped.stop();
  clock.stop();
  expect((await folder.kept()).size).toBe(0);
  const first = await folder.start();
  await act(first, { action: 'move', who: 'W-004', to: 'Gate A' });
  await first.clock.advance(7_000);
  await first.stop();
  const kept = await folder.kept();
  const { clock: later, fleet } = await folder.start();
  const count = (kind: string) => [...kept.keys()].filter((key) => key.startsWith(kind)).length;
  expect([count('head'), count('site/'), count('person/'), count('watch/')]).toEqual([
    1,
    fleet!.truth().length > 0 ? new Set(fleet!.truth().map(({ siteId }) => siteId)).size : 0,
    fleet!.views().length,
    fleet!.views().length,
  ]);
  expect(JSON.parse(kept.get('head')!).at).toBeLessThanOrEqual(later.now());
});

it('a reset gets the port of its broker back where another program has it for a moment', async () => {
  const sandbox = await plant().start({ memory: true, fleet: false });
  const port = Number(new URL(sandbox.ready.mqtt_url).port);
  const taker = new Server();
  const store = sandbox.store as Awaited<ReturnType<typeof openSqliteStore>>;
  const { replaceState } = store;
  vi.spyOn(store, 'replaceState').mockImplementation(async (rows) => {
    await replaceState.call(store, rows);
    // The port is free here, between the two lives.
    taker.listen({ host: '127.0.0.1', port });
    await once(taker, 'listening');
  });
  const { listen } = Server.prototype;
  let tries = 0;
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
    if (this !== taker && (args[0] as { port?: number }).port === port && ++tries === 2) taker.close();
    return Reflect.apply(listen, this, args) as Server;
  });
  afterTest(() => void vi.restoreAllMocks());
  expect(await sandbox.reset()).toBeNull();
  expect(tries).toBeGreaterThan(1);
  expect(sandbox.ready.mqtt_url).toBe(`mqtt://127.0.0.1:${port}`);
});
