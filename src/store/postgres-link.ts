/** The one connection by which a sandbox writes to Postgres. It holds an advisory lock as long as it lives, so that no two write to one database. */
import { hostname } from 'node:os';
import { Client } from 'pg';
import { Outage } from '../base/assert.ts';
import { later, monotonicMs } from '../base/timers.ts';
import { StorageBroken } from '../engine/store-port.ts';
import { StorageAway } from './postgres-errors.ts';
import { migratePostgres, SCHEMA } from './postgres-schema.ts';

/** Two numbers that no other program is likely to lock. */
const LOCK = '1836412787, 1';

/** Wall ms. */
const CONNECT_WITHIN_MS = 3_000;
/** A statement without an answer in this time counts as a lost connection. */
const ANSWER_WITHIN_MS = 15_000;
/** After a lost connection the server may still work for the old one, which holds the lock until it notices. */
const LOCK_WITHIN_MS = 5_000;
const LOCK_AGAIN_MS = 100;

/** Postgres 13 and up. */
const OLDEST_SERVER = 130_000;

export class PostgresLink {
  readonly client: Client;
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

  /** Connects and takes the lock, which an old connection of our own (`again`) may hold for a moment. */
  static async open(url: string, named: string, again: boolean): Promise<PostgresLink> {
    const client = new Client({
      connectionString: url,
      application_name: `muster-sandbox ${process.pid} at ${hostname()}`.slice(0, 63),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      options: `-c search_path=${SCHEMA} -c synchronous_commit=on`,
    });
    const link = new PostgresLink(client);
    try {
      await client.connect();
      const { rows } = await client.query<{ v: string }>("SELECT current_setting('server_version_num') AS v");
      if (Number(rows[0]?.v) < OLDEST_SERVER)
        throw new Outage({
          code: 'database_too_old',
          message: `${named} is on Postgres ${Math.floor(Number(rows[0]?.v) / 10_000)}.`,
          cure: 'Use Postgres 13 or newer.',
        });
      await link.#takeLock(named, again);
      await migratePostgres(client, named);
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

  async #takeLock(named: string, again: boolean): Promise<void> {
    const until = monotonicMs() + (again ? LOCK_WITHIN_MS : 0);
    for (;;) {
      const { rows } = await this.client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS taken`);
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
    if (again) throw new StorageAway(`The database is held by ${holder}.`);
    throw new Outage({
      code: 'database_taken',
      message: `${named} is in use by ${holder}.`,
      cure: 'Stop that sandbox first, or give another database.',
    });
  }

  /** How many commits stand in the database. */
  async commits(): Promise<number> {
    const { rows } = await this.client.query<{ commits: string }>('SELECT commits FROM sandbox');
    const [row] = rows;
    if (row === undefined) throw new StorageBroken('The database has lost its row of commits.');
    return Number(row.commits);
  }
}
