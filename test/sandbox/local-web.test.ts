/** Pages of others that a browser on this machine has open: what they may not reach, lock or go on with. [decisions 10] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { Problem } from '../../src/contract/problems.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Ask, type RawAnswer, rawHttp, requestBytes } from '../service/api/raw-http.ts';

const start = (name: string, options: Parameters<typeof startSandbox>[0] = {}) =>
  startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    fleet: false,
    watches: 12,
    dataDir: `local-web-${name}-${process.pid}`,
    ...options,
  });

/** Two beside each other with one seed, and so with one control token; one named outside; one whose secrets nobody can guess. */
let seeded: Sandbox;
let twin: Sandbox;
let named: Sandbox;
let random: Sandbox;
beforeAll(async () => {
  [seeded, twin, named, random] = await Promise.all([
    start('seeded', { seed: 'local web' }),
    start('twin', { seed: 'local web' }),
    start('named', { seed: 'local web', publicUrl: 'https://Sandbox.example:8443/' }),
    start('random'),
  ]);
});
afterAll(() => Promise.all([seeded, twin, named, random].map((sandbox) => sandbox.stop())));

const portOf = ({ ready }: Sandbox): number => Number(new URL(ready.api_url).port);
const ask = (sandbox: Sandbox, part: Ask): Promise<RawAnswer> => rawHttp(portOf(sandbox), requestBytes(part));

function tokenRequest(sandbox: Sandbox, secret?: string, company = 0): Ask {
  const { client_id, client_secret } = sandbox.ready.clients[company]!;
  const fields = { grant_type: 'client_credentials', client_id, client_secret: secret ?? client_secret };
  return {
    method: 'POST',
    path: '/v1/oauth/token',
    host: new URL(sandbox.ready.api_url).host,
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fields).toString(),
  };
}

describe('the Host of a request to /v1', () => {
  const OWN = [
    '127.0.0.1',
    'localhost',
    'LocalHost',
    '[::1]',
    '127.0.0.1:PORT',
    'localhost:PORT',
    '[::1]:PORT',
    'localhost:9',
  ];
  const FOREIGN = [
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'sandbox.example:8443',
    '10.0.0.7',
    '0.0.0.0:PORT',
    'xlocalhost',
    '[::2]',
  ];
  const hostOf = (sandbox: Sandbox, host: string) => host.replace('PORT', String(portOf(sandbox)));

  test.each(OWN)('%s is a name of this machine', async (host) => {
    const token = seeded.ready.control_token;
    expect((await ask(seeded, { path: '/v1/sandbox/gaps', token, host: hostOf(seeded, host) })).status).toBe(200);
  });

  test.each(FOREIGN)('%s is refused where the secrets follow from a seed, with what to do', async (host) => {
    const token = seeded.ready.control_token;
    const answer = await ask(seeded, { path: '/v1/sandbox/gaps', token, host: hostOf(seeded, host) });
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_request']);
    expect(check(Problem, answer.body)).toMatchObject({ ok: true });
    expect(answer.body.detail).toContain(`call ${seeded.ready.api_url}`);
    expect(answer.body.detail).toContain(`--public-url http://${hostOf(seeded, host)}`);
    const grant = await ask(seeded, { ...tokenRequest(seeded), host: hostOf(seeded, host) });
    expect([grant.status, grant.body.error]).toEqual([400, 'invalid_request']);
  });

  test.each(FOREIGN)('%s is taken where nobody can guess the secrets', async (host) => {
    const token = random.ready.control_token;
    expect((await ask(random, { path: '/v1/sandbox/gaps', token, host: hostOf(random, host) })).status).toBe(200);
  });

  test('is that of --public-url too', async () => {
    const token = named.ready.control_token;
    for (const host of ['sandbox.example:8443', 'SANDBOX.example:8443', 'localhost'])
      expect((await ask(named, { path: '/v1/sandbox/gaps', token, host })).status).toBe(200);
    for (const host of ['sandbox.example', 'evil.example:8443'])
      expect((await ask(named, { path: '/v1/sandbox/gaps', token, host })).status).toBe(400);
  });

  test('says nothing of a name that would break the answer', async () => {
    const answer = await ask(seeded, { path: '/v1/sites', token: 'x', host: 'evil"\\<script>.example' });
    expect([answer.status, answer.body.detail]).toEqual([400, expect.not.stringContaining('<script>')]);
  });
});

describe('a page of somebody else that tries to get a token', () => {
  const ORIGINS = [
    'https://evil.example',
    'null',
    'http://localhost:3000',
    'http://evil.example:PORT',
    'https://127.0.0.1',
  ];

  test.each(ORIGINS)('from %s is refused, and locks nobody out', async (origin) => {
    const from = `Origin: ${origin.replace('PORT', String(portOf(random)))}`;
    const wrong = tokenRequest(random, 'wrong_secret_wrong_secret');
    for (let n = 0; n < 25; n++) {
      const refused = await ask(random, { ...wrong, headers: [from] });
      expect([n, refused.status, refused.body.error]).toEqual([n, 401, 'invalid_client']);
    }
    expect((await ask(random, tokenRequest(random))).status).toBe(200);
  });

  test('under a name that it has made its own is refused, and locks nobody out', async () => {
    const wrong = { ...tokenRequest(random, 'wrong_secret_wrong_secret'), host: 'evil.example:4600' };
    for (let n = 0; n < 25; n++)
      expect((await ask(random, { ...wrong, headers: ['Origin: http://evil.example:4600'] })).status).toBe(401);
    expect((await ask(random, tokenRequest(random))).status).toBe(200);
  });

  test.each([
    [[]],
    [['Origin: OWN']],
  ])('is told from a client with the headers %j, whose failures count', async (headers) => {
    const company = headers.length;
    const own = headers.map((header) => header.replace('OWN', random.ready.api_url));
    const wrong = tokenRequest(random, 'wrong_secret_wrong_secret', company);
    for (let n = 0; n < 20; n++) expect((await ask(random, { ...wrong, headers: own })).status).toBe(401);
    const locked = await ask(random, { ...wrong, headers: own });
    expect([locked.status, Number(locked.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});

describe('the cookie of the panel', () => {
  const enter = (sandbox: Sandbox) =>
    ask(sandbox, { path: `/panel?token=${sandbox.ready.control_token}`, host: new URL(sandbox.ready.api_url).host });
  const cookieOf = async (sandbox: Sandbox) => (await enter(sandbox)).headers.get('set-cookie') ?? '';
  const act = (sandbox: Sandbox, cookie: string) =>
    ask(sandbox, {
      method: 'POST',
      path: '/panel/actions',
      type: 'application/x-www-form-urlencoded',
      host: new URL(sandbox.ready.api_url).host,
      headers: [`Origin: ${sandbox.ready.api_url}`, `Cookie: ${cookie}`, 'Accept: application/json'],
      body: 'action=start_muster&kind=general&site=nowhere',
    });

  test('is not the control token, and no script or other site gets it', async () => {
    const cookie = await cookieOf(seeded);
    expect(cookie).not.toContain(seeded.ready.control_token);
    expect(cookie.split('; ')).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']));
    const [pair = ''] = cookie.split(';');
    const [, value = ''] = pair.split('=');
    expect((await ask(seeded, { path: '/v1/sandbox/gaps', token: value, host: 'localhost' })).status).toBe(401);
    // It goes with every request of a browser, since the page at / acts too; the API does not know it.
    const sent = { path: '/v1/sandbox/gaps', host: new URL(seeded.ready.api_url).host, headers: [`Cookie: ${pair}`] };
    expect((await ask(seeded, sent)).status).toBe(401);
    expect(
      (await ask(seeded, { path: `/panel?token=${value}`, host: 'localhost' })).headers.get('set-cookie'),
    ).toBeUndefined();
  });

  test('opens the panel that gave it, and not the one at another port, though it has the same control token', async () => {
    expect(twin.ready.control_token).toBe(seeded.ready.control_token);
    const [own = '', others = ''] = (await Promise.all([cookieOf(seeded), cookieOf(twin)])).map(
      (one) => one.split(';')[0],
    );
    // A browser sends both to both: each finds its own.
    const both = `${own}; ${others}`;
    expect([(await act(seeded, both)).status, (await act(twin, both)).status]).toEqual([404, 404]);
    expect([(await act(seeded, own)).status, (await act(seeded, others)).status]).toEqual([404, 401]);
    const [name = ''] = own.split('=');
    const [, value = ''] = others.split('=');
    expect((await act(seeded, `${name}=${value}`)).status).toBe(401);
    expect((await act(seeded, `${name}=${seeded.ready.control_token}`)).status).toBe(401);
  });
});
