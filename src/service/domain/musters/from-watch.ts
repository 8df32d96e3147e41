/** Reports of a watch in an evacuation: the wearer cannot evacuate, or has reached a point. [watch-protocol, decisions 6] */
import { signedDistance } from '../../../base/geometry/shapes.ts';
import { type AlertDecision, changed, raise, subjectOf, wearerOf } from '../alerts/raise.ts';
import type { Change, Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { frameOf } from '../privacy/places.ts';
import type { Device, Expected, Muster, Worker } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';
import { isExpected, newlyExpected } from './count.ts';

/** Distance from the point's edge at which a newer position contradicts a declaration; metres. [decisions 6] */
const CONTRADICTS_M = 50;

const NO_MUSTER: AlertDecision = { changes: [], dropped: 'no muster is active on the site' };
const NO_WEARER: AlertDecision = { changes: [], dropped: 'the watch has no worker' };

/**
 * One open alert per worker. Another reason or another muster changes its details; a call without a reason keeps the
 * known one.
 */
export function reportHelp(world: World, stamp: Stamp, command: CommandOf<'report-help'>): AlertDecision {
  const wearer = wearerOf(world, command.deviceId);
  if (wearer === null) return NO_WEARER;
  const muster = world.indexes.activeMuster(wearer.device.siteId);
  if (muster === undefined) return NO_MUSTER;
  const { reason, uplinkId } = command;
  const what = reason === null ? 'Cannot evacuate' : `Cannot evacuate: ${reason}`;
  const openId = world.indexes.openAlertId(subjectOf(wearer.worker.id, 'evacuation_help'));
  const open = openId === undefined ? undefined : world.need('alert', openId);
  if (open !== undefined && 'muster_id' in open.details) {
    const details = { reason: reason ?? open.details.reason, muster_id: muster.id };
    if (details.reason !== open.details.reason || details.muster_id !== open.details.muster_id) {
      const line = { at: stamp.now, what, by: wearer.worker.name, reason: null, note: null };
      const alert = changed(world, stamp.now, open, { details }, line);
      return { changes: [{ kind: 'alert-changed', alert, event: null }], alertId: alert.id };
    }
  }
  const details = { reason, muster_id: muster.id };
  return raise(world, stamp, { ...wearer, type: 'evacuation_help', details, from: [uplinkId], what });
}

/** A declaration does not move the person, and a newer position may contradict it. */
export function declareAtPoint(world: World, stamp: Stamp, command: CommandOf<'declare-at-point'>): AlertDecision {
  const wearer = wearerOf(world, command.deviceId);
  if (wearer === null) return NO_WEARER;
  const muster = world.indexes.activeMuster(wearer.device.siteId);
  if (muster === undefined) return NO_MUSTER;
  const zone = world.get('zone', command.pointId);
  if (zone === undefined || zone.siteId !== muster.site.id || zone.assemblyPoint === null)
    return { changes: [], dropped: 'the site has no such assembly point' };
  const person = expectedNow(world, muster, wearer, stamp);
  if (person === null) return { changes: [], dropped: 'the worker is not expected in the muster' };
  const declared = { pointId: zone.id, at: stamp.now, contradicted: false };
  return { changes: [{ kind: 'expected-changed', person: { ...person, declared } }] };
}

/** The expected person, including one who came in since the last count; null if they are not expected. */
function expectedNow(
  world: World,
  muster: Muster,
  { worker }: { worker: Worker; device: Device },
  { now }: Stamp,
): Expected | null {
  const person = world.indexes.expectedIn(muster.id).get(worker.id);
  if (person !== undefined) return person;
  const site = world.need('site', muster.site.id);
  return worker.siteId === site.id && isExpected(world, site, worker, now) ? newlyExpected(muster.id, worker.id) : null;
}

/**
 * Records that a new position contradicts the point that its wearer declared. Newer is by arrival, and a contradiction
 * is final.
 */
export function contradict(world: World, device: Device, fix: Fix): Change[] {
  const muster = world.indexes.activeMuster(device.siteId);
  if (muster === undefined || device.workerId === null) return [];
  const person = world.indexes.expectedIn(muster.id).get(device.workerId);
  if (person === undefined || person.declared === null || person.declared.contradicted) return [];
  const zone = world.get('zone', person.declared.pointId);
  const point = frameOf(world.need('site', device.siteId)).toMetres(fix);
  if (zone !== undefined && signedDistance(point, zone.ring) >= -CONTRADICTS_M) return [];
  return [{ kind: 'expected-changed', person: { ...person, declared: { ...person.declared, contradicted: true } } }];
}
