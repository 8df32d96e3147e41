/** The truth file, and the life of the default world as the service receives it. [cli, up --truth] */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANE } from '../../src/base/time/clock.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { afterTest } from '../helpers/broker-bench.ts';

const START = 1_791_180_000_000;

async function sandboxWith(options: { readonly truth?: string; readonly watches?: number }) {
  const clock = lockstepClock({ start: START });
  afterTest(() => clock.stop());
  const folder = mkdtempSync(join(tmpdir(), 'muster-truth-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  clock.start();
  const sandbox = await startSandbox({
    memory: true,
    dataDir: folder,
    port: 0,
    mqttPort: 0,
    seed: '1',
    clock,
    ...options,
  });
  afterTest(() => sandbox.stop());
  const later = (ms: number): Promise<void> =>
    new Promise((resolve) => clock.at(START + ms, { lane: LANE.expectation, actor: 'test' }, resolve));
  return { sandbox, later, folder };
}

describe('the truth file', () => {
  it('begins with a header and has a line of every watch each 10 s, equal for equal seeds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-truth-'));
    afterTest(() => rmSync(folder, { recursive: true, force: true }));
    const texts: string[] = [];
    for (const name of ['a', 'b']) {
      const truth = join(folder, name);
      const { sandbox, later } = await sandboxWith({ truth, watches: 15 });
      await later(65_000);
      await sandbox.stop();
      expect(statSync(truth).mode & 0o777).toBe(0o600);
      texts.push(readFileSync(truth, 'utf8'));
    }
    expect(texts[0]).toBe(texts[1]);
    const [header, ...lines] = texts[0]!
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toEqual({
      format: 'muster-sandbox truth',
      version: expect.any(String),
      seed: '1',
      started_at: '2026-10-05T06:00:00.000Z',
    });
    // Nine of fifteen watches are emulated; from the start on, each 10 s.
    expect(lines).toHaveLength(9 * 7);
    expect(new Set(lines.map(({ at }) => at)).size).toBe(7);
    for (const line of lines) {
      expect(line).toEqual({
        at: expect.stringMatching(/^2026-10-05T06:0[01]:\d0\.000Z$/),
        site_id: expect.any(String),
        serial: expect.stringMatching(/^SIM-/),
        latitude: expect.any(Number),
        longitude: expect.any(Number),
        x_m: expect.any(Number),
        y_m: expect.any(Number),
        zone: expect.toSatisfy((zone) => zone === null || typeof zone === 'string'),
        height_m: expect.toSatisfy((height) => height === null || typeof height === 'number'),
        floor: expect.toSatisfy((floor) => floor === null || typeof floor === 'string'),
        in_vehicle: expect.any(Boolean),
        worn: expect.toSatisfy((worn) => worn === true || worn === null),
        activity: expect.stringMatching(/^(walking|driving|climbing|working|parked)$/),
        battery_pct: expect.any(Number),
        charging: false,
        network: true,
        gps: true,
      });
    }
  });

  it('is not what the watches report: the service has other places', async () => {
    const { sandbox } = await sandboxWith({ watches: 15 });
    const { world } = sandbox.engine;
    for (const { serial, coordinates } of sandbox.fleet!.truth()) {
      const { fix } = world.telemetry(world.indexes.deviceId(serial)!);
      expect({ latitude: fix?.latitude, longitude: fix?.longitude }).not.toEqual(coordinates);
    }
  });

  it('a truth file that cannot be written is refused, with what to do', async () => {
    await expect(sandboxWith({ truth: join(tmpdir(), 'no', 'such', 'folder', 'x') })).rejects.toMatchObject({
      code: 'truth_not_writable',
      fix: expect.stringContaining('--truth'),
    });
  });
});
