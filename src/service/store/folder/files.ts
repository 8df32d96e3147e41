/** The names of the files in a data folder. */

export const KEY_FILE = 'key';
export const DATABASE_FILE = 'world.db';
/** The options with which the world was made. */
export const MADE_FILE = 'made.json';
export const SANDBOX_FILE = 'sandbox.json';
export const LOCK_FILE = 'lock';
/**
 * Locked by the sandbox in memory that announces itself in a folder; the lock does not exclude other uses of the
 * folder.
 */
export const MEMORY_LOCK_FILE = 'memory.lock';
/** The commit counter next to the database: `CommitLedger`. */
export const COMMITS_FILE = 'commits';
/** Written at a clean close: size and time of the database, so that the next start does not have to scan its rows. */
export const SEAL_FILE = 'sealed';
/** The folder with the upgraded database that has not replaced the old one yet. */
export const DRAFT_FOLDER = 'upgrade';
/** Exists while an upgraded database replaces the old one. */
export const REPLACING_FILE = 'replacing';
/** The certificate authority of `up --tls`: its certificate and its private key. */
export const AUTHORITY_FILE = 'authority.pem';
/** The authority's certificate alone, a copy for clients. */
export const CA_FILE = 'ca.pem';
/** The server certificate and its private key. */
export const SERVER_FILE = 'server.pem';
export const TLS_FILES = [AUTHORITY_FILE, CA_FILE, SERVER_FILE] as const;
