/** From start to ready with the default fleet connected, and `--version`, each against a bare baseline of the same run. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figures, tellRatio } from './figures.ts';
import { packed } from './packed.ts';

const RUNS = 9;

const BARE = `
import Fastify from 'fastify';
import { Aedes } from 'aedes';
import { createServer } from 'node:net';
const app = Fastify();
await app.listen({ port: 0 });
const broker = await Aedes.createBroker();
createServer(broker.handle).listen(0, () => console.log('ready'));
`;

/** What mqtt.js and aedes need for as many clients that subscribe and say as much as a watch does at its start. */
const BARE_FLEET = `
import Fastify from 'fastify';
import { Aedes } from 'aedes';
import mqtt from 'mqtt';
import { createServer } from 'node:net';
const app = Fastify();
await app.listen({ port: 0 });
const broker = await Aedes.createBroker();
const server = createServer({ noDelay: true }, broker.handle);
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address();
await Promise.all(Array.from({ length: 104 }, (_, n) => new Promise((said) => {
  const will = { topic: 'status/' + n, payload: '{"online":false}', qos: 1, retain: true };
  const client = mqtt.connect({ host: '127.0.0.1', port, clientId: 'W-' + n, reconnectPeriod: 0, keepalive: 0, will });
  client.once('connect', () => client.subscribe(['down/' + n + '/#', 'all/#', 'host/state'], { qos: 1 }, () => {
    let left = 3;
    for (const topic of ['status/', 'position/', 'battery/'])
      client.publish(topic + n, JSON.stringify({ session: 1, seq: left, t: new Date() }), { qos: 1 }, () => --left || said());
  }));
})));
console.log('ready');
`;

/** Milliseconds until the process prints its first bytes; then it is ended. */
export async function untilFirstLine(args: readonly string[], cwd: string): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((done) => child.stdout.once('data', done));
  const took = performance.now() - begun;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
  return took;
}

function untilExit(args: readonly string[]): number {
  const begun = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - begun;
}

export async function benchBoot(): Promise<void> {
  const product = packed();
  const bareFile = join(product.folder, 'bare.mjs');
  writeFileSync(bareFile, BARE);
  const bareFleetFile = join(product.folder, 'bare-fleet.mjs');
  writeFileSync(bareFleetFile, BARE_FLEET);
  const up = [product.bin, 'up', '--memory', '--port', '0', '--mqtt-port', '0', '--json'];
  const [ours, bare, bareFleet, version, node]: number[][] = [[], [], [], [], []];
  // Taken in turns, so that a machine that is busy for a while is busy for both.
  for (let run = 0; run < RUNS; run++) {
    bare?.push(await untilFirstLine([bareFile], product.folder));
    bareFleet?.push(await untilFirstLine([bareFleetFile], product.folder));
    ours?.push(await untilFirstLine(up, product.folder));
    node?.push(untilExit(['-e', '0']));
    version?.push(untilExit([product.bin, '--version']));
  }
  tellRatio('up --memory to ready, 104 of 110 watches emulated', figures(ours ?? []), figures(bare ?? []), 2);
  tellRatio(
    'the same, beside 104 clients of mqtt.js at a bare aedes',
    figures(ours ?? []),
    figures(bareFleet ?? []),
    1.5,
  );
  tellRatio('sandbox --version', figures(version ?? []), figures(node ?? []), 2.5);
  product.remove();
}
