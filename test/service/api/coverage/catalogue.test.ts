/** The catalogue of coverage is complete: what the contract has is an item, or is declared not to be one. */
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../../src/contract/enumerations.ts';
import { CONTRACT_OPERATIONS } from '../../../../src/contract/operations/all.ts';
import { PROBLEM_CODES } from '../../../../src/contract/problems.ts';
import {
  BODY_SCHEMAS,
  CATALOGUE,
  COVERAGE_GROUPS,
  COVERAGE_ITEMS,
  NO_ITEMS,
  REFUSAL_OF,
} from '../../../../src/service/api/coverage/catalogue.ts';
import { factsOf, planOf, possibleFacts } from '../../../../src/service/api/coverage/facts.ts';

const ids = new Set(COVERAGE_ITEMS.map(({ id }) => id));
const facts = [...new Set(BODY_SCHEMAS.flatMap((schema) => [...possibleFacts(schema)]))];
const inItems = new Set(COVERAGE_ITEMS.flatMap((item) => item.facts?.flat() ?? []));

describe('the catalogue', () => {
  test('has each item once, with a sentence and a clause, in the nine groups', () => {
    expect(ids.size).toBe(COVERAGE_ITEMS.length);
    expect(COVERAGE_ITEMS.filter(({ sentence, clause }) => !/[.:]/.test(sentence) || clause === '')).toEqual([]);
    expect(new Set(COVERAGE_ITEMS.map(({ group }) => group))).toEqual(new Set(COVERAGE_GROUPS));
    expect(CATALOGUE).toMatch(/^[0-9a-f]{12}$/);
  });

  test('has each operation of the contract, and the update of an alert for each of its statuses', () => {
    const missing = CONTRACT_OPERATIONS.map(({ operationId }) => operationId).filter(
      (name) => !ids.has(`operations/${name}`),
    );
    expect(missing).toEqual(['updateAlert']);
    expect(COVERAGE_ITEMS.filter(({ group }) => group === 'operations')).toHaveLength(CONTRACT_OPERATIONS.length + 1);
  });

  test('has each problem code that can happen to a correct client, and no other', () => {
    for (const code of PROBLEM_CODES)
      expect([code, ids.has(`refusals/${code}`)]).toEqual([code, REFUSAL_OF[code] !== 'mistake']);
  });

  test('has each event type', () => {
    expect(EVENT_TYPES.filter((type) => !ids.has(`events/${type}`))).toEqual([]);
  });

  test('has each field that can be null or absent, or names the reason why it has not', () => {
    const fields = facts
      .filter((fact) => fact.endsWith(' null') && !inItems.has(fact))
      .map((fact) => fact.slice(0, -5));
    const reasonOf = (field: string) => Object.keys(NO_ITEMS).find((part) => field.includes(part));
    expect(fields.filter((field) => reasonOf(field) === undefined)).toEqual([]);
  });

  test('has each word of a status, a kind or a type, except for what a client shows as it is', () => {
    const fields = new Set(facts.filter((fact) => fact.includes('=')).map((fact) => fact.split('=')[0] as string));
    const open = [...fields].filter(
      (field) => !facts.some((fact) => fact.startsWith(`${field}=`) && inItems.has(fact)),
    );
    // A new field of this kind is a decision: an item, or a row here.
    expect(open.toSorted()).toEqual([
      'Alert.simulated',
      'Device.status',
      'Device.worn',
      'HazardDetails.felt_at_site',
      'Location.source',
      'MissingWorker.assembly_point.valid',
      'Position.in_vehicle',
      'Site.privacy_mode',
      'Site.unveil_min_severity',
      'WebhookDestination.event_types',
      'WebhookDestination.is_active',
      'WebhookDestinationCreated.event_types',
      'WebhookDestinationCreated.is_active',
      'WebhookFilters.min_severity',
      'Worker.is_active',
      'Zone.type',
      'ZoneAssemblyPoint.elevation_source',
      'ZoneAssemblyPoint.serves',
      'ZoneAssemblyPoint.vertical',
      'ZoneDetails.zone_type',
    ]);
  });
});

test('a body shows its facts by the variant that it is', () => {
  const alert = BODY_SCHEMAS.find(({ title }) => title === 'Event');
  const seen = new Set<string>();
  const muster = { id: 'm', kind: 'tsunami', reason: null, totals: { expected: 1, help: null } };
  factsOf(planOf(alert!), { id: 'e', type: 'muster.started', organization_id: 'o', data: { muster } }, (fact) =>
    seen.add(fact),
  );
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'MusterEvent.type=muster.started',
      'Muster.kind=tsunami',
      'Muster.reason null',
      'Totals.help null',
    ]),
  );
  expect([...seen].filter((fact) => fact.startsWith('Alert'))).toEqual([]);
});
