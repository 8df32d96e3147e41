/** Right watches pass `certify --watch`; each watch that is wrong in one way fails the check that is made for it, and no other. */
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chosenChecks } from '../../../../src/cli/certify/report.ts';
import { PacketFrames } from '../../../../src/proving/certify/watch/frames.ts';
import { lateMachine } from '../../../helpers/manual-machine.ts';
import { unless } from '../../../helpers/unless.ts';
import { sampled, withoutWhole } from '../../../helpers/whole.ts';
import { judgeDevice } from './judge-device.ts';

const device = (name: string): string => resolve(import.meta.dirname, name);

/** The check of each mistake of device.ts, and checks around it that stay passed. */
const CAUGHT: readonly (readonly [mistake: string, only: string, failed: readonly string[]])[] = [
  ['new-id-on-resend', 'W1-5,W12-14,W36-40', ['W14']],
  ['no-backlog', 'W1-5,W21-25,W36-40', ['W22']],
  ['late-answer', 'W1-5,W18-20,W36-40', ['W19', 'W20']],
  ['slow-in-muster', 'W6,W15,W17,W26-28,W32', ['W26']],
  ['local-time', 'W1-10,W18,W21-23', ['W8']],
  ['no-second-birth', 'W1-5,W14,W21-25', ['W21', 'W25']],
  ['stale-session', 'W1-5,W14,W21-25', ['W21', 'W25']],
  ['pulse', 'W1-9,W36-40', ['W36']],
  ['no-goodbye', 'W1-5,W33-40', ['W35']],
];

describe.concurrent('certify --watch', () => {
  const right = [
    { file: 'device.ts', name: '1s, on mqtt.js', positionEveryMs: 1_000 },
    // Emulated watches look at whole seconds.
    { file: 'fleet-device.ts', name: 'the emulated watch of the fleet', positionEveryMs: 2_000 },
  ];
  for (const {
    row: { file, name, positionEveryMs },
    skip,
  } of sampled(right, 2))
    unless(skip).test(`${file} (${name}) passes all checks`, async () => {
      const { failed, counts } = await judgeDevice(device(file), { positionEveryMs });
      expect({ failed, counts }).toEqual({
        failed: [],
        counts: { passed: 40, failed: 0, advice: 0, not_judged: 0 },
      });
    });

  for (const {
    row: [mistake, only, caught],
    skip,
  } of sampled(CAUGHT, 9))
    unless(skip).test(`a watch with ${mistake} fails what is made for it`, async () => {
      const { failed } = await judgeDevice(device('device.ts'), { positionEveryMs: 1_000, mistake, only });
      expect(failed).toEqual(caught);
    });

  unless(withoutWhole).test('a check fails no watch while certify itself is late', async () => {
    const judged = { positionEveryMs: 1_000, mistake: 'late-answer', only: 'W18-20', machine: lateMachine() };
    const { failed, inconclusive } = await judgeDevice(device('device.ts'), judged);
    expect({ failed, inconclusive }).toEqual({ failed: [], inconclusive: ['W19', 'W20'] });
  });

  test('a device with another key is not judged, and the reason is reported', async () => {
    const judged = judgeDevice(device('device.ts'), { positionEveryMs: 1_000, key: 'another', startLimitMs: 15_000 });
    await expect(judged).rejects.toMatchObject({ message: expect.stringContaining('answered its CONNECT with 4') });
  });
});

describe('packets of a stream', () => {
  const PINGREQ = Buffer.from([0xc0, 0]);
  /** PUBLISH of QoS 0 with a body of 130 bytes, whose length takes two bytes. */
  const PUBLISH = Buffer.concat([Buffer.from([0x30, 0x82, 0x01, 0, 1, 0x61]), Buffer.alloc(127, 1)]);

  test('are found however the bytes are cut', () => {
    const whole = Buffer.concat([PINGREQ, PUBLISH, PINGREQ]);
    for (let cut = 0; cut <= whole.length; cut++) {
      const frames = new PacketFrames();
      expect([...frames.take(whole.subarray(0, cut)), ...frames.take(whole.subarray(cut))]).toEqual([
        PINGREQ,
        PUBLISH,
        PINGREQ,
      ]);
    }
  });

  test('bytes that are no MQTT are passed on as they come', () => {
    const frames = new PacketFrames();
    const noise = Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01]);
    expect(frames.take(noise)).toEqual([noise]);
    expect(frames.take(PINGREQ)).toEqual([PINGREQ]);
  });
});

test('checks are chosen with or without the letter', () => {
  const checks = [{ number: 1 }, { number: 2 }, { number: 3 }] as never;
  expect(chosenChecks('W1, 3', checks)).toEqual([{ number: 1 }, { number: 3 }]);
  expect(() => chosenChecks('W4', checks)).toThrow('There is no check 4');
});
