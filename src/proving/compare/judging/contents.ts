/**
 * The rules about one object beyond its schema: alert, muster, zone, worker, missing worker, destination, event. [spec 1, 2,
 * decisions 4]
 */

import type { AlertType } from '../../../contract/enumerations.ts';
import { ALERT_KINDS } from '../../../contract/resources/alert-kinds.ts';
import { COUNTED_STATUSES } from '../../../contract/resources/headcount.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import type { ContractFinding } from '../exchange.ts';

const NEARBY_WITHIN_M = 100;
/** Alerts that are created after this time have the ids of nearby workers. [spec 2 Nearby] */
const NEARBY_IDS_SINCE = '2026-09-24T00:00:00.000Z';

/** The alert types whose severity the specification states; the others are an open point. [spec 2 Severity] */
const CRITICAL: ReadonlySet<string> = new Set<AlertType>(['sos', 'fall_detected', 'evacuation_help']);

/** The rules of each kind of object. */
export const OBJECT_RULES: Readonly<Record<string, (object: JsonMap) => ContractFinding[]>> = {
  alert: alertFindings,
  muster: musterFindings,
  zone: zoneFindings,
  worker: workerFindings,
  missing: missingFindings,
  position: ({ location }) => locationFindings(location, '/location'),
  webhook: destinationFindings,
  event: eventFindings,
};

export const finding = (rule: string, clause: string, pointer: string, detail: string): ContractFinding => ({
  rule,
  clause,
  pointer,
  detail,
});

/** Returns a finding for each condition that is true. */
const where = (...all: readonly (readonly [boolean, ...Parameters<typeof finding>])[]): ContractFinding[] =>
  all.flatMap(([holds, ...parts]) => (holds ? [finding(...parts)] : []));

const maps = (value: unknown): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);
const isTime = (value: unknown): value is string => typeof value === 'string';

function alertFindings(alert: JsonMap): ContractFinding[] {
  const { type, worker, device, location, location_withheld: withheld, date_created: created } = alert;
  const { acknowledged, resolved, date_last_modified: modified, assigned_to: assigned, panel_url: panel } = alert;
  const kind = Object.hasOwn(ALERT_KINDS, String(type)) ? ALERT_KINDS[type as AlertType] : null;
  const updates = [acknowledged, resolved].filter(isMap).map(({ at }) => at);
  const nearby = maps(alert['nearby']);
  return [
    ...where(
      [
        CRITICAL.has(String(type)) && alert['severity'] !== 'critical',
        'severity',
        '[spec 2 Severity]',
        '/severity',
        `is ${String(alert['severity'])} in ${type}, not critical`,
      ],
      [kind?.siteWide === true && worker !== null, 'site-wide', '[spec 2 AlertType]', '/worker', `is set in ${type}`],
      [kind?.siteWide === true && device !== null, 'site-wide', '[spec 2 AlertType]', '/device', `is set in ${type}`],
      [kind?.siteWide === false && worker === null, 'personal', '[spec 2 Alert]', '/worker', `is null in ${type}`],
      [
        withheld === true && isMap(location),
        'withheld',
        '[spec 2 Alert]',
        '/location',
        'is delivered, and location_withheld says that it is not',
      ],
      [
        isMap(acknowledged) && assigned === null && alert['status'] === 'acknowledged',
        'assigned',
        '[spec 3]',
        '/assigned_to',
        'is null in an acknowledged alert',
      ],
      [
        kind?.siteWide === true && isSet(location),
        'site-wide',
        '[decisions 5]',
        '/location',
        `is set in ${type}, which concerns the whole site`,
      ],
      [kind?.namesItsZone === true && alert['zone'] === null, 'zone', '[spec 2 Alert]', '/zone', `is null in ${type}`],
      [
        isMap(alert['details']) && zoneTypeOf(type) !== null && alert['details']['zone_type'] !== zoneTypeOf(type),
        'details',
        '[spec 2 AlertDetails]',
        '/details/zone_type',
        `is not ${zoneTypeOf(type)} in ${type}`,
      ],
      [
        isMap(worker) && isTime(worker['name']) && isTime(alert['title']) && !alert['title'].includes(worker['name']),
        'title',
        '[spec 2 Alert]',
        '/title',
        'lacks the name of the worker, which the contract includes',
      ],
      [
        isMap(acknowledged) && isMap(resolved) && String(resolved['at']) < String(acknowledged['at']),
        'times',
        '[spec 3]',
        '/resolved/at',
        'is before acknowledged.at',
      ],
      [
        kind?.tellsNearby === false && nearby.length > 0,
        'nearby',
        '[spec 2 Nearby]',
        '/nearby',
        `is not empty in ${type}; only SOS and falls have nearby workers`,
      ],
      [
        isTime(panel) && isTime(alert['id']) && !panel.endsWith(`/alerts/${alert['id']}`),
        'panel-url',
        '[decisions 5, Panel address]',
        '/panel_url',
        'does not end in /alerts/ and the id',
      ],
      [
        updates.some((at) => isTime(at) && isTime(created) && at < created),
        'times',
        '[spec 2 Alert]',
        '/acknowledged/at',
        'is before date_created',
      ],
      [
        updates.some((at) => isTime(at) && isTime(modified) && at > modified),
        'times',
        '[spec 2 Alert]',
        '/date_last_modified',
        'is before the last update',
      ],
    ),
    ...nearby.flatMap((one, place) =>
      where(
        [
          typeof one['distance_m'] === 'number' && one['distance_m'] >= NEARBY_WITHIN_M,
          'nearby',
          '[spec 2 Nearby]',
          `/nearby/${place}/distance_m`,
          `is ${one['distance_m']}, but nearby workers are closer than ${NEARBY_WITHIN_M} m`,
        ],
        [
          isMap(one['worker']) && one['worker']['id'] === null && isTime(created) && created >= NEARBY_IDS_SINCE,
          'nearby',
          '[spec 2 Nearby]',
          `/nearby/${place}/worker/id`,
          'is null in an alert since 2026-09-24',
        ],
      ),
    ),
    ...locationFindings(location, '/location'),
  ];
}

/** Returns null if the alert type does not determine the zone type. */
const zoneTypeOf = (type: unknown): string | null =>
  /^(restricted|forbidden)_zone_entry$/.exec(String(type))?.[1] ?? null;

function locationFindings(location: unknown, at: string): ContractFinding[] {
  if (!isMap(location)) return [];
  const { masked, source, uncertainty_m: uncertainty, height } = location;
  return where(
    [
      typeof masked === 'boolean' && masked !== (source === 'zone'),
      'masked',
      '[spec 2 Location]',
      `${at}/masked`,
      `is ${masked} with source ${source}`,
    ],
    [
      masked === true && source === 'zone' && (isSet(uncertainty) || isSet(height)),
      'masked',
      '[decisions 4, Privacy zone]',
      at,
      'has an uncertainty or a height, but its point is that of a zone',
    ],
  );
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

function musterFindings({
  targets_revision: revision,
  status,
  started_at: started,
  ended_at: ended,
  totals,
  assembly_points: points,
}: JsonMap): ContractFinding[] {
  const clause = '[spec 2 Muster]';
  const all = maps(points);
  const counted = isMap(totals) ? totals : {};
  const isClosed = status === 'completed' || status === 'cancelled';
  const others = COUNTED_STATUSES.filter((counter) => counter !== 'safe' && isSet(counted[counter]));
  const missing = COUNTED_STATUSES.filter((counter) => counted[counter] === null);
  const excluded = all.filter((point) => point['status'] === 'excluded' && isMap(point['excluded']));
  const atPoints = all.reduce((sum, { count }) => sum + Number(count ?? 0), 0);
  return [
    ...where(
      [isClosed && others.length > 0, 'closing', clause, '/totals', `has ${others.join(', ')} in a closed muster`],
      [
        status === 'active' && missing.length > 0,
        'totals',
        clause,
        '/totals',
        `has no ${missing.join(', ')} while active`,
      ],
      [
        Number(revision) < 1 + excluded.length,
        'revision',
        clause,
        '/targets_revision',
        `is ${String(revision)}, but each of ${excluded.length} exclusions raises it`,
      ],
      [
        excluded.some(({ excluded: by }) => isMap(by) && isTime(by['at']) && isTime(started) && by['at'] < started),
        'times',
        '[spec 2 AssemblyPoint]',
        '/assembly_points/*/excluded/at',
        'is before the muster started',
      ],
      [isTime(started) && isTime(ended) && ended < started, 'times', clause, '/ended_at', 'is before started_at'],
      [
        Number(counted['safe'] ?? 0) > Number(counted['expected'] ?? Number.POSITIVE_INFINITY),
        'totals',
        clause,
        '/totals/safe',
        'is more than expected',
      ],
      [
        status === 'active' && atPoints > Number(counted['safe'] ?? Number.POSITIVE_INFINITY),
        'points',
        '[spec 2 AssemblyPoint]',
        '/assembly_points',
        `count ${atPoints} people, but the totals have fewer safe people`,
      ],
    ),
    ...all.flatMap(({ status: state, excluded, count }, place) =>
      where(
        [
          (state === 'excluded') !== isSet(excluded),
          'points',
          '[spec 2 AssemblyPoint]',
          `/assembly_points/${place}/excluded`,
          `is ${isSet(excluded) ? 'set' : 'null'} in status ${state}`,
        ],
        [
          isClosed && isSet(count),
          'points',
          '[spec 2 AssemblyPoint]',
          `/assembly_points/${place}/count`,
          'is set in a closed muster',
        ],
      ),
    ),
  ];
}

function zoneFindings({ type, geometry, assembly_point: point }: JsonMap): ContractFinding[] {
  const rings = isMap(geometry) && Array.isArray(geometry['coordinates']) ? (geometry['coordinates'] as unknown[]) : [];
  const isOpen = (ring: unknown): boolean =>
    Array.isArray(ring) && (ring.length < 4 || JSON.stringify(ring[0]) !== JSON.stringify(ring.at(-1)));
  return where(
    [type === 'privacy' && isSet(geometry), 'geometry', '[spec 2 Zone]', '/geometry', 'is set in a privacy zone'],
    [rings.some(isOpen), 'geometry', '[spec 2 Zone]', '/geometry/coordinates', 'has a ring that is not closed'],
    [
      (type === 'assembly_point') !== isSet(point),
      'assembly-point',
      '[spec 2 Zone]',
      '/assembly_point',
      `is ${isSet(point) ? 'set' : 'null'} in a zone of type ${type}`,
    ],
  );
}

function workerFindings({ device, date_last_seen: seen }: JsonMap): ContractFinding[] {
  const contact = isMap(device) ? device['date_last_seen'] : null;
  return where([
    isTime(contact) && (seen === null || (isTime(seen) && Date.parse(seen) < Date.parse(contact))),
    'last-seen',
    '[spec 2 Worker]',
    '/date_last_seen',
    'is before the last contact of the watch',
  ]);
}

function missingFindings({
  status,
  assembly_point: point,
  location,
  location_withheld: withheld,
}: JsonMap): ContractFinding[] {
  return [
    ...where(
      [
        withheld === true && isMap(location),
        'withheld',
        '[spec 2 MissingWorker]',
        '/location',
        'is delivered, and location_withheld says that it is not',
      ],
      [
        status === 'wrong_point' && isMap(point) && point['valid'] === true,
        'points',
        '[spec 2 MissingWorker]',
        '/assembly_point/valid',
        'is true in status wrong_point',
      ],
      [status === 'wrong_point' && point === null, 'points', '[spec 2 MissingWorker]', '/assembly_point', 'is null'],
    ),
    ...locationFindings(location, '/location'),
  ];
}

function destinationFindings({
  url,
  secret,
  event_types: types,
  failing_since: failing,
  created_at: created,
}: JsonMap): ContractFinding[] {
  return where(
    [
      Array.isArray(types) && (types.length === 0 || new Set(types).size < types.length),
      'event-types',
      '[decisions 7, Subscription]',
      '/event_types',
      'is empty, or has an entry twice',
    ],
    [isSet(secret), 'secret', '[spec 4]', '/secret', 'is delivered again, but only the creation delivers it'],
    [isTime(url) && !url.startsWith('https:'), 'url', '[spec 4]', '/url', 'is not https'],
    [
      isTime(failing) && isTime(created) && failing < created,
      'failing-since',
      '[decisions 7]',
      '/failing_since',
      'is before created_at, and so before the first attempt',
    ],
  );
}

/** The rules about an event of the log. A test event has no organization, and is delivered but not logged. */
function eventFindings({
  organization_id: organization,
  site_id: site,
  type,
  created_at: at,
  data,
}: JsonMap): ContractFinding[] {
  const content = isMap(data) ? data : {};
  const kind = isMap(content['alert']) ? 'alert' : 'muster';
  const object = isMap(content[kind]) ? (content[kind] as JsonMap) : null;
  if (object === null) return [];
  const own = isMap(object['site']) ? object['site']['id'] : site;
  const began = object['date_created'] ?? object['started_at'];
  return where(
    [organization === null, 'organization', '[spec 2 Event]', '/organization_id', 'is null in the event log'],
    [own !== site, 'event-site', '[spec 2 Event]', '/site_id', `is not the site of the ${kind}`],
    [
      isTime(at) && isTime(began) && at < began,
      'event-began',
      '[spec 2 Event]',
      '/created_at',
      `is before the ${kind} began`,
    ],
    [
      type === 'alert.worker_acknowledged' && object['worker_acknowledged_at'] === null,
      'event-status',
      '[spec 6]',
      '/data/alert/worker_acknowledged_at',
      'is null in alert.worker_acknowledged',
    ],
  );
}

const VITAL = /heart|pulse|bpm|spo2|oxygen|blood|hrv|respirat|body_temp|skin_temp|vital|stress_(level|score)/i;

/** Returns the pointer of a key that names a vital sign, anywhere in a body; otherwise null. [spec 1] */
export function vitalSign(value: unknown, at = ''): string | null {
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries()) {
      const found = vitalSign(item, `${at}/${place}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isMap(value)) return null;
  for (const [key, item] of Object.entries(value)) {
    if (VITAL.test(key)) return `${at}/${key}`;
    const found = vitalSign(item, `${at}/${key}`);
    if (found !== null) return found;
  }
  return null;
}
