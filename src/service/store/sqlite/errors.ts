/** Maps SQLite's result codes to an outage at the opening, a full disk, or storage that can no longer be trusted. */
import { Outage } from '../../../base/assert.ts';
import { StorageBroken, StorageFull, StorageLocked } from '../../engine/store-port.ts';

// Primary result codes of SQLite; an extended code carries its primary one in the low byte.
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

/** The wal-index could not grow: in practice ENOSPC, which SQLite reports with this code only for this file. */
const IOERR_SHMSIZE = 4874;

/** Returns SQLite's (extended) result code of an error that libsql threw; null if it is not such an error. */
export function resultCode(error: unknown): number | null {
  const { rawCode, message } = error as { rawCode?: unknown; message?: unknown };
  if (typeof rawCode === 'number') return rawCode;
  // Errors of libsql's constructor have the code only at the end of their text: `ConnectionFailed("Unable to open ...
  // world.db: 14")`.
  const atEnd = typeof message === 'string' ? /^ConnectionFailed\(".*: (\d+)"\)$/s.exec(message)?.[1] : undefined;
  return atEnd === undefined ? null : Number(atEnd);
}

/** Returns true if there was no space to write. */
export function isDiskFull(error: unknown): boolean {
  const code = resultCode(error);
  return primary(code) === FULL || code === IOERR_SHMSIZE;
}

/** True when another connection holds the requested lock. */
export function isBusy(error: unknown): boolean {
  const code = primary(resultCode(error));
  return code === BUSY || code === LOCKED;
}

/**
 * Converts the error of a read or a commit to an error of the port. Only a full disk is temporary; any other error
 * (IOERR, CORRUPT, NOTADB, READONLY, or an unknown code) means that written data may be missing.
 */
export function storageError(error: unknown, during: string): StorageFull | StorageBroken {
  if (error instanceof StorageFull || error instanceof StorageBroken) return error;
  const code = resultCode(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (isDiskFull(error)) {
    return new StorageFull(`The disk is full: ${during} failed (${reason}).`, { cause: error });
  }
  if (isBusy(error)) {
    return new StorageLocked(`Another program has locked the database: ${during} waited without success (${reason}).`, {
      cause: error,
    });
  }
  const named = code === null ? reason : `${reason}, SQLite code ${code}`;
  return new StorageBroken(`The storage failed at ${during} (${named}).`, { cause: error });
}

/** Converts the error of an opening to an outage that names the file and the fix. */
export function openingOutage(file: string, error: unknown): Outage {
  if (error instanceof Outage) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = isDiskFull(error) ? FULL : resultCode(error);
  return new Outage({ ...openingTrouble(file, code), cause: reason });
}

/** The outage for a valid SQLite file that another program made. */
export function foreignDatabase(file: string): Outage {
  return new Outage({
    code: 'database_foreign',
    message: `${file} is a database, but not one of this sandbox.`,
    fix: 'The file was not changed. Name another folder with --data-dir, or move the file away.',
  });
}

function openingTrouble(file: string, code: number | null): { code: string; message: string; fix: string } {
  switch (primary(code)) {
    case FULL:
      return {
        code: 'database_disk_full',
        message: `The disk is full: ${file} cannot be opened for writing.`,
        fix: 'Free space on that disk, or name a folder on another disk with --data-dir.',
      };
    case BUSY:
    case LOCKED:
      return {
        code: 'database_busy',
        message: `Another process has locked ${file}.`,
        fix: 'Close whatever has the database open (a database browser, a backup), then start again.',
      };
    case PERM:
    case READONLY:
    case CANTOPEN:
      return {
        code: 'database_not_writable',
        message: `${file} cannot be opened for writing.`,
        fix: 'Check that you own the file and that its disk is writable, or name another folder with --data-dir.',
      };
    case IOERR:
      return {
        code: 'database_disk_failing',
        message: `The disk failed while ${file} was opened (SQLite code ${code}). Nothing is known to be lost.`,
        fix: 'Check that disk and start again, or name a folder on another disk with --data-dir.',
      };
    default:
      return {
        code: 'database_unreadable',
        message: `${file} cannot be read as a database of this sandbox: it is damaged, or another kind of file.`,
        fix: 'To start with a new world, move the file away (its data is lost to the sandbox). Or name another folder with --data-dir.',
      };
  }
}

function primary(code: number | null): number | null {
  return code === null ? null : code & 0xff;
}
