/** Sites and their zones. [spec 2, decisions 1] */
import type { TObject } from 'typebox';
import type { Query } from '../../../contract/query.ts';
import { SitesQuery, ZonesQuery } from '../../../contract/requests.ts';
import { List, Site, Zone } from '../../../contract/resources.ts';
import { siteView, zoneView } from '../../domain/views/plant.ts';
import { compare, ownSite, pathId, sitesOf } from '../access/access-checks.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type Call, clientOf, type Route, route } from '../route.ts';

export const PLANT_ROUTES: readonly Route[] = [
  route('GET', '/v1/sites', 'any', {
    operationId: 'listSites',
    tag: 'Sites',
    summary: 'List the sites of the company',
    description: 'All sites of the client’s company, by name. Any valid token is accepted.',
    query: SitesQuery as TObject,
    answers: { 200: List('SiteList', Site) },
    handle: (call) => {
      const { viewer } = clientOf(call);
      return call.parts.engine.read((world) => {
        const data = sitesOf(world, viewer.organizationId).map(siteView);
        return { status: 200, body: { data }, rows: data.length };
      });
    },
  }),
  route('GET', '/v1/sites/:site_id/zones', 'alerts:read', {
    operationId: 'listZones',
    tag: 'Sites',
    summary: 'List the zones of a site',
    description: 'All zones of a site, by name. A privacy zone shows its name and type only, never its geometry.',
    query: ZonesQuery as TObject,
    answers: { 200: List('ZoneList', Zone) },
    handle: (call) => zones(call),
  }),
];

function zones(call: Call) {
  const { viewer } = clientOf(call);
  const { type } = call.query as Query<typeof ZonesQuery>;
  return call.parts.engine.read((world) => {
    const site = ownSite(world, viewer.organizationId, pathId(call.params['site_id']));
    if (site === undefined) throw new ProblemAnswer('not_found', 'There is no such site.');
    const found = world.indexes.zonesOfSite
      .of(site.id)
      .values()
      .filter((zone) => type?.includes(zone.type) ?? true);
    const data = [...found]
      .sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
      .map((zone) => zoneView(site, zone));
    return { status: 200, body: { data }, rows: data.length };
  });
}
