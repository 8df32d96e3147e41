/** Sites and their zones. [spec 2, decisions 1] */
import { compareText } from '../../../base/text/order.ts';
import { listSites, listZones } from '../../../contract/operations/plant.ts';
import type { Query } from '../../../contract/query.ts';
import type { ZonesQuery } from '../../../contract/requests.ts';
import { siteView, zoneView } from '../../domain/views/plant.ts';
import { ownSite, pathId, sitesOf } from '../access/access-checks.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type Call, clientOf, type Route, route } from '../route.ts';

export const PLANT_ROUTES: readonly Route[] = [
  route(listSites, (call) => {
    const { viewer } = clientOf(call);
    return call.parts.engine.read((world) => {
      const data = sitesOf(world, viewer.organizationId).map(siteView);
      return { status: 200, body: { data }, rows: data.length };
    });
  }),
  route(listZones, (call) => zones(call)),
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
      .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id))
      .map((zone) => zoneView(site, zone));
    return { status: 200, body: { data }, rows: data.length };
  });
}
