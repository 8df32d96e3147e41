/**
 * What stored documents of each kind have: the fields of the first release, and for each later field the value of a document that
 * was written before it. Documents are completed when they are read, so that a rule never meets a field that is missing.
 */
import { DEFAULT_THRESHOLDS } from '../../plant/thresholds.ts';
import type { Documents, Kind } from './documents.ts';

/** Each document has it. One that lacks it is damaged. */
const FIRST = 'first';
/** The type says that it may be missing. */
const MAYBE = 'maybe';

/** A field that came after the first release: what a document has that was written before. */
interface Later<T> {
  readonly later: T;
}

/** An object whose own fields may be missing. */
interface Inside<T> {
  readonly inside: StoredFields<T>;
}

type StoredField<T> = typeof FIRST | Later<T> | (NonNullable<T> extends object ? Inside<NonNullable<T>> : never);

type StoredFields<T> = {
  readonly [F in keyof T]-?: undefined extends T[F] ? typeof MAYBE : StoredField<T[F]>;
};

/** The fields of an object of defaults, each with its default. */
const sinceAlways = <T extends object>(defaults: T): { readonly [F in keyof T]: Later<T[F]> } =>
  Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, { later: value }])) as never;

const STORED: { readonly [K in Kind]: StoredFields<Documents[K]> } = {
  organization: {
    id: FIRST,
    name: FIRST,
    technicalContact: FIRST,
  },
  client: {
    id: FIRST,
    organizationId: FIRST,
    secretHash: FIRST,
    scopes: FIRST,
    includeWorkerNames: FIRST,
    contractors: FIRST,
  },
  site: {
    id: FIRST,
    organizationId: FIRST,
    name: FIRST,
    location: FIRST,
    privacyMode: FIRST,
    unveilMinSeverity: FIRST,
    origin: FIRST,
    boundary: FIRST,
    plan: FIRST,
    thresholds: {
      inside: { ...sinceAlways(DEFAULT_THRESHOLDS), heat: { inside: sinceAlways(DEFAULT_THRESHOLDS.heat) } },
    },
    heatIndexC: FIRST,
    wind: FIRST,
  },
  zone: {
    id: FIRST,
    siteId: FIRST,
    name: FIRST,
    type: FIRST,
    ring: FIRST,
    assemblyPoint: FIRST,
    floors: FIRST,
  },
  worker: {
    id: FIRST,
    organizationId: FIRST,
    siteId: FIRST,
    externalId: FIRST,
    name: FIRST,
    contractor: FIRST,
    role: FIRST,
    isActive: FIRST,
    deviceId: FIRST,
  },
  device: {
    id: FIRST,
    organizationId: FIRST,
    siteId: FIRST,
    serial: FIRST,
    keyHash: FIRST,
    model: FIRST,
    status: FIRST,
    workerId: FIRST,
    emulated: FIRST,
    batteryLow: FIRST,
    silenceReported: FIRST,
    heatIndexC: FIRST,
    heatAlertedAt: FIRST,
  },
  vehicle: {
    id: FIRST,
    siteId: FIRST,
    type: FIRST,
    driverId: FIRST,
  },
  permit: {
    id: FIRST,
    siteId: FIRST,
    workerId: FIRST,
    zoneId: FIRST,
    reference: FIRST,
    until: FIRST,
    endedAt: FIRST,
  },
  stay: {
    id: FIRST,
    deviceId: FIRST,
    zoneId: FIRST,
    since: FIRST,
  },
  warning: {
    id: FIRST,
    deviceId: FIRST,
    at: FIRST,
    vehicleId: FIRST,
    vehicleType: FIRST,
    distanceM: FIRST,
    workerAcknowledgedAt: FIRST,
  },
  unveiling: {
    id: FIRST,
    by: FIRST,
    until: FIRST,
  },
  telemetry: {
    id: FIRST,
    fix: FIRST,
    batteryPct: FIRST,
    charging: FIRST,
    worn: FIRST,
    session: FIRST,
    firmware: FIRST,
    lastContactAt: FIRST,
    entering: FIRST,
    sun: FIRST,
    inSun: FIRST,
    stays: FIRST,
  },
  alert: {
    id: FIRST,
    organizationId: FIRST,
    type: FIRST,
    severity: FIRST,
    status: FIRST,
    createdAt: FIRST,
    modifiedAt: FIRST,
    site: FIRST,
    zone: FIRST,
    worker: FIRST,
    device: FIRST,
    location: FIRST,
    locationWithheld: FIRST,
    details: FIRST,
    nearby: FIRST,
    vehicleWarnings: FIRST,
    workerAcknowledgedAt: FIRST,
    acknowledged: FIRST,
    resolved: FIRST,
    assignedTo: FIRST,
    subject: FIRST,
    timeline: FIRST,
  },
  prompt: {
    id: FIRST,
    fallId: MAYBE,
    alertId: FIRST,
    deviceId: FIRST,
    siteId: FIRST,
    until: FIRST,
  },
  destination: {
    id: FIRST,
    organizationId: FIRST,
    clientId: FIRST,
    url: FIRST,
    eventTypes: FIRST,
    filters: FIRST,
    isActive: FIRST,
    failingSince: FIRST,
    createdAt: FIRST,
    secret: FIRST,
    previousSecret: FIRST,
    session: MAYBE,
  },
  delivery: {
    id: FIRST,
    eventId: FIRST,
    eventType: FIRST,
    destinationId: FIRST,
    priority: FIRST,
    eventAt: FIRST,
    slot: FIRST,
    due: FIRST,
    tries: FIRST,
    state: FIRST,
    lastStatus: FIRST,
    resentAt: MAYBE,
  },
  token: {
    id: FIRST,
    clientId: FIRST,
    scopes: FIRST,
    expiresAt: FIRST,
    revoked: FIRST,
  },
  heard: {
    id: FIRST,
    at: FIRST,
    content: MAYBE,
  },
  organizationClock: {
    id: FIRST,
    lastEventAt: FIRST,
    lastModifiedAt: FIRST,
  },
  muster: {
    id: FIRST,
    organizationId: FIRST,
    site: FIRST,
    status: FIRST,
    phase: FIRST,
    kind: FIRST,
    reason: FIRST,
    startedAt: FIRST,
    endedAt: FIRST,
    deadline: FIRST,
    origin: FIRST,
    targetsRevision: FIRST,
    targets: FIRST,
    exclusions: FIRST,
    totals: FIRST,
    safeAt: FIRST,
    contractors: FIRST,
    timeline: FIRST,
  },
  expected: {
    id: FIRST,
    musterId: FIRST,
    workerId: FIRST,
    counted: FIRST,
    status: FIRST,
    helpReason: FIRST,
    point: FIRST,
    declared: FIRST,
    marked: FIRST,
    missingTold: FIRST,
    since: FIRST,
    firstSafeAt: FIRST,
  },
  course: {
    id: FIRST,
    musterId: FIRST,
    number: FIRST,
    kind: FIRST,
    points: FIRST,
    samples: FIRST,
  },
  roll: {
    id: FIRST,
    at: FIRST,
    points: FIRST,
    contractors: FIRST,
    rows: FIRST,
  },
  guest: {
    id: FIRST,
    organizationId: FIRST,
    clientId: FIRST,
    siteIds: FIRST,
    receivers: FIRST,
    destinationIds: FIRST,
    before: FIRST,
  },
  lost: {
    id: FIRST,
    destinationId: FIRST,
    eventId: FIRST,
    eventType: FIRST,
    eventAt: FIRST,
  },
  mail: {
    id: FIRST,
    at: FIRST,
    organizationId: FIRST,
    destinationId: FIRST,
    to: FIRST,
    subject: FIRST,
    text: FIRST,
    waits: FIRST,
  },
  meta: {
    id: FIRST,
    salt: FIRST,
    origin: FIRST,
  },
  clock: {
    id: FIRST,
    now: FIRST,
    offsetMs: FIRST,
    strayMs: MAYBE,
  },
};

/** A stored document lacks a field that every document of its kind has. */
export class IncompleteDocument extends Error {
  override readonly name = 'IncompleteDocument';
}

/** The document with all fields of its kind. Throws `IncompleteDocument`. */
export function completed<K extends Kind>(kind: K, document: Documents[K]): Documents[K] {
  return filled(document, STORED[kind] as AnyFields, `${kind} ${document.id}`) as Documents[K];
}

/** StoredFields of any kind, without what their types say. */
interface AnyFields {
  readonly [name: string]: typeof FIRST | typeof MAYBE | Later<unknown> | { readonly inside: AnyFields };
}

/** The object itself where nothing is missing, as nearly always. */
function filled(object: object, fields: AnyFields, where: string): object {
  const missing: [string, unknown][] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (field === MAYBE) continue;
    const value = object[name as never] as unknown;
    if (field === FIRST) {
      if (value === undefined) throw new IncompleteDocument(`${where} has no "${name}"`);
    } else if ('later' in field) {
      if (value === undefined) missing.push([name, field.later]);
    } else if (value === undefined) throw new IncompleteDocument(`${where} has no "${name}"`);
    else if (value !== null) {
      const inner = filled(value as object, field.inside, `${where}, ${name}`);
      if (inner !== value) missing.push([name, inner]);
    }
  }
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}
