/** A plant with its broker on a free port, and watches that connect to it; everything is ended after the test. */
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/base/time/clock.ts';
import { realClock } from '../../src/base/time/clocks.ts';
import type { Notice } from '../../src/contract/notices.ts';
import { allFilter, downFilter, HOST_STATE_TOPIC } from '../../src/contract/watch.ts';
import { type BrokerOptions, type EmbeddedBroker, startBroker } from '../../src/service/broker/broker.ts';
import { RawWatch } from './raw-watch.ts';
import { type Plant, type PlantOptions, plantOf, SITE, START, serialOf } from './watch-world.ts';

export interface Bench {
  readonly clock: Clock;
  readonly plant: Plant;
  readonly broker: EmbeddedBroker;
  /** Not yet connected. */
  socket(serial?: string): RawWatch;
  /** Connected, subscribed to all that it may, and born. */
  watch(serial?: string, session?: number): Promise<RawWatch>;
  /** The next refusal of the kind of thing. */
  refused(what: string, since?: number): Promise<Extract<Notice, { kind: 'watch-refused' }>>;
}

/**
 * Ends it after the test that runs now, the last thing first. Not by an `afterEach` of this module: a worker keeps its modules
 * from file to file, so that would belong to the first file alone.
 */
export function afterTest(end: () => Promise<void> | void): void {
  onTestFinished(end);
}

export async function bench(
  options: PlantOptions & { clock?: Clock; onPlant?: (plant: Plant) => void } & Partial<
      Omit<BrokerOptions, 'engine' | 'clock'>
    > = {},
): Promise<Bench> {
  const clock = options.clock ?? realClock({ start: START });
  afterTest(() => clock.stop());
  const plant = await plantOf(clock, options);
  afterTest(() => plant.close());
  options.onPlant?.(plant);
  const broker = await startBroker({ host: '127.0.0.1', port: 0, ...options, engine: plant.engine, clock });
  afterTest(() => broker.stop());
  clock.start();
  const socket = (serial = serialOf(1)): RawWatch => {
    const watch = new RawWatch(broker.port, serial);
    afterTest(() => watch.vanish());
    return watch;
  };
  return {
    clock,
    plant,
    broker,
    socket,
    async watch(serial = serialOf(1), session = 1) {
      const watch = socket(serial);
      await watch.connect();
      await watch.subscribe(downFilter(SITE, serial), allFilter(SITE), HOST_STATE_TOPIC);
      await watch.birth(session);
      return watch;
    },
    refused: (what, since = 0) =>
      plant.seen((notice) => notice.kind === 'watch-refused' && notice.what === what, since) as Promise<
        Extract<Notice, { kind: 'watch-refused' }>
      >,
  };
}
