/** What several benchmarks stand on: a Mosquitto, a sandbox that receives from its watches there, and fleets in processes of their own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ready, ReadyWatch } from '../src/contract/banner.ts';
import { BenchProcess, mosquitto } from './processes.ts';

/** A sandbox, its brokers and its fleets, with every watch online. */
export interface AtBroker {
  readonly folder: string;
  readonly broker: { readonly process: BenchProcess; readonly port: number };
  readonly sandbox: BenchProcess;
  readonly fleets: readonly BenchProcess[];
  readonly ready: Ready;
  /** Watches that nobody emulates. */
  readonly free: ReadyWatch[];
  /** Seconds from the start of the process to its ready line. */
  readonly bootS: number;
  /** Seconds from the start of the fleets until the service has accepted the birth of every watch. */
  readonly onlineS: number;
  /** How often the sandbox printed each event. */
  readonly lines: ReadonlyMap<string, number>;
}

export interface AtBrokerOptions {
  readonly bin: string;
  readonly folder: string;
  /** Of the fleets. */
  readonly watches: number;
  /** Watches of the world beside them, which nobody emulates. */
  readonly spare: number;
  readonly fleets: number;
  /** `memory`, `file`, or the address of a Postgres. */
  readonly store: string;
}

const SEED = '7';

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

export async function startAtBroker(options: AtBrokerOptions): Promise<AtBroker> {
  const { bin, folder, watches, spare, fleets: count, store: kept } = options;
  const broker = await mosquitto(folder);
  await later(300);
  const store = kept === 'memory' ? ['--memory'] : kept === 'file' ? [] : ['--database', kept];
  const flags = ['--broker', `mqtt://127.0.0.1:${broker.port}`, '--port', '0', '--data-dir', join(folder, 'data')];
  const world = ['--seed', SEED, '--watches', String(watches + spare)];
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
  const bootS = (performance.now() - begun) / 1_000;
  const all = listOf(ready);
  const file = join(folder, 'watches.json');
  writeFileSync(file, JSON.stringify(all), { mode: 0o600 });
  const connecting = performance.now();
  const fleets = Array.from({ length: count }, (_, n) => {
    const own = ['--broker', `mqtt://127.0.0.1:${broker.port}`, '--shard', `${n + 1}/${count}`];
    const list = ['--credentials', file, '--seed', SEED, '--watches', String(watches)];
    return new BenchProcess(`fleet ${n + 1}/${count}`, process.execPath, [bin, 'fleet', '--json', ...own, ...list]);
  });
  await Promise.all(fleets.map((fleet) => fleet.ready()));
  while (online.size < watches) await later(100);
  const onlineS = (performance.now() - connecting) / 1_000;
  const free = all.filter(({ serial }) => !online.has(serial));
  return { folder, broker, sandbox, fleets, ready, bootS, onlineS, lines, free };
}

const listOf = ({ data_dir: folder, watches }: Ready): ReadyWatch[] => {
  try {
    return JSON.parse(readFileSync(join(folder, 'watches.json'), 'utf8'));
  } catch {
    return watches;
  }
};
