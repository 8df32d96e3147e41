/** What a sandbox needs of its store beyond the engine's port: the fleet's state, and the state as a whole for snapshots. */
import type { Store } from '../engine/store-port.ts';
import type { NodesOfStore } from './nodes/nodes-of-store.ts';
import type { KeptTexts } from './sqlite/kept.ts';
import type { StoredRow } from './state-rows.ts';

export interface WorldStore extends Store {
  /** The kept state of the emulated fleet, beside the world. */
  readonly kept: KeptTexts;
  /** The way to the other nodes of a shared database; null: there can be none. */
  readonly nodes: NodesOfStore | null;
  /** The state as it was committed last. */
  readState(): Promise<StoredRow[]>;
  /** Replaces the state by these rows; none: the store is as before the first start. One transaction. */
  replaceState(rows: readonly StoredRow[]): Promise<void>;
}
