/**
 * Stays inside guarded zones, and the alerts for entering one: two consecutive fixes must be inside by at least their
 * uncertainty. [decisions 5 restricted_zone_entry, forbidden_zone_entry]
 */
import { signedDistance } from '../../../base/geometry/shapes.ts';
import { raise, withLine } from '../alerts/raise.ts';
import type { Change, ChangeOf, Stamp } from '../changes.ts';
import { pointOf } from '../privacy/places.ts';
import type { Device, Telemetry, Worker } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';
import { type Fenced, fenceOf } from './fence.ts';
import { isGuarded, permitInForce } from './permits.ts';
import { stayId } from './stay-id.ts';

/** The effect of one fix on the guarded zones. */
interface JudgedFix {
  /** Zones for which this fix is the first of two consecutive ones inside. */
  readonly entering: readonly string[];
  readonly changes: readonly Change[];
}

const NOWHERE: readonly string[] = [];

/**
 * Judges one fix. `telemetry` is what the watch reports with this fix. `stays` are the zones of the current stays,
 * which this call updates for the next fix of the same message. `earlier` are the changes of the earlier fixes of that
 * message.
 */
export function judgeZones(
  world: World,
  stamp: Stamp,
  { worker, device }: { readonly worker: Worker; readonly device: Device },
  telemetry: Telemetry & { readonly fix: Fix },
  stays: Set<string>,
  earlier: readonly Change[],
): JudgedFix {
  const { fix, entering: before } = telemetry;
  // The uncertainty is unknown, so the fix is no evidence. [decisions 5]
  if (fix.uncertaintyM === null) return { entering: before, changes: [] };
  const fence = fenceOf(world, device.siteId);
  const point = pointOf(world.need('site', device.siteId), fix);
  const changes: Change[] = [];
  for (const zoneId of stays) {
    const fenced = fence.get(zoneId);
    if (fenced !== undefined && !isOutside(fenced, point, fix.uncertaintyM)) continue;
    stays.delete(zoneId);
    changes.push({ kind: 'stay-ended', stayId: stayId(device.id, zoneId) });
  }
  let entering = NOWHERE;
  for (const fenced of fence.holding(point)) {
    const { zone } = fenced;
    if (!isGuarded(zone) || stays.has(zone.id) || !isInside(fenced, point, fix.uncertaintyM)) continue;
    if (!before.includes(zone.id)) {
      entering = [...entering, zone.id];
      continue;
    }
    stays.add(zone.id);
    const stay = { id: stayId(device.id, zone.id), deviceId: device.id, zoneId: zone.id, since: stamp.now };
    changes.push({ kind: 'stay-begun', stay });
    changes.push(
      ...entered(world, stamp, { worker, device }, telemetry, fenced).map((change) => once(change, earlier)),
    );
  }
  return { entering, changes };
}

/**
 * Inside by at least the uncertainty. In a zone that is narrower than twice the uncertainty, the point itself must be
 * inside. [decisions 5]
 */
const isInside = ({ zone, widthM }: Fenced, point: readonly [number, number], uncertaintyM: number): boolean =>
  signedDistance(point, zone.ring) >= (widthM < 2 * uncertaintyM ? 0 : uncertaintyM);

/** Hysteresis: to leave, a fix must be outside by more than its uncertainty. */
function isOutside({ zone, widthM }: Fenced, point: readonly [number, number], uncertaintyM: number): boolean {
  const depth = signedDistance(point, zone.ring);
  return widthM < 2 * uncertaintyM ? depth < 0 : depth < -uncertaintyM;
}

function entered(
  world: World,
  stamp: Stamp,
  { worker, device }: { readonly worker: Worker; readonly device: Device },
  telemetry: Telemetry,
  { zone }: Fenced,
): readonly Change[] {
  const permit = permitInForce(world, worker.id, zone.id, stamp.now);
  if (zone.type === 'restricted' && permit !== null) return [];
  const type = zone.type === 'forbidden' ? 'forbidden_zone_entry' : 'restricted_zone_entry';
  return raise(world, stamp, {
    type,
    worker,
    device,
    details: {
      zone_type: zone.type === 'forbidden' ? 'forbidden' : 'restricted',
      permit_reference: permit?.reference ?? null,
    },
    subject: `${worker.id}/${zone.id}`,
    zone,
    from: [device.id, zone.id, stamp.now],
    what: `Entered ${zone.name}`,
    telemetry,
  }).changes;
}

/** An alert that the same message raised is not yet in the world, so a second entry adds a line to it. [decisions 5] */
function once(change: Change, earlier: readonly Change[]): Change {
  if (!isOfAlert(change)) return change;
  const { subject, timeline } = change.alert;
  const before = earlier.filter(isOfAlert).findLast(({ alert }) => alert.subject === subject);
  const line = timeline.at(-1);
  if (before === undefined || line === undefined) return change;
  return { kind: 'alert-noted', alert: withLine(before.alert, line) };
}

const isOfAlert = (change: Change): change is ChangeOf<'alert-raised' | 'alert-noted'> =>
  change.kind === 'alert-raised' || change.kind === 'alert-noted';
