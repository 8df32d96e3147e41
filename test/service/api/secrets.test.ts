/** Secrets in an address are in no answer and no log. [decisions 10] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';

let harness: ApiHarness;
let token: string;
beforeAll(async () => {
  harness = await ApiHarness.start();
  token = await harness.token();
});
afterAll(() => harness.stop());

const WEBHOOK = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

/** By name, since its value changes. */
const secrets = (): Record<string, string> => ({
  'an access token': token,
  'the control token of a credentials file': CONTROL,
  'a client secret of a credentials file': SECRET,
  'a signing secret': WEBHOOK,
  'a token of somebody else': `${'Zz'.repeat(21)}Z`,
});

const PLACES: readonly [what: string, path: (secret: string) => string][] = [
  ['in the place of an id', (secret) => `/v1/alerts/${secret}`],
  ['in an unknown route', (secret) => `/v1/${secret}/x`],
  ['percent-encoded', (secret) => `/v1/alerts/${encodeAll(secret)}`],
  ['partly percent-encoded', (secret) => `/v1/alerts/${encodeAll(secret.slice(0, 3))}${secret.slice(3)}`],
  ['as an unknown parameter', (secret) => `/v1/alerts?${secret}=1`],
  ['as a value', (secret) => `/v1/alerts?cursor=${secret}`],
  ['as a filter', (secret) => `/v1/alerts?status=${secret}`],
];

const encodeAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe.each(PLACES)('%s', (_where, path) => {
  test.each(Object.keys(secrets()))('%s is in no answer and in no row of the log', async (name) => {
    const secret = secrets()[name] as string;
    const answer = await harness.call('GET', path(secret), { token });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const log = await harness.call('GET', '/v1/sandbox/requests?limit=1000', { token: CONTROL });
    const shown = `${JSON.stringify(answer.body)}\n${JSON.stringify(log.body)}`;
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(encodeAll(secret));
    expect(decodeURIComponent(shown.replace(/%(?![0-9a-f]{2})/gi, ''))).not.toContain(secret);
  });
});

test('an ordinary path stands as it was sent', async () => {
  const path = '/v1/alerts/0d1c9e0a-5a3e-4c0e-8f43-0b1d6a1f2c3d';
  expect((await harness.call('GET', path, { token })).body.instance).toBe(path);
  expect((await harness.call('GET', '/v1/caf%C3%A9', { token })).body.instance).toBe('/v1/caf%C3%A9');
});
