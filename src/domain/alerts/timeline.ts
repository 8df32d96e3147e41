/** The alert's timeline: who did what, when and why; it stands on the panel's page, never in the API's Alert. [spec 3, decisions 5] */
import type { Instant } from '../../base/clock.ts';
import type { Alert, TimelineEntry } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { refreshed } from './snapshots.ts';

/** A watch whose button is stuck must not grow an alert without bound; the first lines and the last stay. */
export const MAX_TIMELINE = 500;

/** A line alone changes nothing that the API shows, so `date_last_modified` stays. */
export function withLine(alert: Alert, line: TimelineEntry): Alert {
  const timeline = [...alert.timeline, line];
  if (timeline.length > MAX_TIMELINE) timeline.splice(MAX_TIMELINE / 2, 1);
  return { ...alert, timeline };
}

/** A change that the API shows, as of now: the references are read anew. [decisions 5] */
export function changed(world: World, now: Instant, alert: Alert, change: Partial<Alert>, line: TimelineEntry): Alert {
  return { ...withLine(alert, line), ...refreshed(world, alert), ...change, modifiedAt: now };
}
