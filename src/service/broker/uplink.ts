/** Parses a message of a watch to a command for the engine, a death, or a violation of its schema. Pure. */
import { isUtf8 } from 'node:buffer';
import type { Instant } from '../../base/time/clock.ts';
import { instantOf } from '../../base/time/instants.ts';
import { check } from '../../contract/check.ts';
import {
  type UpLeaf,
  type UplinkEvent,
  type UplinkEventKind,
  uplinkSchema,
  type WatchBattery,
  type WatchPosition,
  type WatchPositions,
  type WatchStatus,
} from '../../contract/watch.ts';
import type { Command, CommandOf } from '../domain/commands.ts';
import type { Device } from '../domain/world/documents.ts';

type UplinkKind = UplinkEventKind;

export type UplinkReading =
  | ({ readonly is: 'command'; readonly command: Command; readonly event: UplinkKind | null } & UplinkPosition)
  | ({ readonly is: 'birth'; readonly command: CommandOf<'report-birth'> } & UplinkPosition)
  | ({ readonly is: 'death' } & UplinkPosition)
  /** `sound`: the payload matches its schema. */
  | { readonly is: 'breach'; readonly sound?: true; readonly why: string };

/** The position in the watch's stream. `seq` counts from 1 in each session; births and deaths have no `seq`. */
interface UplinkPosition {
  readonly session: number;
  readonly seq: number;
  /** The time of the watch's own clock; for several fixes, that of the last. A death has none. */
  readonly t: Instant | null;
}

/**
 * Parses a payload by the schema of its topic. Unknown keys are an error: no vital sign may ever enter.
 * [watch-protocol]
 */
export function readUplink(device: Device, topic: UpLeaf, payload: Buffer | string): UplinkReading {
  const value = parseJson(payload);
  if (value === undefined) return { is: 'breach', why: 'the payload is not JSON in UTF-8' };
  const checked = check(uplinkSchema(topic), value);
  if (!checked.ok) {
    const why = checked.errors.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer} ${detail}`));
    return { is: 'breach', why: why.join('; ') };
  }
  switch (topic.leaf) {
    case 'status':
      return readStatus(device, checked.value as WatchStatus);
    case 'position':
      return readPositions(device, checked.value as WatchPositions);
    case 'battery': {
      const { pct, charging, ...stamp } = checked.value as WatchBattery;
      const place = { ...stamp, t: watchTime(stamp.t) };
      const { session, seq } = stamp;
      return command(place, { type: 'report-battery', deviceId: device.id, pct, charging, place: { session, seq } });
    }
    case 'event':
      return readEvent(device, topic.kind, checked.value as UplinkEvent);
  }
}

function readStatus(device: Device, status: WatchStatus): UplinkReading {
  const { session } = status;
  if (!status.online) return { is: 'death', session, seq: 0, t: null };
  const birth = { type: 'report-birth', deviceId: device.id, session, firmware: status.firmware } as const;
  return { is: 'birth', command: birth, session, seq: 0, t: watchTime(status.t) };
}

function readPositions(device: Device, payload: WatchPositions): UplinkReading {
  const positions: readonly WatchPosition[] = Array.isArray(payload) ? payload : [payload];
  const fixes = positions.map((position) => ({
    latitude: position.latitude,
    longitude: position.longitude,
    uncertaintyM: position.uncertainty_m,
    source: position.source,
    height: heightOf(position),
    inVehicle: position.in_vehicle,
    at: watchTime(position.t),
    worn: position.worn,
  }));
  const { session, seq } = positions[0] as WatchPosition;
  const t = fixes.at(-1)?.at ?? null;
  return command({ session, seq, t }, { type: 'report-position', deviceId: device.id, fixes, session });
}

function heightOf({ height }: WatchPosition) {
  if (height === undefined) return null;
  const { height_m, uncertainty_m, building, floor } = height;
  return { heightM: height_m, uncertaintyM: uncertainty_m, building, floor };
}

function readEvent<K extends UplinkKind>(device: Device, kind: K, message: UplinkEvent): UplinkReading {
  if (message.id === NIL_UUID) return { is: 'breach', sound: true, why: 'the nil UUID is no id' };
  const t = watchTime(message.t);
  const { session, seq } = message;
  const uplink = { deviceId: device.id, uplinkId: message.id.toLowerCase(), watchTime: t, session };
  const bare = EVENT_COMMANDS[kind](message as UplinkEvent<K>);
  return command({ session, seq, t }, { ...bare, ...uplink } as Command, kind);
}

type BareCommand = { readonly [T in Command['type']]: { readonly type: T } }[Command['type']];

/** The command for each kind of event message. [watch-protocol `up/event`] */
const EVENT_COMMANDS: { readonly [K in UplinkKind]: (message: UplinkEvent<K>) => BareCommand } = {
  sos: (message) => ({ type: 'report-sos', trigger: message.with }),
  fall: () => ({ type: 'report-fall' }),
  prompt: ({ fall_id, answer }) => ({ type: 'answer-prompt', fallId: fall_id.toLowerCase(), answer }),
  ack: ({ alert_id }) => ({ type: 'acknowledge-on-watch', alertId: alert_id?.toLowerCase() ?? null }),
  call: ({ voice_note }) => ({ type: 'request-call', voiceNote: voice_note }),
  help: ({ reason }) => ({ type: 'report-help', reason }),
  declare: ({ point_id }) => ({ type: 'declare-at-point', pointId: point_id.toLowerCase() }),
  vehicle_ack: ({ warning_id }) => ({ type: 'acknowledge-vehicle', warningId: warning_id.toLowerCase() }),
};

/** The nil UUID does not identify a message. [watch-protocol, fine print] */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const command = (
  { session, seq, t }: UplinkPosition,
  read: Command,
  event: UplinkKind | null = null,
): UplinkReading => ({
  is: 'command',
  command: read,
  session,
  seq,
  t,
  event,
});

/** Sort key for the uplinks of one instant: by watch, session, then sequence number. */
// Sixteen digits hold every integer that JSON represents exactly, so that the order of the texts is the order of the
// numbers.
export const orderKey = (serial: string, { session, seq }: Pick<UplinkPosition, 'session' | 'seq'>): string =>
  `${serial}/${sortable(session)}/${sortable(seq)}`;

const ZEROES = Array.from({ length: 17 }, (_, missing) => '0'.repeat(missing));

function sortable(whole: number): string {
  const digits = String(whole);
  return (ZEROES[16 - digits.length] ?? '') + digits;
}

// The schema accepts only times in the format of the service.
const watchTime = instantOf;

function parseJson(payload: Buffer | string): unknown {
  if (typeof payload !== 'string' && !isUtf8(payload)) return undefined;
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
}
