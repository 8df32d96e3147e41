/** Rows T1 to T12: wrong token requests, in the form of RFC 6749. */
import { expect } from 'vitest';
import type { RawAnswer } from '../raw-http.ts';
import { CREDENTIALS, expectOAuth, expectProblem, type Row, type Stage } from './stage.ts';

const GRANT = { grant_type: 'client_credentials' };
const PATH = '/v1/oauth/token';
const SECOND_LIMIT = 20;

const basic = (text: string): readonly string[] => [`Authorization: Basic ${Buffer.from(text).toString('base64')}`];
const json = (stage: Stage, body: string): Promise<RawAnswer> => stage.post(PATH, body, { token: null });

export const TOKEN_ENDPOINT: readonly Row[] = [
  {
    row: 'T1',
    says: 'a token request in JSON is taken, and one that is no JSON object is an invalid request',
    play: async (stage) => {
      expect((await json(stage, JSON.stringify({ ...GRANT, ...CREDENTIALS }))).status).toBe(200);
      const twice = `{"grant_type":"client_credentials","client_id":"a","client_id":"b","client_secret":"c"}`;
      for (const body of ['{', '[]', 'null', '{"grant_type":7}', '{"__proto__":{}}', twice])
        expectOAuth(await json(stage, body), 400, 'invalid_request');
      expectOAuth(await stage.form({ ...GRANT }, { type: 'text/plain' }), 415, 'invalid_request');
      expectOAuth(await stage.form({ ...GRANT, scope: 'x'.repeat(70_000) }), 413, 'invalid_request');
    },
  },
  {
    row: 'T2',
    says: 'parameters travel in the body, never in the address',
    play: async (stage) => {
      const path = `${PATH}?${new URLSearchParams({ ...GRANT, ...CREDENTIALS })}`;
      expectOAuth(await stage.form({}, { path }), 400, 'invalid_request');
      expectOAuth(await stage.form({ ...GRANT, ...CREDENTIALS }, { path: `${PATH}?x=1` }), 400, 'invalid_request');
    },
  },
  {
    row: 'T3',
    says: 'a grant type that is missing, or any parameter that stands twice, is an invalid request',
    play: async (stage) => {
      const pairs = Object.entries({ ...GRANT, ...CREDENTIALS });
      expectOAuth(await stage.form(CREDENTIALS), 400, 'invalid_request');
      for (const pair of pairs) expectOAuth(await stage.form([...pairs, pair]), 400, 'invalid_request');
    },
  },
  {
    row: 'T4',
    says: 'there is one grant',
    play: async (stage) => {
      for (const grant_type of ['password', 'authorization_code', 'CLIENT_CREDENTIALS', ' '])
        expectOAuth(await stage.form({ ...CREDENTIALS, grant_type }), 400, 'unsupported_grant_type');
      // An empty parameter is none (RFC 6749 section 3.2).
      expectOAuth(await stage.form({ ...CREDENTIALS, grant_type: '' }), 400, 'invalid_request');
    },
  },
  {
    row: 'T5',
    says: 'an unknown client and a wrong secret are told in the same words',
    play: async (stage) => {
      const answers = [
        await stage.form({ ...GRANT, client_id: 'nobody_co', client_secret: 'x' }),
        await stage.form({ ...GRANT, ...CREDENTIALS, client_secret: 'wrong' }),
        await stage.form({ ...GRANT, ...CREDENTIALS, client_secret: ' ' }),
      ];
      for (const answer of answers) expectOAuth(answer, 401, 'invalid_client');
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers[0]?.headers.get('www-authenticate')).toBe('Basic realm="oauth", charset="UTF-8"');
      expectOAuth(await stage.form(GRANT), 401, 'invalid_client');
    },
  },
  {
    row: 'T6',
    says: 'an Authorization header that holds no id and secret is no client',
    play: async (stage) => {
      for (const headers of [
        ['Authorization: Basic !!!'],
        ['Authorization: Basic'],
        [`Authorization: Bearer ${stage.token}`],
        basic('no-colon'),
        basic('harbour%zz:secret'),
        basic(':'),
      ])
        expectOAuth(await stage.form(GRANT, { headers }), 401, 'invalid_client');
    },
  },
  {
    row: 'T7',
    says: 'credentials travel in one way, not in two',
    play: async (stage) => {
      const headers = basic(`${CREDENTIALS.client_id}:${CREDENTIALS.client_secret}`);
      expectOAuth(await stage.form({ ...GRANT, ...CREDENTIALS }, { headers }), 400, 'invalid_request');
      expectOAuth(await stage.form({ ...GRANT, client_id: 'other' }, { headers }), 400, 'invalid_request');
      expect((await stage.form({ ...GRANT, client_id: CREDENTIALS.client_id }, { headers })).status).toBe(200);
    },
  },
  {
    row: 'T8',
    says: 'a scope that there is not, or two spaces between two, is an invalid scope, told in few words',
    play: async (stage) => {
      for (const scope of [
        'admin',
        'alerts:read  webhooks:manage',
        ' alerts:read',
        'ALERTS:READ',
        `${'x'.repeat(10_000)}`,
      ]) {
        const answer = await stage.form({ ...GRANT, ...CREDENTIALS, scope });
        expectOAuth(answer, 400, 'invalid_scope');
        expect(answer.text.length).toBeLessThan(400);
      }
    },
  },
  {
    row: 'T9',
    says: 'an empty scope asks for all of them',
    play: async (stage) => {
      const all = await stage.form({ ...GRANT, ...CREDENTIALS });
      const empty = await stage.form({ ...GRANT, ...CREDENTIALS, scope: '' });
      expect([empty.status, empty.body.scope]).toEqual([200, all.body.scope]);
      const twice = await stage.form({ ...GRANT, ...CREDENTIALS, scope: 'alerts:read alerts:read' });
      expect(twice.body.scope).toBe('alerts:read');
    },
  },
  {
    row: 'T10',
    says: 'every client has the one grant, so a scope outside its contract is what it can lack',
    play: async (stage) => {
      const { world } = stage.harness.small;
      const client = world.need('client', CREDENTIALS.client_id);
      world.put('client', { ...client, scopes: ['alerts:read'] });
      try {
        expectOAuth(await stage.form({ ...GRANT, ...CREDENTIALS, scope: 'webhooks:manage' }), 400, 'invalid_scope');
        expect((await stage.form({ ...GRANT, ...CREDENTIALS })).body.scope).toBe('alerts:read');
        // A contract that lost a scope takes it from the tokens that are out already.
        expectProblem(await stage.ask({ path: '/v1/workers' }), 'insufficient_scope');
      } finally {
        world.put('client', client);
        world.commit();
      }
    },
  },
  {
    row: 'T11',
    says: 'a token is posted for; another method is a problem as anywhere',
    play: async (stage) => {
      for (const method of ['GET', 'PUT', 'OPTIONS']) {
        const answer = await stage.ask({ method, path: PATH, token: null });
        expectProblem(answer, 'method_not_allowed');
        expect(answer.headers.get('allow')).toBe('POST');
      }
    },
  },
  {
    row: 'T12',
    says: 'after 20 failed attempts for one client id the next is told to wait, even with the right secret',
    play: async (stage) => {
      const wrong = { ...GRANT, client_id: 'guessed_co', client_secret: 'guess' };
      for (let n = 0; n < SECOND_LIMIT; n++) expectOAuth(await stage.form(wrong), 401, 'invalid_client');
      const waits = await stage.form(wrong);
      expectOAuth(waits, 429, 'invalid_client');
      expect(Number(waits.headers.get('retry-after'))).toBeGreaterThanOrEqual(50);
      expect(Number(waits.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect((await stage.form({ ...GRANT, ...CREDENTIALS })).status).toBe(200);
    },
  },
];
