/** A Mosquitto in place of our own broker: what it acknowledged is not lost, and one process at a time has a site. */
import { expect, it, onTestFinished } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import {
  downConfigTopic,
  upBatteryTopic,
  upEventTopic,
  upPositionTopic,
  upStatusTopic,
} from '../../../src/contract/watch.ts';
import type { ExternalBroker } from '../../../src/service/broker/external/external-broker.ts';
import { StorageFull } from '../../../src/service/engine/store-port.ts';
import { type BrokerSite, connectTo, EXTERNAL, mosquittoOf, serve, withoutExternal } from '../../helpers/any-broker.ts';
import { gatedStore } from '../../helpers/gated-store.ts';
import { RawWatch } from '../../helpers/raw-watch.ts';
import { unless } from '../../helpers/unless.ts';
import { deviceIdOf, type Plant, SITE, serialOf } from '../../helpers/watch-world.ts';

const OWN = serialOf(1);
const ID = idFrom('an', 'event');
const alertsOf = ({ world }: Plant) => [...world.all('alert')].map(({ type }) => type);
const isUplink = (notice: Notice): boolean => notice.kind === 'uplink-heard';
const isBroker =
  (connected: boolean) =>
  (notice: Notice): boolean =>
    notice.kind === 'broker-changed' && notice.connected === connected;

/** A promise, and the call that resolves it. */
function signal<T>(): { readonly came: Promise<T>; readonly give: (value: T) => void } {
  let give: (value: T) => void = () => {};
  const came = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { came, give };
}

unless(...withoutExternal).describe.each(EXTERNAL)('%s', (kind) => {
  it('sends again, to the process that takes the site over, what was not committed', async () => {
    const site = await mosquittoOf(kind);
    const store = await gatedStore();
    const evicted = signal<string>();
    // In MQTT 3.1.1 nothing says why the connection ended, so the process asks whether the site is still its own.
    const first = await serve(kind, { store, onEvicted: evicted.give, mayReconnect: () => false }, site);
    const caller = await first.watch();
    await first.plant.seen(({ kind: what }) => what === 'watch-online');
    const gate = store.shut();
    await caller.sos(ID);
    await gate.waiting;
    const second = await serve(kind, {}, site);
    await second.plant.seen(isUplink);
    expect(alertsOf(second.plant)).toEqual(['sos']);
    expect(await evicted.came).toBe(SITE);
    gate.open();
    expect(first.broker.counts().connections).toBe(0);
    await caller.publish(upEventTopic(SITE, OWN, 'call'), { id: idFrom('call'), ...caller.stamp(), voice_note: false });
    await second.plant.seen((notice) => isUplink(notice) && JSON.stringify(notice).includes('call'));
    expect(second.broker.counts().connections).toBe(1);
  });

  it('takes a message that the broker kept from earlier for no message from now', async () => {
    const site = await mosquittoOf(kind);
    // No process has subscribed yet: what comes while one is away is kept for it, and is from now.
    const watch = new RawWatch(site.port, OWN);
    onTestFinished(() => watch.vanish());
    await watch.connect();
    const stamp = () => ({ ...watch.stamp(), t: '2026-10-05T06:00:00.000Z' });
    const fix = { latitude: 37.2, longitude: -6.9, uncertainty_m: 5, source: 'gps', in_vehicle: false, worn: true };
    const kept: readonly (readonly [topic: string, payload: object])[] = [
      [upStatusTopic(SITE, OWN), { online: true, session: 7, firmware: '2.1', t: '2026-10-05T06:00:00.000Z' }],
      [upEventTopic(SITE, OWN, 'sos'), { id: ID, ...stamp(), with: 'watch_button' }],
      [upEventTopic(SITE, OWN, 'fall'), { id: idFrom('fall'), ...stamp() }],
      [upEventTopic(SITE, OWN, 'call'), { id: idFrom('call'), ...stamp(), voice_note: false }],
      [upEventTopic(SITE, OWN, 'help'), { id: idFrom('help'), ...stamp(), reason: 'trapped' }],
      [upBatteryTopic(SITE, OWN), { ...stamp(), pct: 3, charging: false }],
      [upPositionTopic(SITE, OWN), { ...stamp(), ...fix }],
    ];
    for (const [topic, payload] of kept) await watch.publish(topic, payload, { retain: true });
    const second = await serve(kind, {}, site);
    const noted = new Set<string>();
    const topics = kept.slice(1).map(([topic]) => topic);
    await second.plant.seen((notice) => {
      if (notice.kind === 'watch-noted' && notice.why.includes('RETAIN')) noted.add(notice.what);
      return noted.size === topics.length;
    });
    await second.plant.seen(({ kind: what }) => what === 'watch-online');
    expect(alertsOf(second.plant)).toEqual([]);
    expect(second.plant.world.telemetry(deviceIdOf(OWN))).toMatchObject({
      session: 7,
      firmware: '2.1',
      fix: null,
      batteryPct: null,
      lastContactAt: null,
    });
  });

  it('keeps what watches say while no process is connected, over its own restart too', async () => {
    const site = await mosquittoOf(kind);
    const first = await serve(kind, {}, site);
    await first.broker.stop();
    const caller = first.socket();
    await caller.connect();
    await caller.sos(ID);
    await caller.leave();
    await site.mosquitto.stop();
    await site.mosquitto.run();
    const second = await serve(kind, {}, site);
    await second.plant.seen(isUplink);
    expect(alertsOf(second.plant)).toEqual(['sos']);
  });

  it('gives a new world nothing of what watches said to an earlier one, and keeps for it what they say from then on', async () => {
    const site = await mosquittoOf(kind);
    const first = await serve(kind, {}, site);
    await first.broker.stop();
    const caller = first.socket();
    await caller.connect();
    await caller.sos(ID);
    const second = await serve(kind, { isNewWorld: true }, site);
    await second.broker.stop();
    await caller.sos(idFrom('said', 'to', 'the', 'new', 'world'));
    await caller.leave();
    expect(alertsOf(second.plant)).toEqual([]);
    const third = await serve(kind, {}, site);
    await third.plant.seen(isUplink);
    expect(third.plant.notices.filter(isUplink)).toHaveLength(1);
  });

  it('keeps nothing for a world that ends with its process', async () => {
    const site = await mosquittoOf(kind);
    const first = await serve(kind, { keepSessions: false }, site);
    await first.broker.stop();
    const caller = first.socket();
    await caller.connect();
    await caller.sos(ID);
    const second = await serve(kind, { keepSessions: false }, site);
    await caller.publish(upEventTopic(SITE, OWN, 'call'), { id: idFrom('call'), ...caller.stamp(), voice_note: false });
    await second.plant.seen(isUplink);
    expect(alertsOf(second.plant)).toEqual(['worker_call_request']);
  });

  it('sends again what a full disk did not take, until there is room', async () => {
    const store = await gatedStore();
    const { watch, plant } = await serve(kind, { store });
    const caller = await watch();
    await plant.seen(({ kind: what }) => what === 'watch-online');
    store.fail(new StorageFull('no room'));
    await caller.sos(ID);
    await plant.seen(({ kind: what }) => what === 'storage-full');
    store.fail(null);
    await plant.seen(isUplink);
    expect(alertsOf(plant)).toEqual(['sos']);
    await plant.seen(isBroker(true));
  });

  it('may go away and come back: it is said once, and what watches say then is heard', async () => {
    const site = await mosquittoOf(kind);
    const { watch, plant } = await serve(kind, {}, site);
    await watch();
    await site.mosquitto.stop();
    await plant.seen(isBroker(false));
    await site.mosquitto.run();
    await plant.seen(isBroker(true));
    const caller = await watch(OWN, 2);
    await caller.sos(ID);
    await plant.seen(isUplink);
    expect(plant.notices.filter(({ kind: what }) => what === 'broker-changed')).toHaveLength(2);
  });

  it('gives a foreign serial and a long payload their PUBACK, and the service drops and counts them', async () => {
    const { watch, plant, broker } = await serve(kind);
    const odd = await watch();
    await odd.publish(upEventTopic(SITE, 'X-999', 'sos'), { id: ID, ...odd.stamp(), with: 'watch_button' });
    await odd.publish(upBatteryTopic(SITE, OWN), 'x'.repeat(9_000));
    await odd.publish(`wt/v1/${SITE}/${OWN}/up/pulse`, { bpm: 70 });
    await odd.sos(ID);
    await plant.seen(isUplink);
    expect(broker.counts().refused).toMatchObject({ topic: 2, size: 1 });
    expect(plant.notices).toContainEqual(expect.objectContaining({ kind: 'watch-refused', serial: 'X-999' }));
  });

  it('carries the sites that a process takes by name, and no others', async () => {
    const site = await mosquittoOf(kind);
    const { plant, broker, socket } = await serve(kind, { everySite: false }, site);
    const external = broker as ExternalBroker;
    expect(broker.counts().connections).toBe(0);
    await Promise.all([external.take(SITE), external.take(SITE)]);
    expect(broker.counts().connections).toBe(1);
    await external.release(SITE);
    await external.release(SITE);
    const caller = socket();
    await caller.connect();
    await caller.sos(ID);
    await external.take(SITE);
    await plant.seen(isUplink);
    expect(alertsOf(plant)).toEqual(['sos']);
  });

  it('hears a site that comes, and keeps nothing of one that is gone', async () => {
    const site = await mosquittoOf(kind);
    const { plant, socket } = await serve(kind, {}, site);
    const { world, engine } = plant;
    const [siteId, serial] = [idFrom('a', 'guest'), 'G-001'];
    const device = { ...world.need('device', deviceIdOf(OWN)), id: idFrom('G-001'), serial, siteId, workerId: null };
    const { organizationId } = device;
    const documents = [
      { kind: 'site', id: siteId, document: { ...world.need('site', SITE), id: siteId } },
      { kind: 'device', id: device.id, document: device },
    ] as const;
    const before = { contract: null, limits: null, apiFault: null, broker: null };
    const rest = { destinationIds: [], receivers: { domain: 'run', urls: [] }, before };
    const guest = { id: 'guest', organizationId, clientId: 'acme', siteIds: [siteId], ...rest };
    await engine.submit({ type: 'join-plant', guest, documents });
    const early = socket(serial);
    await early.connect();
    await early.subscribe(downConfigTopic(siteId, serial));
    expect(await early.messageOn(downConfigTopic(siteId, serial))).toMatchObject({ prompt_s: 30 });
    await engine.submit({ type: 'leave-plant', guestId: 'guest' });
    expect(await early.messageOn(downConfigTopic(siteId, serial))).toBeNull();
    await site.mosquitto.logged(new RegExp(`as muster-${siteId} \\(p., c1`));
    const heir = socket(serial);
    const { sessionPresent } = await heir.connect({ clientId: `muster-${siteId}`, clean: false });
    expect(sessionPresent).toBe(false);
  });

  it('tells watches that the service is there as long as one process is', async () => {
    const site = await mosquittoOf(kind);
    const first = await serve(kind, {}, site);
    const second = await serve(kind, { everySite: false }, site);
    const watch = await first.watch();
    expect(await watch.messageOn('wt/v1/host/state')).toEqual({ online: true });
    await second.broker.stop();
    expect(await watch.messageOn('wt/v1/host/state')).toEqual({ online: false });
    expect(await watch.messageOn('wt/v1/host/state')).toEqual({ online: true });
    await first.broker.stop();
    expect(await watch.messageOn('wt/v1/host/state')).toEqual({ online: false });
  });
});

unless(...withoutExternal).describe('a broker that cannot be used', () => {
  const refusal = (site: Pick<BrokerSite, 'port'>, plant: Plant) =>
    connectTo(site.port, plant).then(
      () => null,
      (error: { end: object }) => error.end,
    );

  it('is away', async () => {
    const { plant } = await serve('our own broker');
    // Of a broker that was stopped, another process could have taken the port.
    expect(await refusal({ port: 1 }, plant)).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('does not know the user', async () => {
    const site = await mosquittoOf('Mosquitto over MQTT 5', ['allow_anonymous false']);
    const { plant } = await serve('our own broker');
    expect(await refusal(site, plant)).toMatchObject({ refusal: 'credentials' });
  });

  it('grants the subscription and forwards nothing of it', async () => {
    const { plant } = await serve('our own broker');
    const site = await mosquittoOf('Mosquitto over MQTT 5', ['acl_file /dev/null']);
    expect(await refusal(site, plant)).toMatchObject({ refusal: 'subscription' });
  });
});
