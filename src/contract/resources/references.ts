/** Reference objects, and locations. */
import { type Static, Type } from 'typebox';
import { LocationSource } from '../enumerations.ts';
import { BatteryPct, closed, Latitude, Longitude, nullable, Time, Uuid } from '../shapes.ts';

/** [spec 2 Reference objects] */
export const SiteRef = closed('SiteRef', 'The site something belongs to [spec 2].', { id: Uuid, name: Type.String() });
export type SiteRef = Static<typeof SiteRef>;

/** [spec 2 Reference objects] */
export const ZoneRef = closed('ZoneRef', 'The zone something happened in [spec 2].', { id: Uuid, name: Type.String() });
export type ZoneRef = Static<typeof ZoneRef>;

/** [spec 2 Reference objects] */
export const WorkerRef = closed('WorkerRef', 'A worker; `name` only where the contract includes it [spec 2].', {
  id: Uuid,
  external_id: nullable(Type.String(), 'The code of the company’s staff system [spec 2].'),
  name: Type.Optional(
    Type.String({ description: 'Only where the contract includes names; else the key is absent [spec 2].' }),
  ),
  contractor: nullable(Type.String()),
});
export type WorkerRef = Static<typeof WorkerRef>;

/** [spec 2 Reference objects] */
export const DeviceRef = closed('DeviceRef', 'A watch [spec 2].', {
  id: Uuid,
  serial: Type.String(),
  battery: nullable(BatteryPct, 'Percent.'),
  date_last_seen: nullable(Time),
});
export type DeviceRef = Static<typeof DeviceRef>;

/** [spec 2 Reference objects] */
export const ActionBy = closed('ActionBy', 'Who did it, and when [spec 2, decisions 5].', {
  at: Time,
  by: Type.String({ description: 'A person of the panel, or the customer’s operator by integration [spec 2].' }),
});
export type ActionBy = Static<typeof ActionBy>;

/** [spec 2 Alert] */
export const Resolved = closed('Resolved', 'Who resolved the alert, when, and their note [spec 2].', {
  ...ActionBy.properties,
  note: nullable(Type.String()),
});
export type Resolved = Static<typeof Resolved>;

/** [spec 2 Location] */
export const Height = closed('Height', 'Height above ground by barometer, where it can be asserted [spec 2].', {
  height_m: Type.Number(),
  uncertainty_m: Type.Number(),
  building: nullable(Type.String()),
  floor: nullable(Type.String()),
});
export type Height = Static<typeof Height>;

/** [spec 2 Location] */
export const Location = closed('Location', 'Where somebody was; the zone’s own point where masked [spec 2].', {
  latitude: Latitude,
  longitude: Longitude,
  uncertainty_m: nullable(Type.Number({ minimum: 0, description: 'Null means unknown, not perfect [spec 2].' })),
  source: LocationSource,
  masked: Type.Boolean({ description: 'The point is the representative point of a privacy zone [spec 2].' }),
  position_date_utc: Time,
  height: nullable(Height),
});
export type Location = Static<typeof Location>;
