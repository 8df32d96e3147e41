/** Alerts and musters for certify: valid by the contract, each with its own id. [spec 2] */
import { randomId } from '../../base/ids.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { wallMs } from '../../base/time/timers.ts';
import type { AlertType } from '../../contract/enumerations.ts';
import type { Alert, AlertDetails, Muster } from '../../contract/resources.ts';

/** The site of the alerts that certify makes. */
export interface CertifiedSite {
  readonly organizationId: string;
  readonly siteId: string;
  readonly name: string;
  readonly panelUrl: string;
}

/** For each alert type: severity, the words of its title, and its details. */
const ALERT_SAMPLES: {
  readonly [K in AlertType]: readonly [Alert['severity'], title: string, details: (ids: () => string) => AlertDetails];
} = {
  sos: ['critical', 'SOS', () => ({ trigger: 'watch_button' })],
  fall_detected: ['critical', 'Fall detected', () => ({ escalated_to_sos: false })],
  restricted_zone_entry: [
    'medium',
    'Restricted zone entry',
    () => ({ zone_type: 'restricted', permit_reference: null }),
  ],
  forbidden_zone_entry: ['high', 'Forbidden zone entry', () => ({ zone_type: 'forbidden', permit_reference: null })],
  permit_expired_inside: [
    'medium',
    'Permit expired inside',
    () => ({ zone_type: 'restricted', permit_reference: 'PT-2041' }),
  ],
  permit_closed_inside: [
    'medium',
    'Permit closed inside',
    () => ({ zone_type: 'restricted', permit_reference: 'PT-2042' }),
  ],
  heat_stress: [
    'high',
    'Heat stress',
    () => ({ action: 'stop_and_rest', heat_index_c: 41.5, sun_exposure_minutes: null }),
  ],
  evacuation_help: ['critical', 'Cannot evacuate', (id) => ({ reason: 'trapped', muster_id: id() })],
  worker_call_request: ['medium', 'Call request', () => ({ voice_note: true })],
  device_offline: ['medium', 'Device offline', () => ({ minutes_silent: 10 })],
  low_battery: ['low', 'Low battery', () => ({ battery_pct: 18 })],
  earthquake: [
    'high',
    'Earthquake',
    () => ({ magnitude: 6.1, distance_km: 80, official: false, felt_at_site: true, eta: null }),
  ],
  tsunami_risk: [
    'high',
    'Tsunami risk',
    () => ({
      magnitude: null,
      distance_km: null,
      official: true,
      felt_at_site: false,
      eta: formatInstant(wallMs() + 2_400_000),
    }),
  ],
};

/** True if the alert type concerns the whole site. [spec 2 AlertType] */
const isSiteWide = (type: AlertType): boolean => type === 'earthquake' || type === 'tsunami_risk';

const WORKER = { external_id: 'W-014', name: 'Ana Ruiz', contractor: 'Montajes Norte' };

export function alertOf(site: CertifiedSite, over: Partial<Alert> = {}): Alert {
  const { type = 'sos' } = over;
  const [severity, words, details] = ALERT_SAMPLES[type];
  const now = formatInstant(wallMs());
  const id = randomId();
  const isWide = isSiteWide(type);
  const zone = isWide ? null : { id: randomId(), name: 'Tank Farm' };
  return {
    id,
    type,
    severity,
    status: 'unacknowledged',
    title: isWide ? `${words} at ${site.name}` : `${words}: ${WORKER.name} in ${zone?.name}`,
    date_created: now,
    date_last_modified: now,
    site: { id: site.siteId, name: site.name },
    zone,
    worker: isWide ? null : { id: randomId(), ...WORKER },
    device: isWide ? null : { id: randomId(), serial: 'SIM-0014', battery: 81, date_last_seen: now },
    location: isWide ? null : locationAt(now),
    location_withheld: false,
    details: details(randomId),
    nearby: [],
    vehicle_warnings: [],
    worker_acknowledged_at: null,
    acknowledged: null,
    resolved: null,
    assigned_to: null,
    simulated: true,
    panel_url: `${site.panelUrl}/alerts/${id}`,
    ...over,
  };
}

const locationAt = (now: string): NonNullable<Alert['location']> => ({
  latitude: 43.350_12,
  longitude: -3.010_57,
  uncertainty_m: 4.5,
  source: 'gps',
  masked: false,
  position_date_utc: now,
  height: null,
});

export function musterOf(site: CertifiedSite, over: Partial<Muster> = {}): Muster {
  return {
    id: randomId(),
    site: { id: site.siteId, name: site.name },
    status: 'active',
    phase: 'evacuating',
    kind: 'general',
    reason: 'Drill',
    started_at: formatInstant(wallMs()),
    ended_at: null,
    deadline: null,
    origin: null,
    targets_revision: 1,
    totals: { expected: 12, safe: 3, help: 0, wrong_point: 1, pending: 6, no_signal: 1, not_worn: 1 },
    assembly_points: [{ id: randomId(), name: 'Gate A', status: 'available', count: 3, excluded: null }],
    ...over,
  };
}

/** The closed form of a muster, which has only the number of arrived people and the total. [spec 2 Muster] */
export const closedMuster = (muster: Muster): Muster => ({
  ...muster,
  status: 'completed',
  ended_at: formatInstant(wallMs()),
  totals: { expected: 12, safe: 12, help: null, wrong_point: null, pending: null, no_signal: null, not_worn: null },
  assembly_points: muster.assembly_points.map((point) => ({ ...point, count: null })),
});
