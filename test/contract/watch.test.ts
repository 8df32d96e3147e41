import { describe, expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import * as watch from '../../src/contract/watch.ts';
import { ID, SAMPLES } from './samples.ts';

const SERIAL = 'WT-0014';
const own = { site: ID, serial: SERIAL };

describe('a topic of the protocol', () => {
  const topics: [string, string, watch.WatchTopic][] = [
    [watch.upStatusTopic(ID, SERIAL), `wt/v1/${ID}/WT-0014/up/status`, { way: 'up', ...own, leaf: 'status' }],
    [watch.upPositionTopic(ID, SERIAL), `wt/v1/${ID}/WT-0014/up/position`, { way: 'up', ...own, leaf: 'position' }],
    [watch.upBatteryTopic(ID, SERIAL), `wt/v1/${ID}/WT-0014/up/battery`, { way: 'up', ...own, leaf: 'battery' }],
    [watch.downAlertTopic(ID, SERIAL), `wt/v1/${ID}/WT-0014/down/alert`, { way: 'down', ...own, leaf: 'alert' }],
    [watch.downConfigTopic(ID, SERIAL), `wt/v1/${ID}/WT-0014/down/config`, { way: 'down', ...own, leaf: 'config' }],
    [watch.musterTopic(ID), `wt/v1/${ID}/all/muster`, { way: 'all', site: ID, leaf: 'muster' }],
    [watch.HOST_STATE_TOPIC, 'wt/v1/host/state', { way: 'host', leaf: 'state' }],
    ...watch.UPLINK_EVENT_KINDS.map((kind): [string, string, watch.WatchTopic] => [
      watch.upEventTopic(ID, SERIAL, kind),
      `wt/v1/${ID}/WT-0014/up/event/${kind}`,
      { way: 'up', ...own, leaf: 'event', kind },
    ]),
  ];

  test.each(topics)('%s is built and taken apart alike', (built, written, parts) => {
    expect(built).toBe(written);
    expect(watch.parseWatchTopic(built)).toEqual(parts);
    const leaf =
      parts.way === 'up' ? { leaf: parts.leaf, ...('kind' in parts ? { kind: parts.kind } : {}) } : undefined;
    expect(watch.ownUpLeaf(ID, SERIAL, built)).toEqual(leaf);
  });

  test.each([
    '',
    'wt/v1',
    'wt/v2/host/state',
    'wt/v1/host/state/',
    '/wt/v1/host/state',
    '$SYS/broker/uptime',
    `$share/g/wt/v1/${ID}/WT-0014/up/status`,
    `wt/v1/${ID}/+/up/status`,
    `wt/v1/${ID}/#`,
    `wt/v1/+/WT-0014/up/status`,
    `wt/v1/${ID}/WT-0014/up`,
    `wt/v1/${ID}/WT-0014/up/status/`,
    `wt/v1/${ID}/WT-0014/up/pulse`,
    `wt/v1/${ID}/WT-0014/up/event`,
    `wt/v1/${ID}/WT-0014/up/event/`,
    `wt/v1/${ID}/WT-0014/up/event/pulse`,
    `wt/v1/${ID}/WT-0014/up/event/toString`,
    `wt/v1/${ID}/WT-0014/down/#`,
    `wt/v1/${ID}/WT-0014/down/muster`,
    `wt/v1/${ID}/WT-0014/muster`,
    `wt/v1/${ID}/all/up/status`,
    `wt/v1/${ID}/all/#`,
    `wt/v1/${ID}//up/status`,
    `wt/v1/${ID.toUpperCase()}/WT-0014/up/status`,
    `wt/v1/harbour/WT-0014/up/status`,
    `wt/v1/${ID}/WT 14/up/status`,
    `wt/v1/${ID}/${'W'.repeat(65)}/up/status`,
    `wt/v1/${ID}/WT-0014\0/up/status`,
  ])('%j is a foreign topic', (topic) => {
    expect(watch.parseWatchTopic(topic)).toBeUndefined();
    expect(watch.ownUpLeaf(ID, SERIAL, topic)).toBeUndefined();
  });

  test('of another watch or another site is not its own', () => {
    for (const [site, serial] of [
      [ID, 'WT-0015'],
      [ID, 'WT-001'],
      [ID, 'WT-00144'],
      [ID.replace(/^0/, '1'), SERIAL],
    ] as const)
      expect(watch.ownUpLeaf(ID, SERIAL, watch.upStatusTopic(site, serial))).toBeUndefined();
  });

  test.each([
    ['WT-0014', true],
    ['wt_1.2', true],
    ['all', false],
    ['', false],
    ['WT/0014', false],
    ['+', false],
    ['#', false],
    ['W'.repeat(65), false],
  ])('the serial %j: %j', (serial, allowed) => {
    expect(watch.isWatchSerial(serial)).toBe(allowed);
  });

  test('the filters cover what a watch may hear and nothing of its neighbours', () => {
    expect(watch.downFilter(ID, SERIAL)).toBe(`wt/v1/${ID}/WT-0014/down/#`);
    expect(watch.allFilter(ID)).toBe(`wt/v1/${ID}/all/#`);
  });

  test('each uplink has its own schema', () => {
    const schemas = [
      watch.upStatusTopic(ID, SERIAL),
      watch.upPositionTopic(ID, SERIAL),
      watch.upBatteryTopic(ID, SERIAL),
      ...watch.UPLINK_EVENT_KINDS.map((kind) => watch.upEventTopic(ID, SERIAL, kind)),
    ].map((topic) => watch.uplinkSchema(watch.parseWatchTopic(topic) as Parameters<typeof watch.uplinkSchema>[0]));
    expect(schemas).toEqual([
      watch.WatchStatus,
      watch.WatchPositions,
      watch.WatchBattery,
      ...Object.values(watch.UPLINK_EVENTS),
    ]);
    expect(new Set(schemas).size).toBe(11);
  });
});

describe('a position', () => {
  const fix = SAMPLES.WatchPosition as Record<string, unknown>;
  const judged = (payload: unknown) => {
    const checked = check(watch.WatchPositions, payload);
    return checked.ok ? 'taken' : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  };
  const { height: _, ...flat } = fix;

  test.each([
    ['one fix', fix, 'taken'],
    ['a fix without a height', flat, 'taken'],
    ['several fixes', [fix, flat], 'taken'],
    ['the most fixes', Array.from({ length: 1000 }, () => fix), 'taken'],
    ['no fix', [], ' must not be empty'],
    ['too many fixes', Array.from({ length: 1001 }, () => fix), ' must have at most 1000 items'],
    ['one bad fix among good ones', [fix, { ...fix, seq: 0 }, fix], '/1/seq must be at least 1'],
    ['a null height', { ...fix, height: null }, '/height must be an object; leave the key out instead of null'],
    ['a pulse', { ...fix, pulse: 88 }, '/pulse is not a known field'],
    ['a pulse in an array', [{ ...fix, pulse: 88 }], '/0/pulse is not a known field'],
    [
      'a pulse in the height',
      { ...fix, height: { ...(fix.height as object), pulse: 1 } },
      '/height/pulse is not a known field',
    ],
    ['worn', { ...fix, worn: true }, 'taken'],
    ['not worn', { ...fix, worn: false }, 'taken'],
    ['worn in a word', { ...fix, worn: 'on' }, '/worn must be true or false or null'],
    ['the zone as a source', { ...fix, source: 'zone' }, '/source must be one of "gps", "network"'],
    ['a negative uncertainty', { ...fix, uncertainty_m: -1 }, '/uncertainty_m must be at least 0'],
    ['a latitude beyond the pole', { ...fix, latitude: 90.1 }, '/latitude must be between -90 and 90'],
    ['a time in seconds', { ...fix, t: 1759644000 }, '/t must be a string'],
    ['neither', 'here', ' must be an object or a list'],
  ])('%s: %#', (_name, payload, verdict) => {
    expect(judged(payload)).toBe(verdict);
  });
});

describe('a status', () => {
  test.each([
    ['a birth', SAMPLES.WatchBirth, []],
    ['a death', SAMPLES.WatchDeath, []],
    [
      'a birth without firmware',
      { online: true, session: 1, t: '2026-10-05T06:00:00.000Z' },
      ['/firmware is required'],
    ],
    ['a death of session 0', { online: false, session: 0 }, ['/session must be at least 1']],
    ['neither', { online: 1, session: 1 }, ['/online must be one of true, false']],
    ['nothing', {}, ['/online is required']],
  ])('%s', (_name, payload, sentences) => {
    const checked = check(watch.WatchStatus, payload);
    expect(checked.ok ? [] : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual(sentences);
  });
});

describe('an uplink event', () => {
  const { alert_id: _, ...bareAck } = SAMPLES.WatchAck as { alert_id: string };

  test.each([
    ['ack', bareAck, true],
    ['ack', { ...bareAck, alert_id: null }, true],
    ['ack', { ...bareAck, alert_id: 'newest' }, false],
    ['help', { ...SAMPLES.WatchHelp, reason: 'helping' }, true],
    ['help', { ...SAMPLES.WatchHelp, reason: 'lost' }, false],
    ['sos', { ...SAMPLES.WatchSos, with: 'watch_hardware_button' }, true],
    ['sos', { ...SAMPLES.WatchSos, with: 'after_fall' }, false],
    ['sos', { ...SAMPLES.WatchSos, id: 'once' }, false],
    ['prompt', { ...SAMPLES.WatchPromptAnswer, answer: 'never' }, false],
    ['fall', { ...SAMPLES.WatchFall, session: 1.5 }, false],
    ['fall', { ...SAMPLES.WatchFall, seq: 0 }, false],
    ['fall', { ...SAMPLES.WatchFall, heart_rate: 120 }, false],
  ] as const)('%s %#', (kind, payload, taken) => {
    expect(check(watch.UPLINK_EVENTS[kind], payload).ok).toBe(taken);
  });

  test('a charge is a whole number of percent from 0 to 100', () => {
    const charged = [-1, 0, 50, 50.5, 100, 101].map(
      (pct) => check(watch.WatchBattery, { ...SAMPLES.WatchBattery, pct }).ok,
    );
    expect(charged).toEqual([false, true, true, false, true, false]);
  });
});

test('what the watch shows is distinguished by its kind', () => {
  for (const title of ['DownPrompt', 'DownAlertState', 'DownVehicle', 'DownRest']) {
    expect(check(watch.DownAlert, SAMPLES[title])).toEqual({ ok: true, value: SAMPLES[title] });
  }
  expect(check(watch.DownAlert, { kind: 'rest' })).toEqual({
    ok: false,
    errors: [{ pointer: '/alert_id', detail: 'is required' }],
  });
  expect(check(watch.DownAlert, { kind: 'vehicel' })).toEqual({
    ok: false,
    errors: [
      {
        pointer: '/kind',
        detail: 'must be one of "prompt", "alert", "vehicle", "rest"; did you mean "vehicle"?',
      },
    ],
  });
});

test('a payload may have 8 KiB', () => {
  expect(watch.MAX_WATCH_PAYLOAD_BYTES).toBe(8192);
});
