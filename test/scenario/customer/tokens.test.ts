/** Tokens of a customer's client: one for each scope, until it is refused. [scenario-language, api, scope] */
import { expect, test } from 'vitest';
import { Customer } from '../../../src/scenario/customer/customer.ts';
import type { HttpAnswer, HttpCall } from '../../../src/scenario/customer/http-client.ts';

/** A client whose calls are answered by a table; `ended`: tokens that get 401. */
function clientOf(ended: Set<string>, tokenStatus = 200) {
  const requested: string[] = [];
  const http = {
    call: async ({ form, token }: HttpCall): Promise<HttpAnswer> => {
      const headers = {};
      if (form === undefined) return { status: ended.has(token ?? '') ? 401 : 200, body: { token }, headers };
      requested.push(form['scope'] ?? '(all)');
      const body = { access_token: `token ${requested.length}`, scope: form['scope'], error: 'slow_down' };
      return { status: tokenStatus, body, headers };
    },
  };
  const client = { clientId: 'id', clientSecret: 'secret', organization: 'customer', scopes: null };
  const control = { endTokens: async () => {}, setScopes: async () => {} };
  const customer = new Customer(http, client as never, control);
  const call = (scope: string | null) =>
    customer.call({ method: 'GET', path: '/v1/alerts', body: undefined, token: 'valid', scope });
  return { requested, call };
}

test('a scope is requested once, whatever is called with others in between', async () => {
  const { requested, call } = clientOf(new Set());
  for (const scope of ['alerts:read', null, 'workers:read', 'alerts:read', null, 'alerts:read']) await call(scope);
  expect(requested).toEqual(['alerts:read', '(all)', 'workers:read']);
});

test('a token that is refused is replaced once, and the call is made again', async () => {
  const ended = new Set<string>();
  const { requested, call } = clientOf(ended);
  await call('alerts:read');
  ended.add('token 1');
  expect(await call('alerts:read')).toMatchObject({ status: 200, body: { token: 'token 2' } });
  expect(await call('alerts:read')).toMatchObject({ body: { token: 'token 2' } });
  expect(requested).toHaveLength(2);
});

test('a token request that is limited is the answer of the call, and said to be that', async () => {
  const { call } = clientOf(new Set(), 429);
  expect(await call('alerts:read')).toMatchObject({ status: 429, ofTokenRequest: true });
});

test('a scope that the contract does not grant ends the run', async () => {
  await expect(clientOf(new Set(), 400).call('alerts:read')).rejects.toThrow(
    'got no token with the scope "alerts:read"',
  );
});
