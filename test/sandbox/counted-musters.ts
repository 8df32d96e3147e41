/** Musters of a whole sandbox in lock-step, headcount by headcount: what the service counts, and who is truly where. */
import { signedDistance } from '../../src/base/geometry/shapes.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import type { MusterKind } from '../../src/contract/enumerations.ts';
import type { SandboxOptions } from '../../src/sandbox/options/options.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { COUNT_EVERY_MS } from '../../src/service/domain/musters/count.ts';
import { leastHeightM, validPoints } from '../../src/service/domain/musters/inside.ts';
import type { Muster, Zone } from '../../src/service/domain/world/documents.ts';
import type { World } from '../../src/service/domain/world/world.ts';

const START = Date.UTC(2026, 9, 5, 6);

/** From the start of the shift to the alarm. */
const BEFORE_MS = 60_000;

/** The service counts a person 10 s after their first position inside, at the next headcount: 10 to 20 s late. [decisions 6] */
const LATE = { least: 2, most: 4 } as const;

/** What a muster showed at one headcount. */
interface Headcount {
  readonly atS: number;
  /** Workers whom the service counts as safe. */
  readonly safe: ReadonlySet<string>;
  /** Workers who are truly at a point that serves, high enough. */
  readonly truly: ReadonlySet<string>;
  /** Workers with a worn, connected watch. */
  readonly seen: ReadonlySet<string>;
}

export interface CountedMuster {
  readonly site: string;
  readonly kind: MusterKind;
  readonly expected: number;
  readonly headcounts: readonly Headcount[];
}

/** One muster on each site at the same time. */
export async function countMusters(
  options: SandboxOptions,
  kindOf: (site: string) => MusterKind,
  minutes: number,
): Promise<CountedMuster[]> {
  const clock = lockstepClock({ start: START });
  const sandbox = await startSandbox({ memory: true, port: 0, mqttPort: 0, ...options, clock });
  try {
    const { world } = sandbox.engine;
    await clock.advance(BEFORE_MS);
    for (const { id, name } of [...world.all('site')])
      await sandbox.act({ action: 'start_muster', site: id, kind: kindOf(name), by: 'Shift lead' });
    const played = [...world.indexes.activeMusters()].map(({ id }) => ({ id, headcounts: [] as Headcount[] }));
    for (let n = 0; n <= (minutes * 60_000) / COUNT_EVERY_MS; n++) {
      if (n > 0) await clock.advance(COUNT_EVERY_MS);
      const truth = sandbox.fleet!.truth();
      for (const { id, headcounts } of played)
        headcounts.push({ atS: (n * COUNT_EVERY_MS) / 1_000, ...headcountOf(world, world.need('muster', id), truth) });
    }
    return played.map(({ id, headcounts }) => {
      const { site, kind, totals } = world.need('muster', id);
      return { site: site.name, kind, expected: totals.expected, headcounts };
    });
  } finally {
    await sandbox.stop();
    clock.stop();
  }
}

type Truth = ReturnType<NonNullable<Awaited<ReturnType<typeof startSandbox>>['fleet']>['truth']>;

function headcountOf(world: World, muster: Muster, truth: Truth): Omit<Headcount, 'atS'> {
  const valid = validPoints(muster);
  const points = [...valid].map((id) => world.need('zone', id));
  const people = [...world.indexes.expectedIn(muster.id).values()];
  const safe = people.filter(({ status }) => status === 'safe').map(({ workerId }) => workerId);
  const [truly, seen] = [new Set<string>(), new Set<string>()];
  for (const one of truth) {
    if (one.siteId !== muster.site.id) continue;
    const workerId = world.need('device', world.indexes.deviceId(one.serial)!).workerId!;
    if (points.some((zone) => isAt(zone, one))) truly.add(workerId);
    if (one.worn !== false && one.network && one.gps) seen.add(workerId);
  }
  return { safe: new Set(safe), truly, seen };
}

/** People climb the last 2 m in six seconds: they count from there on. [decisions 6] */
const TOLERANCE_M = 2;

/** Where the site has no floors, nobody can climb. */
function isAt(zone: Zone, { point, heightM }: Pick<Truth[number], 'point' | 'heightM'>): boolean {
  if (signedDistance(point, zone.ring) < 0) return false;
  const least = zone.assemblyPoint?.vertical === true && zone.floors.length > 0 ? leastHeightM(zone) : null;
  return least === null || (heightM ?? 0) >= least - TOLERANCE_M;
}

/** Workers who are safe no more at a headcount, and were truly at a point all the time. */
export const lostAtPoints = ({ headcounts }: CountedMuster): string[] =>
  headcounts.flatMap(({ atS, safe, truly }, n) => {
    const before = headcounts[n - 1];
    if (before === undefined) return [];
    const lost = [...before.safe].filter((id) => !safe.has(id) && truly.has(id) && before.truly.has(id));
    return lost.map((id) => `${id} at ${atS} s`);
  });

/** Headcounts at which fewer are safe although nobody has left a point within the time that the service takes to see it. */
export const fallsWithoutCause = ({ headcounts }: CountedMuster): number =>
  headcounts.filter(({ safe }, n) => {
    const before = headcounts[n - 1];
    if (before === undefined || safe.size >= before.safe.size) return false;
    const gone = [...before.safe].filter((id) => !safe.has(id));
    return !gone.some((id) => headcounts.slice(Math.max(0, n - LATE.most), n + 1).some(({ truly }) => !truly.has(id)));
  }).length;

/** The largest distance of the count from the ground truth of 10 to 20 s earlier, among seen workers. */
export function furthestFromTruth({ headcounts }: CountedMuster): number {
  let furthest = 0;
  for (const [n, { safe, seen }] of headcounts.entries()) {
    const seenThen = headcounts[Math.max(0, n - LATE.most)]!.seen;
    const countable = [...seen].filter((id) => seenThen.has(id));
    const counted = countable.filter((id) => safe.has(id)).length;
    const then = Array.from({ length: LATE.most - LATE.least + 1 }, (_, k) => {
      const { truly } = headcounts[Math.max(0, n - LATE.least - k)]!;
      return countable.filter((id) => truly.has(id)).length;
    });
    furthest = Math.max(furthest, Math.min(...then) - counted, counted - Math.max(...then));
  }
  return furthest;
}

/** The share of "safe" at the headcounts of musters that is wrong: not at a point, nor 20 s earlier. */
export function falselySafe(musters: readonly CountedMuster[]): number {
  let [all, wrong] = [0, 0];
  for (const { headcounts } of musters)
    for (const [n, { safe, truly }] of headcounts.entries()) {
      const then = headcounts[Math.max(0, n - LATE.most)]!.truly;
      all += safe.size;
      wrong += [...safe].filter((id) => !truly.has(id) && !then.has(id)).length;
    }
  return all === 0 ? 0 : wrong / all;
}
