/** What the stream shows an unscoped client of each company during a run, after each commit, and the true positions of all people. [decisions 4] */

import type { Instant } from '../base/time/clock.ts';
import { formatInstant } from '../base/time/instants.ts';
import { SCOPES } from '../contract/enumerations.ts';
import type { StreamChange, StreamNotSafe, StreamPerson } from '../contract/stream.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { TruePosition } from '../scenario/playing/ports.ts';
import { ChangeLog, type ChangeMark } from '../service/api/stream/change-log.ts';
import { StreamProjection } from '../service/api/stream/stream-projection.ts';
import { unscopedViewer } from '../service/domain/access/viewer.ts';
import { frameOf } from '../service/domain/privacy/places.ts';
import { POSITION_MAX_AGE_MS } from '../service/domain/views/person.ts';
import type { Worker } from '../service/domain/world/documents.ts';
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
  const pending = new Map<string, ChangeMark>();
  const unlisten = log.listen((mark) => {
    const key = `${mark.subject} ${mark.id}`;
    pending.delete(key);
    pending.set(key, mark);
  });
  const first = views.everything(clock.now());
  if (first.length > 0) notify(first);
  const ended = engine.listen({
    committed: () => {
      const now = clock.now();
      const marks = [...pending.values()];
      pending.clear();
      const changes = [...views.ended(now), ...marks.flatMap((mark) => views.changes(mark, now))];
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
  /** The objects that are seen: only their removal is reported. */
  readonly #shown = new Set<string>();
  /** By site: the people who were not safe at the end of its last muster. */
  readonly #lists = new Map<string, StreamNotSafe[]>();
  readonly #ends = new VisibilityEnds();

  constructor(world: World) {
    this.#world = world;
  }

  everything(now: Instant): StreamChange[] {
    return (['site', 'worker', 'alert', 'muster', 'person'] as const).flatMap((subject) =>
      [...this.#world.all(subject === 'person' ? 'worker' : subject)].flatMap(({ id, organizationId }) =>
        this.changes({ subject, id, organizationId }, now),
      ),
    );
  }

  changes({ subject, id, organizationId }: Omit<ChangeMark, 'n'>, now: Instant): StreamChange[] {
    if (organizationId === null) return [];
    const at = formatInstant(now);
    const projection = this.#of(organizationId);
    switch (subject) {
      case 'person': {
        const person = projection.person(id, now);
        const worker = this.#world.get('worker', id);
        if (worker !== undefined) this.#plan(worker, person?.device_id ?? null, now);
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
      case 'not_safe': {
        const list = projection.notSafe(id, now) ?? [];
        this.#lists.set(id, list);
        return [{ subject, at, site_id: id, not_safe: list }];
      }
      case 'clock':
      case 'event':
      case 'delivery':
      case 'destination':
        return [];
    }
  }

  /** What has ended by time alone, as of its end. */
  ended(now: Instant): StreamChange[] {
    return this.#ends.until(now).flatMap(({ end, siteId, person, notSafe }): StreamChange[] => {
      const at = formatInstant(end);
      const seen: StreamChange[] = person === null ? [] : [{ subject: 'person', at, people: [person] }];
      if (notSafe === null) return seen;
      const list = (this.#lists.get(siteId) ?? []).map((one) => (one.worker_id === notSafe.worker_id ? notSafe : one));
      this.#lists.set(siteId, list);
      return [...seen, { subject: 'not_safe', at, site_id: siteId, not_safe: list }];
    });
  }

  /** Computes now what is seen after each end: when the next commit reports it, the world has already changed. */
  #plan({ id, siteId, organizationId }: Worker, deviceId: string | null, now: Instant): void {
    const projection = this.#of(organizationId);
    const fix = deviceId === null ? null : this.#world.telemetry(deviceId).fix;
    const tooOld = fix === null ? 0 : fix.at + POSITION_MAX_AGE_MS + 1;
    const requestEnd = this.#world.get('unveiling', id)?.until ?? 0;
    const ends = [tooOld, requestEnd].filter((end) => end > now).sort((a, b) => a - b);
    const planned = ends.map((end): PlannedView => {
      // A request also shows the last place of somebody who was not safe at the end of a muster.
      const list = end === requestEnd ? (projection.notSafe(siteId, end) ?? []) : [];
      const notSafe = list.find(({ worker_id }) => worker_id === id) ?? null;
      return { end, siteId, person: projection.person(id, end), notSafe };
    });
    this.#ends.plan(id, planned);
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

/** What is seen of a person from an instant on, if nothing else changes. */
interface PlannedView {
  readonly end: Instant;
  readonly siteId: string;
  readonly person: StreamPerson | null;
  /** Null: the person is not in the list, or it does not change. */
  readonly notSafe: StreamNotSafe | null;
}

/** When what is shown of people ends by time: a position becomes too old, or an approved request ends. [decisions 4, Passing time] */
class VisibilityEnds {
  /** By the ids of workers, in the order of time. */
  readonly #planned = new Map<string, readonly PlannedView[]>();
  /** Not later than the first of them. */
  #first = Number.POSITIVE_INFINITY;

  plan(workerId: string, views: readonly PlannedView[]): void {
    this.#planned.set(workerId, views);
    this.#first = Math.min(this.#first, views[0]?.end ?? Number.POSITIVE_INFINITY);
  }

  /** Removes those up to now, and returns them in the order of time. */
  until(now: Instant): PlannedView[] {
    if (now < this.#first) return [];
    this.#first = Number.POSITIVE_INFINITY;
    const past: PlannedView[] = [];
    for (const [workerId, views] of this.#planned) {
      past.push(...views.filter(({ end }) => end <= now));
      this.plan(
        workerId,
        views.filter(({ end }) => end > now),
      );
    }
    return past.sort((a, b) => a.end - b.end);
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
