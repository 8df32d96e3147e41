/** The fields of stored documents of each kind. A rule never sees a document that lacks one. */
import { DEFAULT_THRESHOLDS } from '../../../plant/thresholds.ts';
import type { Documents, Kind } from './documents.ts';

/** Every document has the field. A document without it is damaged. */
const FIRST = 'first';
/** The field may be missing, as in its type. */
const MAYBE = 'maybe';

/** An object whose own fields are checked too. */
interface Inside<T> {
  readonly inside: StoredFields<T>;
}

type StoredField<T> = typeof FIRST | (NonNullable<T> extends object ? Inside<NonNullable<T>> : never);

type StoredFields<T> = {
  readonly [F in keyof T]-?: undefined extends T[F] ? typeof MAYBE : StoredField<T[F]>;
};

/** Marks all fields of an object of defaults. */
const all = <T extends object>(defaults: T): Readonly<Record<keyof T, typeof FIRST>> =>
  first(...(Object.keys(defaults) as (keyof T & string)[])) as Readonly<Record<keyof T, typeof FIRST>>;

/** Marks fields that every document has. */
const first = <F extends string>(...names: readonly F[]): Readonly<Record<F, typeof FIRST>> =>
  Object.fromEntries(names.map((name) => [name, FIRST])) as Record<F, typeof FIRST>;

/** By kind. A change raises the number of each schema and of snapshots, until the first release. */
export const STORED: { readonly [K in Kind]: StoredFields<Documents[K]> } = {
  organization: first('id', 'name', 'technicalContact'),
  client: first('id', 'organizationId', 'secretHash', 'scopes', 'includeWorkerNames', 'contractors'),
  site: {
    ...first(
      'id',
      'organizationId',
      'name',
      'location',
      'privacyMode',
      'unveilMinSeverity',
      'origin',
      'boundary',
      'plan',
      'heatIndexC',
      'wind',
    ),
    thresholds: {
      inside: { ...all(DEFAULT_THRESHOLDS), heat: { inside: all(DEFAULT_THRESHOLDS.heat) } },
    },
  },
  zone: first('id', 'siteId', 'name', 'type', 'ring', 'assemblyPoint', 'floors'),
  worker: first('id', 'organizationId', 'siteId', 'externalId', 'name', 'contractor', 'role', 'isActive', 'deviceId'),
  device: first(
    'id',
    'organizationId',
    'siteId',
    'serial',
    'keyHash',
    'model',
    'status',
    'workerId',
    'emulated',
    'batteryLow',
    'silenceReported',
    'heatIndexC',
    'heatAlertedAt',
  ),
  vehicle: first('id', 'siteId', 'type', 'driverId'),
  permit: first('id', 'siteId', 'workerId', 'zoneId', 'reference', 'until', 'endedAt'),
  stay: first('id', 'deviceId', 'zoneId', 'since'),
  warning: first('id', 'deviceId', 'at', 'vehicleId', 'vehicleType', 'distanceM', 'workerAcknowledgedAt'),
  unveiling: first('id', 'by', 'until'),
  telemetry: first(
    'id',
    'fix',
    'batteryPct',
    'charging',
    'worn',
    'session',
    'batteryPlace',
    'firmware',
    'lastContactAt',
    'entering',
    'sun',
    'inSun',
    'stays',
  ),
  alert: first(
    'id',
    'organizationId',
    'type',
    'severity',
    'status',
    'createdAt',
    'modifiedAt',
    'site',
    'zone',
    'worker',
    'device',
    'location',
    'locationWithheld',
    'details',
    'nearby',
    'vehicleWarnings',
    'workerAcknowledgedAt',
    'acknowledged',
    'resolved',
    'assignedTo',
    'subject',
    'timeline',
  ),
  prompt: first('id', 'fallId', 'alertId', 'deviceId', 'siteId', 'until'),
  destination: {
    ...first(
      'id',
      'organizationId',
      'clientId',
      'url',
      'eventTypes',
      'filters',
      'isActive',
      'failingSince',
      'createdAt',
      'secret',
      'previousSecret',
    ),
    session: MAYBE,
  },
  delivery: {
    ...first(
      'id',
      'eventId',
      'eventType',
      'destinationId',
      'priority',
      'eventAt',
      'slot',
      'due',
      'tries',
      'state',
      'lastStatus',
    ),
    resentAt: MAYBE,
  },
  token: first('id', 'clientId', 'scopes', 'expiresAt', 'revoked'),
  heard: first('id', 'at', 'content'),
  organizationClock: first('id', 'lastEventAt', 'lastModifiedAt'),
  muster: first(
    'id',
    'organizationId',
    'site',
    'status',
    'phase',
    'kind',
    'reason',
    'startedAt',
    'endedAt',
    'deadline',
    'origin',
    'targetsRevision',
    'targets',
    'exclusions',
    'totals',
    'safeAt',
    'contractors',
    'timeline',
  ),
  expected: first(
    'id',
    'musterId',
    'workerId',
    'counted',
    'status',
    'helpReason',
    'point',
    'declared',
    'marked',
    'missingTold',
    'since',
    'firstSafeAt',
  ),
  course: first('id', 'musterId', 'number', 'kind', 'points', 'samples'),
  roll: first('id', 'at', 'points', 'contractors', 'rows'),
  guest: first('id', 'organizationId', 'clientId', 'siteIds', 'receivers', 'destinationIds', 'before'),
  lost: first('id', 'destinationId', 'eventId', 'eventType', 'eventAt'),
  mail: first('id', 'at', 'organizationId', 'destinationId', 'to', 'subject', 'text', 'waits'),
  meta: first('id', 'salt', 'origin'),
  clock: {
    ...first('id', 'now', 'offsetMs'),
    strayMs: MAYBE,
  },
};

/** A stored document lacks a field that every document of its kind must have. */
export class IncompleteDocument extends Error {
  override readonly name = 'IncompleteDocument';
}

/** Returns the document. Throws `IncompleteDocument` if a field of its kind is missing. */
export function completed<K extends Kind>(kind: K, document: Documents[K]): Documents[K] {
  lookInside(document, STORED[kind] as AnyFields, `${kind} ${document.id}`);
  return document;
}

/** `StoredFields` of any kind, without its static type. */
interface AnyFields {
  readonly [name: string]: typeof FIRST | typeof MAYBE | { readonly inside: AnyFields };
}

function lookInside(object: object, fields: AnyFields, where: string): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field === MAYBE) continue;
    const value = object[name as never] as unknown;
    if (value === undefined) throw new IncompleteDocument(`${where} has no "${name}"`);
    if (field !== FIRST && value !== null) lookInside(value as object, field.inside, `${where}, ${name}`);
  }
}
