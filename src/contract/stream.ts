/** The messages of `GET /v1/sandbox/stream`: server, dashboard, panel and OpenAPI take them from here. [decisions 9] */
import { type Static, type TProperties, Type } from 'typebox';
import { COUNTED_STATUSES, EventType, HelpReason } from './enumerations.ts';
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

export const StreamPerson = closed('StreamPerson', 'What is known of a worker now: from the watch, and in a muster.', {
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
      status: Type.Enum([...COUNTED_STATUSES], { type: 'string' }),
      needs_rescue: Type.Boolean(),
      help_reason: nullable(HelpReason),
      assembly_point: nullable(inline({ id: Uuid, valid: Type.Boolean() })),
    }),
    'Their status at the last count of the active muster that expects them.',
  ),
});
export type StreamPerson = Static<typeof StreamPerson>;

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
