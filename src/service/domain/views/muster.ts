/** The Muster and its missing list as a viewer may see them. The API, the event log and the webhooks all use them. [spec 2 Muster, MissingWorker] */
import type { Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import type { MissingStatus } from '../../../contract/resources/headcount.ts';
import type { MissingWorker, Muster as MusterResource } from '../../../contract/resources.ts';
import { seesContractor, type Viewer } from '../access/viewer.ts';
import { deviceSnapshot, workerSnapshot } from '../alerts/snapshots.ts';
import { exclusionOf } from '../musters/inside.ts';
import { shownLocation } from '../privacy/places.ts';
import { lastSeenAt } from '../watches/contact.ts';
import type { Device, Expected, Muster, Telemetry, Worker } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { isUnveiled, needsRescue } from './person.ts';
import { deviceRef, location, time, workerRef } from './references.ts';

/** The totals are those of the banner, the same for every viewer. [decisions 4] */
export function musterView(muster: Muster): MusterResource {
  const { totals, deadline, origin } = muster;
  return {
    id: muster.id,
    site: { id: muster.site.id, name: muster.site.name },
    status: muster.status,
    phase: muster.phase,
    kind: muster.kind,
    reason: muster.reason,
    started_at: formatInstant(muster.startedAt),
    ended_at: time(muster.endedAt),
    deadline: deadline === null ? null : { at: formatInstant(deadline.at), source: deadline.source },
    origin:
      origin === null
        ? null
        : {
            latitude: origin.latitude,
            longitude: origin.longitude,
            radius_m: origin.radiusM,
            label: origin.label,
            zone: origin.zone === null ? null : { id: origin.zone.id, name: origin.zone.name },
          },
    targets_revision: muster.targetsRevision,
    totals: { ...totals },
    assembly_points: muster.targets.map(({ id, name }) => {
      const exclusion = exclusionOf(muster, id);
      return {
        id,
        name,
        status: exclusion === undefined ? 'available' : 'excluded',
        count: muster.safeAt === null ? null : (muster.safeAt[id] ?? 0),
        excluded:
          exclusion === undefined
            ? null
            : {
                reason: exclusion.reason,
                recommended: exclusion.recommended,
                at: formatInstant(exclusion.at),
                by: exclusion.by,
              },
      };
    }),
  };
}

/** A person of the missing list, with their current state. */
export interface Missing {
  readonly person: Expected & { readonly status: MissingStatus };
  readonly worker: Worker;
  readonly device: Device | null;
  /** The last telemetry; null without a watch. */
  readonly telemetry: Telemetry | null;
  readonly lastSeenAt: number | null;
  /** An open SOS or fall of a person who has not arrived. [spec 2 MissingWorker] */
  readonly needsRescue: boolean;
  /** True if the veil does not hide the person's position. */
  readonly visible: boolean;
}

/**
 * The people who were not safe at the last count. Order: those who need help, then those never seen, then by the
 * instant when they were last seen, the earliest first. [decisions 1]
 */
export function missingIn(world: World, muster: Muster, viewer: Viewer, now: Instant): Missing[] {
  const found: Missing[] = [];
  for (const person of world.indexes.expectedIn(muster.id).values()) {
    if (!isMissing(person)) continue;
    const worker = world.get('worker', person.workerId);
    if (worker === undefined || !seesContractor(viewer, worker.contractor)) continue;
    const device = worker.deviceId === null ? null : (world.get('device', worker.deviceId) ?? null);
    const telemetry = device === null ? null : world.telemetry(device.id);
    found.push({
      person,
      worker,
      device,
      telemetry,
      lastSeenAt: telemetry === null ? null : lastSeenAt(telemetry),
      needsRescue: needsRescue(world, worker.id),
      visible: isUnveiled(world, worker, now),
    });
  }
  return found.sort(
    (a, b) =>
      Number(b.person.status === 'help') - Number(a.person.status === 'help') ||
      (a.lastSeenAt ?? -1) - (b.lastSeenAt ?? -1) ||
      (a.worker.id < b.worker.id ? -1 : 1),
  );
}

const isMissing = (person: Expected): person is Missing['person'] => person.counted && person.status !== 'safe';

/**
 * Status, reason and point are as of the last count; the rest is as of now. `location` needs the scope positions:read.
 * [decisions 4, 6]
 */
export function missingView(world: World, missing: Missing, viewer: Viewer, positions: boolean): MissingWorker {
  const { person, worker, device, telemetry, needsRescue } = missing;
  const fix = telemetry?.fix ?? null;
  const shown = fix !== null && positions && missing.visible;
  const ref = device === null || telemetry === null ? null : deviceRef(deviceSnapshot(world, device, telemetry));
  return {
    worker: workerRef(workerSnapshot(worker), viewer),
    device: ref,
    status: person.status,
    needs_rescue: needsRescue,
    help_reason: person.helpReason,
    assembly_point:
      person.point === null
        ? null
        : {
            id: person.point.id,
            name: world.get('zone', person.point.id)?.name ?? '',
            valid: person.point.valid,
          },
    declared_at: time(person.declared?.at ?? null),
    last_seen_at: ref === null ? null : ref.date_last_seen,
    location: shown ? location(shownLocation(world, world.need('site', worker.siteId), fix)) : null,
    location_withheld: fix !== null && !shown,
  };
}
