/** Converts failures with the data folder or its files to outages that name the failure and the fix. */
import { asError, Outage } from '../../../base/assert.ts';
import { isDiskFull } from '../sqlite/errors.ts';

/** Codes of a full, read-only or failing disk, for any file. */
const OF_THE_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

/**
 * Returns true for an error of the operating system about this folder or its disk. A failed write reports no file name.
 */
export function isFolderError(error: unknown, folder: string): boolean {
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return false;
  return path === undefined ? OF_THE_DISK.has(errnoOf(error) ?? '') : path.startsWith(folder);
}

/** Converts a failure with a folder or its files to an outage that names the folder and the fix. */
export function folderOutage(folder: string, error: unknown): Outage {
  if (error instanceof Outage) return error;
  const reason = error instanceof Error ? error.message : String(error);
  // The lock of the folder is a SQLite database, so the error may come from SQLite.
  const code = isDiskFull(error) ? 'ENOSPC' : errnoOf(error);
  return new Outage({ ...folderTrouble(folder, code, reason, asError(error)), cause: error });
}

function folderTrouble(
  folder: string,
  code: string | undefined,
  reason: string,
  { syscall, path }: NodeJS.ErrnoException,
): { code: string; message: string; fix: string } {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return {
        code: 'data_folder_not_a_folder',
        message: `The data folder ${folder} cannot be created: a file with that name exists, or its parent is a file.`,
        fix: 'Move that file away, or name another folder with --data-dir.',
      };
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'data_folder_forbidden',
        message: `The data folder ${folder} cannot be used: ${forbidden(folder, syscall, path)}.`,
        fix: 'Change its owner or mode, name another folder with --data-dir, or use --memory.',
      };
    case 'EROFS':
      return {
        code: 'data_folder_read_only',
        message: `The data folder ${folder} is on a read-only disk.`,
        fix: 'Name a folder on a writable disk with --data-dir, or use --memory.',
      };
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return {
        code: 'data_folder_disk_full',
        message: `The disk of the data folder ${folder} is full.`,
        fix: 'Free space on it, name a folder on another disk with --data-dir, or use --memory.',
      };
    case 'EIO':
      return {
        code: 'data_folder_disk_failing',
        message: `The disk of the data folder ${folder} failed: ${reason}.`,
        fix: 'Check that disk and start again, or name a folder on another disk with --data-dir.',
      };
    default:
      return {
        code: 'data_folder_failed',
        message: `The data folder ${folder} cannot be used: ${reason}`,
        fix: 'Name another folder with --data-dir, or use --memory.',
      };
  }
}

/** The code of an error of the operating system. */
export function errnoOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Describes the refused operation, because several operations can be refused. */
function forbidden(folder: string, syscall = '', path = folder): string {
  const user = process.getuid === undefined ? 'this user' : `this user (uid ${process.getuid()})`;
  switch (syscall) {
    case 'access':
      return `${user} may not write to it`;
    case 'mkdir':
      return `${user} may not make ${path}`;
    case 'open':
    case 'read':
      return `${user} may not open ${path}`;
    case 'chmod':
    case 'fchmod':
      return `${user} may not change the mode of ${path}`;
    case '':
      return `${user} may not use a file in it`;
    default:
      return `${user} may not do "${syscall}" with ${path}`;
  }
}
