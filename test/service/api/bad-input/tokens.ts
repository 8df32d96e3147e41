/** Rows 21 to 42: invalid tokens, missing scopes, foreign objects. */
import { expect } from 'vitest';
import { sha256Hex } from '../../../../src/base/ids.ts';
import { SITE } from '../../domain/small-world.ts';
import type { RawAnswer } from '../raw-http.ts';
import { QUARRY } from '../second-company.ts';
import { expectProblem, NOBODY, type Row, refused, type Stage, TAKEN, WEBHOOK } from './stage.ts';

/** All that differs between two unknown ids is the path. */
const withoutPath = ({ status, body }: RawAnswer) => ({ status, body: { ...body, instance: null } });

const DESTINATION_CALLS = [
  ['DELETE', ''],
  ['POST', '/rotate-secret'],
  ['POST', '/test'],
] as const;

/** What the token's document becomes, as its life or the sandbox's hand would have it. */
async function spoiled(stage: Stage, change: { expiresAt?: number; revoked?: boolean }): Promise<string> {
  const token = await stage.narrow('alerts:read');
  const { world } = stage.harness.small;
  world.put('token', { ...world.need('token', sha256Hex(token)), ...change });
  world.commit();
  return token;
}

const noScope = (
  row: string,
  says: string,
  ask: { method: string; path: string; body: object },
  scope: string,
): Row => ({
  row,
  says,
  play: async (stage) => {
    const answer = await stage.ask({ ...ask, token: await stage.narrow('alerts:read') });
    expectProblem(answer, 'insufficient_scope');
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
  },
});

const refusedToken = (row: string, says: string, detail: RegExp, token: (stage: Stage) => Promise<string>): Row => ({
  row,
  says,
  play: async (stage) => {
    const answer = await stage.ask({ token: await token(stage) });
    expectProblem(answer, 'invalid_token');
    expect(answer.body.detail).toMatch(detail);
  },
});

export const TOKENS: readonly Row[] = [
  refused('21', 'nobody gets in without a token', 'invalid_token', { token: null }),
  refused('22', 'Basic credentials open the token endpoint only', 'invalid_token', {
    token: null,
    headers: ['Authorization: Basic aGFyYm91cl9jbzpzZWNyZXQ='],
  }),
  refused(
    '23',
    'an empty token, and two in one header, are none',
    'invalid_token',
    ...['Bearer ', 'Bearer', 'Bearer a b', 'Bearer  ', 'bearer\ta'].map((value) => ({
      token: null,
      headers: [`Authorization: ${value}`],
    })),
  ),
  refused('24', 'a token that nobody issued opens nothing', 'invalid_token', { token: 'a'.repeat(43) }),
  {
    row: '25',
    says: 'a token opens for 3600 s and not for one millisecond longer',
    play: async (stage) => {
      const { clock, small } = stage.harness;
      const issued = small.world.need('token', sha256Hex(await stage.narrow('alerts:read')));
      expect(issued.expiresAt - clock.wall()).toBeGreaterThan(3_590_000);
      expect(issued.expiresAt - clock.wall()).toBeLessThanOrEqual(3_600_000);
      const answer = await stage.ask({ token: await spoiled(stage, { expiresAt: clock.wall() }) });
      expectProblem(answer, 'invalid_token');
      expect(answer.body.detail).toMatch(/expired/);
    },
  },
  refusedToken('26', 'a revoked token says that it was revoked', /revoked/, (stage) =>
    spoiled(stage, { revoked: true }),
  ),
  {
    row: '27',
    says: 'a token in the address is not looked at',
    play: async (stage) => {
      const path = `/v1/sites?access_token=${stage.token}`;
      expectProblem(await stage.ask({ token: null, path }), 'invalid_token');
    },
  },
  {
    row: '28',
    says: 'two Authorization headers are malformed, even if both are right',
    play: async (stage) => {
      for (const token of [stage.token, 'other'])
        expectProblem(await stage.ask({ headers: [`Authorization: Bearer ${token}`] }), 'malformed_request');
    },
  },
  refused('29', 'a token of 10 kB is as unknown as any', 'invalid_token', { token: 'a'.repeat(10_000) }),
  {
    row: '30',
    says: "another company's alert is as unknown as one that never was",
    play: async (stage) => {
      const path = `/v1/alerts/${await stage.alert()}`;
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', TAKEN],
      ] as const) {
        const theirs = await stage.ask({ method, path, body, token: stage.foreign });
        const nobodys = await stage.ask({ method, path: `/v1/alerts/${NOBODY}`, body, token: stage.foreign });
        expectProblem(theirs, 'not_found');
        expect(withoutPath(theirs)).toEqual(withoutPath(nobodys));
      }
    },
  },
  noScope(
    '31',
    'reading alerts does not make destinations',
    { method: 'POST', path: '/v1/webhooks', body: WEBHOOK },
    'webhooks:manage',
  ),
  noScope(
    '32',
    'reading alerts does not acknowledge them',
    { method: 'PATCH', path: `/v1/alerts/${NOBODY}`, body: TAKEN },
    'alerts:write',
  ),
  {
    row: '33',
    says: 'who counts a muster may ask who is missing without seeing where: unknown, not forbidden',
    play: async (stage) => {
      const token = await stage.narrow('musters:read');
      expectProblem(await stage.ask({ path: `/v1/musters/${NOBODY}/missing`, token }), 'not_found');
    },
  },
  ...[
    ['34', "another company's site is not accessible", QUARRY.site],
    ['35', 'a site that never was is not accessible in the same words', NOBODY],
  ].map(([row, says, site]) =>
    refused(
      row as string,
      says as string,
      'site_not_accessible',
      { path: `/v1/sites/${site}/zones` },
      ...['alerts', 'musters', 'workers', 'devices', 'positions', 'events'].map((list) => ({
        path: `/v1/${list}?site_id=${SITE},${site}`,
      })),
    ),
  ),
  {
    row: '36',
    says: "another company's alert and muster are not found",
    play: async (stage) => {
      const outcome = await stage.harness.engine.submit({
        type: 'report-sos',
        trigger: 'watch_button',
        ...stage.harness.small.uplink(1),
        deviceId: QUARRY.device,
      });
      const theirs = outcome.rejected ? '' : (outcome.done.alertId as string);
      expectProblem(await stage.ask({ path: `/v1/alerts/${theirs}` }), 'not_found');
      expect((await stage.ask({ path: `/v1/alerts/${theirs}`, token: stage.foreign })).status).toBe(200);
      expectProblem(await stage.ask({ path: `/v1/musters/${NOBODY}` }), 'not_found');
      expect((await stage.ask({ path: `/v1/alerts?worker_id=${QUARRY.worker}` })).body.data).toEqual([]);
    },
  },
  {
    row: '37',
    says: "another company's destination cannot be deleted, rotated or tested, and stays as it is",
    play: async (stage) => {
      const id = await stage.destination();
      const before = stage.harness.small.world.need('destination', id);
      for (const [method, what] of DESTINATION_CALLS)
        expectProblem(
          await stage.ask({ method, path: `/v1/webhooks/${id}${what}`, token: stage.foreign }),
          'not_found',
        );
      expect(stage.harness.small.world.need('destination', id)).toBe(before);
      expect((await stage.ask({ path: '/v1/webhooks', token: stage.foreign })).body.data).toEqual([]);
      await stage.ask({ method: 'DELETE', path: `/v1/webhooks/${id}` });
    },
  },
  {
    row: '38',
    says: 'a filter that names a foreign site makes no destination',
    play: async (stage) => {
      const before = stage.harness.small.world.count('destination');
      for (const site of [QUARRY.site, NOBODY])
        expectProblem(
          await stage.post('/v1/webhooks', { ...WEBHOOK, filters: { site_ids: [SITE, site] } }),
          'site_not_accessible',
        );
      expect(stage.harness.small.world.count('destination')).toBe(before);
    },
  },
  refused(
    '39',
    'an id that is no UUID names nothing',
    'not_found',
    ...DESTINATION_CALLS.map(([method, what]) => ({ method, path: `/v1/webhooks/nope${what}` })),
  ),
  {
    row: '40',
    says: 'an id in capitals is the same id; one in braces or with a character more is none',
    play: async (stage) => {
      const id = await stage.alert();
      expect((await stage.ask({ path: `/v1/alerts/${id.toUpperCase()}` })).body.id).toBe(id);
      expect((await stage.ask({ path: `/v1/sites/${SITE.toUpperCase()}/zones` })).status).toBe(200);
      for (const wrong of [`%7B${id}%7D`, `${id}0`, `${id}%20`, id.replaceAll('-', '')])
        expectProblem(await stage.ask({ path: `/v1/alerts/${wrong}` }), 'not_found');
    },
  },
  {
    row: '41',
    says: 'a destination is deleted once',
    play: async (stage) => {
      const path = `/v1/webhooks/${await stage.destination()}`;
      const gone = await stage.ask({ method: 'DELETE', path });
      expect([gone.status, gone.text]).toEqual([204, '']);
      expectProblem(await stage.ask({ method: 'DELETE', path }), 'not_found');
    },
  },
  {
    row: '42',
    says: 'a deleted destination cannot be rotated or tested',
    play: async (stage) => {
      const path = `/v1/webhooks/${await stage.destination()}`;
      await stage.ask({ method: 'DELETE', path });
      for (const what of ['rotate-secret', 'test'])
        expectProblem(await stage.ask({ method: 'POST', path: `${path}/${what}` }), 'not_found');
    },
  },
];
