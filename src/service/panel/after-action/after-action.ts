/** Makes the after-action record of a muster, ended or active. Pure. */

import type { Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { type MusterKind, SCOPES } from '../../../contract/enumerations.ts';
import { PERSON_TERMS } from '../../../contract/resources/vocabulary.ts';
import { standingAtEnd } from '../../../watching/state/not-safe.ts';
import { reasonTerm, waitingAmong } from '../../../watching/state/people.ts';
import { lastPlaceWords } from '../../../watching/state/places.ts';
import { alertKey, alertsOf } from '../../domain/alerts/alerts-of.ts';
import { lastLines } from '../../domain/musters/count.ts';
import { courseOf } from '../../domain/musters/course.ts';
import { linesOf } from '../../domain/musters/roll-rows.ts';
import { excludedLine, reinstatedLine } from '../../domain/musters/words.ts';
import { titleOf } from '../../domain/views/alert.ts';
import { lastPlaceView } from '../../domain/views/not-safe.ts';
import { isToRescue, musterReason } from '../../domain/views/person.ts';
import { siteMapView } from '../../domain/views/plant.ts';
import type { Alert, CourseStretch, Muster, RollLine } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import type { Engine } from '../../engine/engine.ts';
import { countsOf, deadlineOf, kindsOf, peaksOf, sharesOf } from './milestones.ts';
import type {
  AfterAction,
  AlertRecord,
  AlertStep,
  ContractorRecord,
  CountRecord,
  ExclusionRecord,
  PersonRecord,
  PointRecord,
} from './record.ts';

/**
 * `course`: the muster's stretches in order. People and figures are those of the last headcount, which the end of a
 * muster makes; alerts are those at `now`.
 */
export function afterAction(world: World, muster: Muster, course: readonly CourseStretch[], now: Instant): AfterAction {
  const counts = countsOf(course);
  const people = peopleOf(world, muster, now);
  return {
    musterId: muster.id,
    site: muster.site,
    status: muster.status,
    phase: muster.phase,
    reason: muster.reason,
    startedAt: muster.startedAt,
    endedAt: muster.endedAt,
    asOf: muster.endedAt ?? now,
    drawnAt: now,
    kinds: kindsOf(muster, counts),
    deadline: deadlineOf(muster, counts, now),
    totals: counts.at(-1)?.totals ?? muster.totals,
    shares: sharesOf(counts),
    peaks: peaksOf(counts),
    points: pointsOf(muster, course, counts),
    contractors: contractorsOf(people ?? []),
    people,
    timeline: muster.timeline,
    alerts: alertRecords(world, muster, now),
    course: counts,
  };
}

/** Returns the roll of an ended muster, or the people expected in an active one; null if no roll is stored. */
function peopleOf(world: World, muster: Muster, now: Instant): PersonRecord[] | null {
  const roll = world.get('roll', muster.id);
  if (muster.status !== 'active' && roll === undefined) return null;
  const lines = roll === undefined ? lastLines(world, muster, now) : linesOf(roll);
  const placeWords = lastPlacesOf(world, muster.site.id, now);
  return lines
    .map((line) => ({
      ...line,
      safeAfterMs: line.firstSafeAt === null ? null : line.firstSafeAt - muster.startedAt,
      reason: musterReason(line, line.critical),
      rescue: isToRescue(line, line.needsRescue),
      standing: standingOf(world, muster, line),
      lastPlace: line.status === 'safe' ? null : placeWords(line),
    }))
    .sort((a, b) => byName(a.worker.name, b.worker.name) || (a.worker.id < b.worker.id ? -1 : 1));
}

/** As in the list of the muster, and after its end as in that of the site. */
function standingOf(world: World, muster: Muster, line: RollLine): PersonRecord['standing'] {
  const { status, helpReason } = line;
  const reason = musterReason(line, line.critical);
  if (status === 'safe' || reason === null) return null;
  const openAlerts = world.indexes.openAlertsOfWorker.of(line.worker.id).values();
  const open = openAlerts.map((alert) => ({ ...alert, date_created: formatInstant(alert.createdAt) }));
  const waiting = waitingAmong(open);
  if (muster.status !== 'active') return { ...standingAtEnd({ muster_id: muster.id, status, reason }, open), waiting };
  const isHelper = status === 'help' && helpReason === 'helping';
  const rank = isToRescue(line, line.needsRescue) ? 'rescue' : isHelper ? 'helping' : status;
  return { rank, word: isHelper ? PERSON_TERMS.helping.word : reasonTerm(reason).word, waiting };
}

/** The panel shows the view of a panel user, who has every scope. */
const PANEL_USER = { scopes: SCOPES };

function lastPlacesOf(world: World, siteId: string, now: Instant): (line: RollLine) => string | null {
  const site = world.get('site', siteId);
  if (site === undefined) return () => null;
  const map = siteMapView(world, site);
  return (line) => lastPlaceWords(map, lastPlaceView(world, site, line, PANEL_USER, now));
}

/** The company’s own people come last. */
function contractorsOf(people: readonly PersonRecord[]): ContractorRecord[] {
  const groups = new Map<string | null, PersonRecord[]>();
  for (const person of people) {
    const { contractor } = person.worker;
    const group = groups.get(contractor);
    if (group === undefined) groups.set(contractor, [person]);
    else group.push(person);
  }
  return [...groups]
    .map(([contractor, group]) => ({
      contractor,
      expected: group.length,
      safe: group.filter(({ status }) => status === 'safe').length,
      medianMs: median(group.flatMap(({ safeAfterMs }) => safeAfterMs ?? [])),
    }))
    .sort(
      (a, b) =>
        Number(a.contractor === null) - Number(b.contractor === null) || byName(a.contractor ?? '', b.contractor ?? ''),
    );
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** With this collator, names that begin with an accented letter are not sorted to the end. */
const byName = new Intl.Collator('en').compare;

// Reads the after-action record of a muster from a running service, at one instant.

interface ReportParts {
  readonly engine: Engine;
}

/**
 * Returns null if there is no such muster. All data is in the world, so the result does not depend on the logs of the
 * store and their pruning.
 */
export async function readReport({ engine }: ReportParts, musterId: string): Promise<AfterAction | null> {
  return engine.read((world, now) => {
    const muster = world.get('muster', musterId.toLowerCase());
    if (muster === undefined) return null;
    return afterAction(world, muster, courseOf(world, muster.id), now);
  });
}

/** The history of each assembly point: the kinds that it served, exclusions, arrivals. */
function pointsOf(muster: Muster, course: readonly CourseStretch[], counts: readonly CountRecord[]): PointRecord[] {
  const found = new Map<string, { id: string; name: string; kinds: Set<MusterKind> }>();
  const stretches = course.length > 0 ? course : [{ kind: muster.kind, points: muster.targets }];
  for (const { kind, points } of stretches)
    for (const { id, name } of points) {
      const known = found.get(id) ?? { id, name, kinds: new Set() };
      known.kinds.add(kind);
      found.set(id, known);
    }
  return [...found.values()].map(({ id, name, kinds }) => ({
    id,
    name,
    kinds: [...kinds],
    exclusions: exclusionsOf(muster, id, name),
    ...arrivals(counts, id),
  }));
}

function arrivals(counts: readonly CountRecord[], id: string): Pick<PointRecord, 'safe' | 'most' | 'lastArrivalAt'> {
  if (counts.length === 0) return { safe: null, most: null, lastArrivalAt: null };
  let [before, most, lastArrivalAt]: [number, number, Instant | null] = [0, 0, null];
  for (const { at, safeAt } of counts) {
    const people = safeAt.get(id) ?? 0;
    if (people > before) lastArrivalAt = at;
    most = Math.max(most, people);
    before = people;
  }
  return { safe: before, most, lastArrivalAt };
}

/** The timeline has all exclusions; the muster only has the present ones, with the recommendation. */
function exclusionsOf({ timeline, exclusions }: Muster, id: string, name: string): ExclusionRecord[] {
  const standing = exclusions.find(({ pointId }) => pointId === id);
  const found: ExclusionRecord[] = [];
  for (const { at, what, by, reason } of timeline) {
    const open = found.at(-1);
    if (what === excludedLine(name)) found.push({ at, by, reason, recommended: null, until: null });
    else if (what === reinstatedLine(name) && open?.until === null)
      found[found.length - 1] = { ...open, until: { at, by } };
  }
  if (standing === undefined) return found;
  const { at, by, reason, recommended } = standing;
  // A long timeline may have lost the line of an exclusion that still applies.
  return [...found.filter((one) => one.until !== null), { at, by, reason, recommended, until: null }];
}

/**
 * Alerts of the site that were raised during the muster, and serious alerts that were open at its start, because they
 * are often its cause.
 */
function alertRecords(world: World, muster: Muster, now: Instant): AlertRecord[] {
  const { organizationId, startedAt, endedAt } = muster;
  const ofSite = { organizationId, siteIds: [muster.site.id] };
  const raised = alertsOf(world, { ...ofSite, createdAfter: startedAt, createdBefore: (endedAt ?? now) + 1 });
  // An alert that was resolved after the start was also modified after it.
  const before = { ...ofSite, createdBefore: startedAt, severities: SERIOUS };
  const open = alertsOf(world, { ...before, statuses: OPEN });
  const closed = alertsOf(world, { ...before, statuses: ['resolved'], modifiedSince: startedAt });
  return [...raised, ...open, ...closed.filter(({ resolved }) => resolved !== null && resolved.at > startedAt)]
    .sort((a, b) => (alertKey(a) < alertKey(b) ? -1 : 1))
    .map((alert) => recordOf(alert, muster));
}

const SERIOUS = ['critical', 'high'] as const;
const OPEN = ['unacknowledged', 'acknowledged'] as const;

function recordOf(alert: Alert, { organizationId, startedAt }: Muster): AlertRecord {
  const { id, type, severity, status, worker, createdAt, acknowledged, resolved } = alert;
  return {
    id,
    type,
    severity,
    status,
    // The panel has the view of a panel user, so it shows names. [decisions 4]
    title: titleOf(alert, { organizationId, names: true, contractors: null }),
    worker: worker === null ? null : { externalId: worker.externalId, name: worker.name },
    raisedAt: createdAt,
    before: createdAt < startedAt,
    acknowledged: acknowledged === null ? null : stepOf(alert, 'Acknowledged', acknowledged),
    resolved: resolved === null ? null : stepOf(alert, 'Resolved', resolved),
    timeline: alert.timeline,
  };
}

/** The line of the timeline with this step names the person and has the reason. */
function stepOf(
  { timeline, createdAt }: Alert,
  what: string,
  { at, by, note = null }: { readonly at: Instant; readonly by: string; readonly note?: string | null },
): AlertStep {
  const line = timeline.findLast((one) => one.at === at && one.what === what);
  return { at, by: line?.by ?? by, reason: line?.reason ?? null, note: line?.note ?? note, afterMs: at - createdAt };
}
