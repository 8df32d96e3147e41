/** The access rules of the watch protocol: who may connect, and what a watch may publish and subscribe to. Pure. */
import { sameSecret, sha256Hex } from '../../base/ids.ts';
import {
  allFilter,
  downAlertTopic,
  downConfigTopic,
  downFilter,
  HOST_STATE_TOPIC,
  MAX_WATCH_PAYLOAD_BYTES,
  musterTopic,
  ownUpLeaf,
  type UpLeaf,
} from '../../contract/watch.ts';
import type { Device } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';

/** CONNACK return codes of MQTT 3.1.1. */
export const CONNACK = { badCredentials: 4, notAuthorised: 5 } as const;

/** The identity that a client claims in its CONNECT. */
export interface Credentials {
  readonly clientId: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly will: Publication | undefined;
}

/** The fields of a PUBLISH or of a last will that the rules check. */
interface Publication {
  readonly topic: string;
  readonly qos?: number | undefined;
  readonly payload: Buffer | string;
}

type Admission =
  | { readonly admitted: true; readonly device: Device }
  | { readonly admitted: false; readonly returnCode: 4 | 5; readonly why: string };

/** Why a publication ends the connection. */
export interface Breach {
  readonly kind: 'topic' | 'qos' | 'size';
  readonly why: string;
}

// With this hash, an unknown serial costs the same comparison as a known one.
const NO_HASH = '0'.repeat(64);

/**
 * The user name is the serial, the password is the watch's key, and the client id is `<serial>` or `<serial>/<suffix>`.
 * [watch-protocol]
 */
export function admit(world: World, { clientId, username, password, will }: Credentials): Admission {
  const device = deviceOf(world, username);
  const known = sameSecret(sha256Hex(password ?? ''), device?.keyHash ?? NO_HASH);
  if (device === undefined || !known) return refuse(CONNACK.badCredentials, 'unknown serial or wrong key');
  if (clientId !== device.serial && !clientId.startsWith(`${device.serial}/`))
    return refuse(CONNACK.notAuthorised, 'the client id must be the serial, or the serial, a slash and a suffix');
  const willLeaf = will === undefined ? undefined : ownUplink(device, will);
  if (willLeaf !== undefined && isBreach(willLeaf)) return refuse(CONNACK.notAuthorised, `last will: ${willLeaf.why}`);
  return { admitted: true, device };
}

/**
 * The part of the topic below the watch's own `up/`, or why the publication ends the connection.
 * [watch-protocol, access]
 */
function ownUplink(device: Device, publication: Publication): UpLeaf | Breach {
  return judgeUplink(ownUpLeaf(device.siteId, device.serial, publication.topic), publication);
}

/**
 * Like `ownUplink`, for a caller that has already parsed the topic. `leaf` is undefined if the topic is not the watch's
 * own.
 */
export function judgeUplink(leaf: UpLeaf | undefined, { qos = 0, payload }: Publication): UpLeaf | Breach {
  // `$SYS/` is not a topic of the protocol, so it is refused too.
  if (leaf === undefined) return { kind: 'topic', why: 'a watch publishes only to the topics under its own up/' };
  if (qos > 1) return { kind: 'qos', why: 'the quality of service is at most 1' };
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_WATCH_PAYLOAD_BYTES)
    return { kind: 'size', why: `a payload has at most ${MAX_WATCH_PAYLOAD_BYTES} bytes; this one has ${bytes}` };
  return leaf;
}

export const isBreach = (uplink: UpLeaf | Breach): uplink is Breach => 'why' in uplink;

/**
 * A watch may subscribe to its own `down/`, the `all/` of its site, and the state of the host. A wildcard in place of a
 * serial is refused. [watch-protocol, access]
 */
export function maySubscribe({ siteId, serial }: Device, filter: string): boolean {
  switch (filter) {
    case downFilter(siteId, serial):
    case downAlertTopic(siteId, serial):
    case downConfigTopic(siteId, serial):
    case allFilter(siteId):
    case musterTopic(siteId):
    case HOST_STATE_TOPIC:
      return true;
    default:
      return false;
  }
}

function deviceOf(world: World, serial: string | undefined): Device | undefined {
  const id = serial === undefined ? undefined : world.indexes.deviceId(serial);
  return id === undefined ? undefined : world.get('device', id);
}

const refuse = (returnCode: 4 | 5, why: string): Admission => ({ admitted: false, returnCode, why });
