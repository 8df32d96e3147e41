/** Commits of a sandbox that uses its database alone. Each commit has a number, so that the outcome can be determined after a lost reply. */
import { Outage } from '../../../base/assert.ts';
import { later, wallMs } from '../../../base/time/timers.ts';
import { StorageBroken, StorageFull } from '../../engine/store-port.ts';
import type { CommitCount } from '../sqlite/commit-ledger.ts';
import type { StoredRow } from '../state-rows.ts';
import { isConnectionLoss, StorageAway } from './errors.ts';
import { PostgresLink } from './link.ts';
import { PostgresWriter, type TransactionRows } from './writer.ts';

/** Wait between two attempts to reach the database; wall ms. */
export const AGAIN_MS = 250;

export interface Writing {
  readonly link: PostgresLink;
  readonly writer: PostgresWriter;
}

/** How a Postgres store writes. Calls must not overlap. */
export interface PostgresCommits {
  write(rows: TransactionRows): Promise<void>;
  /** Replaces the whole state by these rows. */
  replace(state: readonly StoredRow[]): Promise<void>;
  /** Returns the connection, and reconnects if it is lost. */
  linked(): Promise<Writing>;
  end(): void;
}

export interface CommitsParts {
  readonly url: string;
  readonly named: string;
  readonly writing: Writing;
}

export class AloneCommits implements PostgresCommits {
  readonly #parts: CommitsParts;
  #writing: Writing;
  #count: CommitCount;
  #closed = false;

  constructor(parts: CommitsParts, count: CommitCount) {
    this.#parts = parts;
    this.#writing = parts.writing;
    this.#count = count;
  }

  write(rows: TransactionRows): Promise<void> {
    return this.#counted(({ writer }, count) => writer.write(rows, count));
  }

  replace(state: readonly StoredRow[]): Promise<void> {
    return this.#counted(({ writer }, count) => writer.replace(state, count.commits, count.at));
  }

  end(): void {
    this.#closed = true;
    this.#writing.link.end();
  }

  /**
   * Writes with the next number of a commit. If the connection is lost during the write, it is unknown whether the
   * commit was made: the new connection gets its lock once the old one has ended at the server, and then the stored
   * number shows the outcome.
   */
  async #counted(write: (writing: Writing, count: CommitCount) => Promise<void>): Promise<void> {
    const count = { commits: this.#count.commits + 1, at: wallMs() };
    let writing = await this.linked();
    for (;;) {
      try {
        await write(writing, count);
        break;
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        writing.link.end();
        writing = await this.#linkedAgain(count.commits).catch(asUnknown);
        if ((await writing.link.commits()) === count.commits) break;
      }
    }
    this.#count = count;
  }

  /**
   * Retries until the database is reachable or the store is closed: a transaction that may be committed must not be
   * rolled back.
   */
  async #linkedAgain(orElse: number): Promise<Writing> {
    for (;;) {
      try {
        return await this.linked(orElse);
      } catch (error) {
        if (error instanceof StorageBroken || this.#closed) throw error;
        await new Promise<void>((resolve) => later(AGAIN_MS, resolve));
      }
    }
  }

  /** `orElse`: a second number of commits that is acceptable besides the known one. */
  async linked(orElse: number | null = null): Promise<Writing> {
    if (!this.#writing.link.isLost) return this.#writing;
    if (this.#closed) throw new StorageAway('The store is closed.');
    const link = await PostgresLink.open(this.#parts.url, this.#parts.named, 'again').catch((error) => {
      if (error instanceof Outage) throw new StorageBroken(error.message, { cause: error });
      throw error;
    });
    const stored = await link.commits();
    if (stored !== this.#count.commits && stored !== orElse) {
      link.end();
      throw new StorageBroken(
        `${this.#parts.named} has ${stored} commits where this sandbox made ${this.#count.commits}: another sandbox has written to it, or it was restored from a copy.`,
      );
    }
    this.#writing = { link, writer: await PostgresWriter.on(link) };
    return this.#writing;
  }
}

/**
 * Marks the error: the connection was lost during a transaction, and it could not be determined whether the transaction
 * was committed.
 */
export function asUnknown(error: unknown): never {
  if (error instanceof StorageFull || error instanceof StorageBroken) error.isUnknown = true;
  throw error;
}
