/** Reads what a watch published: a command for the engine, a death, or a payload that breaks its schema. Pure. */
import { isUtf8 } from 'node:buffer';
import { instantOf } from '../base/instants.ts';
import { check } from '../contract/check.ts';
import {
  type UpLeaf,
  type UplinkEvent,
  type UplinkEventKind,
  uplinkSchema,
  type WatchBattery,
  type WatchPosition,
  type WatchPositions,
  type WatchStatus,
} from '../contract/watch.ts';
import type { Command } from '../domain/commands.ts';
import type { Device } from '../domain/world/documents.ts';

type Kind = UplinkEventKind;

export type Reading =
  | ({ readonly is: 'command'; readonly command: Command; readonly event: Kind | null } & Place)
  | ({ readonly is: 'birth'; readonly command: Command } & Place)
  | ({ readonly is: 'death' } & Place)
  | { readonly is: 'breach'; readonly why: string };

/** Where the watch said it: `seq` counts from 1 in each session, and births and deaths have none. */
interface Place {
  readonly session: number;
  readonly seq: number;
}

/** A payload by the schema of its topic. Unknown keys are a breach: no vital sign may ever enter. [watch-protocol] */
export function readUplink(device: Device, topic: UpLeaf, payload: Buffer | string): Reading {
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
      return command(stamp, { type: 'report-battery', deviceId: device.id, pct, charging });
    }
    case 'event':
      return readEvent(device, topic.kind, checked.value as UplinkEvent);
  }
}

function readStatus(device: Device, status: WatchStatus): Reading {
  const { session } = status;
  if (!status.online) return { is: 'death', session, seq: 0 };
  const birth = { type: 'report-birth', deviceId: device.id, session, firmware: status.firmware } as const;
  return { is: 'birth', command: birth, session, seq: 0 };
}

function readPositions(device: Device, payload: WatchPositions): Reading {
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
  return command(positions[0] as WatchPosition, { type: 'report-position', deviceId: device.id, fixes });
}

function heightOf({ height }: WatchPosition) {
  if (height === undefined) return null;
  const { height_m, uncertainty_m, building, floor } = height;
  return { heightM: height_m, uncertaintyM: uncertainty_m, building, floor };
}

function readEvent<K extends Kind>(device: Device, kind: K, message: UplinkEvent): Reading {
  const uplink = { deviceId: device.id, uplinkId: message.id.toLowerCase(), watchTime: watchTime(message.t) };
  const told = EVENT_COMMANDS[kind](message as UplinkEvent<K>);
  return command(message, { ...told, ...uplink } as Command, kind);
}

type Told = { readonly [T in Command['type']]: { readonly type: T } }[Command['type']];

/** What each kind of event message asks of the engine. [watch-protocol `up/event`] */
const EVENT_COMMANDS: { readonly [K in Kind]: (message: UplinkEvent<K>) => Told } = {
  sos: (message) => ({ type: 'report-sos', trigger: message.with }),
  fall: () => ({ type: 'report-fall' }),
  prompt: ({ fall_id, answer }) => ({ type: 'answer-prompt', fallId: fall_id.toLowerCase(), answer }),
  ack: ({ alert_id }) => ({ type: 'acknowledge-on-watch', alertId: alert_id?.toLowerCase() ?? null }),
  call: ({ voice_note }) => ({ type: 'request-call', voiceNote: voice_note }),
  help: ({ reason }) => ({ type: 'report-help', reason }),
  declare: ({ point_id }) => ({ type: 'declare-at-point', pointId: point_id.toLowerCase() }),
  vehicle_ack: ({ warning_id }) => ({ type: 'acknowledge-vehicle', warningId: warning_id.toLowerCase() }),
};

const command = ({ session, seq }: Place, told: Command, event: Kind | null = null): Reading => ({
  is: 'command',
  command: told,
  session,
  seq,
  event,
});

/** Orders what comes at one instant: by watch, then session, then place in it. */
// Sixteen digits hold every whole number that JSON carries exactly, so that code units sort as numbers do.
export const orderKey = (serial: string, { session, seq }: Place): string =>
  `${serial}/${sortable(session)}/${sortable(seq)}`;

const ZEROES = Array.from({ length: 17 }, (_, missing) => '0'.repeat(missing));

function sortable(whole: number): string {
  const digits = String(whole);
  return (ZEROES[16 - digits.length] ?? '') + digits;
}

// The schema lets only times through that are written as ours are.
const watchTime = instantOf;

function parseJson(payload: Buffer | string): unknown {
  if (typeof payload !== 'string' && !isUtf8(payload)) return undefined;
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
}
