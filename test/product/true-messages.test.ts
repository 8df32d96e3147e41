/** What a message claims, against what really happened: each fault is provoked, and the folder is opened again and compared. */
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { NodesPlant } from '../faults/nodes-plant.ts';
import { eachOf } from '../helpers/each-of.ts';
import { withoutMosquitto, withoutOtherUsers } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { withoutPostgres } from '../helpers/postgres-server.ts';
import { failFsync, SmallDisk, withoutSmallDisk, withoutStrace } from '../helpers/small-disk.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { BIN, type ReadySandbox, RunningSandbox } from './sandbox-process.ts';

const WORLD = ['--seed', '7', '--watches', '6', '--no-fleet'];
const NOTHING = /Nothing was changed/;
const UNKNOWN = /it is not known whether it was changed/;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function up(...args: string[]): Promise<RunningSandbox> {
  const running = await RunningSandbox.up([...WORLD, ...args]);
  ends.push(() => running.child.exitCode ?? running.stop());
  return running;
}

/** In this process: what is neither killed nor traced. */
async function upHere(...args: string[]): Promise<SandboxHere> {
  const running = await SandboxHere.up([...WORLD, ...args]);
  ends.push(() => running.stop());
  return running;
}

const health = async ({ ready }: ReadySandbox): Promise<number> => (await fetch(`${ready.api_url}/healthz`)).status;

async function newAlert(sandbox: ReadySandbox): Promise<string> {
  const { body: sites } = await sandbox.call('GET', '/v1/sites', await sandbox.token());
  const hazard = { action: 'hazard', site: sites.data[0].name, kind: 'earthquake', magnitude: 6, distance_km: 50 };
  return ((await sandbox.act(hazard)) as { body: { result: { alert_id: string } } }).body.result.alert_id;
}

async function change(sandbox: ReadySandbox, alert: string, action: 'resolve' | 'reopen') {
  const rest = action === 'resolve' ? { reason: 'done' } : {};
  const { status, body } = await sandbox.act({ action, alert, by: 'Desk', ...rest });
  return { status, detail: String((body as { detail?: string }).detail) };
}

async function statusOf(sandbox: ReadySandbox, alert: string, token: string): Promise<string> {
  return (await sandbox.call('GET', `/v1/alerts/${alert}`, token)).body.status;
}

unless(withoutStrace).describe('a disk whose fsync fails', () => {
  let folder: ReturnType<typeof ownFolder>;
  beforeEach(() => {
    folder = ownFolder();
    ends.push(() => folder.remove());
  });

  test('answers that the outcome is not known, ends, and keeps all that it acknowledged', async () => {
    const first = await up('--data-dir', folder.path);
    const alert = await newAlert(first);
    const tracer = await failFsync(first.child);
    // Until a change is not acknowledged; the process may be gone before it has answered.
    let [acknowledged, answer]: [string, Awaited<ReturnType<typeof change>> | null] = ['unacknowledged', null];
    for (let n = 0; n < 1_000; n++) {
      answer = await change(first, alert, n % 2 === 0 ? 'resolve' : 'reopen').catch(() => null);
      if (answer?.status !== 200) break;
      acknowledged = n % 2 === 0 ? 'resolved' : 'unacknowledged';
    }
    const { code, stdout } = await first.ended;
    tracer.kill('SIGKILL');
    if (answer !== null) {
      expect(answer).toMatchObject({ status: 503, detail: expect.stringMatching(UNKNOWN) });
      expect(answer.detail).not.toMatch(NOTHING);
    }
    expect(code).toBe(3);
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
    expect(last.error).toMatchObject({
      code: 'storage_broken',
      actions: [expect.stringMatching(/503 .* may also be stored/)],
    });
    const again = await upHere('--data-dir', folder.path);
    // What was acknowledged, or the change behind it whose outcome was not known.
    const found = await statusOf(again, alert, await again.token());
    expect(['unacknowledged', 'resolved']).toContain(found);
    const { body } = await again.call('GET', '/v1/events?limit=200', await again.token());
    const types = body.data.map(({ type }: { type: string }) => type) as string[];
    const expected = acknowledged === 'resolved' ? 'alert.resolved' : 'alert.reopened';
    if (found === acknowledged && types.length > 1) expect(types.at(-1)).toBe(expected);
  });
});

unless(withoutSmallDisk).describe('a disk without room', () => {
  test('answers that nothing was changed, which is so, and is unhealthy until there is room', async () => {
    const disk = SmallDisk.of('12m');
    ends.push(() => disk.remove());
    const dataDir = ['--data-dir', join(disk.path, 'data')];
    const first = await up(...dataDir);
    const alert = await newAlert(first);
    const token = await first.token();
    expect(await health(first)).toBe(200);
    const filler = disk.fill();
    expect(await change(first, alert, 'resolve')).toMatchObject({
      status: 503,
      detail: expect.stringMatching(NOTHING),
    });
    expect(await health(first)).toBe(503);
    expect(await statusOf(first, alert, token)).toBe('unacknowledged');
    rmSync(filler);
    expect(await health(first)).toBe(200);
    first.child.kill('SIGKILL');
    await first.ended;
    const again = await upHere(...dataDir);
    expect(await statusOf(again, alert, await again.token())).toBe('unacknowledged');
    expect((await change(again, alert, 'resolve')).status).toBe(200);
  });

  const sizes = ['4k', '12k', '24k', '32k', '48k', '64k', '96k', '128k'].map((size) => [size] as const);
  eachOf(sizes, 8)(
    'of %s at the first start: it is full, nothing is lost, and with room the start goes on',
    async (size) => {
      const disk = SmallDisk.of(size);
      ends.push(() => disk.remove());
      const args = ['up', '--json', '--port', '0', '--mqtt-port', '0', ...WORLD, '--data-dir', join(disk.path, 'data')];
      for (const _ of ['first', 'second']) {
        const { code, stdout, stderr } = await runHere(args);
        const { error } = JSON.parse(stdout);
        expect({ code, words: error.message + stderr }).toEqual({ code: 3, words: expect.stringMatching(/full/i) });
        expect(error.message).not.toMatch(/lost|damaged|mistake/);
        expect(error.actions).toEqual([expect.stringMatching(/[Ff]ree (?:some )?space/)]);
      }
      disk.resize('16m');
      const running = await upHere('--data-dir', join(disk.path, 'data'));
      expect(running.line.warnings).toEqual([]);
      expect(readdirSync(join(disk.path, 'data')).filter((name) => name.startsWith('damaged'))).toEqual([]);
    },
  );
});

unless(withoutOtherUsers).describe('another user', () => {
  const [OWNER, OTHER, GROUP] = [61_001, 61_002, 61_003];

  /** Starts as a user, and ends when it is ready or refused: what it printed. */
  async function startAs(uid: number, path: string) {
    const running = await RunningSandbox.up([...WORLD.slice(2), '--data-dir', path], { uid, gid: GROUP }).catch(
      (error: Error) => error,
    );
    if (running instanceof Error) return { refused: running.message, warnings: [] };
    await running.stop();
    return { refused: null, warnings: running.line.warnings };
  }

  beforeAll(() => {
    // The build of the tests is in a folder that only its maker may enter.
    chmodSync(dirname(dirname(BIN)), 0o755);
  });

  function volume(): string {
    const folder = ownFolder();
    ends.push(() => folder.remove());
    chmodSync(folder.path, 0o755);
    const path = join(folder.path, 'data');
    mkdirSync(path);
    chownSync(path, OWNER, GROUP);
    chmodSync(path, 0o2770);
    return path;
  }

  unless(
    withoutWhole,
  ).test('works on a volume that a group shares (fsGroup), and is told which files the group may read', async () => {
    const path = volume();
    expect(await startAs(OWNER, path)).toEqual({ refused: null, warnings: [] });
    // As the kubelet does with fsGroup.
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o660);
    const { refused, warnings } = await startAs(OTHER, path);
    expect(refused).toBeNull();
    expect(warnings.join(' ')).toMatch(
      /data\/key can be read by its group \(mode 0660\), and only its owner, uid 61001,/,
    );
    // The files that the other user has made are that user's.
    expect((await startAs(OWNER, path)).refused).toMatch(
      /data_folder_forbidden.*uid 61001\) may not open .*data\/commits/,
    );
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o660);
    expect((await startAs(OWNER, path)).refused).toBeNull();
    expect(await startAs(OWNER, path)).toEqual({ refused: null, warnings: [] });
  });

  test('is refused with the file that it may not open, not with the folder that it may write to', async () => {
    const path = volume();
    await startAs(OWNER, path);
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o660);
    chmodSync(join(path, 'key'), 0o600);
    const { refused } = await startAs(OTHER, path);
    expect(refused).toMatch(/data_folder_forbidden.*\(uid 61002\) may not open .*data\/key/);
  });
});

unless(withoutPostgres).describe('a world in a database', () => {
  // Of a sandbox alone: test/product/postgres.test.ts.
  unless(withoutWhole, withoutMosquitto).test('of other options is named so by a node too', async () => {
    const plant = await NodesPlant.make(6);
    ends.push(() => plant.end());
    await plant.join('a');
    await expect(plant.join('b', {}, '8')).rejects.toThrow(/other_world.*The database world_1 at/);
  });
});
