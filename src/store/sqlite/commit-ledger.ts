/**
 * A commit counter beside the database. Each commit counts up in the database, then here; so a ledger that is ahead tells
 * that acknowledged commits are gone (a deleted or damaged -wal, an older database put back), which SQLite itself
 * cannot notice: it recovers what it finds, in silence. [decisions 10]
 */
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { sha256Hex } from '../../base/ids.ts';

/** The number of commits since the database was made, and the wall time of the last one, ms. */
export interface CommitCount {
  readonly commits: number;
  readonly at: number;
}

const SLOT_BYTES = 64;
const SLOTS = 2;
const CHECK_DIGITS = 16;

/** The last count written completely; null without a ledger; `damaged` when no slot is readable. */
export function readLedger(file: string): CommitCount | null | 'damaged' {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let newest: CommitCount | null = null;
  for (let slot = 0; slot < SLOTS; slot++) {
    const count = parseSlot(bytes.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES).toString('latin1'));
    if (count !== null && (newest === null || count.commits > newest.commits)) newest = count;
  }
  return newest ?? 'damaged';
}

/** Writes counts in turn into two slots, in place: a full disk has room for it, and a torn write leaves the other slot. */
export class CommitLedger {
  readonly #descriptor: number;
  #closed = false;

  /** Begins the file anew with `count` in both slots, on the disk when the constructor returns. */
  constructor(file: string, count: CommitCount) {
    rmSync(file, { force: true });
    this.#descriptor = openSync(file, 'wx', 0o600);
    for (let slot = 0; slot < SLOTS; slot++) this.#write(slot, count);
    fsyncSync(this.#descriptor);
  }

  /**
   * Not synced: after a crash of the process the system still has it, and after a power cut a ledger that is behind
   * the database accuses nobody.
   */
  put(count: CommitCount): void {
    if (!this.#closed) this.#write(count.commits % SLOTS, count);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#descriptor);
  }

  #write(slot: number, count: CommitCount): void {
    writeSync(this.#descriptor, slotText(count), slot * SLOT_BYTES, 'latin1');
  }
}

function slotText({ commits, at }: CommitCount): string {
  const text = `${commits} ${at}`;
  return `${text} ${checkOf(text)}`.padEnd(SLOT_BYTES - 1).concat('\n');
}

function parseSlot(text: string): CommitCount | null {
  const [, count, commits, at, check] = /^((\d{1,16}) (\d{1,16})) ([0-9a-f]{16}) *\n$/.exec(text) ?? [];
  if (count === undefined || checkOf(count) !== check) return null;
  return { commits: Number(commits), at: Number(at) };
}

const checkOf = (text: string): string => sha256Hex(text).slice(0, CHECK_DIGITS);
