/** The topics of the watch protocol: functions that build them, and a parser. */

/** Prefix of version 1 [watch-protocol]. */
export const WATCH_ROOT = 'wt/v1';

/** The leaves under `up/event/` [watch-protocol `up/event`]. */
export const UPLINK_EVENT_KINDS = ['sos', 'fall', 'prompt', 'ack', 'call', 'help', 'declare', 'vehicle_ack'] as const;
export type UplinkEventKind = (typeof UPLINK_EVENT_KINDS)[number];

/** The leaves under a watch's `up/`. */
export type UpLeaf = { leaf: 'status' | 'position' | 'battery' } | { leaf: 'event'; kind: UplinkEventKind };

/** A parsed topic. */
export type WatchTopic =
  | ({ way: 'up'; site: string; serial: string } & UpLeaf)
  | { way: 'down'; site: string; serial: string; leaf: 'alert' | 'config' }
  | { way: 'all'; site: string; leaf: 'muster' }
  | { way: 'host'; leaf: 'state' };

const root = (site: string, serial: string) => `${WATCH_ROOT}/${site}/${serial}`;

/** Birth and last will of a watch, retained. */
export const upStatusTopic = (site: string, serial: string) => `${root(site, serial)}/up/status`;
export const upPositionTopic = (site: string, serial: string) => `${root(site, serial)}/up/position`;
export const upBatteryTopic = (site: string, serial: string) => `${root(site, serial)}/up/battery`;
/** Events of a watch or its wearer. */
export const upEventTopic = (site: string, serial: string, kind: UplinkEventKind) =>
  `${root(site, serial)}/up/event/${kind}`;
/** Messages that a watch displays. */
export const downAlertTopic = (site: string, serial: string) => `${root(site, serial)}/down/alert`;
/** Reporting configuration of a watch, retained. */
export const downConfigTopic = (site: string, serial: string) => `${root(site, serial)}/down/config`;
/** The muster of a site, retained. */
export const musterTopic = (site: string) => `${WATCH_ROOT}/${site}/all/muster`;
/** The state of the service, retained. */
export const HOST_STATE_TOPIC = `${WATCH_ROOT}/host/state`;
/** The claim of the sandbox that serves the site at an external broker, retained. No watch needs it. [watch-protocol, "Claim"] */
export const hostClaimTopic = (site: string) => `${WATCH_ROOT}/${site}/host/claim`;

/** These filters and the host's state are all that a watch may subscribe to [watch-protocol, access]. */
export const downFilter = (site: string, serial: string) => `${root(site, serial)}/down/#`;
export const allFilter = (site: string) => `${WATCH_ROOT}/${site}/all/#`;

// Ids are lower case, and topics are compared byte by byte.
const SITE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SERIAL = /^[A-Za-z0-9._-]{1,64}$/;
const LONGEST_TOPIC = 200;

/** True if the text can be a serial; `all` is reserved for the site's own topics. */
export function isWatchSerial(serial: string): boolean {
  return SERIAL.test(serial) && serial !== 'all';
}

const UP_LEAVES: ReadonlyMap<string, UpLeaf> = new Map<string, UpLeaf>([
  ['status', { leaf: 'status' }],
  ['position', { leaf: 'position' }],
  ['battery', { leaf: 'battery' }],
  ...UPLINK_EVENT_KINDS.map((kind): [string, UpLeaf] => [`event/${kind}`, { leaf: 'event', kind }]),
]);

const ROOT_SLASH = `${WATCH_ROOT}/`;
const UP = '/up/';

/** The leaf of a topic under this watch's own `up/`. A fast path for every uplink, without parsing the topic. */
export function ownUpLeaf(site: string, serial: string, topic: string): UpLeaf | undefined {
  const serialAt = ROOT_SLASH.length + site.length + 1;
  const upAt = serialAt + serial.length;
  const own =
    topic.startsWith(UP, upAt) &&
    topic.startsWith(serial, serialAt) &&
    topic.startsWith(site, ROOT_SLASH.length) &&
    topic.startsWith(ROOT_SLASH) &&
    topic[serialAt - 1] === '/';
  return own ? UP_LEAVES.get(topic.slice(upAt + UP.length)) : undefined;
}

/** Returns undefined for any other topic: wildcards, `$SYS/`, an unknown leaf [watch-protocol, access]. */
export function parseWatchTopic(topic: string): WatchTopic | undefined {
  if (topic === HOST_STATE_TOPIC) return { way: 'host', leaf: 'state' };
  if (topic.length > LONGEST_TOPIC || !topic.startsWith(`${WATCH_ROOT}/`)) return undefined;
  const [site = '', serial = '', ...rest] = topic.slice(WATCH_ROOT.length + 1).split('/');
  if (!SITE.test(site)) return undefined;
  const path = rest.join('/');
  if (serial === 'all') return path === 'muster' ? { way: 'all', site, leaf: 'muster' } : undefined;
  return isWatchSerial(serial) ? ownTopic(site, serial, path) : undefined;
}

function ownTopic(site: string, serial: string, path: string): WatchTopic | undefined {
  switch (path) {
    case 'down/alert':
    case 'down/config':
      return { way: 'down', site, serial, leaf: path.slice(5) as 'alert' | 'config' };
  }
  const up = path.startsWith('up/') ? UP_LEAVES.get(path.slice(3)) : undefined;
  return up === undefined ? undefined : { way: 'up', site, serial, ...up };
}
