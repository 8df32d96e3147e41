/** Sites, zones, workers, watches and positions. */
import { type Static, Type } from 'typebox';
import { DeviceStatus, ElevationSource, MusterKind, PrivacyMode, Severity, ZoneType } from '../enumerations.ts';
import { closed, described, nullable, Time, Uuid, whole } from '../shapes.ts';
import { DeviceRef, Location, WorkerRef } from './references.ts';

/** [spec 2 Site] */
export const Site = closed('Site', 'An industrial site and its privacy rule [spec 2].', {
  id: Uuid,
  name: Type.String(),
  location: nullable(Type.String()),
  privacy_mode: PrivacyMode,
  unveil_min_severity: described(
    Severity,
    'In `on_demand` mode: the lowest severity of an open alert at which the position of the worker is visible [spec 2].',
  ),
});
export type Site = Static<typeof Site>;

// A list of length two instead of a tuple: JSON Schema 2020-12 and draft 7 write tuples differently.
const LonLat = Type.Unsafe<[number, number]>(
  Type.Array(Type.Number({ minimum: -180, maximum: 180 }), { minItems: 2, maxItems: 2 }),
);

/** [spec 2 Zone] */
export const Polygon = closed('Polygon', 'A GeoJSON polygon, WGS84: rings of [longitude, latitude] [spec 2].', {
  type: Type.Literal('Polygon'),
  coordinates: Type.Array(Type.Array(LonLat, { minItems: 4 }), { minItems: 1 }),
});
export type Polygon = Static<typeof Polygon>;

/** [spec 2 Zone] */
export const ZoneAssemblyPoint = closed('ZoneAssemblyPoint', 'The properties of an assembly point [spec 2].', {
  serves: Type.Array(MusterKind),
  elevation_m: nullable(Type.Number()),
  elevation_source: nullable(ElevationSource),
  vertical: Type.Boolean({ description: 'Whether the assembly point is an elevated shelter in a building [spec 2].' }),
  capacity: nullable(whole(0)),
});
export type ZoneAssemblyPoint = Static<typeof ZoneAssemblyPoint>;

/** [spec 2 Zone] */
export const Zone = closed('Zone', 'A part of a site; a privacy zone exposes only its name and type [spec 2].', {
  id: Uuid,
  name: Type.String(),
  type: ZoneType,
  geometry: nullable(Polygon, 'The border of the zone; null for privacy zones [spec 2].'),
  assembly_point: nullable(
    ZoneAssemblyPoint,
    'The properties of an assembly point; null for zones of other types [spec 2].',
  ),
});
export type Zone = Static<typeof Zone>;

/** [spec 2 Worker] */
export const Worker = closed('Worker', 'A person who works on a site [spec 2].', {
  ...WorkerRef.properties,
  role: nullable(Type.String()),
  is_active: Type.Boolean(),
  device: nullable(DeviceRef),
  date_last_seen: nullable(
    Time,
    'The time of the last position or of the last contact of the watch, whichever is later [spec 2].',
  ),
});
export type Worker = Static<typeof Worker>;

/** [spec 2 Device] */
export const Device = closed('Device', 'A watch and the worker who wears it [spec 2].', {
  ...DeviceRef.properties,
  model: nullable(Type.String()),
  status: DeviceStatus,
  worn: nullable(
    Type.Boolean({
      description: 'Whether the watch is worn; null if unknown, because the watch has no wrist sensor [spec 2].',
    }),
  ),
  worker: nullable(WorkerRef),
});
export type Device = Static<typeof Device>;

/** [spec 2 Position] */
export const Position = closed('Position', 'The current position of a worker, if the veil allows it [spec 2].', {
  device_id: Uuid,
  worker: WorkerRef,
  location: Location,
  in_vehicle: Type.Boolean(),
});
export type Position = Static<typeof Position>;
