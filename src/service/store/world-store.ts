/** What a sandbox needs from its store in addition to the engine's port: the fleet's state, and the whole state for snapshots. */
import type { Store } from '../engine/store-port.ts';
import type { NodesOfStore } from './nodes/nodes-of-store.ts';
import type { KeptTexts } from './sqlite/kept.ts';
import type { StoredRow } from './state-rows.ts';

export interface WorldStore extends Store {
  /** The stored state of the emulated fleet, separate from the world. */
  readonly kept: KeptTexts;
  /** The connection to the other nodes of a shared database; null: the store cannot be shared. */
  readonly nodes: NodesOfStore | null;
  /** Returns the last committed state. */
  readState(): Promise<StoredRow[]>;
  /** Replaces the state by these rows in one transaction; no rows: the store is as before the first start. */
  replaceState(rows: readonly StoredRow[]): Promise<void>;
}
