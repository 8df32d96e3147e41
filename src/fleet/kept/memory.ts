/** The storage of a fleet: after a restart, people and watches are where they were. [decisions 9, a restart] */

/** The changes since the last write, to be stored all or none. */
export interface MemoryChanges {
  readonly puts: readonly { readonly key: string; readonly body: string }[];
  readonly removals: readonly string[];
}

/** The storage port, which the data folder implements. A fleet without it starts anew each time. */
export interface FleetMemory {
  /** The stored documents, by key; empty for a new fleet. */
  readonly recalled: ReadonlyMap<string, string>;
  /**
   * If true, documents are written only when `Fleet.keep` is called: for a memory that does not outlive the process.
   */
  readonly onDemand?: boolean;
  /** Resolves when the changes are on the disk. Rejects if the disk refuses them, and then none of them is stored. */
  keep(changes: MemoryChanges): Promise<void>;
}

/** The version in the head of a memory. A memory of another version is not read. */
export const MEMORY_VERSION = 1;

export const HEAD_KEY = 'head';
