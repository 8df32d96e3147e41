/** Who is worth a look first: everybody of a site as a row, the order of the rows, and what a filter lets through. */
import type { Alert, Muster } from '../contract/resources.ts';
import type { CountedStatus, StreamPerson, StreamSite, StreamWorker } from '../contract/stream.ts';
import { placeOf } from './places.ts';
import type { StreamState } from './state.ts';

/** How somebody is shown: how they fare in the muster, or what their watch says outside of one. */
export type Fare = CountedStatus | 'person';

export interface PersonRow {
  readonly id: string;
  readonly worker: StreamWorker;
  readonly person: StreamPerson;
  readonly fare: Fare;
  /** Trapped, injured, or with an open SOS or fall, and not safe: it ranks above all others. */
  readonly needsRescue: boolean;
  /** Where they are, in words; null where that is not shown. */
  readonly place: string | null;
  /** The gravest open alert about them. */
  readonly alert: Alert | null;
  /** Code of the staff system, else the beginning of the id. */
  readonly code: string;
}

const RISK: Record<Fare, number> = {
  help: 1,
  wrong_point: 2,
  no_signal: 3,
  not_worn: 4,
  pending: 5,
  person: 6,
  safe: 7,
};
const GRAVITY = { low: 1, medium: 2, high: 3, critical: 4 } as const;

/** A class, since thousands of rows are made at each change: a getter in an object literal costs three times as much. */
class Row implements PersonRow {
  readonly id: string;
  readonly code: string;
  readonly worker: StreamWorker;
  readonly person: StreamPerson;
  readonly fare: Fare;
  readonly needsRescue: boolean;
  readonly alert: Alert | null;
  readonly #site: StreamSite | undefined;

  constructor(
    site: StreamSite | undefined,
    worker: StreamWorker,
    person: StreamPerson,
    fare: Fare,
    isUrgent: boolean,
    alert: Alert | null,
  ) {
    this.id = worker.id;
    this.code = worker.external_id ?? worker.id.slice(0, 8);
    this.worker = worker;
    this.person = person;
    this.fare = fare;
    this.needsRescue = isUrgent;
    this.alert = alert;
    this.#site = site;
  }

  get place(): string | null {
    return this.#site === undefined ? null : placeOf(this.#site, this.person);
  }
}

/** All active workers of the site that are known of. */
export function rowsOf(
  world: StreamState,
  siteId: string,
  active: Muster | null,
  alerts: readonly Alert[],
): PersonRow[] {
  const gravest = new Map<string, Alert>();
  for (const alert of alerts) {
    const id = alert.worker?.id;
    if (alert.status === 'resolved' || id === undefined) continue;
    const known = gravest.get(id);
    if (known === undefined || GRAVITY[alert.severity] > GRAVITY[known.severity]) gravest.set(id, alert);
  }
  const site = world.sites.get(siteId);
  const rows: PersonRow[] = [];
  for (const worker of world.workers.values()) {
    const person = world.people.get(worker.id);
    if (worker.site_id !== siteId || !worker.is_active || person === undefined) continue;
    const fares = active !== null && person.muster?.id === active.id ? person.muster : null;
    const alert = gravest.get(worker.id) ?? null;
    const fare = fares?.status ?? (person.worn === false && active === null ? 'not_worn' : 'person');
    // An open alert of a person who is safe says nothing about the muster.
    const told = fares?.status === 'safe' ? null : alert;
    rows.push(new Row(site, worker, person, fare, fares !== null && needsRescue(fares), told));
  }
  return rows;
}

// An open SOS or fall, or who said that they cannot walk; who stays to help another can.
const needsRescue = ({ status, needs_rescue, help_reason }: NonNullable<StreamPerson['muster']>): boolean =>
  needs_rescue || (status === 'help' && help_reason !== 'helping');

/** Who needs somebody first stands first; among equals who was silent for more minutes, as seconds would make rows jump. `now`: simulated ms. */
export function byRisk(rows: readonly PersonRow[], now: number): PersonRow[] {
  // Each row is weighed once, not at each comparison.
  const weighed = rows.map((row) => ({ row, weight: weightOf(row, now) }));
  weighed.sort((a, b) => b.weight - a.weight || compare(a.row.code, b.row.code));
  return weighed.map(({ row }) => row);
}

/** More than anybody is silent for; minutes. */
const LONG = 1e9;

const weightOf = (row: PersonRow, now: number): number =>
  (((Number(row.needsRescue) * 8 + gravityOf(row)) * 8 + (7 - RISK[row.fare])) * 2 + Number(!isHelper(row))) *
    4 *
    LONG +
  silentMinutes(row, now);

// Who stays to help another can walk.
const isHelper = ({ person: { muster } }: PersonRow): boolean => muster?.help_reason === 'helping';

// Outside of a muster, who was never heard of has not come yet.
const silentMinutes = ({ fare, person: { date_last_seen } }: PersonRow, now: number): number =>
  date_last_seen === null ? (fare === 'person' ? -1 : LONG) : Math.floor((now - Date.parse(date_last_seen)) / 60_000);

// In a muster the status says it; outside of one the open alert does.
const gravityOf = ({ fare, alert }: PersonRow): number =>
  fare === 'person' || fare === 'not_worn' ? (alert === null ? 0 : GRAVITY[alert.severity]) : 0;

/** Critical ones that nobody has taken up stand first, then the other open ones, then those that are over; among equals the newest. */
export function byUrgency(a: Alert, b: Alert): number {
  return urgencyOf(a) - urgencyOf(b) || compare(b.date_created, a.date_created) || compare(a.id, b.id);
}

const urgencyOf = ({ status, severity }: Alert): number =>
  status === 'resolved' ? 2 : status === 'unacknowledged' && severity === 'critical' ? 0 : 1;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Part of the text; `!` before it turns it around. */
export function matcher(filter: string): (words: string) => boolean {
  const isInverse = filter.startsWith('!');
  const part = (isInverse ? filter.slice(1) : filter).trim().toLowerCase();
  if (part === '') return () => true;
  return (words) => words.toLowerCase().includes(part) !== isInverse;
}

/** What a filter looks for. */
export const wordsOf = ({ code, worker, fare, person, alert, needsRescue, place }: PersonRow): string =>
  [
    ...[code, worker.name, worker.contractor, worker.role, fare, person.muster?.help_reason, alert?.type, place],
    needsRescue ? 'rescue' : null,
  ]
    .filter((word) => word !== null && word !== undefined)
    .join(' ');

/** `m:ss`, `h:mm:ss` from an hour on; ms. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The time of day of a simulated time, UTC. */
export const dayTime = (iso: string): string => iso.slice(11, 19);

/** People of one place: how many, and how they fare, the gravest first. */
export interface PlaceGroup {
  /** The place itself. */
  readonly id: string;
  readonly place: string;
  readonly rows: readonly PersonRow[];
  /** `2 injured, 1 trapped, 11 pending`. */
  readonly text: string;
  readonly rescue: number;
}

/** Stands where no location is shown. */
export const UNKNOWN_PLACE = 'not known';

/** The rows by their place; places where somebody needs rescue come first, then those with most people. */
export function groupsOf(rows: readonly PersonRow[]): PlaceGroup[] {
  const places = new Map<string, PersonRow[]>();
  for (const row of rows) {
    // A building with all its floors is one place; far from each zone the metres differ from person to person.
    const building = row.person.location?.height?.building ?? null;
    const place = building ?? (row.place ?? UNKNOWN_PLACE).replace(/^\d+ m from /, 'near ');
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  const groups = [...places].map(([place, members]) => ({
    ...{ id: place, place, rows: members, text: countsText(members) },
    rescue: members.filter((row) => row.needsRescue).length,
  }));
  return groups.sort((a, b) => b.rescue - a.rescue || b.rows.length - a.rows.length || compare(a.place, b.place));
}

function countsText(rows: readonly PersonRow[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(fareWord(row), (counts.get(fareWord(row)) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

/** How somebody fares, by its distinguishing word: `trapped`, `SOS`, `helps another`, `no_signal`. */
export function fareWord({ fare, person: { muster }, alert, needsRescue }: PersonRow): string {
  if (muster?.help_reason === 'helping' && !needsRescue) return 'helps another';
  if (fare === 'help' && muster?.help_reason != null && muster.help_reason !== 'helping') return muster.help_reason;
  if (needsRescue) return alert?.type === 'fall_detected' ? 'fall' : 'SOS';
  return fare;
}

/** Before a family name, and part of it: `de la Torre`. */
const PARTICLES = /^(?:de|del|la|las|los|da|do|dos|das|van|von|der|den|di|y)$/i;

/** `Ruiz A.` of `Ana Ruiz Soto`: the first family name, and the initial of the given one. */
export function familyName(name: string): string {
  const [given = '', ...rest] = name.trim().split(/\s+/);
  if (rest.length === 0) return given;
  const family: string[] = [];
  for (const word of rest) {
    family.push(word);
    if (!PARTICLES.test(word)) break;
  }
  return `${family.join(' ')} ${[...given][0] ?? ''}.`;
}
