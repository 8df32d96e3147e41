/** `sandbox up` as a child process, for judges that meet the product only by its command, its sockets and its documents. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const BIN = join(import.meta.dirname, '../../bin/sandbox.js');

/** The same world, the same ids and the same secrets every time. */
const SEED = '7';

/** What would turn a flag's default is left out. */
export const cleanEnv = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBOX_')));

/** A Postgres server, as postgres://user@host:port: each sandbox has a database of its own there, in place of memory. */
const SERVER = process.env.JUDGES_POSTGRES;
let databases = 0;

async function newDatabase() {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: `${SERVER}/postgres` });
  await client.connect();
  const name = `judged_${process.pid}_${++databases}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return `${SERVER}/${name}`;
}

/** What its ready line says, and a `stop` that waits for its end. `cwd`: the project folder; default: that of the judge. */
export async function upSandbox(folder, flags = [], cwd = process.cwd()) {
  const keeping = SERVER === undefined ? ['--memory'] : ['--database', await newDatabase()];
  const place = [...keeping, '--data-dir', join(folder, 'data'), '--port', '0', '--mqtt-port', '0'];
  const args = ['up', '--json', '--seed', SEED, ...place, ...flags];
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: cleanEnv(), stdio: ['ignore', 'pipe', 'pipe'] });
  const told = keepLast(child.stderr);
  const ended = new Promise((done) => child.once('close', done));
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    new Promise((done) => lines.once('line', done)),
    ended.then((code) => {
      throw new Error(`sandbox up ended with ${code}: ${told()}`);
    }),
  ]);
  const { data, error } = JSON.parse(first);
  if (data === null) throw new Error(`sandbox up: ${error.message}`);
  return {
    ready: data,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`sandbox up did not stop cleanly: ${code} ${told()}`);
    },
  };
}

/** A customer's receiver on a loopback port: it keeps what it is sent and answers 204. */
export async function openReceiver() {
  const got = [];
  const waiting = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.writeHead(204).end();
      const delivery = { headers: request.headers, text: Buffer.concat(parts).toString('utf8') };
      got.push(delivery);
      for (const one of waiting.splice(0)) if (!one(delivery)) waiting.push(one);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** The first delivery, come already or still to come, that fits. */
    delivery: (fits) =>
      new Promise((done) => {
        const come = got.find(fits);
        if (come !== undefined) return done(come);
        waiting.push((delivery) => {
          if (fits(delivery)) done(delivery);
          return fits(delivery);
        });
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/** A folder that is gone when the work in it is over. */
export async function inOwnFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-judges-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a stream to its end; what it said last is told when something goes wrong. */
export function keepLast(stream) {
  let text = '';
  stream.on('data', (part) => {
    text = `${text}${part}`.slice(-20_000);
  });
  return () => text;
}
