/** The store on a Postgres database: the same documents and logs as on SQLite, the logs partitioned by day of simulated time. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';
import { assert, Outage } from '../../../base/assert.ts';
import { FetchedArchive } from '../../domain/world/archive.ts';
import type { EventRecord } from '../../domain/world/documents.ts';
import type { MemoryBounds } from '../../domain/world/residency.ts';
import { Outdated, Overtaken, type SharedTransactions } from '../../engine/shared-transactions.ts';
import {
  type AttemptQuery,
  type AttemptRecord,
  type Batch,
  type EventQuery,
  emptyBatch,
  type Logged,
  type RequestQuery,
  type RequestRecord,
  StorageBroken,
  type Store,
  type StoredTotals,
} from '../../engine/store-port.ts';
import { NodeCommits, transactionsSince } from '../nodes/node-commits.ts';
import { NodesOfStore } from '../nodes/nodes-of-store.ts';
import { transactionOfText } from '../nodes/transaction-text.ts';
import type { CommitCount } from '../sqlite/commit-ledger.ts';
import { KEPT_KIND, type KeptTexts } from '../sqlite/kept.ts';
import type { StoreTables } from '../sqlite/schema.ts';
import type { StoredRow } from '../state-rows.ts';
import type { WorldStore } from '../world-store.ts';
import { readArchived } from './archive.ts';
import { AloneCommits, type CommitsParts } from './commits.ts';
import { openingTroubleOf, postgresTrouble } from './errors.ts';
import { PostgresLink } from './link.ts';
import { databaseName } from './name.ts';
import { PostgresReader } from './reader.ts';
import { dayOf, type PartitionedLog, partitionedDays, partitionName, SCHEMA, timeColumn } from './schema.ts';
import { PostgresWriter, rowsOf } from './writer.ts';

/** Connections for reading, in addition to the one that writes. */
const READERS = 3;

/** Parses bigint as number: all times and counts fit into a number. */
const BIGINT = 20;
const numbers = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === BIGINT ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

interface PostgresOptions {
  /** `postgres://user:password@host:port/name` */
  readonly url: string;
  /** Called once when writes cannot be trusted any more. */
  readonly onBroken?: (error: StorageBroken) => void;
  /**
   * The name of this node, if other processes write to the database too. Default: this process uses the database alone.
   */
  readonly node?: string;
}

/**
 * Connects, and creates or migrates the tables. Throws an `Outage` with a fix if that fails, or if another sandbox uses
 * the database.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { url, node, onBroken = () => {} } = options;
  const named = capital(databaseName(url));
  try {
    const link = await PostgresLink.open(url, named, node === undefined ? 'first' : 'node');
    const { rows } = await link.client.query<{ commits: string; at: string }>('SELECT commits, at FROM sandbox');
    const count = { commits: Number(rows[0]?.commits), at: Number(rows[0]?.at) };
    const parts = { url, named, writing: { link, writer: await PostgresWriter.on(link) } };
    return new PostgresStore({ url, named, onBroken, count, parts, ...(node === undefined ? {} : { node }) });
  } catch (error) {
    throw openingTroubleOf(error, named);
  }
}

interface PostgresParts {
  readonly url: string;
  readonly named: string;
  readonly parts: CommitsParts;
  readonly count: CommitCount;
  readonly node?: string;
  readonly onBroken: (error: StorageBroken) => void;
}

export class PostgresStore implements WorldStore {
  readonly archive = new FetchedArchive((requests) =>
    this.#reading('the reading of old documents', () => readArchived(this.#db, requests)),
  );
  readonly kept: KeptTexts = {
    load: () => this.#reading('the loading of the fleet', () => this.#reader.kept()),
    keep: ({ puts, removals }) =>
      this.#inOrder('the keeping of the fleet', () =>
        this.#commits.write({
          ...emptyBatch(),
          puts: puts.map(({ key, body }) => ({ kind: KEPT_KIND, id: key, body })),
          removals: removals.map((id) => ({ kind: KEPT_KIND, id })),
        }),
      ),
  };
  readonly #parts: PostgresParts;
  readonly #pool: Pool;
  readonly #db: Kysely<StoreTables>;
  readonly #reader: PostgresReader;
  readonly #commits: AloneCommits | NodeCommits;
  /** The connection to the other nodes; null: this sandbox uses the database alone. */
  readonly nodes: NodesOfStore | null;
  /** The last write; each write waits for the one before. */
  #tail: Promise<unknown> = Promise.resolve();
  #broken: StorageBroken | null = null;
  #closed = false;

  constructor(parts: PostgresParts) {
    const { url, named, node } = parts;
    this.#parts = parts;
    this.#pool = new Pool({
      connectionString: url,
      max: READERS,
      types: numbers,
      connectionTimeoutMillis: 3_000,
      query_timeout: 15_000,
      application_name: 'muster-sandbox: reads',
      options: `-c search_path=${SCHEMA}`,
    });
    // An idle connection reports the loss of the server here; the next read reconnects.
    this.#pool.on('error', () => {});
    this.#db = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool: this.#pool }) });
    this.#reader = new PostgresReader(this.#db);
    if (node === undefined) {
      this.nodes = null;
      this.#commits = new AloneCommits(parts.parts, parts.count);
    } else {
      const nodes = new NodesOfStore({ url, named, name: node });
      const commits = new NodeCommits(parts.parts, () => nodes.epoch);
      nodes.transactions = this.#sharedTransactions(nodes, commits);
      this.nodes = nodes;
      this.#commits = commits;
    }
  }

  #sharedTransactions(nodes: NodesOfStore, commits: NodeCommits): SharedTransactions {
    const pool = this.#pool;
    return {
      get loadedAt() {
        return nodes.loadedAt;
      },
      commitAfter: (basis, batch, rest) =>
        this.#inOrder('a commit', () => commits.commitAfter(basis, rowsOf(batch), rest)),
      since: (commit) =>
        this.#reading('the following of the other nodes', async () =>
          (await transactionsSince(pool, commit)).map((row) => ({
            commit: Number(row.commit),
            body: Number(row.epoch) === nodes.epoch ? null : transactionOfText(row.body ?? ''),
          })),
        ),
      whenCommitted: (listener) => nodes.membership?.onCommitted(listener) ?? (() => {}),
    };
  }

  /**
   * Returns the key from which all secrets of this world are derived: the stored one, or `own`, which is then stored.
   * `isRequired`: the key must be `own`.
   */
  async rootKey(own: string, isRequired: boolean): Promise<string> {
    const { client } = (await this.#commits.linked()).link;
    await client.query('UPDATE sandbox SET root_key = $1 WHERE root_key IS NULL', [own]);
    const { rows } = await client.query<{ root_key: string }>('SELECT root_key FROM sandbox');
    const stored = rows[0]?.root_key ?? own;
    if (!isRequired || stored === own) return stored;
    throw new Outage({
      code: 'seed_differs',
      message: `The world in ${databaseName(this.#parts.url)} was made without this --seed, or with another.`,
      fix: 'Remove --seed, or use another database.',
    });
  }

  /**
   * Returns the stored id of the database, or `own`, which is then stored. Nodes that call this at the same time get
   * the same id.
   */
  async sandboxId(own: string): Promise<string> {
    const { client } = (await this.#commits.linked()).link;
    await client.query('UPDATE sandbox SET id = $1 WHERE id IS NULL', [own]);
    const { rows } = await client.query<{ id: string }>('SELECT id FROM sandbox');
    return rows[0]?.id ?? own;
  }

  load(bounds?: MemoryBounds): ReturnType<Store['load']> {
    return this.#reading('the loading of the world', () => {
      if (this.nodes === null) return this.#reader.load(bounds);
      // The load also reads the number of the commit that the snapshot contains.
      const { nodes } = this;
      const transaction = this.#db.transaction().setIsolationLevel('repeatable read');
      return transaction.execute(async (at) => {
        const { rows } = await sql<{ commits: number }>`SELECT commits FROM sandbox`.execute(at);
        nodes.loadedAt = rows[0]?.commits ?? 0;
        return new PostgresReader(at).load(bounds);
      });
    });
  }

  events(query: EventQuery): Promise<EventRecord[]> {
    return this.#reading('a walk over the events', () => this.#reader.events(query));
  }

  event(id: string): Promise<EventRecord | null> {
    return this.#reading('the reading of an event', () => this.#reader.event(id));
  }

  eventsById(ids: readonly string[]): Promise<EventRecord[]> {
    return this.#reading('the reading of events', () => this.#reader.eventsById(ids));
  }

  attempts(query: AttemptQuery): Promise<Logged<AttemptRecord>[]> {
    return this.#reading('the reading of attempts', () => this.#reader.attempts(query));
  }

  attemptTotals(newest: number): Promise<StoredTotals[]> {
    return this.#reading('the totals of attempts', () => this.#reader.attemptTotals(newest));
  }

  requests(query: RequestQuery): Promise<Logged<RequestRecord>[]> {
    return this.#reading('the reading of requests', () => this.#reader.requests(query));
  }

  readState(): Promise<StoredRow[]> {
    return this.#reading('the saving of a snapshot', () => this.#reader.state());
  }

  commit(batch: Batch): Promise<void> {
    return this.#inOrder('a commit', () => this.#commits.write(rowsOf(batch)));
  }

  replaceState(rows: readonly StoredRow[]): Promise<void> {
    return this.#inOrder('a new beginning', () => this.#commits.replace(rows));
  }

  glance(): void {}

  async prune(bounds: Parameters<Store['prune']>[0]): Promise<number> {
    // Dropping a partition waits for all readers, so only one node prunes.
    if (this.nodes !== null && (await this.nodes.membership?.isOldest()) !== true) return 0;
    const uplinks = 'DELETE FROM documents WHERE at < $1';
    return (
      (await this.#forget('events', bounds.eventsBefore)) +
      (await this.#forget('attempts', bounds.attemptsBefore)) +
      (await this.#forget('requests', bounds.requestsBefore)) +
      (await this.#reading(
        'a prune',
        async () => (await this.#pool.query(uplinks, [bounds.uplinksBefore])).rowCount ?? 0,
      ))
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#tail.catch(() => {});
    this.#commits.end();
    await this.#db.destroy();
  }

  /**
   * Drops whole days as partitions, and deletes the other rows. The call is queued with the writes, because dropping
   * waits for all readers.
   */
  #forget(log: PartitionedLog, before: number): Promise<number> {
    if (this.#closed) return Promise.resolve(0);
    const bound = Math.floor(before);
    return this.#inOrder('a prune', async () => {
      const { link, writer } = await this.#commits.linked();
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

  #inOrder<T>(during: string, work: () => Promise<T>): Promise<T> {
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

  #trouble(error: unknown, during: string): Error {
    if (error instanceof Overtaken || error instanceof Outdated) return error;
    const trouble = postgresTrouble(error, during);
    if (!(trouble instanceof StorageBroken) || this.#broken !== null) return trouble;
    this.#broken = trouble;
    this.#parts.onBroken(trouble);
    return trouble;
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
