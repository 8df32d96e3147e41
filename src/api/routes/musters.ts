/** Musters. None can be opened yet, so lists are empty and every id is unknown. [spec 1.3, decisions 1] */
import type { TObject } from 'typebox';
import type { Query } from '../../contract/query.ts';
import { MustersQuery } from '../../contract/requests.ts';
import { List, MissingWorker, Muster, Page } from '../../contract/resources.ts';
import { namedSites, pathId } from '../access-checks.ts';
import { openPage } from '../page.ts';
import { ProblemAnswer } from '../problem.ts';
import { type Call, clientOf, type Route } from '../route.ts';

export const MUSTER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/musters',
    access: 'musters:read',
    operationId: 'listMusters',
    tag: 'Musters',
    summary: 'List musters, the newest first',
    description:
      'A page of the evacuations of the company, by `started_at`. The API cannot open one: the system proposes and a person decides.',
    query: MustersQuery as TObject,
    answers: { 200: Page('MusterPage', Muster) },
    handle: (call) => {
      const { viewer } = clientOf(call);
      const query = call.query as Query<typeof MustersQuery>;
      openPage(call, 'musters', query);
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
    operationId: 'getMuster',
    tag: 'Musters',
    summary: 'Get one muster',
    description:
      'The evacuation with its last count, which is made every 5 s. Once it is closed, only the closing figures remain.',
    answers: { 200: Muster },
    handle: unknownMuster,
  },
  {
    method: 'GET',
    path: '/v1/musters/:muster_id/missing',
    access: 'musters:read',
    operationId: 'listMissingWorkers',
    tag: 'Musters',
    summary: 'List who is missing in a muster',
    description:
      'Those who are expected and not safe: who asked for help first, then by when they were last seen. `location` needs the scope `positions:read` too; without it, it is null. Empty once the muster has ended.',
    answers: { 200: List('MissingWorkerList', MissingWorker) },
    handle: unknownMuster,
  },
];

function unknownMuster(call: Call): never {
  pathId(call.params['muster_id']);
  throw new ProblemAnswer('not_found', 'There is no such muster.');
}
