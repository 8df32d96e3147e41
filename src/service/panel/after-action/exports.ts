/** The record as three tables: people, timeline, and headcounts. The headers must not change. */

import { type CsvCell, csv } from '../../../base/text/csv.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { COUNTED_STATUSES } from '../../../contract/resources/headcount.ts';
import type { AfterAction, AlertRecord, CountRecord, PersonRecord } from './record.ts';

/** A time takes two cells: ISO 8601 UTC, and seconds since the start of the muster (negative: before it). */
const moment = ({ startedAt }: AfterAction, at: Instant | null): [string | null, number | null] =>
  at === null ? [null, null] : [formatInstant(at), (at - startedAt) / 1_000];

const timed = (name: string): [string, string] => [`${name}_at`, `${name}_s`];

const PEOPLE_HEADER: readonly string[] = [
  ...['code', 'name', 'contractor', 'status', ...timed('since'), ...timed('first_safe'), 'safe_by'],
  ...['point', 'point_valid', 'help_reason', 'needs_rescue'],
  ...['declared_point', ...timed('declared'), 'declared_contradicted'],
  ...['marked_point', ...timed('marked'), 'marked_by'],
  ...[...timed('last_seen'), 'worker_id', 'muster_id', 'as_of'],
];

/** One person per line, by name. Without a roll only the header. */
export const peopleCsv = (report: AfterAction): string =>
  csv(
    PEOPLE_HEADER,
    (report.people ?? []).map((person) => personRow(report, person)),
  );

function personRow(report: AfterAction, person: PersonRecord): CsvCell[] {
  const { worker, point, declared, marked } = person;
  return [
    ...[worker.externalId, worker.name, worker.contractor, person.status],
    ...moment(report, person.since),
    ...moment(report, person.firstSafeAt),
    ...[person.safeBy, point?.name ?? null, point?.valid ?? null, person.helpReason, person.needsRescue],
    ...[declared?.point.name ?? null, ...moment(report, declared?.at ?? null), declared?.contradicted ?? null],
    ...[marked?.point?.name ?? null, ...moment(report, marked?.at ?? null), marked?.by ?? null],
    ...moment(report, person.lastSeenAt),
    ...[worker.id, report.musterId, formatInstant(report.asOf)],
  ];
}

const TIMELINE_HEADER: readonly string[] = [
  ...['at', 's', 'source', 'what', 'by', 'reason', 'note'],
  ...['alert_type', 'severity', 'worker_code', 'worker', 'alert_id'],
];

interface TimelineRow {
  readonly at: Instant;
  readonly cells: readonly CsvCell[];
}

/** Decisions and alerts in chronological order. */
export function timelineCsv(report: AfterAction): string {
  const done: TimelineRow[] = report.timeline.map(({ at, what, by, reason, note }) => ({
    at,
    cells: ['control_room', what, by, reason, note, null, null, null, null, null],
  }));
  const entries = [...done, ...report.alerts.flatMap(stepsOf)].sort((a, b) => a.at - b.at);
  return csv(
    TIMELINE_HEADER,
    entries.map(({ at, cells }) => [...moment(report, at), ...cells]),
  );
}

const stepsOf = ({ type, severity, worker, id, title, timeline }: AlertRecord): TimelineRow[] =>
  timeline.map(({ at, what, by, reason, note }) => ({
    at,
    cells: [
      ...['alert', `${title}: ${what}`, by, reason, note],
      ...[type, severity, worker?.externalId ?? null, worker?.name ?? null, id],
    ],
  }));

const COURSE_HEADER: readonly string[] = [...['at', 's', 'kind', 'expected', ...COUNTED_STATUSES]];

/** One headcount per line; after the fixed columns, the safe people at each point (empty: not a target). */
export const courseCsv = (report: AfterAction): string =>
  csv(
    [...COURSE_HEADER, ...report.points.map(({ name }) => `safe_at ${name}`)],
    report.course.map((count) => countRow(report, count)),
  );

function countRow(report: AfterAction, { at, kind, totals, safeAt }: CountRecord): CsvCell[] {
  return [
    ...[...moment(report, at), kind, totals.expected, ...COUNTED_STATUSES.map((status) => totals[status])],
    ...report.points.map(({ id }) => safeAt.get(id) ?? null),
  ];
}
