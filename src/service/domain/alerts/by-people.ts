/** Operator actions on an alert: acknowledge, resolve, reopen, assign; and the transitions. [spec 3, decisions 5] */
import type { AlertStatus } from '../../../contract/enumerations.ts';
import { type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { Alert } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { type AlertDecision, changed } from './raise.ts';

type RequestedStatus = CommandOf<'update-alert'>['status'];

/**
 * `same`: the alert already has the status. The reply is 200 without an event, so that a client may retry. `refused`:
 * 409.
 */
const TRANSITIONS: {
  readonly [From in AlertStatus]: { readonly [To in RequestedStatus]: 'moves' | 'same' | 'refused' };
} = {
  unacknowledged: { acknowledged: 'moves', resolved: 'moves' },
  acknowledged: { acknowledged: 'same', resolved: 'moves' },
  resolved: { acknowledged: 'refused', resolved: 'same' },
};

export function updateAlert(
  world: World,
  stamp: Stamp,
  command: CommandOf<'update-alert'>,
): (AlertDecision & { unchanged?: boolean }) | Rejection {
  const alert = world.get('alert', command.alertId);
  if (alert === undefined) return reject('not_found', 'There is no such alert.');
  const transition = TRANSITIONS[alert.status][command.status];
  if (transition === 'refused')
    return reject('invalid_transition', `The alert is ${alert.status}; it cannot become ${command.status}.`);
  if (transition === 'same') return { changes: [], alertId: alert.id, unchanged: true };
  const { change, what } = command.status === 'acknowledged' ? taken(alert, stamp, command) : done(stamp, command);
  const line = { at: stamp.now, what, by: command.actor, reason: command.reason, note: command.note };
  const after = changed(world, stamp.now, alert, change, line);
  const event = command.status === 'acknowledged' ? 'alert.acknowledged' : 'alert.resolved';
  return { changes: [{ kind: 'alert-changed', alert: after, event }], alertId: alert.id };
}

/** Acknowledging an unassigned alert assigns it to the same operator, as in the panel. [spec 3] */
function taken(alert: Alert, { now }: Stamp, { by }: CommandOf<'update-alert'>) {
  const change: Partial<Alert> = {
    status: 'acknowledged',
    acknowledged: { at: now, by },
    assignedTo: alert.assignedTo ?? by,
  };
  return { change, what: 'Acknowledged' };
}

/** Resolving an unacknowledged alert leaves `acknowledged` null. [decisions 5] */
function done({ now }: Stamp, { by, note }: CommandOf<'update-alert'>) {
  const change: Partial<Alert> = { status: 'resolved', resolved: { at: now, by, note } };
  return { change, what: 'Resolved' };
}

/** A panel action on a resolved alert. Its assignee and the wearer's acknowledgement stay. [decisions 5] */
export function reopenAlert(
  world: World,
  stamp: Stamp,
  { alertId, by }: CommandOf<'reopen-alert'>,
): AlertDecision | Rejection {
  const alert = world.get('alert', alertId);
  if (alert === undefined) return reject('not_found', 'There is no such alert.');
  if (alert.status !== 'resolved')
    return reject('action_refused', `The alert is ${alert.status}; only a resolved one can be reopened.`);
  // Only one alert of a subject may be open, and the newer one began after this one was resolved. [decisions 5]
  const newer = world.indexes.openAlertId(alert.subject);
  if (newer !== undefined)
    return reject(
      'action_refused',
      `A newer alert of the same type and worker is open: ${newer}. This one stays resolved.`,
    );
  const line = { at: stamp.now, what: 'Reopened', by, reason: null, note: null };
  const change: Partial<Alert> = { status: 'unacknowledged', acknowledged: null, resolved: null };
  const after = changed(world, stamp.now, alert, change, line);
  return { changes: [{ kind: 'alert-changed', alert: after, event: 'alert.reopened' }], alertId };
}

/** A panel action on an open alert. It emits no event. [spec 6] */
export function assignAlert(
  world: World,
  stamp: Stamp,
  { alertId, by, to }: CommandOf<'assign-alert'>,
): AlertDecision | Rejection {
  const alert = world.get('alert', alertId);
  if (alert === undefined) return reject('not_found', 'There is no such alert.');
  if (alert.status === 'resolved') return reject('action_refused', 'The alert is resolved; reopen it first.');
  if (alert.assignedTo === to) return { changes: [], alertId };
  const line = { at: stamp.now, what: `Assigned to ${to}`, by, reason: null, note: null };
  const after = changed(world, stamp.now, alert, { assignedTo: to }, line);
  return { changes: [{ kind: 'alert-changed', alert: after, event: null }], alertId };
}
