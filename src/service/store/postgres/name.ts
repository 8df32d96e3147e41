/** The name of a database in messages. */

/** The database without its password, for messages. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `the database ${decodeURIComponent(pathname.slice(1)) || 'postgres'} at ${host || 'this machine'}`;
}
