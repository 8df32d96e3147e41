/** The alert, and the people and vehicles near it. */
import { type Static, Type } from 'typebox';
import { AlertStatus, AlertType, NearbyKind, Severity } from '../enumerations.ts';
import type { SchemaNode } from '../schema.ts';
import { list } from '../sentences.ts';
import { closed, described, inline, nullable, Time, Uuid, whole } from '../shapes.ts';
import { AlertDetails, detailsByType, typesByDetails } from './details.ts';
import { ActionBy, DeviceRef, Location, Resolved, SiteRef, WorkerRef, ZoneRef } from './references.ts';

/** [spec 2 Nearby] */
export const Nearby = closed(
  'Nearby',
  'A worker or a vehicle within 100 m when an SOS or a fall was raised, with the distance only [spec 2].',
  {
    kind: NearbyKind,
    // The id is null in alerts that were created before 2026-09-24 [spec 2].
    worker: inline({ ...WorkerRef.properties, id: nullable(Uuid) }),
    vehicle_type: nullable(Type.String()),
    distance_m: described(whole(0), 'Whole metres, rounded down [decisions 4].'),
    reported_at: described(Time, 'The time of the position from which the distance was calculated.'),
  },
);
export type Nearby = Static<typeof Nearby>;

/** [spec 2 VehicleWarning] */
export const VehicleWarning = closed('VehicleWarning', 'A vehicle notice that the person received [spec 2].', {
  at: described(Time, 'The time at which the watch showed the notice.'),
  vehicle_type: nullable(Type.String()),
  distance_m: whole(0),
  worker_acknowledged_at: nullable(Time),
});
export type VehicleWarning = Static<typeof VehicleWarning>;

/** [spec 2 Alert] */
export const Alert = Type.Object(
  {
    id: Uuid,
    type: AlertType,
    severity: Severity,
    status: AlertStatus,
    title: Type.String({
      description: 'The title. It contains the name of the worker only if the contract includes names [spec 2].',
    }),
    date_created: described(Time, 'The time at which the alert was raised.'),
    date_last_modified: described(
      Time,
      'The time of the last change. Discard a version that is older than the one that you have [spec 2].',
    ),
    site: SiteRef,
    zone: nullable(ZoneRef),
    worker: nullable(WorkerRef, 'The worker; null for alerts of a whole site [spec 2].'),
    device: nullable(DeviceRef, 'The watch; null for alerts of a whole site [spec 2].'),
    location: nullable(
      Location,
      'The position of the worker when the alert was raised, with the masking of that time [decisions 4].',
    ),
    location_withheld: Type.Boolean({ description: 'Whether a position exists but is not delivered [spec 2].' }),
    details: AlertDetails,
    nearby: Type.Array(Nearby, {
      description: 'The workers and vehicles nearby when an SOS or a fall was raised; otherwise empty [spec 2].',
    }),
    vehicle_warnings: Type.Array(VehicleWarning, {
      description: 'The vehicle warnings from 10 min before the alert until its resolution [decisions 5].',
    }),
    worker_acknowledged_at: nullable(
      Time,
      'The time, by the clock of the watch, at which the worker pressed acknowledge on it. It does not change `status` [spec 2].',
    ),
    acknowledged: nullable(
      ActionBy,
      'The acknowledgement; null if there was none, also in a resolved alert [decisions 5].',
    ),
    resolved: nullable(Resolved),
    assigned_to: nullable(Type.String(), 'The name of the person to whom the alert is assigned [spec 2].'),
    simulated: Type.Boolean({
      description: 'Whether the alert comes from a drill or from simulated watches [spec 2].',
    }),
    panel_url: Type.String({ format: 'uri', description: 'The page of the alert in the panel [spec 2].' }),
  },
  {
    title: 'Alert',
    description: 'Something on a site that requires the attention of a person [spec 2].',
    additionalProperties: false,
    allOf: detailsByType(),
  },
);
export type Alert = Static<typeof Alert>;

/**
 * The alert as one closed object for each variant of its details, discriminated by `type`, so that generated clients
 * can narrow it. Together the variants allow the same values as `Alert`.
 */
export const ALERT_VARIANTS = typesByDetails().map(([details, types]) => {
  const title = (details as SchemaNode).title?.replace(/Details$/, 'Alert');
  return closed(title ?? '', `An alert of ${types.length === 1 ? 'the type' : 'the types'} ${list(types)} [spec 2].`, {
    ...Alert.properties,
    type: types.length === 1 ? Type.Literal(types[0] as AlertType) : Type.Enum(types, { type: 'string' }),
    details,
  });
});
