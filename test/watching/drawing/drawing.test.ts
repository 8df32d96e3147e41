/** What drawings of the panel, the drill and the reports have in common. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlap } from '../../../src/base/geometry/boxes.ts';
import { FreeRoom, textBox } from '../../../src/watching/drawing/labels.ts';
import { areaShape, sheetFor } from '../../../src/watching/drawing/plan.ts';
import { bandPath, linePath, stepped } from '../../../src/watching/drawing/plot.ts';
import { roundLength, roundStep, timeStepMs } from '../../../src/watching/drawing/round.ts';

describe('a plan', () => {
  const sheet = sheetFor({ minX: 0, maxX: 100, minY: 0, maxY: 50 }, { longest: 1_000, margin: 50 });

  it('has the whole of its site inside the margin, and north is up', () => {
    expect([sheet.width, sheet.height, sheet.scale]).toEqual([1_000, 550, 9]);
    expect([sheet.place([0, 50]), sheet.place([100, 0])]).toEqual([
      [50, 50],
      [950, 500],
    ]);
  });

  it('shows the name of an area as it is written, whatever is in it', () => {
    const shape = areaShape(sheet, [[0, 0]], 'zone', '<b>&');
    expect(shape.text).toBe('<polygon class="zone" points="50,500"><title>&lt;b&gt;&amp;</title></polygon>');
  });
});

describe('a label', () => {
  it('is left out where it would cover another', () => {
    const place = fc.tuple(fc.string({ minLength: 1, maxLength: 20 }), fc.nat(400), fc.nat(400));
    fc.assert(
      fc.property(fc.array(place, { maxLength: 30 }), (labels) => {
        const room = new FreeRoom();
        for (const [text, x, y] of labels) room.take(textBox(text, [x, y], 17));
        const { taken } = room;
        expect(taken.some((one, i) => taken.slice(i + 1).some((other) => overlap(one, other)))).toBe(false);
      }),
    );
  });
});

describe('a curve', () => {
  it('holds each value until the next one, and the last to the end', () => {
    const points = [
      [0, 9],
      [1, 9],
      [2, 5],
    ] as const;
    expect(linePath(stepped(points, 4))).toBe('M0,9L2,9L2,5L4,5');
    expect(stepped([], 4)).toEqual([]);
  });

  it('has the area down to another one', () => {
    const upper = [
      [0, 1],
      [2, 1],
    ] as const;
    const lower = [
      [0, 8],
      [2, 9],
    ] as const;
    expect(bandPath(upper, lower)).toBe('M0,1L2,1L2,9L0,8Z');
  });
});

describe('a scale', () => {
  it('has round lengths and steps, the nearest that fit', () => {
    expect([1, 4.9, 5, 19, 260, 2_000].map(roundLength)).toEqual([1, 2, 5, 10, 200, 2_000]);
    expect([0.2, 1, 2.5, 6, 35, 200].map(roundStep)).toEqual([1, 1, 5, 10, 50, 200]);
  });

  it('of time has seconds, minutes or hours as a clock counts them', () => {
    const minutes = (n: number) => n * 60_000;
    expect(timeStepMs(minutes(1), 9)).toBe(10_000);
    expect(timeStepMs(minutes(57), 9)).toBe(minutes(10));
    expect(timeStepMs(minutes(1), 100, minutes(1))).toBe(minutes(1));
    expect(timeStepMs(minutes(60 * 24 * 365), 6)).toBe(minutes(60 * 48));
  });
});
