import { describe, expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { Event } from '../../src/contract/events.ts';
import {
  OAUTH_ERROR_CODES,
  OAUTH_ERRORS,
  oauthErrorsWith,
  PROBLEM_CODES,
  PROBLEMS,
  problemSlug,
} from '../../src/contract/problems.ts';
import { SAMPLES } from './samples.ts';

test('the codes and their statuses are those of decisions 2', () => {
  const statuses = Object.fromEntries(PROBLEM_CODES.map((code) => [code, PROBLEMS[code].status]));
  expect(statuses).toEqual({
    malformed_request: 400,
    malformed_json: 400,
    invalid_token: 401,
    insufficient_scope: 403,
    site_not_accessible: 403,
    not_found: 404,
    method_not_allowed: 405,
    request_timeout: 408,
    payload_too_large: 413,
    uri_too_long: 414,
    unsupported_media_type: 415,
    headers_too_large: 431,
    invalid_transition: 409,
    validation_failed: 422,
    invalid_destination_url: 422,
    invalid_cursor: 422,
    rate_limited: 429,
    query_time_exceeded: 429,
    internal_error: 500,
    storage_unavailable: 503,
    action_refused: 409,
  });
});

describe.each(PROBLEM_CODES)('the problem %s', (code) => {
  test('says what happened and what to do, in whole sentences', () => {
    const { title, explanation, fix } = PROBLEMS[code];
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(explanation).toMatch(/^[A-Z].*\.$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  });

  test('has an address of its own', () => {
    expect(problemSlug(code)).toBe(code.split('_').join('-'));
    expect(PROBLEM_CODES.filter((other) => problemSlug(other) === problemSlug(code))).toEqual([code]);
  });
});

test('the token endpoint has the five codes of the specification', () => {
  expect(OAUTH_ERROR_CODES.join(' ')).toBe(
    'invalid_request invalid_client unauthorized_client unsupported_grant_type invalid_scope',
  );
});

test.each(OAUTH_ERROR_CODES)('the OAuth error %s says what happened and what to do, in whole sentences', (code) => {
  const { explanation, fix } = OAUTH_ERRORS[code];
  expect(explanation).toMatch(/^[A-Z].*\.$/);
  expect(fix).toMatch(/^[A-Z].*\.$/);
});

test('413, 415 and 429 of the token endpoint have the codes of decisions 2', () => {
  expect([413, 415, 429].map(oauthErrorsWith)).toEqual([
    ['invalid_request'],
    ['invalid_request'],
    ['invalid_request', 'invalid_client'],
  ]);
});

describe('an event', () => {
  const errorsOf = (event: unknown) => {
    const checked = check(Event, event);
    return checked.ok ? [] : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  };
  const { AlertEvent, MusterEvent } = SAMPLES;

  test.each([
    ['of an alert', AlertEvent, []],
    ['of a muster', MusterEvent, []],
    ['of a test, without an organization', { ...AlertEvent, organization_id: null }, []],
    [
      'of an alert with a muster in it',
      { ...AlertEvent, data: MusterEvent?.data },
      ['/data/alert is required', '/data/muster is not a known field'],
    ],
    ['of another version', { ...AlertEvent, api_version: '2025-01-01' }, ['/api_version must be "2026-09-24"']],
  ])('%s', (_name, event, sentences) => {
    expect(errorsOf(event)).toEqual(sentences);
  });

  test('of an unknown type gets one sentence', () => {
    const sentences = errorsOf({ ...AlertEvent, type: 'alert.closed' });
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(/^\/type must be one of "alert.created", .*"muster.ended"/);
  });
});
