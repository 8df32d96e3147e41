/** Commits of a node: each follows the last commit of any node, and is written to a log that the other nodes follow. */
import type { Pool } from 'pg';
import { later, wallMs } from '../../../base/time/timers.ts';
import { Outdated, Overtaken, type TransactionRest } from '../../engine/shared-transactions.ts';
import { StorageBroken } from '../../engine/store-port.ts';
import { AGAIN_MS, asUnknown, type CommitsParts, type PostgresCommits, type Writing } from '../postgres/commits.ts';
import { isConnectionLoss, StorageAway } from '../postgres/errors.ts';
import { PostgresLink } from '../postgres/link.ts';
import { PostgresWriter, type TransactionRows } from '../postgres/writer.ts';
import type { StoredRow } from '../state-rows.ts';
import { transactionText } from './transaction-text.ts';

/** The error code of Postgres for `1 / 0`, with which a statement fails if its condition does not hold. */
const DIVISION_BY_ZERO = '22012';
/** The error code of a deadlock: two statements waited for each other, and one was rolled back. */
const DEADLOCK = '40P01';

/** Used by commits outside of transactions, which have no deliveries and no effects. */
const NO_REST: TransactionRest = { deliveries: [], effects: [] };

export class NodeCommits implements PostgresCommits {
  readonly #parts: CommitsParts;
  readonly #epoch: () => number;
  #writing: Writing;
  #marks = 0;
  #closed = false;

  /** `epoch`: returns the epoch of the node's present membership; 0 before it has joined. */
  constructor(parts: CommitsParts, epoch: () => number) {
    this.#parts = parts;
    this.#writing = parts.writing;
    this.#epoch = epoch;
  }

  /** Writes data that depends on no state: telemetry, and the documents of a new world. A clock reading alone is not committed. */
  async write(rows: TransactionRows): Promise<void> {
    const isChange = rows.puts.some(({ kind }) => kind !== 'clock');
    if (isChange || rows.removals.length + rows.events.length + rows.attempts.length > 0)
      await this.#commit(rows, NO_REST, null);
    else if (rows.requests.length > 0) await (await this.linked()).writer.writeRequests(rows.requests);
  }

  commitAfter(basis: number, rows: TransactionRows, rest: TransactionRest): Promise<number> {
    return this.#commit(rows, rest, basis);
  }

  async replace(state: readonly StoredRow[]): Promise<void> {
    const { writer } = await this.linked();
    await writer.replace(state, null, wallMs());
  }

  end(): void {
    this.#closed = true;
    this.#writing.link.end();
  }

  async linked(): Promise<Writing> {
    if (!this.#writing.link.isLost) return this.#writing;
    if (this.#closed) throw new StorageAway('The store is closed.');
    const { pid } = this.#writing.link;
    const link = await PostgresLink.open(this.#parts.url, this.#parts.named, 'node');
    await endAtServer(link, pid);
    this.#writing = { link, writer: await PostgresWriter.on(link) };
    return this.#writing;
  }

  async #commit(rows: TransactionRows, rest: TransactionRest, basis: number | null): Promise<number> {
    const epoch = this.#epoch();
    const mark = ++this.#marks;
    const body = transactionText(rows, rest);
    let writing = await this.linked();
    for (;;) {
      try {
        return await writing.writer.writeAsNode(rows, { epoch, mark, body, basis }, wallMs());
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === DIVISION_BY_ZERO) throw await this.#whyNot(writing, epoch, basis, error);
        if (code === DEADLOCK) continue;
        if (!isConnectionLoss(error)) throw error;
        writing.link.end();
        writing = await this.#linkedAgain().catch(asUnknown);
        const sought = 'SELECT commit FROM turns WHERE epoch = $1 AND mark = $2';
        const { rows: found } = await writing.link.client.query<{ commit: string }>(sought, [epoch, mark]);
        if (found[0] !== undefined) return Number(found[0].commit);
      }
    }
  }

  async #whyNot({ link }: Writing, epoch: number, basis: number | null, error: unknown): Promise<Error> {
    const { rows } = await link.client.query<{ commits: string; here: boolean }>(
      'SELECT commits, EXISTS (SELECT FROM nodes WHERE epoch = $1) AS here FROM sandbox',
      [epoch],
    );
    const [state] = rows;
    if (state?.here !== true)
      return new Outdated('The other nodes removed this node, because its heartbeat was missing for too long.');
    if (basis !== null && Number(state.commits) !== basis) return new Overtaken('Another node committed first.');
    return new StorageBroken('An event is in the database already.', { cause: error });
  }

  /**
   * Retries until the database is reachable or the store is closed: a transaction that may be committed must not be
   * rolled back.
   */
  async #linkedAgain(): Promise<Writing> {
    for (;;) {
      try {
        return await this.linked();
      } catch (error) {
        if (this.#closed) throw error;
        await new Promise<void>((resolve) => later(AGAIN_MS, resolve));
      }
    }
  }
}

/** The server may still process statements of a lost connection: when this resolves, they have ended. */
async function endAtServer({ client }: PostgresLink, pid: number): Promise<void> {
  const there = "FROM pg_stat_activity WHERE pid = $1 AND application_name LIKE 'muster-%'";
  await client.query(`SELECT pg_terminate_backend(pid) ${there}`, [pid]);
  while ((await client.query(`SELECT 1 ${there}`, [pid])).rows.length > 0)
    await new Promise<void>((resolve) => later(AGAIN_MS / 10, resolve));
}

/** A row of the log; `commits`: the present number of commits. */
interface LogRow {
  readonly commits: string;
  readonly commit: string | null;
  readonly epoch: string | null;
  readonly body: string | null;
}

/** Rows of the log that are read per query. */
const AT_ONCE = 500;

/** Returns the rows of the log after that commit. Throws `Outdated` if the log does not contain them. */
export async function transactionsSince(pool: Pool, commit: number): Promise<LogRow[]> {
  const found: LogRow[] = [];
  for (let from = commit; ; ) {
    const { rows } = await pool.query<LogRow>({
      name: 'muster-since',
      text: `SELECT s.commits, t.commit, t.epoch, t.body FROM sandbox s LEFT JOIN turns t ON t.commit > $1
        ORDER BY t.commit LIMIT ${AT_ONCE}`,
      values: [from],
    });
    const there = rows.filter((row) => row.commit !== null);
    const reached = Number(there.at(-1)?.commit ?? from);
    const isWhole = rows.length < AT_ONCE;
    // The log begins later if it was pruned, and ends earlier if the state was replaced.
    if (reached !== from + there.length || (isWhole && reached !== Number(rows[0]?.commits)))
      throw new Outdated(`The log of commits does not reach from ${from} to ${rows[0]?.commits}.`);
    found.push(...there);
    if (isWhole) return found;
    from = reached;
  }
}
