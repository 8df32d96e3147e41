/** Musters. None can be opened yet, so lists are empty and every id is unknown. [spec 1.3, decisions 1] */
import type { TObject } from 'typebox';
import type { Query } from '../../contract/query.ts';
import { MustersQuery } from '../../contract/requests.ts';
import { List, MissingWorker, Muster, Page } from '../../contract/resources.ts';
import { namedSites, pathId } from '../access-checks.ts';
import { bindingOf } from '../cursor.ts';
import { cursorsOf } from '../cursors-of.ts';
import { ProblemAnswer } from '../problem.ts';
import { type Call, clientOf, type Route } from '../route.ts';

export const MUSTER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/musters',
    access: 'musters:read',
    summary: 'List musters, the newest first',
    query: MustersQuery as TObject,
    answers: { 200: Page('MusterPage', Muster) },
    handle: (call) => {
      const { client, viewer } = clientOf(call);
      const query = call.query as Query<typeof MustersQuery>;
      cursorsOf(call.parts).read(
        bindingOf(client.id, 'musters', query as unknown as Record<string, unknown>),
        query.cursor,
      );
      return call.parts.engine.read((world) => {
        namedSites(world, viewer.organizationId, query.site_id);
        return { status: 200, body: { data: [], next_cursor: null } };
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/musters/:muster_id',
    access: 'musters:read',
    summary: 'Get one muster',
    answers: { 200: Muster },
    handle: unknownMuster,
  },
  {
    method: 'GET',
    path: '/v1/musters/:muster_id/missing',
    access: 'musters:read',
    summary: 'List who is missing in a muster',
    answers: { 200: List('MissingWorkerList', MissingWorker) },
    handle: unknownMuster,
  },
];

function unknownMuster(call: Call): never {
  pathId(call.params['muster_id']);
  throw new ProblemAnswer('not_found', 'There is no such muster.');
}
