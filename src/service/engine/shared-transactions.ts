/**
 * Several engines on one store (optimistic concurrency). Each decides its transactions on the world as of the last
 * commit of any engine, and applies the commits of the others.
 */
import type { Documents, Kind } from '../domain/world/documents.ts';
import type { Touched, World } from '../domain/world/world.ts';
import type { CommitRecord, UnheldAlert } from './commit-record.ts';
import type { Batch } from './store-port.ts';

/** The effects of a transaction beyond its rows, for the engines that follow it. */
export type TransactionRest = Pick<CommitRecord, 'deliveries' | 'effects'>;

/** The content of a commit. */
export interface TransactionBody extends TransactionRest, Pick<Batch, 'removals' | 'events' | 'attempts'> {
  readonly puts: readonly (readonly [kind: Kind, id: string, document: Documents[Kind]])[];
}

/** One commit of the log. `body` is null if this engine made the commit, and so knows it. */
interface LoggedTransaction {
  readonly commit: number;
  readonly body: TransactionBody | null;
}

/** The part of a shared store that synchronises its engines. */
export interface SharedTransactions {
  /** The last commit that the loaded world contains. */
  readonly loadedAt: number;
  /**
   * Writes a transaction as the commit after `basis`, and returns its number. Throws `Overtaken` if another commit came
   * first, and `Outdated`.
   */
  commitAfter(basis: number, batch: Batch, rest: TransactionRest): Promise<number>;
  /** All commits after that one, in order. Throws `Outdated` if the log does not reach back far enough. */
  since(commit: number): Promise<readonly LoggedTransaction[]>;
  /** The listener is called after commits of other engines, with a short delay. Returns a function that removes it. */
  whenCommitted(listener: () => void): () => void;
}

/** Another engine committed first: the transaction is decided again on the current world. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** This engine's world cannot follow the store any more: it must be loaded again. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** The position of an engine among the commits of all engines. */
export class Following {
  readonly #transactions: SharedTransactions;
  readonly #world: World;
  readonly #publish: (record: CommitRecord) => void;
  #queue: LoggedTransaction[] = [];
  #applied: number;
  #fetching: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(transactions: SharedTransactions, world: World, publish: (record: CommitRecord) => void) {
    this.#transactions = transactions;
    this.#world = world;
    this.#publish = publish;
    this.#applied = transactions.loadedAt;
  }

  /**
   * Fetches the commits made before this call. Callers that wait at the same time share a request. `apply` must be
   * called afterwards.
   */
  fetch(): Promise<void> {
    // An earlier request may lack the newest commits.
    this.#next ??= (this.#fetching ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.#fetching = this.#next;
        this.#next = null;
        return this.refresh();
      });
    return this.#next;
  }

  async refresh(): Promise<void> {
    const reached = this.#queue.at(-1)?.commit ?? this.#applied;
    for (const transaction of await this.#transactions.since(reached)) {
      // Two requests may have been in flight.
      if (transaction.commit > (this.#queue.at(-1)?.commit ?? this.#applied)) this.#queue.push(transaction);
    }
  }

  /** Applies the fetched commits. Must not be called while a transaction of this engine is being written. */
  apply(): void {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    for (const { commit, body } of queue) {
      if (commit <= this.#applied) continue;
      if (commit !== this.#applied + 1)
        throw new Outdated(`Commit ${commit} follows ${this.#applied}: those between are not in the log any more.`);
      this.#applied = commit;
      if (body !== null) this.#publish(takeIn(this.#world, body));
    }
  }

  async commit(batch: Batch, rest: TransactionRest): Promise<void> {
    this.#applied = await this.#transactions.commitAfter(this.#applied, batch, rest);
  }
}

/** Applies the commit of another engine, which can be neither refused nor rolled back. */
function takeIn(
  world: World,
  { puts, removals, events, deliveries, attempts, effects }: TransactionBody,
): CommitRecord {
  const touched: Touched[] = [];
  const reportingDevices = new Set<string>();
  for (const [kind, id, after] of puts) {
    const before = world.held(kind, id);
    world.load(kind, after as never);
    if (kind === 'telemetry') reportingDevices.add(id);
    else touched.push({ kind, id, before, after });
  }
  const unheld: UnheldAlert[] = [];
  for (const { kind, id, organizationId } of removals) {
    const before = world.held(kind, id);
    world.unload(kind, id);
    if (before !== undefined) touched.push({ kind, id, before, after: undefined });
    else if (kind === 'alert' && organizationId !== undefined) unheld.push({ id, organizationId });
  }
  world.trim();
  return { touched, unheld, reportingDevices, events, deliveries, attempts, effects };
}
