/**
 * Watches of bare packets that publish positions with QoS 1 as fast as their PUBACKs come: `node mqtt-load.mjs`, told on
 * stdin `{port, watches: [{serial, key, site_id}], window, seconds, latitude, longitude}`; prints what it measured.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import mqttPacket from 'mqtt-packet';

const { port, watches, window, seconds, warmUp, ...place } = JSON.parse(readFileSync(0, 'utf8'));

/** Numbers of a fixed width are patched into bytes that are made once. */
const FIRST_SEQ = 1_000_000;

function publisher({ serial, key, site_id }) {
  const payload = JSON.stringify({
    session: 1,
    seq: FIRST_SEQ,
    t: new Date().toISOString(),
    ...place,
    uncertainty_m: 4.5,
    source: 'gps',
    in_vehicle: false,
    worn: true,
  });
  const topic = `wt/v1/${site_id}/${serial}/up/position`;
  const bytes = mqttPacket.generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1 });
  const idAt = bytes.indexOf(topic) + topic.length;
  const seqAt = bytes.indexOf(String(FIRST_SEQ));
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const client = { acknowledged: 0, sent: 0, ready: null, socket, send };
  let [greeted, rest] = [false, 0];
  client.ready = new Promise((done, failed) => {
    socket.once('error', failed);
    socket.on('data', (chunk) => {
      let length = chunk.length + rest;
      if (!greeted) {
        if (chunk[3] !== 0) return failed(new Error(`${serial} was refused with ${chunk[3]}`));
        greeted = true;
        length -= 4;
        done();
      }
      // Nothing else is subscribed to, so every four bytes are a PUBACK.
      rest = length % 4;
      const acknowledged = (length - rest) / 4;
      client.acknowledged += acknowledged;
      if (acknowledged > 0 && going) send(acknowledged);
    });
  });
  function send(count) {
    const out = Buffer.allocUnsafe(bytes.length * count);
    for (let n = 0; n < count; n++) {
      bytes.writeUInt16BE((client.sent % 65_535) + 1, idAt);
      bytes.write(String(FIRST_SEQ + (client.sent++ % 8_000_000)), seqAt, 'latin1');
      bytes.copy(out, n * bytes.length);
    }
    socket.write(out);
  }
  const connectPacket = { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 0 };
  socket.write(
    mqttPacket.generate({ ...connectPacket, clientId: serial, username: serial, password: Buffer.from(key) }),
  );
  return client;
}

let going = true;
const pause = (s) => new Promise((done) => setTimeout(done, s * 1_000));
const clients = watches.map(publisher);
await Promise.all(clients.map(({ ready }) => ready));
for (const { send } of clients) send(window);
const total = () => clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
await pause(warmUp);
const [before, begun, cpu] = [total(), performance.now(), process.cpuUsage()];
process.stdout.write('{"warm":true}\n');
await pause(seconds);
const [after, took, used] = [total(), (performance.now() - begun) / 1_000, process.cpuUsage(cpu)];
going = false;
process.stdout.write(
  `${JSON.stringify({ perSecond: (after - before) / took, count: after - before, cpuUs: (used.user + used.system) / (after - before) })}\n`,
);
for (const { socket } of clients) socket.destroy();
