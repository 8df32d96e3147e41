/** Starts: `up` until it is ready with the default fleet, `version` and `trigger`, packed and in a clone, each against a bare baseline of the same run. */
import { spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { figures, tellRatio } from './figures.ts';
import { packed } from './packed.ts';

/** `BENCH_BOOT_RUNS=20` measures more. */
const RUNS = Number(process.env['BENCH_BOOT_RUNS'] ?? 9);

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
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}

export async function benchBoot(): Promise<void> {
  const product = packed();
  const clone = resolve(import.meta.dirname, '../bin/sandbox.js');
  const files = { bare: join(product.folder, 'bare.mjs'), bareFleet: join(product.folder, 'bare-fleet.mjs') };
  writeFileSync(files.bare, BARE);
  writeFileSync(files.bareFleet, BARE_FLEET);
  const data = join(product.folder, 'data');
  const upOf = (bin: string) => [bin, 'up', '--memory', '--port', '0', '--mqtt-port', '0', '--json'];
  const first = (args: readonly string[]) => () => untilFirstLine(args, product.folder);
  const whole = (args: readonly string[]) => async () => untilExit(args);

  const running = spawn(process.execPath, [product.bin, 'up', '--port', '0', '--mqtt-port', '0', '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((done) => running.stdout.once('data', done));

  const starts = {
    node: whole(['-e', '0']),
    bare: first([files.bare]),
    bareFleet: first([files.bareFleet]),
    up: first(upOf(product.bin)),
    upInClone: first(upOf(clone)),
    version: whole([product.bin, 'version']),
    versionInClone: whole([clone, 'version']),
    trigger: whole([product.bin, 'trigger', 'position', '--who', 'W-001', '--at', '120', '80', '--data-dir', data]),
  };
  const names = Object.keys(starts) as (keyof typeof starts)[];
  const took = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<keyof typeof starts, number[]>;
  // The first start of each compiles, and is not counted. Taken in turns, so that a machine that is busy for a while is busy for all.
  for (let run = -1; run < RUNS; run++)
    for (const name of names) {
      const ms = await starts[name]();
      if (run >= 0) took[name].push(ms);
    }
  const ended = new Promise((done) => running.once('exit', done));
  running.kill('SIGTERM');
  await ended;

  const of = (name: keyof typeof starts) => figures(took[name]);
  tellRatio('up --memory to ready, 104 of 110 watches emulated', of('up'), of('bare'), 1.6);
  tellRatio('the same, beside 104 clients of mqtt.js at a bare aedes', of('up'), of('bareFleet'), 1.5);
  tellRatio('the same in a clone, beside the package', of('upInClone'), of('up'), 1.2);
  tellRatio('sandbox version, beside node -e 0', of('version'), of('node'), 1.5);
  tellRatio('the same in a clone, beside the package', of('versionInClone'), of('version'), 1.2);
  tellRatio('sandbox trigger, beside node -e 0', of('trigger'), of('node'), 3);
  rmSync(data, { recursive: true, force: true });
  product.remove();
}
