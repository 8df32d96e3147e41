/** How a payload becomes a command, as pure tables. [watch-protocol, topics] */
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import {
  ownUpLeaf,
  type UpLeaf,
  type UplinkEventKind,
  upBatteryTopic,
  upEventTopic,
  upPositionTopic,
  upStatusTopic,
} from '../../../src/contract/watch.ts';
import { orderKey, readUplink } from '../../../src/service/broker/uplink.ts';
import type { Device } from '../../../src/service/domain/world/documents.ts';
import { deviceIdOf, SITE, serialOf } from '../../helpers/watch-world.ts';

const SERIAL = serialOf(1);
const device = { id: deviceIdOf(SERIAL), serial: SERIAL, siteId: SITE } as Device;
const T = '2026-10-05T06:00:01.250Z';
const AT = 1_791_180_001_250;
const stamp = { session: 3, seq: 12, t: T };
const position = {
  ...stamp,
  latitude: 37.2,
  longitude: -6.9,
  uncertainty_m: 4.5,
  source: 'gps',
  in_vehicle: false,
  worn: true,
};
const fix = {
  latitude: 37.2,
  longitude: -6.9,
  uncertaintyM: 4.5,
  source: 'gps',
  height: null,
  inVehicle: false,
  worn: true,
  at: AT,
};
const ID = idFrom('uplink');
const OTHER_ID = idFrom('other');

const read = (topic: string, payload: unknown) =>
  readUplink(
    device,
    ownUpLeaf(SITE, SERIAL, topic) as UpLeaf,
    Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload)),
  );

describe('what a watch publishes becomes a command', () => {
  it('a position, with its time by the watch', () => {
    expect(read(upPositionTopic(SITE, SERIAL), position)).toMatchObject({
      is: 'command',
      command: { type: 'report-position', deviceId: device.id, fixes: [fix] },
    });
  });

  it('positions of an outage, in their order, with height where it is told', () => {
    const height = { height_m: 12, uncertainty_m: 2, building: 'B1', floor: '3' };
    const later = { ...position, seq: 13, t: '2026-10-05T06:00:11.250Z', height, worn: null, uncertainty_m: null };
    expect(read(upPositionTopic(SITE, SERIAL), [position, later])).toMatchObject({
      command: {
        fixes: [
          fix,
          {
            ...fix,
            at: AT + 10_000,
            worn: null,
            uncertaintyM: null,
            height: { heightM: 12, uncertaintyM: 2, building: 'B1', floor: '3' },
          },
        ],
      },
    });
  });

  it('a charge', () => {
    expect(read(upBatteryTopic(SITE, SERIAL), { ...stamp, pct: 41, charging: true })).toMatchObject({
      command: { type: 'report-battery', deviceId: device.id, pct: 41, charging: true },
    });
  });

  it('a birth, and a death that is no command', () => {
    const topic = upStatusTopic(SITE, SERIAL);
    expect(read(topic, { online: true, session: 3, firmware: '1.2', t: T })).toMatchObject({
      is: 'birth',
      session: 3,
      command: { type: 'report-birth', deviceId: device.id, session: 3, firmware: '1.2' },
    });
    expect(read(topic, { online: false, session: 3 })).toMatchObject({ is: 'death', session: 3 });
  });

  const events: [UplinkEventKind, object, object][] = [
    ['sos', { with: 'watch_hardware_button' }, { type: 'report-sos', trigger: 'watch_hardware_button' }],
    ['fall', {}, { type: 'report-fall' }],
    ['prompt', { fall_id: OTHER_ID, answer: 'help' }, { type: 'answer-prompt', fallId: OTHER_ID, answer: 'help' }],
    ['ack', { alert_id: OTHER_ID }, { type: 'acknowledge-on-watch', alertId: OTHER_ID }],
    ['ack', { alert_id: null }, { type: 'acknowledge-on-watch', alertId: null }],
    ['ack', {}, { type: 'acknowledge-on-watch', alertId: null }],
    ['call', { voice_note: true }, { type: 'request-call', voiceNote: true }],
    ['help', { reason: null }, { type: 'report-help', reason: null }],
    ['declare', { point_id: OTHER_ID }, { type: 'declare-at-point', pointId: OTHER_ID }],
    ['vehicle_ack', { warning_id: OTHER_ID }, { type: 'acknowledge-vehicle', warningId: OTHER_ID }],
  ];
  it.each(events)('up/event/%s %j', (kind, fields, command) => {
    expect(read(upEventTopic(SITE, SERIAL, kind), { id: ID, ...stamp, ...fields })).toMatchObject({
      event: kind,
      command: { ...command, deviceId: device.id, uplinkId: ID, watchTime: AT },
    });
  });

  it('and an id is the same whichever case it is written in', () => {
    const message = { id: ID.toUpperCase(), ...stamp, fall_id: OTHER_ID.toUpperCase(), answer: 'ok' };
    expect(read(upEventTopic(SITE, SERIAL, 'prompt'), message)).toMatchObject({
      command: { uplinkId: ID, fallId: OTHER_ID },
    });
  });
});

describe('a payload that breaks its schema says where', () => {
  const cases: [string, string, unknown, RegExp][] = [
    ['a pulse', upPositionTopic(SITE, SERIAL), { ...position, pulse: 88 }, /^\/pulse /],
    [
      'a bad position among good ones',
      upPositionTopic(SITE, SERIAL),
      [position, { ...position, latitude: 91 }],
      /^\/1\/latitude /,
    ],
    ['no position at all', upPositionTopic(SITE, SERIAL), [], /./],
    ['a session of 0', upBatteryTopic(SITE, SERIAL), { ...stamp, session: 0, pct: 3, charging: false }, /^\/session /],
    ['half a percent', upBatteryTopic(SITE, SERIAL), { ...stamp, pct: 3.5, charging: false }, /^\/pct /],
    [
      'a local time',
      upBatteryTopic(SITE, SERIAL),
      { ...stamp, t: '2026-10-05T08:00:01.250+02:00', pct: 3, charging: false },
      /^\/t /,
    ],
    ['an event without an id', upEventTopic(SITE, SERIAL, 'fall'), stamp, /^\/id /],
    ['a goodbye with more to say', upStatusTopic(SITE, SERIAL), { online: false, session: 1, pulse: 0 }, /pulse/],
    ['no JSON', upEventTopic(SITE, SERIAL, 'fall'), Buffer.from('{"id":'), /not JSON/],
    ['nothing', upStatusTopic(SITE, SERIAL), Buffer.alloc(0), /not JSON/],
    ['no UTF-8', upEventTopic(SITE, SERIAL, 'fall'), Buffer.from([0x22, 0xff, 0x22]), /not JSON in UTF-8/],
  ];
  it.each(cases)('%s', (_case, topic, payload, why) => {
    expect(read(topic, payload)).toEqual({ is: 'breach', why: expect.stringMatching(why) });
  });

  it('and never what it was', () => {
    const reading = read(upPositionTopic(SITE, SERIAL), { ...position, pulse: 88, latitude: 4711 });
    expect(JSON.stringify(reading)).not.toMatch(/88|4711/);
  });
});

it('the keys of a watch’s uplinks sort as it said them', () => {
  const keys = [
    read(upStatusTopic(SITE, SERIAL), { online: true, session: 2, firmware: '', t: T }),
    read(upBatteryTopic(SITE, SERIAL), { session: 2, seq: 9, t: T, pct: 1, charging: false }),
    read(upBatteryTopic(SITE, SERIAL), { session: 2, seq: 10, t: T, pct: 1, charging: false }),
    read(upStatusTopic(SITE, SERIAL), { online: true, session: 10, firmware: '', t: T }),
  ].map((reading) => orderKey(SERIAL, reading as Exclude<typeof reading, { is: 'breach' }>));
  expect([...keys].reverse().sort()).toEqual(keys);
});
