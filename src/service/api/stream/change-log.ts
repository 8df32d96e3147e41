/**
 * The newest change of each object, and the newest events. A reader that resumes gets the current state of what changed, not each missed
 * change. [decisions 9]
 */
import type { Clock } from '../../../base/time/clock.ts';
import type { Event } from '../../../contract/events.ts';
import type { AttemptNotice } from '../../../contract/notices.ts';
import type { StreamSubject } from '../../../contract/stream.ts';
import { notSafeIds } from '../../domain/views/not-safe.ts';
import type { World } from '../../domain/world/world.ts';
import type { Engine } from '../../engine/engine.ts';
import { PassingTime } from './passing-time.ts';

/**
 * `person` is the state of a worker's watch (position, worn, battery) and the worker's status in a muster. Ground truth
 * is not logged.
 */
type LoggedSubject = Exclude<StreamSubject, 'truth'>;

/** The newest change of an object. `n` increases with each change of any object. */
export interface ChangeMark {
  readonly n: number;
  readonly subject: LoggedSubject;
  /** The id of the object. For a person, it is the id of the worker. */
  readonly id: string;
  /** The company that owns the object; null if the object is visible to all. */
  readonly organizationId: string | null;
}

/** Maximum of remembered objects. A reader that missed more changes gets a new snapshot. */
const MOST_MARKS = 50_000;

/**
 * Maximum of remembered alerts. An alert with a mark is in memory, so that its change is sent without reading the
 * store.
 */
const MOST_ALERTS = 400;

/** Maximum of events kept for readers that resume or are slow. `GET /v1/events` has the events of 30 days. */
export const MOST_EVENTS = 1_000;

/** Maximum of deliveries whose last attempt is remembered. */
const MOST_ATTEMPTS = 1_000;

/** The first number is the wall time in ms times this factor, so that numbers also increase after a restart. */
const NUMBERS_PER_MS = 1_000;

export class ChangeLog {
  readonly #world: World;
  /** By subject and id; the marks of one subject are in the order of their numbers. */
  readonly #marks = new Map<LoggedSubject, Map<string, ChangeMark>>();
  #count = 0;
  readonly #events = new Map<string, Event>();
  readonly #attempts = new Map<string, AttemptNotice>();
  readonly #listeners = new Set<(mark: ChangeMark) => void>();
  /**
   * By site: the workers who were not safe at the end of its last muster. A change of such a worker changes the site's
   * list.
   */
  readonly #notSafe = new Map<string, ReadonlySet<string>>();
  /** Null: nobody is to be noticed for whom visibility ends by time alone. */
  readonly #time: PassingTime | null;
  readonly #unlisten: () => void;
  #first: number;
  #n: number;

  /** `timed`: with entries of the clock for what ends by time alone. */
  constructor(engine: Engine, clock: Clock, { timed = true } = {}) {
    this.#world = engine.world;
    this.#first = Math.floor(clock.wall()) * NUMBERS_PER_MS;
    this.#n = this.#first;
    for (const { id } of this.#world.all('site')) this.#countNotSafe(id);
    this.#time = timed ? new PassingTime(this.#world, clock, (workerId) => this.#person(workerId)) : null;
    this.#unlisten = engine.listen({
      committed: ({ touched, unheld = [], reportingDevices }) => {
        for (const { id, organizationId } of unheld) this.#mark('alert', id, organizationId);
        for (const { kind, id, before, after } of touched)
          this.#follow(kind, id, (after ?? before) as Touchable, before);
        for (const id of reportingDevices) {
          this.#time?.reported(id);
          this.#person(this.#world.get('device', id)?.workerId ?? null);
        }
      },
      notice: (notice) => {
        if (notice.kind === 'delivery-attempted') this.#attempted(notice);
        else if (notice.kind === 'event-occurred' && notice.listed) this.#occurred(notice.event);
      },
    });
  }

  /** The number of the newest change. */
  get newest(): number {
    return this.#n;
  }

  /**
   * Changes after that number, the oldest first. Returns null if the number is older than this log, or was never
   * assigned.
   */
  since(n: number): ChangeMark[] | null {
    if (n < this.#first || n > this.#n) return null;
    return this.#all()
      .filter((mark) => mark.n > n)
      .sort((a, b) => a.n - b.n);
  }

  listen(listener: (mark: ChangeMark) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Logs nothing more. Entries of the clock stay. */
  stop(): void {
    this.#unlisten();
  }

  /** Returns null if no attempt was made since this log began, or if it is no longer kept. */
  lastAttempt(deliveryId: string): AttemptNotice | null {
    return this.#attempts.get(deliveryId) ?? null;
  }

  /** Returns null if the event is no longer kept. */
  event(id: string): Event | null {
    return this.#events.get(id) ?? null;
  }

  clockChanged(): void {
    this.#mark('clock', 'clock', null);
  }

  #occurred(event: Event): void {
    this.#events.set(event.id, event);
    this.#mark('event', event.id, event.organization_id);
    if (this.#events.size <= MOST_EVENTS) return;
    const oldest = this.#events.keys().next().value as string;
    this.#events.delete(oldest);
    this.#remove('event', oldest);
  }

  #attempted(notice: AttemptNotice): void {
    const { delivery_id: id, destination_id, result } = notice;
    this.#attempts.delete(id);
    this.#attempts.set(id, notice);
    if (this.#attempts.size > MOST_ATTEMPTS) this.#attempts.delete(this.#attempts.keys().next().value as string);
    // A settled delivery is removed from the world, but its end is published.
    if (result !== 'waiting') this.#follow('delivery', id, { destinationId: destination_id });
  }

  #follow(kind: string, id: string, document: Touchable, before?: object): void {
    const owner = document.organizationId ?? null;
    switch (kind) {
      case 'alert':
        this.#mark('alert', id, owner);
        // An open alert may lift the veil of its worker. [decisions 4]
        return this.#person(document.worker?.id ?? null);
      case 'expected':
        return this.#person(document.workerId ?? null);
      case 'unveiling':
        this.#time?.unveiled(id);
        return this.#person(id);
      case 'worker':
        this.#mark('worker', id, owner);
        return this.#person(id);
      case 'device':
        return this.#person(document.workerId ?? null);
      case 'zone':
        return this.#site(document.siteId ?? '');
      case 'site':
        return this.#site(id);
      case 'client':
        return this.#company(owner ?? '');
      case 'muster':
        this.#mark('muster', id, owner);
        // An evacuation lifts the veil of all people of the site, and its start and end change their status.
        if ((before as Touchable | undefined)?.status !== document.status) this.#peopleOf(document.site?.id ?? '');
        return;
      case 'roll': {
        const site = this.#world.get('muster', id)?.site.id;
        return site === undefined ? undefined : this.#countNotSafe(site, true);
      }
      case 'destination':
        return this.#mark(kind, id, owner);
      case 'delivery': {
        const destination = this.#world.get('destination', document.destinationId ?? '');
        if (destination !== undefined) this.#mark('delivery', id, destination.organizationId);
      }
    }
  }

  /** Zones hide people, and a site's privacy mode veils them. */
  #site(id: string): void {
    const site = this.#world.get('site', id);
    if (site !== undefined) this.#mark('site', id, site.organizationId);
    this.#peopleOf(id);
  }

  #peopleOf(siteId: string): void {
    for (const worker of this.#world.indexes.workersOfSite.of(siteId).values()) this.#person(worker.id);
    this.#countNotSafe(siteId, true);
  }

  /** The contract decides which objects of the company are visible, and whether names are. */
  #company(organizationId: string): void {
    const world = this.#world;
    for (const worker of world.indexes.workersOfOrganization.of(organizationId).values())
      this.#follow('worker', worker.id, worker);
    const isOwn = (one: { readonly organizationId: string | null }): boolean => one.organizationId === organizationId;
    for (const site of [...world.all('site')].filter(isOwn)) this.#site(site.id);
    for (const muster of [...world.all('muster')].filter(isOwn)) this.#mark('muster', muster.id, organizationId);
    const alerts = [...world.all('alert')].filter((alert) => isOwn(alert) && alert.status !== 'resolved');
    // Readers may also have resolved alerts, which are among the marks.
    const marked = [...this.#marksOf('alert').values()].filter(isOwn);
    for (const id of new Set([...alerts, ...marked].map((one) => one.id))) this.#mark('alert', id, organizationId);
    const destinations = [...world.all('destination')].filter(isOwn);
    for (const { id } of destinations) this.#mark('destination', id, organizationId);
    const known = new Set(destinations.map(({ id }) => id));
    for (const { id, destinationId } of world.all('delivery'))
      if (known.has(destinationId)) this.#mark('delivery', id, organizationId);
  }

  #person(workerId: string | null): void {
    const worker = workerId === null ? undefined : this.#world.get('worker', workerId);
    if (worker === undefined) return;
    this.#mark('person', worker.id, worker.organizationId);
    if (this.#notSafe.get(worker.siteId)?.has(worker.id) === true)
      this.#mark('not_safe', worker.siteId, worker.organizationId);
  }

  /**
   * Determines again which workers were not safe at the end of the site's last muster. `isNews` also marks the list as
   * changed.
   */
  #countNotSafe(siteId: string, isNews = false): void {
    this.#notSafe.set(siteId, new Set(notSafeIds(this.#world, siteId)));
    const site = this.#world.get('site', siteId);
    if (isNews && site !== undefined) this.#mark('not_safe', siteId, site.organizationId);
  }

  /** Called for every message of a watch, so the marks have no key that would be a new text each time. */
  #mark(subject: LoggedSubject, id: string, organizationId: string | null): void {
    const marks = this.#marksOf(subject);
    const mark = { n: ++this.#n, subject, id, organizationId };
    // Deleted first, so that the mark moves to the end.
    if (!marks.delete(id)) this.#count += 1;
    marks.set(id, mark);
    if (this.#count > MOST_MARKS) this.#forgetOldest();
    if (subject === 'alert' && marks.size > MOST_ALERTS) this.#forget(marks.values().next().value as ChangeMark);
    for (const listener of this.#listeners) listener(mark);
  }

  #marksOf(subject: LoggedSubject): Map<string, ChangeMark> {
    let marks = this.#marks.get(subject);
    if (marks === undefined) {
      marks = new Map();
      this.#marks.set(subject, marks);
    }
    return marks;
  }

  #all(): ChangeMark[] {
    return [...this.#marks.values()].flatMap((marks) => [...marks.values()]);
  }

  #forgetOldest(): void {
    const oldest = [...this.#marks.values()].flatMap((marks) => marks.values().next().value ?? []);
    this.#forget(oldest.reduce((a, b) => (a.n < b.n ? a : b)));
  }

  /** A reader that resumes from before the forgotten change then gets a snapshot. */
  #forget({ subject, id, n }: ChangeMark): void {
    this.#remove(subject, id);
    this.#first = Math.max(this.#first, n);
  }

  #remove(subject: LoggedSubject, id: string): void {
    if (this.#marksOf(subject).delete(id)) this.#count -= 1;
  }
}

interface Touchable {
  readonly status?: string;
  readonly site?: { readonly id: string };
  readonly worker?: { readonly id: string } | null;
  readonly workerId?: string | null;
  readonly siteId?: string;
  readonly organizationId?: string;
  readonly destinationId?: string;
}
