/** Kills the process inside the n-th transaction that writes an event: after its rows, before COMMIT. `DIE_AT=n`, `DIE_BEFORE=EVENT|COMMIT`. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const Database = createRequire(join(process.env.DIE_ROOT, 'package.json'))('libsql');
let left = Number(process.env.DIE_AT);
let hasEvent = false;
const die = () => process.kill(process.pid, 'SIGKILL');
const { prepare } = Database.prototype;
Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  const isEvent = sql.startsWith('INSERT INTO events');
  if (!isEvent && sql !== 'COMMIT') return statement;
  const run = statement.run.bind(statement);
  statement.run = (...values) => {
    if (isEvent) {
      if (process.env.DIE_BEFORE === 'EVENT' && --left === 0) die();
      hasEvent = true;
    } else if (hasEvent) {
      hasEvent = false;
      if (process.env.DIE_BEFORE === 'COMMIT' && --left === 0) die();
    }
    return run(...values);
  };
  return statement;
};
