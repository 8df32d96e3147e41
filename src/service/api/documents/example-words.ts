/** Examples in the action catalogue, filled with ids and names that the caller's view shows. [decisions 4, 9] */
import { DEFAULT_WORDS, type ExampleWords, exampleWorkerOf, NOBODYS_WORDS } from '../../../contract/actions.ts';
import type { ZoneType } from '../../../contract/enumerations.ts';
import { mayRead, seesWorker, type TokenViewer } from '../../domain/access/viewer.ts';
import type { World } from '../../domain/world/world.ts';
import { sitesOf } from '../access/access-checks.ts';
import type { Call } from '../route.ts';

/** The words for the caller. The control token gets names of the default world, so that the examples run unchanged. */
export function wordsFor({ parts, principal }: Call): ExampleWords {
  return principal.kind === 'client'
    ? wordsOf(parts.engine.world, principal.viewer, principal.client.id)
    : DEFAULT_WORDS;
}

function wordsOf(world: World, viewer: TokenViewer, clientId: string): ExampleWords {
  const [site] = sitesOf(world, viewer.organizationId);
  if (site === undefined) return NOBODYS_WORDS;
  const seen = world.indexes.workersOfSite
    .of(site.id)
    .values()
    .filter((one) => seesWorker(viewer, one));
  const example = exampleWorkerOf(seen, ({ externalId, id }) => externalId ?? id);
  const zones = mayRead(viewer, 'alerts:read') ? world.indexes.zonesOfSite.of(site.id).values() : [];
  const zone = (...types: ZoneType[]) => zones.find(({ type }) => types.includes(type))?.name;
  const { worker, workArea, restricted, hill, gate } = NOBODYS_WORDS;
  const who = example === null ? worker : (example.externalId ?? example.id);
  const point = zone('assembly_point');
  return {
    worker: who,
    veiled: who,
    site: site.name,
    company: clientId,
    workArea: zone('work_area', 'building') ?? workArea,
    restricted: zone('restricted', 'forbidden') ?? restricted,
    hill: point ?? hill,
    gate: point ?? gate,
  };
}
