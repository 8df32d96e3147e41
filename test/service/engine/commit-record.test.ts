/** The one record of a transaction, from which webhooks, broker, stream and recorder each take their part. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { CommitRecord } from '../../../src/service/engine/commit-record.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { ADDRESSES, SmallWorld, T0 } from '../domain/small-world.ts';

async function setUp() {
  const small = new SmallWorld();
  const clock = lockstepClock({ start: T0 });
  const store = await openSqliteStore({ file: ':memory:' });
  const onBroken = (error: Error) => {
    throw error;
  };
  const engine = new Engine({ clock, store, world: small.world, salt: 'test', addresses: ADDRESSES, onBroken });
  const records: CommitRecord[] = [];
  engine.listen({ committed: (record) => records.push(record) });
  engine.start();
  clock.start();
  onTestFinished(() => clock.stop());
  const sos = (n: number) => engine.submit({ type: 'report-sos', trigger: 'watch_button', ...small.uplink(n) });
  return { small, clock, store, engine, records, sos };
}

describe('the record of a transaction', () => {
  test('has the events with the bytes that the log keeps, and the deliveries that each queued', async () => {
    const { small, store, records, sos } = await setUp();
    const [erp, backup] = [small.subscribe(), small.subscribe()];
    await Promise.all([sos(1), sos(2)]);
    expect(records).toHaveLength(1);
    const { events, deliveries } = records[0] as CommitRecord;
    expect(events.map(({ type }) => type)).toEqual(['alert.created', 'alert.created']);
    for (const event of events) expect((await store.event(event.id))?.body).toBe(event.body);
    expect(deliveries.map(({ eventId, destinationId }) => [eventId, destinationId])).toEqual(
      events.flatMap(({ id }) => [erp, backup].map((destination) => [id, destination])),
    );
  });

  test('names each document once, as it was before the transaction and as it is after it', async () => {
    const { records, sos } = await setUp();
    await sos(1);
    const touched = records[0]?.touched ?? [];
    expect(new Set(touched.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(touched.length);
    expect(touched.find(({ kind }) => kind === 'alert')).toMatchObject({ before: undefined, after: { type: 'sos' } });
  });

  test('of telemetry alone has the watches that were heard, and nothing that is on disk', async () => {
    const { small, engine, records } = await setUp();
    await engine.submit({
      type: 'report-position',
      deviceId: small.device(1),
      fixes: [{ ...small.fix(25, 25), worn: true }],
    });
    expect(records).toHaveLength(1);
    expect([...(records[0]?.reportingDevices ?? [])]).toEqual([small.device(1)]);
    expect(records[0]).toMatchObject({ events: [], deliveries: [], attempts: [] });
  });

  test('has nothing of a command that was taken back, and is not published where nothing is left', async () => {
    const { small, engine, records } = await setUp();
    small.subscribe();
    const rejected = await engine.submit({
      type: 'update-alert',
      alertId: 'none',
      status: 'acknowledged',
      by: 'x',
      actor: 'x',
      reason: null,
      note: null,
    });
    expect(rejected.rejected).toBe(true);
    const device = small.world.need('device', small.device(2));
    small.world.load('device', { ...device, siteId: 'nowhere' });
    await engine.submit({ type: 'report-sos', trigger: 'watch_button', ...small.uplink(2) });
    expect(records).toEqual([]);
  });

  test('reaches all listeners before the first notice of the transaction, and both before the answer', async () => {
    const { engine, sos } = await setUp();
    const order: string[] = [];
    for (const name of ['one', 'two'])
      engine.listen({
        committed: () => order.push(`${name} record`),
        notice: ({ kind }) => order.push(`${name} ${kind}`),
      });
    await sos(1);
    order.push('answer');
    expect(order).toEqual([
      'one record',
      'two record',
      'one alert-changed',
      'two alert-changed',
      'one event-occurred',
      'two event-occurred',
      'answer',
    ]);
  });
});
