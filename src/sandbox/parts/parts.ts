/** The parts of a sandbox by name, and the order in which they start. */

import type { ChangedLimits, RateLimiter } from '../../api/access/limits.ts';
import type { InProcessGet } from '../../api/in-process.ts';
import type { Arrivals } from '../../api/requests/arrivals.ts';
import type { ApiFaults } from '../../api/requests/faults.ts';
import type { ActionOutcome, WorldStates } from '../../api/route.ts';
import type { Api } from '../../api/server.ts';
import type { SessionLeases } from '../../api/session-leases.ts';
import { type AnyPart, partOf } from '../../base/parts.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Broker, EmbeddedBroker } from '../../broker/broker.ts';
import type { ExternalBroker } from '../../broker/external/external-broker.ts';
import type { ActionBody } from '../../contract/actions.ts';
import type { Ready, ReadyLine, ReadyWatch } from '../../contract/banner.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import type { TokenViewer } from '../../domain/access/viewer.ts';
import type { Meta } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import type { DeliveryLedger } from '../../engine/delivery-totals.ts';
import type { Engine } from '../../engine/engine.ts';
import type { EventLog } from '../../engine/event-log.ts';
import type { WatchLog } from '../../engine/watch-log.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { ServerTls } from '../../store/folder/authority.ts';
import type { DataFolder } from '../../store/folder/data-folder.ts';
import type { Membership } from '../../store/nodes/membership.ts';
import type { OpenedStore } from '../../store/open-store.ts';
import type { Resolve } from '../../webhooks/resolver.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { Acting } from '../actions/acting.ts';
import type { Kept } from '../fleet/memory.ts';
import type { Mailbox } from '../listeners/mailbox.ts';
import type { SandboxOptions } from '../options/options.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Fleets } from '../runs/fleets.ts';
import type { Runs } from '../runs/runs.ts';
import type { Waits } from '../runs/waits.ts';
import type { Lives } from '../world/lives.ts';
import type { PlannedWorld } from '../world/plan-of.ts';
import type { Secrets } from '../world/world-from-plan.ts';
import type { StorageAlarm } from './storage-alarm.ts';

/** Where the sandbox is reached. Empty until the part that listens there has started. */
interface SandboxAddresses {
  /** The base address as the outside knows it: `--public-url`, else that of the API. [decisions 10] */
  publicUrl: string;
  apiUrl: string;
  mqttUrl: string;
  readonly panelUrl: string;
}

/** What each part is once it has been started. */
export interface SandboxParts {
  // Given by the caller.
  readonly options: SandboxOptions;
  /** Sentences for the ready line; parts add to it. */
  readonly warnings: string[];
  /** Ends this life of the sandbox and begins the next. */
  readonly lives: Lives;

  // What is on disk.
  planned: PlannedWorld;
  folder: DataFolder;
  /** Null: plain http and mqtt. */
  tls: ServerTls | null;
  alarm: StorageAlarm;
  limits: ChangedLimits;
  opened: OpenedStore;
  secrets: Secrets;
  /** This node among the others; null: there are none. */
  membership: Membership | null;
  /** Null: the fleet keeps nothing. */
  fleetKept: Kept | null;
  stored: { readonly world: World; readonly meta: Meta; readonly clock: Clock };

  // The core, and what follows its commits.
  addresses: SandboxAddresses;
  assumptions: Assumptions;
  engine: Engine;
  logs: { readonly watches: WatchLog; readonly events: EventLog };
  deliveries: DeliveryLedger;
  fleets: Fleets;
  mailbox: Mailbox;

  // What the control room and test code do.
  forwards: Map<string, URL>;
  resolve: Resolve;
  newId: (kind: string) => string;
  limiter: RateLimiter;
  faults: ApiFaults;
  arrivals: Arrivals;
  /** `broker` is null with an external one, which the sandbox can neither stop nor empty. */
  listeners: { api: Api | null; broker: EmbeddedBroker | null; webhooks: Webhooks | null };
  /** What a viewer would get from the API now; null before the API has started. */
  get: InProcessGet;
  acting: Acting;
  waits: Waits;
  recorder: Recorder;
  runs: Runs;
  states: WorldStates;
  perform: (body: ActionBody, viewer: TokenViewer | null) => Promise<ActionOutcome>;

  /** Of the destinations of commands that listen. */
  leases: SessionLeases;

  // The listeners.
  api: Api;
  /** Sites are taken and released one by one where several nodes share an external broker. */
  broker: Broker & Partial<Pick<ExternalBroker, 'take' | 'release' | 'isConnected'>>;
  webhooks: Webhooks;
  /** Time runs, and what is due is done. */
  running: true;

  /** What this node has claimed is worked for. */
  sharing: Membership | null;

  // Life.
  /** Null with `fleet: false`. */
  fleet: Fleet | null;
  /** The call that ends it. */
  ambient: () => void;
  /** The call that ends it. */
  truth: () => unknown;
  scenarios: Runs;
  /** An upgraded database has taken the place of the old one. */
  settled: true;
  announced: AnnouncedSandbox;
}

/** What a running sandbox says of itself, and the files that say so. [cli, ready] */
interface AnnouncedSandbox {
  readonly ready: Ready;
  /** What `up --json` prints first, and what is in sandbox.json. */
  readonly readyLine: ReadyLine;
  /** All watches, also beyond those that the ready line lists. */
  readonly watches: ReadyWatch[];
  /** Removes the file with the watches that the ready line does not list. */
  readonly remove: () => void;
}

export const part = partOf<SandboxParts>();
export type SandboxPart = AnyPart<SandboxParts>;
