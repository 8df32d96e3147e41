/** What flows in the stream: a snapshot first, then changes, each as the object is now. [decisions 9] */
import { type Static, Type } from 'typebox';
import { EventType, HelpReason, MISSING_STATUSES, PrivacyMode, Severity } from '../../contract/enumerations.ts';
import { Alert, Location, Muster, Polygon, WebhookDestination, Zone } from '../../contract/resources.ts';
import { BatteryPct, closed, described, inline, nullable, Time, Uuid, whole } from '../../contract/shapes.ts';
import { SUBJECTS } from './change-log.ts';

export const StreamSite = closed('StreamSite', 'A site with what a map of it needs.', {
  id: Uuid,
  name: Type.String(),
  location: nullable(Type.String()),
  privacy_mode: PrivacyMode,
  unveil_min_severity: Severity,
  boundary: Polygon,
  wind: nullable(inline({ from_deg: Type.Number(), speed_ms: Type.Number() })),
  zones: Type.Array(Zone),
});
export type StreamSite = Static<typeof StreamSite>;

export const StreamWorker = closed('StreamWorker', 'Who somebody is; a name only where the viewer may see names.', {
  id: Uuid,
  external_id: nullable(Type.String()),
  name: Type.Optional(Type.String()),
  contractor: nullable(Type.String()),
  role: nullable(Type.String()),
  is_active: Type.Boolean(),
  site_id: Uuid,
});
export type StreamWorker = Static<typeof StreamWorker>;

export const StreamPerson = closed('StreamPerson', 'What is known of a worker now: by the watch, and in a muster.', {
  worker_id: Uuid,
  device_id: nullable(Uuid),
  location: nullable(Location, 'Null where the veil, the scope or its age keeps it back.'),
  location_withheld: Type.Boolean(),
  in_vehicle: Type.Boolean(),
  worn: nullable(Type.Boolean()),
  battery: nullable(BatteryPct),
  date_last_seen: nullable(Time),
  muster: nullable(
    inline({
      id: Uuid,
      status: Type.Enum(['safe', ...MISSING_STATUSES], { type: 'string' }),
      needs_rescue: Type.Boolean(),
      help_reason: nullable(HelpReason),
      assembly_point: nullable(inline({ id: Uuid, valid: Type.Boolean() })),
    }),
    'How they fared at the last count of the active muster that expects them.',
  ),
});
export type StreamPerson = Static<typeof StreamPerson>;

export const StreamDelivery = closed('StreamDelivery', 'An event on its way to a destination.', {
  id: Uuid,
  event_id: Uuid,
  event_type: EventType,
  destination_id: Uuid,
  state: Type.Enum(['waiting', 'delivered', 'lost'], { type: 'string' }),
  tries: whole(0),
  last_status: nullable(Type.Integer()),
  last_error: nullable(Type.String(), 'Why the last attempt failed, where it was made while somebody watched.'),
  took_ms: nullable(Type.Number(), 'Wall time of the last attempt, where it was made while somebody watched.'),
  next_attempt_at: nullable(Time),
});
export type StreamDelivery = Static<typeof StreamDelivery>;

export const StreamClock = closed('StreamClock', 'The simulated clock.', {
  now: Time,
  speed: Type.Number(),
  paused: Type.Boolean(),
});
export type StreamClock = Static<typeof StreamClock>;

export const StreamTruth = closed('StreamTruth', 'Where somebody truly is, whatever their watch reported.', {
  worker_id: Uuid,
  latitude: Type.Number(),
  longitude: Type.Number(),
  height_m: nullable(Type.Number(), 'Above the ground, where there are floors.'),
  floor: nullable(Type.String()),
  zone: nullable(Type.String(), 'The smallest one around them.'),
  in_vehicle: Type.Boolean(),
  worn: nullable(Type.Boolean()),
  activity: Type.String(),
});
export type StreamTruth = Static<typeof StreamTruth>;

export const StreamCurve = closed('StreamCurve', 'How many were safe when, since the start of a muster.', {
  muster_id: Uuid,
  points: described(
    Type.Array(inline({ at: Time, safe: whole(0) })),
    'Each count after which the number differs, oldest first; of a long muster 200 of them. Empty where no counts are kept.',
  ),
});
export type StreamCurve = Static<typeof StreamCurve>;

export const StreamTally = closed('StreamTally', 'Deliveries to a destination so far, of the last 30 days.', {
  destination_id: Uuid,
  delivered: whole(0),
  failed: described(whole(0), 'Attempts, those of lost deliveries included.'),
  lost: whole(0),
  took_ms: described(Type.Array(Type.Number()), 'Wall time of the newest successful attempts, oldest first.'),
});
export type StreamTally = Static<typeof StreamTally>;

export const StreamSnapshot = closed('StreamSnapshot', 'Everything as it is now: the first event of a stream.', {
  clock: StreamClock,
  sites: Type.Array(StreamSite),
  workers: Type.Array(StreamWorker),
  people: Type.Array(StreamPerson),
  alerts: described(Type.Array(Alert), 'Those that are open, the oldest first.'),
  musters: described(Type.Array(Muster), 'The newest of each site.'),
  curves: described(Type.Array(StreamCurve), 'One for each of the musters.'),
  destinations: Type.Array(WebhookDestination),
  tallies: described(Type.Array(StreamTally), 'One for each of the destinations.'),
  deliveries: described(Type.Array(StreamDelivery), 'Those that wait for their next attempt.'),
  truth: Type.Optional(described(Type.Array(StreamTruth), 'Only where it was asked for, by the control token.')),
});
export type StreamSnapshot = Static<typeof StreamSnapshot>;

/** One of the objects, under its own name; `people` are several. */
export const StreamChange = closed('StreamChange', 'Something as it is now, since the event before.', {
  subject: Type.Enum([...SUBJECTS, 'truth'], { type: 'string' }),
  at: described(Time, 'Simulated time.'),
  people: Type.Optional(Type.Array(StreamPerson)),
  worker: Type.Optional(StreamWorker),
  site: Type.Optional(StreamSite),
  alert: Type.Optional(Alert),
  muster: Type.Optional(Muster),
  destination: Type.Optional(WebhookDestination),
  delivery: Type.Optional(StreamDelivery),
  clock: Type.Optional(StreamClock),
  truth: Type.Optional(described(Type.Array(StreamTruth), 'Of those for whom it is other than was told.')),
  gone: Type.Optional(described(Uuid, 'What had this id is no more, or is no more for this viewer.')),
});
export type StreamChange = Static<typeof StreamChange>;
