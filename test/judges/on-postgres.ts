/** Runs the judges before sandboxes that keep their worlds in Postgres; each of them ends with 0, or this does not. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PostgresServer, withoutPostgres } from '../helpers/postgres-server.ts';

const JUDGES = [['transcript.mjs', '--no-wait'], ['thirteen.mjs'], ['muster.mjs']];

if (withoutPostgres !== null) console.log(`skipped: ${withoutPostgres}`);
else {
  const server = await PostgresServer.start();
  const env = { ...process.env, JUDGES_POSTGRES: server.url('').replace(/\/$/, '') };
  for (const [script = '', ...words] of JUDGES) {
    const lines: string[] = [];
    const child = spawn(process.execPath, [join(import.meta.dirname, script), ...words], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (bytes: Buffer) => lines.push(bytes.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    const text = lines.join('').trimEnd();
    if (code !== 0) console.log(text);
    else console.log(`on Postgres: ${text.slice(text.lastIndexOf('\n') + 1)}`);
    if (code !== 0) process.exitCode = 1;
  }
  await server.destroy();
}
