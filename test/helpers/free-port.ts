/** Ports for programs that get their port before they listen, such as brokers and example receivers. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ports that Linux gives to connections and to listeners of port 0, so that no other program takes one in between. */
const [FIRST, LAST] = [20_000, 32_000] as const;

/** Each process begins elsewhere. */
let next = FIRST + ((process.pid * 53) % (LAST - FIRST));

/** Claims of test processes on ports, one folder each, until the process ends. */
const CLAIMS = join(tmpdir(), 'muster-sandbox-ports');

/** A claim of a process that was killed; ms. */
const ABANDONED_MS = 3_600_000;

const claims: string[] = [];

/** False if another test process has the port: it may not listen there yet. */
function claimed(port: number): boolean {
  const claim = join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  try {
    mkdirSync(claim);
  } catch {
    // Wall time: only claims of killed processes are this old.
    const age = Date.now() - (statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > ABANDONED_MS) rmSync(claim, { recursive: true, force: true });
    return false;
  }
  if (claims.push(claim) === 1)
    process.once('exit', () => {
      for (const one of claims) rmSync(one, { recursive: true, force: true });
    });
  return true;
}

/** A port of 127.0.0.1 at which nothing listens. No port is returned twice, nor to two processes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next === LAST ? FIRST : next + 1;
    if (!claimed(port)) continue;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
