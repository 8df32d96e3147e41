/** What occurred, as far as the stream's changes tell: in the words of the events that a receiver hears. */
import type { EventType } from '../contract/enumerations.ts';
import type { Alert, Muster } from '../contract/resources.ts';

export interface Happening {
  /** Simulated ms since the epoch. */
  readonly at: number;
  readonly type: EventType;
  readonly siteId: string;
  readonly text: string;
}

/** What a change of an alert is, beside what was known of it; null: no event. */
export function alertHappening(before: Alert | undefined, after: Alert, at: number): Happening | null {
  const type = alertType(before, after);
  const who = after.worker === null ? 'whole site' : (after.worker.external_id ?? after.worker.id.slice(0, 8));
  return type === null ? null : { at, type, siteId: after.site.id, text: `${after.type} ${who}` };
}

function alertType(before: Alert | undefined, after: Alert): EventType | null {
  if (before === undefined) return 'alert.created';
  if (before.status !== after.status)
    return after.status === 'acknowledged'
      ? 'alert.acknowledged'
      : after.status === 'resolved'
        ? 'alert.resolved'
        : 'alert.reopened';
  return before.worker_acknowledged_at === null && after.worker_acknowledged_at !== null
    ? 'alert.worker_acknowledged'
    : null;
}

/** Likewise of a muster; `details` says what is other. */
export function musterHappening(before: Muster | undefined, after: Muster, at: number): Happening | null {
  const told = (type: EventType, text: string): Happening => ({ at, type, siteId: after.site.id, text });
  if (before === undefined)
    return told('muster.started', `${after.kind}${after.reason === null ? '' : `, "${after.reason}"`}`);
  if (before.status !== after.status) return told('muster.ended', after.status);
  if (before.kind !== after.kind) return told('muster.kind_changed', `${before.kind} to ${after.kind}`);
  if (before.targets_revision !== after.targets_revision) {
    const changed = after.assembly_points.find(
      ({ id, excluded }) =>
        ((before.assembly_points.find((point) => point.id === id)?.excluded ?? null) === null) !== (excluded === null),
    );
    const what =
      changed === undefined ? '' : `${changed.name} ${changed.excluded === null ? 'reinstated' : 'excluded'}, `;
    return told('muster.targets_changed', `${what}revision ${after.targets_revision}`);
  }
  if (before.phase !== after.phase) return told('muster.phase_changed', after.phase);
  const other = (Object.keys(after.totals) as (keyof Muster['totals'])[]).filter(
    (key) => before.totals[key] !== after.totals[key],
  );
  if (other.length === 0) return null;
  const counts = (['safe', 'help', ...other] as const)
    .filter((key, place, all) => other.includes(key) && all.indexOf(key) === place)
    .slice(0, 2)
    .map((key) => `${key} ${before.totals[key] ?? 0} to ${after.totals[key] ?? 0}`);
  return told('muster.updated', counts.join(', '));
}
