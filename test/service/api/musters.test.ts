/** Musters over HTTP: pages, one, who is missing, and the events; each as the clock counts. [spec 2, 4, 6, decisions 1, 6] */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { Command } from '../../../src/service/domain/commands.ts';
import { linesOf } from '../../../src/service/domain/musters/roll-rows.ts';
import { type Options, ORG, SITE, T0 } from '../domain/small-world.ts';
import { ApiHarness } from './harness.ts';
import { addQuarry, QUARRY } from './second-company.ts';

const GATE = '00000000-0000-4000-8000-0000000000a1';
const YARD = '00000000-0000-4000-8000-000000000012';

let clock: Clock;
let harness: ApiHarness;
let token: string;

async function begin(options: Options = {}): Promise<void> {
  clock = lockstepClock({ start: T0 });
  clock.pause();
  harness = await ApiHarness.start({ ...options, clock });
  const { world } = harness.small;
  const ring = [[300, 0], [340, 0], [340, 40], [300, 40]] as const; // biome-ignore format: a ring reads as one line
  const rest = { elevationM: null, elevationSource: null, vertical: false, capacity: null, minHeightM: null };
  const assemblyPoint = { serves: ['general'], ...rest } as const;
  world.put('zone', {
    id: GATE,
    siteId: SITE,
    name: 'Gate A',
    type: 'assembly_point',
    ring,
    assemblyPoint,
    floors: [],
  });
  world.put('site', { ...world.need('site', SITE), id: YARD, name: 'Yard' });
  world.commit();
  token = await harness.token();
}

beforeEach(() => begin());
afterEach(() => harness.stop());

const get = async (path: string, bearer = token) => (await harness.call('GET', path, { token: bearer })).body;

async function submit(command: Command): Promise<string> {
  const outcome = await harness.engine.submit(command);
  if (outcome.rejected) throw new Error(outcome.detail);
  return outcome.done.musterId ?? outcome.done.alertId ?? '';
}

const start = (kind: 'general' | 'tsunami' = 'general', siteId = SITE) =>
  submit({ type: 'start-muster', siteId, kind, reason: null, origin: null, deadline: null, by: 'Lead' });
const end = (musterId: string, outcome: 'completed' | 'cancelled' = 'completed') =>
  submit({ type: 'end-muster', musterId, outcome, by: 'Lead' });
const comes = (n: number, x: number, y: number) => {
  harness.small.now = clock.now();
  const fixes = [{ ...harness.small.fix(x, y), worn: true }];
  return harness.engine.submit({ type: 'report-position', deviceId: harness.small.device(n), fixes });
};

describe('musters', () => {
  test('are listed the newest first, and found by site, status and kind', async () => {
    const first = await start();
    await clock.advance(1_000);
    const second = await start('tsunami', YARD);
    await clock.advance(1_000);
    await end(first, 'cancelled');
    await clock.advance(1_000);
    const third = await start();
    const ids = async (query: string) => (await get(`/v1/musters?${query}`)).data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids(`site_id=${SITE}`)).toEqual([third, first]);
    expect(await ids('status=active')).toEqual([third, second]);
    expect(await ids('status=cancelled,completed')).toEqual([first]);
    expect(await ids('kind=tsunami')).toEqual([second]);
    expect(await ids(`kind=general&status=active&site_id=${YARD}`)).toEqual([]);
  });

  test('are walked page by page without a gap or a repeat, whatever changes meanwhile', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n++) {
      const id = await start();
      made.unshift(id);
      await end(id);
      await clock.advance(n % 2);
    }
    const seen: string[] = [];
    let path = '/v1/musters?limit=2';
    for (let page = 0; page < 10; page++) {
      const { data, next_cursor } = await get(path);
      seen.push(...data.map(({ id }: { id: string }) => id));
      if (next_cursor === null) break;
      await end(await start());
      path = `/v1/musters?limit=2&cursor=${next_cursor}`;
    }
    expect(new Set(seen).size).toBe(7);
    expect([...seen].sort()).toEqual([...made].sort());
  });

  test('refuse a cursor of another query, and unknown words', async () => {
    await end(await start());
    await start();
    const { next_cursor } = await get('/v1/musters?limit=1');
    const refusalOf = async (query: string) => {
      const { status, body } = await harness.call('GET', `/v1/musters?${query}`, { token });
      return [status, body.code];
    };
    expect(await refusalOf(`limit=1&status=active&cursor=${next_cursor}`)).toEqual([422, 'invalid_cursor']);
    expect(await refusalOf('kind=fire')).toEqual([422, 'validation_failed']);
    expect(await refusalOf(`site_id=${QUARRY.site}`)).toEqual([403, 'site_not_accessible']);
  });

  test('of another company do not exist', async () => {
    addQuarry(harness.small);
    harness.small.world.commit();
    const id = await start('general', QUARRY.site);
    expect((await get('/v1/musters')).data).toEqual([]);
    for (const path of [`/v1/musters/${id}`, `/v1/musters/${id}/missing`])
      expect((await harness.call('GET', path, { token })).status, path).toBe(404);
  });

  test('need musters:read', async () => {
    const id = await start();
    const narrow = await harness.token('alerts:read', 'positions:read', 'workers:read');
    for (const path of ['/v1/musters', `/v1/musters/${id}`, `/v1/musters/${id}/missing`])
      expect((await harness.call('GET', path, { token: narrow })).status, path).toBe(403);
  });
});

describe('the count', () => {
  test('is made every 5 s, and GET shows the last one', async () => {
    const id = await start();
    await comes(1, 320, 20);
    await clock.advance(9_999);
    expect((await get(`/v1/musters/${id}`)).totals.safe).toBe(0);
    await clock.advance(1);
    expect(await get(`/v1/musters/${id}`)).toMatchObject({
      totals: { expected: 1, safe: 1 },
      assembly_points: [{ id: GATE, count: 1 }],
    });
    expect((await get(`/v1/musters/${id}/missing`)).data).toEqual([]);
  });

  test('goes on by the raster of the start, however often it is looked at', async () => {
    await clock.advance(1_234);
    await start();
    await comes(1, 320, 20);
    await clock.advance(60_000);
    const { data } = await get('/v1/events?type=muster.updated');
    expect(data.map(({ created_at }: { created_at: string }) => created_at)).toEqual(['2026-10-05T06:00:11.234Z']);
  });
});

describe('every event of a muster', () => {
  test('carries what GET shows at that instant', async () => {
    const id = await start();
    const shown = [await get(`/v1/musters/${id}`)];
    const look = async () => shown.push(await get(`/v1/musters/${id}`));
    await comes(1, 320, 20);
    await clock.advance(10_000);
    await look();
    await submit({ type: 'exclude-point', musterId: id, pointId: GATE, reason: 'Smoke', by: 'Lead' });
    await look();
    await clock.advance(5_000);
    await look();
    await submit({ type: 'change-muster-kind', musterId: id, kind: 'tsunami', deadline: null, by: 'Lead' });
    await look();
    await submit({
      type: 'mark-safe',
      musterId: id,
      workerId: harness.small.workerId(1),
      pointId: null,
      by: 'Lead',
    });
    await clock.advance(5_000);
    await look();
    await submit({ type: 'inspect-plant', musterId: id, by: 'Lead' });
    await look();
    await end(id);
    await look();
    const { data } = await get('/v1/events?type=muster.*');
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      ...['muster.started', 'muster.updated', 'muster.targets_changed', 'muster.updated', 'muster.kind_changed'],
      ...['muster.updated', 'muster.phase_changed', 'muster.ended'],
    ]);
    expect(data.map((event: { data: { muster: object } }) => event.data.muster)).toEqual(shown);
    for (const event of data) expect(event).toMatchObject({ organization_id: ORG, site_id: SITE });
  });
});

describe('what the service keeps of a muster for its report', () => {
  test('is in no answer and in no event, under way or ended', async () => {
    const id = await start();
    await comes(1, 320, 20);
    await clock.advance(15_000);
    const looks = async () =>
      JSON.stringify(await Promise.all([get(`/v1/musters/${id}`), get('/v1/musters'), get('/v1/events')]));
    const before = await looks();
    await end(id);
    const after = await looks();
    const { world } = harness.engine;
    expect(linesOf(world.need('roll', id))).toMatchObject([{ worker: { name: 'Ana Ruiz' }, status: 'safe' }]);
    expect(world.indexes.courseOfMuster.of(id).length).toBe(1);
    for (const answer of [before, after]) expect(answer).not.toMatch(/Ana Ruiz|E-1|since|first|samples|roll|course/i);
    expect(await get(`/v1/musters/${id}/missing`)).toEqual({ data: [] });
  });
});

describe('the missing list of a muster', () => {
  const missing = async (id: string, bearer = token) => (await get(`/v1/musters/${id}/missing`, bearer)).data;

  test('has no locations for a token without positions:read', async () => {
    const id = await start();
    const narrow = await harness.token('musters:read');
    expect(await missing(id, narrow)).toMatchObject([{ location: null, location_withheld: true }]);
    expect(await missing(id)).toMatchObject([{ location: { source: 'gps' }, location_withheld: false }]);
  });

  test('is rendered anew when anything of it is new, and is the same as long as nothing is', async () => {
    for (const n of [2, 3]) await comes(n, 20, 20);
    const id = await start();
    const [first, second, third] = [await missing(id), await missing(id), await missing(id)];
    expect([second, third]).toEqual([first, first]);
    await clock.advance(1_000);
    await comes(2, 30, 30);
    const narrow = await harness.token('musters:read');
    for (const bearer of [token, narrow, token]) {
      const now = await missing(id, bearer);
      expect(now.map(({ last_seen_at }: { last_seen_at: string }) => last_seen_at.slice(17, 19))).toEqual([
        '00',
        '00',
        '01',
      ]);
      expect(now.every(({ location }: { location: unknown }) => (location === null) === (bearer === narrow))).toBe(
        true,
      );
    }
    await harness.sos(2);
    expect((await missing(id))[2]).toMatchObject({ needs_rescue: true });
    expect((await missing(id))[2]).toMatchObject({ needs_rescue: true });
    await harness.engine.submit({ type: 'change-contract', clientId: 'harbour_co', includeWorkerNames: false });
    for (const { worker } of await missing(id)) expect(worker).not.toHaveProperty('name');
  });

  test('is empty when the muster has ended', async () => {
    const id = await start();
    await end(id);
    expect(await missing(id)).toEqual([]);
    expect((await get(`/v1/musters/${id}`)).totals).toMatchObject({ expected: 1, safe: 0, pending: null });
  });

  test('is scoped to the contractors of the contract, and has no names without it', async () => {
    await harness.stop();
    await begin({ client: { contractors: ['Norte SL'], includeWorkerNames: false } });
    await comes(2, 20, 20);
    const id = await start();
    expect((await get(`/v1/musters/${id}`)).totals.expected).toBe(2);
    const [entry, ...others] = await missing(id);
    expect(others).toEqual([]);
    expect(entry.worker).toEqual({ id: harness.small.workerId(2), external_id: 'E-2', contractor: 'Norte SL' });
    const { data } = await get('/v1/events?type=muster.*');
    expect(data).toHaveLength(1);
  });
});

describe('a site in on_demand mode', () => {
  beforeEach(async () => {
    await harness.stop();
    await begin({ site: { privacyMode: 'on_demand' } });
  });

  test('shows where people are while a muster is active, in the list of positions too', async () => {
    const positions = async () => (await get('/v1/positions')).data.length;
    expect(await positions()).toBe(0);
    const id = await start();
    expect(await positions()).toBe(1);
    expect((await get(`/v1/musters/${id}/missing`)).data).toMatchObject([{ location_withheld: false }]);
    await end(id);
    expect(await positions()).toBe(0);
  });
});
