/** Detects changes of the data folder from outside while the sandbox runs: later acknowledgements would be lost. [decisions 10] */
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { later, monotonicMs } from '../../base/time/timers.ts';
import { StorageBroken } from '../../engine/store-port.ts';
import { COMMITS_FILE, DATABASE_FILE, KEY_FILE, LOCK_FILE } from './files.ts';

/**
 * An idle sandbox looks this often; wall ms. Not `fs.watch`: on Linux it reports our own writes too, some ten a commit,
 * which made a commit a third slower (measured).
 */
const POLL_MS = 100;

/** Between two glances; wall ms. */
const GLANCE_MS = 5;

/** `same`: the inode must not change. `bytes`: no other process may write to it either; both are checked before each commit. */
type Care = 'same' | 'bytes';

interface Known {
  readonly path: string;
  readonly words: string;
  readonly care: Care;
  /** Null: it was not there when it was last looked at, and may come. */
  before: BigIntStats | null;
}

/** A file in use was deleted, moved or overwritten by another process. */
export class FolderChanged extends StorageBroken {}

export class FolderGuard {
  readonly #folder: string;
  readonly #known: readonly Known[];
  /** The database and its log, which this process writes itself. */
  readonly #written: readonly Known[];
  /** Few, because each costs a system call at every commit (3 us). A folder that is gone takes them with it. */
  readonly #underEachCommit: readonly Known[];
  readonly #key: string;
  readonly #onChanged: (error: FolderChanged) => void;
  #changed: FolderChanged | null = null;
  #lookedAt = 0;
  #stopPolling: () => void = () => {};
  #stopped = false;

  /** `onChanged` is called once, at the first change that is found. */
  constructor(folder: string, onChanged: (error: FolderChanged) => void) {
    const file = (name: string, words: string, care: Care): Known => ({
      path: join(folder, name),
      words,
      care,
      before: null,
    });
    this.#folder = folder;
    this.#onChanged = onChanged;
    this.#known = [
      { path: folder, words: 'the data folder', care: 'same', before: null },
      file(LOCK_FILE, 'the lock of the data folder', 'same'),
      file(KEY_FILE, 'the root key', 'same'),
      file(COMMITS_FILE, 'the commit ledger', 'same'),
      file(DATABASE_FILE, 'the database', 'bytes'),
      file(`${DATABASE_FILE}-wal`, 'the write-ahead log of the database', 'bytes'),
      file(`${DATABASE_FILE}-shm`, 'the index of the write-ahead log', 'same'),
    ];
    this.#written = this.#known.filter(({ care }) => care === 'bytes');
    this.#underEachCommit = [...this.#written, ...this.#known.filter(({ path }) => basename(path) === KEY_FILE)];
    this.#key = readFileSync(join(folder, KEY_FILE), 'utf8');
    for (const known of this.#known) known.before = statOf(known.path);
  }

  /** Starts the periodic check, in addition to the one at each commit. */
  start(): void {
    this.#stopPolling = later(
      POLL_MS,
      () => {
        this.#look();
        if (!this.#stopped) this.start();
      },
      { unref: true },
    );
  }

  stop(): void {
    this.#stopped = true;
    this.#stopPolling();
  }

  /** Before an answer that commits nothing; where there are many, not before each. */
  glance(): void {
    const now = monotonicMs();
    if (now - this.#lookedAt < GLANCE_MS) return;
    this.#lookedAt = now;
    this.#look();
  }

  /** Before a commit. Throws `FolderChanged` when what it rests on differs from what this process left. */
  check(): void {
    this.#look(this.#underEachCommit);
    if (this.#changed !== null) throw this.#changed;
  }

  /** After a commit: the files as this process just wrote them are the expected state. */
  remember(): void {
    for (const known of this.#written) known.before = statOf(known.path);
  }

  #look(which = this.#known): void {
    if (this.#stopped || this.#changed !== null) return;
    const why = this.#difference(which);
    if (why === null) return;
    this.#changed = new FolderChanged(`${why} while the sandbox was running (${this.#folder}).`);
    this.#onChanged(this.#changed);
  }

  #difference(which: readonly Known[]): string | null {
    for (const { path, words, care, before } of which) {
      if (before === null) continue;
      const now = statOf(path);
      const subject = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
      if (now === null) return `${subject} was deleted or moved away`;
      if (now.ino !== before.ino || now.dev !== before.dev) return `${subject} was replaced`;
      if (now.size === before.size && now.mtimeNs === before.mtimeNs) continue;
      if (care === 'bytes' || (basename(path) === KEY_FILE && this.#isOtherKey(path)))
        return `${subject} was overwritten`;
    }
    return null;
  }

  /** Written to, which is allowed as long as it says the same. */
  #isOtherKey(path: string): boolean {
    try {
      return readFileSync(path, 'utf8') !== this.#key;
    } catch {
      return true;
    }
  }
}

function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
}
