/** What changed last and when, by object: whoever comes back after a break is told what is other now, however much happened. [decisions 9] */
import type { Clock } from '../../base/clock.ts';
import type { AttemptNotice } from '../../contract/notices.ts';
import type { World } from '../../domain/world/world.ts';
import type { Engine } from '../../engine/engine.ts';

/** What a change can be about; `person` is a worker's watch: where, worn, charged, and how they fare in a muster. */
export const SUBJECTS = ['person', 'worker', 'site', 'alert', 'muster', 'destination', 'delivery', 'clock'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The newest change of an object; `n` grows with each change of any. */
export interface Mark {
  readonly n: number;
  readonly subject: Subject;
  /** Of the object; of a person the worker's. */
  readonly id: string;
  /** Whose it is; null: everybody's. */
  readonly organizationId: string | null;
}

/** So many objects are remembered; who was away for longer gets a new snapshot. */
const MOST = 50_000;

/** The last attempts of so many deliveries are remembered. */
const MOST_ATTEMPTS = 1_000;

/** Wall ms times this is the first number, so that numbers grow over a restart too. */
const PER_MS = 1_000;

export class ChangeLog {
  readonly #world: World;
  readonly #marks = new Map<string, Mark>();
  readonly #attempts = new Map<string, AttemptNotice>();
  readonly #listeners = new Set<(mark: Mark) => void>();
  #first: number;
  #n: number;

  constructor(engine: Engine, clock: Clock) {
    this.#world = engine.world;
    this.#first = Math.floor(clock.wall()) * PER_MS;
    this.#n = this.#first;
    engine.listen({
      committed: ({ touched, heard }) => {
        for (const { kind, id, before, after } of touched) this.#follow(kind, id, (after ?? before) as Touchable);
        for (const id of heard) this.#person(this.#world.get('device', id)?.workerId ?? null);
      },
      notice: (notice) => {
        if (notice.kind === 'delivery-attempted') this.#attempted(notice);
      },
    });
  }

  /** The number of the newest change. */
  get newest(): number {
    return this.#n;
  }

  /** What changed after that number, the oldest first; null where this log cannot know: it is younger, or the number is none of its own. */
  since(n: number): Mark[] | null {
    if (n < this.#first || n > this.#n) return null;
    return [...this.#marks.values()].filter((mark) => mark.n > n);
  }

  listen(listener: (mark: Mark) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Null: none was made since this log began, or too many were. */
  lastAttempt(deliveryId: string): AttemptNotice | null {
    return this.#attempts.get(deliveryId) ?? null;
  }

  /** The clock was turned. */
  turned(): void {
    this.#mark('clock', 'clock', null);
  }

  #attempted(notice: AttemptNotice): void {
    const { delivery_id: id, destination_id, result } = notice;
    this.#attempts.delete(id);
    this.#attempts.set(id, notice);
    if (this.#attempts.size > MOST_ATTEMPTS) this.#attempts.delete(this.#attempts.keys().next().value as string);
    // What is settled is no more in the world; how it ended is news all the same.
    if (result !== 'waiting') this.#follow('delivery', id, { destinationId: destination_id });
  }

  #follow(kind: string, id: string, document: Touchable): void {
    const owner = document.organizationId ?? null;
    switch (kind) {
      case 'alert':
        this.#mark('alert', id, owner);
        // An open alert may lift the veil of its worker. [decisions 4]
        return this.#person(document.worker?.id ?? null);
      case 'expected':
        return this.#person(document.workerId ?? null);
      case 'unveiling':
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
      case 'destination':
        return this.#mark(kind, id, owner);
      case 'delivery': {
        const destination = this.#world.get('destination', document.destinationId ?? '');
        if (destination !== undefined) this.#mark('delivery', id, destination.organizationId);
      }
    }
  }

  /** Zones hide people, and a site's mode veils them. */
  #site(id: string): void {
    const site = this.#world.get('site', id);
    if (site !== undefined) this.#mark('site', id, site.organizationId);
    for (const worker of this.#world.indexes.workersOfSite.of(id).values()) this.#person(worker.id);
  }

  /** A contract says whose names are seen. */
  #company(organizationId: string): void {
    for (const worker of this.#world.indexes.workersOfOrganization.of(organizationId).values())
      this.#follow('worker', worker.id, worker);
  }

  #person(workerId: string | null): void {
    const worker = workerId === null ? undefined : this.#world.get('worker', workerId);
    if (worker !== undefined) this.#mark('person', worker.id, worker.organizationId);
  }

  #mark(subject: Subject, id: string, organizationId: string | null): void {
    const key = `${subject} ${id}`;
    const mark = { n: ++this.#n, subject, id, organizationId };
    // To the end: the map is in the order of the numbers.
    this.#marks.delete(key);
    this.#marks.set(key, mark);
    if (this.#marks.size > MOST) {
      const [oldest, { n }] = this.#marks.entries().next().value as [string, Mark];
      this.#marks.delete(oldest);
      this.#first = n;
    }
    for (const listener of this.#listeners) listener(mark);
  }
}

interface Touchable {
  readonly worker?: { readonly id: string } | null;
  readonly workerId?: string | null;
  readonly siteId?: string;
  readonly organizationId?: string;
  readonly destinationId?: string;
}
