/** The same small plant behind each kind of broker: our own, and a Mosquitto that is reached over MQTT 3.1.1 or 5. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/base/time/clock.ts';
import { realClock } from '../../src/base/time/clocks.ts';
import { allFilter, downFilter, HOST_STATE_TOPIC } from '../../src/contract/watch.ts';
import { type Broker, startBroker } from '../../src/service/broker/broker.ts';
import { endpointOf } from '../../src/service/broker/external/address.ts';
import type { ClaimOwner } from '../../src/service/broker/external/claims.ts';
import {
  connectBroker,
  type ExternalBroker,
  type ExternalBrokerOptions,
} from '../../src/service/broker/external/external-broker.ts';
import { afterTest } from './broker-bench.ts';
import { Mosquitto } from './mosquitto.ts';
import { type SkipReason, withoutMosquitto } from './needs.ts';
import { OldBroker } from './old-broker.ts';
import { RawWatch } from './raw-watch.ts';
import { type Plant, type PlantOptions, plantOf, SITE, START, serialOf } from './watch-world.ts';
import { withoutWhole } from './whole.ts';

export const BROKERS = ['our own broker', 'Mosquitto over MQTT 3.1.1', 'Mosquitto over MQTT 5'] as const;
export type BrokerKind = (typeof BROKERS)[number];

export const EXTERNAL: readonly BrokerKind[] = BROKERS.filter((kind) => kind !== BROKERS[0]);

/** Why tests leave an external one out. They take tens of seconds: only .ci/run runs them. */
export const withoutExternal: readonly (SkipReason | null)[] = [withoutWhole, withoutMosquitto];

/** As docs/scaling-out.md has it. */
export const SETTINGS = [
  'allow_anonymous true',
  'max_queued_messages 1000000',
  'max_inflight_messages 1000',
  'set_tcp_nodelay true',
];

export interface BrokerSite {
  readonly port: number;
  readonly mosquitto: Mosquitto;
}

/** A Mosquitto of its own, and where the service reaches it. */
export async function mosquittoOf(kind: BrokerKind, more: readonly string[] = []): Promise<BrokerSite> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-mosquitto-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  const settings = [...SETTINGS, 'persistence true', `persistence_location ${folder}/`, ...more];
  const mosquitto = await Mosquitto.start(join(folder, 'mosquitto.conf'), [settings]);
  afterTest(() => mosquitto.stop());
  const port = mosquitto.ports[0] as number;
  if (kind !== 'Mosquitto over MQTT 3.1.1') return { port, mosquitto };
  const old = await OldBroker.before(port);
  afterTest(() => old.stop());
  return { port: old.port, mosquitto };
}

export interface Serving {
  readonly clock: Clock;
  readonly plant: Plant;
  readonly broker: Broker;
  /** Not yet connected. */
  socket(serial?: string): RawWatch;
  /** Connected, subscribed to all that it may, and born. */
  watch(serial?: string, session?: number): Promise<RawWatch>;
}

export type ServingOptions = PlantOptions & {
  readonly onPlant?: (plant: Plant) => void;
} & Partial<Omit<ExternalBrokerOptions, 'engine' | 'endpoint'>>;

/** A service at its broker; the kind's own, or one that others use too. */
export async function serve(kind: BrokerKind, options: ServingOptions = {}, site?: BrokerSite): Promise<Serving> {
  const clock = realClock({ start: START });
  afterTest(() => clock.stop());
  const plant = await plantOf(clock, options);
  afterTest(() => plant.close());
  options.onPlant?.(plant);
  const broker = await brokerOf(kind, plant, clock, options, site);
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
  };
}

async function brokerOf(kind: BrokerKind, plant: Plant, clock: Clock, options: ServingOptions, site?: BrokerSite) {
  if (kind === BROKERS[0]) return startBroker({ engine: plant.engine, clock, host: '127.0.0.1', port: 0 });
  const { port } = site ?? (await mosquittoOf(kind));
  const broker = await connectTo(port, plant, options);
  // What it retains at its start would else reach a watch that subscribed already.
  await broker.caughtUp(serialOf(1));
  return broker;
}

/** Processes of one world, as the nodes of a database are; without the time in which another could claim the site. */
const SHARED: ClaimOwner = {
  sandbox: 'world',
  isNode: true,
  times: { renewMs: 10_000, staleMs: 30_000, settleMs: 0, contestedMs: 0 },
};

/** Throws where the port is not a broker's. */
export function connectTo(
  port: number,
  { engine }: Plant,
  options: Partial<ExternalBrokerOptions> = {},
): Promise<ExternalBroker> {
  const endpoint = endpointOf(`mqtt://127.0.0.1:${port}`);
  if (endpoint === null) throw new Error('no address');
  return connectBroker({ keepSessions: true, claim: SHARED, ...options, engine, endpoint });
}
