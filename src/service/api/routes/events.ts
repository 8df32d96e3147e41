/** The event log of the last 30 days, oldest first, for replay. [spec 4, 6.6, decisions 1] */
import { EVENT_TYPES, type EventType } from '../../../contract/enumerations.ts';
import { groupOf } from '../../../contract/events.ts';
import { listEvents } from '../../../contract/operations/events.ts';
import type { Query } from '../../../contract/query.ts';
import type { EventsQuery } from '../../../contract/requests.ts';
import type { EventQuery } from '../../engine/store-port.ts';
import { namedSites } from '../access/access-checks.ts';
import { openPage } from '../answers/page.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { Raw } from '../answers/raw.ts';
import { readSpan } from '../answers/span.ts';
import { type Call, clientOf, type Route, route } from '../route.ts';

const WINDOW_MS = 30 * 24 * 60 * 60 * 1_000;

export const EVENT_ROUTES: readonly Route[] = [route(listEvents, (call) => list(call))];

async function list(call: Call) {
  const { viewer, scopes } = clientOf(call);
  const query = call.query as Query<typeof EventsQuery>;
  const { engine, store, clock, assumptions } = call.parts;
  const allowed = EVENT_TYPES.filter(
    (type) =>
      assumptions['events-scope'] === 'all' ||
      scopes.includes(groupOf(type) === 'alert.*' ? 'alerts:read' : 'musters:read'),
  );
  const types = query.type === undefined ? allowed : selected(query.type);
  const hidden = types.find((type) => !allowed.includes(type));
  if (hidden !== undefined)
    throw new ProblemAnswer('insufficient_scope', `The token may not see ${hidden}.`, {
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    });
  const span = readSpan(query, assumptions);
  const { after: position, cursorAt } = openPage(call, 'events', query);
  const sites = await engine.read((world) => namedSites(world, viewer.organizationId, query.site_id));
  const oldest = clock.now() - WINDOW_MS;
  const where: EventQuery = {
    organizationId: viewer.organizationId,
    types,
    seen: true,
    limit: query.limit + 1,
    createdAfter: Math.max(oldest, span.after ?? oldest),
    ...(assumptions['events-order'] === 'newest' ? { newestFirst: true } : {}),
    ...(sites === undefined ? {} : { siteIds: [...sites] }),
    ...(viewer.contractors === null ? {} : { contractors: viewer.contractors }),
    ...(span.before === undefined ? {} : { createdBefore: span.before }),
    ...(position === null ? {} : { after: readPosition(position) }),
  };
  const found = await store.events(where);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const more = found.length > query.limit && last !== undefined;
  const next_cursor = more ? cursorAt(`${last.createdAt}/${last.id}`) : null;
  // The log has the bytes as rendered, so they are not parsed and serialised again.
  const items = page.map((record) => record.body);
  const body = new Raw(`{"data":[${items.join(',')}],"next_cursor":${JSON.stringify(next_cursor)}}`, {
    items,
    ids: page.map(({ id }) => id),
    nextCursor: next_cursor,
  });
  return { status: 200, body, rows: page.length };
}

function selected(selectors: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => selectors.includes(type) || selectors.includes(groupOf(type)));
}

function readPosition(position: string): { createdAt: number; id: string } {
  const slash = position.indexOf('/');
  return { createdAt: Number(position.slice(0, slash)), id: position.slice(slash + 1) };
}
