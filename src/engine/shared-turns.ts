/** Several engines on one store: each decides its turns on the world as of the last commit, whichever engine made it, and follows the commits of the others. */
import type { Documents, Kind } from '../domain/world/documents.ts';
import type { Touched, World } from '../domain/world/world.ts';
import type { CommitRecord, UnheldAlert } from './commit-record.ts';
import type { Batch } from './store-port.ts';

/** What a turn did beyond its rows, for the engines that follow it. */
export type TurnRest = Pick<CommitRecord, 'deliveries' | 'effects'>;

/** What a commit changed. */
export interface TurnBody extends TurnRest, Pick<Batch, 'removals' | 'events' | 'attempts'> {
  readonly puts: readonly (readonly [kind: Kind, id: string, document: Documents[Kind]])[];
}

/** One commit of the log; `body` null: this engine made it, and knows it. */
interface LoggedTurn {
  readonly commit: number;
  readonly body: TurnBody | null;
}

/** The part of a shared store that keeps its engines in step. */
export interface SharedTurns {
  /** The commit that the loaded world contains last. */
  readonly loadedAt: number;
  /** Writes a turn as the commit after `basis`; answers its number. Throws `Overtaken` where another came before, and `Outdated`. */
  commitAfter(basis: number, batch: Batch, rest: TurnRest): Promise<number>;
  /** All commits after that one, in order. Throws `Outdated` where the log does not reach back so far. */
  since(commit: number): Promise<readonly LoggedTurn[]>;
  /** Called after commits of others, soon but not at once. Returns the call that ends it. */
  whenCommitted(listener: () => void): () => void;
}

/** Another engine committed first: the turn is decided again on the world as it is now. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** This engine's world can follow the store no further: it has to be loaded anew. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** Where an engine stands among the commits of all. */
export class Following {
  readonly #turns: SharedTurns;
  readonly #world: World;
  readonly #publish: (record: CommitRecord) => void;
  #queue: LoggedTurn[] = [];
  #applied: number;
  #fetching: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(turns: SharedTurns, world: World, publish: (record: CommitRecord) => void) {
    this.#turns = turns;
    this.#world = world;
    this.#publish = publish;
    this.#applied = turns.loadedAt;
  }

  /** Fetches what was committed before this call; callers that wait together share a question. `apply` is to be called then. */
  fetch(): Promise<void> {
    // The answer to a question that was asked before may lack what was committed since.
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
    for (const turn of await this.#turns.since(reached)) {
      // Two questions may have been under way.
      if (turn.commit > (this.#queue.at(-1)?.commit ?? this.#applied)) this.#queue.push(turn);
    }
  }

  /** Takes in what was fetched. Not while a turn of this engine is being written. */
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

  async commit(batch: Batch, rest: TurnRest): Promise<void> {
    this.#applied = await this.#turns.commitAfter(this.#applied, batch, rest);
  }
}

/** Applies the commit of another engine, which can be neither refused nor taken back. */
function takeIn(world: World, { puts, removals, events, deliveries, attempts, effects }: TurnBody): CommitRecord {
  const touched: Touched[] = [];
  const heard = new Set<string>();
  for (const [kind, id, after] of puts) {
    const before = world.held(kind, id);
    world.load(kind, after as never);
    if (kind === 'telemetry') heard.add(id);
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
  return { touched, unheld, heard, events, deliveries, attempts, effects };
}
