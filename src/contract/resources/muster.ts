/** The muster (an evacuation), its assembly points, and the missing workers. */
import { type Static, Type } from 'typebox';
import {
  AssemblyPointStatus,
  DeadlineSource,
  HelpReason,
  MissingStatus,
  MusterKind,
  MusterPhase,
  MusterStatus,
} from '../enumerations.ts';
import { closed, described, inline, Latitude, Longitude, nullable, Time, Uuid, whole } from '../shapes.ts';
import { DeviceRef, Location, SiteRef, WorkerRef, ZoneRef } from './references.ts';

const count = whole(0);

/** [spec 2 Muster] */
export const Deadline = closed('Deadline', 'The time by which everybody should be safe [spec 2].', {
  at: Time,
  source: DeadlineSource,
});
export type Deadline = Static<typeof Deadline>;

/** [spec 2 Muster] */
export const Origin = closed(
  'Origin',
  'The danger from which people are evacuated; with a zone, the radius is measured from its border [spec 2].',
  {
    latitude: Latitude,
    longitude: Longitude,
    radius_m: whole(0),
    label: nullable(Type.String()),
    zone: nullable(ZoneRef),
  },
);
export type Origin = Static<typeof Origin>;

/** [spec 2 Muster] */
export const Totals = closed(
  'Totals',
  'The headcount, identical to the banner of the panel. In a closed muster, some fields are null [spec 2].',
  {
    expected: described(count, 'All workers whom the muster expects.'),
    safe: count,
    help: nullable(count),
    wrong_point: nullable(count),
    pending: nullable(count),
    no_signal: nullable(count),
    not_worn: nullable(count),
  },
);
export type Totals = Static<typeof Totals>;

/** [spec 2 AssemblyPoint] */
export const AssemblyPoint = closed(
  'AssemblyPoint',
  'An assembly point of the muster; excluded points are listed too [spec 2].',
  {
    id: Uuid,
    name: Type.String(),
    status: AssemblyPointStatus,
    count: nullable(count, 'The number of workers who are safe at this point; null in a closed muster [spec 2].'),
    excluded: nullable(
      inline({
        reason: Type.String(),
        recommended: Type.Boolean({
          description: 'Whether the system had recommended the exclusion. A person decided it [spec 2].',
        }),
        at: Time,
        by: Type.String(),
      }),
    ),
  },
);
export type AssemblyPoint = Static<typeof AssemblyPoint>;

/** [spec 2 Muster] */
export const Muster = closed('Muster', 'An evacuation of a site [spec 2].', {
  id: Uuid,
  site: SiteRef,
  status: MusterStatus,
  phase: MusterPhase,
  kind: MusterKind,
  reason: nullable(Type.String()),
  started_at: Time,
  ended_at: nullable(Time),
  deadline: nullable(Deadline),
  origin: nullable(Origin, 'The origin of the danger; null if there is none, as in a drill [spec 2].'),
  targets_revision: described(whole(1), 'Increases each time the targets change [spec 2].'),
  totals: Totals,
  assembly_points: Type.Array(AssemblyPoint),
});
export type Muster = Static<typeof Muster>;

/** [spec 2 MissingWorker] */
export const MissingWorker = closed('MissingWorker', 'A worker whom the muster expects and who is not safe [spec 2].', {
  worker: WorkerRef,
  // Nullable, since a worker's watch may have been removed since the start.
  device: nullable(DeviceRef),
  status: MissingStatus,
  needs_rescue: Type.Boolean({
    description: 'Whether the worker has an open SOS or fall, and has not arrived [spec 2].',
  }),
  help_reason: nullable(HelpReason),
  assembly_point: nullable(inline({ id: Uuid, name: Type.String(), valid: Type.Boolean() })),
  declared_at: nullable(Time, 'The time at which the worker declared to be at an assembly point.'),
  last_seen_at: nullable(Time),
  // Null without positions:read [decisions 1].
  location: nullable(Location),
  location_withheld: Type.Boolean({ description: 'Whether a position exists but is not delivered [spec 2].' }),
});
export type MissingWorker = Static<typeof MissingWorker>;
