import fc from 'fast-check';
import type { TObject, TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/contract/check.ts';
import { TOKEN_PATH } from '../../../src/contract/operations/operation.ts';
import { Problem } from '../../../src/contract/problems.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import { allRoutes } from '../../../src/service/api/routes/all.ts';
import { isWhole } from '../../helpers/whole.ts';
import { SITE } from '../domain/small-world.ts';
import { fitting, spoilt } from './arbitrary.ts';
import { type Answer, ApiHarness } from './harness.ts';

/** FUZZ_RUNS=2000 for more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? (isWhole ? 16 : 8));
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** Answers that the state of the world allows to a valid request. */
const EXPLAINED = new Set([403, 404, 409]);

const routes = allRoutes(new RateLimiter()).filter(
  ({ path }) => path !== TOKEN_PATH && !path.startsWith('/v1/sandbox/'),
);

let harness: ApiHarness;
let token: string;
let alerts: string[];
beforeAll(async () => {
  harness = await ApiHarness.start();
  alerts = [await harness.sos(1), await harness.sos(2)];
  token = await harness.token();
  harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
});
afterAll(() => harness.stop());

const known = (key: string): fc.Arbitrary<unknown> | undefined => {
  if (key === 'site_id' || key === 'site_ids')
    return fc.constantFrom(SITE, SITE, '00000000-0000-4000-8000-000000000000');
  if (key === 'cursor') return fc.constantFrom('abc', 'WyJ4IiwieSJd');
  if (key === 'url')
    return fc.constantFrom('https://receiver.example/h', 'http://receiver.example/', 'https://127.0.0.1/');
  return undefined;
};

const pathOf = (path: string): fc.Arbitrary<string> =>
  fc
    .record({
      alert: fc.constantFrom(...alerts),
      other: fc.oneof(fc.uuid(), fc.constantFrom('nope', '%20', '{}', 'ñ')),
    })
    .map(({ alert, other }) =>
      path.replace(':alert_id', alert).replace(':site_id', SITE).replace(/:\w+/g, encodeURIComponent(other)),
    );

/** A list is written as repeated parameters; a comma within a value is encoded. */
function queryText(query: Record<string, unknown>): string {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) pairs.append(key, String(one));
    else pairs.append(key, String(value));
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}

/** Every answer conforms to the contract. */
function fits(answer: Answer, schemas: Readonly<Record<number, TSchema | null>>): void {
  if (answer.status < 300) {
    const schema = schemas[answer.status];
    expect(schema, `an undocumented success ${answer.status}`).not.toBeUndefined();
    if (schema == null) expect(answer.body).toBeNull();
    else expect(check(schema, answer.body)).toMatchObject({ ok: true });
    return;
  }
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(check(Problem, answer.body)).toMatchObject({ ok: true });
  expect(answer.status).toBeLessThan(500);
}

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  const query = route.query as TObject | undefined;
  const queries = query === undefined ? fc.constant({}) : fitting(query as never, known);
  const bodies = route.body === undefined ? fc.constant(undefined) : fitting(route.body as never, known);

  test('answers any request without a fault as the state explains', async () => {
    const requests = fc.record({
      path: fc.constant(null).chain(() => pathOf(route.path)),
      query: queries,
      body: bodies,
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, query: parameters, body }) => {
        const answer = await harness.call(route.method, `${path}${queryText(parameters as Record<string, unknown>)}`, {
          token,
          ...(body === undefined ? {} : { body }),
        });
        fits(answer, route.answers);
        const code = answer.body?.code;
        const ok =
          answer.status < 300 ||
          EXPLAINED.has(answer.status) ||
          code === 'invalid_cursor' ||
          code === 'invalid_destination_url';
        // At most twenty destinations, a reason for resolving only, and a window that is turned round are rules beyond the schema.
        const beyond =
          code === 'validation_failed' && /destinations|resolving|created_before/.test(JSON.stringify(answer.body));
        expect([answer.status, ok || beyond, answer.body?.detail]).toEqual([answer.status, true, answer.body?.detail]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  if (route.body !== undefined)
    test('refuses any body that is spoilt, and never breaks', async () => {
      const requests = fc.record({
        path: fc.constant(null).chain(() => pathOf(route.path)),
        body: spoilt(route.body as never, known),
      });
      await fc.assert(
        fc.asyncProperty(requests, async ({ path, body }) => {
          const answer = await harness.call(route.method, path, { token, body });
          const sound = check(route.body as TSchema, body).ok;
          if (sound) return;
          fits(answer, {});
          expect(answer.status).toBe(422);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    });

  test('refuses an unknown parameter, and never breaks on any text of a query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => pathOf(route.path)),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        async (path, text) => {
          const answer = await harness.call(route.method, `${path}?zz${encodeURIComponent(text)}`, {
            token,
            ...(route.body === undefined ? {} : { body: {} }),
          });
          fits(answer, {});
          expect(answer.status).toBe(422);
        },
      ),
      { numRuns: Math.ceil(RUNS / 3), seed: SEED },
    );
  });
});
