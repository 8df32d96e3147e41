/** Where a fleet keeps its own state, so that people and watches are where they were after a restart. [decisions 9, a restart] */

/** What changed since the last time, to be kept whole or not at all. */
export interface MemoryChanges {
  readonly puts: readonly { readonly key: string; readonly body: string }[];
  readonly removals: readonly string[];
}

/** The port; behind it stands the data folder. A fleet without one begins anew each time. */
export interface FleetMemory {
  /** What was kept, by key; empty: this fleet is new. */
  readonly recalled: ReadonlyMap<string, string>;
  /** Written only when `Fleet.keep` is called: for a memory that does not outlive the process. */
  readonly onDemand?: boolean;
  /** Resolves when it is on the disk; rejects where the disk refuses, and then nothing of it is kept. */
  keep(changes: MemoryChanges): Promise<void>;
}

/** What stands at the head of a memory: another version is not read. */
export const MEMORY_VERSION = 1;

export const HEAD_KEY = 'head';
