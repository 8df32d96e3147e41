/** The messages of `GET /v1/sandbox/stream`. Server, dashboard, panel and OpenAPI import them. [decisions 9] */
import { type Static, type TProperties, Type } from 'typebox';
import { ALERT_TYPES, type AlertType, EventType, HelpReason } from './enumerations.ts';
import { Event } from './events.ts';
import { COUNTED_STATUSES, type CountedStatus, MISSING_STATUSES } from './resources/headcount.ts';
import { Alert, Location, Muster, Polygon, Site, WebhookDestination, WorkerRef, Zone } from './resources.ts';
import { BatteryPct, closed, described, inline, nullable, Time, Uuid, whole } from './shapes.ts';

export const StreamClock = closed('StreamClock', 'The simulated clock.', {
  now: Time,
  speed: described(Type.Number(), 'Simulated seconds per second of wall time.'),
  paused: Type.Boolean(),
});
export type StreamClock = Static<typeof StreamClock>;

export const StreamSite = closed('StreamSite', 'A site, with its geometry for a map.', {
  ...Site.properties,
  boundary: Polygon,
  wind: nullable(inline({ from_deg: Type.Number(), speed_ms: Type.Number() })),
  zones: Type.Array(Zone),
});
export type StreamSite = Static<typeof StreamSite>;

export const StreamWorker = closed('StreamWorker', 'A worker. `name` is present only if the viewer may see names.', {
  ...WorkerRef.properties,
  role: nullable(Type.String()),
  is_active: Type.Boolean(),
  site_id: Uuid,
});
export type StreamWorker = Static<typeof StreamWorker>;

/**
 * Why a person is highlighted: what keeps them from walking, an alert type, or their status in the muster.
 * [decisions 4, Reason]
 */
export const PersonReason = Type.Enum(
  ['trapped', 'injured', ...ALERT_TYPES, ...COUNTED_STATUSES] as const satisfies readonly string[],
  { type: 'string' },
);
export type PersonReason = Exclude<HelpReason, 'helping'> | AlertType | CountedStatus;

/** `age_s` is as of the message: whole seconds since the position, if one is shown. [decisions 4, Place] */
const StreamPlace = inline({
  kind: described(
    Type.Enum(['located', 'last_known', 'unknown', 'withheld'], { type: 'string' }),
    '`located`: a position of the last 15 minutes. `last_known`: the older position of a missing worker. `unknown`: no position is known. `withheld`: a privacy rule or a missing scope hides it.',
  ),
  age_s: nullable(
    whole(0),
    'The age of the position in seconds when this message was sent; null if no position is shown.',
  ),
});

export const StreamPerson = closed(
  'StreamPerson',
  'The current state of a worker: position, watch, and status in a muster.',
  {
    worker_id: Uuid,
    device_id: nullable(Uuid),
    location: nullable(Location, 'Null unless `place` is `located` or `last_known`.'),
    location_withheld: described(Type.Boolean(), 'True if `place` is `withheld`.'),
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
      'The status at the last headcount of the active muster that expects the worker.',
    ),
    status: nullable(
      Type.Enum([...COUNTED_STATUSES], { type: 'string' }),
      'The status in the active muster; null without an active muster.',
    ),
    reason: nullable(
      PersonReason,
      'The first of these that applies: trapped or injured, the open critical alert, the status, the open alert of the highest severity.',
    ),
    rescue: described(
      Type.Boolean(),
      'In the active muster: true if the worker has an open SOS or fall and has not arrived, or has called for help for themselves.',
    ),
    place: StreamPlace,
  },
);
export type StreamPerson = Static<typeof StreamPerson>;

export const StreamNotSafe = closed(
  'StreamNotSafe',
  'A worker who was not safe when the last muster of the site ended.',
  {
    muster_id: Uuid,
    worker_id: Uuid,
    status: Type.Enum([...MISSING_STATUSES], { type: 'string' }),
    reason: described(PersonReason, 'The reason at the end of the muster.'),
    location: nullable(Location, 'The last position at the end of the muster; null if the veil hides it now.'),
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
  last_error: nullable(
    Type.String(),
    'The reason why the last attempt failed; of a delivery that waits, known only if a stream was open then.',
  ),
  took_ms: nullable(
    Type.Number(),
    'The wall time of the last attempt in milliseconds; of a delivery that waits, known only if a stream was open then.',
  ),
  next_attempt_at: nullable(Time),
  ended_at: nullable(Time, 'The simulated time of the last attempt, if the delivery has ended.'),
});
export type StreamDelivery = Static<typeof StreamDelivery>;

export const StreamTruth = closed(
  'StreamTruth',
  'The real position of a worker, independent of the reports of the watch.',
  {
    worker_id: Uuid,
    latitude: Type.Number(),
    longitude: Type.Number(),
    height_m: nullable(Type.Number(), 'The height above ground in metres, in a building with floors.'),
    floor: nullable(Type.String()),
    zone: nullable(Type.String(), 'The smallest zone that contains the position.'),
    in_vehicle: Type.Boolean(),
    worn: nullable(Type.Boolean()),
    activity: Type.String(),
  },
);
export type StreamTruth = Static<typeof StreamTruth>;

export const StreamCurve = closed('StreamCurve', 'The number of safe people over time, since the start of a muster.', {
  muster_id: Uuid,
  points: described(
    Type.Array(inline({ at: Time, safe: whole(0) })),
    'The headcounts at which the number changed, oldest first; at most 200. Empty if no headcounts are stored.',
  ),
});
export type StreamCurve = Static<typeof StreamCurve>;

export const StreamTally = closed('StreamTally', 'Totals of the deliveries to a destination in the last 30 days.', {
  destination_id: Uuid,
  delivered: whole(0),
  failed: described(whole(0), 'The number of failed attempts, including those of lost deliveries.'),
  lost: whole(0),
  took_ms: described(
    Type.Array(Type.Number()),
    'The wall times of the newest successful attempts in milliseconds, oldest first.',
  ),
});
export type StreamTally = Static<typeof StreamTally>;

export const StreamSnapshot = closed('StreamSnapshot', 'The complete current state: the first message of a stream.', {
  clock: StreamClock,
  sites: Type.Array(StreamSite),
  workers: Type.Array(StreamWorker),
  people: Type.Array(StreamPerson),
  not_safe: described(
    Type.Array(StreamNotSafe),
    'The workers who were not safe at the end of the last muster of each site.',
  ),
  alerts: described(Type.Array(Alert), 'The open alerts, the oldest first.'),
  musters: described(Type.Array(Muster), 'The newest muster of each site.'),
  curves: described(Type.Array(StreamCurve), 'One curve for each of the musters.'),
  events: described(
    Type.Array(Event),
    'The events of the last simulated minute, the oldest first; the newest 200. After a start, those since the start.',
  ),
  destinations: Type.Array(WebhookDestination),
  tallies: described(Type.Array(StreamTally), 'One tally for each of the destinations.'),
  deliveries: described(
    Type.Array(StreamDelivery),
    'The deliveries that wait for their next attempt, and the newest 200 of those that ended in the last simulated minute.',
  ),
  truth: Type.Optional(described(Type.Array(StreamTruth), 'Present only with `truth=true` and the control token.')),
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

/**
 * The current state of an object when the message is sent, under the name of its subject; or an event as in the event
 * log.
 */
export const StreamChange = Type.Union(
  [
    changeOf('person', { people: Type.Array(StreamPerson) }),
    changeOf('not_safe', {
      site_id: Uuid,
      not_safe: described(Type.Array(StreamNotSafe), 'The complete list of the site. It replaces the previous list.'),
    }),
    changeOf('worker', { worker: StreamWorker }),
    changeOf('site', { site: StreamSite }),
    changeOf('alert', { alert: Alert }),
    changeOf('muster', { muster: Muster }),
    changeOf('destination', { destination: WebhookDestination }),
    changeOf('delivery', { delivery: StreamDelivery }),
    changeOf('clock', { clock: StreamClock }),
    changeOf('truth', { truth: described(Type.Array(StreamTruth), 'The workers whose real position has changed.') }),
    changeOf('event', { event: Event }),
    ObjectGone,
  ],
  {
    title: 'StreamChange',
    description: 'The current state of one object, or one event. Ignore unknown subjects: new ones may be added.',
  },
);
export type StreamChange = Static<typeof StreamChange>;
export type StreamSubject = StreamChange['subject'];

/** The change that contains an object of this subject. */
export type ChangeTo<S extends StreamSubject> = Exclude<Extract<StreamChange, { subject: S }>, { gone: string }>;

const jsonText = (schema: object, description: string) =>
  Type.String({ description, contentMediaType: 'application/json', contentSchema: schema });

/** The body of the response: Server-Sent Events until one side closes the connection. */
export const StreamBody = Type.String({
  description: 'Server-Sent Events, one after the other until one side closes the connection.',
  contentMediaType: 'text/event-stream',
  contentSchema: Type.Array(
    Type.Union([
      inline({
        id: Type.Optional(
          described(Type.String(), 'An increasing id. Send the last one as `Last-Event-ID` to resume.'),
        ),
        event: Type.Literal('snapshot'),
        data: jsonText(StreamSnapshot, 'A StreamSnapshot as JSON.'),
      }),
      inline({
        id: Type.Optional(
          described(
            Type.String(),
            'Absent from messages with ground truth, which is sent completely after a reconnection.',
          ),
        ),
        event: Type.Literal('change'),
        data: jsonText(StreamChange, 'A StreamChange as JSON.'),
      }),
    ]),
  ),
});
