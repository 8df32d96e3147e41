/** Three common OAuth clients get a token in both ways over https, without an option that makes them less strict, and understand errors. [decisions 3] */
import { Agent } from 'node:https';
import { createRequire } from 'node:module';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchTrusting } from '../../../src/base/network/trusting-fetch.ts';
import { serverTls } from '../../helpers/server-tls.ts';
import { ApiHarness, SECRET } from './harness.ts';

const ID = 'harbour_co';
const SCOPE = 'webhooks:manage alerts:read';
const GRANTED = 'alerts:read webhooks:manage';

/** What an OAuth client makes of an error: the code of RFC 6749, or that the server challenged it. */
type Refusal = { readonly error: string } | { readonly challenged: number };
type Way = 'basic' | 'post';
type Judge = (
  url: string,
  way: Way,
  secret: string,
  scope: string,
) => Promise<{ token: string; scope: string; life: number }>;

/** `fetch` that trusts the authority. NODE_EXTRA_CA_CERTS does the same for a whole process (test/product/tls.test.ts). */
const trustingFetch = (url: string, init: object): Promise<Response> => fetchTrusting(tls.ca, url, init);

const server = (url: string) => ({ issuer: url, token_endpoint: `${url}/v1/oauth/token` });

const oauth4webapi: Judge = async (url, way, secret, scope) => {
  const client = { client_id: ID };
  const auth = way === 'basic' ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
  const options = { [oauth.customFetch]: trustingFetch };
  const response = await oauth.clientCredentialsGrantRequest(server(url), client, auth, { scope }, options);
  const granted = await oauth.processClientCredentialsResponse(server(url), client, response);
  return { token: granted.access_token, scope: granted.scope ?? '', life: granted.expires_in ?? 0 };
};

const openidClient: Judge = async (url, way, secret, scope) => {
  const auth = way === 'basic' ? openid.ClientSecretBasic(secret) : openid.ClientSecretPost(secret);
  const config = new openid.Configuration(server(url), ID, undefined, auth);
  config[openid.customFetch] = trustingFetch;
  const granted = await openid.clientCredentialsGrant(config, { scope });
  return { token: granted.access_token, scope: granted.scope ?? '', life: granted.expires_in ?? 0 };
};

/** It brings no types. */
interface SimpleOauth2 {
  readonly ClientCredentials: new (
    config: object,
  ) => {
    getToken(params: { scope: string }): Promise<{
      readonly token: { access_token: string; scope: string; expires_in: number };
    }>;
  };
}
const { ClientCredentials } = createRequire(import.meta.url)('simple-oauth2') as SimpleOauth2;

const simpleOauth2: Judge = async (url, way, secret, scope) => {
  const client = new ClientCredentials({
    client: { id: ID, secret },
    auth: { tokenHost: url, tokenPath: '/v1/oauth/token' },
    options: { authorizationMethod: way === 'basic' ? 'header' : 'body' },
    http: { agent: new Agent({ ca: tls.ca }) },
  });
  const { token } = await client.getToken({ scope });
  return { token: token.access_token, scope: token.scope, life: token.expires_in };
};

function refusalOf(error: unknown): Refusal {
  if (error instanceof oauth.ResponseBodyError) return { error: error.error };
  if (error instanceof oauth.WWWAuthenticateChallengeError) return { challenged: error.status };
  const { data } = error as { data?: { payload?: { error?: string } } };
  if (data?.payload?.error !== undefined) return { error: data.payload.error };
  throw error;
}

const JUDGES: [string, Judge, wrongSecret: Refusal][] = [
  // On a challenge these two tell its scheme and not the error in the body, as RFC 9110 would have it.
  ['oauth4webapi', oauth4webapi, { challenged: 401 }],
  ['openid-client', openidClient, { challenged: 401 }],
  ['simple-oauth2', simpleOauth2, { error: 'invalid_client' }],
];
const WAYS: Way[] = ['basic', 'post'];

let harness: ApiHarness;
let tls: Awaited<ReturnType<typeof serverTls>>;
beforeAll(async () => {
  tls = await serverTls();
  harness = await ApiHarness.start({ tls });
});
afterAll(async () => {
  await harness.stop();
  tls.remove();
});

describe.each(JUDGES)('%s', (_name, judge, wrongSecret) => {
  test.each(WAYS)('gets a token by %s that opens what was asked for', async (way) => {
    const granted = await judge(harness.url, way, SECRET, SCOPE);
    expect([granted.scope, granted.life]).toEqual([GRANTED, 3600]);
    expect((await harness.call('GET', '/v1/alerts', { token: granted.token })).status).toBe(200);
    expect((await harness.call('GET', '/v1/workers', { token: granted.token })).status).toBe(403);
  });

  test.each(WAYS)('understands by %s that the scope is wrong', async (way) => {
    const failed = await judge(harness.url, way, SECRET, 'alerts:read admin').catch(refusalOf);
    expect(failed).toEqual({ error: 'invalid_scope' });
  });

  test.each(WAYS)('understands by %s that the secret is wrong', async (way) => {
    expect(await judge(harness.url, way, 'wrong', SCOPE).catch(refusalOf)).toEqual(wrongSecret);
  });
});
