/** No vital sign has a place in any schema: none can come in, and none can leave. [spec 1.2] */
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { NAMED_SCHEMAS } from '../../../src/contract/registry.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import { allRoutes } from '../../../src/service/api/routes/all.ts';

const VITAL =
  /pulse|heart|bpm|spo2|oxygen|saturation|temperature_body|body_temperature|ecg|hrv|blood|respirat|stress_level/i;

/** Every key of every object that a schema describes, with its place. */
function keysOf(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((part) => keysOf(part, at));
  return Object.entries(schema).flatMap(([word, value]) => {
    if (word !== 'properties' && word !== 'patternProperties') return keysOf(value, at);
    return Object.entries(value as object).flatMap(([key, part]) => [`${at}/${key}`, ...keysOf(part, `${at}/${key}`)]);
  });
}

/** Objects of a schema that would let any further key through. */
function openObjects(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties, additionalProperties } = schema as Record<string, unknown>;
  const here = type === 'object' && properties !== undefined && additionalProperties !== false ? [at] : [];
  return [
    ...here,
    ...Object.entries(schema).flatMap(([word, value]) =>
      word === 'if' || word === 'then' ? [] : openObjects(value, `${at}/${word}`),
    ),
  ];
}

const routes = allRoutes(new RateLimiter());
const schemasOf = (route: (typeof routes)[number]): [string, TSchema | null | undefined][] => [
  ['query', route.query],
  ['body', route.body],
  ...Object.entries(route.answers).map(([status, schema]): [string, TSchema | null] => [status, schema]),
];

describe('a vital sign', () => {
  test('would be found if it had a place', () => {
    const planted = {
      type: 'array',
      items: { anyOf: [{ properties: { worker: { properties: { heart_rate: {} } } } }] },
    };
    expect(keysOf(planted, '').filter((key) => VITAL.test(key))).toEqual(['/worker/heart_rate']);
  });

  test.each(Object.entries(NAMED_SCHEMAS))('has no place in %s', (name, schema) => {
    expect(keysOf(schema, name).filter((key) => VITAL.test(key))).toEqual([]);
  });

  test.each(
    routes.map((route) => [`${route.method} ${route.path}`, route] as const),
  )('has no place in %s', (name, route) => {
    const keys = schemasOf(route).flatMap(([part, schema]) => keysOf(schema, `${name} ${part}`));
    expect(keys.filter((key) => VITAL.test(key))).toEqual([]);
  });

  const production = routes.filter(({ path }) => !path.startsWith('/v1/sandbox/'));
  test.each(
    production.map((route) => [`${route.method} ${route.path}`, route] as const),
  )('cannot slip into an answer of %s, whose objects are closed', (name, route) => {
    const answers = schemasOf(route).filter(([part]) => /^\d/.test(part));
    expect(answers.flatMap(([part, schema]) => openObjects(schema, `${name} ${part}`))).toEqual([]);
  });
});
