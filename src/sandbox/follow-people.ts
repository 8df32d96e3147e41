/** What an unscoped client of a worker's company sees of the worker during a run, and the true positions of all people. [decisions 4] */

import type { Instant } from '../base/time/clock.ts';
import { SCOPES } from '../contract/enumerations.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { SeenPerson, TruePosition } from '../scenario/playing/ports.ts';
import { StreamProjection } from '../service/api/stream/stream-projection.ts';
import { unscopedViewer } from '../service/domain/access/viewer.ts';
import { frameOf } from '../service/domain/privacy/places.ts';
import type { Muster } from '../service/domain/world/documents.ts';
import type { Touched } from '../service/domain/world/world.ts';
import type { Engine } from '../service/engine/engine.ts';

/**
 * The view of a worker can also end because time passes, so all workers are read again after this interval; simulated
 * ms.
 */
const EVERYBODY_EVERY_MS = 10_000;

/**
 * Calls back with each worker whose view by a client may have changed: after a report of the watch or a change of one of the
 * worker's documents, and with all workers after a change of a site, a contract or the phase of a muster. It adds no entry to
 * the clock, so that it does not influence a run.
 */
export function followPeople(engine: Engine, notify: (seen: SeenPerson) => void): () => void {
  const { world, clock } = engine;
  const projections = new Map<string, StreamProjection>();
  const projectionOf = (organizationId: string): StreamProjection => {
    let found = projections.get(organizationId);
    if (found === undefined) {
      const viewer = () => ({ viewer: unscopedViewer(world, { id: organizationId }), scopes: SCOPES });
      // Objects of workers contain no link to the panel.
      found = new StreamProjection(world, { panelUrl: '' }, viewer);
      projections.set(organizationId, found);
    }
    return found;
  };
  let nextReading = Number.NEGATIVE_INFINITY;
  const read = (workerId: string, now: Instant): void => {
    const found = world.get('worker', workerId);
    const site = found === undefined ? undefined : world.get('site', found.siteId);
    if (found === undefined || site === undefined) return;
    const projection = projectionOf(found.organizationId);
    const [person, worker] = [projection.person(workerId, now), projection.worker(workerId, now)];
    if (person === null || worker === null) return;
    const { location } = person;
    notify({ person, worker, site: site.name, at: location === null ? null : frameOf(site).toMetres(location) });
  };
  const readEverybody = (now: Instant): void => {
    for (const { id } of [...world.all('worker')]) read(id, now);
    const ends = [...world.all('unveiling')].map(({ until }) => until).filter((until) => until > now);
    nextReading = Math.min(now + EVERYBODY_EVERY_MS, ...ends);
  };
  readEverybody(clock.now());
  return engine.listen({
    committed: ({ touched, reportingDevices }) => {
      const now = clock.now();
      if (now >= nextReading || touched.some(concernsEverybody)) return readEverybody(now);
      const devices = [...reportingDevices].map((id) => world.get('device', id)?.workerId);
      for (const id of new Set([...touched.map(workerOf), ...devices])) if (id != null) read(id, now);
    },
  });
}

/** An evacuation lifts the veil of all people of its site, at its start and at its end. */
function concernsEverybody({ kind, before, after }: Touched): boolean {
  if (kind === 'muster') return (before as Muster | undefined)?.status !== (after as Muster | undefined)?.status;
  return kind === 'site' || kind === 'zone' || kind === 'client';
}

/** Returns the id of the worker whom a document is about. */
function workerOf({ kind, id, before, after }: Touched): string | null {
  const document = (after ?? before) as {
    readonly workerId?: string | null;
    readonly worker?: { readonly id: string };
  };
  if (kind === 'worker' || kind === 'unveiling') return id;
  if (kind === 'alert') return document.worker?.id ?? null;
  return kind === 'expected' || kind === 'device' ? (document.workerId ?? null) : null;
}

/** Returns the true positions of the wearers of emulated watches. */
export const truePositions = ({ world }: Pick<Engine, 'world'>, fleet: Pick<Fleet, 'truth'> | null): TruePosition[] =>
  (fleet?.truth() ?? []).flatMap(({ serial, point }) => {
    const workerId = world.get('device', world.indexes.deviceId(serial) ?? '')?.workerId ?? null;
    return workerId === null ? [] : [{ workerId, at: point }];
  });
