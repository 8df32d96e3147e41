/** A whole muster as a control room sees it: the count rises, a point is excluded, people turn round, the plant is inspected, the end. [spec 2, 3, decisions 6] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isWhole } from '../helpers/whole.ts';

const SITE = 'Terminal Puerto Alerce';
const [GATE, CROSSING] = ['Gate A', 'Yard Crossing'];
const MINUTE = 60_000;
const LOOK_MS = isWhole ? 20_000 : 40_000;
/** The shares of the expected workers who have to be safe before the turn, and after it. */
const [FIRST, THEN] = isWhole ? [0.85, 0.88] : [0.6, 0.6];

interface MusterSeen {
  readonly status: string;
  readonly phase: string;
  readonly targets_revision: number;
  readonly totals: Readonly<Record<string, number>>;
  readonly assembly_points: readonly { readonly name: string; readonly count: number }[];
}

let folder: string;
let sandbox: Sandbox;
let clock: ReturnType<typeof lockstepClock>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-run-'));
  clock = lockstepClock({ start: Date.UTC(2026, 9, 5, 6) });
  sandbox = await startSandbox({
    seed: '1',
    memory: true,
    dataDir: folder,
    port: 0,
    mqttPort: 0,
    watches: isWhole ? 120 : 90,
    clock,
  });
});
afterAll(async () => {
  await sandbox.stop();
  clock.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A token lives for an hour of simulated time: each look asks for its own. [decisions 3] */
async function freshToken(): Promise<string> {
  const [client] = sandbox.ready.clients;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client!.client_id,
    client_secret: client!.client_secret,
  });
  const answer = await fetch(`${sandbox.ready.api_url}/v1/oauth/token`, { method: 'POST', body: form });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function get<T>(path: string): Promise<T> {
  const token = await freshToken();
  const answer = await fetch(`${sandbox.ready.api_url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

async function act(action: string, fields: Readonly<Record<string, unknown>>) {
  const answer = await fetch(`${sandbox.ready.api_url}/v1/sandbox/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.ready.control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action, by: 'Shift lead', ...fields }),
  });
  const reported = (await answer.json()) as { detail?: string; result?: Readonly<Record<string, string>> };
  expect(reported.detail).toBeUndefined();
  return reported.result ?? {};
}

it('counts up, turns round and ends as the control room decides, and adds up at each look', async () => {
  await clock.advance(MINUTE);
  const { muster_id: id } = await act('start_muster', { site: SITE, kind: 'earthquake' });
  const looks: MusterSeen[] = [];
  const texts = () => sandbox.fleet!.views().flatMap(({ shown }) => shown.musterText ?? []);
  const look = async (): Promise<MusterSeen> => {
    const seen = await get<MusterSeen>(`/v1/musters/${id}`);
    const { expected, ...statuses } = seen.totals;
    expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(expected);
    looks.push(seen);
    return seen;
  };
  /** The whole time, or until enough is seen. */
  const play = async (ms: number, isEnough: (seen: MusterSeen) => boolean = () => false): Promise<MusterSeen> => {
    for (let played = 0; played < ms; played += LOOK_MS) {
      await clock.advance(LOOK_MS);
      if (isEnough(await look()) && !isWhole) break;
    }
    return looks.at(-1)!;
  };
  const at = (seen: MusterSeen, name: string) => seen.assembly_points.find((point) => point.name === name)?.count ?? 0;

  const { totals } = await look();
  expect(totals).toMatchObject({ expected: expect.any(Number), safe: 0 });
  const { expected } = totals as { expected: number };
  expect(expected).toBeGreaterThan(isWhole ? 40 : 30);
  const isSafe = (share: number) => (seen: MusterSeen) => seen.totals['safe']! > share * expected;
  const gathered = await play(14 * MINUTE, isSafe(FIRST));
  expect(gathered.totals['safe']).toBeGreaterThan(FIRST * expected);
  expect(at(gathered, GATE) + at(gathered, CROSSING)).toBeGreaterThan(0.8 * FIRST * expected);
  for (const status of ['help', 'no_signal', 'not_worn'])
    expect(Math.max(...looks.map((seen) => seen.totals[status]!)), status).toBeGreaterThan(0);
  // Nobody of another site has a siren.
  const siteId = [...sandbox.engine.world.all('site')].find(({ name }) => name === SITE)!.id;
  const elsewhere = sandbox.fleet!.truth().filter((one) => one.siteId !== siteId);
  expect(elsewhere.length).toBeGreaterThan(isWhole ? 20 : 15);
  expect(elsewhere.filter(({ activity }) => /evacuating|helping|trapped|injured|at_point/.test(activity))).toEqual([]);
  expect(texts()).toContain('Evacuate to Cerro Mirador or Gate A or Yard Crossing');

  for (const point of [GATE, CROSSING]) await act('exclude_point', { muster: id, point, reason: 'Gas in the wind' });
  const turned = await play(LOOK_MS);
  expect(turned.targets_revision).toBe(3);
  expect(at(turned, GATE) + at(turned, CROSSING)).toBe(0);
  expect(turned.totals['safe']).toBeLessThan(0.3 * expected);
  expect(turned.totals['wrong_point']).toBeGreaterThan(0.7 * FIRST * expected);
  const again = await play(
    20 * MINUTE,
    (seen) => isSafe(THEN)(seen) && at(seen, 'Cerro Mirador') > THEN * expected && seen.totals['no_signal'] === 0,
  );
  expect(again.totals['safe']).toBeGreaterThan(THEN * expected);
  expect(again.totals['no_signal']).toBe(0);
  expect(at(again, 'Cerro Mirador')).toBeGreaterThan(THEN * expected);

  // Who has no watch to be counted by is called by name.
  const { data } = await get<{ data: { worker: { external_id: string } }[] }>(`/v1/musters/${id}/missing`);
  expect(data).toHaveLength(expected - again.totals['safe']!);
  for (const { worker } of data)
    await act('mark_safe', { muster: id, who: worker.external_id, point: 'Cerro Mirador' });
  await play(LOOK_MS);
  await act('inspect', { muster: id });
  const inspected = await play(2 * MINUTE, isSafe(0.97));
  expect(inspected).toMatchObject({ status: 'active', phase: 'inspecting' });
  expect(inspected.totals['safe']).toBeGreaterThan(0.97 * expected);
  expect(new Set(texts())).toEqual(new Set(['Do not return until further notice']));

  await act('end_muster', { muster: id, outcome: 'completed' });
  await clock.advance((isWhole ? 12 : 8) * MINUTE);
  const closed = await look();
  expect(closed).toMatchObject({ status: 'completed', phase: 'inspecting' });
  expect(texts()).toEqual([]);
  const workplaces = sandbox
    .fleet!.truth()
    .filter(({ zone }) => zone === GATE || zone === CROSSING || zone === 'Cerro Mirador');
  expect(workplaces.length).toBeLessThan(0.1 * expected);
});
