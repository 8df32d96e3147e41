/** The effects of one committed transaction: built once by the engine, and published once to every listener. */
import type { Notice } from '../../contract/notices.ts';
import type { Effect } from '../domain/effects.ts';
import type { Delivery, EventRecord } from '../domain/world/documents.ts';
import type { Touched } from '../domain/world/world.ts';
import type { AttemptRecord } from './store-port.ts';

/** An alert that another node removed, and that is not in this node's memory. */
export interface UnheldAlert {
  readonly id: string;
  readonly organizationId: string;
}

export interface CommitRecord {
  /**
   * Documents that were created, replaced or removed. Each is contained once, with its state before and after the
   * transaction.
   */
  readonly touched: readonly Touched[];
  /** Removed alerts that are not in `touched`, because this node has no document of them. Absent if there are none. */
  readonly unheld?: readonly UnheldAlert[];
  /** Devices with new telemetry, by id. Telemetry is written behind, so a transaction may contain nothing else. */
  readonly reportingDevices: ReadonlySet<string>;
  /** Events in the order of their occurrence, test events included; `body` holds the bytes that are delivered. */
  readonly events: readonly EventRecord[];
  /** Deliveries that these events queued, in the same order. The transaction may have removed some of them again. */
  readonly deliveries: readonly Delivery[];
  /** Delivery attempts that were recorded. */
  readonly attempts: readonly AttemptRecord[];
  /** What the service sends because of the transaction: downlinks and notices, in order. */
  readonly effects: readonly Effect[];
}

/**
 * A consumer of the engine. Listeners are independent: each gets the whole transaction at once, and none may rely on
 * the order of the calls.
 */
export interface EngineListener {
  /** Called once for each committed transaction that changed or sent anything. */
  readonly committed?: (record: CommitRecord) => void;
  /**
   * The notices of a transaction, after every listener has its record. Also notices without a commit (a refused watch).
   */
  readonly notice?: (notice: Notice) => void;
}
