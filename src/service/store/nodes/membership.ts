/**
 * A node among the nodes of one database: its heartbeats, its claims on sites and destinations, and the takeover of
 * those of a failed node.
 * A row in `nodes` is the permission to commit; removing the row fences its node.
 */
import type { Client } from 'pg';
import { asError } from '../../../base/assert.ts';
import { later, monotonicMs } from '../../../base/time/timers.ts';
import { Outdated } from '../../engine/shared-transactions.ts';
import { openingTroubleOf } from '../postgres/errors.ts';
import { NODE_PROGRAM, START_LOCK } from '../postgres/link.ts';
import { databaseName } from '../postgres/name.ts';
import { ClockReport, type ClockReportParts } from './clock-report.ts';
import {
  clockOutage,
  DATABASE_NOW,
  DatabaseClock,
  differenceOf,
  isBeyondLimit,
  measureClock,
  measureWell,
} from './database-clock.ts';
import { connected, named, refuseTakenName } from './node-connection.ts';

/** Interval between two heartbeats; wall ms. */
const BEAT_MS = 1_000;
/** A node without a heartbeat for this time counts as failed; seconds of the database's clock. */
const SILENT_S = 5;
/** The same limit if the node's database connection is gone as well. */
const GONE_S = 2;
/** After its last heartbeat, a node may act on its claims for this time, which is less than `SILENT_S`; wall ms. */
const SURE_MS = 4_000;
/** A node that cannot reach the broker for this time releases its sites to nodes that can; wall ms. */
const DEAF_MS = 2_000;
/** Retention of the log of transactions: a node that was suspended for longer loads the world again. */
const KEPT_TRANSACTIONS = '10 minutes';

/**
 * The kinds of objects that are distributed among nodes: a site to receive from and to monitor, a destination to
 * deliver to.
 */
type ClaimKind = 'site' | 'destination';
const CLAIM_KINDS: readonly ClaimKind[] = ['site', 'destination'];

/** The parts of a node that work for its claims. */
export interface ClaimedWork {
  /** This node owns them from now on; called when the world has all commits of their last owner. Idempotent. */
  take(kind: ClaimKind, ids: readonly string[]): Promise<void> | void;
  /** Resolves when this node no longer works for them, and everything that must be stored is committed. */
  release(kind: ClaimKind, ids: readonly string[]): Promise<void>;
  /** Resolves when the world has every existing commit. */
  catchUp(): Promise<void>;
  /** Returns false if this node cannot receive messages of watches now, so that another node should have the sites. */
  canReceive(): boolean;
}

/** A living node, as the other nodes see it. */
interface NodeState {
  readonly name: string;
  readonly address: string;
  readonly sites: number;
  readonly destinations: number;
  /** How far the clock of its machine is ahead of the database's; ms, negative: behind. */
  readonly aheadMs: number;
  readonly isSelf: boolean;
}

export interface MembershipParts extends Pick<ClockReportParts, 'onUnsteady' | 'say'> {
  readonly url: string;
  /** The name of the database, for display. */
  readonly named: string;
  readonly name: string;
  /** The other nodes removed this node, or the log does not go back far enough. Called once. */
  readonly onOutdated: (error: Outdated) => void;
}

export class Membership {
  readonly epoch: number;
  /** The time of all nodes. */
  readonly time: DatabaseClock;
  readonly #parts: MembershipParts;
  #client: Client;
  #work: ClaimedWork | null = null;
  readonly #mine: Readonly<Record<ClaimKind, Set<string>>> = { site: new Set(), destination: new Set() };
  #sureUntil = 0;
  /** Since when heartbeats have succeeded without a break; wall ms. */
  #steadySince = monotonicMs();
  #beats = 0;
  /** Time of the last reply of the broker; wall ms. */
  #answeredAt = monotonicMs();
  #cancel: () => void = () => {};
  #beating: Promise<void> = Promise.resolve();
  /** Claims are checked one after another, and may take long while heartbeats continue. */
  #looking: Promise<void> = Promise.resolve();
  #looksAgain = false;
  #left = false;
  readonly #listeners = new Set<() => void>();
  readonly #clockReport: ClockReport;

  private constructor(parts: MembershipParts, client: Client, epoch: number, time: DatabaseClock) {
    this.#parts = parts;
    this.time = time;
    this.#clockReport = new ClockReport({ time, database: databaseName(parts.url), ...parts });
    this.#client = client;
    this.epoch = epoch;
    this.#observe(client);
  }

  /**
   * Resolves when no other node starts at this time: until `started` this node may create the world. Throws an `Outage`
   * if this machine's clock differs too much from the database's.
   */
  static async join(parts: MembershipParts): Promise<Membership> {
    const client = await connected(parts.url).catch((error) => {
      throw openingTroubleOf(error, parts.named);
    });
    try {
      const measured = await measureWell(client);
      const difference = differenceOf(measured);
      if (isBeyondLimit(difference)) throw clockOutage(difference, databaseName(parts.url));
      await client.query(`SELECT pg_advisory_lock(${START_LOCK})`);
      await refuseTakenName(client, parts.name, parts.named);
      const { rows } = await client.query<{ epoch: string }>(
        "INSERT INTO nodes (epoch, name, seen, address) VALUES (nextval('node_epoch'), $1, clock_timestamp(), '') RETURNING epoch",
        [parts.name],
      );
      const epoch = Number(rows[0]?.epoch);
      await named(client, epoch);
      const membership = new Membership(parts, client, epoch, new DatabaseClock(measured));
      membership.#beat();
      return membership;
    } catch (error) {
      await client.end().catch(() => {});
      throw openingTroubleOf(error, parts.named);
    }
  }

  /** Called when the world is loaded: other nodes may start. */
  async started(): Promise<void> {
    await this.#client.query(`SELECT pg_advisory_unlock(${START_LOCK})`);
  }

  /** Starts to claim. Resolves when this node has its share of the free objects. `address`: of its API. */
  async share(work: ClaimedWork, address: string): Promise<void> {
    await this.#client.query('UPDATE nodes SET address = $2 WHERE epoch = $1', [this.epoch, address]);
    this.#work = work;
    await this.#look();
  }

  has(kind: ClaimKind, id: string): boolean {
    return this.#mine[kind].has(id);
  }

  /** False when the other nodes may have removed this node: then it sends out nothing without a new commit. */
  get isSure(): boolean {
    return monotonicMs() < this.#sureUntil;
  }

  /** The listener is called after commits of other nodes. */
  onCommitted(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called when a new object waits for a node. */
  lookAgain(): void {
    if (this.#work !== null && !this.#left) void this.#look();
  }

  async nodes(): Promise<NodeState[]> {
    const { rows } = await this.#client.query<Omit<NodeState, 'isSelf'> & { epoch: string }>(
      `SELECT n.epoch, n.name, n.address, (count(*) FILTER (WHERE c.kind = 'site'))::integer AS sites,
         (count(*) FILTER (WHERE c.kind = 'destination'))::integer AS destinations, n.ahead_ms AS "aheadMs"
       FROM nodes n LEFT JOIN claims c ON c.node = n.epoch GROUP BY n.epoch ORDER BY n.epoch`,
    );
    return rows.map(({ epoch, ...node }) => ({ ...node, isSelf: Number(epoch) === this.epoch }));
  }

  /** Releases all claims, so that the other nodes can take them at once. Heartbeats continue until `leave`. */
  async release(): Promise<void> {
    const work = this.#work;
    this.#work = null;
    if (work === null || this.#left) return;
    await this.#looking;
    for (const kind of CLAIM_KINDS) await this.#giveBack(work, kind, [...this.#mine[kind]]).catch(() => {});
  }

  /** Idempotent. */
  async leave(): Promise<void> {
    if (this.#left) return;
    this.#left = true;
    this.#cancel();
    await this.#beating;
    const gone = `WITH me AS (DELETE FROM nodes WHERE epoch = $1),
        freed AS (UPDATE claims SET node = NULL WHERE node = $1) SELECT pg_notify('muster_claims', '')`;
    await this.#client.query(gone, [this.epoch]).catch(() => {});
    await this.#client.end().catch(() => {});
  }

  // --- heartbeats

  /** The broker counts as lost only after `DEAF_MS`, because a short interruption must not move sites. */
  #receives(): boolean {
    if (this.#work?.canReceive() !== false) this.#answeredAt = monotonicMs();
    return monotonicMs() - this.#answeredAt < DEAF_MS;
  }

  #beat(): void {
    if (this.#left) return;
    this.#cancel();
    void this.#beatNow().then(() => {
      if (!this.#left) this.#cancel = later(BEAT_MS, () => this.#beat());
    });
  }

  #beatNow(): Promise<void> {
    this.#beating = this.#beating.then(() => this.#oneBeat()).catch((error) => this.#missed(asError(error)));
    return this.#beating;
  }

  async #oneBeat(): Promise<void> {
    if (this.#left) return;
    const began = monotonicMs();
    const isHere = await this.#showLife();
    if (!isHere)
      throw new Outdated('The other nodes removed this node, because its heartbeat was missing for too long.');
    this.#sureUntil = began + SURE_MS;
    if (began - this.#steadySince > SILENT_S * 1_000) await this.#giveUpOthers();
    this.lookAgain();
  }

  /**
   * Each heartbeat also measures the clocks, and stores the result of the previous measurement. Returns false if the
   * other nodes removed this node.
   */
  async #showLife(): Promise<boolean> {
    const sign = `UPDATE nodes SET seen = clock_timestamp(), hears = $2, ahead_ms = $3, steady = $4 WHERE epoch = $1 RETURNING ${DATABASE_NOW} AS now`;
    const { aheadMs } = this.time.difference;
    let isHere = true;
    const measured = await measureClock(async () => {
      const values = [this.epoch, this.#receives(), Math.round(aheadMs), this.time.isSteady];
      const { rows } = await this.#client.query<{ now: number }>(sign, values);
      isHere = rows.length > 0;
      return rows[0]?.now ?? 0;
    });
    if (!isHere) return false;
    this.time.take(measured);
    this.#clockReport.look(this.#work !== null);
    return true;
  }

  async #missed(error: Error): Promise<void> {
    this.#steadySince = monotonicMs();
    if (this.#left) return;
    if (error instanceof Outdated) {
      this.#left = true;
      this.#sureUntil = 0;
      void this.#client.end().catch(() => {});
      return this.#parts.onOutdated(error);
    }
    // The connection or the server failed: the next heartbeat uses a new connection.
    void this.#client.end().catch(() => {});
    try {
      const client = await connected(this.#parts.url);
      await named(client, this.epoch);
      this.#observe(client);
      this.#client = client;
    } catch {
      // The database is still unreachable.
    }
  }

  #observe(client: Client): void {
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) => {
      if (channel === 'muster_claims') return this.lookAgain();
      // A node already knows its own commits.
      if (payload !== String(this.epoch)) for (const listener of this.#listeners) listener();
    });
  }

  /** Removes nodes without a heartbeat. Their statements at the server are ended, and their claims become free. */
  async #giveUpOthers(): Promise<void> {
    const { rows } = await this.#client.query<{ epoch: string; name: string }>(
      `WITH dead AS (
         DELETE FROM nodes n WHERE epoch <> $1 AND (seen < clock_timestamp() - interval '${SILENT_S} s'
           OR (seen < clock_timestamp() - interval '${GONE_S} s'
             AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = '${NODE_PROGRAM} ' || n.epoch)))
         RETURNING epoch, name),
       freed AS (UPDATE claims SET node = NULL WHERE node IN (SELECT epoch FROM dead)),
       ended AS (SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a JOIN dead d ON a.application_name = '${NODE_PROGRAM} ' || d.epoch),
       told AS (SELECT pg_notify('muster_claims', '') FROM dead)
       SELECT epoch, name, (SELECT count(*) FROM ended) + (SELECT count(*) FROM told) AS done FROM dead`,
      [this.epoch],
    );
    for (const { name } of rows)
      this.#parts.say(`Node ${name} sends no heartbeat. The other nodes take over its sites and destinations.`);
  }

  // --- claims

  /** At most one further check waits for the running one. */
  #look(): Promise<void> {
    if (this.#looksAgain) return this.#looking;
    this.#looksAgain = true;
    this.#looking = this.#looking.then(async () => {
      this.#looksAgain = false;
      const work = this.#work;
      if (work === null || this.#left) return;
      try {
        await this.#keepRows();
        for (const kind of CLAIM_KINDS) await this.#claim(work, kind);
        // Makes a broker connection again if it was lost while this node was not sure of its claims.
        if (this.isSure) void work.take('site', [...this.#mine.site]);
      } catch {
        // The database is unreachable, which the heartbeats notice; the next heartbeat checks the claims again.
      }
    });
    return this.#looking;
  }

  /** Keeps exactly one row per site and destination, and removes old transactions. Only the oldest node does this. */
  async #keepRows(): Promise<void> {
    const wanted = `SELECT kind, id FROM documents WHERE kind IN ('site', 'destination')`;
    await this.#client.query(
      `WITH made AS (INSERT INTO claims (kind, id) SELECT kind, id FROM (${wanted}) AS d
         WHERE NOT EXISTS (SELECT FROM claims c WHERE (c.kind, c.id) = (d.kind, d.id)) ON CONFLICT DO NOTHING)
       DELETE FROM claims c WHERE NOT EXISTS (SELECT FROM (${wanted}) AS d WHERE (d.kind, d.id) = (c.kind, c.id))`,
    );
    if (this.#beats++ % 30 === 0 && (await this.isOldest()))
      await this.#client.query(`DELETE FROM turns WHERE at < clock_timestamp() - interval '${KEPT_TRANSACTIONS}'`);
  }

  /** Returns true for the one node that performs tasks that must be done once. */
  async isOldest(): Promise<boolean> {
    const { rows } = await this.#client.query<{ oldest: string }>('SELECT min(epoch) AS oldest FROM nodes');
    return Number(rows[0]?.oldest) === this.epoch;
  }

  /** Takes free objects up to an even share, and releases those beyond it. */
  async #claim(work: ClaimedWork, kind: ClaimKind): Promise<void> {
    const { rows: counts } = await this.#client.query<{ all: number; able: string[] | null; own: string[] | null }>(
      `SELECT (SELECT count(*) FROM claims WHERE kind = $1)::integer AS all,
         (SELECT array_agg(epoch) FROM nodes WHERE address <> '' AND steady AND (hears OR $1 <> 'site')) AS able,
         (SELECT array_agg(id) FROM claims WHERE kind = $1 AND node = $2) AS own`,
      [kind, this.epoch],
    );
    const { all = 0, able, own } = counts[0] ?? {};
    const nodes = (able ?? []).map(Number);
    // If no node can receive, or no node has a correct clock, the sites stay where they are.
    const isAble = nodes.length === 0 || nodes.includes(this.epoch);
    const share = isAble ? Math.ceil(all / Math.max(1, nodes.length)) : 0;
    const mine = this.#mine[kind];
    const there = new Set(own ?? []);
    // The destination was deleted.
    for (const id of mine) if (!there.has(id)) mine.delete(id);
    if (mine.size > share) return this.#giveBack(work, kind, [...mine].toSorted().slice(share));
    if (mine.size === share) return;
    const { rows } = await this.#client.query<{ id: string }>(
      `WITH free AS (SELECT kind, id FROM claims c WHERE kind = $1 AND NOT EXISTS (SELECT FROM nodes n WHERE n.epoch = c.node)
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
       UPDATE claims c SET node = $3 FROM free WHERE (c.kind, c.id) = (free.kind, free.id)
         AND EXISTS (SELECT FROM nodes WHERE epoch = $3) RETURNING c.id`,
      [kind, share - mine.size, this.epoch],
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await work.catchUp();
    for (const id of ids) mine.add(id);
    await work.take(kind, ids);
  }

  async #giveBack(work: ClaimedWork, kind: ClaimKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) this.#mine[kind].delete(id);
    await work.release(kind, ids);
    await this.#client.query(
      `WITH freed AS (UPDATE claims SET node = NULL WHERE kind = $1 AND id = ANY ($2) AND node = $3)
       SELECT pg_notify('muster_claims', '')`,
      [kind, ids, this.epoch],
    );
  }
}
