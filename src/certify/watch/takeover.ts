/** Takes a watch's connection over, as a second device with its serial would: the broker ends the first one. [MQTT-3.1.4-2] */
import { connect } from 'node:net';
import mqttPacket from 'mqtt-packet';
import { later } from '../../base/timers.ts';

/** Wall ms. */
const WITHIN_MS = 3_000;

/** Resolves with whether the broker let it in; it has left again then. */
export function takeOver(port: number, serial: string, key: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    let isIn = false;
    const cancel = later(WITHIN_MS, () => socket.destroy());
    parser.on('packet', (packet) => {
      isIn = packet.cmd === 'connack' && packet.returnCode === 0;
      socket.end(mqttPacket.generate({ cmd: 'disconnect' }));
    });
    socket.on('data', (bytes) => parser.parse(bytes));
    socket.on('error', () => {});
    socket.once('close', () => {
      cancel();
      resolve(isIn);
    });
    const login = { clientId: serial, username: serial, password: Buffer.from(key) };
    socket.write(
      mqttPacket.generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        keepalive: 0,
        ...login,
      }),
    );
  });
}
