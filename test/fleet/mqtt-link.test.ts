/** The link of a watch meets brokers that fall silent, break off or talk nonsense, and always tells its watch how it ended. */
import mqttPacket, { type IPublishPacket } from 'mqtt-packet';
import { expect, it } from 'vitest';
import type { Cancel } from '../../src/base/time/clock.ts';
import type { Link } from '../../src/fleet/connection/link.ts';
import { mqttLinks } from '../../src/fleet/connection/mqtt-link.ts';
import { afterTest } from '../helpers/broker-bench.ts';
import { type Answers, HOSPITABLE, type RawBroker, rawBroker } from '../helpers/raw-broker.ts';
import { SITE, serialOf } from '../helpers/watch-world.ts';

/** Wall time that passes when a test says so. */
class HandClock {
  readonly mode = 'real';
  #now = 0;
  #timers: { readonly due: number; readonly task: () => void }[] = [];

  monotonic(): number {
    return this.#now;
  }

  afterWall(delayMs: number, task: () => void): Cancel {
    const timer = { due: this.#now + delayMs, task };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = next.due;
      next.task();
    }
    this.#now = until;
  }
}

interface Down {
  readonly why: string;
  readonly refused: boolean;
}

/** A watch that is notified of its link. */
function dialler(broker: Pick<RawBroker, 'port'>) {
  const clock = new HandClock();
  const dialLink = mqttLinks({ clock, broker: { url: `mqtt://127.0.0.1:${broker.port}` } });
  const dial = (n = 1) => {
    const downs: Down[] = [];
    const readers: ((text: string) => void)[] = [];
    let up: () => void = () => {};
    let down: (how: Down) => void = () => {};
    const isUp = new Promise<void>((tell) => {
      up = tell;
    });
    const isDown = new Promise<Down>((tell) => {
      down = tell;
    });
    const link: Link = dialLink(
      { serial: serialOf(n), key: 'key', siteId: SITE, will: Buffer.from('{}') },
      {
        linkUp: () => up(),
        linkReceived: (_topic, payload) => readers.shift()?.(payload.toString()),
        linkDown: (why, { refused = false } = {}) => {
          downs.push({ why, refused });
          down({ why, refused });
        },
      },
    );
    afterTest(() => link.break());
    return { link, isUp, isDown, downs, next: () => new Promise<string>((tell) => readers.push(tell)) };
  };
  return { clock, dial };
}

const PONG: Answers = { pingreq: () => ({ cmd: 'pingresp' }) };
const saying = (text: string) =>
  ({
    cmd: 'publish',
    topic: 'wt/v1/host/state',
    payload: text,
    qos: 1,
    messageId: 7,
    retain: false,
    dup: false,
  }) as const;

/** How long CONNACK and SUBACK may take, with the look that notices it; milliseconds. */
const PATIENCE_MS = 15_000;
const SILENCE_MS = 50_000;

it('a broker that takes the connection and says nothing is given up', async () => {
  const broker = await rawBroker({});
  const { clock, dial } = dialler(broker);
  const { isDown, downs } = dial();
  await (await broker.guest()).next('connect');
  clock.pass(10_000);
  expect(downs).toEqual([]);
  clock.pass(PATIENCE_MS - 10_000);
  expect(await isDown).toEqual({ why: 'the broker did not answer', refused: false });
});

it('a broker that greets and never grants the subscriptions is given up', async () => {
  const broker = await rawBroker({ connect: HOSPITABLE.connect! });
  const { clock, dial } = dialler(broker);
  const { isDown } = dial();
  await (await broker.guest()).next('subscribe');
  clock.pass(PATIENCE_MS);
  expect(await isDown).toEqual({ why: 'the broker did not answer', refused: false });
});

it('a broker that grants one subscription and refuses another is left', async () => {
  const subscribe: Answers['subscribe'] = (packet) => ({
    cmd: 'suback',
    messageId: packet.messageId as number,
    granted: [1, 128, 1],
  });
  const { isDown } = dialler(await rawBroker({ ...HOSPITABLE, subscribe })).dial();
  expect(await isDown).toEqual({ why: 'the broker refused a subscription', refused: false });
});

it('a broker that refuses the key says so, and the watch knows that it was refused', async () => {
  const connect: Answers['connect'] = () => ({ cmd: 'connack', returnCode: 4, sessionPresent: false });
  const { isDown } = dialler(await rawBroker({ connect })).dial();
  expect(await isDown).toEqual({ why: 'the broker refused the user name or the key', refused: true });
});

it('an idle link sends a ping, and gives up the broker when no answer comes', async () => {
  const broker = await rawBroker(HOSPITABLE);
  const { clock, dial } = dialler(broker);
  const { isUp, isDown, downs } = dial();
  const guest = await broker.guest();
  await isUp;
  clock.pass(SILENCE_MS);
  await guest.next('pingreq');
  expect(downs).toEqual([]);
  clock.pass(SILENCE_MS);
  expect(await isDown).toEqual({ why: 'the broker does not answer any more', refused: false });
});

it('a broker that answers each ping is pinged again and kept', async () => {
  const broker = await rawBroker({ ...HOSPITABLE, ...PONG });
  const { clock, dial } = dialler(broker);
  const { isUp, downs, next } = dial();
  const guest = await broker.guest();
  await isUp;
  for (let round = 0; round < 3; round++) {
    clock.pass(SILENCE_MS);
    await guest.next('pingreq');
    // What comes behind the answer tells that the answer was read.
    const received = next();
    guest.say(saying(`after ping ${round}`));
    expect(await received).toBe(`after ping ${round}`);
  }
  expect(downs).toEqual([]);
});

it('a broker that ends in the middle of a packet ends the link, and what it had begun to say is not heard', async () => {
  const broker = await rawBroker({ connect: HOSPITABLE.connect! });
  const { isDown, downs } = dialler(broker).dial();
  const guest = await broker.guest();
  await guest.next('subscribe');
  guest.socket.end(Buffer.from([0x90, 0x05, 0x00]));
  expect(await isDown).toEqual({ why: 'the connection was closed', refused: false });
  expect(downs).toHaveLength(1);
});

it('a broker that breaks the connection off before its CONNACK ends the link', async () => {
  const broker = await rawBroker({});
  const { isDown } = dialler(broker).dial();
  const guest = await broker.guest();
  await guest.next('connect');
  guest.socket.resetAndDestroy();
  expect((await isDown).why).toContain('ECONNRESET');
});

it('a watch learns that nothing listens at the port of the broker', async () => {
  const { isDown } = dialler({ port: 1 }).dial();
  expect((await isDown).why).toContain('ECONNREFUSED');
});

it.each([
  ['a packet of a type that there is not', [0x00, 0x00]],
  ['a packet of a length that never ends', [0x30, 0xff, 0xff, 0xff, 0xff]],
  ['a packet with a topic longer than its packet', [0x30, 0x03, 0x00, 0xff, 0x41]],
  ['a CONNACK without its code', [0x20, 0x01, 0x00]],
  ['a second CONNACK', [0x20, 0x02, 0x00, 0x00]],
  ['a SUBACK for nothing', [0x90, 0x03, 0x00, 0x63, 0x01]],
  ['a message of QoS 1 without its number', [0x32, 0x03, 0x00, 0x01, 0x41]],
])('%s ends its link, and the others of the fleet hear on', async (_what, bytes) => {
  const broker = await rawBroker(HOSPITABLE);
  const { dial } = dialler(broker);
  const [poisoned, poisoner] = [dial(1), await broker.guest()];
  await poisoned.isUp;
  const [other, friend] = [dial(2), await broker.guest()];
  await other.isUp;
  poisoner.socket.write(Buffer.from(bytes));
  expect((await poisoned.isDown).refused).toBe(false);
  const received = other.next();
  friend.say(saying('hello'));
  expect(await received).toBe('hello');
  expect(other.downs).toEqual([]);
});

it.each([
  1, 2, 3, 7, 40, 1_000,
])('messages cut into pieces of %d bytes are heard whole and in order', async (length) => {
  const broker = await rawBroker(HOSPITABLE);
  const { isUp, next } = dialler(broker).dial();
  const guest = await broker.guest();
  await isUp;
  const texts = Array.from({ length: 5 }, (_, n) => `${n} `.repeat(1 + n * 30));
  const received = Promise.all(texts.map(() => next()));
  const bytes = Buffer.concat(texts.map((text) => mqttPacket.generate(saying(text))));
  for (let from = 0; from < bytes.length; from += length)
    await new Promise((written) => guest.socket.write(bytes.subarray(from, from + length), written));
  expect(await received).toEqual(texts);
});

it('a broker that speaks as a client does is left', async () => {
  const broker = await rawBroker(HOSPITABLE);
  const { isUp, isDown } = dialler(broker).dial();
  await isUp;
  (await broker.guest()).say({ cmd: 'pingreq' });
  expect(await isDown).toEqual({ why: 'the broker sent a packet that no client gets: pingreq', refused: false });
});

it('a message is gone when the broker has acknowledged it, and not before', async () => {
  const broker = await rawBroker(HOSPITABLE);
  const { link, isUp } = dialler(broker).dial();
  const guest = await broker.guest();
  await isUp;
  let sent = 0;
  const both = new Promise<void>((done) => {
    const count = () => {
      sent += 1;
      if (sent === 2) done();
    };
    link.send('wt/v1/a', 'one', 1, false, count);
    link.send('wt/v1/a', 'two', 1, true, count);
  });
  const [one, two] = [await guest.next('publish'), await guest.next('publish')] as IPublishPacket[];
  expect([one, two].map((packet) => [packet?.payload.toString(), packet?.retain])).toEqual([
    ['one', false],
    ['two', true],
  ]);
  expect(one?.messageId).not.toBe(two?.messageId);
  expect(sent).toBe(0);
  for (const packet of [two, one]) guest.say({ cmd: 'puback', messageId: packet?.messageId as number });
  await both;
});

it('what was not acknowledged is not waited for at the goodbye', async () => {
  const broker = await rawBroker(HOSPITABLE);
  const { link, isUp, isDown } = dialler(broker).dial();
  const guest = await broker.guest();
  await isUp;
  let sent = false;
  link.send('wt/v1/a', 'one', 1, false, () => {
    sent = true;
  });
  link.leave();
  await guest.next('disconnect');
  await isDown;
  expect(sent).toBe(false);
});

it('a broker that keeps its side open after the goodbye is not waited for', async () => {
  const broker = await rawBroker(HOSPITABLE, { allowHalfOpen: true });
  const { clock, dial } = dialler(broker);
  const { link, isUp, isDown, downs } = dial();
  const guest = await broker.guest();
  await isUp;
  link.leave();
  await guest.next('disconnect');
  expect(downs).toEqual([]);
  clock.pass(2_000);
  expect((await isDown).refused).toBe(false);
});
