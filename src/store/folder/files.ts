/** The names of the files in a data folder. */

export const KEY_FILE = 'key';
export const DATABASE_FILE = 'world.db';
/** With which options the world was made. */
export const MADE_FILE = 'made.json';
export const SANDBOX_FILE = 'sandbox.json';
export const LOCK_FILE = 'lock';
/** Locked by the sandbox in memory that announces itself in a folder; it keeps nobody out of it. */
export const MEMORY_LOCK_FILE = 'memory.lock';
/** The commit counter beside the database: `CommitLedger`. */
export const COMMITS_FILE = 'commits';
/** Written at a clean close: size and time of the database, so that the next opening need not look through its rows. */
export const SEAL_FILE = 'sealed';
/** The database of an upgrade that has not replaced the old one yet. */
export const DRAFT_FOLDER = 'upgrade';
/** There while an upgraded database takes the place of the old one. */
export const REPLACING_FILE = 'replacing';
/** The certificate authority of `up --tls`: its certificate and its private key. */
export const AUTHORITY_FILE = 'authority.pem';
/** The authority's certificate alone, a copy for clients. */
export const CA_FILE = 'ca.pem';
/** The server certificate and its private key. */
export const SERVER_FILE = 'server.pem';
export const TLS_FILES = [AUTHORITY_FILE, CA_FILE, SERVER_FILE] as const;
