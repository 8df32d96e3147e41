/** Snapshots: the state of a sandbox as a file that is for its user's eyes only; equal states give equal bytes. [cli, snapshot] */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../base/ids.ts';
import { makePrivateFolder, readIfThere, writePrivately } from './data-folder.ts';
import { columnsOf, type StoredRow } from './state-rows.ts';

const FOLDER = 'snapshots';
const ENDING = '.ndjson';
const FORMAT = 'muster-sandbox snapshot';
/** The version of the store's schema that changed the rows of a state last. */
const SCHEMA = 3;

/** With which options the world was made; they are needed to go on with it. */
export interface SnapshotOrigin {
  readonly origin: string;
  readonly seed: string | null;
  readonly watches: number | null;
  /** The plant of the first site came from a file. */
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

/** Replaces one of that name. */
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

/** By name. */
export function listSnapshots(folder: string): SnapshotFile[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(folder, FOLDER)).filter((file) => file.endsWith(ENDING));
  } catch {
    // No folder, no snapshots.
  }
  return names.sort().map((file) => shown(folder, file.slice(0, -ENDING.length)));
}

/** Null: there is none of that name. A sentence: why it cannot be used. */
export function readSnapshot(
  folder: string,
  name: string,
): { readonly origin: SnapshotOrigin; readonly rows: StoredRow[] } | string | null {
  const file = fileOf(folder, name);
  const text = readIfThere(file);
  if (text === null) return null;
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const [head, ...lines] = parsed(text.slice(0, end)) ?? [];
  const [sum] = parsed(text.slice(end)) ?? [];
  const { sha256 } = (sum ?? {}) as { sha256?: unknown };
  if (head === undefined || sha256 !== sha256Hex(text.slice(0, end)) || !lines.every(isRow))
    return `The snapshot ${file} is damaged or cut short.`;
  const { format, schema, ...origin } = head as SnapshotOrigin & { format?: unknown; schema?: unknown };
  if (format !== FORMAT || schema !== SCHEMA)
    return `The snapshot ${file} was written by another version of the sandbox.`;
  return { origin, rows: lines as unknown as StoredRow[] };
}

function parsed(lines: string): object[] | null {
  try {
    return lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
  } catch {
    return null;
  }
}

const isRow = (line: object): boolean => Array.isArray(line) && columnsOf(String(line[0])) === line.length - 1;

function shown(folder: string, name: string): SnapshotFile {
  const file = fileOf(folder, name);
  const { size, mtimeMs } = statSync(file);
  return { name, file, bytes: size, savedAt: Math.floor(mtimeMs) };
}
