/** Alerts and musters for certify: valid by the contract, each with its own id. [spec 2] */
import { randomId } from '../../base/ids.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { wallMs } from '../../base/time/timers.ts';
import type { AlertType } from '../../contract/enumerations.ts';
import { ALERT_KINDS } from '../../contract/resources/alert-kinds.ts';
import { Alert, type AlertDetails, Muster } from '../../contract/resources.ts';
import { blank } from '../../contract/schema.ts';

/** The site of the alerts that certify makes. */
export interface CertifiedSite {
  readonly organizationId: string;
  readonly siteId: string;
  readonly name: string;
  readonly panelUrl: string;
  /** Another site of the organization. */
  readonly otherSite: { readonly id: string; readonly name: string };
}

/** The details of each alert type. */
const DETAILS: { readonly [K in AlertType]: () => AlertDetails } = {
  sos: () => ({ trigger: 'watch_button' }),
  fall_detected: () => ({ escalated_to_sos: false }),
  restricted_zone_entry: () => ({ zone_type: 'restricted', permit_reference: null }),
  forbidden_zone_entry: () => ({ zone_type: 'forbidden', permit_reference: null }),
  permit_expired_inside: () => ({ zone_type: 'restricted', permit_reference: 'PT-2041' }),
  permit_closed_inside: () => ({ zone_type: 'restricted', permit_reference: 'PT-2042' }),
  heat_stress: () => ({ action: 'stop_and_rest', heat_index_c: 41.5, sun_exposure_minutes: null }),
  evacuation_help: () => ({ reason: 'trapped', muster_id: randomId() }),
  worker_call_request: () => ({ voice_note: true }),
  device_offline: () => ({ minutes_silent: 10 }),
  low_battery: () => ({ battery_pct: 18 }),
  earthquake: () => ({ magnitude: 6.1, distance_km: 80, official: false, felt_at_site: true, eta: null }),
  tsunami_risk: () => ({
    magnitude: null,
    distance_km: null,
    official: true,
    felt_at_site: false,
    eta: formatInstant(wallMs() + 2_400_000),
  }),
};

const WORKER = { external_id: 'W-014', name: 'Ana Ruiz', contractor: 'Montajes Norte' };

export function alertOf(site: CertifiedSite, over: Partial<Alert> = {}): Alert {
  const { type = 'sos' } = over;
  const { severity, words, siteWide: isWide } = ALERT_KINDS[type];
  const now = formatInstant(wallMs());
  const id = randomId();
  const zone = isWide ? null : { id: randomId(), name: 'Tank Farm' };
  return {
    ...blank(Alert),
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
    details: DETAILS[type](),
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
    ...blank(Muster),
    id: randomId(),
    site: { id: site.siteId, name: site.name },
    status: 'active',
    phase: 'evacuating',
    kind: 'general',
    reason: 'Drill',
    started_at: formatInstant(wallMs()),
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
