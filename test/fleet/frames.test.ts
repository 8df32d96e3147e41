/** However a socket cuts packets up, they come out whole and in order. */
import { array, assert as holds, integer, property, uint8Array } from 'fast-check';
import mqttPacket from 'mqtt-packet';
import { expect, it } from 'vitest';
import { Frames } from '../../src/fleet/frames.ts';

const publish = (payload: Uint8Array): Buffer =>
  mqttPacket.generate({
    cmd: 'publish',
    topic: 'wt/v1/a',
    payload: Buffer.from(payload),
    qos: 0,
    retain: false,
    dup: false,
  });

it('packets come out whole whatever the pieces', () => {
  const payloads = array(uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 8 });
  const cuts = array(integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 40 });
  holds(
    property(payloads, cuts, (said, lengths) => {
      const sent = Buffer.concat(said.map(publish));
      const frames = new Frames();
      const heard: Buffer[] = [];
      for (let [from, piece] = [0, 0]; from < sent.length; piece++) {
        const length = lengths[piece % lengths.length]!;
        // The piece is used again after it was read, as the buffer of all links is.
        const buffer = Buffer.from(sent.subarray(from, from + length));
        const whole = frames.whole(buffer);
        if (whole !== null) {
          const parser = mqttPacket.parser({ protocolVersion: 4 });
          parser.on('packet', (packet) => heard.push(Buffer.from((packet as { payload: Buffer }).payload)));
          expect(parser.parse(whole)).toBe(0);
        }
        buffer.fill(0xff);
        from += length;
      }
      expect(heard.map((one) => one.toString('hex'))).toEqual(said.map((one) => Buffer.from(one).toString('hex')));
    }),
  );
});

it('a length that is none is given to the parser, which refuses it', () => {
  const bytes = Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
  expect(new Frames().whole(bytes)).not.toBeNull();
});

it('the beginning of a packet waits for its length', () => {
  const frames = new Frames();
  expect(frames.whole(Buffer.from([0x40]))).toBeNull();
  expect(frames.whole(Buffer.from([0x02, 0x00]))).toBeNull();
  expect(frames.whole(Buffer.from([0x07, 0x40]))).toEqual(Buffer.from([0x40, 0x02, 0x00, 0x07]));
});
