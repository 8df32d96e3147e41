/** Who and what is there when a recording begins: people where they truly are for the control token, where they are shown for a client. [decisions 4] */
import type { Instant } from '../../base/clock.ts';
import { type Point, representativePoint } from '../../base/geometry.ts';
import { mayRead, seesWorker, type TokenViewer } from '../../domain/access/viewer.ts';
import { frameOf, pointOf, shownLocation } from '../../domain/privacy/places.ts';
import { positioned } from '../../domain/views/plant.ts';
import type { Worker } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import type { Plan } from '../../plant/plan.ts';
import type { Tape, TapedPerson, TapedSite } from '../../scenario/record/tape.ts';
import type { Fleets } from '../runs/fleets.ts';

export type Scene = Pick<Tape, 'includeWorkerNames' | 'sites' | 'people' | 'notes'>;

export function sceneOf(world: World, fleets: Fleets, plan: Plan): Scene {
  const [client] = world.all('client');
  return {
    includeWorkerNames: client?.includeWorkerNames ?? true,
    sites: sitesOf(world, plan),
    people: peopleOf(world, fleets, plan),
  };
}

/** Those that the sandbox was booted with; a story's own plant is in its file already. */
function sitesOf(world: World, plan: Plan): TapedSite[] {
  const planned = plan.organizations.flatMap(({ sites }) => sites);
  return [...world.all('site')].flatMap((site): TapedSite[] => {
    const drawn = planned.find(({ name }) => name === site.name);
    if (drawn === undefined) return [];
    const zones = new Map(
      world.indexes.zonesOfSite
        .of(site.id)
        .values()
        .map(({ id, name }) => [id, name]),
    );
    // The mode may have been turned since.
    const { privacyMode, unveilMinSeverity } = site;
    return [{ id: site.id, planned: { ...drawn, privacyMode, unveilMinSeverity }, zones }];
  });
}

function peopleOf(world: World, fleets: Fleets, plan: Plan): TapedPerson[] {
  const views = new Map(fleets.views().map((view) => [view.serial, view]));
  const paces = new Map(
    plan.organizations.flatMap(({ sites }) =>
      sites.flatMap(({ workers }) => workers.map(({ watch, pace }) => [watch.serial, pace] as const)),
    ),
  );
  return [...world.all('worker')].flatMap((worker): TapedPerson[] => {
    const { id, externalId, name, contractor, role, siteId, deviceId } = worker;
    if (deviceId === null) return [];
    const { serial } = world.need('device', deviceId);
    const { fix, worn, batteryPct } = world.telemetry(deviceId);
    const view = views.get(serial);
    const at = view?.at ?? (fix === null ? null : pointOf(world.need('site', siteId), fix));
    if (at === null) return [];
    const permits = world.indexes.permitsOfWorker
      .of(id)
      .values()
      .flatMap(({ endedAt, zoneId, reference }) =>
        endedAt === null ? [{ zone: world.need('zone', zoneId).name, reference }] : [],
      );
    const pace = paces.get(serial) ?? null;
    return [
      {
        ...{ id, externalId, serial, name, contractor, role, siteId, at, pace, permits },
        ...{ worn: view?.worn ?? worn, batteryPct: view?.batteryPct ?? batteryPct },
      },
    ];
  });
}

/** The part of the scene that a client's token may see; borders of privacy zones are never included. */
export function sceneFor(world: World, whole: Scene, viewer: TokenViewer, now: Instant): Scene {
  const zonesShown = mayRead(viewer, 'alerts:read');
  const sites = whole.sites.flatMap((site): TapedSite[] => {
    if (world.get('site', site.id)?.organizationId !== viewer.organizationId) return [];
    const zones = site.planned.zones.filter(({ type }) => zonesShown && type !== 'privacy');
    return [{ ...site, planned: { ...site.planned, zones }, zones: zonesShown ? site.zones : new Map() }];
  });
  const people = (mayRead(viewer, 'workers:read') ? whole.people : []).flatMap((person): TapedPerson[] => {
    const worker = world.get('worker', person.id);
    if (worker === undefined || !seesWorker(viewer, worker)) return [];
    const planned = sites.find(({ id }) => id === person.siteId)?.planned;
    const at = shownPoint(world, worker, viewer, now) ?? standIn(planned);
    const name = viewer.names ? person.name : (person.externalId ?? person.serial);
    return [{ ...person, name, at, pace: null }];
  });
  return { includeWorkerNames: viewer.names, sites, people, notes: [ONLY_SHOWN] };
}

const ONLY_SHOWN =
  'Only what this token shows is here: people whose place it does not show stand in the first zone, privacy zones are left out, and so is what others did to people.';

function shownPoint(world: World, worker: Worker, viewer: TokenViewer, now: Instant): Point | null {
  const device = worker.deviceId === null ? undefined : world.get('device', worker.deviceId);
  const found =
    device === undefined || !mayRead(viewer, 'positions:read') ? null : positioned(world, device, viewer, now);
  return found === null ? null : frameOf(found.site).toMetres(shownLocation(world, found.site, found.fix));
}

/** Placeholder for a position that the token may not see: the first work area. */
function standIn(planned: TapedSite['planned'] | undefined): Point {
  const zones = planned?.zones ?? [];
  const zone = zones.find(({ type }) => type === 'work_area') ?? zones[0];
  return zone === undefined ? [0, 0] : representativePoint(zone.ring);
}
