/** What a crowd costs: 10,000 workers of one site who leave their halls by doors, queue, and walk round a fenced plant, against a bare loop in the same run. */
import { boxRing, type Point, pointInPolygon } from '../src/base/geometry/shapes.ts';
import type { FleetZone, SitePerson } from '../src/fleet/people/ground/site.ts';
import { WalkingPeople } from '../src/fleet/people/site-people.ts';
import { measured } from './table.ts';

const PEOPLE = 10_000;
const HALLS = 20;
const SECONDS = 1_200;
const START = 1_791_180_000_000;
const AIM_MS = 2;

/** Halls in two rows, tanks between them that nobody may enter, and four points outside. */
function plant(): FleetZone[] {
  const halls = Array.from({ length: HALLS }, (_, n): FleetZone => {
    const [x, y] = [120 * (n % 10), n < 10 ? 0 : 260];
    const doors = [
      { at: [x + 80, y + 20] as const, widthM: 3 },
      { at: [x, y + 20] as const, widthM: 1.2 },
      { at: [x + 40, y] as const, widthM: 2 },
    ];
    return { name: `Hall ${n}`, type: 'building', ring: boxRing(x, y, x + 80, y + 40), floors: [], doors };
  });
  const tanks = Array.from({ length: 6 }, (_, n): FleetZone => {
    const x = 60 + 190 * n;
    return { name: `Tanks ${n}`, type: 'restricted', ring: boxRing(x, 120, x + 90, 180), floors: [], doors: [] };
  });
  const points = [-150, 1_350].flatMap((x) => [20, 240].map((y): Point => [x, y]));
  const gathering = points.map(
    ([x, y], n): FleetZone => ({
      name: `Point ${n}`,
      type: 'assembly_point',
      floors: [],
      doors: [],
      ring: boxRing(x - 40, y - 40, x + 40, y + 40),
    }),
  );
  return [...halls, ...tanks, ...gathering];
}

function workers(zones: readonly FleetZone[]): SitePerson[] {
  return Array.from({ length: PEOPLE }, (_, i): SitePerson => {
    const { name, ring } = zones[i % HALLS]!;
    const [left, bottom] = ring[0]!;
    const n = Math.floor(i / HALLS);
    const at: Point = [left + 2 + (n % 38) * 2, bottom + 2 + Math.floor(n / 38) * 2.5];
    return { serial: `W-${i}`, at, area: ring, zone: name, pace: 1 + (i % 7) / 10, behave: 'auto' };
  });
}

export function benchCrowdWalk(): void {
  const zones = plant();
  const persons = workers(zones);
  const boundary = boxRing(-250, -100, 1_450, 400);
  const site = { id: 'bench', origin: { latitude: 43.4, longitude: -8.4 }, boundary, zones, vehicles: [] };
  const inside = persons.filter(({ at }) => zones.slice(0, HALLS).some(({ ring }) => pointInPolygon(at, ring))).length;
  const people = new WalkingPeople(site, persons, '1', START);
  const working = secondsOf(60, (second) => people.advanceTo(START + second * 1_000));
  const alarm = START + 60_000;
  people.onMuster(
    {
      muster_id: 'm',
      status: 'active',
      phase: 'evacuating',
      revision: 1,
      deadline: null,
      kind: 'general',
      points: zones.slice(-4).map(({ name, ring }) => ({
        id: name,
        name,
        ...people.frame.toDegrees(ring[0]!),
        vertical: false,
        status: 'available' as const,
        serves: ['general' as const],
      })),
    },
    alarm,
  );
  let mostWaiting = 0;
  const muster = secondsOf(SECONDS, (second) => {
    people.advanceTo(alarm + second * 1_000);
    if (second % 10 === 0) mostWaiting = Math.max(mostWaiting, waiting(people));
  });
  const baseMs = bareLoopMs();
  const at = persons.filter((_, i) => people.activity(i) === 'at_point').length;
  measured({
    what: `${PEOPLE} people in a muster, a simulated second`,
    value: muster.meanMs,
    unit: 'ms',
    bare: baseMs,
    aim: { of: 'value', most: AIM_MS },
  });
  console.log(
    `crowd: ${PEOPLE} people (${inside} in ${HALLS} halls), ${3 * HALLS} doors, a fence: ${muster.meanMs.toFixed(2)} ms per simulated second in a muster (${muster.meanMs < AIM_MS ? 'under' : 'OVER'} ${AIM_MS}), the worst ${muster.worstMs.toFixed(0)} ms; at work ${working.meanMs.toFixed(2)} ms; a bare loop that moves as many along a line ${baseMs.toFixed(3)} ms, ${(muster.meanMs / baseMs).toFixed(0)} times; at most ${mostWaiting} wait at doors, ${at} at a point after ${SECONDS / 60} min`,
  );
}

const waiting = (people: WalkingPeople): number => people.queues().reduce((sum, queue) => sum + queue.waiting, 0);

function secondsOf(count: number, play: (second: number) => void): { meanMs: number; worstMs: number } {
  let [sum, worstMs] = [0, 0];
  for (let second = 1; second <= count; second++) {
    const begun = performance.now();
    play(second);
    const took = performance.now() - begun;
    sum += took;
    worstMs = Math.max(worstMs, took);
  }
  return { meanMs: sum / count, worstMs };
}

/** The least that any model does: a distance, a comparison and two sums for each person and second. */
function bareLoopMs(): number {
  const [x, y, speed] = [new Float64Array(PEOPLE), new Float64Array(PEOPLE), new Float64Array(PEOPLE).fill(1.34)];
  return secondsOf(SECONDS, () => {
    for (let i = 0; i < PEOPLE; i++) {
      const [dx, dy] = [2_000 - x[i]!, 1_000 - y[i]!];
      const metres = Math.sqrt(dx * dx + dy * dy);
      if (metres < speed[i]!) continue;
      x[i]! += (dx * speed[i]!) / metres;
      y[i]! += (dy * speed[i]!) / metres;
    }
  }).meanMs;
}
