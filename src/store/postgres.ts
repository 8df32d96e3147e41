/** The store on a Postgres database: the same documents and logs as on SQLite, the logs partitioned by day of simulated time. */
import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import { assert, Outage } from '../base/assert.ts';
import { later, wallMs } from '../base/timers.ts';
import type { EventRecord } from '../domain/world/documents.ts';
import {
  type AttemptQuery,
  type AttemptRecord,
  type Batch,
  type EventQuery,
  emptyBatch,
  type RequestQuery,
  type RequestRecord,
  StorageBroken,
  type StorageFull,
  type Store,
  type StoredTotals,
} from '../engine/store-port.ts';
import type { CommitCount } from './commit-ledger.ts';
import { isConnectionLoss, openingTroubleOf, postgresTrouble, StorageAway } from './postgres-errors.ts';
import { PostgresLink } from './postgres-link.ts';
import { databaseName } from './postgres-name.ts';
import { PostgresReader } from './postgres-reader.ts';
import { dayOf, type PartitionedLog, partitionedDays, partitionName, SCHEMA, timeColumn } from './postgres-schema.ts';
import { PostgresWriter, rowsOf, type TurnRows } from './postgres-writer.ts';
import { KEPT_KIND, type KeptTexts } from './sqlite-kept.ts';
import type { StoreTables } from './sqlite-schema.ts';
import type { StoredRow } from './state-rows.ts';
import type { WorldStore } from './world-store.ts';

/** Connections for reading, beside the one that writes. */
const READERS = 3;

/** Between two tries to reach a database that is away; wall ms. */
const AGAIN_MS = 250;

/** All times and counts fit a number. */
const BIGINT = 20;
const numbers = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === BIGINT ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

export interface PostgresOptions {
  /** `postgres://user:password@host:port/name` */
  readonly url: string;
  /** Called once when writes cannot be trusted any more. */
  readonly onBroken?: (error: StorageBroken) => void;
}

/** Connects, and makes or migrates the tables; throws an `Outage` with a cure when it cannot, or when another sandbox uses it. */
export async function openPostgresStore({ url, onBroken = () => {} }: PostgresOptions): Promise<PostgresStore> {
  const named = capital(databaseName(url));
  try {
    const link = await PostgresLink.open(url, named, false);
    const { rows } = await link.client.query<{ commits: string; at: string }>('SELECT commits, at FROM sandbox');
    const count = { commits: Number(rows[0]?.commits), at: Number(rows[0]?.at) };
    return new PostgresStore({ url, named, link, writer: await PostgresWriter.on(link), count, onBroken });
  } catch (error) {
    throw openingTroubleOf(error, named);
  }
}

interface PostgresParts {
  readonly url: string;
  readonly named: string;
  readonly link: PostgresLink;
  readonly writer: PostgresWriter;
  readonly count: CommitCount;
  readonly onBroken: (error: StorageBroken) => void;
}

interface Writing {
  readonly link: PostgresLink;
  readonly writer: PostgresWriter;
}

export class PostgresStore implements WorldStore {
  readonly kept: KeptTexts = {
    load: () => this.#reading('the loading of the fleet', () => this.#reader.kept()),
    keep: ({ puts, removals }) =>
      this.#counted('the keeping of the fleet', {
        ...emptyBatch(),
        puts: puts.map(({ key, body }) => ({ kind: KEPT_KIND, id: key, body })),
        removals: removals.map((id) => ({ kind: KEPT_KIND, id })),
      }),
  };
  readonly #parts: PostgresParts;
  readonly #pool: Pool;
  readonly #db: Kysely<StoreTables>;
  readonly #reader: PostgresReader;
  #writing: Writing;
  #count: CommitCount;
  /** One write after another. */
  #tail: Promise<unknown> = Promise.resolve();
  #broken: StorageBroken | null = null;
  #closed = false;

  constructor(parts: PostgresParts) {
    const { url, link, writer, count } = parts;
    this.#parts = parts;
    this.#writing = { link, writer };
    this.#count = count;
    this.#pool = new Pool({
      connectionString: url,
      max: READERS,
      types: numbers,
      connectionTimeoutMillis: 3_000,
      query_timeout: 15_000,
      application_name: 'muster-sandbox: reads',
      options: `-c search_path=${SCHEMA}`,
    });
    // A reader that is idle when the server goes away: the next read connects anew.
    this.#pool.on('error', () => {});
    this.#db = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool: this.#pool }) });
    this.#reader = new PostgresReader(this.#db);
  }

  /** The key from which all secrets of this world follow: the stored one, or else this one from now on. `isAsked`: it must be this one. */
  async rootKey(own: string, isAsked: boolean): Promise<string> {
    const { client } = this.#writing.link;
    await client.query('UPDATE sandbox SET root_key = $1 WHERE root_key IS NULL', [own]);
    const { rows } = await client.query<{ root_key: string }>('SELECT root_key FROM sandbox');
    const stored = rows[0]?.root_key ?? own;
    if (!isAsked || stored === own) return stored;
    throw new Outage({
      code: 'seed_differs',
      message: `The world in ${databaseName(this.#parts.url)} was made without this --seed, or with another.`,
      cure: 'Leave out --seed, or give another database.',
    });
  }

  load(): ReturnType<Store['load']> {
    return this.#reading('the loading of the world', () => this.#reader.load());
  }

  events(query: EventQuery): Promise<EventRecord[]> {
    return this.#reading('a walk over the events', () => this.#reader.events(query));
  }

  event(id: string): Promise<EventRecord | null> {
    return this.#reading('the reading of an event', () => this.#reader.event(id));
  }

  attempts(query: AttemptQuery): Promise<AttemptRecord[]> {
    return this.#reading('the reading of attempts', () => this.#reader.attempts(query));
  }

  attemptTotals(newest: number): Promise<StoredTotals[]> {
    return this.#reading('the totals of attempts', () => this.#reader.attemptTotals(newest));
  }

  requests(query: RequestQuery): Promise<RequestRecord[]> {
    return this.#reading('the reading of requests', () => this.#reader.requests(query));
  }

  readState(): Promise<StoredRow[]> {
    return this.#reading('the saving of a snapshot', () => this.#reader.state());
  }

  commit(batch: Batch): Promise<void> {
    return this.#counted('a commit', rowsOf(batch));
  }

  replaceState(rows: readonly StoredRow[]): Promise<void> {
    return this.#counted('a new beginning', null, rows);
  }

  glance(): void {}

  async prune(bounds: Parameters<Store['prune']>[0]): Promise<number> {
    const heard = 'DELETE FROM documents WHERE at < $1';
    return (
      (await this.#forget('events', bounds.eventsBefore)) +
      (await this.#forget('attempts', bounds.attemptsBefore)) +
      (await this.#forget('requests', bounds.requestsBefore)) +
      (await this.#reading('a prune', async () => (await this.#pool.query(heard, [bounds.heardBefore])).rowCount ?? 0))
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#tail.catch(() => {});
    this.#writing.link.end();
    await this.#db.destroy();
  }

  /** Whole days go as partitions, the rest row by row. In its turn among the writes, since dropping waits for all that read. */
  #forget(log: PartitionedLog, before: number): Promise<number> {
    if (this.#closed) return Promise.resolve(0);
    const bound = Math.floor(before);
    return this.#inTurn('a prune', async () => {
      const { link, writer } = await this.#linked();
      let gone = 0;
      for (const day of await partitionedDays(link.client, log)) {
        if (day >= dayOf(bound)) continue;
        const table = partitionName(log, day);
        const { rows } = await link.client.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
        await link.client.query(`DROP TABLE ${table}`);
        writer.forget(log, day);
        gone += Number(rows[0]?.n);
      }
      const rest = `DELETE FROM ${log} WHERE ${timeColumn(log)} < $1`;
      return gone + ((await link.client.query(rest, [bound])).rowCount ?? 0);
    });
  }

  /**
   * Writes with the next number of a commit. When the connection is lost under way, it is unknown whether it stands: the new
   * connection gets its lock once the old one has ended at the server, and then the stored number tells.
   */
  #counted(during: string, rows: TurnRows | null, state: readonly StoredRow[] = []): Promise<void> {
    return this.#inTurn(during, async () => {
      const count = { commits: this.#count.commits + 1, at: wallMs() };
      let { link, writer } = await this.#linked();
      for (;;) {
        try {
          if (rows === null) await writer.replace(state, count);
          else await writer.write(rows, count);
          break;
        } catch (error) {
          if (!isConnectionLoss(error)) throw error;
          link.end();
          ({ link, writer } = await this.#linkedAgain(count.commits));
          if ((await link.commits()) === count.commits) break;
        }
      }
      this.#count = count;
    });
  }

  /** Until the database is there again, or the store is closed: a turn that may stand there must not be taken back. */
  async #linkedAgain(orElse: number): Promise<Writing> {
    for (;;) {
      try {
        return await this.#linked(orElse);
      } catch (error) {
        if (error instanceof StorageBroken || this.#closed) throw error;
        await new Promise<void>((resolve) => later(AGAIN_MS, resolve));
      }
    }
  }

  /** The connection, made anew where it is lost. `orElse`: a count that may stand there besides the known one. */
  async #linked(orElse: number | null = null): Promise<Writing> {
    if (!this.#writing.link.isLost) return this.#writing;
    if (this.#closed) throw new StorageAway('The store is closed.');
    const link = await PostgresLink.open(this.#parts.url, this.#parts.named, true).catch((error) => {
      if (error instanceof Outage) throw new StorageBroken(error.message, { cause: error });
      throw error;
    });
    const stored = await link.commits();
    if (stored !== this.#count.commits && stored !== orElse) {
      link.end();
      throw new StorageBroken(
        `${this.#parts.named} has ${stored} commits where this sandbox made ${this.#count.commits}: another one has written to it, or it was put back from a copy.`,
      );
    }
    this.#writing = { link, writer: await PostgresWriter.on(link) };
    return this.#writing;
  }

  #inTurn<T>(during: string, work: () => Promise<T>): Promise<T> {
    assert(!this.#closed, 'The store is closed.');
    const mine = this.#tail.then(async () => {
      if (this.#broken !== null) throw this.#broken;
      try {
        return await work();
      } catch (error) {
        throw this.#trouble(error, during);
      }
    });
    this.#tail = mine.catch(() => {});
    return mine;
  }

  async #reading<T>(during: string, read: () => Promise<T>): Promise<T> {
    assert(!this.#closed, 'The store is closed.');
    try {
      return await read();
    } catch (error) {
      throw this.#trouble(error, during);
    }
  }

  #trouble(error: unknown, during: string): StorageFull | StorageBroken {
    const trouble = postgresTrouble(error, during);
    if (!(trouble instanceof StorageBroken) || this.#broken !== null) return trouble;
    this.#broken = trouble;
    this.#parts.onBroken(trouble);
    return trouble;
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
