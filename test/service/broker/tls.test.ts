/** A port of mqtts: watches meet the broker behind TLS, and what speaks something else is refused and reported. [cli, up --tls] */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { afterTest, type Bench, bench } from '../../helpers/broker-bench.ts';
import { serverTls } from '../../helpers/server-tls.ts';
import { connectUntrusting } from '../../helpers/untrusting.ts';
import { keyOf, serialOf } from '../../helpers/watch-world.ts';

let tls: Awaited<ReturnType<typeof serverTls>>;
beforeAll(async () => {
  tls = await serverTls();
});
afterAll(() => tls.remove());

const SERIAL = serialOf(1);
const CONNECT = mqttPacket.generate({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  keepalive: 0,
  clientId: SERIAL,
  username: SERIAL,
  password: Buffer.from(keyOf(SERIAL)),
});

function secured({ broker }: Bench): TLSSocket {
  const socket = connectTls({ port: broker.port, host: '127.0.0.1', ca: tls.ca });
  afterTest(() => void socket.destroy());
  return socket.on('error', () => {});
}

/** What the broker answers to a CONNECT. */
async function answer(socket: TLSSocket): Promise<Packet> {
  socket.write(CONNECT);
  const parser = mqttPacket.parser({ protocolVersion: 4 });
  socket.on('data', (bytes) => parser.parse(bytes));
  const [packet] = await once(parser, 'packet');
  return packet as Packet;
}

test('a watch that trusts the authority is let in, before an outage of the broker and after it', async () => {
  const sea = await bench({ tls });
  expect(sea.broker.url).toBe(`mqtts://127.0.0.1:${sea.broker.port}`);
  expect(await answer(secured(sea))).toMatchObject({ cmd: 'connack', returnCode: 0 });
  await sea.broker.shut();
  await sea.broker.reopen();
  expect(await answer(secured(sea))).toMatchObject({ cmd: 'connack', returnCode: 0 });
});

test('watches without TLS are refused, counted, and reported once a second', async () => {
  const sea = await bench({ tls });
  sea.clock.pause();
  for (let times = 0; times < 10; times++) {
    const socket = connect(sea.broker.port, '127.0.0.1').on('error', () => {});
    socket.write(CONNECT);
    await once(socket, 'close');
  }
  const why = `this port speaks mqtts only: connect to ${sea.broker.url}`;
  const reported = sea.plant.notices.flatMap((notice) => (notice.kind === 'watch-refused' ? [notice.why] : []));
  expect(reported).toEqual([why]);
  expect(sea.broker.counts().refused).toMatchObject({ protocol: 10 });
});

test('a watch that does not trust the authority is reported', async () => {
  const sea = await bench({ tls });
  await connectUntrusting(sea.broker.port);
  expect(await sea.refused('connection')).toMatchObject({
    why: expect.stringContaining('does not trust the certificate'),
  });
});

test('the broker ends at once, although a connection has said nothing', async () => {
  const sea = await bench({ tls });
  const socket = connect(sea.broker.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const ended = new Promise((done) => socket.once('close', done));
  await sea.broker.stop();
  await ended;
});
