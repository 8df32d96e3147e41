/** The event envelope of the event log and of webhooks. */
import { type Static, Type } from 'typebox';
import { API_VERSION, EVENT_TYPES, type EventGroup, type EventType, MORE_TYPES } from './enumerations.ts';
import { Alert, Muster } from './resources.ts';
import { closed, described, inline, nullable, Time, Uuid, words } from './shapes.ts';

type AlertEventType = Extract<EventType, `alert.${string}`>;
type MusterEventType = Extract<EventType, `muster.${string}`>;

/** The event types that carry `data.alert` [spec 6.1]. */
const ALERT_EVENT_TYPES = EVENT_TYPES.filter((type): type is AlertEventType => type.startsWith('alert.'));

/** The event types that carry `data.muster` [spec 6.1]. */
const MUSTER_EVENT_TYPES = EVENT_TYPES.filter((type): type is MusterEventType => type.startsWith('muster.'));

/** [spec 4] */
export function groupOf(type: EventType): EventGroup {
  return type.startsWith('alert.') ? 'alert.*' : 'muster.*';
}

const id = {
  id: described(Uuid, 'The id of the event. Deduplicate by it, because delivery is at least once [spec 2].'),
};
const envelope = {
  api_version: Type.Literal(API_VERSION),
  created_at: described(Time, 'The time at which the event occurred. Order events by it [spec 6].'),
  organization_id: nullable(Uuid, 'The company that owns the site; null in test events [spec 2].'),
  site_id: Uuid,
};

/** [spec 2 Event, spec 6.1] */
export const AlertEvent = closed('AlertEvent', 'An event of an alert [spec 6].', {
  ...id,
  type: words('AlertEventType', `The event types of alerts. ${MORE_TYPES} [spec 6].`, ALERT_EVENT_TYPES),
  ...envelope,
  data: inline({ alert: Alert }),
});
export type AlertEvent = Static<typeof AlertEvent>;

/** [spec 2 Event, spec 6.1] */
export const MusterEvent = closed('MusterEvent', 'An event of a muster [spec 6].', {
  ...id,
  type: words('MusterEventType', `The event types of musters. ${MORE_TYPES} [spec 6].`, MUSTER_EVENT_TYPES),
  ...envelope,
  data: inline({ muster: Muster }),
});
export type MusterEvent = Static<typeof MusterEvent>;

/** The envelope: `data` is the object exactly as the matching GET would return it at that instant [spec 2 Event]. */
export const Event = Type.Union([AlertEvent, MusterEvent], {
  title: 'Event',
  description: 'The body of a webhook delivery, and an item of the event log. Deduplicate by `id` [spec 2, spec 6].',
});
export type Event = Static<typeof Event>;

/** When the service sends each event type, for readers of the documentation. [spec 6, decisions 5, 6] */
export const EVENT_CAUSES: Readonly<Record<EventType, string>> = {
  'alert.created':
    'A new alert was raised. A second press, fall or call of the same worker joins the open alert and sends no event.',
  'alert.acknowledged': 'An operator took charge of the alert, in the panel or through the API.',
  'alert.resolved': 'An operator closed the alert, in the panel or through the API. No rule closes an alert.',
  'alert.reopened': 'A panel user reopened a resolved alert. Its status is `unacknowledged` again.',
  'alert.worker_acknowledged':
    'The worker pressed acknowledge on the watch. `worker_acknowledged_at` is set, and `status` does not change.',
  'muster.started': 'A person of the control room started a muster.',
  'muster.kind_changed':
    'A person changed the kind of the muster. The assembly points and the deadline are those of the new kind.',
  'muster.phase_changed': 'Nobody is missing, and a person began to inspect the plant: `phase` is `inspecting`.',
  'muster.targets_changed':
    'A person excluded or reinstated an assembly point. `targets_revision` is one higher than before.',
  'muster.updated':
    'The headcount changed. The service counts every 5 s and sends the event only when totals or the count of a point differ.',
  'muster.worker_missing':
    'The deadline passed and somebody is newly missing. One event covers all workers of one headcount; without a deadline, it is due 15 minutes after the start.',
  'muster.ended':
    'A person ended the muster as `completed` or `cancelled`. `expected` and `safe` keep the last headcount; the other totals are null.',
};
