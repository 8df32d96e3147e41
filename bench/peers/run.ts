/**
 * Mock servers of npm beside the sandbox, on the contract that the sandbox publishes: from start to the first answer,
 * memory, and one GET as often as they can. Each is a process of its own, in turns. `docs/internal/benchmarks.md` says how to read it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tableLines } from '../../src/cli/table.ts';
import { figures } from '../figures.ts';
import { packed } from '../packed.ts';

const ROUNDS = 3;
const CONNECTIONS = 16;
const LOAD_S = 4;
const BOOT_WITHIN_MS = 60_000;
/** Between two tries of a server that does not answer yet, ms. */
const AGAIN_MS = 5;
/** Linux counts CPU time in these. */
const TICK_MS = 10;

const PATH = '/v1/alerts?limit=5';
const MODULES = join(import.meta.dirname, 'node_modules');

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  /** Of the sandbox: after the first answer, before the load. */
  readonly prepare?: () => Promise<void>;
}

interface Peer {
  readonly name: string;
  /** `port` is free. */
  start(port: number): Promise<Started> | Started;
}

interface Round {
  readonly bootMs: number;
  readonly idleMb: number;
  readonly loadedMb: number;
  readonly perSecond: number;
  /** CPU of the server for each answer. */
  readonly cpuUs: number;
  readonly bytes: number;
}

const folder = mkdtempSync(join(tmpdir(), 'muster-peers-'));
const product = packed();

function run(command: string, args: readonly string[], cwd = folder): ChildProcess {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  // Read, so that a server that logs each request is not held up by a full pipe.
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

const node = (args: readonly string[], cwd?: string) => run(process.execPath, args, cwd);
const local = (port: number) => `http://127.0.0.1:${port}`;

/** The sandbox with its whole plant: 104 watches report while it answers. */
async function startSandbox(port: number, flags: readonly string[] = []): Promise<Started & Required<Started>> {
  const args = ['up', '--memory', '--seed', '7', '--json', '--port', String(port), '--mqtt-port', '0'];
  const child = spawn(process.execPath, [product.bin, ...args, ...flags], {
    cwd: mkdtempSync(join(folder, 'sandbox-')),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.resume();
  let line = '';
  while (!line.includes('\n')) line += String((await once(child.stdout, 'data'))[0]);
  child.stdout.resume();
  const { data } = JSON.parse(line.slice(0, line.indexOf('\n')));
  const [client] = data.clients;
  const form = { grant_type: 'client_credentials', client_id: client.client_id, client_secret: client.client_secret };
  const answer = await fetch(`${local(port)}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const prepare = () => inhabit(local(port), data.control_token, client.client_id);
  return { child, url: local(port) + PATH, token, prepare };
}

/** A page full of alerts, and no limit of 600 requests a minute, which would end the measurement. */
async function inhabit(api: string, control: string, company: string): Promise<void> {
  const people = [1, 2, 3, 4, 5].map((n) => ({ action: 'panel_sos', who: `W-00${n}`, by: 'bench' }));
  const limits = { action: 'limits', requests_per_minute: 1_000_000, query_seconds_per_minute: 1_000_000 };
  for (const action of [{ ...limits, company }, ...people]) {
    const headers = { authorization: `Bearer ${control}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api}/v1/sandbox/actions`, { method: 'POST', headers, body: JSON.stringify(action) });
    if (!answer.ok) throw new Error(`${JSON.stringify(action)}: ${await answer.text()}`);
  }
}

/** The contract, and a page of alerts as the sandbox answers it: what the others are given. */
async function contractOf(): Promise<{ document: string; page: string }> {
  const { child, url, token, prepare } = await startSandbox(await freePort(), ['--no-fleet']);
  const page = await prepare()
    .then(() => fetch(url, { headers: { authorization: `Bearer ${token}` } }))
    .then((answer) => answer.text())
    .finally(() => ended(child));
  const document = execFileSync(process.execPath, [product.bin, 'openapi'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return { document, page };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function peersOf(document: string, page: string): readonly Peer[] {
  const contract = join(folder, 'openapi.json');
  writeFileSync(contract, document);
  writeFileSync(join(folder, 'page.json'), page);
  const mappings = join(folder, 'wiremock', 'mappings');
  mkdirSync(mappings, { recursive: true });
  const response = { status: 200, body: page, headers: { 'content-type': 'application/json; charset=utf-8' } };
  const request = { method: 'GET', urlPath: '/v1/alerts' };
  writeFileSync(join(mappings, 'alerts.json'), JSON.stringify({ request, response }));
  const bare = join(product.folder, 'bare.mjs');
  writeFileSync(bare, BARE);
  const build = join(MODULES, 'wiremock/build');
  const [jar = ''] = readdirSync(build);
  const started = (child: ChildProcess, port: number): Started => ({ child, url: local(port) + PATH, token: 'any' });
  return [
    {
      name: 'Fastify, the page as a constant',
      start: (port) => started(node([bare, String(port), join(folder, 'page.json')], product.folder), port),
    },
    { name: 'muster-sandbox', start: (port) => startSandbox(port) },
    { name: 'muster-sandbox --no-fleet', start: (port) => startSandbox(port, ['--no-fleet']) },
    {
      name: 'Prism',
      start: (port) =>
        started(
          node([
            join(MODULES, '@stoplight/prism-cli/dist/index.js'),
            'mock',
            contract,
            '-p',
            String(port),
            '-v',
            'silent',
          ]),
          port,
        ),
    },
    {
      name: 'Mockoon',
      start: (port) =>
        started(
          node([
            join(MODULES, '@mockoon/cli/bin/run.js'),
            'start',
            '-d',
            contract,
            '-p',
            String(port),
            '-l',
            '127.0.0.1',
            '-X',
          ]),
          port,
        ),
    },
    {
      name: 'WireMock (Java)',
      start: (port) =>
        started(
          run('java', [
            ...['-jar', join(build, jar), '--root-dir', join(folder, 'wiremock'), '--bind-address', '127.0.0.1'],
            ...['--port', String(port), '--no-request-journal', '--disable-banner'],
          ]),
          port,
        ),
    },
  ];
}

const BARE = `
import Fastify from 'fastify';
import { readFileSync } from 'node:fs';
const [port, file] = process.argv.slice(2);
const page = readFileSync(file, 'utf8');
const app = Fastify();
app.get('/v1/alerts', (_request, reply) => reply.type('application/json; charset=utf-8').send(page));
await app.listen({ port: Number(port), host: '127.0.0.1' });
`;

/** Of the answer's body, once there is one. */
async function firstAnswer(url: string, token: string, deadline: number): Promise<number> {
  for (;;) {
    try {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const body = await answer.arrayBuffer();
      if (answer.status === 200) return body.byteLength;
      throw new Error(`${url} answers ${answer.status}: ${Buffer.from(body).toString().slice(0, 300)}`);
    } catch (error) {
      if (!(error instanceof TypeError) || performance.now() > deadline) throw error;
      await pause(AGAIN_MS);
    }
  }
}

const memoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** User and system time of a process with its threads, ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function measure(peer: Peer): Promise<Round> {
  const port = await freePort();
  const begun = performance.now();
  const { child, url, token, prepare } = await peer.start(port);
  const pid = child.pid as number;
  try {
    await firstAnswer(url, token, begun + BOOT_WITHIN_MS);
    const bootMs = performance.now() - begun;
    const idleMb = memoryMb(pid);
    await prepare?.();
    const bytes = await firstAnswer(url, token, begun + BOOT_WITHIN_MS);
    const before = cpuMs(pid);
    const load = spawn(
      process.execPath,
      [join(import.meta.dirname, '..', 'load.mjs'), url, token, String(CONNECTIONS), String(LOAD_S)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [text] = await once(load.stdout, 'data');
    const { perSecond, done, failed } = JSON.parse(String(text));
    if (failed > 0) throw new Error(`${failed} requests to ${peer.name} failed`);
    const cpuUs = ((cpuMs(pid) - before) / done) * 1_000;
    return { bootMs, idleMb, loadedMb: memoryMb(pid), perSecond, cpuUs, bytes };
  } finally {
    await ended(child);
  }
}

if (!existsSync(MODULES)) {
  console.error('The peers are not installed: npm ci --prefix bench/peers --ignore-scripts');
  process.exit(2);
}
try {
  const { document, page } = await contractOf();
  const peers = peersOf(document, page);
  const rounds = new Map<Peer, Round[]>(peers.map((peer) => [peer, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [peer, all] of rounds) {
      all.push(await measure(peer));
      console.error(`${round + 1} of ${ROUNDS}: ${peer.name}`);
    }
  const median = (all: readonly Round[], key: keyof Round) => figures(all.map((one) => one[key])).median;
  const [bare = []] = rounds.values();
  const head = ['', 'first answer', 'times', 'memory', 'under load', 'requests', 'of bare', 'CPU each', 'bytes'];
  const lines = [...rounds].map(([{ name }, all]) => [
    ...[name, `${median(all, 'bootMs').toFixed(0)} ms`, (median(all, 'bootMs') / median(bare, 'bootMs')).toFixed(1)],
    ...[`${median(all, 'idleMb').toFixed(0)} MB`, `${median(all, 'loadedMb').toFixed(0)} MB`],
    ...[`${median(all, 'perSecond').toFixed(0)} /s`, (median(all, 'perSecond') / median(bare, 'perSecond')).toFixed(2)],
    ...[`${median(all, 'cpuUs').toFixed(0)} us`, String(median(all, 'bytes'))],
  ]);
  console.log(tableLines([head, ...lines]).join('\n'));
} finally {
  product.remove();
  rmSync(folder, { recursive: true, force: true });
}
