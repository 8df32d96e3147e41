/** Errors of Postgres in the words of the port: a database that is away is waited for, and an opening says what to do. */
import { Outage } from '../../base/assert.ts';
import { StorageBroken, StorageFull } from '../../engine/store-port.ts';

/** The database does not answer: the transaction is taken back, callers get 503, and the next transaction may succeed. */
export class StorageAway extends StorageFull {
  override readonly name = 'StorageAway';
}

/** Classes and codes of Postgres after which a connection is gone, or the server has no room: both pass. */
const PASSING = /^(08|53|57P|58)|^(40001|40P01|55P03|57014)$/;

/** Of Node's sockets and of pg's own words for a connection that ended. */
const GONE = /^(E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN))/;
const ENDED = /terminated|timeout|not queryable|closed|Client has encountered a connection error/i;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');
const wordsOf = (error: unknown): string => {
  // Node tries all addresses of a name, and says nothing itself.
  const causes = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const cause = causes[0] ?? error;
  return cause instanceof Error && cause.message !== '' ? cause.message : codeOf(error) || String(error);
};

/** Whether the connection ended: the outcome of the statement under way is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  return /^(08|57P0)/.test(code) || GONE.test(code) || (!/^[0-9A-Z]{5}$/.test(code) && ENDED.test(wordsOf(error)));
}

/** The error of a read or a commit. What is not known to pass means that what was written may not be there. */
export function postgresTrouble(error: unknown, during: string): StorageFull | StorageBroken {
  if (error instanceof StorageFull || error instanceof StorageBroken) return error;
  if (isConnectionLoss(error) || PASSING.test(codeOf(error)))
    return new StorageAway(`The database does not answer: ${during} failed (${wordsOf(error)}).`, { cause: error });
  return new StorageBroken(`The database failed at ${during} (${wordsOf(error)}).`, { cause: error });
}

/** The error of an opening; `named`: the database without its password. */
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
