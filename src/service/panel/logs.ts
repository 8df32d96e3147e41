/** Reads the data of the pages of deliveries and of calls from the logs: one page by cursor, found with an index or within a limit. [decisions 9] */
import { given } from '../../base/given.ts';
import { EVENT_TYPES, type EventType } from '../../contract/enumerations.ts';
import type { Event, MusterEvent } from '../../contract/events.ts';
import type { DeliveryAttempt, ExplainedDelivery, LoggedRequest } from '../../contract/resources/logs.ts';
import type { Muster } from '../../contract/resources.ts';
import { alertsOf } from '../domain/alerts/alerts-of.ts';
import type { Destination, EventRecord } from '../domain/world/documents.ts';
import type { World as Plant } from '../domain/world/world.ts';
import { attemptView, type ExplainParts, explainDeliveries, isOwnRequest, requestView } from '../engine/log-rows.ts';
import type { AttemptRecord, Logged } from '../engine/store-port.ts';

/** Rows of a page. */
const PAGE_ROWS = 50;
/** Maximum number of alerts of a worker, newest first, whose deliveries are found. */
const MOST_ALERTS = 200;
/** Maximum number of workers whose name contains the filter. */
const MOST_WORKERS = 20;

/** The filters of the page of deliveries, as texts of the URL. */
export interface DeliveryFilter {
  readonly type: string;
  readonly worker: string;
  /** The id of an alert or a muster. */
  readonly about: string;
  readonly destination: string;
}

export interface DeliveryRow {
  readonly attempt: DeliveryAttempt;
  readonly event: Event | null;
  /** The muster at its event before this one, so that the row says what changed; null: not known, or not of a muster. */
  readonly before: Muster | null;
}

/** A destination with its company, for the list and the names. */
export interface PanelDestination {
  readonly id: string;
  readonly url: string;
  readonly company: string;
  readonly kind: 'registered' | 'listen' | 'inbox';
  readonly events: string;
  readonly failingSince: number | null;
}

export interface DeliveriesPage {
  readonly filter: DeliveryFilter;
  /** Null: the page has the newest rows. */
  readonly before: number | null;
  readonly rows: readonly DeliveryRow[];
  /** Null: there are no older rows. */
  readonly older: number | null;
  readonly destinations: readonly PanelDestination[];
  /** The event that is shown in full, with one entry per destination; empty: none. */
  readonly shown: readonly ExplainedDelivery[];
  /** True if the shown event is given by the URL, false if it is the newest. */
  readonly isChosen: boolean;
  /** True if no worker matches the filter. */
  readonly isNobody: boolean;
}

/** The name of the session destinations that the panel creates, and to which it replies itself. */
export const INBOX_LISTENER = 'panel inbox';

const filterOf = (query: URLSearchParams): DeliveryFilter => ({
  type: query.get('type') ?? '',
  worker: (query.get('worker') ?? '').trim(),
  about: query.get('about') ?? '',
  destination: query.get('destination') ?? '',
});

/** Returns null if the event in the URL is not known. */
export async function readDeliveries(
  parts: ExplainParts,
  query: URLSearchParams,
  eventId: string | null,
): Promise<DeliveriesPage | null> {
  const { engine, store } = parts;
  const filter = filterOf(query);
  const before = cursorOf(query);
  const { destinations, objectIds } = await engine.read((plant) => ({
    destinations: destinationsIn(plant),
    objectIds: objectsOf(plant, filter),
  }));
  const found = await store.attempts({
    ...given({
      eventType: EVENT_TYPES.find((type): type is EventType => type === filter.type),
      objectIds: objectIds ?? undefined,
      // Each filter has an index; that of the destination is used only without other filters.
      destinationId: filter.destination === '' ? undefined : filter.destination,
      before: before ?? undefined,
    }),
    limit: PAGE_ROWS + 1,
  });
  const rows = await withEvents(parts, found.slice(0, PAGE_ROWS));
  const newest = before === null ? rows[0]?.attempt.event_id : undefined;
  const wanted = eventId ?? newest;
  // The search for mistakes in signatures is too slow for a page that follows each delivery, so only a command does it.
  const shown = wanted === undefined ? [] : await explainDeliveries(parts, wanted, { search: false });
  if (shown === null) return null;
  return {
    filter,
    before,
    rows,
    older: found.length > PAGE_ROWS ? (found[PAGE_ROWS - 1]?.seq ?? null) : null,
    destinations,
    shown,
    isChosen: eventId !== null,
    isNobody: filter.worker !== '' && objectIds !== null && objectIds.length === 0,
  };
}

async function withEvents(
  { store }: ExplainParts,
  attempts: readonly Logged<AttemptRecord>[],
): Promise<readonly DeliveryRow[]> {
  const events = await store.eventsById([...new Set(attempts.map(({ eventId }) => eventId))]);
  const bodies = new Map(events.map(({ id, body }) => [id, JSON.parse(body) as Event]));
  const before = await mustersBefore(store, events);
  return attempts.map((record) => ({
    attempt: attemptView(record),
    event: bodies.get(record.eventId) ?? null,
    before: before.get(record.eventId) ?? null,
  }));
}

/** By the id of an event of a muster: the muster at its event before. One query for each site, of twice the events shown. */
async function mustersBefore(
  store: ExplainParts['store'],
  events: readonly EventRecord[],
): Promise<ReadonlyMap<string, Muster>> {
  const shown = events.filter(({ type, listed }) => listed && type.startsWith('muster.'));
  const before = new Map<string, Muster>();
  for (const siteId of new Set(shown.map((one) => one.siteId))) {
    const ofSite = shown.filter((one) => one.siteId === siteId);
    const known = await store.events({
      organizationId: ofSite[0]?.organizationId ?? '',
      siteIds: [siteId],
      types: MUSTER_TYPES,
      createdBefore: Math.max(...ofSite.map(({ createdAt }) => createdAt)) + 1,
      newestFirst: true,
      limit: 2 * PAGE_ROWS,
    });
    for (const [place, { id, objectId }] of known.entries()) {
      const last = known.slice(place + 1).find((one) => one.objectId === objectId);
      if (last === undefined || !ofSite.some((one) => one.id === id)) continue;
      before.set(id, (JSON.parse(last.body) as MusterEvent).data.muster);
    }
  }
  return before;
}

const MUSTER_TYPES = EVENT_TYPES.filter((type) => type.startsWith('muster.'));

const cursorOf = (query: URLSearchParams): number | null => {
  const text = query.get('before') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
};

/** Returns the ids of the matching alerts and musters. Null: any alert or muster. */
function objectsOf(plant: Plant, { worker, about }: DeliveryFilter): readonly string[] | null {
  if (about !== '') return [about];
  if (worker === '') return null;
  const workers = workersNamed(plant, worker);
  return [...new Set(workers.map(({ organizationId }) => organizationId))].flatMap((organizationId) => {
    const workerIds = workers.filter((one) => one.organizationId === organizationId).map(({ id }) => id);
    return alertsOf(plant, { organizationId, workerIds, limit: MOST_ALERTS }).map(({ id }) => id);
  });
}

/** Finds workers by code, id or the serial of the watch; if there is none, by a part of the name. */
function workersNamed(plant: Plant, text: string) {
  const named = text.toLowerCase();
  const workers = [...plant.all('worker')];
  const exact = workers.filter(
    ({ id, externalId, deviceId }) =>
      id === named ||
      externalId?.toLowerCase() === named ||
      (deviceId !== null && plant.get('device', deviceId)?.serial.toLowerCase() === named),
  );
  return exact.length > 0
    ? exact
    : workers.filter(({ name }) => name.toLowerCase().includes(named)).slice(0, MOST_WORKERS);
}

function destinationsIn(plant: Plant): PanelDestination[] {
  return [...plant.all('destination')].map(({ id, url, organizationId, eventTypes, failingSince, session }) => ({
    id,
    url,
    company: plant.get('organization', organizationId)?.name ?? organizationId,
    kind: kindOf(session),
    events: eventTypes.join(', '),
    failingSince,
  }));
}

const kindOf = (session: Destination['session']): PanelDestination['kind'] =>
  session === undefined ? 'registered' : session.listener === INBOX_LISTENER ? 'inbox' : 'listen';

/** The filters of the page of calls. */
export interface CallFilter {
  /** A client_id, `nobody`, or empty for all calls. */
  readonly client: string;
  readonly problems: boolean;
  /** True: also calls with the control token, and those of the panel itself. */
  readonly all: boolean;
}

export interface CallsPage {
  readonly filter: CallFilter;
  readonly before: number | null;
  readonly rows: readonly LoggedRequest[];
  readonly older: number | null;
  readonly clients: readonly string[];
}

/**
 * Rows that are read at once, and maximum number of rows that are read for one page, including rows that the filters
 * exclude.
 */
const SCAN_ROWS = 200;
const MOST_SCANNED = 2_000;

const callFilterOf = (query: URLSearchParams): CallFilter => ({
  client: query.get('client') ?? '',
  problems: query.has('problems'),
  all: query.has('all'),
});

/** A page may have fewer rows than fit although there are older ones: it ends where the scan ended. */
export async function readCalls({ engine, store }: ExplainParts, query: URLSearchParams): Promise<CallsPage> {
  const filter = callFilterOf(query);
  const before = cursorOf(query);
  // A page that is fetched every two seconds can omit the last second of the log, so the log is not flushed for it.
  if (!query.has('part')) await engine.flush();
  const clients = await engine.read((plant) => [...plant.all('client')]);
  const organizationId = clients.find(({ id }) => id === filter.client)?.organizationId;
  const rows: LoggedRequest[] = [];
  let from = before;
  let isEnd = false;
  for (let scanned = 0; scanned < MOST_SCANNED && rows.length < PAGE_ROWS && !isEnd; scanned += SCAN_ROWS) {
    const found = await store.requests({
      ...given({ organizationId, before: from ?? undefined }),
      limit: SCAN_ROWS,
    });
    isEnd = found.length < SCAN_ROWS;
    for (const record of found) {
      if (rows.length === PAGE_ROWS) {
        isEnd = false;
        break;
      }
      from = record.seq;
      const row = requestView(record);
      if (isShown(row, filter)) rows.push(row);
    }
  }
  return { filter, before, rows, older: isEnd ? null : from, clients: clients.map(({ id }) => id) };
}

function isShown(row: LoggedRequest, { client, problems, all }: CallFilter): boolean {
  const { client_id } = row;
  if (problems && row.status < 400) return false;
  if (client === 'nobody' ? client_id !== null : client !== '' && client_id !== client) return false;
  return all || isOwnRequest(row);
}
