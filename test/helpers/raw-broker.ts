/** The other end of a watch's connection over a bare socket: it answers what a test wants answered, and says what no broker would. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Packet } from 'mqtt-packet';
import mqttPacket from 'mqtt-packet';
import { afterTest } from './broker-bench.ts';

type Cmd = Packet['cmd'];

/** What it answers of itself. */
export type Answers = Partial<Record<Cmd, (packet: Packet) => Packet | null>>;

/** Takes everybody in and grants everything. */
export const HOSPITABLE: Answers = {
  connect: () => ({ cmd: 'connack', returnCode: 0, sessionPresent: false }),
  subscribe: (packet) => ({
    cmd: 'suback',
    messageId: packet.messageId as number,
    granted: 'subscriptions' in packet ? packet.subscriptions.map(() => 1) : [],
  }),
};

/** One connection of it. */
export class RawGuest {
  readonly socket: Socket;
  readonly #packets: Packet[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(socket: Socket, answers: Answers) {
    this.socket = socket;
    socket.on('error', () => {});
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    parser.on('packet', (packet) => {
      this.#packets.push(packet);
      const answer = answers[packet.cmd]?.(packet) ?? null;
      if (answer !== null) this.say(answer);
      for (const tell of this.#waiting.splice(0)) tell();
    });
    socket.on('data', (chunk) => parser.parse(chunk));
  }

  say(packet: Packet): void {
    this.socket.write(mqttPacket.generate(packet));
  }

  /** The first packet of the kind that was not taken yet. */
  async next(cmd: Cmd): Promise<Packet> {
    for (;;) {
      const place = this.#packets.findIndex((packet) => packet.cmd === cmd);
      if (place >= 0) return this.#packets.splice(place, 1)[0]!;
      await new Promise<void>((tell) => this.#waiting.push(tell));
    }
  }
}

export interface RawBroker {
  readonly port: number;
  /** The next that connects. */
  guest(): Promise<RawGuest>;
}

/** `allowHalfOpen`: it does not end its side when the other one does. */
export async function rawBroker(answers: Answers, { allowHalfOpen = false } = {}): Promise<RawBroker> {
  const guests: RawGuest[] = [];
  const waiting: ((guest: RawGuest) => void)[] = [];
  const server = createServer({ noDelay: true, allowHalfOpen }, (socket) => {
    afterTest(() => void socket.destroy());
    const guest = new RawGuest(socket, answers);
    const tell = waiting.shift();
    if (tell === undefined) guests.push(guest);
    else tell(guest);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => void server.close());
  return {
    port: (server.address() as AddressInfo).port,
    guest: () => {
      const known = guests.shift();
      return known === undefined ? new Promise((tell) => waiting.push(tell)) : Promise.resolve(known);
    },
  };
}
