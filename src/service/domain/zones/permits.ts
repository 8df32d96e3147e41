/** Work permits: opened and closed by people, or expired. People still inside then raise an alert. [decisions 5 permit_expired_inside, permit_closed_inside] */
import type { Instant } from '../../../base/time/clock.ts';
import { type AlertDecision, raise } from '../alerts/raise.ts';
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { Permit, Zone } from '../world/documents.ts';
import { freshId } from '../world/fresh-id.ts';
import type { World } from '../world/world.ts';
import { stayId } from './stay-id.ts';

/**
 * A permit lets its holder enter the restricted zone that it names. Entry into a forbidden zone raises an alert in any
 * case, with the permit's reference. [decisions 5]
 */
export function permitInForce(world: World, workerId: string, zoneId: string, now: Instant): Permit | null {
  const permits = world.indexes.permitsOfWorker.of(workerId).values();
  return permits.find((permit) => permit.zoneId === zoneId && isInForce(permit, now)) ?? null;
}

export const isInForce = ({ endedAt, until }: Permit, now: Instant): boolean =>
  endedAt === null && (until === null || until > now);

/** The instant at which the permit expires; null if only a person can end it, or if it has ended. */
export const permitDue = ({ endedAt, until }: Permit): Instant | null => (endedAt === null ? until : null);

/** True for zones that entry rules guard and that permits are for. */
export const isGuarded = (zone: Zone): zone is Zone & { readonly type: 'restricted' | 'forbidden' } =>
  zone.type === 'restricted' || zone.type === 'forbidden';

/** Opens a permit. If one with the same reference is in force, it gets the new end. */
export function openPermit(
  world: World,
  stamp: Stamp,
  command: CommandOf<'open-permit'>,
): (AlertDecision & { permitId: string }) | Rejection {
  const { workerId, zoneId, until } = command;
  const worker = world.get('worker', workerId);
  const zone = world.get('zone', zoneId);
  if (worker === undefined || zone === undefined) return reject('not_found', 'There is no such worker or zone.');
  if (zone.siteId !== worker.siteId)
    return reject('action_refused', `${zone.name} is on another site than the worker.`);
  if (until !== null && until <= stamp.now) return reject('action_refused', 'The permit would end before it begins.');
  const reference = command.reference ?? nextReference(world, zone.siteId);
  const same = world.indexes.permitsOfWorker
    .of(workerId)
    .values()
    .find((one) => one.zoneId === zoneId && one.reference === reference && isInForce(one, stamp.now));
  const permit: Permit =
    same === undefined
      ? {
          id: freshId(world, stamp, 'permit', workerId, zoneId, reference, stamp.now),
          siteId: zone.siteId,
          workerId,
          zoneId,
          reference,
          until,
          endedAt: null,
        }
      : { ...same, until };
  return { changes: [{ kind: 'permit-changed', permit }], permitId: permit.id };
}

function nextReference(world: World, siteId: string): string {
  let highest = 0;
  for (const permit of world.all('permit')) {
    const number = permit.siteId === siteId ? /(\d+)$/.exec(permit.reference)?.[1] : undefined;
    if (number !== undefined) highest = Math.max(highest, Number(number));
  }
  return `WP-${highest + 1}`;
}

/** A person closes the permit. */
export function closePermit(
  world: World,
  stamp: Stamp,
  command: CommandOf<'close-permit'>,
): (AlertDecision & { permitId?: string }) | Rejection {
  const permit = world.get('permit', command.permitId);
  if (permit === undefined) return reject('not_found', 'There is no such permit.');
  if (!isInForce(permit, stamp.now)) return reject('action_refused', `Permit ${permit.reference} has ended already.`);
  return ended(world, stamp, permit, 'permit_closed_inside', `Permit ${permit.reference} was closed`);
}

/** The permit expires, by time or by an action. */
export function expirePermit(
  world: World,
  stamp: Stamp,
  command: CommandOf<'expire-permit'>,
): (AlertDecision & { permitId?: string }) | Rejection {
  const permit = world.get('permit', command.permitId);
  if (permit === undefined || permit.endedAt !== null)
    return reject('action_refused', 'There is no such permit in force.');
  return ended(world, stamp, permit, 'permit_expired_inside', `Permit ${permit.reference} ran out`);
}

function ended(
  world: World,
  stamp: Stamp,
  permit: Permit,
  type: 'permit_expired_inside' | 'permit_closed_inside',
  what: string,
): AlertDecision & { permitId: string } {
  const after: Permit = { ...permit, endedAt: stamp.now };
  const change: Change = { kind: 'permit-changed', permit: after };
  const worker = world.get('worker', permit.workerId);
  const zone = world.get('zone', permit.zoneId);
  const device = worker?.deviceId == null ? undefined : world.get('device', worker.deviceId);
  const bare = { changes: [change], permitId: permit.id };
  if (worker === undefined || device === undefined || zone === undefined || !isGuarded(zone)) return bare;
  // The rule considers only this permit, whatever other permits its holder has.
  if (world.get('stay', stayId(device.id, zone.id)) === undefined) return bare;
  const { changes, alertId } = raise(world, stamp, {
    type,
    worker,
    device,
    details: { zone_type: zone.type, permit_reference: permit.reference },
    subject: permit.id,
    zone,
    from: [permit.id],
    what: `${what} inside ${zone.name}`,
  });
  return { changes: [change, ...changes], alertId, permitId: permit.id };
}
