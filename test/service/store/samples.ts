/** Rows to put into a store: of every kind, with texts that a careless engine would spoil. */
import type { Documents, EventRecord, Kind } from '../../../src/service/domain/world/documents.ts';
import {
  type AttemptRecord,
  type Batch,
  emptyBatch,
  type Logged,
  type RequestRecord,
  type Store,
} from '../../../src/service/engine/store-port.ts';

/** 2026-10-05T06:00:00Z. */
export const START = 1_791_180_000_000;

/** Emoji of several code points, quotes, SQL, control characters, direction marks, a half surrogate pair, line separators. */
export const ODD_TEXT = `👩🏽‍🚒 "it's"; DROP TABLE documents;-- \u0001\u001f\t\r\n\\ \u202eabc\u2028\u2029 é e\u0301 \ud83d ${'ん'.repeat(40)}`;

/** A document of any kind: a store looks into none of them but for the `at` of an accepted message. */
export function documentOf(kind: Kind, id: string, text = ODD_TEXT): Documents[Kind] {
  const document = { id, kind, text, at: START, none: null, list: [1.5, -0.1, true, [text]], nested: { [text]: {} } };
  return document as unknown as Documents[Kind];
}

/** A batch of what is given. */
export function batchOf(parts: Partial<Batch>): Batch {
  return { ...emptyBatch(), ...parts };
}

/** A put of `documentOf`. */
export function putOf(kind: Kind, id: string, text?: string): Batch['puts'][number] {
  return { kind, id, document: documentOf(kind, id, text) };
}

/** An event of organization `org-1`, unless said otherwise. */
export function eventOf(id: string, createdAt: number, rest: Partial<EventRecord> = {}): EventRecord {
  return {
    id,
    type: 'alert.created',
    organizationId: 'org-1',
    siteId: 'site-1',
    objectId: `object-of-${id}`,
    contractor: null,
    createdAt,
    body: JSON.stringify({ id, text: ODD_TEXT }),
    listed: true,
    hidden: false,
    ...rest,
  };
}

/** An attempt for organization `org-1`, unless said otherwise. */
export function attemptOf(id: string, rest: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    id,
    deliveryId: 'delivery-1',
    eventId: 'event-1',
    eventType: 'alert.created',
    destinationId: 'destination-1',
    organizationId: 'org-1',
    tryNumber: 1,
    at: START,
    wallAt: START + 7,
    offsetMs: 0,
    tookMs: 12.25,
    outcome: 'failed',
    status: 500,
    error: ODD_TEXT,
    note: null,
    requestUrl: 'https://receiver.example/hook',
    requestHeaders: { 'Content-Type': 'application/json' },
    responseBody: null,
    responseHeaders: null,
    ...rest,
  };
}

/** A request of organization `org-1`, unless said otherwise. */
export function requestOf(id: string, rest: Partial<RequestRecord> = {}): RequestRecord {
  return {
    id,
    at: START,
    wallAt: START + 7,
    clientId: null,
    organizationId: 'org-1',
    method: 'GET',
    path: '/v1/alerts',
    query: ODD_TEXT,
    status: 200,
    code: null,
    tookMs: 1.5,
    note: null,
    warnings: [ODD_TEXT],
    ...rest,
  };
}

/** Rows of a log without their places in it. */
export const recordsOf = <Row>(rows: readonly Logged<Row>[]): Omit<Logged<Row>, 'seq'>[] =>
  rows.map(({ seq: _, ...row }) => row);

/** The documents of one kind, as a world would load them. */
export async function loaded(store: Store, kind: Kind): Promise<readonly Documents[Kind][]> {
  return (await store.load()).find((entry) => entry.kind === kind)?.documents ?? [];
}

/** What a typical transaction writes: an alert, its event and its delivery, the message it came from, the organization's clock. */
export function transactionOf(n: number): Batch {
  const id = String(n).padStart(12, '0');
  return batchOf({
    puts: [
      putOf('alert', `alert-${id}`),
      putOf('delivery', `delivery-${id}`),
      putOf('heard', `heard-${id}`),
      {
        kind: 'organizationClock',
        id: 'org-1',
        document: { id: 'org-1', lastEventAt: START + n, lastModifiedAt: START + n },
      },
    ],
    events: [eventOf(`event-${id}`, START + n)],
  });
}
