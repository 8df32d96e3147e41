/** Detects changes to the data folder by other processes while the sandbox runs, because later acknowledgements would be lost. [decisions 10] */
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { later, monotonicMs } from '../../../base/time/timers.ts';
import { StorageBroken } from '../../engine/store-port.ts';
import { COMMITS_FILE, DATABASE_FILE, KEY_FILE, LOCK_FILE } from './files.ts';

/**
 * Interval of the checks of an idle sandbox; wall ms. `fs.watch` is not used: on Linux it also reports the process's
 * own writes, about ten per commit, which made a commit a third slower (measured).
 */
const POLL_MS = 100;

/** Shortest interval between two checks before replies; wall ms. */
const GLANCE_MS = 5;

/**
 * `same`: the inode must not change. `bytes`: in addition, no other process may write to the file. Before a commit, the
 * `bytes` files and the key are checked.
 */
type Care = 'same' | 'bytes';

interface Known {
  readonly path: string;
  readonly words: string;
  readonly care: Care;
  /** Null: the file did not exist when this process last checked, and may appear. */
  before: BigIntStats | null;
}

/** Another process deleted, moved or overwrote a file in use. */
export class FolderChanged extends StorageBroken {}

export class FolderGuard {
  readonly #folder: string;
  readonly #known: readonly Known[];
  /** The database and its log, which this process writes itself. */
  readonly #written: readonly Known[];
  /**
   * Only a few files, because each costs a system call at every commit (3 us). If the folder is removed, these files
   * are missing too.
   */
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

  /** Checks before a reply that commits nothing; at most once per `GLANCE_MS`. */
  glance(): void {
    const now = monotonicMs();
    if (now - this.#lookedAt < GLANCE_MS) return;
    this.#lookedAt = now;
    this.#look();
  }

  /** Checks before a commit. Throws `FolderChanged` if a file differs from the state in which this process left it. */
  check(): void {
    this.#look(this.#underEachCommit);
    if (this.#changed !== null) throw this.#changed;
  }

  /** Called after a commit: the files as this process just wrote them become the expected state. */
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

  /** Writing to the key file is allowed if its content stays the same. */
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
