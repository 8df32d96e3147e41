/** A Postgres server of the machine's own packages, for tests: its data in a temporary folder, on a free port of the loopback. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { madeOnce } from './bundles.ts';
import { freePort } from './free-port.ts';
import { unlessMachine } from './needs.ts';

/** Debian keeps the servers of several versions beside each other, and out of the path. */
const DEBIAN = '/usr/lib/postgresql';

const folderOfServer = (): string | null => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted() : [];
  const found = versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .findLast((bin) => existsSync(join(bin, 'initdb')));
  if (found !== undefined) return found;
  return spawnSync('initdb', ['--version']).status === 0 ? '' : null;
};

const BIN = folderOfServer();

export const withoutPostgres = unlessMachine(BIN !== null, 'postgres', 'apt-get install postgresql');

/** The server refuses to run as root: then it is the user of the package. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** With owners and modes, which Node does not copy. */
const copyFolder = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);

export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #as = owner();
  #child: ChildProcess | null = null;
  #databases = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'muster-postgres-'));
    const server = new PostgresServer(folder, await freePort());
    const { uid, gid } = server.#as;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    // Each `initdb` takes a second of processor time, so the first one is copied.
    const made = madeOnce(`postgres-${(BIN ?? '').replace(/\W+/g, '-')}-${uid ?? 'own'}`, (kept) => {
      server.#initialize();
      copyFolder(server.#data, join(kept, 'data'));
    });
    if (!existsSync(server.#data)) copyFolder(join(made, 'data'), server.#data);
    await server.resume();
    return server;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #initialize(): void {
    const words = ['-D', this.#data, '-U', 'muster', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    // Fewer bytes to copy.
    words.push('--wal-segsize=1');
    execFileSync(join(BIN ?? '', 'initdb'), words, {
      ...this.#as,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  /** Starts the server process; its data is as it was. */
  async resume(): Promise<void> {
    const words = ['-D', this.#data, '-p', String(this.port), '-k', this.#folder];
    const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'max_connections=60', 'log_min_messages=warning'];
    const child = spawn(join(BIN ?? '', 'postgres'), [...words, ...settings.flatMap((one) => ['-c', one])], {
      ...this.#as,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      // All of it must be read, or the server stands still when the pipe is full.
      createInterface({ input: child.stderr }).on('line', (line) => {
        lines.push(line);
        if (line.includes('is ready to accept connections')) resolve();
      });
      child.once('error', reject);
      child.once('close', () => reject(new Error(`Postgres ended before it was ready:\n${lines.join('\n')}`)));
    });
  }

  url(database: string): string {
    return `postgres://muster@127.0.0.1:${this.port}/${database}`;
  }

  /** The url of a new, empty database. */
  async database(): Promise<string> {
    const name = `world_${++this.#databases}`;
    await this.query('postgres', `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  async query(database: string, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: database.includes('://') ? database : this.url(database) });
    // A server that is ended rejects the query as well.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the server: `SIGQUIT` as in a crash, `SIGINT` in order, ending its connections. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.kill(signal);
    await ended;
  }

  async destroy(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
