/** Musters as the watches of a site receive them, for people without watches that talk. */
import type { MusterKind } from '../../../src/contract/enumerations.ts';
import type { MusterNotice } from '../../../src/contract/watch.ts';
import { insideRing } from '../../../src/fleet/people/ground/rings.ts';
import { frameOf, type PeopledSite } from './plants.ts';

export interface NoticeFields extends Partial<Pick<MusterNotice, 'status' | 'phase' | 'revision'>> {
  readonly kind?: MusterKind;
  /** Names of points. */
  readonly excluded?: readonly string[];
}

/** The points of the plan, under their names as ids. */
export function notice(
  site: PeopledSite,
  { kind = 'general', excluded = [], ...more }: NoticeFields = {},
): MusterNotice {
  const points = site.planned.zones.flatMap(({ name, ring, assemblyPoint }) => {
    if (assemblyPoint === null) return [];
    const { vertical, serves } = assemblyPoint;
    const status = excluded.includes(name) ? ('excluded' as const) : ('available' as const);
    return [{ id: name, name, ...frameOf(site).toDegrees(ring[0]!), vertical, status, serves: [...serves] }];
  });
  const about = { muster_id: 'm', status: 'active', phase: 'evacuating', revision: 1, deadline: null } as const;
  return { ...about, kind, ...more, points };
}

/** How many stand in the zone. */
export function inZone({ people, persons }: PeopledSite, name: string, now: number): number {
  const { ring } = people.ground.zones.find((zone) => zone.name === name)!;
  return persons.filter((_, i) => insideRing(ring, ...people.at(i, now))).length;
}
