/** Since when the user's own system can know what has changed: by its deliveries, or because it has asked. */
import type { Instant } from '../../base/time/clock.ts';
import type { EventType } from '../../contract/enumerations.ts';
import type { Event } from '../../contract/events.ts';
import type { RecordedRequest } from '../log/run-record.ts';
import { objectOf } from '../model/references.ts';
import type { ViewScope } from './subject.ts';

/** This event comes every few seconds while people arrive, and would postpone every limit to the end of a muster. */
const COUNTED: EventType = 'muster.updated';

/**
 * Returns the time since which the system could know all changes of the object (`objectId` null: of all objects); null while a
 * delivery is pending or the API has an error. `lists`: GET requests that inform the system as well as a delivery does; a GET of an
 * object does not contain the ids of its events.
 */
export function knownSince(
  { record, look }: Pick<ViewScope, 'record' | 'look'>,
  objectId: string | null,
  lists: readonly ObjectList[] = OBJECT_LISTS,
): Instant | null {
  const { troubledTo } = record;
  if (troubledTo === null) return null;
  const undelivered = look.undelivered();
  let since = troubledTo;
  for (const { event, at, seq } of record.events) {
    if (objectId !== null && objectIdOf(event) !== objectId) continue;
    if (undelivered.has(event.id)) {
      // A system that polls knows the event without the delivery.
      const read = record.requests.find((request) => request.seq > seq && tellsOf(request, event, lists));
      if (read === undefined) return null;
      since = Math.max(since, read.at);
    }
    if (event.type !== COUNTED) since = Math.max(since, at);
  }
  for (const [id, { at }] of record.alerts) if (objectId === null || id === objectId) since = Math.max(since, at);
  for (const { at, attempt, receiver } of record.attempts)
    if (receiver !== null && attempt.event_type !== COUNTED && (objectId === null || attempt.object_id === objectId))
      since = Math.max(since, at);
  for (const { excusedTo } of record.requests) since = Math.max(since, excusedTo ?? 0);
  return since;
}

/** Returns true if a client learns of the event by this call: it got the object, or a list whose filters include the object. */
function tellsOf(
  { method, path, query, status }: RecordedRequest,
  event: Event,
  lists: readonly ObjectList[],
): boolean {
  if (method !== 'GET' || status !== 200) return false;
  const [, list = '', id] = /^\/v1\/(events|alerts|musters)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (!(lists as readonly string[]).includes(list)) return false;
  if (id !== undefined) return id === objectIdOf(event);
  const [group = ''] = event.type.split('.');
  if (list !== 'events' && list !== `${group}s`) return false;
  const object = objectOf(event) as Readonly<Record<string, unknown>>;
  const values: Readonly<Record<string, readonly unknown[]>> = {
    type: list === 'events' ? [event.type, `${group}.*`] : [object['type']],
    site_id: [object['site_id']],
    status: [object['status']],
    kind: [object['kind']],
  };
  return [...new URLSearchParams(query)].every(([name, value]) =>
    name in values ? value.split(',').some((one) => values[name]?.includes(one)) : PAGING.includes(name),
  );
}

const OBJECT_LISTS = ['events', 'alerts', 'musters'] as const;
export type ObjectList = (typeof OBJECT_LISTS)[number];

/** Query parameters of a list that do not exclude new objects. */
const PAGING: readonly string[] = ['cursor', 'limit', 'created_after', 'modified_since'];

/** The id of the event's alert or muster; empty for any other value. */
export function objectIdOf(event: unknown): string {
  const { data } = (event ?? {}) as { data?: { alert?: { id: string }; muster?: { id: string } } };
  return (data?.alert ?? data?.muster)?.id ?? '';
}
