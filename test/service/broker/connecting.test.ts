/** Who comes in: the broker's door, looked at from the socket. [watch-protocol, access] */
import { createServer } from 'node:net';
import type { IConnectPacket } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { downAlertTopic, upEventTopic, upStatusTopic } from '../../../src/contract/watch.ts';
import { startBroker } from '../../../src/service/broker/broker.ts';
import { afterTest, bench } from '../../helpers/broker-bench.ts';
import { RawWatch } from '../../helpers/raw-watch.ts';
import { keyOf, SITE, serialOf } from '../../helpers/watch-world.ts';

const will = (topic: string, rest: object = {}) => ({
  will: { topic, payload: Buffer.from('{"online":false,"session":1}'), qos: 1 as const, retain: true, ...rest },
});

describe('a watch that connects', () => {
  it('is let in by its serial and its own key', async () => {
    const { socket, broker } = await bench();
    expect(await socket().connect()).toMatchObject({ returnCode: 0, sessionPresent: false });
    expect(broker.counts().connections).toBe(1);
  });

  it('gets a clean session, also when it asks for a kept one', async () => {
    const { socket, plant } = await bench();
    const first = socket();
    await first.connect({ clean: false });
    await first.subscribe(downAlertTopic(SITE, serialOf(1)));
    await first.vanish();
    await plant.engine.submit({
      type: 'report-sos',
      trigger: 'watch_button',
      deviceId: plant.world.indexes.deviceId(serialOf(1)) as string,
      uplinkId: '00000000-0000-4000-8000-000000000001',
      watchTime: 0,
    });
    const second = socket();
    expect(await second.connect({ clean: false })).toMatchObject({ returnCode: 0, sessionPresent: false });
    await second.ping();
    expect(second.count('publish')).toBe(0);
  });

  it('has its own will accepted', async () => {
    const { socket } = await bench();
    expect(await socket().connect(will(upStatusTopic(SITE, serialOf(1))))).toMatchObject({ returnCode: 0 });
  });
});

describe('a client is refused and its connection ended', () => {
  const refusals: [string, Partial<IConnectPacket>, number, 'credentials' | 'client_id'][] = [
    ['with an unknown serial', { username: 'W-999', clientId: 'W-999' }, 4, 'credentials'],
    ['with a wrong key', { password: Buffer.from('guess') }, 4, 'credentials'],
    ['with the key of another watch', { password: Buffer.from(keyOf(serialOf(2))) }, 4, 'credentials'],
    ['without user name and key', { username: undefined, password: undefined } as never, 4, 'credentials'],
    ['with its serial in small letters', { username: serialOf(1).toLowerCase() }, 4, 'credentials'],
    ['with a client id of nothing but a suffix', { clientId: '/tool' }, 5, 'client_id'],
    ['with a suffix to another serial', { clientId: `${serialOf(2)}/tool` }, 5, 'client_id'],
    ['with the client id of another serial', { clientId: serialOf(2) }, 5, 'client_id'],
    ['with a client id that only begins like its serial', { clientId: `${serialOf(1)}1` }, 5, 'client_id'],
    ['with a will on the topic of another watch', will(upStatusTopic(SITE, serialOf(2))), 5, 'client_id'],
    ['with a will that speaks for the service', will(downAlertTopic(SITE, serialOf(1))), 5, 'client_id'],
    ['with a will on no topic of the protocol', will('$SYS/x/new/clients'), 5, 'client_id'],
    ['with a will of QoS 2', will(upStatusTopic(SITE, serialOf(1)), { qos: 2 }), 5, 'client_id'],
    [
      'with a will of more than 8 KiB',
      will(upEventTopic(SITE, serialOf(1), 'sos'), { payload: Buffer.alloc(8193) }),
      5,
      'client_id',
    ],
  ];
  it.each(refusals)('%s', async (_case, rest, returnCode, kind) => {
    const { socket, broker, plant } = await bench();
    const stranger = socket();
    expect(await stranger.connect(rest)).toMatchObject({ returnCode });
    await stranger.ended;
    expect(broker.counts()).toMatchObject({ connections: 0, refused: { [kind]: 1 } });
    const reported = JSON.stringify(plant.notices);
    expect(reported).toContain('watch-refused');
    expect(reported).not.toContain(keyOf(serialOf(1)));
    expect(reported).not.toContain('guess');
  });

  it('with an empty client id', async () => {
    const { socket } = await bench();
    expect(await socket().connect({ clientId: '' })).toMatchObject({ returnCode: 5 });
  });

  it('with MQTT 5', async () => {
    const { socket, broker } = await bench();
    const modern = socket();
    expect(await modern.connect({ protocolVersion: 5 })).toMatchObject({ returnCode: 1 });
    await modern.ended;
    expect(broker.counts().refused.protocol).toBe(1);
  });

  it('when it speaks before it connects', async () => {
    const { socket, broker } = await bench();
    const hasty = socket();
    hasty.send({ cmd: 'pingreq' });
    await hasty.ended;
    expect(broker.counts()).toMatchObject({ connections: 0, refused: { protocol: 1 } });
  });

  it('when its first packet never ends', async () => {
    const { socket, broker, refused } = await bench();
    const endless = socket();
    // CONNECT with a remaining length of 256 MB, of which a little comes.
    endless.socket.write(Buffer.concat([Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(64 * 1024)]));
    await endless.ended;
    expect((await refused('connection')).serial).toBeNull();
    expect(broker.counts().refused.size).toBe(1);
  });
});

describe('two clients of one watch', () => {
  it('evict one another when they have one client id', async () => {
    const { socket, broker } = await bench();
    const first = socket();
    await first.connect();
    const second = socket();
    await second.connect();
    await first.ended;
    await second.ping();
    expect(broker.counts().connections).toBe(1);
  });

  it('stand side by side when one has a suffix', async () => {
    const { socket, broker } = await bench();
    const watch = socket();
    await watch.connect();
    const tool = socket();
    await tool.connect({ clientId: `${serialOf(1)}/tool` });
    await Promise.all([watch.ping(), tool.ping()]);
    expect(broker.counts().connections).toBe(2);
  });

  it('both speak and are both told, when one has a suffix', async () => {
    const { watch, socket, plant } = await bench();
    const own = await watch();
    const tools = [socket(), socket()];
    for (const [n, tool] of tools.entries()) {
      await tool.connect({ clientId: `${serialOf(1)}/tool-${n}` });
      await tool.subscribe(downAlertTopic(SITE, serialOf(1)));
    }
    await tools[0]?.sos('00000000-0000-4000-8000-000000000001', { session: 7 });
    for (const client of [own, ...tools])
      expect(await client.messageOn(downAlertTopic(SITE, serialOf(1)))).toMatchObject({ type: 'sos' });
    await own.sos('00000000-0000-4000-8000-000000000002');
    expect(plant.notices.filter(({ kind }) => kind === 'uplink-heard')).toHaveLength(2);
  });

  it('are a take-over when the newer one is not of the fleet and has the very id of the watch', async () => {
    const taken: string[] = [];
    const { broker, socket } = await bench({ onTakeOver: (serial) => taken.push(serial) });
    const emulated = new RawWatch(broker.connect(), serialOf(1));
    await emulated.connect();
    const tool = socket();
    await tool.connect({ clientId: `${serialOf(1)}/tool` });
    const wrong = socket();
    await wrong.connect({ password: Buffer.from('guess') });
    expect(taken).toEqual([]);
    await socket().connect();
    expect(taken).toEqual([serialOf(1)]);
  });
});

describe('the port', () => {
  it('a port that is taken rejects with the code of the system', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    afterTest(() => new Promise<void>((resolve) => other.close(() => resolve())));
    const { port } = other.address() as { port: number };
    await expect(bench({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('is free again after a stop, which may be asked for twice', async () => {
    const { broker, plant, clock, watch } = await bench();
    const { port } = broker;
    const connected = await watch();
    await Promise.all([broker.stop(), broker.stop()]);
    await connected.ended;
    const next = await startBroker({ engine: plant.engine, clock, host: '127.0.0.1', port });
    afterTest(() => next.stop());
    expect(next.port).toBe(port);
  });
});
