/** A muster of 500 people in lock-step, on every default site at once: how many are safe, over time, as a table, on the terminal and as an SVG. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANE } from '../src/base/time/clock.ts';
import { lockstepClock } from '../src/base/time/clocks.ts';
import type { MusterKind } from '../src/contract/enumerations.ts';
import { startSandbox } from '../src/sandbox/start.ts';

const FOLDER = '.bench';
const START = 1_791_180_000_000;
const WATCHES = Number(process.env.WATCHES ?? 500);
const MINUTES = 30;
const MINUTE_MS = 60_000;
const EVERY_MS = 5_000;
const SHARES = [0.5, 0.9, 1] as const;

/** The share of safe people at each look, minutes from the start. */
interface Curve {
  readonly name: string;
  readonly expected: number;
  readonly points: readonly { readonly minute: number; readonly safe: number }[];
  readonly last: string;
}

export async function benchEvacuation(): Promise<void> {
  for (const kind of ['general', 'tsunami'] as const) {
    const begun = performance.now();
    const curves = await evacuate(kind);
    const wallS = (performance.now() - begun) / 1000;
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, `evacuation-${kind}.svg`);
    writeFileSync(file, picture(kind, curves));
    console.log(`${kind}: ${WATCHES} watches, ${MINUTES} min in lock-step took ${wallS.toFixed(1)} s: ${file}`);
    for (const curve of curves) {
      const times = SHARES.map((share) => `${share * 100} % at ${timeOf(curve, share)}`);
      const falls = curve.points.filter(({ safe }, n) => n > 0 && safe < curve.points[n - 1]!.safe).length;
      console.log(`\n  ${curve.name}, ${curve.expected} expected: ${times.join(', ')}`);
      console.log(`  at the end: ${curve.last}; the count fell ${falls} times on the way`);
      console.log(terminalPicture(curve));
    }
    console.log('');
  }
}

const [COLUMNS, ROWS] = [60, 10];

/** The curve in characters: a column is half a minute, a row a tenth of the people. */
function terminalPicture({ points }: Curve): string {
  const safeAt = (column: number): number =>
    points.findLast(({ minute }) => minute <= ((column + 1) * MINUTES) / COLUMNS)?.safe ?? 0;
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const [top, bottom] = [1 - n / ROWS, 1 - (n + 1) / ROWS];
    const cells = Array.from({ length: COLUMNS }, (__, column) => {
      const within = (safeAt(column) - bottom) / (top - bottom);
      return within <= 0.125 ? ' ' : EIGHTHS[Math.min(7, Math.floor(within * 8) - 1)];
    });
    return `  ${`${Math.round(top * 100)} %`.padStart(6)} |${cells.join('')}`;
  });
  const ticks = Array.from({ length: MINUTES / 5 }, (_, n) => `${5 * (n + 1)} min`.padStart(COLUMNS / (MINUTES / 5)));
  return [...rows, `         +${'-'.repeat(COLUMNS)}`, `          ${ticks.join('')}`].join('\n');
}

const EIGHTHS = '▁▂▃▄▅▆▇█';

async function evacuate(kind: MusterKind): Promise<Curve[]> {
  const clock = lockstepClock({ start: START });
  clock.start();
  const sandbox = await startSandbox({
    memory: true,
    dataDir: FOLDER,
    port: 0,
    mqttPort: 0,
    seed: process.env.SEED ?? '1',
    watches: WATCHES,
    clock,
  });
  const { world } = sandbox.engine;
  const until = (at: number): Promise<void> =>
    new Promise((done) => clock.at(at, { lane: LANE.expectation, actor: 'bench' }, done));
  await until(START + MINUTE_MS);
  const drawn = [];
  for (const site of [...world.all('site')]) {
    const body = { action: 'start_muster', site: site.id, kind, by: 'bench' } as const;
    const outcome = await sandbox.act(body);
    if ('rejected' in outcome) throw new Error(`${site.name}: ${JSON.stringify(outcome)}`);
    const muster = world.indexes.activeMuster(site.id);
    // No wave comes to a site without a point for it.
    if (muster !== undefined && muster.targets.length > 0)
      drawn.push({ site, id: muster.id, points: [] as { minute: number; safe: number }[] });
  }
  const begun = clock.now();
  for (let at = begun; at <= begun + MINUTES * MINUTE_MS; at += EVERY_MS) {
    await until(at);
    for (const { id, points } of drawn) {
      const { totals } = world.need('muster', id);
      points.push({ minute: (at - begun) / MINUTE_MS, safe: totals.safe / Math.max(1, totals.expected) });
    }
  }
  const curves = drawn.map(({ site, id, points }): Curve => {
    const { totals } = world.need('muster', id);
    const { expected, ...rest } = totals;
    const last = Object.entries(rest)
      .map(([status, count]) => `${status} ${count}`)
      .join(' ');
    return { name: site.name, expected, points, last };
  });
  clock.pause();
  await sandbox.stop();
  clock.stop();
  return curves;
}

/** When this number of people is safe for the first time; minutes and seconds. */
function timeOf({ points }: Curve, share: number): string {
  const found = points.find(({ safe }) => safe >= share);
  if (found === undefined) return 'never';
  const seconds = Math.round(found.minute * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const [WIDTH, HEIGHT, LEFT, TOP] = [640, 320, 50, 30];
const COLOURS = ['#2b6cb0', '#c53030', '#2f855a', '#b7791f'];

function picture(kind: string, curves: readonly Curve[]): string {
  const x = (minute: number): string => (LEFT + (minute / MINUTES) * WIDTH).toFixed(1);
  const y = (share: number): string => (TOP + (1 - share) * HEIGHT).toFixed(1);
  const grid = [0, 0.25, 0.5, 0.75, 0.9, 0.97, 1].map(
    (share) =>
      `<line x1="${x(0)}" x2="${x(MINUTES)}" y1="${y(share)}" y2="${y(share)}" stroke="#ddd"/><text x="${LEFT - 6}" y="${y(share)}" dy="3" text-anchor="end">${share * 100} %</text>`,
  );
  const minutes = Array.from({ length: MINUTES / 5 + 1 }, (_, n) => 5 * n).map(
    (minute) => `<text x="${x(minute)}" y="${TOP + HEIGHT + 16}" text-anchor="middle">${minute} min</text>`,
  );
  const lines = curves.map(({ name, expected, points }, n) => {
    const colour = COLOURS[n % COLOURS.length];
    const line = points.map(({ minute, safe }) => `${x(minute)},${y(safe)}`).join(' ');
    return `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="1.5"/><text x="${x(MINUTES * 0.6)}" y="${TOP + HEIGHT - 20 - 14 * n}" fill="${colour}">${name}, ${expected} people</text>`;
  });
  const [width, height] = [LEFT + WIDTH + 20, TOP + HEIGHT + 30];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="sans-serif" font-size="10">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="16" font-size="12">Safe people over time, ${kind} muster</text>
${[...grid, ...minutes, ...lines].join('\n')}
</svg>
`;
}
