/** Leniencies: taken with a warning, and refused with --strict. [decisions 3, cli] */
import { afterEach, describe, expect, test } from 'vitest';
import { usedOf } from '../../../src/cli/control/strictness.ts';
import { LENIENCIES, type LeniencyName } from '../../../src/contract/leniencies.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';

let harness: ApiHarness;
afterEach(() => harness?.stop());

const GRANT = 'grant_type=client_credentials';
/** Form-encoded, so that its length needs padding. */
const basic = (encoding: BufferEncoding) => `Basic ${Buffer.from(`harbour%5Fco:${SECRET}`).toString(encoding)}`;

/** A token request in the lenient way; `encoders.test.ts` asks with encoded commas. */
const REQUESTS: Readonly<Record<Exclude<LeniencyName, 'encoded-comma'>, () => RequestInit>> = {
  'token-json': () => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: 'harbour_co', client_secret: SECRET }),
  }),
  'basic-alphabet': () => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic('base64url') },
    body: GRANT,
  }),
};

const ask = (init: RequestInit) => fetch(`${harness.url}/v1/oauth/token`, { method: 'POST', ...init });

const rows = async () => {
  const { body } = await harness.call('GET', '/v1/sandbox/requests', { token: CONTROL });
  return body.data as Parameters<typeof usedOf>[0];
};

describe.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])('%s', (name) => {
  test('is taken, and the request log and the list of leniencies name it with its fix', async () => {
    harness = await ApiHarness.start();
    expect((await ask(REQUESTS[name]())).status).toBe(200);
    const used = usedOf(await rows());
    const { fix: cure, ...facts } = LENIENCIES[name];
    expect(used).toEqual([
      { leniency: name, ...facts, cure, clients: ['harbour_co'], requests: 1, last_at: expect.any(String) },
    ]);
  });

  test('is refused when the sandbox is strict, in the OAuth shape', async () => {
    harness = await ApiHarness.start({ strict: true });
    const answer = await ask(REQUESTS[name]());
    expect(answer.status).toBe(name === 'token-json' ? 415 : 401);
    expect(await answer.json()).toHaveProperty('error');
    expect(usedOf(await rows())).toEqual([]);
  });
});

test.each([
  [
    'a form',
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${GRANT}&client_id=harbour_co&client_secret=${SECRET}`,
    },
  ],
  [
    'HTTP Basic',
    { headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic('base64') }, body: GRANT },
  ],
])('%s is as production wants it: a strict sandbox takes it, and no warning stands there', async (_, init) => {
  harness = await ApiHarness.start({ strict: true });
  expect((await ask(init)).status).toBe(200);
  expect(usedOf(await rows())).toEqual([]);
});
