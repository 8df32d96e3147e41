/** The event log of the last 30 days, oldest first, for replay. [spec 4, 6.6, decisions 1] */
import type { TObject } from 'typebox';
import { Event } from '../events.ts';
import { EventsQuery } from '../requests.ts';
import { Page } from '../resources.ts';
import { operation } from './operation.ts';

export const listEvents = operation('GET', '/v1/events', 'events', {
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'Replay the event log, the oldest first',
  description: `The events of the last 30 days, each with the same bytes as in its delivery. Use it to fill the gaps of lost deliveries. \`alerts:read\` shows \`alert.*\`, \`musters:read\` shows \`muster.*\`; a request for a type that the token may not see gets 403.

\`next_cursor\` is null at the end of the log. A client that polls continues with \`created_after\` set to the \`created_at\` of the last event that it read here, and deduplicates by \`id\`. An event from a webhook never moves this mark, because an earlier event may not have been read yet. At its first start a client reads the log without \`created_after\` to its end, and then the open alerts and the active musters.`,
  query: EventsQuery as TObject,
  answers: { 200: Page('EventPage', Event) },
});

export const EVENT_OPERATIONS = [listEvents];
