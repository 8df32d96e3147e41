/** Emulated watches against the real broker: they connect, act, fall silent and come back, as anybody's watch would. [watch-protocol, decisions 9] */
import { describe, expect, it } from 'vitest';
import { frame } from '../../src/base/geometry/shapes.ts';
import { lockstepClock, realClock, scaledClock } from '../../src/base/time/clocks.ts';
import type { Notice } from '../../src/contract/notices.ts';
import { startBroker } from '../../src/service/broker/broker.ts';
import { StorageFull } from '../../src/service/engine/store-port.ts';
import { afterTest } from '../helpers/broker-bench.ts';
import { fleetBench } from '../helpers/fleet-bench.ts';
import { gatedStore } from '../helpers/gated-store.ts';
import { deviceIdOf, ORIGIN, type Plant, START, serialOf } from '../helpers/watch-world.ts';

const OWN = serialOf(1);
const uplinksOf = ({ notices }: Plant) =>
  notices.flatMap((notice) => (notice.kind === 'uplink-heard' ? [`${notice.serial} ${notice.event}`] : []));
const alerts = ({ world }: Plant) => [...world.all('alert')].map(({ type }) => type);
const alertRaised =
  (type: string) =>
  (notice: Notice): boolean =>
    notice.kind === 'alert-changed' && notice.alert.type === type;

describe('a fleet that is ready', () => {
  it.each([
    ['real', () => realClock({ start: START })],
    ['scaled', () => scaledClock({ start: START, speed: 20 })],
    ['lock-step', () => lockstepClock({ start: START })],
  ])('in %s time is connected, and each watch’s birth, position and charge are heard', async (_mode, clock) => {
    const { plant, broker, fleetNotices } = await fleetBench({
      clock: clock(),
      watches: 60,
      each: { worn: 'unknown' },
    });
    expect(broker.counts()).toMatchObject({ connections: 60, watches: 60 });
    for (let n = 1; n <= 60; n++) {
      const telemetry = plant.world.telemetry(deviceIdOf(serialOf(n)));
      expect(telemetry).toMatchObject({ session: 1, firmware: expect.any(String), batteryPct: 80, worn: null });
      expect(frame(ORIGIN).toMetres(telemetry.fix as never)).toEqual([expect.closeTo(9 + n, 1), expect.closeTo(10, 1)]);
    }
    expect(Object.values(broker.counts().refused).every((count) => count === 0)).toBe(true);
    expect(fleetNotices).toEqual([]);
  });

  it('begins one session after the last that the service knows', async () => {
    const { plant } = await fleetBench({ each: { lastSession: 41 } });
    expect(plant.world.telemetry(deviceIdOf(OWN)).session).toBe(42);
  });

  it('reports every interval, staggered, and more often in an alarm', async () => {
    const { broker, fleet, later } = await fleetBench({ watches: 20 });
    const births = broker.counts().uplinks;
    await later(60_000);
    const calm = broker.counts().uplinks - births;
    expect(calm).toBeGreaterThanOrEqual(19 * 6);
    expect(calm).toBeLessThanOrEqual(21 * 6);
    await fleet.perform(OWN, { do: 'sos', with: 'watch_button' });
    const before = broker.counts().uplinks;
    await later(120_000);
    const more = broker.counts().uplinks - before - calm;
    expect(more).toBeGreaterThanOrEqual(5);
    expect(more).toBeLessThanOrEqual(8);
  });

  it('says goodbye when it stops, and may be stopped twice', async () => {
    const { broker, fleet, plant } = await fleetBench({ watches: 3 });
    await Promise.all([fleet.stop(), fleet.stop()]);
    expect(broker.counts().watches).toBe(0);
    expect(plant.notices.filter(({ kind }) => kind === 'watch-offline')).toHaveLength(3);
    expect(await fleet.perform(OWN, { do: 'sos', with: 'watch_button' })).toEqual({ refused: expect.any(String) });
    expect(fleet.views().every(({ connected }) => !connected)).toBe(true);
  });
});

describe('a person', () => {
  it('an SOS reaches the service from either button', async () => {
    const { fleet, plant } = await fleetBench();
    const acted = await fleet.perform(OWN, { do: 'sos', with: 'watch_hardware_button' });
    expect(acted).toEqual({ done: 'sent', uplinkId: expect.any(String), at: START });
    expect([...plant.world.all('alert')]).toMatchObject([
      { type: 'sos', details: { trigger: 'watch_hardware_button' } },
    ]);
    expect([...plant.world.all('heard')].map(({ id }) => id)).toEqual([
      `${deviceIdOf(OWN)}/${(acted as { uplinkId: string }).uplinkId}`,
    ]);
  });

  it('a fall that its wearer answers with ok in time raises no SOS', async () => {
    const { fleet, plant, later } = await fleetBench();
    await fleet.perform(OWN, { do: 'fall', answers: 'ok', answersAfterMs: 10_000 });
    await later(9_000);
    expect(fleet.views()[0]?.shown.prompt).not.toBeNull();
    expect(uplinksOf(plant)).toEqual([`${OWN} fall`]);
    await later(60_000);
    expect(uplinksOf(plant)).toEqual([`${OWN} fall`, `${OWN} prompt`]);
    expect(alerts(plant)).toEqual(['fall_detected']);
    expect(fleet.views()[0]?.shown).toMatchObject({ prompt: null, alerts: [{ type: 'fall_detected' }] });
  });

  it('a fall that its wearer answers with help becomes an SOS after their reaction time', async () => {
    const { fleet, plant } = await fleetBench();
    await fleet.perform(OWN, { do: 'fall', answers: 'help' });
    const { at } = await plant.seen(alertRaised('sos'));
    expect(Date.parse(at) - START).toBeGreaterThanOrEqual(3_000);
    expect(Date.parse(at) - START).toBeLessThanOrEqual(12_000);
  });

  it('a fall without an answer becomes an SOS after the prompt', async () => {
    const { fleet, plant } = await fleetBench();
    await fleet.perform(OWN, { do: 'fall', answers: 'never' });
    const { at } = await plant.seen(alertRaised('sos'));
    expect(Date.parse(at) - START).toBe(30_000);
  });

  it('can answer by hand only while the prompt is shown', async () => {
    const { fleet, plant, later } = await fleetBench();
    expect(await fleet.perform(OWN, { do: 'answer', with: 'ok' })).toEqual({
      refused: expect.stringContaining('no prompt'),
    });
    await fleet.perform(OWN, { do: 'fall', answers: 'never' });
    await later(1_000);
    expect(await fleet.perform(OWN, { do: 'answer', with: 'ok' })).toMatchObject({ done: 'sent' });
    expect(await fleet.perform(OWN, { do: 'answer', with: 'ok' })).toHaveProperty('refused');
    await later(60_000);
    expect(alerts(plant)).toEqual(['fall_detected']);
  });

  it('acknowledges on the watch what it shows', async () => {
    const { fleet, plant, later } = await fleetBench();
    expect(await fleet.perform(OWN, { do: 'press-ack' })).toEqual({ refused: expect.stringContaining('no alert') });
    await fleet.perform(OWN, { do: 'sos', with: 'watch_button' });
    await later(5_000);
    expect(await fleet.perform(OWN, { do: 'press-ack' })).toMatchObject({ done: 'sent' });
    expect([...plant.world.all('alert')]).toMatchObject([{ workerAcknowledgedAt: START + 5_000 }]);
    expect(await fleet.perform(OWN, { do: 'press-ack' })).toHaveProperty('refused');
  });

  it('a battery that is set or drains is reported at each percent', async () => {
    const { fleet, plant, later } = await fleetBench();
    await fleet.perform(OWN, { do: 'battery', pct: 21 });
    expect(plant.world.telemetry(deviceIdOf(OWN)).batteryPct).toBe(21);
    expect(alerts(plant)).toEqual([]);
    await fleet.perform(OWN, { do: 'battery', drain: 60 });
    await later(61_000);
    expect(plant.world.telemetry(deviceIdOf(OWN)).batteryPct).toBe(20);
    expect(alerts(plant)).toEqual(['low_battery']);
    await later(181_000);
    expect(plant.world.telemetry(deviceIdOf(OWN)).batteryPct).toBe(18);
  });

  it('is heard before they are told so, in real time too', async () => {
    const { fleet, plant } = await fleetBench({ clock: realClock({ start: START }) });
    await fleet.perform(OWN, { do: 'battery', pct: 18 });
    expect(alerts(plant)).toEqual(['low_battery']);
    await fleet.perform(OWN, { do: 'position', point: [50, 60], uncertaintyM: null });
    expect(plant.world.telemetry(deviceIdOf(OWN)).fix).toMatchObject({ uncertaintyM: null });
  });

  it('is where the watch is told to report them, and goes where they are sent', async () => {
    const { fleet, plant, later } = await fleetBench();
    const where = () => frame(ORIGIN).toMetres(plant.world.telemetry(deviceIdOf(OWN)).fix as never);
    await fleet.perform(OWN, { do: 'position', point: [50, 60], uncertaintyM: 25, source: 'network' });
    expect(plant.world.telemetry(deviceIdOf(OWN)).fix).toMatchObject({ uncertaintyM: 25, source: 'network' });
    expect(where()).toEqual([expect.closeTo(50, 1), expect.closeTo(60, 1)]);
    await fleet.perform(OWN, { do: 'move', to: { coordinates: frame(ORIGIN).toDegrees([50, 72]) } });
    await later(5_000);
    expect(fleet.views()[0]?.at).toEqual([expect.closeTo(50, 1), expect.closeTo(66, 1)]);
    await later(30_000);
    expect(where()).toEqual([expect.closeTo(50, 1), expect.closeTo(72, 1)]);
  });

  it('of a watch that is not the fleet’s can do nothing', async () => {
    const { fleet } = await fleetBench();
    expect(fleet.emulates('W-999')).toBe(false);
    expect(await fleet.perform('W-999', { do: 'sos', with: 'watch_button' })).toHaveProperty('refused');
  });
});

describe('a watch without network', () => {
  it('keeps what is said and says it when it is back: SOS first, then the positions of the outage', async () => {
    const { fleet, plant, broker, later } = await fleetBench();
    expect(await fleet.perform(OWN, { do: 'signal', is: 'lost', kind: 'network' })).toMatchObject({ done: 'sent' });
    expect(broker.counts()).toMatchObject({ connections: 0, watches: 0 });
    await fleet.perform(OWN, { do: 'battery', pct: 60 });
    await later(100_000);
    const pressed = await fleet.perform(OWN, { do: 'sos', with: 'watch_button' });
    expect(pressed).toEqual({ done: 'buffered', uplinkId: expect.any(String), at: START + 100_000 });
    expect(alerts(plant)).toEqual([]);
    await later(200_000);
    const before = broker.counts().uplinks;
    expect(await fleet.perform(OWN, { do: 'signal', is: 'back', kind: 'network' })).toEqual({
      done: 'sent',
      at: START + 200_000,
    });
    // Birth, SOS, one message of all positions, charge.
    expect(broker.counts().uplinks - before).toBe(4);
    expect(alerts(plant)).toEqual(['sos']);
    expect(plant.world.telemetry(deviceIdOf(OWN))).toMatchObject({
      session: 2,
      batteryPct: 60,
      fix: { at: START + 200_000 },
    });
  });

  it('is told what happened meanwhile', async () => {
    const { fleet, plant, later } = await fleetBench();
    await fleet.perform(OWN, { do: 'sos', with: 'watch_button' });
    await fleet.perform(OWN, { do: 'signal', is: 'lost', kind: 'both' });
    const [alert] = plant.world.all('alert');
    await plant.engine.submit({
      type: 'update-alert',
      alertId: alert?.id as string,
      status: 'resolved',
      by: 'Operator',
      actor: 'Operator',
      reason: null,
      note: null,
    });
    await fleet.perform(OWN, { do: 'signal', is: 'back', kind: 'both' });
    await later(1_000);
    expect(fleet.views()[0]).toMatchObject({ connected: true, network: true, gps: true, shown: { alerts: [] } });
  });

  it('is an alert after ten minutes, and one that has lost only its GPS is not', async () => {
    const { fleet, plant, later } = await fleetBench({ watches: 2 });
    await fleet.perform(serialOf(1), { do: 'signal', is: 'lost', kind: 'network' });
    await fleet.perform(serialOf(2), { do: 'signal', is: 'lost', kind: 'gps' });
    await later(1_200_000);
    expect([...plant.world.all('alert')]).toMatchObject([{ type: 'device_offline', device: { serial: serialOf(1) } }]);
    expect(plant.world.telemetry(deviceIdOf(serialOf(2))).fix?.at).toBe(START);
  });

  it('a watch whose network is back while the old connection still ends connects once', async () => {
    const { fleet, broker } = await fleetBench();
    const lost = fleet.perform(OWN, { do: 'signal', is: 'lost', kind: 'network' });
    const back = fleet.perform(OWN, { do: 'signal', is: 'back', kind: 'network' });
    await lost;
    await back;
    expect(fleet.views()[0]).toMatchObject({ connected: true, network: true });
    expect(broker.counts()).toMatchObject({ connections: 1, watches: 1 });
  });
});

describe('when the broker goes', () => {
  it.each([
    ['real', () => realClock({ start: START })],
    ['lock-step', () => lockstepClock({ start: START })],
  ])('watches come back by themselves in %s time, with all that they kept', async (_mode, clock) => {
    const { fleet, plant, broker, meet, clock: time } = await fleetBench({ clock: clock(), watches: 5 });
    const { port } = broker;
    await broker.stop();
    const pressed = await fleet.perform(OWN, { do: 'sos', with: 'watch_button' });
    expect(pressed).toMatchObject({ done: 'buffered' });
    const next = await startBroker({ engine: plant.engine, clock: time, host: '127.0.0.1', port });
    afterTest(() => next.stop());
    meet(next);
    await plant.seen(alertRaised('sos'));
    await fleet.ready();
    expect(next.counts()).toMatchObject({ connections: 5, watches: 5 });
  });

  it('or its disk is full, a watch says it again until it is heard', async () => {
    const store = await gatedStore();
    const { fleet, plant, later } = await fleetBench({ store });
    store.fail(new StorageFull('no room'));
    const pressed = (await fleet.perform(OWN, { do: 'sos', with: 'watch_button' })) as {
      done: string;
      uplinkId: string;
    };
    expect(pressed.done).toBe('buffered');
    await later(20_000);
    expect(alerts(plant)).toEqual([]);
    store.fail(null);
    await later(120_000);
    expect([...plant.world.all('heard')].map(({ id }) => id)).toEqual([`${deviceIdOf(OWN)}/${pressed.uplinkId}`]);
    expect(alerts(plant)).toEqual(['sos']);
    expect(fleet.views()[0]?.session).toBeGreaterThan(2);
  });
});

describe('a watch that another client takes over', () => {
  it('is yielded for good, and the other one stays', async () => {
    const { fleet, socket, plant, broker, later } = await fleetBench({ watches: 2 });
    expect(fleet.emulates(OWN)).toBe(true);
    const other = socket(OWN);
    await other.connect();
    expect(fleet.emulates(OWN)).toBe(false);
    await other.birth(9);
    await later(120_000);
    await other.ping();
    expect(plant.world.telemetry(deviceIdOf(OWN)).session).toBe(9);
    expect(broker.counts()).toMatchObject({ connections: 2, watches: 2 });
    expect(await fleet.perform(OWN, { do: 'sos', with: 'watch_button' })).toEqual({
      refused: expect.stringContaining('taken over'),
    });
    expect(fleet.views()).toMatchObject([
      { yielded: true, connected: false },
      { yielded: false, connected: true },
    ]);
  });

  it('is not yielded to a tool with a suffix', async () => {
    const { fleet, socket } = await fleetBench();
    await socket(OWN).connect({ clientId: `${OWN}/tool` });
    expect(fleet.emulates(OWN)).toBe(true);
    expect(fleet.views()[0]?.connected).toBe(true);
  });
});
