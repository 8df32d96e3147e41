import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_ASSUMPTIONS, GAPS, SWITCHES } from '../../../src/contract/gaps.ts';
import { nextAttempt, nextDelay } from '../../../src/service/domain/deliveries/retry-schedule.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';

let harness: ApiHarness;
afterEach(() => harness?.stop());

const json = { grant_type: 'client_credentials', client_id: 'harbour_co', client_secret: SECRET };

describe('one client under both readings', () => {
  test.each([
    ['on', 200, undefined],
    ['off', 415, 'invalid_request'],
  ] as const)('a token request as JSON, token-json=%s, answers %i', async (value, status, error) => {
    harness = await ApiHarness.start({ assumptions: { 'token-json': value } });
    const answer = await harness.call('POST', '/v1/oauth/token', { body: json });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(await harness.token()).toEqual(expect.any(String));
  });

  test.each([
    ['generic', 'Customer operator (via integration)'],
    ['actor', 'Desk 2 (via integration)'],
  ] as const)('an update through the API, by-label=%s, is by "%s"', async (value, by) => {
    harness = await ApiHarness.start({ assumptions: { 'by-label': value } });
    const id = await harness.sos(1);
    const token = await harness.token();
    const { body } = await harness.call('PATCH', `/v1/alerts/${id}`, {
      token,
      body: { status: 'acknowledged', actor: { name: 'Desk 2' } },
    });
    expect(body).toMatchObject({ acknowledged: { by }, assigned_to: by });
  });

  test.each([
    ['oauth', 'application/json', { error: 'invalid_client' }],
    ['problem', 'application/problem+json', { code: 'rate_limited' }],
  ] as const)('a limited token request, limited-token=%s, answers %s', async (value, type, body) => {
    harness = await ApiHarness.start({ assumptions: { 'limited-token': value } });
    // Not by the harness, which compares with the document of a sandbox without switches.
    const wrong = { method: 'POST', body: new URLSearchParams({ ...json, client_secret: 'x' }) };
    const refused = () => fetch(`${harness.url}/v1/oauth/token`, wrong);
    for (let attempt = 0; attempt < 20; attempt++) await refused();
    const answer = await refused();
    expect(answer.status).toBe(429);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]/);
    expect(await answer.json()).toMatchObject(body);
  });

  test('retries from the event are 30 attempts with the last at 24 h; from the failed attempt they are fewer', () => {
    const walk = (following: typeof nextAttempt): number[] => {
      const offsets = [0];
      for (let next = following(0, 0, 0); next !== null; next = following(0, next.slot, next.due))
        offsets.push(next.due / 1_000);
      return offsets;
    };
    expect(walk(nextAttempt).slice(0, 8)).toEqual([0, 10, 30, 120, 600, 1_800, 3_600, 7_200]);
    expect([walk(nextAttempt).length, walk(nextAttempt).at(-1)]).toEqual([30, 86_400]);
    expect(walk(nextDelay).slice(0, 8)).toEqual([0, 10, 40, 160, 760, 2_560, 6_160, 9_760]);
    expect(walk(nextDelay)).toHaveLength(29);
    expect(walk(nextDelay).at(-1)).toBeLessThanOrEqual(86_400);
  });
});

describe('the gaps', () => {
  test('have an id, a clause, a question and an answer each, and every switch is one of them', () => {
    expect(new Set(GAPS.map(({ id }) => id)).size).toBe(GAPS.length);
    for (const { clause, question, here } of GAPS)
      for (const text of [clause, question, here]) expect(text).not.toBe('');
    const switches = GAPS.flatMap((gap) => (gap.switch === null ? [] : [gap.switch.split('=')[0]]));
    expect(switches.sort()).toEqual(Object.keys(SWITCHES).sort());
    for (const [name, [first]] of Object.entries(SWITCHES)) expect(DEFAULT_ASSUMPTIONS).toHaveProperty(name, first);
  });

  test('are reported by the API as by the command', async () => {
    harness = await ApiHarness.start();
    expect((await harness.call('GET', '/v1/sandbox/gaps', { token: CONTROL })).body.data).toEqual(GAPS);
  });
});
