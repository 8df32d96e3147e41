/**
 * 20,000 watches from four fleet processes at a Mosquitto, and one sandbox that hears them all: CPU time, memory, and how long
 * a press takes until the watch shows its alert. `SCALE_WATCHES`, `SCALE_FLEETS`, `SCALE_SECONDS` and `SCALE_STORE` (memory,
 * file, or the address of a Postgres) change the profile. Run it by `npm run bench:scale`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IPublishPacket } from 'mqtt-packet';
import { tableLines } from '../src/cli/table.ts';
import type { Ready, ReadyWatch } from '../src/contract/banner.ts';
import { RawWatch } from '../test/helpers/raw-watch.ts';
import { figures } from './figures.ts';
import { packed } from './packed.ts';
import { BenchProcess, mosquitto, type Use } from './processes.ts';
import { beginBench, measured, printBenchTable } from './table.ts';

const WATCHES = Number(process.env['SCALE_WATCHES'] ?? 20_000);
const FLEETS = Number(process.env['SCALE_FLEETS'] ?? 4);
const SECONDS = Number(process.env['SCALE_SECONDS'] ?? 30);
const STORE = process.env['SCALE_STORE'] ?? 'memory';

/** Watches that press, beside those of the fleets; half of them in each phase. */
const PRESSES = 400;
const SEED = '7';

/** Where a process may have 20,000 open files, one Mosquitto cannot hold as many watches. */
const MOST_OF_A_BROKER = Number(process.env['SCALE_BROKER_WATCHES'] ?? 15_000);

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

interface Running {
  readonly folder: string;
  readonly brokers: readonly { process: BenchProcess; port: number }[];
  readonly sandbox: BenchProcess;
  readonly fleets: readonly BenchProcess[];
  readonly ready: Ready;
  /** Watches that nobody emulates. */
  readonly free: ReadyWatch[];
  readonly lines: Map<string, number>;
}

async function boot(bin: string, folder: string): Promise<Running> {
  const first = await mosquitto(folder);
  await later(300);
  const more = Math.ceil(WATCHES / MOST_OF_A_BROKER) - 1;
  const edges = await Promise.all(Array.from({ length: more }, () => mosquitto(folder, first.port)));
  const brokers = [first, ...edges];
  const store = STORE === 'memory' ? ['--memory'] : STORE === 'file' ? [] : ['--database', STORE];
  const flags = ['--broker', `mqtt://127.0.0.1:${first.port}`, '--port', '0', '--data-dir', join(folder, 'data')];
  const world = ['--seed', SEED, '--watches', String(WATCHES + PRESSES)];
  const begun = performance.now();
  const sandbox = new BenchProcess('sandbox', process.execPath, [
    bin,
    'up',
    '--json',
    '--no-fleet',
    ...flags,
    ...store,
    ...world,
  ]);
  const lines = new Map<string, number>();
  const online = new Set<unknown>();
  sandbox.onLine = (text) => {
    const line = JSON.parse(text) as { event?: string; serial?: string };
    if (line.event === 'watch-online') online.add(line.serial);
    if (line.event !== undefined) lines.set(line.event, (lines.get(line.event) ?? 0) + 1);
  };
  const ready = await sandbox.ready<Ready>();
  console.log(`sandbox ready after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  const all = listOf(ready);
  const file = join(folder, 'watches.json');
  writeFileSync(file, JSON.stringify(all), { mode: 0o600 });
  const connecting = performance.now();
  const fleets = Array.from({ length: FLEETS }, (_, n) => {
    const at = brokers[n % brokers.length] ?? first;
    const own = ['--broker', `mqtt://127.0.0.1:${at.port}`, '--shard', `${n + 1}/${FLEETS}`];
    const list = ['--credentials', file, '--seed', SEED, '--watches', String(WATCHES)];
    return new BenchProcess(`fleet ${n + 1}/${FLEETS}`, process.execPath, [bin, 'fleet', '--json', ...own, ...list]);
  });
  const shares = await Promise.all(fleets.map((fleet) => fleet.ready<{ watches: number }>()));
  while (online.size < WATCHES) await later(100);
  const connectS = (performance.now() - connecting) / 1_000;
  console.log(`${shares.map(({ watches }) => watches).join(' + ')} watches online after ${connectS.toFixed(1)} s`);
  measured({ what: `${WATCHES} watches online`, value: connectS, unit: 's' });
  return { folder, brokers, sandbox, fleets, ready, lines, free: all.filter(({ serial }) => !online.has(serial)) };
}

const listOf = ({ data_dir: folder, watches }: Ready): ReadyWatch[] => {
  try {
    return JSON.parse(readFileSync(join(folder, 'watches.json'), 'utf8'));
  } catch {
    return watches;
  }
};

/** Milliseconds from the press to the alert on the watch: published, committed, and its downlink shown. */
async function press(watch: ReadyWatch, port: number): Promise<number> {
  const one = new RawWatch(port, watch.serial);
  await one.connect();
  await one.subscribe(`wt/v1/${watch.site_id}/${watch.serial}/down/#`);
  await one.publish(`wt/v1/${watch.site_id}/${watch.serial}/up/status`, {
    ...{ online: true, session: 1, firmware: 'bench', t: new Date().toISOString() },
  });
  const id = `00000000-0000-4000-8000-${watch.serial.replace(/\D/g, '').padStart(12, '0')}`;
  const body = { id, session: 1, seq: 1, t: new Date().toISOString(), with: 'watch_button' };
  const begun = performance.now();
  void one.publish(`wt/v1/${watch.site_id}/${watch.serial}/up/event/sos`, body);
  await one.messageOn(`wt/v1/${watch.site_id}/${watch.serial}/down/alert`);
  const took = performance.now() - begun;
  await one.vanish();
  return took;
}

/** What the brokers counted since they started. */
class BrokerCounters {
  readonly #watches: RawWatch[];

  private constructor(watches: RawWatch[]) {
    this.#watches = watches;
  }

  static async at(ports: readonly number[]): Promise<BrokerCounters> {
    const counters = new BrokerCounters(ports.map((port) => new RawWatch(port, `counter-${port}`)));
    for (const watch of counters.#watches) {
      await watch.connect();
      await watch.subscribe('$SYS/broker/publish/messages/#');
    }
    return counters;
  }

  sum(what: 'received' | 'sent' | 'dropped'): number {
    const topic = `$SYS/broker/publish/messages/${what}`;
    const latest = ({ received }: RawWatch) =>
      Number(
        received.findLast((one): one is IPublishPacket => one.cmd === 'publish' && one.topic === topic)?.payload ?? 0,
      );
    return this.#watches.reduce((sum, watch) => sum + latest(watch), 0);
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches) await watch.vanish();
  }
}

/** One phase: presses beside the load, and what every process used. */
async function phase(
  name: string,
  running: Running,
  counters: BrokerCounters,
  presses: readonly ReadyWatch[],
): Promise<void> {
  const { sandbox, fleets, brokers } = running;
  const processes = [sandbox, ...brokers.map((one) => one.process), ...fleets];
  const before = processes.map((one) => one.use());
  const received = counters.sum('received');
  const begun = performance.now();
  const pressed: Promise<number>[] = [];
  for (const [n, watch] of presses.entries()) {
    await later(begun + (n * SECONDS * 1_000) / presses.length - performance.now());
    pressed.push(press(watch, brokers[n % brokers.length]?.port ?? 0));
  }
  await later(begun + SECONDS * 1_000 - performance.now());
  const tookS = (performance.now() - begun) / 1_000;
  const after = processes.map((one) => one.use());
  const messages = counters.sum('received') - received;
  const answered = await Promise.race([Promise.all(pressed), later(20_000).then(() => null)]);
  if (answered === null) throw new Error('a press was lost');
  const { median, p99 } = figures(answered);
  const rows = processes.map((one, n) => {
    const [a, b] = [before[n] as Use, after[n] as Use];
    return [one.name, `${((100 * (b.cpuS - a.cpuS)) / tookS).toFixed(0)} %`, `${b.rssMb.toFixed(0)} MB`];
  });
  console.log(`\n${name}: ${(messages / tookS).toFixed(0)} messages/s at the brokers over ${tookS.toFixed(0)} s`);
  console.log(tableLines([['process', 'of a core', 'RSS'], ...rows]).join('\n'));
  console.log(
    `${answered.length} presses, from the press to the alert on the watch: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; lost 0`,
  );
  const [engine] = [(after[0] as Use).cpuS - (before[0] as Use).cpuS];
  measured({ what: `${name}: messages`, value: messages / tookS, unit: '/s' });
  measured({ what: `${name}: sandbox, of a core`, value: (100 * engine) / tookS, unit: '%' });
  measured({ what: `${name}: sandbox, RSS`, value: (after[0] as Use).rssMb, unit: 'MB' });
  measured({ what: `${name}: press to alert on the watch, median`, value: median, unit: 'ms' });
  measured({ what: `${name}: press to alert on the watch, p99`, value: p99, unit: 'ms' });
}

async function act({ ready }: Running, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${ready.control_token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${ready.api_url}/v1/sandbox/actions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${JSON.stringify(body)}: ${answer.status} ${await answer.text()}`);
}

beginBench('scale');
const { bin, remove } = packed();
const folder = mkdtempSync(join(tmpdir(), 'muster-scale-'));
let running: Running | null = null;
try {
  running = await boot(bin, folder);
  const counters = await BrokerCounters.at(running.brokers.map(({ port }) => port));
  await later(3_000);
  const half = PRESSES / 2;
  await phase('at rest', running, counters, running.free.slice(0, half));
  for (const site of new Set(running.free.map(({ site_id }) => site_id)))
    await act(running, { action: 'start_muster', site, kind: 'general', by: 'Bench' });
  await later(2_000);
  await phase('in a muster', running, counters, running.free.slice(half, 2 * half));
  console.log(
    `dropped by the brokers: ${counters.sum('dropped')}; notices: ${JSON.stringify(Object.fromEntries(running.lines))}`,
  );
  await counters.stop();
} finally {
  for (const one of running?.fleets ?? []) await one.stop();
  await running?.sandbox.stop();
  for (const one of running?.brokers ?? []) await one.process.stop();
  rmSync(folder, { recursive: true, force: true });
  remove();
}
printBenchTable();
