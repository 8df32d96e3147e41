/**
 * What 100, 1,000 and 10,000 watches cost at a Mosquitto: time until all are online, memory and CPU time of each process. Writes
 * docs/internal/growth.svg. Run it by `npm run bench:growth`; `GROWTH=100,1000` and `GROWTH_SECONDS` change the profile.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableLines } from '../src/cli/table.ts';
import { type AtBroker, startAtBroker } from './at-broker.ts';
import { growthSvg } from './growth-svg.ts';
import { packed } from './packed.ts';
import { stopAll } from './processes.ts';
import { beginBench, measured, printBenchTable } from './table.ts';

const SIZES = (process.env['GROWTH'] ?? '100,1000,10000').split(',').map(Number);
const SECONDS = Number(process.env['GROWTH_SECONDS'] ?? 20);
const NAMES = ['sandbox', 'Mosquitto', 'fleet'] as const;

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

interface Cost {
  readonly watches: number;
  readonly bootS: number;
  readonly onlineS: number;
  /** In the order of `NAMES`. */
  readonly rssMb: readonly number[];
  /** Milliseconds of CPU time in a second. */
  readonly cpuMs: readonly number[];
}

async function costOf(bin: string, watches: number): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-growth-'));
  try {
    const at = await startAtBroker({ bin, folder, watches, spare: 8, fleets: 1, store: 'memory' });
    // The births have been accepted, and what they left is cleared away.
    await later(5_000);
    return { watches, bootS: at.bootS, onlineS: at.onlineS, ...(await usageOf(at)) };
  } finally {
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function usageOf({ sandbox, broker, fleets }: AtBroker): Promise<Pick<Cost, 'rssMb' | 'cpuMs'>> {
  const processes = [sandbox, broker.process, ...fleets];
  const before = processes.map((one) => one.use().cpuS);
  const begun = performance.now();
  await later(SECONDS * 1_000);
  const after = processes.map((one) => one.use());
  const tookMs = performance.now() - begun;
  return {
    rssMb: after.map(({ rssMb }) => rssMb),
    cpuMs: after.map(({ cpuS }, n) => ((cpuS - (before[n] ?? 0)) * 1e6) / tookMs),
  };
}

beginBench('growth');
const { bin, remove } = packed();
const costs: Cost[] = [];
try {
  for (const watches of SIZES) costs.push(await costOf(bin, watches));
} finally {
  remove();
}

const rows = costs.map(({ watches, bootS, onlineS, rssMb, cpuMs }) => [
  ...[String(watches), `${bootS.toFixed(1)} s`, `${onlineS.toFixed(1)} s`],
  ...rssMb.map((mb) => `${mb.toFixed(0)} MB`),
  ...cpuMs.map((ms) => `${ms.toFixed(1)} ms/s`),
]);
const head = [
  'watches',
  'ready',
  'all online',
  ...NAMES.map((name) => `${name}, RSS`),
  ...NAMES.map((name) => `${name}, CPU`),
];
console.log(tableLines([head, ...rows]).join('\n'));
for (const { watches, onlineS, rssMb, cpuMs } of costs) {
  measured({ what: `${watches} watches online`, value: onlineS, unit: 's' });
  for (const [n, name] of NAMES.entries()) {
    measured({ what: `${watches}: ${name}, memory of a watch`, value: ((rssMb[n] ?? 0) * 1024) / watches, unit: 'KB' });
    measured({ what: `${watches}: ${name}, CPU of a watch`, value: ((cpuMs[n] ?? 0) * 1_000) / watches, unit: 'us/s' });
  }
}
const lines = (value: (cost: Cost, n: number) => number) =>
  NAMES.map((name, n) => ({
    name,
    points: costs.map((cost) => [cost.watches, Math.max(0.1, value(cost, n))] as const),
  }));
const panels = [
  {
    title: 'Until all are online',
    unit: 's',
    lines: [{ name: 'sandbox', points: costs.map((cost) => [cost.watches, cost.onlineS] as const) }],
  },
  { title: 'Memory', unit: 'MB', lines: lines(({ rssMb }, n) => rssMb[n] ?? 0) },
  {
    title: 'Memory of a watch',
    unit: 'KB',
    lines: lines(({ rssMb, watches }, n) => ((rssMb[n] ?? 0) * 1024) / watches),
  },
  { title: 'CPU time', unit: 'ms a second', lines: lines(({ cpuMs }, n) => cpuMs[n] ?? 0) },
];
writeFileSync('docs/internal/growth.svg', growthSvg(panels));
printBenchTable();
