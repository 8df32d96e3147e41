/** What the stream shows an unscoped client of each company during a run, after each commit, and the true positions of all people. [decisions 4] */

import type { Instant } from '../base/time/clock.ts';
import { formatInstant } from '../base/time/instants.ts';
import { SCOPES } from '../contract/enumerations.ts';
import type { StreamChange, StreamPerson } from '../contract/stream.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { TruePosition } from '../scenario/playing/ports.ts';
import { ChangeLog, type ChangeMark } from '../service/api/stream/change-log.ts';
import { StreamProjection } from '../service/api/stream/stream-projection.ts';
import { unscopedViewer } from '../service/domain/access/viewer.ts';
import { frameOf } from '../service/domain/privacy/places.ts';
import { POSITION_MAX_AGE_MS } from '../service/domain/views/person.ts';
import type { World } from '../service/domain/world/world.ts';
import type { Engine } from '../service/engine/engine.ts';

type ChangesListener = (changes: readonly StreamChange[]) => void;

/**
 * Calls back with all that is shown, and then after each commit with the objects that it may have changed, in the form of the
 * stream's messages. Events, deliveries and destinations are left out: a run has notices of them. It adds no entry to the clock,
 * so that it does not influence a run: visibility that has ended by time is reported with the next commit, as of its end.
 */
export function followStream(engine: Engine, notify: ChangesListener): () => void {
  const { world, clock } = engine;
  const log = new ChangeLog(engine, clock, { timed: false });
  const views = new ClientViews(world);
  const ends = new VisibilityEnds(world);
  const pending = new Map<string, ChangeMark>();
  const unlisten = log.listen((mark) => {
    const key = `${mark.subject} ${mark.id}`;
    pending.delete(key);
    pending.set(key, mark);
  });
  const first = views.everything(clock.now());
  ends.follow([...world.all('device')].map(({ id }) => id));
  if (first.length > 0) notify(first);
  const ended = engine.listen({
    committed: ({ touched, reportingDevices }) => {
      const now = clock.now();
      const past = ends.until(now).flatMap(([at, workerId]) => {
        const isTouched = touched.some(({ kind }) => kind === 'alert' || kind === 'muster' || kind === 'unveiling');
        return views.ended(workerId, at, now, isTouched);
      });
      ends.follow(reportingDevices);
      if (touched.some(({ kind }) => kind === 'unveiling')) ends.followRequests();
      const marks = [...pending.values()];
      pending.clear();
      const changes = [...past, ...marks.flatMap((mark) => views.changes(mark, now))];
      if (changes.length > 0) notify(changes);
    },
  });
  return () => {
    unlisten();
    ended();
    log.stop();
  };
}

/** All companies, each as its unscoped client sees it. */
class ClientViews {
  readonly #world: World;
  readonly #projections = new Map<string, StreamProjection>();
  /** Of a site that is gone, the company is not known any more. */
  readonly #shown = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  everything(now: Instant): StreamChange[] {
    const world = this.#world;
    const marks = (['site', 'worker', 'alert', 'muster'] as const).flatMap((subject) =>
      [...world.all(subject)].map(({ id, organizationId }) => ({ n: 0, subject, id, organizationId })),
    );
    const people = [...world.all('worker')].map(({ id, organizationId }) => ({
      n: 0,
      subject: 'person' as const,
      id,
      organizationId,
    }));
    return [...marks, ...people].flatMap((mark) => this.changes(mark, now));
  }

  changes({ subject, id, organizationId }: ChangeMark, now: Instant): StreamChange[] {
    if (organizationId === null) return [];
    const at = formatInstant(now);
    const projection = this.#of(organizationId);
    switch (subject) {
      case 'person': {
        const person = projection.person(id, now);
        return this.#object(subject, id, at, person && { subject, at, people: [person] });
      }
      case 'worker': {
        const worker = projection.worker(id, now);
        return this.#object(subject, id, at, worker && { subject, at, worker });
      }
      case 'site': {
        const site = projection.site(id);
        return this.#object(subject, id, at, site && { subject, at, site });
      }
      case 'alert': {
        const alert = projection.alert(id);
        return this.#object(subject, id, at, alert && { subject, at, alert });
      }
      case 'muster': {
        const muster = projection.muster(id);
        return this.#object(subject, id, at, muster && { subject, at, muster });
      }
      case 'not_safe':
        return [{ subject, at, site_id: id, not_safe: projection.notSafe(id, now) ?? [] }];
      case 'clock':
      case 'event':
      case 'delivery':
      case 'destination':
        return [];
    }
  }

  /** `isTouched`: this commit may show the person again, who was not shown between the end and it. */
  ended(workerId: string, end: Instant, now: Instant, isTouched: boolean): StreamChange[] {
    const organizationId = this.#world.get('worker', workerId)?.organizationId;
    const person = organizationId === undefined ? null : this.#of(organizationId).person(workerId, now);
    if (person === null) return [];
    const at = formatInstant(end);
    if (person.location === null) return [{ subject: 'person', at, people: [person] }];
    const shown: StreamChange = { subject: 'person', at: formatInstant(now), people: [person] };
    return isTouched ? [{ subject: 'person', at, people: [withheld(person)] }, shown] : [shown];
  }

  #object(
    subject: Extract<StreamChange, { readonly gone: string }>['subject'],
    id: string,
    at: string,
    seen: StreamChange | null,
  ) {
    const key = `${subject} ${id}`;
    if (seen !== null) {
      this.#shown.add(key);
      return [seen];
    }
    return this.#shown.delete(key) ? [{ subject, at, gone: id }] : [];
  }

  #of(organizationId: string): StreamProjection {
    let found = this.#projections.get(organizationId);
    if (found === undefined) {
      const viewer = () => ({ viewer: unscopedViewer(this.#world, { id: organizationId }), scopes: SCOPES });
      // A report has no link to a panel.
      found = new StreamProjection(this.#world, { panelUrl: '' }, viewer);
      this.#projections.set(organizationId, found);
    }
    return found;
  }
}

const withheld = (person: StreamPerson): StreamPerson => ({
  ...person,
  location: null,
  location_withheld: true,
  in_vehicle: false,
  place: { kind: 'withheld', age_s: null },
});

/** When what is shown of people ends by time: a position becomes too old, or an approved request ends. [decisions 4, Passing time] */
class VisibilityEnds {
  readonly #world: World;
  /** By the ids of workers. */
  readonly #positions = new Map<string, Instant>();
  readonly #requests = new Map<string, Instant>();
  /** Not later than the first end. */
  #first = Number.POSITIVE_INFINITY;

  constructor(world: World) {
    this.#world = world;
    this.followRequests();
  }

  follow(deviceIds: Iterable<string>): void {
    for (const id of deviceIds) {
      const workerId = this.#world.get('device', id)?.workerId ?? null;
      const { fix } = this.#world.telemetry(id);
      if (workerId !== null && fix !== null) this.#add(this.#positions, workerId, fix.at + POSITION_MAX_AGE_MS + 1);
    }
  }

  followRequests(): void {
    this.#requests.clear();
    for (const { id, until } of this.#world.all('unveiling')) this.#add(this.#requests, id, until);
  }

  /** Removes the ends up to now, and returns them with their workers in the order of time. */
  until(now: Instant): readonly (readonly [end: Instant, workerId: string])[] {
    if (now < this.#first) return [];
    const past: [Instant, string][] = [];
    this.#first = Number.POSITIVE_INFINITY;
    for (const ends of [this.#positions, this.#requests])
      for (const [workerId, end] of ends) {
        if (end > now) {
          this.#first = Math.min(this.#first, end);
          continue;
        }
        ends.delete(workerId);
        past.push([end, workerId]);
      }
    return past.sort(([a], [b]) => a - b);
  }

  #add(ends: Map<string, Instant>, workerId: string, end: Instant): void {
    ends.set(workerId, end);
    this.#first = Math.min(this.#first, end);
  }
}

/** Returns the true positions of the wearers of emulated watches. */
export const truePositions = ({ world }: Pick<Engine, 'world'>, fleet: Pick<Fleet, 'truth'> | null): TruePosition[] =>
  (fleet?.truth() ?? []).flatMap(({ serial, point }) => {
    const workerId = world.get('device', world.indexes.deviceId(serial) ?? '')?.workerId ?? null;
    const worker = workerId === null ? undefined : world.get('worker', workerId);
    const site = worker === undefined ? undefined : world.get('site', worker.siteId);
    return workerId === null || site === undefined ? [] : [{ workerId, ...frameOf(site).toDegrees(point) }];
  });
