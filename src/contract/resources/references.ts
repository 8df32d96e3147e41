/** Reference objects, and locations. */
import { type Static, Type } from 'typebox';
import { LocationSource } from '../enumerations.ts';
import { BatteryPct, closed, Latitude, Longitude, nullable, Time, Uuid } from '../shapes.ts';

/** [spec 2 Reference objects] */
export const SiteRef = closed('SiteRef', 'A reference to a site [spec 2].', { id: Uuid, name: Type.String() });
export type SiteRef = Static<typeof SiteRef>;

/** [spec 2 Reference objects] */
export const ZoneRef = closed('ZoneRef', 'A reference to a zone [spec 2].', { id: Uuid, name: Type.String() });
export type ZoneRef = Static<typeof ZoneRef>;

/** [spec 2 Reference objects] */
export const WorkerRef = closed(
  'WorkerRef',
  'A worker. `name` is present only if the contract includes names [spec 2].',
  {
    id: Uuid,
    external_id: nullable(Type.String(), 'The code of the worker in the staff system of the company [spec 2].'),
    name: Type.Optional(
      Type.String({ description: 'The name. The key is absent if the contract does not include names [spec 2].' }),
    ),
    contractor: nullable(Type.String()),
  },
);
export type WorkerRef = Static<typeof WorkerRef>;

/** [spec 2 Reference objects] */
export const DeviceRef = closed('DeviceRef', 'A watch [spec 2].', {
  id: Uuid,
  serial: Type.String(),
  battery: nullable(BatteryPct, 'The charge in percent.'),
  date_last_seen: nullable(Time),
});
export type DeviceRef = Static<typeof DeviceRef>;

/** [spec 2 Reference objects] */
export const ActionBy = closed('ActionBy', 'The person who did it, and the time [spec 2, decisions 5].', {
  at: Time,
  by: Type.String({
    description: 'The name of the panel user, or of the customer’s operator who acted through the API [spec 2].',
  }),
});
export type ActionBy = Static<typeof ActionBy>;

/** [spec 2 Alert] */
export const Resolved = closed('Resolved', 'The person who resolved the alert, the time, and the note [spec 2].', {
  ...ActionBy.properties,
  note: nullable(Type.String()),
});
export type Resolved = Static<typeof Resolved>;

/** [spec 2 Location] */
export const Height = closed('Height', 'The height above ground by barometer, if it can be asserted [spec 2].', {
  height_m: Type.Number(),
  uncertainty_m: Type.Number(),
  building: nullable(Type.String()),
  floor: nullable(Type.String()),
});
export type Height = Static<typeof Height>;

/** [spec 2 Location] */
export const Location = closed(
  'Location',
  'A position. If it is masked, it is the representative point of the privacy zone [spec 2].',
  {
    latitude: Latitude,
    longitude: Longitude,
    uncertainty_m: nullable(
      Type.Number({ minimum: 0, description: 'The uncertainty in metres. Null means unknown, not exact [spec 2].' }),
    ),
    source: LocationSource,
    masked: Type.Boolean({ description: 'True if the point is the representative point of a privacy zone [spec 2].' }),
    position_date_utc: Time,
    height: nullable(Height),
  },
);
export type Location = Static<typeof Location>;
