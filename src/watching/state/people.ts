/** The people of a site as rows, by risk or by place, and the filter over them. */
import { compareText } from '../../base/text/order.ts';
import type { AlertType } from '../../contract/enumerations.ts';
import type { DetailsOf } from '../../contract/resources/details.ts';
import type { CountedStatus } from '../../contract/resources/headcount.ts';
import {
  ALERT_TERMS,
  HELP_REASON_WORDS,
  NOT_SAFE_STATUSES,
  PERSON_TERMS,
  SEVERITY_TERMS,
  type Term,
} from '../../contract/resources/vocabulary.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { PersonReason, StreamPerson, StreamSite, StreamWorker } from '../../contract/stream.ts';
import { codeOf } from './events.ts';
import { placeOf, placeWords } from './places.ts';
import type { StreamState } from './state.ts';

/** The status in the active muster; outside a muster `person`, or `not_worn` as the watch reports it. */
export type ShownStatus = CountedStatus | 'person';

/** A status, or what ranks beside them: who must be rescued, and who only helps another. */
export type StatusRank = ShownStatus | 'rescue' | 'helping';

/** The rank of a mark on a map, and of a row of a list: outside a muster also that of an open critical alert. */
export type MarkRank = StatusRank | 'critical';

export interface PersonRow {
  readonly id: string;
  readonly worker: StreamWorker;
  readonly person: StreamPerson;
  readonly status: ShownStatus;
  /** True if the stream reports that the person must be rescued; this ranks above all statuses. */
  readonly rescue: boolean;
  /** True if the person only helps another one. */
  readonly helps: boolean;
  /** The place in words; null if no location is shown. */
  readonly place: string | null;
  /** The place with additional information: its time if it is old, or the reason why none is shown. */
  readonly placeWords: string;
  /** The open alert that is the reason; otherwise the most severe open alert, unless the person is safe. */
  readonly alert: Alert | null;
  /** For how long a critical alert has waited; null: none is open. */
  readonly waiting: WaitingAlarm | null;
  /** The worker's code in the staff system, else the beginning of the id. */
  readonly code: string;
}

/** An open critical alert of a person. */
export interface WaitingAlarm {
  readonly isUnacknowledged: boolean;
  readonly since: string;
}

/** The most serious first. Outside a muster, a person ranks just before the safe ones. */
const BY_RISK: readonly ShownStatus[] = [...NOT_SAFE_STATUSES, 'person', 'safe'];
const RISK = Object.fromEntries(BY_RISK.map((status, place) => [status, place + 1])) as Record<ShownStatus, number>;
export const GRAVITY = { low: 1, medium: 2, high: 3, critical: 4 } as const;

/**
 * A class, because thousands of rows are created at each change, and a getter in an object literal is three times as
 * slow.
 */
class Row implements PersonRow {
  readonly id: string;
  readonly code: string;
  readonly worker: StreamWorker;
  readonly person: StreamPerson;
  readonly status: ShownStatus;
  readonly rescue: boolean;
  readonly helps: boolean;
  readonly alert: Alert | null;
  readonly waiting: WaitingAlarm | null;
  readonly #site: StreamSite;

  constructor(
    site: StreamSite,
    worker: StreamWorker,
    person: StreamPerson,
    status: ShownStatus,
    open: readonly Alert[],
  ) {
    this.id = worker.id;
    this.code = codeOf(worker);
    this.worker = worker;
    this.person = person;
    this.status = status;
    this.rescue = person.rescue;
    this.helps = person.muster?.help_reason === 'helping';
    this.alert = alertBehind(person, open);
    this.waiting = waitingAmong(open);
    this.#site = site;
  }

  get place(): string | null {
    return placeOf(this.#site, this.person);
  }

  get placeWords(): string {
    return placeWords(this.#site, this.person);
  }
}

/** The active workers of the site whose watch is known, in the order of their ids. */
export function rowsOf(
  state: StreamState,
  site: StreamSite,
  active: Muster | null,
  alerts: readonly Alert[],
): PersonRow[] {
  const open = openByWorker(alerts);
  const rows: PersonRow[] = [];
  for (const worker of workersInOrder(state.workers)) {
    const person = state.people.get(worker.id);
    if (worker.site_id !== site.id || !worker.is_active || person === undefined) continue;
    const status = shownStatus(person, active !== null);
    rows.push(new Row(site, worker, person, status, open.get(worker.id) ?? NO_ALERTS));
  }
  return rows;
}

export function openByWorker(alerts: Iterable<Alert>): Map<string, Alert[]> {
  const open = new Map<string, Alert[]>();
  for (const alert of alerts) {
    const id = alert.worker?.id;
    if (!isOpen(alert) || id === undefined) continue;
    const known = open.get(id);
    if (known === undefined) open.set(id, [alert]);
    else known.push(alert);
  }
  return open;
}

const inOrder = new WeakMap<StreamState['workers'], readonly StreamWorker[]>();

/** The stream reports workers in any order. Memoised: positions change far more often than workers. */
function workersInOrder(workers: StreamState['workers']): readonly StreamWorker[] {
  let sorted = inOrder.get(workers);
  if (sorted === undefined) {
    sorted = [...workers.values()].sort((a, b) => compareText(a.id, b.id));
    inOrder.set(workers, sorted);
  }
  return sorted;
}

/** The row of one worker; null if the worker or the watch is not known. */
export function personRowOf(state: StreamState, workerId: string): PersonRow | null {
  const [worker, person] = [state.workers.get(workerId), state.people.get(workerId)];
  const site = worker === undefined ? undefined : state.sites.get(worker.site_id);
  if (worker === undefined || person === undefined || site === undefined) return null;
  const open = [...state.alerts.values()].filter((alert) => alert.worker?.id === workerId && isOpen(alert));
  return new Row(site, worker, person, shownStatus(person, person.muster !== null), open);
}

const shownStatus = ({ status, worn }: StreamPerson, isMustered: boolean): ShownStatus =>
  status ?? (worn === false && !isMustered ? 'not_worn' : 'person');

const NO_ALERTS: readonly Alert[] = [];

/**
 * Returns the newest open alert of the type that is the reason. If there is none, returns the most severe open alert of
 * a person who is not safe.
 */
function alertBehind({ reason, status }: StreamPerson, open: readonly Alert[]): Alert | null {
  if (open.length === 0) return null;
  const newest = newestOf(open.filter(({ type }) => type === reason));
  if (newest !== null || status === 'safe') return newest;
  const gravest = Math.max(...open.map(({ severity }) => GRAVITY[severity]));
  return newestOf(open.filter(({ severity }) => GRAVITY[severity] === gravest));
}

function newestOf(alerts: readonly Alert[]): Alert | null {
  let newest: Alert | null = null;
  for (const alert of alerts) if (newest === null || isNewer(alert, newest)) newest = alert;
  return newest;
}

const isNewer = (a: Alert, b: Alert): boolean =>
  a.date_created > b.date_created || (a.date_created === b.date_created && a.id < b.id);

export const rankOf = (row: PersonRow): StatusRank =>
  row.rescue ? 'rescue' : row.status === 'help' && row.helps ? 'helping' : row.status;

/** How many of those who called for help only help another one, so that nobody has to go to them. */
export const helpersAmong = (rows: readonly Pick<PersonRow, 'status' | 'rescue' | 'helps'>[]): number =>
  rows.filter(({ status, rescue, helps }) => status === 'help' && helps && !rescue).length;

/** Beside the number of those who called for help: `10 of them helping`; empty: nobody helps. */
export const helpersText = (helpers: number): string =>
  helpers === 0 ? '' : `${helpers} of them ${PERSON_TERMS.helping.word}`;

/** Of a person who is in no muster, an open critical alert is the most severe known state. */
export const markRankOf = (row: PersonRow): MarkRank =>
  row.person.status !== null || row.alert === null
    ? rankOf(row)
    : isHelperAlert(row.alert)
      ? 'helping'
      : row.alert.severity === 'critical'
        ? 'critical'
        : rankOf(row);

export const termOfMark = (rank: MarkRank): Term =>
  rank === 'critical' ? SEVERITY_TERMS.critical : PERSON_TERMS[rank];

/** True if somebody must go there: no label covers such a mark. */
export const isUrgentMark = (rank: MarkRank): boolean => rank === 'rescue' || rank === 'critical';

/** Returns true for people who have their own mark on a map; all others are dots. */
export const isException = ({ status, rescue, alert }: PersonRow): boolean =>
  rescue || (status !== 'safe' && status !== 'pending' && status !== 'person') || alert?.severity === 'critical';

export const locatedAmong = (rows: readonly PersonRow[]): number =>
  rows.filter(({ person }) => person.location !== null).length;

/**
 * Who is to be helped first: the order of `byUrgency`, so that each list begins with the same person. Then the highest risk
 * first, and equal rows by the time since the last report, longest first, in whole minutes, because with seconds the rows
 * would often swap. `now`: simulated ms.
 */
export function byRisk(rows: readonly PersonRow[], now: number): PersonRow[] {
  // The weight of each row is computed once, not at each comparison.
  const weighed = rows.map((row) => ({ row, weight: weightOf(row, now) }));
  weighed.sort(
    (a, b) =>
      byWaiting(a.row, b.row) ||
      (a.row.waiting === null ? b.weight - a.weight : 0) ||
      compareText(a.row.code, b.row.code) ||
      compareText(a.row.id, b.row.id),
  );
  return weighed.map(({ row }) => row);
}

/**
 * People to rescue come first, then people with an open critical alert; of both, first those with an alert that nobody has
 * acknowledged, and among them who has waited longest. The order does not change while a crew reads it.
 */
export function byWaiting(a: WaitingPerson, b: WaitingPerson): number {
  return a.waiting === null && b.waiting === null
    ? Number(b.rescue) - Number(a.rescue)
    : attentionFor(a) - attentionFor(b) || compareText(a.waiting?.since ?? '', b.waiting?.since ?? '');
}

export interface WaitingPerson {
  readonly rescue: boolean;
  readonly waiting: WaitingAlarm | null;
}

/** The rank of a person, or of their alert; 0 is first. */
export const attentionFor = ({ rescue, waiting }: WaitingPerson): number =>
  (rescue ? 0 : 3) + (waiting === null ? 2 : waiting.isUnacknowledged ? 0 : 1);

/** The alert that has waited longest; those that nobody has acknowledged come first. */
export function waitingAmong(
  alerts: readonly Pick<Alert, 'type' | 'details' | 'severity' | 'status' | 'date_created'>[],
): WaitingAlarm | null {
  let found: WaitingAlarm | null = null;
  for (const alert of alerts) {
    if (!isOpenCritical(alert)) continue;
    const one = { isUnacknowledged: alert.status === 'unacknowledged', since: alert.date_created };
    const isFirst = found === null || byWaiting({ rescue: false, waiting: one }, { rescue: false, waiting: found }) < 0;
    if (isFirst) found = one;
  }
  return found;
}

/** Longer than any time without a report; minutes. */
const LONG = 1e9;

const weightOf = (row: PersonRow, now: number): number =>
  ((gravityOf(row) * 8 + (7 - RISK[row.status])) * 2 + Number(!row.helps)) * 4 * LONG + silentMinutes(row, now);

/** The order of lists without rows, such as the report: by risk, helpers after those who call for help themselves. */
export const riskOf = (rank: StatusRank): number =>
  rank === 'rescue' ? 0 : rank === 'helping' ? RISK.help + 0.5 : RISK[rank];

/** Outside a muster, a watch that never had contact has not come to the site yet, so it ranks last. */
const silentMinutes = ({ status, person: { date_last_seen } }: PersonRow, now: number): number =>
  date_last_seen === null ? (status === 'person' ? -1 : LONG) : Math.floor((now - Date.parse(date_last_seen)) / 60_000);

/** During a muster the status determines the rank; outside a muster the open alert does. */
const gravityOf = ({ status, alert }: PersonRow): number =>
  alert === null || (status !== 'person' && status !== 'not_worn')
    ? 0
    : GRAVITY[isHelperAlert(alert) ? 'low' : alert.severity];

/** True if the person only helps another one, who is the one to be rescued. */
export const isHelperAlert = ({ type, details }: Pick<Alert, 'type' | 'details'>): boolean =>
  type === 'evacuation_help' && (details as DetailsOf<'evacuation_help'>).reason === 'helping';

export const isOpen = ({ status }: Pick<Alert, 'status'>): boolean => status !== 'resolved';

/** The alert of somebody who only helps is critical for the API, but nobody has to go there for the helper. */
export const isOpenCritical = (alert: Pick<Alert, 'type' | 'details' | 'severity' | 'status'>): boolean =>
  isOpen(alert) && alert.severity === 'critical' && !isHelperAlert(alert);

/** True if the active muster expects the person, who is not safe. */
export const isMissing = ({ person, status }: PersonRow): boolean => person.muster !== null && status !== 'safe';

/** The people who need attention first: during a muster the missing people, else all; filtered, by risk. */
export function listedPeople(
  rows: readonly PersonRow[],
  active: Muster | null,
  filter: string,
  now: number,
): PersonRow[] {
  const listed = active === null ? rows : rows.filter(isMissing);
  const fits = filterOf(filter);
  return byRisk(fits === null ? listed : listed.filter((row) => fits(searchText(row))), now);
}

/**
 * Returns a function that checks whether a text contains the filter; `!` before the filter inverts it. Null: the filter
 * is empty.
 */
export function filterOf(filter: string): ((text: string) => boolean) | null {
  const isInverse = filter.startsWith('!');
  const part = (isInverse ? filter.slice(1) : filter).trim().toLowerCase();
  return part === '' ? null : (text) => text.toLowerCase().includes(part) !== isInverse;
}

/** What a filter finds a person by. */
export const searchText = ({ code, worker, status, person, alert, rescue, placeWords: place }: PersonRow): string =>
  [
    ...[code, worker.name, worker.contractor, worker.role, status, person.muster?.help_reason, alert?.type, place],
    rescue ? 'rescue' : null,
  ]
    .filter((word) => word !== null && word !== undefined)
    .join(' ')
    .toLowerCase();

/** The people at one place. */
export interface PlaceGroup {
  /** The place itself is the id. */
  readonly id: string;
  readonly place: string;
  readonly rows: readonly PersonRow[];
  /** Counts by status, such as `2 injured, 1 trapped, 11 pending`. */
  readonly text: string;
  readonly rescue: number;
}

/** Places with people to rescue come first, then places with the most people. */
export function groupsOf(rows: readonly PersonRow[]): PlaceGroup[] {
  const places = new Map<string, PersonRow[]>();
  for (const row of rows) {
    // A building with all its floors is one place. Far from all zones, the metres are removed, because they differ
    // between people.
    const building = row.person.location?.height?.building ?? null;
    const place = building ?? (row.place ?? row.placeWords).replace(/^\d+ m from /, 'near ');
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  const groups = [...places].map(([place, members]) => ({
    id: place,
    place,
    rows: members,
    text: countsText(members),
    rescue: members.filter((row) => row.rescue).length,
  }));
  return groups.sort((a, b) => b.rescue - a.rescue || b.rows.length - a.rows.length || compareText(a.place, b.place));
}

function countsText(rows: readonly PersonRow[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(statusWord(row), (counts.get(statusWord(row)) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

type Worded = Pick<Term, 'word' | 'short'>;

/** The reason, such as `trapped`, `SOS`, `fall`, `helping`, `no signal`; outside a muster without an alert, the status. */
export function statusTerm({ status, person: { muster, reason } }: PersonRow): Worded {
  if (reason === null) return PERSON_TERMS[status];
  const helps = muster?.help_reason === 'helping' && (reason === 'help' || reason === 'evacuation_help');
  return helps ? PERSON_TERMS.helping : reasonTerm(reason);
}

export const statusWord = (row: PersonRow): string => statusTerm(row).word;

/** For example `fall`, `SOS`, `cannot evacuate`, `trapped`, `no signal`. */
export function reasonTerm(reason: PersonReason): Worded {
  if (reason === 'trapped' || reason === 'injured') return { word: HELP_REASON_WORDS[reason], short: reason };
  return reason in ALERT_TERMS ? ALERT_TERMS[reason as AlertType] : PERSON_TERMS[reason as CountedStatus];
}
