/** Which events a destination gets: its filters, cut to what the contract of its client shows. [decisions 7] */
import { describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../../../src/contract/enumerations.ts';
import {
  getsAlert,
  getsMuster,
  priorityOf,
  subscribes,
} from '../../../../src/service/domain/deliveries/subscription.ts';
import type { Alert, Destination } from '../../../../src/service/domain/world/documents.ts';

const ORGANIZATION = 'org';
const contract = (contractors: readonly string[] | null, scopes: readonly Scope[] = SCOPES) => ({
  organizationId: ORGANIZATION,
  contractors,
  scopes,
});
const destination = (filters: Destination['filters']) => ({ filters }) as Destination;
/** `undefined`: of the whole site. */
const alertOf = (contractor: string | null | undefined) =>
  ({
    organizationId: ORGANIZATION,
    site: { id: 'site' },
    severity: 'high',
    worker: contractor === undefined ? null : { contractor },
  }) as Alert;
const musterOf = (...contractors: string[]) => ({ site: { id: 'site', name: 'Site' }, contractors });

type Row = [
  what: string,
  filter: string[] | undefined,
  scope: string[] | null,
  about: string | null | undefined,
  gets: boolean,
];

const ALERTS: Row[] = [
  ['no filter, no scope', undefined, null, 'Norte', true],
  ['no filter, the company’s own worker', undefined, null, null, true],
  ['its contractor', ['Norte'], null, 'Norte', true],
  ['a contractor with a comma', ['Acme, Inc.'], null, 'Acme, Inc.', true],
  ['another contractor', ['Norte'], null, 'Sur', false],
  ['a worker of no contractor', ['Norte'], null, null, false],
  ['a site-wide alert', ['Norte'], null, undefined, true],
  ['within the scope', ['Norte'], ['Norte', 'Sur'], 'Norte', true],
  ['within the scope, another contractor of it', ['Norte'], ['Norte', 'Sur'], 'Sur', false],
  ['a name outside of the scope', ['Sur'], ['Norte'], 'Sur', false],
  ['a name outside of the scope, a worker of the scope', ['Sur'], ['Norte'], 'Norte', false],
  ['a name outside of the scope, site-wide', ['Sur'], ['Norte'], undefined, true],
  ['no filter, outside of the scope', undefined, ['Norte'], 'Sur', false],
];

const MUSTERS: Row[] = [
  ['no filter, no scope', undefined, null, 'Sur', true],
  ['no filter, scoped: musters are not', undefined, ['Norte'], 'Sur', true],
  ['expects one of its workers', ['Sur'], null, 'Sur', true],
  ['expects none of them', ['Norte'], null, 'Sur', false],
  ['expects somebody whom the client may not see', ['Sur'], ['Norte'], 'Sur', false],
  ['within the scope', ['Norte'], ['Norte'], 'Norte', true],
];

const filtersOf = (contractors: string[] | undefined) => (contractors === undefined ? {} : { contractors });

describe('a destination gets', () => {
  test.each(ALERTS)('an alert: %s', (_what, filter, scope, about, gets) => {
    expect(getsAlert(destination(filtersOf(filter)), contract(scope), alertOf(about))).toBe(gets);
  });

  test.each(MUSTERS)('a muster: %s', (_what, filter, scope, about, gets) => {
    expect(getsMuster(destination(filtersOf(filter)), contract(scope), musterOf(about ?? ''))).toBe(gets);
  });

  const OTHER_FILTERS: readonly [what: string, filters: Destination['filters'], alert: boolean, muster: boolean][] = [
    ['its site', { siteIds: ['site'] }, true, true],
    ['one of its sites', { siteIds: ['other', 'site'] }, true, true],
    ['another site', { siteIds: ['other'] }, false, false],
    ['a lower severity', { minSeverity: 'low' }, true, true],
    ['the same severity', { minSeverity: 'high' }, true, true],
    ['a higher severity, which does not restrict musters', { minSeverity: 'critical' }, false, true],
    ['its site and a higher severity', { siteIds: ['site'], minSeverity: 'critical' }, false, true],
    ['another site and a lower severity', { siteIds: ['other'], minSeverity: 'low' }, false, false],
  ];
  test.each(OTHER_FILTERS)('by filter: %s', (_what, filters, alert, muster) => {
    expect(getsAlert(destination(filters), contract(null), alertOf('Norte'))).toBe(alert);
    expect(getsAlert(destination(filters), contract(null), alertOf(undefined))).toBe(alert);
    expect(getsMuster(destination(filters), contract(null), musterOf('Norte'))).toBe(muster);
  });

  test('no alert of another company', () => {
    const theirs = { ...alertOf('Norte'), organizationId: 'another' };
    expect(getsAlert(destination({}), contract(null), theirs)).toBe(false);
  });

  const TYPES: readonly [
    wanted: Destination['eventTypes'][number],
    type: 'alert.created' | 'alert.resolved' | 'muster.updated',
    gets: boolean,
  ][] = [
    ['alert.*', 'alert.created', true],
    ['alert.*', 'muster.updated', false],
    ['muster.*', 'muster.updated', true],
    ['muster.*', 'alert.created', false],
    ['alert.created', 'alert.created', true],
    ['alert.created', 'alert.resolved', false],
    ['muster.updated', 'muster.updated', true],
  ];
  test.each(TYPES)('subscribed to %s: %s is %s', (wanted, type, gets) => {
    expect(subscribes({ eventTypes: [wanted] } as unknown as Destination, type)).toBe(gets);
    expect(subscribes({ eventTypes: ['alert.reopened', wanted] } as unknown as Destination, type)).toBe(gets);
  });

  test.each([
    ['sos', 0],
    ['fall_detected', 0],
    ['evacuation_help', 0],
    ['low_battery', 2],
    ['earthquake', 2],
  ] as const)('%s with priority %i, and musters between', (type, priority) => {
    expect(priorityOf('alert.created', { ...alertOf('Norte'), type })).toBe(priority);
    expect(priorityOf('muster.updated', null)).toBe(1);
    expect(priorityOf('alert.created', null)).toBe(2);
  });

  test('nothing that the scopes of the contract do not show', () => {
    const lacks = (scope: Scope) =>
      contract(
        null,
        SCOPES.filter((one) => one !== scope),
      );
    expect(getsAlert(destination({}), lacks('alerts:read'), alertOf('Norte'))).toBe(false);
    expect(getsAlert(destination({}), lacks('musters:read'), alertOf('Norte'))).toBe(true);
    expect(getsMuster(destination({}), lacks('musters:read'), musterOf('Norte'))).toBe(false);
    expect(getsMuster(destination({}), lacks('alerts:read'), musterOf('Norte'))).toBe(true);
  });
});
