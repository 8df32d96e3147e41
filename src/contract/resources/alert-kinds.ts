/** One entry per alert type: its severity, its words, and whether it concerns a person or the whole plant. [spec 2, decisions 5] */
import type { AlertType, Severity } from '../enumerations.ts';

interface AlertKind {
  readonly severity: Severity;
  /** The type in words, at the beginning of the title. */
  readonly words: string;
  /** True if the alert has no worker, no device and no location. */
  readonly siteWide: boolean;
  /** The alert carries the list of people nearby. [spec 2, Nearby] */
  readonly tellsNearby: boolean;
  /** The alert is about its zone, so the veil does not hide the zone. [decisions 4] */
  readonly namesItsZone: boolean;
  /** Delivered before the others. [spec 6.3] */
  readonly urgent: boolean;
}

const personal = { siteWide: false, tellsNearby: false, namesItsZone: false, urgent: false } as const;
const zonal = { ...personal, namesItsZone: true } as const;
const plantWide = { ...personal, siteWide: true } as const;

export const ALERT_KINDS: { readonly [T in AlertType]: AlertKind } = {
  sos: { ...personal, severity: 'critical', words: 'SOS', tellsNearby: true, urgent: true },
  fall_detected: { ...personal, severity: 'critical', words: 'Fall detected', tellsNearby: true, urgent: true },
  restricted_zone_entry: { ...zonal, severity: 'medium', words: 'Restricted zone entry' },
  forbidden_zone_entry: { ...zonal, severity: 'high', words: 'Forbidden zone entry' },
  permit_expired_inside: { ...zonal, severity: 'medium', words: 'Permit expired inside' },
  permit_closed_inside: { ...zonal, severity: 'medium', words: 'Permit closed inside' },
  heat_stress: { ...personal, severity: 'high', words: 'Heat stress' },
  evacuation_help: { ...personal, severity: 'critical', words: 'Cannot evacuate', urgent: true },
  worker_call_request: { ...personal, severity: 'medium', words: 'Call request' },
  device_offline: { ...personal, severity: 'medium', words: 'Device offline' },
  low_battery: { ...personal, severity: 'low', words: 'Low battery' },
  earthquake: { ...plantWide, severity: 'high', words: 'Earthquake' },
  tsunami_risk: { ...plantWide, severity: 'high', words: 'Tsunami risk' },
};
