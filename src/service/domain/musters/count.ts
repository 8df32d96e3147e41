/** The headcount: each expected person has exactly one status, the first that applies. Also the roll, their final status. [decisions 6] */

import type { Instant } from '../../../base/time/clock.ts';
import type { HelpReason } from '../../../contract/enumerations.ts';
import { COUNTED_STATUSES, type CountedStatus } from '../../../contract/resources/headcount.ts';
import { workerSnapshot } from '../alerts/snapshots.ts';
import type { ChangeOf, Stamp } from '../changes.ts';
import { insideSite } from '../privacy/places.ts';
import { criticalOf, needsRescue } from '../views/person.ts';
import { lastSeenAt } from '../watches/contact.ts';
import type {
  Expected,
  Muster,
  MusterTotals,
  PointStay,
  Roll,
  RollLine,
  SafeBy,
  Site,
  Telemetry,
  Worker,
} from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import { expectedId, ofEachStatus } from '../world/muster-documents.ts';
import type { World } from '../world/world.ts';
import { DWELL_MS, NONE, validPoints } from './inside.ts';

/** Interval between counts, from the start of the muster; milliseconds. [decisions 6] */
export const COUNT_EVERY_MS = 5_000;

/** A person whose last position is older than this is not expected; milliseconds. [decisions 6] */
const EXPECTED_WITHIN_MS = 12 * 60 * 60_000;

export interface Count {
  readonly totals: MusterTotals;
  readonly safeAt: Readonly<Record<string, number>>;
  readonly contractors: readonly string[];
  /** The people who are new, or whose state differs from the last count. */
  readonly changed: readonly Expected[];
  /**
   * People who are missing as of this count, after the deadline, and for whom no `muster.worker_missing` was emitted
   * yet.
   */
  readonly newlyMissing: readonly Expected[];
}

interface CountOptions {
  /** The instant at which the count was due. */
  readonly at: Instant;
  /** True if `muster.worker_missing` must be emitted for missing people. */
  readonly tellsMissing: boolean;
}

/** The last instant at which a count was due, at or before `now`. */
export const lastDue = ({ startedAt }: Muster, now: Instant): Instant =>
  startedAt + Math.floor(Math.max(0, now - startedAt) / COUNT_EVERY_MS) * COUNT_EVERY_MS;

/**
 * True if a person who was not yet expected is expected now: active, with a watch in service, last seen inside the
 * site.
 */
export function isExpected(world: World, site: Site, worker: Worker, now: Instant): boolean {
  if (!worker.isActive || worker.deviceId === null) return false;
  if (world.get('device', worker.deviceId)?.status !== 'active') return false;
  const { fix } = world.telemetry(worker.deviceId);
  return fix !== null && now - fix.at <= EXPECTED_WITHIN_MS && isOnSite(site, fix);
}

export const newlyExpected = (musterId: string, workerId: string): Expected => ({
  id: expectedId(musterId, workerId),
  musterId,
  workerId,
  counted: false,
  status: 'pending',
  helpReason: null,
  point: null,
  declared: null,
  marked: null,
  missingTold: false,
  since: null,
  firstSafeAt: null,
});

/** The people who came in since the last count, or who were there at the start. [decisions 6] */
function arrivals(world: World, muster: Muster, site: Site, now: Instant): Expected[] {
  const known = world.indexes.expectedIn(muster.id);
  const found: Expected[] = [];
  for (const worker of world.indexes.workersOfSite.of(site.id).values())
    if (!known.has(worker.id) && isExpected(world, site, worker, now)) found.push(newlyExpected(muster.id, worker.id));
  return found;
}

export function count(world: World, muster: Muster, stamp: Stamp, { at, tellsMissing }: CountOptions): Count {
  const site = world.need('site', muster.site.id);
  const look: CountContext = {
    world,
    stamp,
    at,
    valid: validPoints(muster),
    help: helpOf(world, site.id),
    noSignalAfterMs: site.thresholds.noSignalAfterMs,
  };
  const late = tellsMissing && at >= missingFrom(muster, site);
  const of = ofEachStatus(0);
  const safeAt: Record<string, number> = Object.fromEntries(muster.targets.map(({ id }) => [id, 0]));
  const contractors = new Set<string>();
  const changed: Expected[] = [];
  const newlyMissing: Expected[] = [];
  const take = (before: Expected) => {
    const worker = world.get('worker', before.workerId);
    const telemetry = worker?.deviceId == null ? null : world.telemetry(worker.deviceId);
    if (worker?.contractor != null) contractors.add(worker.contractor);
    const judged = judge(look, before, telemetry);
    of[judged.status] += 1;
    if (judged.status === 'safe' && judged.pointId !== null) safeAt[judged.pointId] = (safeAt[judged.pointId] ?? 0) + 1;
    const missing = late && judged.status !== 'safe' && !before.missingTold;
    const after = missing || differs(before, judged, look) ? counted(before, judged, look, missing) : before;
    if (after !== before) changed.push(after);
    if (missing) newlyMissing.push(after);
  };
  for (const person of world.indexes.expectedIn(muster.id).values()) take(person);
  for (const person of arrivals(world, muster, site, stamp.now)) take(person);
  return { totals: totalsOf(of), safeAt, contractors: [...contractors].sort(), changed, newlyMissing };
}

/**
 * The instant from which a person who is not safe is missing: the deadline, or 15 min after the start if there is none.
 * [decisions 6]
 */
const missingFrom = ({ deadline, startedAt }: Muster, { thresholds }: Site): Instant =>
  deadline?.at ?? startedAt + thresholds.missingAfterMs;

interface CountContext {
  readonly world: World;
  readonly stamp: Stamp;
  readonly at: Instant;
  readonly valid: ReadonlySet<string>;
  /** The workers who cannot evacuate, with the reason. */
  readonly help: ReadonlyMap<string, HelpReason | null>;
  readonly noSignalAfterMs: number;
}

interface Judged {
  readonly status: CountedStatus;
  readonly pointId: string | null;
}

interface Safe extends Judged {
  readonly status: 'safe';
  readonly by: SafeBy;
}

/** The first status that applies. [decisions 6] */
function judge(look: CountContext, person: Expected, telemetry: Telemetry | null): Judged {
  const { valid } = look;
  const stays = telemetry?.stays ?? NONE;
  const safe = safety(valid, look.at, person, stays);
  if (safe !== null) return safe;
  const declaredPoint = declaredPointOf(person);
  const mark = person.marked;
  const wrong = stays.find(({ pointId }) => !valid.has(pointId))?.pointId ?? declaredPoint ?? mark?.pointId ?? null;
  // The point where the person is arriving, or which they declared before they went on.
  const pointId = stays[0]?.pointId ?? person.declared?.pointId ?? null;
  if (look.help.has(person.workerId)) return { status: 'help', pointId: pointId ?? wrong };
  if (wrong !== null) return { status: 'wrong_point', pointId: wrong };
  if (telemetry?.worn === false) return { status: 'not_worn', pointId };
  const contactAt = Math.max(telemetry?.lastContactAt ?? 0, look.stamp.serviceStartedAt);
  if (look.at - contactAt >= look.noSignalAfterMs) return { status: 'no_signal', pointId };
  return { status: 'pending', pointId };
}

const declaredPointOf = ({ declared }: Expected): string | null =>
  declared === null || declared.contradicted ? null : declared.pointId;

/** The point at which a person is safe, and the evidence; null if they are not safe. [decisions 6] */
function safety(valid: ReadonlySet<string>, at: Instant, person: Expected, stays: readonly PointStay[]): Safe | null {
  for (const { pointId, since } of stays)
    if (at - since >= DWELL_MS && valid.has(pointId)) return { status: 'safe', pointId, by: 'position' };
  const declaredPoint = declaredPointOf(person);
  if (declaredPoint !== null && valid.has(declaredPoint))
    return { status: 'safe', pointId: declaredPoint, by: 'declared' };
  const mark = person.marked;
  if (mark !== null && (mark.pointId === null || valid.has(mark.pointId)))
    return { status: 'safe', pointId: mark.pointId, by: 'marked' };
  return null;
}

function differs(before: Expected, { status, pointId }: Judged, look: CountContext): boolean {
  if (!before.counted || before.status !== status) return true;
  if (pointId === null) {
    if (before.point !== null) return true;
  } else if (before.point?.id !== pointId || before.point.valid !== look.valid.has(pointId)) return true;
  return status === 'help' && before.helpReason !== (look.help.get(before.workerId) ?? null);
}

function counted(before: Expected, { status, pointId }: Judged, look: CountContext, missing: boolean): Expected {
  const since = before.counted && before.status === status ? before.since : look.at;
  return {
    ...before,
    counted: true,
    status,
    helpReason: status === 'help' ? (look.help.get(before.workerId) ?? null) : null,
    point: pointId === null ? null : { id: pointId, valid: look.valid.has(pointId) },
    missingTold: before.missingTold || missing,
    since,
    firstSafeAt: before.firstSafeAt ?? (status === 'safe' ? since : null),
  };
}

/** The open calls of people who cannot evacuate, by worker. */
function helpOf(world: World, siteId: string): ReadonlyMap<string, HelpReason | null> {
  const found = new Map<string, HelpReason | null>();
  for (const { worker, details } of world.indexes.openHelpOfSite.of(siteId).values())
    if (worker !== null && 'muster_id' in details) found.set(worker.id, details.reason);
  return found;
}

function totalsOf(of: Readonly<Record<CountedStatus, number>>): MusterTotals {
  return { expected: COUNTED_STATUSES.reduce((sum, status) => sum + of[status], 0), ...of };
}

const onSite = new WeakMap<Fix, boolean>();

/** Memoised: neither a fix nor the boundary of a site ever changes. */
function isOnSite(site: Site, fix: Fix): boolean {
  let known = onSite.get(fix);
  if (known === undefined) {
    known = insideSite(site, fix);
    onSite.set(fix, known);
  }
  return known;
}

// The roll: the final state of each person in a muster, stored for the report. The API does not return it.
// [decisions 6]

/** The most lines of all rolls together, about 60 MB of memory; the oldest rolls are removed to make room. */
const MOST_LINES = 200_000;

/**
 * All counted people as of the last count. `changed`: the people whose state changes in the count that was just made.
 */
export function lastLines(world: World, muster: Muster, now: Instant, changed: readonly Expected[] = []): RollLine[] {
  const people = new Map(world.indexes.expectedIn(muster.id));
  for (const person of changed) people.set(person.workerId, person);
  const valid = validPoints(muster);
  const lines: RollLine[] = [];
  for (const person of people.values()) {
    const worker = world.get('worker', person.workerId);
    if (person.counted && worker !== undefined) lines.push(lineOf(world, person, worker, valid, now));
  }
  return lines.sort((a, b) => (a.worker.id < b.worker.id ? -1 : 1));
}

function lineOf(world: World, person: Expected, worker: Worker, valid: ReadonlySet<string>, now: Instant): RollLine {
  const telemetry = worker.deviceId === null ? null : world.telemetry(worker.deviceId);
  const { status, point, declared, marked } = person;
  const named = (id: string) => ({ id, name: world.get('zone', id)?.name ?? '' });
  const safe = status === 'safe';
  return {
    worker: workerSnapshot(worker),
    status,
    helpReason: person.helpReason,
    point: point === null ? null : { ...named(point.id), valid: point.valid },
    safeBy: safe ? (safety(valid, now, person, telemetry?.stays ?? NONE)?.by ?? null) : null,
    declared:
      declared === null
        ? null
        : { point: named(declared.pointId), at: declared.at, contradicted: declared.contradicted },
    marked:
      marked === null
        ? null
        : { point: marked.pointId === null ? null : named(marked.pointId), at: marked.at, by: marked.by },
    since: person.since,
    firstSafeAt: person.firstSafeAt,
    lastSeenAt: telemetry === null ? null : lastSeenAt(telemetry),
    needsRescue: !safe && needsRescue(world, worker.id),
    critical: safe ? null : criticalOf(world.indexes.openAlertsOfWorker.of(worker.id).values()),
    fix: safe ? null : (telemetry?.fix ?? null),
  };
}

export function rollClosed(world: World, roll: Roll): ChangeOf<'roll-closed'> {
  const before = [...world.all('roll')].sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  let lines = roll.rows.length;
  const forgotten: string[] = [];
  for (const { id, rows } of before) {
    lines += rows.length;
    if (lines > MOST_LINES) forgotten.push(id);
  }
  return { kind: 'roll-closed', roll, forgotten };
}
