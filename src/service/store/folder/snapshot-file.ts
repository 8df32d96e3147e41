/** Snapshots: the state of a sandbox in a file that only its user may read; equal states give equal bytes. [cli, snapshot] */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../base/ids.ts';
import type { Slices } from '../../../base/time/slices.ts';
import { FILE_LIMITS, isRegularFile, openUserLines, UnreadableLine } from '../../../base/user-files.ts';
import { columnsOf, type StoredRow } from '../state-rows.ts';
import { makePrivateFolder, writePrivately } from './private-files.ts';

const FOLDER = 'snapshots';
const ENDING = '.ndjson';
const FORMAT = 'muster-sandbox snapshot';
/** The number of this form. A change of the rows of a state raises it, and other numbers are refused. */
const SCHEMA = 5;

/** The options with which the world was made; they are required to continue it. */
export interface SnapshotOrigin {
  readonly origin: string;
  readonly seed: string | null;
  readonly watches: number | null;
  /** True if the plant of the first site came from a file. */
  readonly site: boolean;
}

export interface SnapshotFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** Wall time of the last writing, ms. */
  readonly savedAt: number;
}

const fileOf = (folder: string, name: string): string => join(folder, FOLDER, `${name}${ENDING}`);

/** Writes a snapshot; a snapshot of that name is replaced. */
export function writeSnapshot(
  folder: string,
  name: string,
  origin: SnapshotOrigin,
  rows: readonly StoredRow[],
): SnapshotFile {
  makePrivateFolder(folder, { ignored: true });
  makePrivateFolder(join(folder, FOLDER));
  const lines = [
    JSON.stringify({ format: FORMAT, schema: SCHEMA, ...origin }),
    ...rows.map((row) => JSON.stringify(row)),
  ];
  const text = `${lines.join('\n')}\n`;
  writePrivately(fileOf(folder, name), `${text}${JSON.stringify({ rows: rows.length, sha256: sha256Hex(text) })}\n`);
  return shown(folder, name);
}

/** Sorted by name. */
export function listSnapshots(folder: string): SnapshotFile[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(folder, FOLDER)).filter((file) => file.endsWith(ENDING));
  } catch {
    // Without the folder there are no snapshots.
  }
  // Anything else with such a name, for example a broken link, is not a snapshot.
  return names
    .filter((name) => isRegularFile(join(folder, FOLDER, name)))
    .sort()
    .map((file) => shown(folder, file.slice(0, -ENDING.length)));
}

/**
 * Returns null if there is no snapshot of that name, or a sentence if it cannot be used. Reads line by line, because a
 * world may be large. [decisions 9]
 */
export function* readSnapshot(
  folder: string,
  name: string,
): Slices<{ readonly origin: SnapshotOrigin; readonly rows: StoredRow[] } | string | null> {
  const file = fileOf(folder, name);
  const lines = openUserLines(file, { mostBytes: FILE_LIMITS.line });
  if ('why' in lines) return lines.code === 'missing' ? null : `The snapshot ${file} ${lines.why}.`;
  try {
    return yield* snapshotIn(lines, file);
  } catch (error) {
    if (error instanceof UnreadableLine) return `The snapshot ${file} ${error.message}.`;
    if (error instanceof SyntaxError) return damaged(file);
    throw error;
  }
}

const damaged = (file: string): string => `The snapshot ${file} is damaged or cut short.`;

/** Throws a SyntaxError if a line is not JSON. The last line has the checksum of all other lines. */
function* snapshotIn(
  lines: Iterable<string>,
  file: string,
): Slices<{ readonly origin: SnapshotOrigin; readonly rows: StoredRow[] } | string> {
  const hash = createHash('sha256');
  const rows: StoredRow[] = [];
  let head: (SnapshotOrigin & { format?: unknown; schema?: unknown }) | null = null;
  let last: string | null = null;
  for (const line of lines) {
    if (last !== null) {
      hash.update(`${last}\n`);
      const read = objectIn(last);
      if (head === null) head = read as SnapshotOrigin;
      else if (isRow(read)) rows.push(read as unknown as StoredRow);
      else return damaged(file);
      // A file that is not a snapshot is refused without reading the rest.
      if (head.format !== FORMAT) return damaged(file);
      yield;
    }
    last = line;
  }
  const { sha256 } = objectIn(last ?? '') as { readonly sha256?: unknown };
  if (head === null || sha256 !== hash.digest('hex')) return damaged(file);
  const { format: _format, schema, ...origin } = head;
  if (schema !== SCHEMA)
    return `The snapshot ${file} was written by another version of the sandbox (form ${String(schema)}; this version reads ${SCHEMA}). Use that version to load it.`;
  return { origin, rows };
}

/** Throws a SyntaxError if the line is not a JSON object or array. */
function objectIn(line: string): object {
  const value: unknown = JSON.parse(line);
  if (typeof value === 'object' && value !== null) return value;
  throw new SyntaxError('No object.');
}

const isRow = (line: object): boolean => Array.isArray(line) && columnsOf(String(line[0])) === line.length - 1;

function shown(folder: string, name: string): SnapshotFile {
  const file = fileOf(folder, name);
  const { size, mtimeMs } = statSync(file);
  return { name, file, bytes: size, savedAt: Math.floor(mtimeMs) };
}
