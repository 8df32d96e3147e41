/**
 * 20,000 watches from four fleet processes at a Mosquitto, and one sandbox that receives from them all: CPU time, memory, and how long
 * a press takes until the watch shows its alert. `SCALE_WATCHES`, `SCALE_FLEETS`, `SCALE_SECONDS` and `SCALE_STORE` (memory,
 * file, or the address of a Postgres) change the profile. Run it by `npm run bench:scale`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IPublishPacket, Packet } from 'mqtt-packet';
import { tableLines } from '../src/cli/table.ts';
import type { ReadyWatch } from '../src/contract/banner.ts';
import { openFilesLimit } from '../src/sandbox/listeners/open-files.ts';
import { RawWatch } from '../test/helpers/raw-watch.ts';
import { type AtBroker, startAtBroker } from './at-broker.ts';
import { figures } from './figures.ts';
import { packed } from './packed.ts';
import { stopAll, type Use } from './processes.ts';
import { beginBench, measured, printBenchTable } from './table.ts';

/** The broker needs a socket for each watch, and some more. */
const MOST = (openFilesLimit() ?? 100_000) - 300;
const WATCHES = Math.min(MOST, Number(process.env['SCALE_WATCHES'] ?? 20_000));
const FLEETS = Number(process.env['SCALE_FLEETS'] ?? 4);
const SECONDS = Number(process.env['SCALE_SECONDS'] ?? 30);
const STORE = process.env['SCALE_STORE'] ?? 'memory';

/** Watches that press, beside those of the fleets; half of them in each phase. */
const PRESSES = 400;
const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Milliseconds from the press to the alert on the watch: published, committed, and its downlink shown. */
async function press(watch: ReadyWatch, port: number): Promise<number> {
  const one = new RawWatch(port, watch.serial);
  await one.connect();
  await one.subscribe(`wt/v1/${watch.site_id}/${watch.serial}/down/#`);
  await one.publish(`wt/v1/${watch.site_id}/${watch.serial}/up/status`, {
    online: true,
    session: 1,
    firmware: 'bench',
    t: new Date().toISOString(),
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

/** What the broker counted since it started. */
class BrokerCounters {
  readonly #client: RawWatch;

  private constructor(client: RawWatch) {
    this.#client = client;
  }

  static async at(port: number): Promise<BrokerCounters> {
    const client = new RawWatch(port, 'counter');
    await client.connect();
    await client.subscribe('$SYS/broker/publish/messages/#');
    return new BrokerCounters(client);
  }

  sum(what: 'received' | 'dropped'): number {
    const topic = `$SYS/broker/publish/messages/${what}`;
    const isLatest = (one: Packet): one is IPublishPacket => one.cmd === 'publish' && one.topic === topic;
    return Number(this.#client.received.findLast(isLatest)?.payload ?? 0);
  }

  stop(): Promise<void> {
    return this.#client.vanish();
  }
}

/** One phase: presses beside the load, and what every process used. */
async function phase(
  name: string,
  running: AtBroker,
  counters: BrokerCounters,
  presses: readonly ReadyWatch[],
): Promise<void> {
  const { sandbox, fleets, broker } = running;
  const processes = [sandbox, broker.process, ...fleets];
  const before = processes.map((one) => one.use());
  const received = counters.sum('received');
  const begun = performance.now();
  const pressed: Promise<number>[] = [];
  for (const [n, watch] of presses.entries()) {
    await later(begun + (n * SECONDS * 1_000) / presses.length - performance.now());
    pressed.push(press(watch, broker.port));
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
  console.log(`\n${name}: ${(messages / tookS).toFixed(0)} messages/s at the broker over ${tookS.toFixed(0)} s`);
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

async function act({ ready }: AtBroker, body: object): Promise<void> {
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
try {
  const running = await startAtBroker({ bin, folder, watches: WATCHES, spare: PRESSES, fleets: FLEETS, store: STORE });
  const { bootS, onlineS } = running;
  console.log(`sandbox ready after ${bootS.toFixed(1)} s, ${WATCHES} watches online ${onlineS.toFixed(1)} s later`);
  measured({ what: `${WATCHES} watches online`, value: onlineS, unit: 's' });
  const counters = await BrokerCounters.at(running.broker.port);
  await later(3_000);
  const half = PRESSES / 2;
  await phase('at rest', running, counters, running.free.slice(0, half));
  for (const site of new Set(running.free.map(({ site_id }) => site_id)))
    await act(running, { action: 'start_muster', site, kind: 'general', by: 'Bench' });
  await later(2_000);
  await phase('in a muster', running, counters, running.free.slice(half, 2 * half));
  console.log(
    `dropped by the broker: ${counters.sum('dropped')}; notices: ${JSON.stringify(Object.fromEntries(running.lines))}`,
  );
  await counters.stop();
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
  remove();
}
printBenchTable();
