/**
 * Strictly increasing times per organization for events and alert changes, in commit order. So a client that polls from
 * the newest time that it has seen misses nothing. [decisions 1, 5]
 */
import type { Instant } from '../../../base/time/clock.ts';
import type { Alert, OrganizationClock } from './documents.ts';
import type { World } from './world.ts';

function clockOf(world: World, id: string): OrganizationClock {
  return world.get('organizationClock', id) ?? { id, lastEventAt: 0, lastModifiedAt: 0 };
}

/** `created_at` of the organization's next event: when it occurred, or the next free millisecond after the last event. */
export function nextEventAt(world: World, organizationId: string, at: Instant): Instant {
  return Math.max(at, clockOf(world, organizationId).lastEventAt + 1);
}

/** Records that an event of the organization occurred. */
export function eventOccurred(world: World, organizationId: string, at: Instant): void {
  world.put('organizationClock', { ...clockOf(world, organizationId), lastEventAt: at });
}

/**
 * Stores an alert whose API object differs from the one before. `modifiedAt` is assigned here and not in the decision:
 * if one command changes several alerts, each gets its own instant.
 */
export function putModified(world: World, alert: Alert): void {
  const clock = clockOf(world, alert.organizationId);
  const modifiedAt = Math.max(alert.modifiedAt, clock.lastModifiedAt + 1);
  world.put('alert', { ...alert, modifiedAt });
  world.put('organizationClock', { ...clock, lastModifiedAt: modifiedAt });
}
