import type { TObject } from 'typebox';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { readQuery } from '../../src/contract/query.ts';
import * as requests from '../../src/contract/requests.ts';
import { ID } from './samples.ts';

const read = (schema: TObject, query: string) => readQuery(schema, query);
const readOut = (schema: TObject, query: string) => {
  const checked = read(schema, query);
  return checked.ok ? checked.value : checked.errors;
};

describe('a token request', () => {
  const request = { grant_type: 'client_credentials', client_id: 'c', client_secret: 's' };

  test('may leave out the scope, and may carry parameters that nobody knows [RFC 6749 3.2]', () => {
    expect(check(requests.TokenRequest, request).ok).toBe(true);
    expect(check(requests.TokenRequest, { ...request, scope: 'alerts:read', audience: 'x' }).ok).toBe(true);
  });

  test.each(['grant_type', 'client_id', 'client_secret'])('is refused without %s', (key) => {
    const { [key]: _, ...rest } = request as Record<string, string>;
    expect(check(requests.TokenRequest, rest)).toEqual({
      ok: false,
      errors: [{ pointer: `/${key}`, detail: 'is required' }],
    });
  });

  test('knows one grant', () => {
    expect(check(requests.TokenRequest, { ...request, grant_type: 'password' })).toEqual({
      ok: false,
      errors: [{ pointer: '/grant_type', detail: 'must be "client_credentials"' }],
    });
  });
});

describe('the filters of a destination', () => {
  const create = (filters: unknown) =>
    check(requests.WebhookCreate, { url: 'https://a.example', event_types: ['muster.*', 'alert.created'], filters });

  test.each([
    [{}],
    [{ site_ids: [ID] }],
    [{ min_severity: 'low' }],
    [{ contractors: ['Norte, S.L.'] }],
  ])('%j', (filters) => {
    expect(create(filters).ok).toBe(true);
  });

  test.each([
    [null],
    [[]],
    [{ min_severity: 'severe' }],
    [{ contractors: [''] }],
    [{ sites: [ID] }],
    [{ site_ids: ID }],
  ])('%j is refused', (filters) => {
    expect(create(filters).ok).toBe(false);
  });
});

describe('the query of a list', () => {
  test.each([
    ['ZonesQuery', requests.ZonesQuery, 'type'],
    [
      'AlertsQuery',
      requests.AlertsQuery,
      'contractor created_after created_before cursor limit min_severity modified_since simulated site_id status type worker_id',
    ],
    ['MustersQuery', requests.MustersQuery, 'cursor kind limit site_id status'],
    ['WorkersQuery', requests.WorkersQuery, 'contractor cursor external_id is_active limit site_id'],
    ['DevicesQuery', requests.DevicesQuery, 'cursor limit site_id status worn'],
    ['PositionsQuery', requests.PositionsQuery, 'site_id'],
    ['EventsQuery', requests.EventsQuery, 'created_after created_before cursor limit site_id type'],
    ['SitesQuery', requests.SitesQuery, ''],
    ['NoQuery', requests.NoQuery, ''],
  ] as const)('%s knows its parameters', (_, query, parameters) => {
    expect(Object.keys(query.properties).sort().join(' ')).toBe(parameters);
    expect(readOut(query, 'colour=red')).toEqual([{ pointer: '?colour', detail: 'is not a known parameter' }]);
  });

  test('takes a comma list and a repeated parameter for the same', () => {
    const both = { status: ['unacknowledged', 'acknowledged'], limit: 50 };
    expect(readOut(requests.AlertsQuery, 'status=unacknowledged,acknowledged')).toEqual(both);
    expect(readOut(requests.AlertsQuery, 'status=unacknowledged&status=acknowledged')).toEqual(both);
    expect(readOut(requests.AlertsQuery, 'status=unacknowledged%2Cacknowledged')).toEqual(both);
    // Both readings: one name with a comma, or two names.
    expect(readOut(requests.AlertsQuery, 'contractor=Acme%2C%20Inc.,Norte')).toEqual({
      contractor: ['Acme, Inc.', 'Acme', 'Inc.', 'Norte'],
      limit: 50,
    });
    expect(readOut(requests.AlertsQuery, 'status=resolved')).toEqual({ status: ['resolved'], limit: 50 });
    const id = '0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6f';
    expect(readOut(requests.AlertsQuery, `worker_id=${id.toUpperCase()}`)).toEqual({ worker_id: [id], limit: 50 });
  });

  test('turns words into numbers and booleans, and leaves times as they were written', () => {
    const query = 'simulated=false&limit=200&created_after=2026-10-05T08:00:00%2B02:00&cursor=abc';
    expect(readOut(requests.AlertsQuery, query)).toEqual({
      simulated: false,
      limit: 200,
      created_after: '2026-10-05T08:00:00+02:00',
      cursor: 'abc',
    });
    expect(readOut(requests.DevicesQuery, 'worn=true')).toEqual({ worn: true, limit: 50 });
    expect(readOut(requests.PositionsQuery, '')).toEqual({});
  });

  test.each(['1', '9', '10', '50', '99', '100', '199', '200', '007'])('takes limit=%s', (limit) => {
    expect(readOut(requests.EventsQuery, `limit=${limit}`)).toEqual({ limit: Number(limit) });
  });

  test.each(['0', '201', '1000', '-1', '1.5', '', 'ten', '1e1', '0x10', ' 5', '00'])('refuses limit=%s', (limit) => {
    const rule = { pointer: '?limit', detail: 'must be a whole number from 1 to 200' };
    expect(readOut(requests.EventsQuery, `limit=${limit}`)).toEqual([rule]);
  });

  test.each([
    ['status=open', '?status', /^must be one of "unacknowledged", "acknowledged", "resolved"/],
    ['status=', '?status', /^must be one of/],
    ['statsu=resolved', '?statsu', /^is not a known parameter; did you mean "status"\?$/],
    ['site_id=plant', '?site_id', /^must be a UUID$/],
    ['simulated=yes', '?simulated', /^must be one of "true", "false"$/],
    ['simulated=true&simulated=true', '?simulated', /^must be given only once$/],
    ['limit=5&limit=6', '?limit', /^must be given only once$/],
    ['min_severity=low,high', '?min_severity', /^must be one of "low"/],
    ['modified_since=yesterday', '?modified_since', /^must be a real date and time after RFC 3339/],
    ['created_after=2026-02-30T00:00:00Z', '?created_after', /^must be a real date/],
    ['cursor=', '?cursor', /^must not be empty$/],
    ['__proto__=1', '?__proto__', /^is not a known parameter$/],
    ['a/b=1', '?a/b', /^is not a known parameter$/],
  ])('refuses %s and names the parameter', (query, pointer, detail) => {
    expect(readOut(requests.AlertsQuery, query)).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
  });

  test('the event log is asked by types and groups', () => {
    expect(readOut(requests.EventsQuery, 'type=alert.*,muster.ended')).toEqual({
      type: ['alert.*', 'muster.ended'],
      limit: 50,
    });
  });
});
