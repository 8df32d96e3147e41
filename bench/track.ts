/** A picture for humans: one hour of one worker's reported track over the true one, as an SVG. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point } from '../src/base/geometry/shapes.ts';
import { receptionAt, Senses } from '../src/fleet/watch/sensing.ts';
import { peopledSites, START } from '../test/fleet/people/plants.ts';

const FOLDER = '.bench';
const HOUR_MS = 3_600_000;
const EVERY_MS = 10_000;
const MARGIN_M = 60;

const FILLS: Record<string, string> = {
  work_area: '#eef1e6',
  building: '#d9d9d9',
  restricted: '#fbe3c8',
  forbidden: '#f6c8c8',
  privacy: '#dfe0f3',
  assembly_point: '#d5ecd5',
};

/** The worker of the terminal who walks farthest in the third hour and never drives. */
export function benchTrack(): void {
  const [terminal] = peopledSites();
  const { people, persons, site } = terminal!;
  const senses = new Senses(
    '1',
    persons.map(({ serial }) => serial),
  );
  const drivers = new Set<number>();
  const truths: Point[][] = persons.map(() => []);
  const fixes: { point: Point; radiusM: number | null }[][] = persons.map(() => []);
  for (let now = START + 2 * HOUR_MS; now <= START + 3 * HOUR_MS; now += 1_000) {
    for (let i = 0; i < persons.length; i++) {
      const at = people.at(i, now);
      truths[i]!.push(at);
      if (people.inVehicle(i)) drivers.add(i);
      if (now % EVERY_MS !== 0) continue;
      const { point, uncertaintyM } = senses.fix(i, at, receptionAt(people.ground, at), now);
      fixes[i]!.push({ point, radiusM: uncertaintyM });
    }
  }
  const onFoot = persons.map((_, i) => (drivers.has(i) ? 0 : lengthOf(truths[i]!)));
  const who = onFoot.indexOf(Math.max(...onFoot));
  const svg = picture(site.zones, truths[who]!, fixes[who]!, persons[who]!.serial);
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'track.svg');
  writeFileSync(file, svg);
  console.log(
    `one hour of ${persons[who]!.serial}, ${onFoot[who]!.toFixed(0)} m on foot, ${fixes[who]!.length} fixes: ${file}`,
  );
}

function picture(
  zones: readonly { name: string; type: string; ring: readonly Point[] }[],
  truth: readonly Point[],
  fixes: readonly { point: Point; radiusM: number | null }[],
  serial: string,
): string {
  const around = [...truth, ...fixes.map(({ point }) => point)];
  const [xs, ys] = [around.map(([x]) => x), around.map(([, y]) => y)];
  const [minX, maxX] = [Math.min(...xs) - MARGIN_M, Math.max(...xs) + MARGIN_M];
  const [minY, maxY] = [Math.min(...ys) - MARGIN_M, Math.max(...ys) + MARGIN_M];
  const place = ([x, y]: Point): string => `${(x - minX).toFixed(2)},${(maxY - y).toFixed(2)}`;
  const line = (points: readonly Point[]): string => points.map(place).join(' ');
  const drawn = zones.map(({ name, type, ring }) => {
    const [x, y] = place(ring[0]!).split(',');
    const fill = FILLS[type] ?? '#fff';
    return `<polygon points="${line(ring)}" fill="${fill}" stroke="#888" stroke-width="0.5"/><text x="${x}" y="${y}" dx="3" dy="-4" font-size="8" fill="#666">${name}</text>`;
  });
  const rings = fixes.map(({ point, radiusM }) => {
    const [x, y] = place(point).split(',');
    return radiusM === null ? '' : `<circle cx="${x}" cy="${y}" r="${radiusM}" fill="#2b6cb0" fill-opacity="0.035"/>`;
  });
  const [width, height] = [maxX - minX, maxY - minY];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -24 ${width.toFixed(0)} ${(height + 24).toFixed(0)}" width="${(2 * width).toFixed(0)}" font-family="sans-serif">
<rect y="-24" width="100%" height="100%" fill="#fff"/>
${drawn.join('\n')}
${rings.join('')}
<polyline points="${line(fixes.map(({ point }) => point))}" fill="none" stroke="#2b6cb0" stroke-width="0.7"/>
<polyline points="${line(truth)}" fill="none" stroke="#c53030" stroke-width="1.2"/>
<text x="6" y="-10" font-size="10">${serial}, one hour: red is where the worker was, blue what the watch said each 10 s, shaded its uncertainty</text>
</svg>
`;
}

function lengthOf(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, [x, y], n) => sum + Math.hypot(x - points[n]![0], y - points[n]![1]), 0);
}
