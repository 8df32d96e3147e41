/** What checks of a scenario may ask of the running sandbox beyond its notices: what an unscoped client of the company would get, or the token that asks. */
import { clientOf, mayRead, seesWorker, type TokenViewer, unscopedViewer } from '../domain/access/viewer.ts';
import { hidingZone } from '../domain/privacy/places.ts';
import { positionVisible } from '../domain/privacy/veil.ts';
import { missingIn, missingView } from '../domain/views/muster.ts';
import { deviceView, positioned, positionView, workerView } from '../domain/views/plant.ts';
import type { Device, Worker } from '../domain/world/documents.ts';
import type { HouseSight, Place } from '../scenario/judging/house-rules.ts';
import type { Looks } from '../scenario/playing/ports.ts';
import type { Sandbox } from './start.ts';

function houseInto({ engine, clock }: Pick<Sandbox, 'engine' | 'clock'>): HouseSight {
  const { world } = engine;
  const names = new Map<string, string[]>();
  // Privacy zones stay; a site can become on-demand.
  const privacyZones = new Set(
    [...world.all('zone')].flatMap(({ type, siteId }) => (type === 'privacy' ? [siteId] : [])),
  );
  return {
    mayName: (organizationId) => clientOf(world, organizationId).includeWorkerNames,
    namesOf: (organizationId) => {
      let known = names.get(organizationId);
      if (known === undefined) {
        const own = [...world.all('worker')].filter((worker) => worker.organizationId === organizationId);
        // Who is called by a staff number has no name to hide.
        known = own.filter(({ name, externalId }) => name !== externalId).map(({ name }) => name);
        names.set(organizationId, known);
      }
      return known;
    },
    places: () => {
      const hiding = [...world.all('site')].filter(
        (site) => site.privacyMode === 'on_demand' || privacyZones.has(site.id),
      );
      return hiding.flatMap((site) =>
        [...world.all('device')].flatMap(({ id, siteId, workerId }): Place[] => {
          const { fix } = world.telemetry(id);
          if (siteId !== site.id || workerId === null || fix === null) return [];
          const { latitude, longitude } = fix;
          const shown = positionVisible(world, site, workerId, clock.now()) && hidingZone(world, site, fix) === null;
          return [{ workerId, latitude, longitude, shown }];
        }),
      );
    },
  };
}

/** The fleet is asked for when it is needed: it is started last. `viewer` null: unscoped, as the control token is. */
export function looksInto(
  sandbox: Pick<Sandbox, 'engine' | 'clock' | 'fleet'>,
  viewer: TokenViewer | null = null,
): Looks {
  const { engine, clock } = sandbox;
  const { world } = engine;
  const viewerOf = (organizationId: string) => viewer ?? unscopedViewer(world, { id: organizationId });
  const workerOf = (workerId: string): Worker | undefined => {
    const worker = world.get('worker', workerId);
    return worker !== undefined && seesWorker(viewer, worker) ? worker : undefined;
  };
  const wearing = (workerId: string): { worker: Worker; device: Device } | null => {
    const worker = workerOf(workerId);
    const device = worker?.deviceId == null ? undefined : world.get('device', worker.deviceId);
    return worker === undefined || device === undefined ? null : { worker, device };
  };
  return {
    house: houseInto(sandbox),
    missing: (musterId) => {
      const muster = world.get('muster', musterId);
      // The list of a closed muster is empty. [decisions 6]
      if (muster === undefined || muster.status !== 'active' || !mayRead(viewer, 'musters:read')) return [];
      if (viewer !== null && viewer.organizationId !== muster.organizationId) return [];
      const eye = viewerOf(muster.organizationId);
      const positions = mayRead(viewer, 'positions:read');
      return missingIn(world, muster, eye, clock.now()).map((one) => missingView(world, one, eye, positions));
    },
    worker: (workerId) => {
      const worker = mayRead(viewer, 'workers:read') ? workerOf(workerId) : undefined;
      return worker === undefined ? null : workerView(world, worker, viewerOf(worker.organizationId));
    },
    device: (workerId) => {
      const worn = mayRead(viewer, 'workers:read') ? wearing(workerId) : null;
      return worn === null ? null : deviceView(world, worn.device, viewerOf(worn.worker.organizationId));
    },
    position: (workerId) => {
      const worn = mayRead(viewer, 'positions:read') ? wearing(workerId) : null;
      if (worn === null) return null;
      const eye = viewerOf(worn.worker.organizationId);
      const found = positioned(world, worn.device, eye, clock.now());
      return found === null ? null : positionView(world, found, eye);
    },
    watch: (workerId) => {
      // The screen shows the alerts of its wearer, and the muster of the site.
      const worn = mayRead(viewer, 'alerts:read') && mayRead(viewer, 'musters:read') ? wearing(workerId) : null;
      const view = sandbox.fleet?.views().find(({ serial }) => serial === worn?.device.serial);
      return view === undefined ? null : view.shown;
    },
  };
}
