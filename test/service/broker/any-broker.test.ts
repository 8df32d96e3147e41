/** What holds at every broker: our own, and a Mosquitto that carries the same topics. [watch-protocol] */
import { expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import {
  downAlertTopic,
  downConfigTopic,
  HOST_STATE_TOPIC,
  musterTopic,
  upBatteryTopic,
  upEventTopic,
  upPositionTopic,
  upStatusTopic,
} from '../../../src/contract/watch.ts';
import { BROKERS, EXTERNAL, serve, withoutExternal } from '../../helpers/any-broker.ts';
import { unless } from '../../helpers/unless.ts';
import { deviceIdOf, ORIGIN, type Plant, SITE, START, serialOf } from '../../helpers/watch-world.ts';
import { START_MUSTER } from '../domain/small-world.ts';

const OWN = serialOf(1);
const ID = idFrom('an', 'event');
const T = new Date(START).toISOString();
const alertsOf = ({ world }: Plant) => [...world.all('alert')].map(({ type }) => type);

const isUplink =
  (serial: string, event: string) =>
  (notice: Notice): boolean =>
    notice.kind === 'uplink-heard' && notice.serial === serial && notice.event === event;

const refused =
  (what: string) =>
  (notice: Notice): boolean =>
    notice.kind === 'watch-refused' && notice.what === what;

const online =
  (serial: string, kind: 'watch-online' | 'watch-offline' = 'watch-online') =>
  (notice: Notice): boolean =>
    notice.kind === kind && notice.serial === serial;

async function start({ engine }: Plant): Promise<string> {
  const outcome = await engine.submit({ ...START_MUSTER, siteId: SITE });
  if (outcome.rejected) throw new Error(outcome.detail);
  return outcome.done.musterId ?? '';
}

for (const kind of BROKERS)
  unless(...(EXTERNAL.includes(kind) ? withoutExternal : [])).describe(`at ${kind}`, () => {
    it('a press becomes an alert, once, however often it is sent', async () => {
      const { watch, plant } = await serve(kind);
      const caller = await watch();
      await caller.sos(ID);
      await caller.sos(ID);
      await plant.seen(isUplink(OWN, 'sos'));
      await caller.publish(upEventTopic(SITE, OWN, 'call'), {
        id: idFrom('call'),
        ...caller.stamp(),
        voice_note: false,
      });
      await plant.seen(isUplink(OWN, 'call'));
      expect(alertsOf(plant)).toEqual(['sos', 'worker_call_request']);
    });

    it('a birth brings the configuration, the host’s state, the open alert and the muster', async () => {
      const { watch, plant } = await serve(kind);
      const first = await watch();
      await first.sos(ID);
      await plant.seen(isUplink(OWN, 'sos'));
      const musterId = await start(plant);
      await first.vanish();
      const second = await watch(OWN, 2);
      expect(await second.messageOn(downConfigTopic(SITE, OWN))).toMatchObject({ position_every_s: 10, prompt_s: 30 });
      expect(await second.messageOn(HOST_STATE_TOPIC)).toEqual({ online: true });
      expect(await second.messageOn(musterTopic(SITE))).toMatchObject({ muster_id: musterId, status: 'active' });
      expect(await second.messageOn(downAlertTopic(SITE, OWN))).toMatchObject({ kind: 'alert', type: 'sos' });
    });

    it('a muster is there for who comes later, has a last word, and is cleared', async () => {
      const { watch, plant } = await serve(kind);
      const early = await watch();
      const musterId = await start(plant);
      expect(await early.messageOn(musterTopic(SITE))).toMatchObject({ muster_id: musterId, status: 'active' });
      await plant.engine.submit({ type: 'end-muster', musterId, outcome: 'completed', by: 'Lead' });
      expect(await early.messageOn(musterTopic(SITE))).toMatchObject({ status: 'completed' });
      expect(await early.messageOn(musterTopic(SITE))).toBeNull();
      const late = await watch(serialOf(2));
      await late.ping();
      expect(late.received.some((one) => one.cmd === 'publish' && one.topic === musterTopic(SITE))).toBe(false);
    });

    it('what the control room does reaches the watch', async () => {
      const { watch, plant } = await serve(kind);
      const caller = await watch();
      await caller.sos(ID);
      expect(await caller.messageOn(downAlertTopic(SITE, OWN))).toMatchObject({ status: 'unacknowledged' });
      const alertId = [...plant.world.all('alert')][0]?.id ?? '';
      const rest = { by: 'Control', actor: 'Control', reason: null, note: null };
      await plant.engine.submit({ type: 'update-alert', alertId, status: 'acknowledged', ...rest });
      expect(await caller.messageOn(downAlertTopic(SITE, OWN))).toMatchObject({
        status: 'acknowledged',
        by: 'Control',
      });
    });

    it('a payload that breaks its schema is dropped, counted and shown, and what follows is heard', async () => {
      const { watch, plant, broker } = await serve(kind);
      const sick = await watch();
      const topic = upBatteryTopic(SITE, OWN);
      await sick.publish(topic, { ...sick.stamp(), pct: 50, charging: false, pulse: 88.40625 });
      await sick.publish(upEventTopic(SITE, OWN, 'sos'), { id: ID, ...sick.stamp(), with: 'watch_button' });
      expect(await plant.seen(refused(topic))).toMatchObject({ serial: OWN, why: expect.stringContaining('/pulse') });
      await plant.seen(isUplink(OWN, 'sos'));
      expect(broker.counts().refused).toMatchObject({ payload: 1, topic: 0 });
      expect(JSON.stringify(plant.notices)).not.toContain('88.40625');
    });

    it('positions and batteries by QoS 0 and 1 are heard, and count as contact', async () => {
      const { watch, plant } = await serve(kind);
      const walker = await watch();
      await plant.seen(online(OWN));
      const fix = { ...ORIGIN, uncertainty_m: 5, source: 'gps', in_vehicle: false, worn: true };
      walker.send(
        walker.message(upBatteryTopic(SITE, OWN), { ...walker.stamp(), pct: 42, charging: false }, { qos: 0 }),
      );
      await walker.publish(upPositionTopic(SITE, OWN), { ...walker.stamp(), ...fix, t: T });
      await walker.sos(ID);
      await plant.seen(isUplink(OWN, 'sos'));
      expect(plant.world.telemetry(deviceIdOf(OWN))).toMatchObject({ batteryPct: 42, fix: { latitude: 37.2 } });
    });

    it('a watch is online after its birth message, and offline after its goodbye or a broken connection', async () => {
      const { socket, watch, plant, broker } = await serve(kind);
      const status = upStatusTopic(SITE, OWN);
      const will = {
        topic: status,
        payload: Buffer.from('{"online":false,"session":1}'),
        qos: 1,
        retain: true,
      } as const;
      const own = socket();
      await own.connect({ will });
      await own.birth(1);
      await plant.seen(online(OWN));
      const other = await watch(serialOf(2));
      await plant.seen(online(serialOf(2)));
      expect(broker.counts().watches).toBe(2);
      await other.publish(upStatusTopic(SITE, serialOf(2)), { online: false, session: 1 }, { retain: true });
      await plant.seen(online(serialOf(2), 'watch-offline'));
      own.socket.destroy();
      await plant.seen(online(OWN, 'watch-offline'));
      expect(broker.counts().watches).toBe(0);
    });

    it('hundreds of messages that come at once are all heard, in their order', async () => {
      const { watch, plant, broker } = await serve(kind);
      const busy = await watch();
      await plant.seen(online(OWN));
      const before = broker.counts().uplinks;
      const messages = Array.from({ length: 400 }, (_, n) =>
        busy.message(upBatteryTopic(SITE, OWN), { ...busy.stamp(), pct: n % 100, charging: false }),
      );
      busy.send(...messages);
      await busy.sos(ID);
      await plant.seen(isUplink(OWN, 'sos'));
      expect(broker.counts().uplinks - before).toBe(401);
      expect(plant.world.telemetry(deviceIdOf(OWN)).batteryPct).toBe(99);
    });
  });
