/** A plant, its broker and a fleet of watches that are ready. */
import { type Clock, LANE, lockstepClock } from '../../src/base/clock.ts';
import type { Store } from '../../src/engine/store-port.ts';
import { type Fleet, type FleetNotice, type FleetSite, type FleetWatch, startFleet } from '../../src/fleet/fleet.ts';
import type { DialLink } from '../../src/fleet/link.ts';
import { mqttLinks } from '../../src/fleet/mqtt-link.ts';
import { afterTest, type Bench, bench } from './broker-bench.ts';
import { fleetWatchesOf, type Plant, START } from './watch-world.ts';

export interface FleetBench extends Bench {
  readonly fleet: Fleet;
  readonly fleetNotices: FleetNotice[];
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
  /** Links that do something else beside what they do over TCP. */
  readonly through?: (dial: DialLink) => DialLink;
}

export async function fleetBench(options: FleetBenchOptions = {}): Promise<FleetBench> {
  const { watches = 1, each = {}, seed = 'test', sites = [] } = options;
  const clock = options.clock ?? lockstepClock({ start: START });
  let fleet: Fleet | null = null;
  const ports = new Set<number>();
  const made = await bench({
    ...options,
    clock,
    watches,
    isFleetPort: (port) => ports.has(port) || (fleet?.ownsPort(port) ?? false),
    onTakeOver: (serial) => fleet?.yieldWatch(serial),
  });
  const fleetNotices: FleetNotice[] = [];
  const overTcp = mqttLinks({ clock, broker: { url: made.broker.url }, ports });
  const started = startFleet({
    clock,
    brokerUrl: made.broker.url,
    seed,
    watches: fleetWatchesOf(watches, each),
    sites,
    onNotice: (notice) => fleetNotices.push(notice),
    ...(options.through === undefined ? {} : { dialLink: options.through(overTcp) }),
  });
  fleet = started;
  afterTest(() => started.stop());
  await started.ready();
  return {
    ...made,
    fleet: started,
    fleetNotices,
    later: (ms) => new Promise((resolve) => clock.at(START + ms, { lane: LANE.expectation, actor: 'test' }, resolve)),
  };
}
