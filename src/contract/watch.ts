/** The MQTT payloads of the watch protocol. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import {
  AlertStatus,
  AlertType,
  AssemblyPointStatus,
  HelpReason,
  MusterKind,
  MusterPhase,
  MusterStatus,
} from './enumerations.ts';
import { Height } from './resources.ts';
import {
  AnyUuid,
  BatteryPct,
  closed,
  inline,
  Latitude,
  Longitude,
  nullable,
  Time,
  text,
  Uuid,
  whole,
  words,
} from './shapes.ts';
import type { UpLeaf, UplinkEventKind } from './watch-topics.ts';

export * from './watch-topics.ts';

/** A larger payload closes the connection [watch-protocol, access]. */
export const MAX_WATCH_PAYLOAD_BYTES = 8192;

/** The most positions in one message after an outage. */
export const MAX_POSITIONS_PER_MESSAGE = 1000;

const Session = whole(1);
// The session, the sequence number in it, and the time by the watch's clock [watch-protocol, fine print].
const stamp = { session: Session, seq: whole(1), t: Time };

/** Sent after CONNACK [watch-protocol `up/status`]. */
export const WatchBirth = closed('WatchBirth', 'The watch is connected.', {
  online: Type.Literal(true),
  session: Session,
  firmware: text(100),
  t: Time,
});
export type WatchBirth = Static<typeof WatchBirth>;

/** The last will, and the message before DISCONNECT [watch-protocol `up/status`]. */
export const WatchDeath = closed(
  'WatchDeath',
  'The watch has disconnected. The message is ignored if its session is older than the current one.',
  {
    online: Type.Literal(false),
    session: Session,
  },
);
export type WatchDeath = Static<typeof WatchDeath>;

/** [watch-protocol `up/status`] */
export const WatchStatus = Type.Union([WatchBirth, WatchDeath], {
  title: 'WatchStatus',
  description: 'The birth message or the last will, on one retained topic.',
});
export type WatchStatus = Static<typeof WatchStatus>;

/** [watch-protocol `up/position`] */
export const WatchPosition = closed('WatchPosition', 'One position fix of the watch.', {
  ...stamp,
  latitude: Latitude,
  longitude: Longitude,
  uncertainty_m: nullable(Type.Number({ minimum: 0 })),
  source: words('FixSource', 'The source of the position fix.', ['gps', 'network']),
  height: Type.Optional(Height),
  in_vehicle: Type.Boolean(),
  worn: nullable(Type.Boolean({ description: 'Whether the watch is worn; null if it has no wrist sensor.' })),
});
export type WatchPosition = Static<typeof WatchPosition>;

/** [watch-protocol `up/position`] */
export const WatchPositions = Type.Union(
  [WatchPosition, Type.Array(WatchPosition, { minItems: 1, maxItems: MAX_POSITIONS_PER_MESSAGE })],
  {
    title: 'WatchPositions',
    description:
      'One position fix, or an array of the fixes of an outage, oldest first. If one fix is invalid, all are refused.',
  },
);
export type WatchPositions = Static<typeof WatchPositions>;

/** [watch-protocol `up/battery`] */
export const WatchBattery = closed('WatchBattery', 'The charge of the watch.', {
  ...stamp,
  pct: BatteryPct,
  charging: Type.Boolean(),
});
export type WatchBattery = Static<typeof WatchBattery>;

/** An event message. The same `id` is sent until the PUBACK, and identifies the event [watch-protocol `up/event`]. */
function uplinkEvent<P extends TProperties>(title: string, description: string, fields: P) {
  return closed(title, description, { id: AnyUuid, ...stamp, ...fields });
}

/** The fields of each kind of `up/event/{kind}` [watch-protocol `up/event`]. */
export const UPLINK_EVENTS = {
  sos: uplinkEvent('WatchSos', 'The worker pressed the SOS button.', {
    with: words('WatchButton', 'The button that was pressed.', ['watch_button', 'watch_hardware_button']),
  }),
  fall: uplinkEvent('WatchFall', 'The watch detected a fall.', {}),
  prompt: uplinkEvent('WatchPromptAnswer', 'The worker answered the are-you-ok prompt of a fall.', {
    fall_id: AnyUuid,
    answer: words('PromptAnswer', 'The answer of the worker.', ['ok', 'help']),
  }),
  ack: uplinkEvent(
    'WatchAck',
    'The worker pressed acknowledge. Without `alert_id`, it applies to the newest open alert.',
    {
      alert_id: Type.Optional(nullable(AnyUuid)),
    },
  ),
  call: uplinkEvent('WatchCall', 'The worker requests a call.', { voice_note: Type.Boolean() }),
  help: uplinkEvent('WatchHelp', 'The worker cannot evacuate.', { reason: nullable(HelpReason) }),
  declare: uplinkEvent('WatchDeclare', 'The worker reports which assembly point they are at.', { point_id: AnyUuid }),
  vehicle_ack: uplinkEvent('WatchVehicleAck', 'The worker acknowledged a vehicle notice.', { warning_id: AnyUuid }),
} as const satisfies { [K in UplinkEventKind]: TSchema };
export type UplinkEvent<K extends UplinkEventKind = UplinkEventKind> = Static<(typeof UPLINK_EVENTS)[K]>;

/** The schema of an uplink by its topic. */
export function uplinkSchema(topic: UpLeaf): TSchema {
  if (topic.leaf === 'event') return UPLINK_EVENTS[topic.kind];
  return UPLINKS[topic.leaf];
}

/** The other leaves under `up/`. */
export const UPLINKS = {
  status: WatchStatus,
  position: WatchPositions,
  battery: WatchBattery,
} as const satisfies Record<string, TSchema>;

const downlink = <K extends string, P extends TProperties>(kind: K, title: string, description: string, fields: P) =>
  closed(title, description, { kind: Type.Literal(kind), ...fields });

/** [watch-protocol `down/alert`] */
export const DownPrompt = downlink(
  'prompt',
  'DownPrompt',
  'The watch asks the worker who fell whether they are well.',
  {
    // The id of the watch's own fall message.
    fall_id: AnyUuid,
    until: Time,
  },
);
export type DownPrompt = Static<typeof DownPrompt>;

/** [watch-protocol `down/alert`] */
export const DownAlertState = downlink('alert', 'DownAlertState', 'The current state of an alert of the worker.', {
  alert_id: Uuid,
  type: AlertType,
  status: AlertStatus,
  by: nullable(Type.String({ description: 'The name of the person who changed the alert last; null if nobody has.' })),
});
export type DownAlertState = Static<typeof DownAlertState>;

/** [watch-protocol `down/alert`] */
export const DownVehicle = downlink('vehicle', 'DownVehicle', 'A warning of a vehicle nearby.', {
  warning_id: Uuid,
  vehicle_type: nullable(Type.String()),
  distance_m: whole(0),
});
export type DownVehicle = Static<typeof DownVehicle>;

/** [watch-protocol `down/alert`] */
export const DownRest = downlink('rest', 'DownRest', 'The worker must stop and rest.', { alert_id: Uuid });
export type DownRest = Static<typeof DownRest>;

/** [watch-protocol `down/alert`] */
export const DownAlert = Type.Union([DownPrompt, DownAlertState, DownVehicle, DownRest], {
  title: 'DownAlert',
  description: 'A message that the watch shows to its wearer.',
});
export type DownAlert = Static<typeof DownAlert>;

const seconds = Type.Number({ exclusiveMinimum: 0 });

/** [watch-protocol `down/config`] */
export const DownConfig = closed(
  'DownConfig',
  'The report intervals of the watch, and the time for which it shows a prompt.',
  {
    position_every_s: seconds,
    alarm_every_s: seconds,
    prompt_s: seconds,
  },
);
export type DownConfig = Static<typeof DownConfig>;

/** [watch-protocol `all/muster`] */
export const MusterNotice = closed('MusterNotice', 'The evacuation of a site, for all its watches.', {
  muster_id: Uuid,
  status: MusterStatus,
  kind: MusterKind,
  phase: MusterPhase,
  revision: whole(1),
  deadline: nullable(Time),
  points: Type.Array(
    inline({
      id: Uuid,
      name: Type.String(),
      latitude: Latitude,
      longitude: Longitude,
      vertical: Type.Boolean(),
      status: AssemblyPointStatus,
      serves: Type.Array(MusterKind),
    }),
  ),
});
export type MusterNotice = Static<typeof MusterNotice>;

/** [watch-protocol `host/state`] */
export const HostState = closed('HostState', 'Whether the service is online.', { online: Type.Boolean() });
export type HostState = Static<typeof HostState>;

/** Downlink schemas by the last part of the topic. */
export const DOWNLINKS = {
  'down/alert': DownAlert,
  'down/config': DownConfig,
  'all/muster': MusterNotice,
  'host/state': HostState,
} as const satisfies Record<string, TSchema>;
