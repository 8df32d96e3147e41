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

  // A new word or flag is a decision: an item, or a row in NO_ITEMS. A new nullable field is an item by itself.
  test('has each field with words, flags or null, or names the reason why it has not', () => {
    // `Alert.zone null` for the absence of a field, `Alert.type` for its words.
    const kindOf = (fact: string) => fact.replace(/=.*/, '');
    const isOpen = (kind: string) => !facts.some((fact) => kindOf(fact) === kind && inItems.has(fact));
    const kinds = new Set(facts.filter((fact) => !fact.endsWith(' value')).map(kindOf));
    expect([...kinds].filter(isOpen).toSorted()).toEqual(Object.values(NO_ITEMS).flat().toSorted());
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
