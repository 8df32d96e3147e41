import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/contract/check.ts';
import { NAMED_SCHEMAS } from '../../../src/contract/registry.ts';
import * as watch from '../../../src/contract/watch.ts';
import { type AsyncMessage, asyncApi } from '../../../src/service/api/documents/asyncapi.ts';
import { ApiHarness } from './harness.ts';

const document = asyncApi('mqtt://127.0.0.1:1883');
const { channels, operations, components } = document;
const addresses = Object.values(channels).map(({ address }) => address);

/** Follows `#/a/b/c`. */
const at = (ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document);

function* refsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (key === '$ref') yield part as string;
    else yield* refsIn(part);
  }
}
const refs = [...refsIn(document)];

/** What an operation says, by the names of its messages. */
const messagesOf = (name: string) =>
  operations[name]?.messages.map(({ $ref }) => (at((at($ref) as { $ref: string }).$ref) as AsyncMessage).name);

/** A payload's own schema, by its reference or as it stands. */
const schemaOf = ({ payload }: AsyncMessage): TSchema => {
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec((payload as { $ref?: string }).$ref ?? '') ?? [];
  return name === undefined ? (payload as TSchema) : (NAMED_SCHEMAS[name] as TSchema);
};

describe('the document of the watch protocol', () => {
  test('has every topic of the protocol, and no other', () => {
    const [site, serial] = ['{site}', '{serial}'];
    expect(addresses.sort()).toEqual(
      [
        watch.upStatusTopic(site, serial),
        watch.upPositionTopic(site, serial),
        watch.upBatteryTopic(site, serial),
        `wt/v1/${site}/${serial}/up/event/{kind}`,
        watch.downAlertTopic(site, serial),
        watch.downConfigTopic(site, serial),
        watch.musterTopic(site),
        watch.HOST_STATE_TOPIC,
      ].sort(),
    );
    expect(Object.keys(watch.UPLINKS)).toHaveLength(3);
    expect(Object.keys(watch.DOWNLINKS)).toHaveLength(4);
  });

  test('has every kind of event, as a value of {kind}, as a message and as an operation', () => {
    const { kind } = at('#/components/parameters') as { kind: { enum: string[] } };
    expect(kind.enum).toEqual([...watch.UPLINK_EVENT_KINDS]);
    expect(Object.keys(channels['event']?.messages ?? {})).toEqual([...watch.UPLINK_EVENT_KINDS]);
    const events = Object.values(operations).filter(({ channel }) => channel.$ref === '#/channels/event');
    expect(events).toHaveLength(watch.UPLINK_EVENT_KINDS.length);
    expect(messagesOf('acknowledgeVehicle')).toEqual(['eventVehicleAck']);
  });

  test('says of each payload what the broker checks', () => {
    const payloads = (name: string) =>
      Object.values(channels[name]?.messages ?? {}).map(({ $ref }) => schemaOf(at($ref) as AsyncMessage));
    expect(payloads('status')).toEqual([watch.WatchBirth, watch.WatchDeath]);
    expect(payloads('position')).toEqual([watch.WatchPositions]);
    expect(payloads('battery')).toEqual([watch.WatchBattery]);
    expect(payloads('event')).toEqual(Object.values(watch.UPLINK_EVENTS));
    expect(payloads('alert')).toEqual([watch.DownPrompt, watch.DownAlertState, watch.DownVehicle, watch.DownRest]);
    expect(payloads('config')).toEqual([watch.DownConfig]);
    expect(payloads('muster')[0]).toEqual(watch.MusterNotice);
    expect(payloads('host')).toEqual([watch.HostState]);
  });

  test('is written from the watch’s side: it sends what stands under up/ and receives the rest', () => {
    for (const { action, channel } of Object.values(operations)) {
      const { address } = at(channel.$ref) as { address: string };
      expect([address, action]).toEqual([address, address.includes('/up/') ? 'send' : 'receive']);
    }
  });

  test.each([
    ['sayBirth', 1, true],
    ['sayGoodbye', 1, true],
    ['reportPosition', 0, false],
    ['reportPositionInAlarm', 1, false],
    ['reportBattery', 0, false],
    ['reportSos', 1, false],
    ['showAlert', 1, false],
    ['takeConfiguration', 1, true],
    ['followMuster', 1, true],
    ['followHost', 1, true],
  ])('%s has QoS %i, retained: %j', (name, qos, retain) => {
    expect(operations[name]?.bindings.mqtt).toMatchObject({ qos, retain });
  });

  test.each(Object.entries(components.messages))('the examples of %s fit their schema', (_name, message) => {
    expect(message.examples.length).toBeGreaterThan(0);
    for (const { payload } of message.examples)
      expect(check(schemaOf(message), payload)).toEqual({ ok: true, value: payload });
  });

  test('refers to nothing that it does not have, and has nothing that nobody refers to', () => {
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
    const had = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    expect(had.filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  test('has no mark of our own in it', () => {
    expect(JSON.stringify(document)).not.toMatch(/"x-|\[(watch-protocol|spec|decisions)/);
  });
});

describe('the document is served', () => {
  let harness: ApiHarness;
  beforeAll(async () => {
    harness = await ApiHarness.start();
  });
  afterAll(() => harness.stop());

  test('at /asyncapi.json, with the address of this broker', async () => {
    const { status, body } = await harness.call('GET', '/asyncapi.json');
    expect(status).toBe(200);
    expect(body.servers.sandbox).toMatchObject({ host: '127.0.0.1:1884', protocol: 'mqtt' });
    expect(Object.keys(body.operations)).toEqual(Object.keys(operations));
  });
});
