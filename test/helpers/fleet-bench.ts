/** A plant, its broker and a fleet of watches that are ready. */
import { type Clock, LANE } from '../../src/base/time/clock.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import type { DialLink } from '../../src/fleet/connection/link.ts';
import { mqttLinks } from '../../src/fleet/connection/mqtt-link.ts';
import { type Fleet, type FleetNotice, type FleetSite, type FleetWatch, startFleet } from '../../src/fleet/fleet.ts';
import type { EmbeddedBroker } from '../../src/service/broker/broker.ts';
import type { Store } from '../../src/service/engine/store-port.ts';
import { afterTest, type Bench, bench } from './broker-bench.ts';
import { fleetWatchesOf, type Plant, START } from './watch-world.ts';

export interface FleetBench extends Bench {
  readonly fleet: Fleet;
  readonly fleetNotices: FleetNotice[];
  /** From now on the watches connect to another broker. */
  meet(broker: EmbeddedBroker): void;
  /** Resolves when this much simulated time has passed since the start. */
  later(ms: number): Promise<void>;
}

export interface FleetBenchOptions {
  /** Default: lock-step. */
  readonly clock?: Clock;
  readonly watches?: number;
  readonly each?: Partial<FleetWatch>;
  readonly seed?: string;
  /** Default: an open field. */
  readonly sites?: readonly FleetSite[];
  readonly store?: Store;
  readonly onPlant?: (plant: Plant) => void;
  /** Links that do something else beside what they do. */
  readonly through?: (dial: DialLink) => DialLink;
}

export async function fleetBench(options: FleetBenchOptions = {}): Promise<FleetBench> {
  const { watches = 1, each = {}, seed = 'test', sites = [] } = options;
  const clock = options.clock ?? lockstepClock({ start: START });
  let fleet: Fleet | null = null;
  const made = await bench({
    ...options,
    clock,
    watches,
    onTakeOver: (serial) => fleet?.yieldWatch(serial),
  });
  const fleetNotices: FleetNotice[] = [];
  let { broker } = made;
  const connect = () => broker.connect();
  const started = startFleet({
    clock,
    brokerUrl: broker.url,
    connect,
    seed,
    watches: fleetWatchesOf(watches, each),
    sites,
    onNotice: (notice) => fleetNotices.push(notice),
    ...(options.through === undefined ? {} : { dialLink: options.through(mqttLinks({ clock, broker: { connect } })) }),
  });
  fleet = started;
  afterTest(() => started.stop());
  await started.ready();
  return {
    ...made,
    fleet: started,
    fleetNotices,
    meet: (next) => {
      broker = next;
    },
    later: (ms) => new Promise((resolve) => clock.at(START + ms, { lane: LANE.expectation, actor: 'test' }, resolve)),
  };
}
