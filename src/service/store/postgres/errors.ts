/** Converts errors of Postgres to those of the port: an unreachable database is retried, and a failed start reports the fix. */
import { Outage } from '../../../base/assert.ts';
import { StorageBroken, StorageFull } from '../../engine/store-port.ts';

/**
 * The database does not answer: the transaction is rolled back, callers get 503, and the next transaction may succeed.
 */
export class StorageAway extends StorageFull {
  override readonly name = 'StorageAway';
}

/** Error classes and codes of Postgres for a lost connection or a server without space: both are temporary. */
const PASSING = /^(08|53|57P|58)|^(40001|40P01|55P03|57014)$/;

/** Error codes of Node's sockets, and messages of pg, for a connection that ended. */
const GONE = /^(E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN))/;
const ENDED = /terminated|timeout|not queryable|closed|Client has encountered a connection error/i;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');
const wordsOf = (error: unknown): string => {
  // For a host with several addresses Node throws an AggregateError without a message of its own.
  const causes = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const cause = causes[0] ?? error;
  return cause instanceof Error && cause.message !== '' ? cause.message : codeOf(error) || String(error);
};

/** Returns true if the connection ended, so that the outcome of the running statement is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  return /^(08|57P0)/.test(code) || GONE.test(code) || (!/^[0-9A-Z]{5}$/.test(code) && ENDED.test(wordsOf(error)));
}

/** Converts the error of a read or a commit. If the error is not known to be temporary, written data may be missing. */
export function postgresTrouble(error: unknown, during: string): StorageFull | StorageBroken {
  if (error instanceof StorageFull || error instanceof StorageBroken) return error;
  if (isConnectionLoss(error) || PASSING.test(codeOf(error)))
    return new StorageAway(`The database does not answer: ${during} failed (${wordsOf(error)}).`, { cause: error });
  return new StorageBroken(`The database failed at ${during} (${wordsOf(error)}).`, { cause: error });
}

/** Converts the error of an opening; `named`: the database without its password. */
export function openingTroubleOf(error: unknown, named: string): Outage {
  if (error instanceof Outage) return error;
  const { code, message, fix } = troubleAt(codeOf(error), wordsOf(error), named);
  return new Outage({ code, message, fix, cause: error });
}

function troubleAt(code: string, words: string, named: string): { code: string; message: string; fix: string } {
  switch (code) {
    case '28000':
    case '28P01':
      return {
        code: 'database_refused',
        message: `${named} refuses the user: ${words}.`,
        fix: 'Write the correct user and password: --database postgres://USER:PASSWORD@HOST/NAME.',
      };
    case '3D000':
      return {
        code: 'database_missing',
        message: `${named} does not exist on that server.`,
        fix: 'Create it (createdb NAME), or write the name of an existing database.',
      };
    case '42501':
      return {
        code: 'database_not_writable',
        message: `The user is not allowed to create tables in ${named}: ${words}.`,
        fix: 'Grant CREATE on the database to this user, or use another user.',
      };
    case '53300':
      return {
        code: 'database_busy',
        message: `${named} has no free connection: ${words}.`,
        fix: 'Close other programs that use it, or raise its max_connections.',
      };
    default:
      return {
        code: 'database_not_reachable',
        message: `${named} cannot be used: ${words}.`,
        fix: 'Check whether a Postgres server is running there, and check the host, the port and the name in --database.',
      };
  }
}
