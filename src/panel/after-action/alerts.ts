/** The alerts open during a muster, and how long each waited. */
import type { Instant } from '../../base/clock.ts';
import { titleOf } from '../../domain/views/alert.ts';
import type { Alert, Muster } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import type { AlertRecord, AlertStep } from './record.ts';

/** Alerts of the site raised during the muster, and serious ones open at its beginning, often its cause. */
export function alertsOf(world: World, muster: Muster, now: Instant): AlertRecord[] {
  const until = muster.endedAt ?? now;
  return world.indexes.alerts
    .of(muster.organizationId)
    .values()
    .filter((alert) => alert.site.id === muster.site.id && alert.createdAt <= until)
    .filter((alert) => alert.createdAt >= muster.startedAt || wasOpen(alert, muster.startedAt))
    .map((alert) => recordOf(alert, muster));
}

const wasOpen = ({ severity, resolved }: Alert, at: Instant): boolean =>
  (severity === 'critical' || severity === 'high') && (resolved === null || resolved.at > at);

function recordOf(alert: Alert, { organizationId, startedAt }: Muster): AlertRecord {
  const { id, type, severity, status, worker, createdAt, acknowledged, resolved } = alert;
  return {
    ...{ id, type, severity, status },
    // The panel is a panel user's view: it shows names. [decisions 4]
    title: titleOf(alert, { organizationId, names: true, contractors: null }),
    worker: worker === null ? null : { externalId: worker.externalId, name: worker.name },
    raisedAt: createdAt,
    before: createdAt < startedAt,
    acknowledged: acknowledged === null ? null : stepOf(alert, 'Acknowledged', acknowledged),
    resolved: resolved === null ? null : stepOf(alert, 'Resolved', resolved),
    timeline: alert.timeline,
  };
}

/** The matching line of the timeline names the person and has the reason. */
function stepOf(
  { timeline, createdAt }: Alert,
  what: string,
  { at, by, note = null }: { readonly at: Instant; readonly by: string; readonly note?: string | null },
): AlertStep {
  const line = timeline.findLast((one) => one.at === at && one.what === what);
  return {
    ...{ at, by: line?.by ?? by, reason: line?.reason ?? null, note: line?.note ?? note },
    afterMs: at - createdAt,
  };
}
