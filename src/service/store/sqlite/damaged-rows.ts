/** Scans every stored row for invalid UTF-8 or JSON, and deletes such rows when the loss was accepted. */
import type Database from 'libsql';
import { KINDS } from '../../domain/world/documents.ts';
import { StorageBroken } from '../../engine/store-port.ts';
import { KEPT_KIND } from './kept.ts';
import { looseText, parseBody, strictText } from './row-text.ts';

/** Rows read at once; all their bytes are in memory together. */
const CHUNK_ROWS = 1_000;

/** A row that cannot be read. */
interface DamagedRow {
  /** Human-readable: `alert 6f1c… is no UTF-8`. */
  readonly words: string;
  /** Deletes the row. */
  remove(): void;
}

type Bytes = ArrayBuffer | null;
type DamagedTable = 'events' | 'attempts' | 'requests';

const LOGS: { readonly [T in DamagedTable]: { readonly texts: readonly string[]; readonly one: string } } = {
  events: { texts: ['id', 'type', 'organization_id', 'site_id', 'object_id', 'contractor'], one: 'event' },
  attempts: { texts: ['organization_id', 'event_id', 'destination_id'], one: 'attempt' },
  requests: { texts: ['organization_id'], one: 'request' },
};

/** Every damaged row. Measured: 100,000 events of 1.5 KB take about half a second. */
export function damagedRows(database: Database.Database): DamagedRow[] {
  const logs = (Object.keys(LOGS) as DamagedTable[]).flatMap((table) => damagedLogRows(database, table));
  return [...damagedDocuments(database), ...logs];
}

function damagedDocuments(database: Database.Database): DamagedRow[] {
  const damaged: DamagedRow[] = [];
  // The table has no row id from which a second query could continue, so one query iterates over all rows.
  const rows = database.prepare(
    'SELECT CAST(kind AS BLOB) AS kind, CAST(id AS BLOB) AS id, CAST(body AS BLOB) AS body FROM documents',
  );
  const known: ReadonlySet<string> = new Set([...KINDS, KEPT_KIND]);
  for (const { kind, id, body } of rows.iterate() as Iterable<Record<'kind' | 'id' | 'body', ArrayBuffer>>) {
    const name = `${looseText(kind)} ${looseText(id)}`;
    const why = whyDamaged(() => {
      const [ofKind, text] = [strictText(kind, () => name), strictText(id, () => name)];
      if (!known.has(ofKind)) throw new StorageBroken(`${name} is of an unknown kind.`);
      const document = parseBody<{ id?: unknown }>(body, () => name);
      if (ofKind !== KEPT_KIND && document.id !== text)
        throw new StorageBroken(`The stored row of ${name} is damaged: it contains another id.`);
    });
    if (why === null) continue;
    damaged.push({
      words: why,
      remove: () =>
        void database
          .prepare('DELETE FROM documents WHERE CAST(kind AS BLOB) = ? AND CAST(id AS BLOB) = ?')
          .run(Buffer.from(kind), Buffer.from(id)),
    });
  }
  return damaged;
}

function damagedLogRows(database: Database.Database, table: DamagedTable): DamagedRow[] {
  const { texts, one } = LOGS[table];
  const columns = texts.map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(', ');
  const chunk = database.prepare(
    `SELECT seq, ${columns}, CAST(body AS BLOB) AS body FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ${CHUNK_ROWS}`,
  );
  const damaged: DamagedRow[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = chunk.all(after) as ({ seq: number; body: ArrayBuffer } & Record<string, Bytes>)[];
    for (const row of rows) {
      const name = (): string => `${one} ${row['id'] == null ? row.seq : looseText(row['id'])}`;
      const why = whyDamaged(() => {
        for (const column of texts) if (row[column] != null) strictText(row[column], name);
        parseBody(row.body, name);
      });
      if (why === null) continue;
      const { seq } = row;
      damaged.push({ words: why, remove: () => void database.prepare(`DELETE FROM ${table} WHERE seq = ?`).run(seq) });
    }
    const last = rows.at(-1);
    if (last === undefined) return damaged;
    after = last.seq;
  }
}

function whyDamaged(read: () => void): string | null {
  try {
    read();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
