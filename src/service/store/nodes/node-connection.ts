/** The connection of a node to the database. The other nodes see from it that the node is alive. */
import { Client } from 'pg';
import { Outage } from '../../../base/assert.ts';
import { applicationName, NODE_PROGRAM } from '../postgres/link.ts';
import { SCHEMA } from '../postgres/schema.ts';

export async function connected(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName(NODE_PROGRAM),
    connectionTimeoutMillis: 3_000,
    query_timeout: 60_000,
    keepAlive: true,
    options: `-c search_path=${SCHEMA}`,
  });
  client.on('error', () => {});
  await client.connect();
  await client.query('LISTEN muster_turns; LISTEN muster_claims');
  return client;
}

/** Names the connection so that the other nodes find it. */
export const named = (client: Client, epoch: number): Promise<unknown> =>
  client.query(`SET application_name = '${NODE_PROGRAM} ${epoch}'`);

/**
 * A killed node of that name is removed at once. If such a node still has a connection, it is running or suspended, and
 * the name is refused.
 */
export async function refuseTakenName(client: Client, name: string, database: string): Promise<void> {
  await client.query(
    `WITH dead AS (DELETE FROM nodes n WHERE name = $1
       AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = '${NODE_PROGRAM} ' || n.epoch) RETURNING epoch)
     UPDATE claims SET node = NULL WHERE node IN (SELECT epoch FROM dead)`,
    [name],
  );
  const taken = await client.query('SELECT 1 FROM nodes WHERE name = $1', [name]);
  if (taken.rows.length === 0) return;
  throw new Outage({
    code: 'node_name_taken',
    message: `A node with the name ${name} already uses ${database}.`,
    fix: 'Use another name: --node NAME.',
  });
}
