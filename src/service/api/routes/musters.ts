/**
 * Musters: the list, one muster, and its missing workers. The API cannot open a muster: the system proposes one, and a
 * person decides. [spec 1.3, 2, decisions 1, 6]
 */
import type { TObject } from 'typebox';
import { timeKey } from '../../../base/sorted-index.ts';
import type { Query } from '../../../contract/query.ts';
import { MustersQuery } from '../../../contract/requests.ts';
import { List, MissingWorker, Muster, Page } from '../../../contract/resources.ts';
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
  route('GET', '/v1/musters', 'musters:read', {
    operationId: 'listMusters',
    tag: 'Musters',
    summary: 'List musters, the newest first',
    description:
      'A page of the evacuations of the company, by `started_at`. The API cannot open one: the system proposes and a person decides.',
    query: MustersQuery as TObject,
    answers: { 200: Page('MusterPage', Muster) },
    handle: (call) => list(call),
  }),
  route('GET', '/v1/musters/:muster_id', 'musters:read', {
    operationId: 'getMuster',
    tag: 'Musters',
    summary: 'Get one muster',
    description:
      'The muster with its last headcount, which is made every 5 s. A closed muster has only the figures of its last headcount.',
    answers: { 200: Muster },
    handle: (call) => {
      const { viewer } = clientOf(call);
      return call.read((world) => ({
        status: 200,
        body: new Raw(musterText(ownMuster(world, viewer, pathId(call.params['muster_id'])))),
      }));
    },
  }),
  route('GET', '/v1/musters/:muster_id/missing', 'musters:read', {
    operationId: 'listMissingWorkers',
    tag: 'Musters',
    summary: 'List the missing workers of a muster',
    description:
      'The expected workers who are not safe. Workers who called for help come first. The others are sorted by the time when they were last seen. `location` is null without the scope `positions:read`. The list of an ended muster is empty.',
    answers: { 200: List('MissingWorkerList', MissingWorker) },
    handle: (call) => {
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
    },
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
    return { status: 200, body: rawList(data, `],"next_cursor":${JSON.stringify(next_cursor)}}`), rows: data.length };
  });
}
