/**
 * The connection through which a sandbox writes to Postgres. It holds an advisory lock while it exists: exclusively for
 * a single sandbox, shared for the nodes of one sandbox.
 */
import { hostname } from 'node:os';
import { Client } from 'pg';
import { Outage } from '../../../base/assert.ts';
import { later, monotonicMs } from '../../../base/time/timers.ts';
import { StorageBroken } from '../../engine/store-port.ts';
import { StorageAway } from './errors.ts';
import { migratePostgres, SCHEMA } from './schema.ts';

/** The keys of the advisory locks; other programs are unlikely to use them. */
const LOCKS = 1836412787;
const LOCK = `${LOCKS}, 1`;
const MIGRATION_LOCK = `${LOCKS}, 2`;
/** Held while a node loads the world, or creates it if there is none. */
export const START_LOCK = `${LOCKS}, 3`;

/** Time allowed for connecting; wall ms. */
const CONNECT_WITHIN_MS = 3_000;
/** A statement without a reply in this time counts as a lost connection; wall ms. */
const ANSWER_WITHIN_MS = 15_000;
/**
 * After a lost connection the server may still serve the old one, which holds the lock until the server notices the
 * loss; wall ms.
 */
const LOCK_WITHIN_MS = 5_000;
const LOCK_AGAIN_MS = 100;

/** The oldest supported version: Postgres 13. */
const OLDEST_SERVER = 130_000;

/**
 * How a connection is opened: for the first time, or after a lost connection of the same process; alone, or as one of
 * several nodes.
 */
type LinkMode = 'first' | 'again' | 'node';

/** The name that `pg_stat_activity` shows for this process; Postgres keeps at most 63 characters. */
export const NODE_PROGRAM = 'muster-node';
export const applicationName = (program = 'muster-sandbox'): string =>
  `${program} ${process.pid} at ${hostname()}`.slice(0, 63);

export class PostgresLink {
  readonly client: Client;
  /** The id of the server process that serves this connection. */
  pid = 0;
  #isLost = false;

  private constructor(client: Client) {
    this.client = client;
    const lost = () => {
      this.#isLost = true;
    };
    client.on('error', lost);
    client.on('end', lost);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Connects and takes the lock, which an old connection of this process (`again`) may still hold for a moment. */
  static async open(url: string, named: string, mode: LinkMode): Promise<PostgresLink> {
    const client = new Client({
      connectionString: url,
      application_name: applicationName(mode === 'node' ? NODE_PROGRAM : undefined),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      options: `-c search_path=${SCHEMA} -c synchronous_commit=on`,
    });
    const link = new PostgresLink(client);
    try {
      await client.connect();
      const { rows } = await client.query<{ v: string; pid: number }>(
        "SELECT current_setting('server_version_num') AS v, pg_backend_pid() AS pid",
      );
      link.pid = rows[0]?.pid ?? 0;
      if (Number(rows[0]?.v) < OLDEST_SERVER)
        throw new Outage({
          code: 'database_too_old',
          message: `${named} is on Postgres ${Math.floor(Number(rows[0]?.v) / 10_000)}.`,
          fix: 'Use Postgres 13 or newer.',
        });
      await link.#takeLock(named, mode);
      // Several nodes may start at the same time.
      if (mode === 'node') await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
      await migratePostgres(client, named);
      if (mode === 'node') await client.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
      return link;
    } catch (error) {
      link.end();
      throw error;
    }
  }

  end(): void {
    this.#isLost = true;
    void this.client.end().catch(() => {});
  }

  async #takeLock(named: string, mode: LinkMode): Promise<void> {
    const until = monotonicMs() + (mode === 'again' ? LOCK_WITHIN_MS : 0);
    const take = mode === 'node' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
    for (;;) {
      const { rows } = await this.client.query<{ taken: boolean }>(`SELECT ${take}(${LOCK}) AS taken`);
      if (rows[0]?.taken === true) return;
      if (monotonicMs() >= until) break;
      await new Promise<void>((resolve) => later(LOCK_AGAIN_MS, resolve));
    }
    const { rows } = await this.client.query<{ holder: string }>(
      `SELECT a.application_name AS holder FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (l.classid, l.objid) = (${LOCK})`,
    );
    const holder = rows[0]?.holder ?? 'another process';
    if (mode === 'again') throw new StorageAway(`The database is held by ${holder}.`);
    throw new Outage({
      code: 'database_taken',
      message: `${named} is in use by ${holder}${mode === 'node' ? ', which was started without --node' : ''}.`,
      fix:
        mode === 'node' || !holder.startsWith(NODE_PROGRAM)
          ? 'Stop that sandbox first, or use another database.'
          : 'To join the nodes that share it, add --node NAME. Otherwise, use another database.',
    });
  }

  /** Returns the number of commits in the database. */
  async commits(): Promise<number> {
    const { rows } = await this.client.query<{ commits: string }>('SELECT commits FROM sandbox');
    const [row] = rows;
    if (row === undefined) throw new StorageBroken('The row with the number of commits is missing in the database.');
    return Number(row.commits);
  }
}
