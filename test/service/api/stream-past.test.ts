/** The snapshot holds the past: curves of musters, the events and deliveries of the last minute, and totals, as the reader may see them. [decisions 9] */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { StreamSnapshot as Snapshot } from '../../../src/contract/stream.ts';
import { MOST_SAMPLES } from '../../../src/service/domain/musters/course.ts';
import type { AttemptRecord } from '../../../src/service/engine/store-port.ts';
import { SITE, T0 } from '../domain/small-world.ts';
import { attemptOf } from '../store/samples.ts';
import { ApiHarness, CONTROL } from './harness.ts';
import { addQuarry, QUARRY } from './second-company.ts';

let clock: Clock;
let harness: ApiHarness;

beforeEach(async () => {
  clock = lockstepClock({ start: T0 });
  clock.pause();
  harness = await ApiHarness.start({ clock });
});
afterEach(() => harness.stop());

async function seen(token: string): Promise<Snapshot> {
  const answer = await fetch(`${harness.url}/v1/sandbox/stream?once=true`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(/data: ([^\n]*)/.exec(await answer.text())?.[1] ?? '') as Snapshot;
}

async function startMuster(siteId: string): Promise<string> {
  const muster = { siteId, kind: 'general', reason: null, origin: null, deadline: null, by: 'Lead' } as const;
  const outcome = await harness.engine.submit({ type: 'start-muster', ...muster });
  if (outcome.rejected) throw new Error(outcome.detail);
  return outcome.done.musterId as string;
}

const markSafe = (musterId: string, n: number) =>
  harness.engine.submit({
    type: 'mark-safe',
    musterId,
    workerId: harness.small.workerId(n),
    pointId: null,
    by: 'Lead',
  });

describe('the curve of a muster', () => {
  test('has each count after which the number of safe differs, active or ended', async () => {
    const fixes = [{ ...harness.small.fix(0, 0), worn: true }];
    await harness.engine.submit({ type: 'report-position', deviceId: harness.small.device(2), fixes });
    const id = await startMuster(SITE);
    for (const n of [1, 2]) {
      await clock.advance(20_000);
      expect(await markSafe(id, n)).toMatchObject({ rejected: false });
    }
    await clock.advance(20_000);
    const curve = { muster_id: id, points: [{ safe: 0 }, { safe: 1 }, { safe: 2 }] };
    const { curves } = await seen(await harness.token());
    expect(curves).toMatchObject([curve]);
    expect(curves[0]?.points.map(({ at }) => (Date.parse(at) - T0) / 1_000)).toEqual([0, 25, 45]);
    await harness.engine.submit({ type: 'end-muster', musterId: id, outcome: 'completed', by: 'Lead' });
    expect((await seen(await harness.token())).curves).toMatchObject([curve]);
  });

  test('of a long muster has 200 points at most, among them the first and the last', async () => {
    const id = await startMuster(SITE);
    const { world } = harness.engine;
    const [stretch] = world.indexes.courseOfMuster.of(id).values();
    if (stretch === undefined) throw new Error('no course');
    const [first] = stretch.samples;
    if (first === undefined) throw new Error('no count');
    const samples = Array.from({ length: MOST_SAMPLES }, (_, n) => ({
      ...first,
      at: T0 + n * 5_000,
      totals: { ...first.totals, safe: n },
    }));
    world.put('course', { ...stretch, samples });
    world.commit();
    const points = (await seen(CONTROL)).curves[0]?.points ?? [];
    expect(points.length).toBeGreaterThan(150);
    expect(points.length).toBeLessThanOrEqual(200);
    expect([points[0]?.safe, points.at(-1)?.safe]).toEqual([0, MOST_SAMPLES - 1]);
  });

  test('is shown to whoever may see the muster, and to nobody else', async () => {
    addQuarry(harness.small);
    const [mine, foreign] = [await startMuster(SITE), await startMuster(QUARRY.site)];
    const curvesFor = async (token: string) => (await seen(token)).curves.map(({ muster_id }) => muster_id).sort();
    expect(await curvesFor(await harness.token())).toEqual([mine]);
    expect(await curvesFor(CONTROL)).toEqual([mine, foreign].sort());
    expect(await curvesFor(await harness.token('alerts:read'))).toEqual([]);
  });
});

async function destination(token: string): Promise<string> {
  const body = { url: 'https://receiver.example/hook', event_types: ['alert.*'] };
  return (await harness.call('POST', '/v1/webhooks', { token, body })).body.id;
}
let attempts = 0;
const attempted = (
  destinationId: string,
  outcome: 'delivered' | 'failed' | 'lost',
  tookMs = 7,
  rest: Partial<AttemptRecord> = {},
) =>
  harness.engine.submit(
    { type: 'settle-delivery', deliveryId: 'd', attemptedAt: T0, delivered: outcome === 'delivered', status: null },
    () => null,
    () => attemptOf(`attempt-${++attempts}`, { destinationId, outcome, tookMs, ...rest }),
  );

describe('the last simulated minute', () => {
  test('has its events, also of before the stream, as the reader may see them', async () => {
    addQuarry(harness.small);
    const id = await harness.sos(1);
    await clock.advance(50_000);
    const [mine, foreign] = [await startMuster(SITE), await startMuster(QUARRY.site)];
    const eventsFor = async (token: string) =>
      (await seen(token)).events.map(({ data }) => ('alert' in data ? data.alert.id : data.muster.id));
    expect(await eventsFor(await harness.token())).toEqual([id, mine]);
    expect(await eventsFor(CONTROL)).toEqual([id, mine, foreign]);
    expect(await eventsFor(await harness.token('musters:read'))).toEqual([mine]);
    await clock.advance(10_001);
    expect((await eventsFor(CONTROL)).includes(id)).toBe(false);
  });

  test('has the deliveries that ended in it, the oldest first, and not those that wait again', async () => {
    const token = await harness.token();
    const id = await destination(token);
    await clock.advance(120_000);
    const now = clock.now();
    const ended = (n: number, outcome: 'delivered' | 'failed' | 'lost', ageMs: number) =>
      attempted(id, outcome, 7, { deliveryId: `delivery-${n}`, at: now - ageMs, status: 204, error: null });
    await ended(1, 'delivered', 60_000);
    await ended(2, 'lost', 59_000);
    await ended(3, 'delivered', 40_000);
    await ended(4, 'delivered', 30_000);
    await ended(3, 'failed', 20_000);
    const { deliveries } = await seen(token);
    expect(deliveries).toMatchObject([
      { id: 'delivery-2', state: 'lost', ended_at: new Date(now - 59_000).toISOString(), next_attempt_at: null },
      { id: 'delivery-4', state: 'delivered', last_status: 204, took_ms: 7, tries: 1 },
    ]);
    expect((await seen(await harness.token('alerts:read'))).deliveries).toEqual([]);
  });
});

describe('the totals of a destination', () => {
  test('count what was delivered, failed and lost, with the newest response times', async () => {
    const token = await harness.token();
    const id = await destination(token);
    const none = { destination_id: id, delivered: 0, failed: 0, lost: 0, took_ms: [] };
    expect((await seen(token)).tallies).toEqual([none]);
    for (const outcome of ['failed', 'lost', 'failed'] as const) await attempted(id, outcome);
    for (let n = 1; n <= 60; n += 1) await attempted(id, 'delivered', n);
    const [tally] = (await seen(token)).tallies;
    expect(tally).toMatchObject({ delivered: 60, failed: 3, lost: 1 });
    expect(tally?.took_ms).toEqual(Array.from({ length: 50 }, (_, n) => n + 11));
  });

  test('are shown to whoever may see the destination, and to nobody else', async () => {
    addQuarry(harness.small);
    const id = await destination(await harness.token());
    const talliesFor = async (token: string) => (await seen(token)).tallies.map(({ destination_id }) => destination_id);
    expect(await talliesFor(CONTROL)).toEqual([id]);
    expect(await talliesFor(await harness.token('alerts:read'))).toEqual([]);
    const form = { grant_type: 'client_credentials', client_id: QUARRY.client, client_secret: QUARRY.secret };
    const answer = await fetch(`${harness.url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await answer.json()) as { access_token: string };
    expect(await talliesFor(access_token)).toEqual([]);
  });
});
