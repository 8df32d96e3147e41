/** Who hears of a muster: the event log, its destinations, the watches of the site, and those who watch from inside. [spec 6, decisions 7] */
import { formatInstant } from '../../base/instants.ts';
import { clientOf } from '../access/viewer.ts';
import type { ChangeOf } from '../changes.ts';
import type { Consequences } from '../consequences.ts';
import { getsMuster, priorityOf } from '../deliveries/subscription.ts';
import { occur } from '../events.ts';
import type { Stamp } from '../stamp.ts';
import { musterView } from '../views/muster.ts';
import { nextEventAt } from '../world/organization-clock.ts';
import type { World } from '../world/world.ts';
import { musterForWatches } from './for-watches.ts';

/** What watches show changes with these only; counts are not theirs. */
const WATCHES_HEAR: ReadonlySet<string> = new Set([
  'muster.started',
  'muster.kind_changed',
  'muster.phase_changed',
  'muster.targets_changed',
  'muster.ended',
]);

export function musterConsequences(
  world: World,
  { muster, events, at }: ChangeOf<'muster-changed'>,
  stamp: Stamp,
): Consequences {
  const { id, organizationId, site } = muster;
  const view = musterView(muster);
  const client = clientOf(world, organizationId);
  const now = formatInstant(stamp.now);
  // Those of one count follow each other: the organization's clock moves only when they are applied. [decisions 1, 6]
  const first = nextEventAt(world, organizationId, at);
  const changes: Consequences['changes'][number][] = [];
  const effects: Consequences['effects'][number][] = [
    { kind: 'notice', notice: { kind: 'muster-changed', at: now, organization_id: organizationId, muster: view } },
  ];
  events.forEach((type, place) => {
    const occurred = occur(world, stamp, {
      ...{ type, organizationId, siteId: site.id, objectId: id },
      // Muster totals are not scoped to contractors. [decisions 4]
      contractor: null,
      at: first + place,
      data: { muster: view },
      priority: priorityOf(type, null),
      goesTo: (destination) => getsMuster(destination, client, muster),
    });
    changes.push(...occurred.changes);
    effects.push(...occurred.effects);
  });
  if (events.some((type) => WATCHES_HEAR.has(type)))
    effects.push({ kind: 'muster', siteId: site.id, payload: musterForWatches(world, muster) });
  return { changes, effects };
}
