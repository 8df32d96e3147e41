/** Reads documents that memory does not hold from SQLite, synchronously: a rule that needs one continues at once. */
import type Database from 'libsql';
import type { AlertQuery } from '../../domain/alerts/alert-query.ts';
import type { Archive, ArchivedKind } from '../../domain/world/archive.ts';
import type { Alert, Documents } from '../../domain/world/documents.ts';
import { looseText, parseBody } from './row-text.ts';

/** Fields of a query whose columns each have an index, the most selective first. */
const INDEXED = [
  ['workerIds', 'worker_id'],
  ['contractors', 'contractor'],
  ['types', 'type'],
  ['severities', 'severity'],
  ['siteIds', 'site_id'],
] as const;

/**
 * Up to this number, the alerts modified since the given time are sorted by creation; above it, walking all alerts is
 * faster.
 */
const FEW_MODIFIED = 2_000;

type BoundValue = string | number;
interface Where {
  readonly terms: readonly string[];
  readonly values: readonly BoundValue[];
}

interface AlertRow {
  readonly id: ArrayBuffer;
  readonly created_at: number;
}

/** Calls `read`, and converts errors of SQLite into errors of the storage. */
type ReadNow = <T>(during: string, read: () => T) => T;

/** Maximum number of prepared statements; each combination of filters needs one. */
const MOST_STATEMENTS = 100;

export class SqliteArchive implements Archive {
  #database: Database.Database;
  readonly #reading: ReadNow;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database, reading: ReadNow) {
    this.#database = database;
    this.#reading = reading;
  }

  /** Continues with another connection, because the file has moved. */
  attach(database: Database.Database): void {
    this.#database = database;
    this.#statements.clear();
  }

  get<K extends ArchivedKind>(kind: K, id: string): Documents[K] | undefined {
    return this.#reading('the reading of a document', () => this.#document(kind, id));
  }

  alerts(query: AlertQuery, known: (id: string) => Alert | undefined): readonly Alert[] {
    return this.#reading('the reading of alerts', () =>
      // A row without its document was damaged and has been removed.
      this.#ids(query).flatMap((id) => known(id) ?? this.#document('alert', id) ?? []),
    );
  }

  count(query: AlertQuery): number {
    return this.#reading('the counting of alerts', () => {
      const { terms, values } = whereOf({ ...query, after: undefined });
      const row = this.#prepared(`SELECT count(*) AS n FROM alerts WHERE ${terms.join(' AND ')}`).get(...values);
      return (row as { n: number }).n;
    });
  }

  #document<K extends ArchivedKind>(kind: K, id: string): Documents[K] | undefined {
    const row = this.#prepared('SELECT CAST(body AS BLOB) AS body FROM documents WHERE kind = ? AND id = ?').get(
      kind,
      id,
    ) as { body: ArrayBuffer } | undefined;
    return row === undefined ? undefined : parseBody<Documents[K]>(row.body, () => `${kind} ${id}`);
  }

  /** Each merged list comes from an index in the order of the result, so at most `limit` rows of each list are read. */
  #ids(query: AlertQuery): string[] {
    const { limit } = query;
    const driving = INDEXED.find(([list]) => query[list] !== undefined);
    if (driving === undefined) return this.#walk(query, this.#startOf(query), limit).map(idOf);
    const [list, column] = driving;
    const values = new Set(query[list]);
    const rest = { ...query, [list]: undefined };
    const rows = [...values].flatMap((value) => this.#walk(rest, { column, value }, limit));
    if (values.size > 1) rows.sort((a, b) => b.created_at - a.created_at || Buffer.compare(bytes(b), bytes(a)));
    return rows.slice(0, limit).map(idOf);
  }

  #walk(query: AlertQuery, start: WalkStart, limit: number | undefined): AlertRow[] {
    const { terms, values } = whereOf(query);
    const index = start === null ? 'alerts_walk' : `alerts_${start.column}`;
    const own = start?.value === undefined ? [] : [`${start.column} = ?`];
    const text = `SELECT CAST(id AS BLOB) AS id, created_at FROM alerts INDEXED BY ${index}
      WHERE ${[...own, ...terms].join(' AND ')} ORDER BY created_at DESC, id DESC${limit === undefined ? '' : ' LIMIT ?'}`;
    const bound = [...(start?.value === undefined ? [] : [start.value]), ...values];
    return this.#prepared(text).all(...bound, ...(limit === undefined ? [] : [limit])) as AlertRow[];
  }

  #startOf({ organizationId, modifiedSince }: AlertQuery): WalkStart {
    if (modifiedSince === undefined) return null;
    const text =
      'SELECT count(*) AS n FROM (SELECT 1 FROM alerts WHERE organization_id = ? AND modified_at >= ? LIMIT ?)';
    const { n } = this.#prepared(text).get(organizationId, modifiedSince, FEW_MODIFIED + 1) as { n: number };
    return n > FEW_MODIFIED ? null : { column: 'modified' };
  }

  #prepared(text: string): Database.Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/**
 * The start of a walk: an index, and the value of its column if it has one. Null: the walk starts at the newest alert.
 */
type WalkStart = { readonly column: string; readonly value?: string } | null;

const bytes = ({ id }: AlertRow): Buffer => Buffer.from(id);
const idOf = ({ id }: AlertRow): string => looseText(id);

function whereOf(query: AlertQuery): Where {
  const terms = ['organization_id = ?'];
  const values: BoundValue[] = [query.organizationId];
  const add = (term: string, ...bound: BoundValue[]): void => {
    terms.push(term);
    values.push(...bound);
  };
  const list = (column: string, items: readonly string[] | undefined, also = ''): void => {
    if (items !== undefined) add(`(${column} IN (SELECT value FROM json_each(?))${also})`, JSON.stringify(items));
  };
  list('status', query.statuses);
  for (const [name, column] of INDEXED) list(column, query[name]);
  list('contractor', query.seenBy, ' OR worker_id IS NULL');
  if (query.createdAfter !== undefined) add('created_at >= ?', query.createdAfter);
  if (query.createdBefore !== undefined) add('created_at < ?', query.createdBefore);
  if (query.modifiedSince !== undefined) add('modified_at >= ?', query.modifiedSince);
  // A row value instead of `a < x OR (a = x AND b < y)`, because SQLite can seek in the index with it.
  if (query.after !== undefined) add('(created_at, id) < (?, ?)', query.after.createdAt, query.after.id);
  return { terms, values };
}
