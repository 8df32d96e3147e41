/** The points that a muster sends people to: those that serve its kind, less those that were excluded. [decisions 6] */
import type { MusterKind } from '../../contract/enumerations.ts';
import type { Muster, Zone } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { assemblyPoints } from './inside.ts';

export const serves = ({ assemblyPoint }: Zone, kind: MusterKind): boolean =>
  assemblyPoint?.serves.includes(kind) === true;

export const targetsOf = (world: World, siteId: string, kind: MusterKind): Muster['targets'] =>
  assemblyPoints(world, siteId)
    .filter((zone) => serves(zone, kind))
    .map(({ id, name }) => ({ id, name }));

export const exclusionOf = (muster: Muster, pointId: string): Muster['exclusions'][number] | undefined =>
  muster.exclusions.find((exclusion) => exclusion.pointId === pointId);

/** The points at which a person counts as safe. */
export const validPoints = (muster: Muster): ReadonlySet<string> =>
  new Set(muster.targets.map(({ id }) => id).filter((id) => exclusionOf(muster, id) === undefined));
