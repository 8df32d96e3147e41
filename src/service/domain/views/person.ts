/** The state of one person for one viewer at one instant: status, reason, place and rescue. Every surface calls this, so that REST, stream, panel, dashboard and reports agree. [decisions 4, "One answer on every surface"] */
import type { Instant } from '../../../base/time/clock.ts';
import { type AlertType, type HelpReason, severityAtLeast } from '../../../contract/enumerations.ts';
import type { CountedStatus } from '../../../contract/resources/headcount.ts';
import type { PersonReason } from '../../../contract/stream.ts';
import { seesAlert, seesContractor, type TokenViewer, type Viewer } from '../access/viewer.ts';
import { positionVisible } from '../privacy/places.ts';
import type { Alert, Device, Expected, Site, Worker } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import { expectedId } from '../world/muster-documents.ts';
import type { World } from '../world/world.ts';

/** An older position is not listed, except in the missing list of an active muster. [decisions 1] */
export const POSITION_MAX_AGE_MS = 15 * 60_000;

/** Where a person is, as far as the viewer may see it. [decisions 4, Place, Withheld] */
type PersonPlace =
  /** A position as `GET /v1/positions` lists it. */
  | { readonly kind: 'located'; readonly fix: Fix }
  /** The last position of a missing worker, which is too old for `GET /v1/positions`. */
  | { readonly kind: 'last_known'; readonly fix: Fix }
  /** There is no position, or none that is recent enough to be listed. */
  | { readonly kind: 'unknown' }
  /** A privacy rule, or the missing scope positions:read, hides a position. */
  | { readonly kind: 'withheld' };

export interface PersonState {
  readonly worker: Worker;
  readonly device: Device | null;
  /**
   * As of the last headcount of the active muster that expects the person; null if there is none, or without the scope
   * musters:read.
   */
  readonly counted: Expected | null;
  readonly reason: PersonReason | null;
  /** The same value as in the missing list. [spec 2 MissingWorker] */
  readonly needsRescue: boolean;
  /** True if screens show the person in red. [decisions 4, Rescue] */
  readonly rescue: boolean;
  readonly place: PersonPlace;
  /** The same value as in `GET /v1/positions`; false if no position is listed there. */
  readonly inVehicle: boolean;
}

const UNKNOWN = { kind: 'unknown' } as const;
const WITHHELD = { kind: 'withheld' } as const;

/** Null if the person does not exist for the viewer. [decisions 4, Contractor scoping, Scopes] */
export function personState(world: World, worker: Worker, viewer: TokenViewer, now: Instant): PersonState | null {
  if (worker.organizationId !== viewer.organizationId || !seesContractor(viewer, worker.contractor)) return null;
  const { scopes } = viewer;
  const device = worker.deviceId === null ? null : (world.get('device', worker.deviceId) ?? null);
  const counted = scopes.includes('musters:read') ? countedOf(world, worker) : null;
  const isMissing = counted !== null && counted.status !== 'safe';
  const listed = listedPlace(world, worker, device, viewer, now);
  const place = isMissing ? missingPlace(world, worker, device, viewer, now) : listed;
  // The person exists for the viewer if workers are listed, if the missing list contains them, or if their position is
  // listed.
  if (!scopes.includes('workers:read') && !isMissing && listed.kind !== 'located') return null;
  return {
    worker,
    device,
    counted,
    place,
    reason: reasonOf(counted, openAlertsOf(world, worker, viewer)),
    needsRescue: isMissing && needsRescue(world, worker.id),
    rescue: counted !== null && isToRescue(counted, needsRescue(world, worker.id)),
    inVehicle: listed.kind === 'located' && listed.fix.inVehicle,
  };
}

/** The person's document in the active muster of the site, once a headcount has included them. */
function countedOf(world: World, worker: Worker): Expected | null {
  const muster = world.indexes.activeMuster(worker.siteId);
  const expected = muster === undefined ? undefined : world.get('expected', expectedId(muster.id, worker.id));
  return expected?.counted === true ? expected : null;
}

// Place.

/**
 * The position of an active watch in service, if it is recent enough to be listed, whether or not something hides it.
 * [decisions 1, GET /v1/positions]
 */
function recentFix(world: World, worker: Worker, device: Device, now: Instant): Fix | null {
  if (device.status !== 'active' || !worker.isActive) return null;
  const { fix } = world.telemetry(device.id);
  return fix === null || now - fix.at > POSITION_MAX_AGE_MS ? null : fix;
}

function listedPlace(
  world: World,
  worker: Worker,
  device: Device | null,
  viewer: TokenViewer,
  now: Instant,
): PersonPlace {
  const fix = device === null ? null : recentFix(world, worker, device, now);
  if (device === null || fix === null) return UNKNOWN;
  const isShown =
    viewer.scopes.includes('positions:read') &&
    positionVisible(world, world.need('site', device.siteId), worker.id, now);
  return isShown ? { kind: 'located', fix } : WITHHELD;
}

/** The last position, whatever its age. [decisions 4, Place] */
function missingPlace(
  world: World,
  worker: Worker,
  device: Device | null,
  viewer: TokenViewer,
  now: Instant,
): PersonPlace {
  const fix = device === null ? null : world.telemetry(device.id).fix;
  if (fix === null) return UNKNOWN;
  if (!viewer.scopes.includes('positions:read') || !isUnveiled(world, worker, now)) return WITHHELD;
  return { kind: now - fix.at > POSITION_MAX_AGE_MS ? 'last_known' : 'located', fix };
}

/** True if the veil of the worker's site does not hide the position now. */
export const isUnveiled = (world: World, worker: Worker, now: Instant): boolean =>
  positionVisible(world, world.need('site', worker.siteId), worker.id, now);

/** A visible position with its watch, worker and site. */
export interface Positioned {
  readonly device: Device;
  readonly worker: Worker;
  readonly site: Site;
  readonly fix: Fix;
}

/**
 * A position as `GET /v1/positions` lists it to a viewer with positions:read; null if it is not listed.
 * [spec 2 Position, decisions 1, 4]
 */
export function positioned(world: World, device: Device, viewer: Viewer, now: Instant): Positioned | null {
  const worker = device.workerId === null ? undefined : world.get('worker', device.workerId);
  if (worker === undefined || !seesContractor(viewer, worker.contractor)) return null;
  const fix = recentFix(world, worker, device, now);
  const site = world.need('site', device.siteId);
  return fix !== null && positionVisible(world, site, worker.id, now) ? { device, worker, site, fix } : null;
}

// Reason and rescue.

/** The open alerts of a worker that `GET /v1/alerts` lists to the viewer. */
function openAlertsOf(world: World, worker: Worker, viewer: TokenViewer): readonly Alert[] {
  const open = world.indexes.openAlertsOfWorker.of(worker.id);
  if (open.length === 0 || !viewer.scopes.includes('alerts:read')) return [];
  return open.values().filter((alert) => seesAlert(viewer, alert));
}

/** The order of critical alert types; all others come after these. */
const CRITICAL_FIRST: readonly AlertType[] = ['sos', 'evacuation_help', 'fall_detected'];
const rankOfType = (type: AlertType): number => {
  const place = CRITICAL_FIRST.indexOf(type);
  return place < 0 ? CRITICAL_FIRST.length : place;
};

const newestFirst = (a: Alert, b: Alert): number => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1);

/** The open critical alert that determines the reason: by type, then the newest, then the lowest id. */
export function criticalOf(open: readonly Alert[]): AlertType | null {
  const critical = open.filter(({ severity }) => severity === 'critical');
  critical.sort((a, b) => rankOfType(a.type) - rankOfType(b.type) || newestFirst(a, b));
  return critical[0]?.type ?? null;
}

/** The open alert with the highest severity: of several, the newest, then the one with the lowest id. */
function gravestOf(open: readonly Alert[]): AlertType | null {
  const sorted = [...open].sort(
    (a, b) =>
      Number(severityAtLeast(b.severity, a.severity)) - Number(severityAtLeast(a.severity, b.severity)) ||
      newestFirst(a, b),
  );
  return sorted[0]?.type ?? null;
}

/** The status of a person in a headcount. */
type Counted = Pick<Expected, 'status' | 'helpReason'>;

/**
 * The first that applies: trapped or injured, an open critical alert, the status in the muster, the gravest open alert.
 * [decisions 4, Reason]
 */
export function reasonOf(counted: Counted | null, open: readonly Alert[]): PersonReason | null {
  return musterReason(counted, criticalOf(open)) ?? gravestOf(open);
}

/**
 * The reason in a muster; `critical` is the type of the open critical alert. Null outside of a muster if there is no
 * such alert.
 */
export const musterReason = (counted: Counted | null, critical: AlertType | null): PersonReason | null =>
  immobilityOf(counted) ?? critical ?? counted?.status ?? null;

/** Why the person cannot walk; null if they can. */
function immobilityOf(counted: Counted | null): Exclude<HelpReason, 'helping'> | null {
  if (counted?.status !== 'help' || counted.helpReason === 'helping') return null;
  return counted.helpReason;
}

/** True if the worker has an open SOS or fall. [spec 2 MissingWorker] */
export const needsRescue = (world: World, workerId: string): boolean => {
  const open = world.indexes.openAlertsOfWorker.of(workerId);
  return open.length > 0 && open.values().some(({ type }) => type === 'sos' || type === 'fall_detected');
};

/**
 * `hasAlert`: an open SOS or fall. A call for help counts, unless it is to help another person. [decisions 4, Rescue]
 */
export const isToRescue = ({ status, helpReason }: Counted, hasAlert: boolean): boolean =>
  (status !== 'safe' && hasAlert) || (status === 'help' && helpReason !== 'helping');

/** The status in the active muster, as screens show it; null outside of one. */
export const statusOf = ({ counted }: Pick<PersonState, 'counted'>): CountedStatus | null => counted?.status ?? null;
