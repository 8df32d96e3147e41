/** How the watches of a fleet connect: some at a time, and in lock-step in an order that no socket decides. */
import { expect, it } from 'vitest';
import type { Clock } from '../../src/base/time/clock.ts';
import { lockstepClock, realClock } from '../../src/base/time/clocks.ts';
import { Connector } from '../../src/fleet/connection/connecting.ts';
import { afterTest } from '../helpers/broker-bench.ts';
import { START, serialOf } from '../helpers/watch-world.ts';

function connecting(clock: Clock, count: number) {
  afterTest(() => clock.stop());
  const connector = new Connector(clock);
  const dialled: string[] = [];
  const begun: string[] = [];
  const watches = Array.from({ length: count }, (_, index) => {
    const serial = serialOf(index + 1);
    return { serial, dial: () => dialled.push(serial), begin: () => begun.push(serial) };
  });
  for (const watch of watches) connector.connect(watch);
  return { connector, watches, dialled, begun };
}

it('in lock-step they begin together by serial, whichever socket answered first, and time waits for it', () => {
  const clock = lockstepClock({ start: START });
  const { connector, watches, begun } = connecting(clock, 4);
  const [first, second, third, fourth] = watches as [never, never, never, never];
  connector.succeeded(third);
  connector.succeeded(first);
  connector.failed(fourth);
  expect(begun).toEqual([]);
  expect(clock.holders()).toHaveLength(3);
  connector.succeeded(second);
  expect(begun).toEqual(['W-001', 'W-002', 'W-003']);
  expect(clock.holders()).toEqual([]);
});

it('one that fails after it was connected keeps nobody waiting and does not begin', () => {
  const clock = lockstepClock({ start: START });
  const { connector, watches, begun } = connecting(clock, 2);
  const [first, second] = watches as [never, never];
  connector.succeeded(first);
  connector.failed(first);
  connector.succeeded(second);
  expect(begun).toEqual(['W-002']);
  expect(clock.holders()).toEqual([]);
});

it('in real time each begins when it is connected', () => {
  const { connector, watches, begun } = connecting(realClock(), 3);
  connector.succeeded(watches[2] as never);
  expect(begun).toEqual(['W-003']);
});

it('fifty are dialled at once, and the next when one is done or given up', () => {
  const { connector, watches, dialled } = connecting(realClock(), 60);
  expect(dialled).toHaveLength(50);
  connector.succeeded(watches[7] as never);
  connector.failed(watches[8] as never);
  expect(dialled.slice(50)).toEqual(['W-051', 'W-052']);
  // One that still waits for its turn is given up.
  connector.failed(watches[52] as never);
  connector.succeeded(watches[9] as never);
  expect(dialled.at(-1)).toBe('W-054');
});
