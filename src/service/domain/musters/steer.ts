/** Control-room actions on a muster: start, change of kind, exclusion, marks, inspection, end. Only people act. [spec 1.3, 3, decisions 6] */

import { bearing, distance, type Point, representativePoint, signedDistance } from '../../../base/geometry/shapes.ts';
import type { MusterKind } from '../../../contract/enumerations.ts';
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { frameOf } from '../privacy/places.ts';
import type { Expected, Muster, MusterDeadline, Site, Zone } from '../world/documents.ts';
import type { TimelineEntry } from '../world/embedded.ts';
import { ofEachStatus } from '../world/muster-documents.ts';
import type { World } from '../world/world.ts';
import { type Count, count, lastDue, lastLines, rollClosed } from './count.ts';
import { courseAfter } from './course.ts';
import { assemblyPoints, exclusionOf, validPoints } from './inside.ts';
import { rowsOf } from './roll-rows.ts';
import { excludedLine, reinstatedLine } from './words.ts';

/** The most timeline lines. The first lines and the last ones stay. */
const MAX_TIMELINE = 500;

type MusterDecision = { readonly changes: readonly Change[]; readonly musterId?: string } | Rejection;

const NOBODY_YET = { expected: 0, ...ofEachStatus(0) };

/** One active muster per site. The first count is made at once. */
export function startMuster(world: World, stamp: Stamp, command: CommandOf<'start-muster'>): MusterDecision {
  const site = world.get('site', command.siteId);
  if (site === undefined) return reject('not_found', 'There is no such site.');
  if (world.indexes.activeMuster(site.id) !== undefined)
    return reject('action_refused', `A muster is active on ${site.name} already; end it first.`);
  const { kind, reason, origin } = command;
  const empty: Muster = {
    id: stamp.id('muster', site.id, stamp.now, world.indexes.musters.of(site.organizationId).length),
    organizationId: site.organizationId,
    site: { id: site.id, name: site.name },
    status: 'active',
    phase: 'evacuating',
    kind,
    reason,
    startedAt: stamp.now,
    endedAt: null,
    deadline: command.deadline ?? plannedDeadline(site, kind, stamp),
    origin,
    targetsRevision: 1,
    targets: targetsOf(world, site.id, kind),
    exclusions: [],
    totals: NOBODY_YET,
    safeAt: {},
    contractors: [],
    timeline: [],
  };
  const begun = { ...empty, timeline: lineAfter(empty, stamp, `Started: ${kind}`, command.by, reason) };
  const made = count(world, begun, stamp, { at: stamp.now, tellsMissing: false });
  return recounted(world, begun, made, 'muster.started', stamp);
}

/** The time limit of the site's plan, counted from now; it is never a physical calculation. [spec 2 Muster deadline] */
function plannedDeadline({ plan }: Site, kind: Muster['kind'], { now }: Stamp): MusterDeadline | null {
  const ceilingMs = plan[kind];
  return ceilingMs === undefined ? null : { at: now + ceilingMs, source: 'plan_estimate' };
}

/** Sets other targets and counts at once. The exclusions stay. */
export function changeKind(world: World, stamp: Stamp, command: CommandOf<'change-muster-kind'>): MusterDecision {
  const muster = activeMuster(world, command.musterId);
  if ('rejected' in muster) return muster;
  const { kind, by } = command;
  if (muster.kind === kind) return reject('action_refused', `The muster is ${kind} already.`);
  const turned: Muster = {
    ...muster,
    kind,
    deadline: command.deadline ?? plannedDeadline(world.need('site', muster.site.id), kind, stamp),
    targetsRevision: muster.targetsRevision + 1,
    targets: targetsOf(world, muster.site.id, kind),
    timeline: lineAfter(muster, stamp, `Changed from ${muster.kind} to ${kind}`, by, null),
  };
  const made = count(world, turned, stamp, { at: stamp.now, tellsMissing: false });
  return recounted(world, turned, made, 'muster.kind_changed', stamp);
}

/** The people at the point count as at the wrong point from the next count on. */
export function excludePoint(world: World, stamp: Stamp, command: CommandOf<'exclude-point'>): MusterDecision {
  const muster = activeMuster(world, command.musterId);
  if ('rejected' in muster) return muster;
  const point = targetOf(world, muster, command.pointId);
  if ('rejected' in point) return point;
  if (exclusionOf(muster, point.id) !== undefined)
    return reject('action_refused', `${point.name} is excluded already.`);
  const { reason, by } = command;
  const site = world.need('site', muster.site.id);
  const exclusion = {
    pointId: point.id,
    reason,
    recommended: recommended(world, site, muster, point),
    at: stamp.now,
    by,
  };
  const after: Muster = {
    ...muster,
    targetsRevision: muster.targetsRevision + 1,
    exclusions: [...muster.exclusions, exclusion],
    timeline: lineAfter(muster, stamp, excludedLine(point.name), by, reason),
  };
  return changed(after, [], 'muster.targets_changed', stamp);
}

export function reinstatePoint(world: World, stamp: Stamp, command: CommandOf<'reinstate-point'>): MusterDecision {
  const muster = activeMuster(world, command.musterId);
  if ('rejected' in muster) return muster;
  const point = targetOf(world, muster, command.pointId);
  if ('rejected' in point) return point;
  if (exclusionOf(muster, point.id) === undefined) return reject('action_refused', `${point.name} is not excluded.`);
  const after: Muster = {
    ...muster,
    targetsRevision: muster.targetsRevision + 1,
    exclusions: muster.exclusions.filter(({ pointId }) => pointId !== point.id),
    timeline: lineAfter(muster, stamp, reinstatedLine(point.name), command.by, null),
  };
  return changed(after, [], 'muster.targets_changed', stamp);
}

/**
 * The control room marks a person safe. Without a point, they count as safe at no point. Takes effect at the next
 * count.
 */
export function markSafe(world: World, stamp: Stamp, command: CommandOf<'mark-safe'>): MusterDecision {
  const muster = activeMuster(world, command.musterId);
  if ('rejected' in muster) return muster;
  const { workerId, pointId, by } = command;
  const person = world.indexes.expectedIn(muster.id).get(workerId);
  const worker = world.get('worker', workerId);
  if (person === undefined || worker === undefined)
    return reject('action_refused', 'The worker is not expected in this muster.');
  if (pointId !== null && !validPoints(muster).has(pointId)) {
    const name = world.get('zone', pointId)?.name ?? pointId;
    return reject('action_refused', `Nobody is safe at ${name}: it is excluded, or does not serve ${muster.kind}.`);
  }
  const at = pointId === null ? '' : ` at ${world.need('zone', pointId).name}`;
  const what = `Marked ${worker.name} safe${at}`;
  return {
    changes: [
      { kind: 'expected-changed', person: { ...person, marked: { pointId, at: stamp.now, by } } },
      musterChanged({ ...muster, timeline: lineAfter(muster, stamp, what, by, null) }, [], null, stamp),
    ],
    musterId: muster.id,
  };
}

/** Everyone is safe: the plant is inspected, and people stay away until further notice. [spec 2 Muster phase] */
export function inspect(world: World, stamp: Stamp, command: CommandOf<'inspect-plant'>): MusterDecision {
  const muster = activeMuster(world, command.musterId);
  if ('rejected' in muster) return muster;
  if (muster.phase === 'inspecting') return reject('action_refused', 'The plant is being inspected already.');
  const missing = muster.totals.expected - muster.totals.safe;
  if (missing > 0)
    return reject(
      'action_refused',
      `${missing} of ${muster.totals.expected} ${missing === 1 ? 'is' : 'are'} missing; inspect when nobody is.`,
    );
  const timeline = lineAfter(muster, stamp, 'Count complete: inspecting', command.by, null);
  return changed({ ...muster, phase: 'inspecting', timeline }, [], 'muster.phase_changed', stamp);
}

/**
 * Makes a last count, of which the totals of safe and expected people stay. The documents of the expected people are
 * removed: from then on the API shows nothing of them, and their final state goes into the roll, for the report.
 * [spec 2 Muster totals]
 */
export function endMuster(world: World, stamp: Stamp, command: CommandOf<'end-muster'>): MusterDecision {
  const muster = activeMuster(world, command.musterId);
  if ('rejected' in muster) return muster;
  const made = count(world, muster, stamp, { at: stamp.now, tellsMissing: false });
  const { totals, contractors } = made;
  const { expected, safe } = totals;
  const ended: Muster = {
    ...muster,
    status: command.outcome,
    endedAt: stamp.now,
    totals: { expected, ...ofEachStatus(null), safe },
    safeAt: null,
    contractors,
    timeline: lineAfter(muster, stamp, `Ended: ${command.outcome}`, command.by, null),
  };
  const lines = lastLines(world, muster, stamp.now, made.changed);
  return {
    changes: [
      courseAfter(world, muster, made, stamp.now),
      rollClosed(world, rowsOf(muster.id, stamp.now, lines)),
      musterChanged(ended, [], 'muster.ended', stamp),
    ],
    musterId: muster.id,
  };
}

/** The count that is due. It writes and emits only what changed. */
export function countMuster(world: World, stamp: Stamp, command: CommandOf<'count-muster'>): MusterDecision {
  const muster = world.get('muster', command.musterId);
  if (muster === undefined || muster.status !== 'active') return { changes: [] };
  const at = lastDue(muster, stamp.now);
  const made = count(world, muster, stamp, { at, tellsMissing: true });
  const news = !sameFigures(muster, made);
  const after = news || !sameList(muster.contractors, made.contractors) ? withCount(muster, made) : muster;
  const events: ('muster.updated' | 'muster.worker_missing')[] = [];
  if (news) events.push('muster.updated');
  if (made.newlyMissing.length > 0) events.push('muster.worker_missing');
  if (after === muster && events.length === 0)
    return { changes: made.changed.map((person) => ({ kind: 'expected-changed', person })) };
  const changes: Change[] = [{ kind: 'muster-changed', muster: after, people: made.changed, events, at }];
  if (news) changes.push(courseAfter(world, muster, made, at));
  return { changes };
}

const withCount = (muster: Muster, { totals, safeAt, contractors }: Count): Muster => ({
  ...muster,
  totals,
  safeAt,
  contractors,
});

/** Every event carries the last count, so a figure that differs from it has not been emitted yet. */
function sameFigures({ totals, safeAt }: Muster, made: Count): boolean {
  for (const key of Object.keys(made.totals) as (keyof Muster['totals'])[])
    if (totals[key] !== made.totals[key]) return false;
  return Object.entries(made.safeAt).every(([id, people]) => safeAt?.[id] === people);
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, place) => value === b[place]);

function activeMuster(world: World, musterId: string): Muster | Rejection {
  const muster = world.get('muster', musterId);
  if (muster === undefined) return reject('not_found', 'There is no such muster.');
  return muster.status === 'active' ? muster : reject('action_refused', `The muster is ${muster.status}.`);
}

/** A point of the site that serves the kind, excluded or not. */
function targetOf(world: World, muster: Muster, pointId: string): Zone | Rejection {
  const zone = world.get('zone', pointId);
  if (zone === undefined || zone.siteId !== muster.site.id || zone.assemblyPoint === null)
    return reject('not_found', `There is no such assembly point on ${muster.site.name}.`);
  return serves(zone, muster.kind)
    ? zone
    : reject('action_refused', `${zone.name} is not a target: it does not serve ${muster.kind}.`);
}

function lineAfter(
  { timeline }: Muster,
  { now }: Stamp,
  what: string,
  by: string,
  reason: string | null,
): readonly TimelineEntry[] {
  const lines = [...timeline, { at: now, what, by, reason, note: null }];
  if (lines.length > MAX_TIMELINE) lines.splice(MAX_TIMELINE / 2, 1);
  return lines;
}

type StepEvent = Extract<Change, { kind: 'muster-changed' }>['events'][number];

const musterChanged = (
  muster: Muster,
  people: readonly Expected[],
  event: StepEvent | null,
  { now }: Stamp,
): Change => ({
  kind: 'muster-changed',
  muster,
  people,
  events: event === null ? [] : [event],
  at: now,
});

/** A step that includes a count. */
const recounted = (world: World, muster: Muster, made: Count, event: StepEvent, stamp: Stamp): MusterDecision => ({
  changes: [
    musterChanged(withCount(muster, made), made.changed, event, stamp),
    courseAfter(world, muster, made, stamp.now),
  ],
  musterId: muster.id,
});

const changed = (muster: Muster, people: readonly Expected[], event: StepEvent, stamp: Stamp): MusterDecision => ({
  changes: [musterChanged(muster, people, event, stamp)],
  musterId: muster.id,
});

// Decides if the system recommends to exclude a point: by the radius of the origin, or by the wind. A person makes the
// decision. [spec 2 AssemblyPoint]

/**
 * Smoke and gas are expected up to this distance downwind, metres, and this angle to either side, degrees.
 * [decisions 6]
 */
const DOWNWIND_M = 1_000;
const DOWNWIND_DEG = 45;

/** As of now; false without an origin. The position of the point is its representative point. */
export function recommended(world: World, site: Site, { origin }: Pick<Muster, 'origin'>, point: Zone): boolean {
  if (origin === null) return false;
  const from = frameOf(site).toMetres(origin);
  const to = representativePoint(point.ring);
  const zone = origin.zone === null ? undefined : world.get('zone', origin.zone.id);
  const metres = zone === undefined ? distance(from, to) : Math.max(0, -signedDistance(to, zone.ring));
  if (metres <= origin.radiusM) return true;
  return metres < DOWNWIND_M && isDownwind(site, from, to);
}

/** Calm air carries no smoke. */
function isDownwind({ wind }: Site, from: Point, to: Point): boolean {
  if (wind == null || wind.speedMs <= 0) return false;
  const apart = Math.abs(bearing(from, to) - ((wind.fromDeg + 180) % 360)) % 360;
  return Math.min(apart, 360 - apart) <= DOWNWIND_DEG;
}

// The points to which a muster sends people: those that serve its kind, without the excluded ones. [decisions 6]

export const serves = ({ assemblyPoint }: Zone, kind: MusterKind): boolean =>
  assemblyPoint?.serves.includes(kind) === true;

export const targetsOf = (world: World, siteId: string, kind: MusterKind): Muster['targets'] =>
  assemblyPoints(world, siteId)
    .filter((zone) => serves(zone, kind))
    .map(({ id, name }) => ({ id, name }));
