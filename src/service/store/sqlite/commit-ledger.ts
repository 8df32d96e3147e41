/**
 * A commit counter next to the database. Each commit increments the counter in the database first and then this one. A
 * ledger that is ahead of the database therefore shows that acknowledged commits are gone (a deleted or damaged -wal,
 * an older database restored). SQLite itself cannot detect this: it silently recovers what it finds. [decisions 10]
 */
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { sha256Hex } from '../../../base/ids.ts';

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

/**
 * Writes counts alternately into two slots, in place: this works on a full disk, and a torn write leaves the other slot
 * intact.
 */
export class CommitLedger {
  readonly #descriptor: number;
  #closed = false;

  /** Creates the file again with `count` in both slots, which are on the disk when the constructor returns. */
  constructor(file: string, count: CommitCount) {
    rmSync(file, { force: true });
    this.#descriptor = openSync(file, 'wx', 0o600);
    for (let slot = 0; slot < SLOTS; slot++) this.#write(slot, count);
    fsyncSync(this.#descriptor);
  }

  /**
   * There is no fsync: after a crash of the process the system still has the data, and after a power failure a ledger
   * that is behind the database reports no loss.
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
