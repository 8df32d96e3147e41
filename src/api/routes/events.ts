/** The event log of the last 30 days, oldest first, for replay. [spec 4, 6.6, decisions 1] */
import type { TObject } from 'typebox';
import { parseInstant } from '../../base/instants.ts';
import { EVENT_TYPES, type EventType } from '../../contract/enumerations.ts';
import { Event, groupOf } from '../../contract/events.ts';
import type { Query } from '../../contract/query.ts';
import { EventsQuery } from '../../contract/requests.ts';
import { Page } from '../../contract/resources.ts';
import type { EventQuery } from '../../engine/store-port.ts';
import { namedSites } from '../access-checks.ts';
import { bindingOf } from '../cursor.ts';
import { cursorsOf } from '../cursors-of.ts';
import { ProblemAnswer } from '../problem.ts';
import { Raw } from '../raw.ts';
import { type Call, clientOf, type Route } from '../route.ts';

const WINDOW_MS = 30 * 24 * 60 * 60 * 1_000;

export const EVENT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/events',
    access: 'events',
    summary: 'Replay the event log, the oldest first',
    query: EventsQuery as TObject,
    answers: { 200: Page('EventPage', Event) },
    handle: (call) => list(call),
  },
];

async function list(call: Call) {
  const { client, viewer, scopes } = clientOf(call);
  const query = call.query as Query<typeof EventsQuery>;
  const { engine, store, clock } = call.parts;
  const allowed = EVENT_TYPES.filter((type) =>
    scopes.includes(groupOf(type) === 'alert.*' ? 'alerts:read' : 'musters:read'),
  );
  const asked = query.type === undefined ? allowed : selected(query.type);
  const hidden = asked.find((type) => !allowed.includes(type));
  if (hidden !== undefined)
    throw new ProblemAnswer('insufficient_scope', `The token may not see ${hidden}.`, {
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    });
  const sites = await engine.read((world) => namedSites(world, viewer.organizationId, query.site_id));
  const binding = bindingOf(client.id, 'events', query as unknown as Record<string, unknown>);
  const position = cursorsOf(call.parts).read(binding, query.cursor);
  const oldest = clock.now() - WINDOW_MS;
  const after =
    query.created_after === undefined ? oldest : Math.max(oldest, parseInstant(query.created_after) as number);
  const where: EventQuery = {
    organizationId: viewer.organizationId,
    types: asked,
    limit: query.limit + 1,
    createdAfter: after,
    ...(sites === undefined ? {} : { siteIds: [...sites] }),
    ...(viewer.contractors === null ? {} : { contractors: viewer.contractors }),
    ...(query.created_before === undefined ? {} : { createdBefore: parseInstant(query.created_before) as number }),
    ...(position === null ? {} : { after: readPosition(position) }),
  };
  const found = await store.events(where);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const more = found.length > query.limit && last !== undefined;
  const next_cursor = more ? cursorsOf(call.parts).write(binding, `${last.createdAt}/${last.id}`) : null;
  // The log keeps the bytes as they were rendered; they are not parsed to be written again.
  const body = new Raw(
    `{"data":[${page.map((record) => record.body).join(',')}],"next_cursor":${JSON.stringify(next_cursor)}}`,
  );
  return { status: 200, body, rows: page.length };
}

function selected(selectors: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => selectors.includes(type) || selectors.includes(groupOf(type)));
}

function readPosition(position: string): { createdAt: number; id: string } {
  const slash = position.indexOf('/');
  return { createdAt: Number(position.slice(0, slash)), id: position.slice(slash + 1) };
}
