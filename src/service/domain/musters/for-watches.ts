/** The evacuation as it is published to all watches of the site. [watch-protocol `all/muster`] */
import { representativePoint } from '../../../base/geometry/shapes.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import type { MusterNotice } from '../../../contract/watch.ts';
import { frameOf } from '../privacy/places.ts';
import type { Muster } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { assemblyPoints, exclusionOf } from './inside.ts';

/**
 * Contains every assembly point of the site, since a wearer may declare any of them. `serves` shows which ones are
 * targets.
 */
export function musterForWatches(world: World, muster: Muster): MusterNotice {
  const site = world.need('site', muster.site.id);
  const points = assemblyPoints(world, site.id).map(({ id, name, ring, assemblyPoint }) => ({
    id,
    name,
    ...frameOf(site).toDegrees(representativePoint(ring)),
    vertical: assemblyPoint?.vertical === true,
    status: exclusionOf(muster, id) === undefined ? ('available' as const) : ('excluded' as const),
    serves: [...(assemblyPoint?.serves ?? [])],
  }));
  return {
    muster_id: muster.id,
    status: muster.status,
    kind: muster.kind,
    phase: muster.phase,
    revision: muster.targetsRevision,
    deadline: muster.deadline === null ? null : formatInstant(muster.deadline.at),
    points,
  };
}
