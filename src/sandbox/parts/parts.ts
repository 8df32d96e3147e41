/** The types of a sandbox's parts, by name. */

import { type AnyPart, partOf } from '../../base/parts.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ActionBody } from '../../contract/actions.ts';
import type { Ready, ReadyLine, ReadyWatch } from '../../contract/banner.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { ChangedLimits, RateLimiter } from '../../service/api/access/limits.ts';
import type { InProcessGet } from '../../service/api/in-process.ts';
import type { Arrivals } from '../../service/api/requests/arrivals.ts';
import type { ApiFaults } from '../../service/api/requests/faults.ts';
import type { ActionOutcome, ReplacedWorld, WorldStates } from '../../service/api/route.ts';
import type { Api } from '../../service/api/server.ts';
import type { SessionLeases } from '../../service/api/session-leases.ts';
import type { Broker, EmbeddedBroker } from '../../service/broker/broker.ts';
import type { ExternalBroker } from '../../service/broker/external/external-broker.ts';
import type { TokenViewer } from '../../service/domain/access/viewer.ts';
import type { Rejection } from '../../service/domain/changes.ts';
import type { Meta } from '../../service/domain/world/documents.ts';
import type { World } from '../../service/domain/world/world.ts';
import type { DeliveryLedger } from '../../service/engine/delivery-totals.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { EventLog } from '../../service/engine/event-log.ts';
import type { WatchLog } from '../../service/engine/watch-log.ts';
import type { ServerTls } from '../../service/store/folder/authority.ts';
import type { DataFolder } from '../../service/store/folder/data-folder.ts';
import type { Membership } from '../../service/store/nodes/membership.ts';
import type { OpenedStore } from '../../service/store/open-store.ts';
import type { StoredRow } from '../../service/store/state-rows.ts';
import type { Resolve } from '../../service/webhooks/resolver.ts';
import type { Webhooks } from '../../service/webhooks/webhooks.ts';
import type { Acting } from '../actions/acting.ts';
import type { Kept } from '../fleet/memory.ts';
import type { Mailbox } from '../listeners/mailbox.ts';
import type { SandboxOptions } from '../options/options.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Fleets } from '../runs/fleets.ts';
import type { Runs } from '../runs/runs.ts';
import type { Waits } from '../runs/waits.ts';
import type { PlannedWorld } from '../world/plan-of.ts';
import type { Secrets } from '../world/world-from-plan.ts';
import type { StorageAlarm } from './storage-alarm.ts';

/** The addresses of the sandbox. Each is empty until the part that listens there has started. */
interface SandboxAddresses {
  /** The base address for external clients: `--public-url`, else the address of the API. [decisions 10] */
  publicUrl: string;
  apiUrl: string;
  mqttUrl: string;
  readonly panelUrl: string;
}

/** What a part may ask of the lives of the sandbox, `world/lives.ts`. */
export interface LifeControl {
  /** The parts of the present life. */
  readonly parts: SandboxParts;
  renew(rows: readonly StoredRow[]): Promise<ReplacedWorld | Rejection>;
  beginAgain(error: Error): void;
  suspend(why: string | null): void;
  notify(notice: { readonly kind: 'nodes-changed'; readonly detail: string }): void;
}

/** The value of each part after its start. */
export interface SandboxParts {
  // Given by the caller.
  readonly options: SandboxOptions;
  /** Sentences for the ready line; parts append to them. */
  readonly warnings: string[];
  /** Ends the present life of the sandbox and starts the next. */
  readonly lives: LifeControl;

  // Parts on disk.
  planned: PlannedWorld;
  folder: DataFolder;
  /** Null: http and mqtt without TLS. */
  tls: ServerTls | null;
  alarm: StorageAlarm;
  limits: ChangedLimits;
  opened: OpenedStore;
  secrets: Secrets;
  /** The membership of this node; null: there is only one process. */
  membership: Membership | null;
  /** Null: the fleet persists nothing. */
  fleetKept: Kept | null;
  stored: { readonly world: World; readonly meta: Meta; readonly clock: Clock };

  // The core, and the parts that follow its commits.
  addresses: SandboxAddresses;
  assumptions: Assumptions;
  engine: Engine;
  logs: { readonly watches: WatchLog; readonly events: EventLog };
  deliveries: DeliveryLedger;
  fleets: Fleets;
  mailbox: Mailbox;

  // Parts for the control room and test code.
  forwards: Map<string, URL>;
  resolve: Resolve;
  newId: (kind: string) => string;
  limiter: RateLimiter;
  faults: ApiFaults;
  arrivals: Arrivals;
  /** `broker` is null with an external broker, because the sandbox can neither stop nor empty it. */
  listeners: { api: Api | null; broker: EmbeddedBroker | null; webhooks: Webhooks | null };
  /** What a viewer would get from the API now; null before the API has started. */
  get: InProcessGet;
  acting: Acting;
  waits: Waits;
  recorder: Recorder;
  runs: Runs;
  states: WorldStates;
  perform: (body: ActionBody, viewer: TokenViewer | null) => Promise<ActionOutcome>;

  /** Leases of the destinations of commands that listen. */
  leases: SessionLeases;

  // The listeners.
  api: Api;
  /** With several nodes that share an external broker, sites are taken and released one by one. */
  broker: Broker & Partial<Pick<ExternalBroker, 'take' | 'release' | 'isConnected'>>;
  webhooks: Webhooks;
  /** Time runs, and due work is performed. */
  running: true;

  /** This node works for what it has claimed. */
  sharing: Membership | null;

  // Parts that act in the plant.
  /** Null with `fleet: false`. */
  fleet: Fleet | null;
  /** Stops the background activity. */
  ambient: () => void;
  /** Stops the recording of ground truth. */
  truth: () => unknown;
  scenarios: Runs;
  /** The upgraded database has replaced the old one. */
  settled: true;
  announced: AnnouncedSandbox;
}

/** The description of a running sandbox, and the files that contain it. [cli, ready] */
interface AnnouncedSandbox {
  readonly ready: Ready;
  /** The first line of `up --json`, which is also the content of sandbox.json. */
  readonly readyLine: ReadyLine;
  /** All watches, also those that the ready line omits. */
  readonly watches: ReadyWatch[];
  /** Removes the file with the watches that the ready line omits. */
  readonly remove: () => void;
}

export const part = partOf<SandboxParts>();
export type SandboxPart = AnyPart<SandboxParts>;
