/**
 * The catalogue of coverage: what of the contract a client can meet, in nine groups. Operations, events, words and nullable fields
 * follow from the contract; refusals, deliveries and tokens are declared, and the compiler wants a decision for each problem code.
 */
import { sha256Hex } from '../../../base/ids.ts';
import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import { Event } from '../../../contract/events.ts';
import { updateAlert } from '../../../contract/operations/alerts.ts';
import { CONTRACT_OPERATIONS } from '../../../contract/operations/all.ts';
import type { ProblemCode } from '../../../contract/problems.ts';
import type { SchemaNode } from '../../../contract/schema.ts';
import { possibleFacts, valueFact, wordFact } from './facts.ts';

export const COVERAGE_GROUPS = [
  'operations',
  'refusals',
  'pages',
  'events',
  'alerts',
  'musters',
  'absence',
  'deliveries',
  'tokens',
] as const;
export type CoverageGroup = (typeof COVERAGE_GROUPS)[number];

export interface CoverageItem {
  /** Group and name, such as `operations/listAlerts`. It is stable. */
  readonly id: string;
  readonly group: CoverageGroup;
  readonly name: string;
  /** What the client has met, as a sentence. */
  readonly sentence: string;
  readonly clause: string;
  /** The facts of bodies that cover it: one of each list. Absent: a fold of requests or deliveries decides. */
  readonly facts?: readonly (readonly string[])[];
}

/** What a refusal means for a correct client: it can happen to it, or only a client's mistake causes it. [decisions 2] */
export const REFUSAL_OF: { readonly [K in ProblemCode]: string | 'mistake' } = {
  invalid_token: 'The token had ended (401), and a later request of the operation succeeded.',
  insufficient_scope: 'The scope of the token did not suffice (403), and the request was not repeated unchanged.',
  site_not_accessible: 'The client may not see the site (403), and the request was not repeated unchanged.',
  not_found: 'The object does not exist, or is not visible (404), and the request was not repeated unchanged.',
  invalid_transition:
    'The status of the alert did not allow the update (409), and the request was not repeated unchanged.',
  invalid_destination_url:
    'The address of the destination was refused (422), and the request was not repeated unchanged.',
  query_time_exceeded: 'The query time was used up (429), and a later request succeeded, not before Retry-After.',
  rate_limited: 'There were too many requests (429), and a later request succeeded, not before Retry-After.',
  internal_error: 'The service failed (500), and a later request of the operation succeeded.',
  storage_unavailable: 'The service was away for a time (503), and a later request of the operation succeeded.',
  request_timeout: 'The request did not arrive in time (408), and a later request of the operation succeeded.',
  // No operation of the contract answers with it.
  action_refused: 'mistake',
  malformed_request: 'mistake',
  malformed_json: 'mistake',
  method_not_allowed: 'mistake',
  payload_too_large: 'mistake',
  uri_too_long: 'mistake',
  unsupported_media_type: 'mistake',
  headers_too_large: 'mistake',
  validation_failed: 'mistake',
  invalid_cursor: 'mistake',
};

/** Refusals that a code alone does not name. */
const MORE_REFUSALS = {
  gateway: [
    'A gateway answered with HTML (502 or 504), and a later request of the operation succeeded.',
    'decisions 2',
  ],
  'token/invalid_client': [
    'The token endpoint refused the credentials (401), and a later token request succeeded.',
    'decisions 3',
  ],
  'token/limited': [
    'The token endpoint was limited (429), and a later token request succeeded, not before Retry-After.',
    'decisions 3',
  ],
} as const;

const DELIVERY_ITEMS = {
  duplicate: ['The same event was accepted twice at one destination.', 'spec 6.2'],
  late: ['A delivery was accepted a minute or more after its event.', 'spec 6.4'],
  'out-of-order': ['An older version of an object was accepted after a newer one.', 'spec 6.3'],
  retried: ['A delivery was accepted that had failed before.', 'spec 6.4'],
  'two-signatures': ['A delivery with two signatures, during a rotation, was accepted.', 'spec 5'],
  'new-signature': ['A delivery with the signature of the new secret alone was accepted, after a rotation.', 'spec 5'],
  'test-event': ['A test event was accepted.', 'spec 4'],
  'given-up': ['A delivery was given up, and the client read its event from GET /v1/events later.', 'spec 6.6'],
} as const;

const TOKEN_ITEMS = {
  reused: ['One token was used for several requests.', 'spec 4'],
  early: ['A token was renewed in the second half of its life, before it ended.', 'spec 4'],
  'after-401': ['A token was renewed after a request was refused with 401.', 'decisions 3'],
  'after-revocation': ['A token was renewed after it was revoked.', 'decisions 3'],
} as const;

/** Words of enumerations that are items, by field: the group, what the word is, and what stands before it in the name. */
const WORD_ITEMS: Readonly<Record<string, readonly [group: CoverageGroup, words: string, before: string]>> = {
  'Alert.type': ['alerts', 'an alert of the type', ''],
  'Alert.status': ['alerts', 'an alert with the status', ''],
  'Alert.severity': ['alerts', 'an alert of the severity', 'severity '],
  'SosDetails.trigger': ['alerts', 'an SOS with the trigger', 'SOS by '],
  'Nearby.kind': ['alerts', 'an alert with somebody nearby of the kind', 'nearby '],
  'Muster.kind': ['musters', 'a muster of the kind', ''],
  'Muster.phase': ['musters', 'a muster in the phase', ''],
  'Muster.status': ['musters', 'a muster with the status', ''],
  'Deadline.source': ['musters', 'a muster whose deadline has the source', 'deadline '],
  'AssemblyPoint.status': ['musters', 'an assembly point with the status', 'point '],
  'MissingWorker.status': ['musters', 'a missing worker with the status', 'missing '],
  'MissingWorker.help_reason': ['musters', 'a worker who cannot evacuate, with the reason', 'help '],
};

/** A second field that shows the same words. */
const ALSO_SHOWN: Readonly<Record<string, string>> = {
  'MissingWorker.help_reason': 'EvacuationHelpDetails.reason',
};

/** Flags that are items: the group, the sentence and the name. */
const FLAG_ITEMS: Readonly<Record<string, readonly [group: CoverageGroup, sentence: string, name: string]>> = {
  'FallDetails.escalated_to_sos': ['alerts', 'A fall that became an SOS was read.', 'escalated'],
  'HazardDetails.official': ['alerts', 'An official bulletin was read.', 'official bulletin'],
  'WorkerCallDetails.voice_note': ['alerts', 'A call request with a voice note was read.', 'voice note'],
  'MissingWorker.needs_rescue': ['musters', 'A missing worker who needs rescue was read.', 'needs rescue'],
  'AssemblyPoint.excluded.recommended': [
    'musters',
    'A recommended exclusion of an assembly point was read.',
    'recommended exclusion',
  ],
  'Location.masked': ['absence', 'A masked position was read: the point of a privacy zone.', 'masked position'],
  'Alert.location_withheld': [
    'absence',
    'An alert whose position is withheld was read.',
    'withheld position of an alert',
  ],
  'MissingWorker.location_withheld': [
    'absence',
    'A missing worker whose position is withheld was read.',
    'withheld position of a missing worker',
  ],
};

/** Fields whose words or flags are no items, and those whose absence is none (`FIELD null`), by the reason. */
export const NO_ITEMS: Readonly<Record<string, readonly string[]>> = {
  'what the client has asked for itself': [
    'WebhookDestination.event_types',
    'WebhookDestinationCreated.event_types',
    'WebhookFilters.contractors null',
    'WebhookFilters.min_severity',
    'WebhookFilters.min_severity null',
    'WebhookFilters.site_ids null',
  ],
  'properties of sites, zones, watches and positions, which a client shows as they are': [
    'Device.status',
    'Location.source',
    'MissingWorker.assembly_point.valid',
    'Site.privacy_mode',
    'Site.unveil_min_severity',
    'Zone.type',
    'ZoneAssemblyPoint.elevation_source',
    'ZoneAssemblyPoint.serves',
    'ZoneAssemblyPoint.vertical',
    'ZoneDetails.zone_type',
  ],
  'both values are usual, and nothing follows for a client': [
    'Device.worn',
    'HazardDetails.felt_at_site',
    'Position.in_vehicle',
    'WebhookDestination.is_active',
    'WebhookDestinationCreated.is_active',
    'Worker.is_active',
  ],
  'always true here': ['Alert.simulated'],
  'in the group of pages': [
    'AlertPage.next_cursor null',
    'DevicePage.next_cursor null',
    'EventPage.next_cursor null',
    'MusterPage.next_cursor null',
    'WorkerPage.next_cursor null',
  ],
  'null only in test events, which the group of deliveries has': [
    'AlertEvent.organization_id null',
    'MusterEvent.organization_id null',
  ],
  'a new destination has not failed yet': ['WebhookDestinationCreated.failing_since null'],
};

/** Facts that are items under a name of their own. */
const FACT_ITEMS: Readonly<Record<string, readonly [group: CoverageGroup, sentence: string, fact: string]>> = {
  reopened: ['alerts', 'An alert that was reopened was met.', wordFact('AlertEvent.type', 'alert.reopened')],
  'site-wide': ['alerts', 'An alert of the whole site, without a worker, was met.', valueFact('Alert.worker', false)],
};

const NO_ABSENCE: ReadonlySet<string> = new Set(Object.values(NO_ITEMS).flat());

/** The bodies that a client can read: answers of the contract, and events. */
export const BODY_SCHEMAS: readonly SchemaNode[] = [
  ...CONTRACT_OPERATIONS.flatMap(({ answers }) => Object.values(answers)).filter((schema) => schema !== null),
  Event,
] as readonly SchemaNode[];

/** Each fact once. */
const ALL_FACTS: readonly string[] = [...new Set(BODY_SCHEMAS.flatMap((schema) => [...possibleFacts(schema)]))];

const LISTS = CONTRACT_OPERATIONS.filter(({ query }) => query !== undefined && 'cursor' in query.properties);

/** `operationId`s of lists with pages. */
export const PAGED: ReadonlySet<string> = new Set(LISTS.map(({ operationId }) => operationId));

/** The name of the item of an operation; of the update of an alert, one for each status. */
export const operationName = (operationId: string, status?: unknown): string =>
  operationId === updateAlert.operationId ? `${operationId} ${String(status)}` : operationId;

type ItemEntry = Omit<CoverageItem, 'id' | 'group'>;

const grouped = (group: CoverageGroup, entries: readonly ItemEntry[]): CoverageItem[] =>
  entries.map((one) => ({ id: `${group}/${one.name}`, group, ...one }));

const declared = (entries: Readonly<Record<string, readonly [string, string]>>): ItemEntry[] =>
  Object.entries(entries).map(([name, [sentence, clause]]) => ({ name, sentence, clause }));

const operationEntries = (): ItemEntry[] =>
  CONTRACT_OPERATIONS.flatMap(({ operationId, method, path }) => {
    const isUpdate = operationId === updateAlert.operationId;
    return (isUpdate ? ['acknowledged', 'resolved'] : [undefined]).map((status) => ({
      name: operationName(operationId, status),
      sentence: `${method} ${path}${status === undefined ? '' : ` with the status ${status}`} succeeded.`,
      clause: 'spec 3',
    }));
  });

const refusalEntries = (): ItemEntry[] => [
  ...Object.entries(REFUSAL_OF)
    .filter(([, sentence]) => sentence !== 'mistake')
    .map(([name, sentence]) => ({ name, sentence, clause: 'spec 7' })),
  ...declared(MORE_REFUSALS),
];

const pageEntries = (): ItemEntry[] =>
  LISTS.flatMap(({ operationId, path }) => [
    { name: `${operationId} second page`, sentence: `A second page of GET ${path} was read.`, clause: 'spec 3' },
    { name: `${operationId} end`, sentence: `The last page of GET ${path} was read.`, clause: 'spec 3' },
  ]);

const eventEntries = (): ItemEntry[] =>
  EVENT_TYPES.map((type) => ({
    name: type,
    sentence: `An event ${type} was accepted by a receiver, or read.`,
    clause: 'spec 6',
    facts: [[wordFact('AlertEvent.type', type), wordFact('MusterEvent.type', type)]],
  }));

/** The words, flags and other facts of a group. */
function factEntries(group: CoverageGroup): ItemEntry[] {
  const words = Object.entries(WORD_ITEMS).filter(([, [own]]) => own === group);
  const flags = Object.entries(FLAG_ITEMS).filter(([, [own]]) => own === group);
  const facts = Object.entries(FACT_ITEMS).filter(([, [own]]) => own === group);
  return [
    ...words.flatMap(([field, [, what, before]]) =>
      ALL_FACTS.filter((fact) => fact.startsWith(`${field}=`)).map((fact) => {
        const word = fact.slice(field.length + 1);
        const also = ALSO_SHOWN[field];
        const facts = [[fact, ...(also === undefined ? [] : [wordFact(also, word)])]];
        return { name: `${before}${word}`, sentence: `The client met ${what} ${word}.`, clause: 'spec 2', facts };
      }),
    ),
    ...flags.map(([field, [, sentence, name]]) => ({
      name,
      sentence,
      clause: 'spec 2',
      facts: [[wordFact(field, true)]],
    })),
    ...facts.map(([name, [, sentence, fact]]) => ({ name, sentence, clause: 'spec 2', facts: [[fact]] })),
  ];
}

const absenceEntries = (): ItemEntry[] =>
  ALL_FACTS.filter((fact) => fact.endsWith(' null') && !NO_ABSENCE.has(fact))
    .map((fact) => fact.slice(0, -' null'.length))
    .map((field) => ({
      name: field,
      sentence: `${field} was read with a value, and without one.`,
      clause: 'spec 2',
      facts: [[valueFact(field, true)], [valueFact(field, false)]],
    }));

/** All items, by group. */
export const COVERAGE_ITEMS: readonly CoverageItem[] = [
  ...grouped('operations', operationEntries()),
  ...grouped('refusals', refusalEntries()),
  ...grouped('pages', pageEntries()),
  ...grouped('events', eventEntries()),
  ...grouped('alerts', factEntries('alerts')),
  ...grouped('musters', factEntries('musters')),
  ...grouped('absence', [...absenceEntries(), ...factEntries('absence')]),
  ...grouped('deliveries', declared(DELIVERY_ITEMS)),
  ...grouped('tokens', declared(TOKEN_ITEMS)),
];

/** Names the catalogue: coverages of different catalogues are not united. */
export const CATALOGUE: string = sha256Hex(
  COVERAGE_ITEMS.map(({ id, facts = [] }) => [id, ...facts.flat()].join(' ')).join('\n'),
).slice(0, 12);
