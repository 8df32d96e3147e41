/** A small harbour as a snapshot of the stream, for golden frames and pages. */

import { API_VERSION, type EventType } from '../../src/contract/enumerations.ts';
import type { Event } from '../../src/contract/events.ts';
import type {
  StreamChange,
  StreamDelivery,
  StreamNotSafe,
  StreamPerson,
  StreamSite,
  StreamSnapshot,
  StreamWorker,
} from '../../src/contract/stream.ts';
import { type DashboardView, firstView } from '../../src/dashboard/view.ts';
import type { PanelReader } from '../../src/watching/regions/scene.ts';
import { afterSnapshot, EMPTY_STATE, type StreamState } from '../../src/watching/state/state.ts';

/** A change without its time. */
export type Undated<T = StreamChange> = T extends unknown ? Omit<T, 'at'> : never;

export const NOW = '2026-10-05T06:12:30.000Z';
const id = (kind: number, n: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

const LATITUDE = 43.36;
const LONGITUDE = -8.4;
// Metres per degree, approximately.
const at = (x: number, y: number): [number, number] => [LONGITUDE + x / 81_000, LATITUDE + y / 111_100];
const box = (x1: number, y1: number, x2: number, y2: number) => ({
  type: 'Polygon' as const,
  coordinates: [[at(x1, y1), at(x2, y1), at(x2, y2), at(x1, y2), at(x1, y1)]],
});

export const SITE_ID = id(1, 1);
export const GATE = id(2, 1);
export const HILL = id(2, 2);

const zone = (
  n: number,
  name: string,
  type: 'work_area' | 'restricted' | 'forbidden',
  geometry: ReturnType<typeof box>,
) => ({
  id: id(2, n),
  name,
  type,
  geometry,
  assembly_point: null,
});
const point = (pointId: string, name: string, capacity: number, geometry: ReturnType<typeof box>) => ({
  id: pointId,
  name,
  type: 'assembly_point' as const,
  geometry,
  assembly_point: {
    serves: ['general' as const, 'tsunami' as const],
    elevation_m: 40,
    elevation_source: 'verified' as const,
    vertical: false,
    capacity,
  },
});

const SITE: StreamSite = {
  id: SITE_ID,
  name: 'North Harbour',
  location: null,
  privacy_mode: 'continuous',
  unveil_min_severity: 'high',
  boundary: box(0, 0, 600, 300),
  wind: null,
  zones: [
    zone(3, 'Container Yard', 'work_area', box(40, 40, 240, 180)),
    zone(4, 'Tank Farm', 'restricted', box(280, 60, 420, 160)),
    zone(5, 'Flare', 'forbidden', box(300, 210, 360, 260)),
    point(GATE, 'Gate A', 20, box(470, 30, 520, 70)),
    point(HILL, 'Hill', 80, box(500, 200, 560, 250)),
  ],
};

export interface Placement {
  readonly n: number;
  readonly x: number;
  readonly y: number;
  readonly fares?: NonNullable<StreamPerson['muster']>['status'];
  readonly rescue?: boolean;
  readonly help?: 'trapped' | 'injured' | 'helping';
  readonly point?: string;
  readonly seen?: string;
}

export const workerId = (n: number): string => id(3, n);
export const MUSTER_ID = id(4, 1);
export const alertId = (n: number): string => id(5, n);

const worker = ({ n }: Placement): StreamWorker => ({
  id: workerId(n),
  external_id: `W-${String(n).padStart(3, '0')}`,
  name: `Ana Ruiz ${String.fromCharCode(65 + (n % 26))}`,
  contractor: null,
  role: null,
  is_active: true,
  site_id: SITE_ID,
});

export function person({ n, x, y, fares, rescue = false, help, point: pointId, seen = NOW }: Placement): StreamPerson {
  const [longitude, latitude] = at(x, y);
  return {
    worker_id: workerId(n),
    device_id: id(6, n),
    location: {
      latitude,
      longitude,
      uncertainty_m: 5,
      source: 'gps',
      masked: false,
      position_date_utc: seen,
      height: null,
    },
    location_withheld: false,
    in_vehicle: false,
    worn: true,
    battery: 80,
    date_last_seen: seen,
    muster:
      fares === undefined
        ? null
        : {
            id: MUSTER_ID,
            status: fares,
            needs_rescue: rescue,
            help_reason: help ?? null,
            assembly_point: pointId === undefined ? null : { id: pointId, valid: pointId === HILL },
          },
    status: fares ?? null,
    // As the service would say it of a worker with an open SOS, unless they cannot walk.
    reason: fares === 'help' && help !== undefined && help !== 'helping' ? help : rescue ? 'sos' : (fares ?? null),
    rescue: fares !== undefined && (rescue || (fares === 'help' && help !== 'helping')),
    place: { kind: 'located', age_s: 0 },
  };
}

/** Nineteen safe at the hill, and one of each other status. */
const MUSTERED: readonly Placement[] = [
  ...Array.from(
    { length: 19 },
    (_, n): Placement => ({ n: n + 1, x: 515 + (n % 5) * 8, y: 210 + (n % 4) * 8, fares: 'safe', point: HILL }),
  ),
  { n: 20, x: 330, y: 110, fares: 'help', help: 'injured', rescue: true, seen: '2026-10-05T06:12:18.000Z' },
  { n: 21, x: 495, y: 50, fares: 'wrong_point', point: GATE },
  { n: 22, x: 120, y: 100, fares: 'no_signal', seen: '2026-10-05T06:07:50.000Z' },
  { n: 23, x: 200, y: 150, fares: 'not_worn' },
  { n: 24, x: 400, y: 190, fares: 'pending' },
];

const alert = (n: number, type: 'sos' | 'low_battery', workerNumber: number, created: string) =>
  ({
    id: alertId(n),
    type,
    severity: type === 'sos' ? 'critical' : 'low',
    status: type === 'sos' ? 'unacknowledged' : 'acknowledged',
    title: `An alert of W-${workerNumber}`,
    date_created: created,
    date_last_modified: created,
    site: { id: SITE_ID, name: SITE.name },
    zone: { id: id(2, 4), name: 'Tank Farm' },
    worker: { id: workerId(workerNumber), external_id: `W-0${workerNumber}`, contractor: null },
    device: null,
    location: null,
    location_withheld: false,
    details: type === 'sos' ? { trigger: 'watch_button' } : { battery_pct: 9 },
    nearby: [],
    vehicle_warnings: [],
    worker_acknowledged_at: null,
    acknowledged: type === 'sos' ? null : { at: created, by: 'M. Vidal' },
    resolved: null,
    assigned_to: null,
    simulated: true,
    panel_url: 'http://127.0.0.1/panel',
  }) as unknown as StreamSnapshot['alerts'][number];

const MUSTER: StreamSnapshot['musters'][number] = {
  id: MUSTER_ID,
  site: { id: SITE_ID, name: SITE.name },
  status: 'active',
  phase: 'evacuating',
  kind: 'tsunami',
  reason: 'Warning',
  started_at: '2026-10-05T06:05:00.000Z',
  ended_at: null,
  deadline: { at: '2026-10-05T06:25:00.000Z', source: 'official' },
  origin: null,
  targets_revision: 2,
  totals: { expected: 24, safe: 19, help: 1, wrong_point: 1, pending: 1, no_signal: 1, not_worn: 1 },
  assembly_points: [
    {
      id: GATE,
      name: 'Gate A',
      status: 'excluded',
      count: 0,
      excluded: { reason: 'too low', recommended: true, at: NOW, by: 'M. Vidal' },
    },
    { id: HILL, name: 'Hill', status: 'available', count: 19, excluded: null },
  ],
};

const delivery = (n: number, state: StreamDelivery['state'], tries: number, status: number | null): StreamDelivery => ({
  id: id(8, n),
  event_id: id(9, n),
  event_type: n === 1 ? 'alert.created' : 'muster.updated',
  destination_id: id(7, n),
  state,
  tries,
  last_status: status,
  last_error: null,
  took_ms: null,
  next_attempt_at: state === 'waiting' ? '2026-10-05T06:12:54.000Z' : null,
  ended_at: state === 'waiting' ? null : NOW,
});

const destination = (n: number, url: string, failing: string | null) => ({
  id: id(7, n),
  url,
  event_types: ['alert.*' as const],
  filters: {},
  is_active: true,
  failing_since: failing,
  created_at: NOW,
});

/** A tsunami muster seven minutes in. */
export const MUSTERING: StreamSnapshot = {
  clock: { now: NOW, speed: 10, paused: false },
  sites: [SITE],
  workers: MUSTERED.map(worker),
  people: MUSTERED.map(person),
  not_safe: [],
  alerts: [alert(1, 'low_battery', 22, '2026-10-05T05:50:00.000Z'), alert(2, 'sos', 20, '2026-10-05T06:11:00.000Z')],
  musters: [MUSTER],
  curves: [],
  events: [],
  tallies: [],
  destinations: [
    destination(1, 'https://slow.example/hook', '2026-10-05T06:10:00.000Z'),
    destination(2, 'https://receiver.example/hook', null),
  ],
  deliveries: [delivery(1, 'waiting', 2, 503), delivery(2, 'delivered', 1, 204)],
};

const HIDDEN = { location: null, location_withheld: true, place: { kind: 'withheld', age_s: null } } as const;

/** With ground truth: most at their fix, one 100 m off, and one without a fix. */
export const WITH_TRUTH: StreamSnapshot = {
  ...MUSTERING,
  people: MUSTERED.map((placed) => ({
    ...person(placed),
    ...(placed.n === 23 ? HIDDEN : {}),
  })),
  truth: MUSTERED.map(({ n, x, y }) => {
    const [longitude, latitude] = at(n === 22 ? x + 100 : x, y);
    return {
      worker_id: workerId(n),
      latitude,
      longitude,
      height_m: null,
      floor: null,
      zone: n === 22 ? 'Container Yard' : null,
      in_vehicle: false,
      worn: n !== 23,
      activity: n === 22 ? 'trapped' : 'walking',
    };
  }),
};

/** The same plant on a quiet morning. */
export const QUIET: StreamSnapshot = {
  ...MUSTERING,
  people: MUSTERED.map(({ fares: _fares, ...placed }) => person(placed)),
  alerts: [],
  musters: [],
  destinations: [],
  deliveries: [],
};

/** An event of the log about an alert or a muster, as the stream carries it. */
export const event = (type: EventType, data: Event['data']): Undated => ({
  subject: 'event',
  event: {
    id: id(10, 1),
    type,
    api_version: API_VERSION,
    created_at: NOW,
    organization_id: id(11, 1),
    site_id: SITE_ID,
    data,
  } as Event,
});

export const worldOf = (snapshot: StreamSnapshot): StreamState => afterSnapshot(EMPTY_STATE, snapshot, 0);

/** A panel user who may act. */
export const PANEL_USER: PanelReader = {
  acts: true,
  operator: 'Desk',
  filter: '',
  all: false,
  by: 'person',
  cli: 'npx sandbox',
  links: '/panel',
};

export const viewer = (change: Partial<DashboardView> = {}): DashboardView => ({
  ...firstView({ theme: 'mono', ascii: false, operator: 'Shift lead' }),
  ...change,
});

/** Somebody who was not safe at the end of the muster; by default who had not arrived. */
export const notSafeLine = (n: number, change: Partial<StreamNotSafe> = {}): StreamNotSafe => ({
  muster_id: MUSTER_ID,
  worker_id: workerId(n),
  status: 'pending',
  reason: 'pending',
  location: null,
  location_withheld: false,
  ...change,
});
