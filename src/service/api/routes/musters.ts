/**
 * Musters: the list, one muster, and its missing workers. The API cannot open a muster: the system proposes one, and a
 * person decides. [spec 1.3, 2, decisions 1, 6]
 */
import { timeKey } from '../../../base/sorted-index.ts';
import { getMuster, listMissingWorkers, listMusters } from '../../../contract/operations/musters.ts';
import type { Query } from '../../../contract/query.ts';
import type { MustersQuery } from '../../../contract/requests.ts';
import type { Viewer } from '../../domain/access/viewer.ts';
import { missingIn, musterView } from '../../domain/views/muster.ts';
import type { Muster as MusterDocument } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import { namedSites, pathId } from '../access/access-checks.ts';
import { missingList } from '../answers/missing-list.ts';
import { openPage, pageOf } from '../answers/page.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { Raw, rawList } from '../answers/raw.ts';
import { Texts } from '../answers/texts.ts';
import { type Call, clientOf, type Route, route } from '../route.ts';

export const MUSTER_ROUTES: readonly Route[] = [
  route(listMusters, (call) => list(call)),
  route(getMuster, (call) => {
    const { viewer } = clientOf(call);
    return call.read((world) => ({
      status: 200,
      body: new Raw(musterText(ownMuster(world, viewer, pathId(call.params['muster_id'])))),
    }));
  }),
  route(listMissingWorkers, (call) => {
    const { viewer, scopes } = clientOf(call);
    const positions = scopes.includes('positions:read');
    const isLeftOut = !positions && call.parts.assumptions['missing-location'] === 'absent';
    return call.read((world, now) => {
      const muster = ownMuster(world, viewer, pathId(call.params['muster_id']));
      const missing = missingIn(world, muster, viewer, now);
      return {
        status: 200,
        body: missingList(world, muster.id, missing, { viewer, positions, isLeftOut }),
        rows: missing.length,
      };
    });
  }),
];

const texts = new Texts<MusterDocument>();

/** The text is the same for every viewer who may see the muster. */
const musterText = (muster: MusterDocument): Buffer => texts.of(muster, '', () => JSON.stringify(musterView(muster)));

/** A muster of another company does not exist for the client. */
function ownMuster(world: World, viewer: Viewer, id: string): MusterDocument {
  const muster = world.get('muster', id);
  if (muster === undefined || muster.organizationId !== viewer.organizationId)
    throw new ProblemAnswer('not_found', 'There is no such muster.');
  return muster;
}

function list(call: Call) {
  const { viewer } = clientOf(call);
  const query = call.query as Query<typeof MustersQuery>;
  const page = openPage(call, 'musters', query);
  return call.read((world) => {
    const sites = namedSites(world, viewer.organizationId, query.site_id);
    const { items, next_cursor } = pageOf(page, {
      list: world.indexes.musters.of(viewer.organizationId),
      keyOf: ({ startedAt, id }) => timeKey(startedAt, id),
      direction: 'descending',
      keep: (muster) =>
        (sites?.has(muster.site.id) ?? true) &&
        (query.status?.includes(muster.status) ?? true) &&
        (query.kind?.includes(muster.kind) ?? true),
    });
    const data = items.map(musterText);
    return { status: 200, body: rawList(data, next_cursor), rows: data.length };
  });
}
