/** Machines whose clocks are wrong: `created_at` and deliveries follow the database's clock, and a node that differs from it too much says so. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { NodesPlant, type PlantNode } from '../faults/nodes-plant.ts';
import { clockOff, settableClock, withoutFaketime } from '../helpers/faketime.ts';
import { ownMachine, ownMachineToo, soonMs, withoutMosquitto } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { withoutPostgres } from '../helpers/postgres-server.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, withoutWhole } from '../helpers/whole.ts';
import { RunningSandbox, run } from './sandbox-process.ts';

const missing = [withoutWhole, withoutFaketime, withoutPostgres, withoutMosquitto];
const DAY_MS = 86_400_000;

/** An event of a node whose clock is wrong by 900 ms is delivered as soon as any other; wall ms. */
const SOON_MS = soonMs(600);

const hazard = (sandbox: RunningSandbox, site: string) =>
  sandbox.act({ action: 'hazard', site, kind: 'earthquake', magnitude: 6, distance_km: 50 });

async function change(sandbox: RunningSandbox, action: 'resolve' | 'reopen', alert: string) {
  const body = action === 'resolve' ? { action, alert, by: 'Desk', reason: 'done' } : { action, alert, by: 'Desk' };
  return (await sandbox.act(body)) as { status: number; body: { code?: string; detail?: string } };
}

async function newestEvent(sandbox: RunningSandbox): Promise<number> {
  const { body } = await sandbox.call('GET', '/v1/sandbox/events?limit=1', sandbox.ready.control_token);
  return Date.parse((body as { data: { created_at: string }[] }).data[0]?.created_at ?? '');
}

unless(...missing).describe('nodes', () => {
  let plant: NodesPlant;
  let a: PlantNode;
  let alert: string;
  const folder = ownFolder();
  beforeAll(async () => {
    plant = await NodesPlant.make(6);
    a = await plant.join('a');
    await plant.untilShared();
    await plant.destination();
    const [site] = await plant.sites();
    const { body } = await hazard(a.sandbox, site?.name ?? '');
    alert = (body as { result: { alert_id: string } }).result.alert_id;
  });
  afterAll(async () => {
    await plant?.end();
    folder.remove();
  });

  /** From the change at the node to its event at the receiver, and by how much `created_at` is after this machine's right time; ms. */
  async function changed(node: PlantNode): Promise<{ deliveredMs: number; aheadMs: number }> {
    await change(a.sandbox, 'resolve', alert);
    const before = plant.receiver.received.length;
    await plant.drained(5_000);
    const startedAt = Date.now();
    expect((await change(node.sandbox, 'reopen', alert)).status).toBe(200);
    const answeredAt = Date.now();
    const createdAt = await newestEvent(a.sandbox);
    expect(createdAt).toBeGreaterThan(startedAt - 100);
    const arrived = () => plant.receiver.received.slice(before).find(({ body }) => body.includes('"alert.reopened"'));
    await expect.poll(() => arrived() !== undefined, { interval: 20 }).toBe(true);
    return { deliveredMs: (arrived()?.wallAt ?? 0) - answeredAt, aheadMs: createdAt - answeredAt };
  }

  test.each(['+5s', '-5s', '+1d'])('a node whose clock is %s off refuses to start, and doctor says why', async (by) => {
    const env = clockOff(by);
    await expect(plant.join('b', env)).rejects.toThrow(/clock_differs.*(ahead of|behind) that of the database/s);
    const { code, stdout } = await run(['doctor', '--database', plant.database, '--json'], { env });
    expect(code).toBe(3);
    const failed = JSON.parse(stdout).data.checks.filter((one: { verdict: string }) => one.verdict === 'failed');
    expect(failed).toMatchObject([{ name: 'database', cure: expect.stringMatching(/NTP/) }]);
  });

  // The offset that the node measures is as exact as the machine has time for it.
  unless(ownMachine).test.each([
    '+0.9s',
    '-0.9s',
  ])('a node whose clock is %s off writes times of the database’s clock', async (by) => {
    const b = await plant.join('b', clockOff(by));
    try {
      const { deliveredMs, aheadMs } = await changed(b);
      expect(aheadMs).toBeLessThan(50);
      expect(deliveredMs).toBeLessThan(SOON_MS);
      const { body } = await a.sandbox.call('GET', '/v1/sandbox/nodes', a.sandbox.ready.control_token);
      const { nodes } = body as { nodes: { name: string; clock_ahead_ms: number }[] };
      const off = nodes.find(({ name }) => name === 'b')?.clock_ahead_ms ?? 0;
      expect(Math.abs(off - Number.parseFloat(by) * 1_000)).toBeLessThan(100);
      await b.sandbox.printed(({ detail }) =>
        /^The clock of this node is (8[5-9]|9[0-5])\d ms (ahead of|behind)/.test(String(detail)),
      );
    } finally {
      await plant.leave(b);
    }
  });

  unless(
    ownMachineToo,
  ).test('a node whose clock goes wrong takes no changes until it is right, and reports both', async () => {
    const clock = settableClock(join(folder.path, 'clock'));
    const b = await plant.join('b', clock.env);
    const token = await a.sandbox.token();
    expect((await changed(b)).aheadMs).toBeLessThan(50);
    clock.set('+5s');
    await b.sandbox.printed(({ detail }) =>
      / [45]\.\d s ahead of that of the database .* accepts no changes/.test(String(detail)),
    );
    const refused = await change(b.sandbox, 'resolve', alert);
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect(refused.body.detail).toMatch(/clock of this node .* accepts no changes.* Nothing was changed/);
    expect((await fetch(`${b.sandbox.ready.api_url}/healthz`)).status).toBe(503);
    expect((await b.sandbox.call('GET', `/v1/alerts/${alert}`, token)).body).toMatchObject({
      status: 'unacknowledged',
    });
    await expect.poll(() => plant.claimsOf('b')).toBe(0);
    expect((await changed(a)).deliveredMs).toBeLessThan(SOON_MS);
    clock.set('+0s');
    await b.sandbox.printed(({ detail }) => /accepts changes again/.test(String(detail)));
    expect((await changed(b)).aheadMs).toBeLessThan(50);
    expect((await fetch(`${b.sandbox.ready.api_url}/healthz`)).status).toBe(200);
    await plant.leave(b);
  });
});

unless(...missing).describe('a world that a wrong clock has left in the future', () => {
  test('goes on at the same time at all its nodes, which say so and delay nothing', async () => {
    const plant = await NodesPlant.make(6);
    try {
      const folder = ownFolder();
      const flags = [
        '--seed',
        '7',
        '--watches',
        '6',
        '--no-fleet',
        '--database',
        plant.database,
        '--data-dir',
        folder.path,
      ];
      const wrong = await RunningSandbox.up(flags, { env: clockOff('+1d') });
      const [site] = await plant.sites();
      const { body } = await hazard(wrong, site?.name ?? '');
      const { alert_id: alert } = (body as { result: { alert_id: string } }).result;
      await wrong.stop();
      folder.remove();
      const nodes = [await plant.join('a'), await plant.join('b')];
      for (const { sandbox } of nodes)
        expect(sandbox.line.warnings).toEqual([
          expect.stringMatching(/^Simulated time is (1d|23h\d+m) ahead of the database's clock, .*reset/),
        ]);
      await plant.untilShared();
      await plant.destination();
      for (const [n, { sandbox }] of nodes.entries()) {
        expect((await change(sandbox, n === 0 ? 'resolve' : 'reopen', alert)).status).toBe(200);
        await expect.poll(() => plant.receiver.received.length, { interval: 20 }).toBe(n + 1);
        expect(Math.abs((await newestEvent(sandbox)) - Date.now() - DAY_MS)).toBeLessThan(60_000);
      }
    } finally {
      await plant.end();
    }
  });
});

unless(withoutFaketime).describe('a sandbox of one process', () => {
  let folder: ReturnType<typeof ownFolder>;
  let running: RunningSandbox | null = null;
  beforeEach(() => {
    folder = ownFolder();
  });
  afterEach(async () => {
    await running?.stop();
    folder.remove();
  });

  async function up(env: Record<string, string> = {}): Promise<RunningSandbox> {
    await running?.stop();
    running = await RunningSandbox.up(['--data-dir', folder.path, '--watches', '6'], { env });
    return running;
  }

  test('a sandbox that continues at the time of a wrong clock says so at each start, and how to end it', async () => {
    const wrong = await up(clockOff('+1d'));
    expect(wrong.line.warnings).toEqual([]);
    expect((await wrong.act({ action: 'sos', who: 'W-001' })).status).toBe(200);
    for (const _ of isWhole ? ['first', 'second'] : ['first']) {
      const { line } = await up();
      expect(line.warnings).toEqual([
        expect.stringMatching(/^Simulated time is 1d ahead of this machine's clock, because a clock was wrong .*reset/),
      ]);
    }
    const now = running as unknown as RunningSandbox;
    const who = now.ready.watches.findLast(({ emulated }) => emulated)?.worker;
    expect((await now.act({ action: 'sos', who })).status).toBe(200);
    expect(await newestEvent(now)).toBeGreaterThan(Date.now() + DAY_MS / 2);
    expect((await now.call('POST', '/v1/sandbox/reset', now.ready.control_token, {})).status).toBe(200);
    if (isWhole) expect((await up()).line.warnings).toEqual([]);
  });

  unless(withoutWhole).test('a sandbox whose time was advanced on purpose says nothing of a wrong clock', async () => {
    const first = await up();
    const advance = { advance: '25h' };
    expect((await first.call('POST', '/v1/sandbox/clock', first.ready.control_token, advance)).status).toBe(200);
    expect((await up()).line.warnings).toEqual([]);
  });
});
