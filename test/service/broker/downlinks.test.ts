/** What the service says to watches: to whom, how reliably, and that no watch waits for another. [watch-protocol] */
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import { lockstepClock, realClock } from '../../../src/base/time/clocks.ts';
import {
  allFilter,
  downAlertTopic,
  downConfigTopic,
  downFilter,
  HOST_STATE_TOPIC,
  type MusterNotice,
  musterTopic,
  upEventTopic,
} from '../../../src/contract/watch.ts';
import type { Command } from '../../../src/service/domain/commands.ts';
import { bench } from '../../helpers/broker-bench.ts';
import { ManualMachine } from '../../helpers/manual-machine.ts';
import { deviceIdOf, SITE, START, serialOf } from '../../helpers/watch-world.ts';

const [OWN, OTHER] = [serialOf(1), serialOf(2)];
const FALL = idFrom('fall');
const reportOf = (type: 'report-fall' | 'report-sos', serial: string, uplinkId: string): Command => {
  const uplink = { deviceId: deviceIdOf(serial), uplinkId, watchTime: START };
  return type === 'report-fall' ? { type, ...uplink } : { type, trigger: 'watch_button', ...uplink };
};

/** A muster whose notice has about `bytes` bytes. */
function musterOf(bytes: number, revision = 1): MusterNotice {
  const point = { id: FALL, latitude: 1, longitude: 1, vertical: false, status: 'open', serves: [] } as const;
  const points = [{ ...point, name: 'x'.repeat(bytes) }];
  const muster = { muster_id: FALL, kind: 'fire', phase: 'evacuating', deadline: null };
  return { ...muster, status: 'active', revision, points } as unknown as MusterNotice;
}

describe('a watch that was born', () => {
  it('is told its configuration, the host’s state, its open prompts and its open alerts', async () => {
    const { plant, watch } = await bench();
    await plant.engine.submit(reportOf('report-fall', OWN, FALL));
    const own = await watch();
    expect(await own.messageOn(downConfigTopic(SITE, OWN))).toEqual({
      position_every_s: 10,
      alarm_every_s: 5,
      prompt_s: 30,
    });
    expect(await own.messageOn(HOST_STATE_TOPIC)).toEqual({ online: true });
    expect(await own.messageOn(downAlertTopic(SITE, OWN))).toMatchObject({ kind: 'prompt', fall_id: FALL });
    expect(await own.messageOn(downAlertTopic(SITE, OWN))).toMatchObject({
      kind: 'alert',
      type: 'fall_detected',
      status: 'unacknowledged',
      by: null,
    });
  });

  it('is told the site’s muster until it is cleared', async () => {
    const { broker, watch } = await bench();
    const early = await watch(OWN);
    broker.setMuster(SITE, musterOf(10));
    expect(await early.messageOn(musterTopic(SITE))).toMatchObject({ status: 'active' });
    const late = await watch(OTHER);
    expect(await late.messageOn(musterTopic(SITE))).toMatchObject({ status: 'active' });
    broker.setMuster(SITE, null);
    expect(await late.messageOn(musterTopic(SITE))).toBeNull();
    const last = await watch(serialOf(3));
    await last.ping();
    await last.ping();
    expect(last.received.some((packet) => packet.cmd === 'publish' && packet.topic === musterTopic(SITE))).toBe(false);
  });

  it('hears what is its own and nothing of others', async () => {
    const { plant, watch } = await bench();
    const [own, other] = [await watch(OWN), await watch(OTHER)];
    await plant.engine.submit(reportOf('report-sos', OWN, idFrom('sos')));
    expect(await own.messageOn(downAlertTopic(SITE, OWN))).toMatchObject({ type: 'sos' });
    await other.ping();
    expect(JSON.stringify(other.received)).not.toContain(downAlertTopic(SITE, OWN));
  });

  it('is told with QoS 1 what it subscribed to with 1, and with QoS 0 what it subscribed to with 0', async () => {
    const { plant, socket } = await bench();
    for (const qos of [0, 1] as const) {
      const watch = socket();
      await watch.connect({ clientId: `${OWN}/${qos}` });
      await watch.subscribe({ topic: downFilter(SITE, OWN), qos });
      expect(await watch.next('publish')).toMatchObject({ topic: downConfigTopic(SITE, OWN), qos });
      await plant.engine.submit(reportOf('report-sos', OWN, idFrom('sos', qos)));
      await plant.engine.submit(reportOf('report-fall', OWN, idFrom('fall', qos)));
      if (qos === 0) expect(await watch.next('publish')).toMatchObject({ topic: downAlertTopic(SITE, OWN), qos });
    }
  });

  it('is told nothing that it did not subscribe to', async () => {
    const { plant, socket } = await bench();
    const deaf = socket();
    await deaf.connect();
    await deaf.birth();
    await plant.engine.submit(reportOf('report-sos', OWN, idFrom('sos')));
    await deaf.ping();
    expect(deaf.count('publish')).toBe(0);
  });
});

it('a service that stops says so to all', async () => {
  const { broker, watch } = await bench();
  const [own, other] = [await watch(OWN), await watch(OTHER)];
  await Promise.all([own.messageOn(HOST_STATE_TOPIC), other.messageOn(HOST_STATE_TOPIC)]);
  await broker.stop();
  expect(await own.messageOn(HOST_STATE_TOPIC)).toEqual({ online: false });
  expect(await other.messageOn(HOST_STATE_TOPIC)).toEqual({ online: false });
});

describe('a watch that does not read', () => {
  it('is ended at once when too much waits for it, and others’ messages go both ways meanwhile', async () => {
    const { broker, watch, refused } = await bench();
    const frozen = await watch(OWN);
    const other = await watch(OTHER);
    frozen.socket.pause();
    for (let n = 1; n <= 400; n++) {
      broker.setMuster(SITE, musterOf(32_000, n));
      if (n % 20 !== 0) continue;
      await other.sos(idFrom('sos', n));
    }
    expect(await refused('connection')).toMatchObject({ serial: OWN });
    await other.next('publish', (packet) => packet.cmd === 'publish' && packet.payload.includes('"revision":400'));
    expect(broker.counts()).toMatchObject({ watches: 1, refused: { slow: 1 } });
  });

  it('stalls nobody: while it is there, others speak and are told things as if it were not', async () => {
    const machine = new ManualMachine();
    const clock = realClock({ start: START, machine });
    const { plant, watch, broker, refused } = await bench({ watches: 12, clock });
    const frozen = await watch(OWN);
    const others = await Promise.all(Array.from({ length: 10 }, (_, n) => watch(serialOf(n + 3))));
    frozen.socket.pause();
    const rounds = 250;
    for (let n = 1; n <= rounds; n++) {
      await plant.engine.submit(reportOf('report-sos', OWN, idFrom('frozen', n)));
      await plant.engine.submit(reportOf('report-fall', OWN, idFrom('frozen fall', n)));
      broker.setMuster(SITE, musterOf(500, n));
      const other = others[n % others.length] as (typeof others)[number];
      // Each way, each time: its own report is acknowledged, and the muster of this very round arrives.
      if (n % 5 === 0) await other.sos(idFrom('other', n));
      const isThis = `"revision":${n},`;
      await other.next('publish', (packet) => packet.cmd === 'publish' && packet.payload.includes(isThis));
    }
    await Promise.all(others.map((other) => other.ping()));
    // All of it passed while the frozen one was still connected: nobody had to wait for its end.
    expect(broker.counts()).toMatchObject({ connections: others.length + 1, refused: { slow: 0 } });
    machine.pass(10_000);
    expect(await refused('connection')).toMatchObject({ serial: OWN });
    await plant.seen((notice) => notice.kind === 'watch-offline' && notice.serial === OWN);
    expect(broker.counts()).toMatchObject({ connections: others.length, refused: { slow: 1 } });
  });

  it('is free to come back, and is told what is open', async () => {
    const { broker, watch, plant, refused } = await bench();
    const frozen = await watch(OWN);
    frozen.socket.pause();
    for (let n = 1; n <= 400; n++) broker.setMuster(SITE, musterOf(32_000, n));
    await refused('connection');
    await plant.engine.submit(reportOf('report-sos', OWN, idFrom('sos')));
    const again = await watch(OWN, 2);
    expect(await again.messageOn(musterTopic(SITE))).toMatchObject({ revision: 400 });
    expect(await again.messageOn(downAlertTopic(SITE, OWN))).toMatchObject({ kind: 'alert', type: 'sos' });
  });

  it('is ended within 10 s when the little that it is told is not answered', async () => {
    const machine = new ManualMachine();
    const { plant, watch, broker, refused } = await bench({ clock: realClock({ start: START, machine }) });
    const frozen = await watch(OWN);
    const other = await watch(OTHER);
    frozen.socket.pause();
    for (let n = 0; n < 300; n++) {
      await plant.engine.submit(reportOf('report-sos', OWN, idFrom('sos', n)));
      broker.setMuster(SITE, musterOf(10, n + 1));
      if (n % 50 === 0) await other.ping();
    }
    // The other watch has received the last muster and acknowledged it.
    await other.next('publish', (packet) => packet.cmd === 'publish' && packet.payload.includes('"revision":300,'));
    await other.ping();
    machine.pass(5_000);
    expect(broker.counts()).toMatchObject({ connections: 2, refused: { slow: 0 } });
    machine.pass(5_000);
    expect(await refused('connection')).toMatchObject({ serial: OWN });
    await other.sos(idFrom('other'));
    expect(broker.counts()).toMatchObject({ connections: 1, watches: 1 });
  });
});

describe('in lock-step time waits', () => {
  const later = (clock: ReturnType<typeof lockstepClock>, ms: number) =>
    new Promise<void>((resolve) => clock.at(START + ms, { lane: 6, actor: 'test' }, resolve));

  it('for the PUBACK of a downlink', async () => {
    const clock = lockstepClock({ start: START });
    const { plant, watch } = await bench({ clock });
    const own = await watch();
    await Promise.all([own.messageOn(downConfigTopic(SITE, OWN)), own.messageOn(HOST_STATE_TOPIC)]);
    await own.ping();
    own.acknowledges = false;
    await plant.engine.submit(reportOf('report-sos', OWN, idFrom('sos')));
    let passed = false;
    const second = later(clock, 1_000).then(() => {
      passed = true;
    });
    const reported = await own.next(
      'publish',
      (packet) => packet.cmd === 'publish' && packet.topic === downAlertTopic(SITE, OWN),
    );
    await own.ping();
    expect(passed).toBe(false);
    expect(clock.holders().map(({ label }) => label)).toEqual([
      `PUBACK of watch ${OWN} for ${downAlertTopic(SITE, OWN)}`,
    ]);
    own.send({ cmd: 'puback', messageId: reported.messageId as number });
    await second;
  });

  it('no longer when the watch is gone', async () => {
    const clock = lockstepClock({ start: START });
    const { plant, watch } = await bench({ clock });
    const own = await watch();
    await Promise.all([own.messageOn(downConfigTopic(SITE, OWN)), own.messageOn(HOST_STATE_TOPIC)]);
    await own.ping();
    own.acknowledges = false;
    await plant.engine.submit(reportOf('report-sos', OWN, idFrom('sos')));
    await own.next('publish', (packet) => packet.cmd === 'publish' && packet.topic === downAlertTopic(SITE, OWN));
    expect(clock.holders()).toHaveLength(1);
    await own.vanish();
    await later(clock, 1_000);
  });

  it('and uplinks of one instant are heard by watch, not by arrival', async () => {
    const clock = lockstepClock({ start: START });
    const { plant, watch } = await bench({ clock, watches: 5 });
    const watches = await Promise.all([4, 2, 5, 1, 3].map((n) => watch(serialOf(n))));
    const since = plant.notices.length;
    const releases = watches.map(({ serial }) => clock.hold('uplink', serial));
    const acknowledged = watches.map((one, index) => one.sos(idFrom('sos', index)));
    await plant.seen((notice) => notice.kind === 'uplink-heard' && notice.serial === serialOf(5), since);
    const serials = plant.notices.slice(since).flatMap((one) => (one.kind === 'uplink-heard' ? [one.serial] : []));
    expect(serials).toEqual([1, 2, 3, 4, 5].map(serialOf));
    for (const release of releases) release();
    await Promise.all(acknowledged);
  });
});

it('a watch that hears at both its filters is told once', async () => {
  const { plant, watch } = await bench();
  const own = await watch();
  await own.subscribe(downAlertTopic(SITE, OWN), allFilter(SITE));
  await own.publish(upEventTopic(SITE, OWN, 'sos'), { id: idFrom('sos'), ...own.stamp(), with: 'watch_button' });
  await own.messageOn(downAlertTopic(SITE, OWN));
  await own.ping();
  expect(JSON.stringify(own.received).split(downAlertTopic(SITE, OWN)).length - 1).toBe(1);
  expect(plant.world.count('alert')).toBe(1);
});
