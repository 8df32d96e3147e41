import { Type } from 'typebox';
import { Entries } from 'typebox/format';
import { describe, expect, test } from 'vitest';
import { check, MAX_ERRORS } from '../../src/contract/check.ts';
import { explain } from '../../src/contract/explain.ts';
import { NAMED_SCHEMAS } from '../../src/contract/registry.ts';
import { AlertUpdate, WebhookCreate } from '../../src/contract/requests.ts';
import type { SchemaNode } from '../../src/contract/schema.ts';
import { AnyTime, AnyUuid, Duration, inline, nullable, Uuid } from '../../src/contract/shapes.ts';
import { SAMPLES } from './samples.ts';

const UPDATE = { status: 'acknowledged', actor: { name: 'Eva' } };
const mistakesOf = (schema: Parameters<typeof check>[0], value: unknown) => {
  const checked = check(schema, value);
  return checked.ok ? [] : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
};

test('importing the contract compiles nothing: the formats are set at the first check', async () => {
  const { FORMATS } = await import('../../src/contract/formats.ts');
  const ours = () =>
    Entries().some(([name, admits]) => name === 'date-time' && admits === FORMATS['date-time']?.admits);
  expect(ours()).toBe(false);
  expect(check(AnyTime, '2026-10-05T06:00:00Z').ok).toBe(true);
  expect(ours()).toBe(true);
});

describe('a broken rule is reported in a sentence with its place', () => {
  test.each([
    [
      { ...UPDATE, status: 'acknowledge' },
      '/status must be one of "acknowledged", "resolved"; did you mean "acknowledged"?',
    ],
    [{ ...UPDATE, status: 7 }, '/status must be one of "acknowledged", "resolved"'],
    [{ ...UPDATE, actor: {} }, '/actor/name is required'],
    [{ actor: UPDATE.actor }, '/status is required'],
    [{ ...UPDATE, notes: 'x' }, '/notes is not a known field; did you mean "note"?'],
    [{ ...UPDATE, resolutionReason: 'x' }, '/resolutionReason is not a known field; did you mean "resolution_reason"?'],
    [{ ...UPDATE, pulse: 140 }, '/pulse is not a known field'],
    [
      { ...UPDATE, actor: { name: 'Eva', external_di: 'x' } },
      '/actor/external_di is not a known field; did you mean "external_id"?',
    ],
    [{ ...UPDATE, note: 'x'.repeat(501) }, '/note must be at most 500 characters'],
    [{ ...UPDATE, resolution_reason: 'x'.repeat(201) }, '/resolution_reason must be at most 200 characters'],
    [{ ...UPDATE, actor: { name: 'x'.repeat(121) } }, '/actor/name must be at most 120 characters'],
    [{ ...UPDATE, actor: { name: '' } }, '/actor/name must not be empty'],
    [{ ...UPDATE, actor: { name: '' } }, '/actor/name must not be empty'],
    [{ ...UPDATE, note: 'a\0b' }, '/note must be well-formed Unicode without NUL'],
    [{ ...UPDATE, note: 'a\ud83d' }, '/note must be well-formed Unicode without NUL'],
    [{ ...UPDATE, note: null }, '/note must be a string; leave the key out instead of null'],
    [{ ...UPDATE, actor: 'Eva' }, '/actor must be an object'],
    [{ ...UPDATE, actor: [] }, '/actor must be an object'],
    ['acknowledged', ' must be an object'],
    [null, ' must be an object'],
    [undefined, ' must be an object'],
  ])('%j', (body, sentence) => {
    expect(mistakesOf(AlertUpdate, body)).toEqual([sentence]);
  });

  test.each([
    [{ url: 'https://a.example', event_types: [] }, '/event_types must not be empty'],
    [{ url: 'https://a.example', event_types: 'alert.*' }, '/event_types must be a list'],
    [
      { url: 'https://a.example', event_types: ['alert.*'], filters: { site_ids: ['x'] } },
      '/filters/site_ids/0 must be a UUID',
    ],
    [{ url: 1, event_types: ['alert.*'] }, '/url must be a string'],
    [
      { url: 'https://a.example', eventTypes: ['alert.*'] },
      '/event_types is required',
      '/eventTypes is not a known field; did you mean "event_types"?',
    ],
  ])('%j', (body, ...sentences) => {
    expect(mistakesOf(WebhookCreate, body)).toEqual(sentences);
  });

  test.each([
    [Type.Integer({ minimum: 1 }), 1.5, ' must be a whole number'],
    [Type.Integer({ minimum: 1 }), 0, ' must be at least 1'],
    [Type.Integer({ minimum: 0, maximum: 100 }), 101, ' must be between 0 and 100'],
    [Type.Number({ exclusiveMinimum: 0 }), 0, ' must be more than 0'],
    [Type.Number(), JSON.parse('1e999'), ' must be a number'],
    [Type.Boolean(), 'true', ' must be true or false'],
    [Type.Literal('Bearer'), 'bearer', ' must be "Bearer"'],
    [nullable(Type.Integer({ minimum: 0 })), 'x', ' must be a whole number or null'],
    [nullable(Type.Integer({ minimum: 0 })), -1, ' must be at least 0'],
    [nullable(inline({ id: Uuid })), {}, '/id is required'],
    [Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), [1], ' must have exactly 2 items'],
    [Type.Array(Type.Number(), { maxItems: 1 }), [1, 2], ' must have at most 1 item'],
    [Type.Union([Type.String(), Type.Array(Type.String())]), 7, ' must be a string or a list'],
    [Type.Union([Type.String(), Type.Array(Type.String())]), ['a', 7], '/1 must be a string'],
    [inline({ 'a/b~c': Type.String() }), {}, '/a~1b~0c is required'],
  ])('%j: %j', (schema, value, sentence) => {
    expect(mistakesOf(schema, value)).toEqual([sentence]);
  });

  test('lengths count code points: 500 emoji are 500 characters', () => {
    expect(check(AlertUpdate, { ...UPDATE, note: '🦺'.repeat(500) }).ok).toBe(true);
    expect(mistakesOf(AlertUpdate, { ...UPDATE, note: '🦺'.repeat(501) })).toEqual([
      '/note must be at most 500 characters',
    ]);
  });
});

describe('formats', () => {
  test.each([
    ['2026-10-05T06:00:00.000Z', true],
    ['2026-10-05T06:00:00Z', true],
    ['2026-10-05T08:00:00.5+02:00', true],
    ['2028-02-29T00:00:00Z', true],
    ['2026-02-29T00:00:00Z', false],
    ['2100-02-29T00:00:00Z', false],
    ['2026-04-31T00:00:00Z', false],
    ['2026-13-01T00:00:00Z', false],
    ['2026-00-10T00:00:00Z', false],
    ['2026-10-05T24:00:00Z', false],
    ['2026-10-05T06:60:00Z', false],
    ['2026-10-05T06:00:60Z', false],
    ['2026-10-05T06:00:00+24:00', false],
    ['2026-10-05T06:00:00', false],
    ['2026-10-05 06:00:00Z', false],
    ['2026-10-05T06:00:00 02:00', false],
    ['2026-10-05', false],
    ['1759644000', false],
    ['2026-10-05T06:00:00Z\n', false],
  ])('the time %j: %j', (value, admitted) => {
    expect(check(AnyTime, value).ok).toBe(admitted);
  });

  test.each([
    ['0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6f', true, true],
    ['0192f3c4-5b6a-4c8d-be0f-1a2b3c4d5e6f', true, true],
    // New ids are version 4 (base/ids); data folders of earlier releases have ids of version 8.
    ['0192f3c4-5b6a-7c8d-9e0f-1a2b3c4d5e6f', true, true],
    ['0192f3c4-5b6a-8c8d-9e0f-1a2b3c4d5e6f', true, true],
    // Another variant, or not as the service writes ids: a client may send them.
    ['0192f3c4-5b6a-9c8d-9e0f-1a2b3c4d5e6f', false, true],
    ['0192f3c4-5b6a-4c8d-ce0f-1a2b3c4d5e6f', false, true],
    ['0192F3C4-5B6A-4C8D-9E0F-1A2B3C4D5E6F', false, true],
    ['00000000-0000-0000-0000-000000000000', false, true],
    ['0192f3c45b6a7c8d9e0f1a2b3c4d5e6f', false, false],
    ['{0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6f}', false, false],
    ['0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6g', false, false],
    ['0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6f\n', false, false],
  ])('the id %j: ours %j, sent by others %j', (value, ours, sent) => {
    expect([check(Uuid, value).ok, check(AnyUuid, value).ok]).toEqual([ours, sent]);
  });

  test.each([
    ...['500ms', '45s', '2m', '1h30m', '24h', '1d', '1m500ms', '1d2h3m4s5ms'].map((text) => [text, true] as const),
    ...['', '10', '10:00', '1.5s', '-1s', '30m1h', '1h 30m', '5S', 's', '1s\n'].map((text) => [text, false] as const),
  ])('the duration %j: %j', (value, admitted) => {
    expect(check(Duration, value).ok).toBe(admitted);
  });
});

describe('weird input', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;

  test.each([
    ['a deeply nested value', { ...UPDATE, note: nested(5000) }, '/note'],
    ['a deeply nested unknown field', { ...UPDATE, x: nested(5000) }, '/x'],
    [
      'an own __proto__',
      JSON.parse('{"status":"acknowledged","actor":{"name":"E"},"__proto__":{"note":1}}'),
      '/__proto__',
    ],
    ['an own constructor', { ...UPDATE, constructor: 1 }, '/constructor'],
    ['a lone surrogate as a key', { ...UPDATE, '\ud800': 1 }, '/\ufffd'],
    ['an endless key', { ...UPDATE, ['k'.repeat(60_000)]: 1 }, `/${'k'.repeat(100)}…`],
    ['an object without a prototype', Object.assign(Object.create(null), UPDATE, { note: 1 }), '/note'],
  ])('%s is refused at its place', (_, body, pointer) => {
    const checked = check(AlertUpdate, body);
    expect(checked).toEqual({ ok: false, errors: [{ pointer, detail: expect.stringMatching(/^(is|must) /) }] });
  });

  test('what __proto__ holds does not count as fields', () => {
    expect(mistakesOf(AlertUpdate, JSON.parse(`{"__proto__":${JSON.stringify(UPDATE)}}`))).toEqual([
      '/status is required',
      '/actor is required',
      '/__proto__ is not a known field',
    ]);
  });

  test('thousands of broken rules make twenty sentences', () => {
    const body = { ...UPDATE, ...Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, i])) };
    expect(mistakesOf(AlertUpdate, body)).toHaveLength(MAX_ERRORS);
    const events = { url: 'https://a.example', event_types: Array.from({ length: 3000 }, () => 'nothing') };
    expect(mistakesOf(WebhookCreate, events)).toHaveLength(MAX_ERRORS);
  });

  test('the value comes back as it was', () => {
    const checked = check(AlertUpdate, UPDATE);
    expect(checked.ok && checked.value).toBe(UPDATE);
  });
});

test('the compiled check and the sentences are two readings of one schema', () => {
  const odd = [
    null,
    true,
    0,
    -1,
    1.5,
    101,
    '',
    ' ',
    'sos',
    'x\0',
    '\ud800',
    [],
    [null],
    {},
    { id: 1 },
    [[1, 2]],
    'false',
  ];
  let refused = 0;
  const differing: string[] = [];
  for (const [title, sample] of Object.entries(SAMPLES)) {
    const schema = NAMED_SCHEMAS[title]!;
    for (const [key, other] of Object.entries(sample).flatMap(([key]) => odd.map((value) => [key, value] as const))) {
      const value = { ...sample, [key]: other };
      const { ok } = check(schema, value);
      if ((explain(schema as SchemaNode, value).length === 0) !== ok)
        differing.push(`${title}.${key} = ${JSON.stringify(other)}`);
      if (!ok) refused += 1;
    }
  }
  expect(differing).toEqual([]);
  expect(refused).toBeGreaterThan(3000);
});
