/** The messages of `GET /v1/sandbox/stream`: server, dashboard, panel and OpenAPI take them from here. [decisions 9] */
import { type Static, type TProperties, Type } from 'typebox';
import {
  ALERT_TYPES,
  type AlertType,
  COUNTED_STATUSES,
  type CountedStatus,
  EventType,
  HelpReason,
  MISSING_STATUSES,
} from './enumerations.ts';
import { Event } from './events.ts';
import { Alert, Location, Muster, Polygon, Site, WebhookDestination, WorkerRef, Zone } from './resources.ts';
import { BatteryPct, closed, described, inline, nullable, Time, Uuid, whole } from './shapes.ts';

export const StreamClock = closed('StreamClock', 'The simulated clock.', {
  now: Time,
  speed: described(Type.Number(), 'Simulated seconds per second of wall time.'),
  paused: Type.Boolean(),
});
export type StreamClock = Static<typeof StreamClock>;

export const StreamSite = closed('StreamSite', 'A site with what a map of it needs.', {
  ...Site.properties,
  boundary: Polygon,
  wind: nullable(inline({ from_deg: Type.Number(), speed_ms: Type.Number() })),
  zones: Type.Array(Zone),
});
export type StreamSite = Static<typeof StreamSite>;

export const StreamWorker = closed('StreamWorker', 'A worker; `name` only where the viewer may see names.', {
  ...WorkerRef.properties,
  role: nullable(Type.String()),
  is_active: Type.Boolean(),
  site_id: Uuid,
});
export type StreamWorker = Static<typeof StreamWorker>;

/** Why a person is shown: what keeps them from walking, an alert type, or their status in the muster. [decisions 4, Reason] */
export const PersonReason = Type.Enum(
  ['trapped', 'injured', ...ALERT_TYPES, ...COUNTED_STATUSES] as const satisfies readonly string[],
  { type: 'string' },
);
export type PersonReason = Exclude<HelpReason, 'helping'> | AlertType | CountedStatus;

/** `age_s` is as of the message: whole seconds since the position, where one is shown. [decisions 4, Place] */
const StreamPlace = inline({
  kind: described(
    Type.Enum(['located', 'last_known', 'unknown', 'withheld'], { type: 'string' }),
    '`located`: a position of the last 15 minutes. `last_known`: the older position of a missing worker. `unknown`: there is none to show. `withheld`: a privacy rule or a missing scope hides it.',
  ),
  age_s: nullable(whole(0), 'Seconds from the position to this message; null where no position is shown.'),
});

export const StreamPerson = closed('StreamPerson', 'What is known of a worker now: from the watch, and in a muster.', {
  worker_id: Uuid,
  device_id: nullable(Uuid),
  location: nullable(Location, 'Null unless `place` is `located` or `last_known`.'),
  location_withheld: described(Type.Boolean(), 'True where `place` is `withheld`.'),
  in_vehicle: Type.Boolean(),
  worn: nullable(Type.Boolean()),
  battery: nullable(BatteryPct),
  date_last_seen: nullable(Time),
  muster: nullable(
    inline({
      id: Uuid,
      status: Type.Enum([...COUNTED_STATUSES], { type: 'string' }),
      needs_rescue: Type.Boolean(),
      help_reason: nullable(HelpReason),
      assembly_point: nullable(inline({ id: Uuid, valid: Type.Boolean() })),
    }),
    'Their status at the last count of the active muster that expects them.',
  ),
  status: nullable(Type.Enum([...COUNTED_STATUSES], { type: 'string' }), 'In the active muster; null outside of one.'),
  reason: nullable(
    PersonReason,
    'The first of: trapped or injured, the open critical alert, the status, the open alert of the highest severity.',
  ),
  rescue: described(
    Type.Boolean(),
    'In the active muster: an open SOS or fall of a worker who has not arrived, or a call for help that is not for another.',
  ),
  place: StreamPlace,
});
export type StreamPerson = Static<typeof StreamPerson>;

export const StreamNotSafe = closed(
  'StreamNotSafe',
  'A worker who was not safe when the last muster of the site ended.',
  {
    muster_id: Uuid,
    worker_id: Uuid,
    status: Type.Enum([...MISSING_STATUSES], { type: 'string' }),
    reason: described(PersonReason, 'As of the end of the muster.'),
    location: nullable(Location, 'The last position as of the end of the muster, where the veil shows it now.'),
    location_withheld: Type.Boolean(),
  },
);
export type StreamNotSafe = Static<typeof StreamNotSafe>;

export const StreamDelivery = closed('StreamDelivery', 'The delivery of an event to a destination.', {
  id: Uuid,
  event_id: Uuid,
  event_type: EventType,
  destination_id: Uuid,
  state: Type.Enum(['waiting', 'delivered', 'lost'], { type: 'string' }),
  tries: whole(0),
  last_status: nullable(Type.Integer()),
  last_error: nullable(Type.String(), 'Why the last attempt failed, if it was made while a stream was open.'),
  took_ms: nullable(Type.Number(), 'Wall time of the last attempt, if it was made while a stream was open.'),
  next_attempt_at: nullable(Time),
});
export type StreamDelivery = Static<typeof StreamDelivery>;

export const StreamTruth = closed('StreamTruth', 'The true position of a person, whatever their watch reported.', {
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

export const StreamCurve = closed('StreamCurve', 'The number of safe people over time, since the start of a muster.', {
  muster_id: Uuid,
  points: described(
    Type.Array(inline({ at: Time, safe: whole(0) })),
    'Each count after which the number differs, oldest first; of a long muster 200 of them. Empty where no counts are kept.',
  ),
});
export type StreamCurve = Static<typeof StreamCurve>;

export const StreamTally = closed('StreamTally', 'Totals of the deliveries to a destination, of the last 30 days.', {
  destination_id: Uuid,
  delivered: whole(0),
  failed: described(whole(0), 'Attempts, those of lost deliveries included.'),
  lost: whole(0),
  took_ms: described(Type.Array(Type.Number()), 'Wall time of the newest successful attempts, oldest first.'),
});
export type StreamTally = Static<typeof StreamTally>;

export const StreamSnapshot = closed('StreamSnapshot', 'Everything as it is now: the first message of a stream.', {
  clock: StreamClock,
  sites: Type.Array(StreamSite),
  workers: Type.Array(StreamWorker),
  people: Type.Array(StreamPerson),
  not_safe: described(Type.Array(StreamNotSafe), 'Of the last muster of each site, if it has ended.'),
  alerts: described(Type.Array(Alert), 'Those that are open, the oldest first.'),
  musters: described(Type.Array(Muster), 'The newest of each site.'),
  curves: described(Type.Array(StreamCurve), 'One for each of the musters.'),
  destinations: Type.Array(WebhookDestination),
  tallies: described(Type.Array(StreamTally), 'One for each of the destinations.'),
  deliveries: described(Type.Array(StreamDelivery), 'Those that wait for their next attempt.'),
  truth: Type.Optional(described(Type.Array(StreamTruth), 'Only if the control token asked for it.')),
});
export type StreamSnapshot = Static<typeof StreamSnapshot>;

const at = { at: described(Time, 'Simulated time.') };
const REMOVABLE = ['person', 'worker', 'site', 'alert', 'muster', 'destination', 'delivery', 'truth'] as const;

const changeOf = <S extends string, P extends TProperties>(subject: S, content: P) =>
  described(inline({ subject: Type.Literal(subject), ...at, ...content }), `Subject \`${subject}\`.`);

const ObjectGone = described(
  inline({ subject: Type.Enum([...REMOVABLE], { type: 'string' }), ...at, gone: Uuid }),
  'The object with the id `gone` was removed, or this viewer may not see it any more.',
);

/** An object as it is when the message is sent, under the name of its subject; an event as the event log has it. */
export const StreamChange = Type.Union(
  [
    changeOf('person', { people: Type.Array(StreamPerson) }),
    changeOf('not_safe', {
      site_id: Uuid,
      not_safe: described(Type.Array(StreamNotSafe), 'The whole list of the site; it replaces the one before.'),
    }),
    changeOf('worker', { worker: StreamWorker }),
    changeOf('site', { site: StreamSite }),
    changeOf('alert', { alert: Alert }),
    changeOf('muster', { muster: Muster }),
    changeOf('destination', { destination: WebhookDestination }),
    changeOf('delivery', { delivery: StreamDelivery }),
    changeOf('clock', { clock: StreamClock }),
    changeOf('truth', { truth: described(Type.Array(StreamTruth), 'Of the people for whom it differs.') }),
    changeOf('event', { event: Event }),
    ObjectGone,
  ],
  {
    title: 'StreamChange',
    description: 'One object as it is now, or one event. Ignore subjects that you do not know: more may follow.',
  },
);
export type StreamChange = Static<typeof StreamChange>;
export type StreamSubject = StreamChange['subject'];

/** The change that carries an object of this subject. */
export type ChangeTo<S extends StreamSubject> = Exclude<Extract<StreamChange, { subject: S }>, { gone: string }>;

const jsonText = (schema: object, description: string) =>
  Type.String({ description, contentMediaType: 'application/json', contentSchema: schema });

/** The body of the answer: Server-Sent Events, one after the other until one side closes the connection. */
export const StreamBody = Type.String({
  description: 'Server-Sent Events, one after the other until one side closes the connection.',
  contentMediaType: 'text/event-stream',
  contentSchema: Type.Array(
    Type.Union([
      inline({
        id: Type.Optional(described(Type.String(), 'Grows; send the last one as `Last-Event-ID` to resume.')),
        event: Type.Literal('snapshot'),
        data: jsonText(StreamSnapshot, 'A StreamSnapshot as JSON.'),
      }),
      inline({
        id: Type.Optional(described(Type.String(), 'Absent from ground truth, which comes whole after a break.')),
        event: Type.Literal('change'),
        data: jsonText(StreamChange, 'A StreamChange as JSON.'),
      }),
    ]),
  ),
});
