/** SQLite's native library, loaded on first use, so that a missing platform package is an outage with a fix. */
import { createRequire } from 'node:module';
import type Database from 'libsql';
import { Outage } from '../../../base/assert.ts';

type Libsql = typeof Database;

let loaded: Libsql | null = null;

/**
 * Throws an `Outage` if npm did not install the package for this platform, which is an optional dependency of libsql.
 */
export function openDatabase(file: string, options: Database.Options = {}): Database.Database {
  loaded ??= load(createRequire(import.meta.url));
  return new loaded(file, options);
}

function load(require: (name: string) => unknown): Libsql {
  // libsql finds its platform in the process report, whose part about the network asks for the names of hosts.
  Object.assign(process.report, { excludeNetwork: true });
  try {
    return require('libsql') as Libsql;
  } catch (error) {
    throw sqliteMissing(error as NodeJS.ErrnoException);
  }
}

/** The outage names the package that Node could not find, as in Node's error message. */
function sqliteMissing(error: NodeJS.ErrnoException): Outage {
  const [, missing] = /Cannot find module '((?:@libsql\/|libsql)[^']*)'/.exec(error.message) ?? [];
  const machine = `${process.platform}-${process.arch}`;
  if (missing === undefined)
    return new Outage({
      code: 'sqlite_missing',
      message: `SQLite's native library does not load on ${machine}: ${error.message.split('\n')[0]}`,
      fix: 'It needs glibc 2.28 or musl on Linux, macOS, or Windows on x64. Install again with: npm install muster-sandbox',
      cause: error,
    });
  return new Outage({
    code: 'sqlite_missing',
    message: `SQLite's library for ${machine} is not installed: the package ${missing} is missing.`,
    fix: 'npm left it out, by --omit=optional or by a lockfile of another system. Remove node_modules and package-lock.json, then: npm install --include=optional',
    cause: error,
  });
}
