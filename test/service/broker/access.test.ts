/** What a watch may publish and subscribe to: every refusal of the access rules, at the socket. [watch-protocol, access] */
import { describe, expect, it } from 'vitest';
import {
  allFilter,
  downAlertTopic,
  downConfigTopic,
  downFilter,
  HOST_STATE_TOPIC,
  MAX_WATCH_PAYLOAD_BYTES,
  musterTopic,
  upBatteryTopic,
  upPositionTopic,
  upStatusTopic,
} from '../../../src/contract/watch.ts';
import { bench } from '../../helpers/broker-bench.ts';
import { SITE, serialOf } from '../../helpers/watch-world.ts';

const OWN = serialOf(1);
const OTHER = serialOf(2);
const OTHER_SITE = '00000000-0000-4000-8000-000000000000';

describe('a watch may subscribe', () => {
  it.each([
    downFilter(SITE, OWN),
    downAlertTopic(SITE, OWN),
    downConfigTopic(SITE, OWN),
    allFilter(SITE),
    musterTopic(SITE),
    HOST_STATE_TOPIC,
  ])('to %s', async (filter) => {
    const { watch } = await bench();
    expect(await (await watch()).subscribe(filter)).toEqual([1]);
  });

  it('with QoS 2 and is told things with QoS 1', async () => {
    const { socket } = await bench();
    const watch = socket();
    await watch.connect();
    await watch.subscribe({ topic: downFilter(SITE, OWN), qos: 2 });
    expect(await watch.next('publish')).toMatchObject({ topic: downConfigTopic(SITE, OWN), qos: 1, retain: true });
  });
});

describe('a subscription is refused and the connection stays', () => {
  it.each([
    ['to everything', '#'],
    ['to all of the protocol', 'wt/#'],
    ['to all watches of the site', `wt/v1/${SITE}/+/down/#`],
    ['to all watches of all sites', 'wt/v1/+/+/down/#'],
    ['to all levels of its site', `wt/v1/${SITE}/#`],
    ['with a wildcard in place of its site', `wt/v1/+/${OWN}/down/#`],
    ['to its own down/ by a plus', `wt/v1/${SITE}/${OWN}/down/+`],
    ['to another watch', downFilter(SITE, OTHER)],
    ['to another watch’s alerts', downAlertTopic(SITE, OTHER)],
    ['to all that it has', `wt/v1/${SITE}/${OWN}/#`],
    ['to another site', allFilter(OTHER_SITE)],
    ['to its own uplinks', upStatusTopic(SITE, OWN)],
    ['to the broker’s own topics', '$SYS/#'],
    ['to a share', `$share/group/${downFilter(SITE, OWN)}`],
    ['to its own topics by another site', downFilter(OTHER_SITE, OWN)],
  ])('%s', async (_case, filter) => {
    const { watch, broker, refused } = await bench();
    const curious = await watch();
    expect(await curious.subscribe(HOST_STATE_TOPIC, filter)).toEqual([1, 128]);
    expect(await refused(filter)).toMatchObject({ serial: OWN });
    await curious.ping();
    expect(broker.counts().refused.subscription).toBe(1);
  });
});

describe('a publication ends the connection without a PUBACK', () => {
  const big = JSON.stringify('x'.repeat(MAX_WATCH_PAYLOAD_BYTES - 1));
  const cases: [string, string, unknown, object, 'topic' | 'qos' | 'size'][] = [
    ['to another watch’s topic', upBatteryTopic(SITE, OTHER), {}, {}, 'topic'],
    ['to its own topic at another site', upBatteryTopic(OTHER_SITE, OWN), {}, {}, 'topic'],
    ['to its own down/', downAlertTopic(SITE, OWN), {}, {}, 'topic'],
    ['to the site’s muster', musterTopic(SITE), {}, {}, 'topic'],
    ['to the host’s state', HOST_STATE_TOPIC, { online: false }, {}, 'topic'],
    ['to the broker’s own topics', '$SYS/x/new/clients', OTHER, {}, 'topic'],
    ['to an unknown leaf of its own', `wt/v1/${SITE}/${OWN}/up/pulse`, {}, {}, 'topic'],
    ['to an unknown event of its own', `wt/v1/${SITE}/${OWN}/up/event/pulse`, {}, {}, 'topic'],
    ['to an unknown leaf beside up/ and down/', `wt/v1/${SITE}/${OWN}/status`, {}, {}, 'topic'],
    ['to a share', `$share/group/${upBatteryTopic(SITE, OWN)}`, {}, {}, 'topic'],
    ['to another version of the protocol', upBatteryTopic(SITE, OWN).replace('v1', 'v2'), {}, {}, 'topic'],
    ['to its site in capital letters', upBatteryTopic(SITE.toUpperCase(), OWN), {}, {}, 'topic'],
    ['to a topic of nobody', 'hello', {}, {}, 'topic'],
    ['retained, to another watch’s status', upStatusTopic(SITE, OTHER), { online: false }, { retain: true }, 'topic'],
    ['of QoS 0 to another watch’s topic', upBatteryTopic(SITE, OTHER), {}, { qos: 0 }, 'topic'],
    ['of QoS 0 and more than 8 KiB', upBatteryTopic(SITE, OWN), big, { qos: 0 }, 'size'],
    ['of QoS 2', upBatteryTopic(SITE, OWN), {}, { qos: 2 }, 'qos'],
    ['of more than 8 KiB', upBatteryTopic(SITE, OWN), big, {}, 'size'],
  ];
  it.each(cases)('%s', async (_case, topic, payload, rest, kind) => {
    const { watch, broker, refused } = await bench();
    const stranger = await watch();
    const before = stranger.count('puback');
    stranger.send(stranger.message(topic, payload, rest));
    await stranger.ended;
    expect(stranger.count('puback') - before + stranger.count('pubrec')).toBe(0);
    expect(await refused(topic)).toMatchObject({ serial: OWN });
    expect(broker.counts()).toMatchObject({ connections: 0, refused: { [kind]: 1, protocol: 0 } });
  });

  it('of a size that is still on its way when it is too much', async () => {
    const { watch, broker } = await bench();
    const stranger = await watch();
    stranger.send(stranger.message(upBatteryTopic(SITE, OWN), Buffer.alloc(10 * 1024 * 1024)));
    await stranger.ended;
    expect(broker.counts().refused.size).toBe(1);
  });

  it('with a wildcard in the topic', async () => {
    const { watch, broker } = await bench();
    const stranger = await watch();
    // A library would not write it.
    const topic = Buffer.from(`wt/v1/${SITE}/+/up/battery`);
    stranger.socket.write(Buffer.concat([Buffer.from([0x30, topic.length + 2, 0, topic.length]), topic]));
    await stranger.ended;
    expect(broker.counts().refused.protocol).toBe(1);
  });

  it('and other watches do not notice', async () => {
    const { watch } = await bench();
    const [stranger, other] = [await watch(OWN), await watch(OTHER)];
    stranger.send(stranger.message(upBatteryTopic(SITE, OTHER), { pct: 1 }));
    await stranger.ended;
    await other.ping();
  });

  it('of exactly 8 KiB is still read', async () => {
    const { watch, broker } = await bench();
    const payload = JSON.stringify('x'.repeat(MAX_WATCH_PAYLOAD_BYTES - 2));
    expect(Buffer.byteLength(payload)).toBe(MAX_WATCH_PAYLOAD_BYTES);
    await (await watch()).publish(upPositionTopic(SITE, OWN), payload);
    expect(broker.counts().refused).toMatchObject({ size: 0, payload: 1 });
  });
});
