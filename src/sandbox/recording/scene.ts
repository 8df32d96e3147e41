/** Who and what is there when a recording begins. People are where they truly are, so a scene needs the control token. [decisions 4] */
import { pointOf } from '../../domain/privacy/places.ts';
import type { World } from '../../domain/world/world.ts';
import type { Plan } from '../../plant/plan.ts';
import type { Tape, TapedPerson, TapedSite } from '../../scenario/record/tape.ts';
import type { Fleets } from '../runs/fleets.ts';

export function sceneOf(
  world: World,
  fleets: Fleets,
  plan: Plan,
): Pick<Tape, 'includeWorkerNames' | 'sites' | 'people'> {
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
