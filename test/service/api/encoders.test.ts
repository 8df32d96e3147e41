/** Lists as HTTP libraries encode them, under each reading of the switch `lists`. [decisions 1] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usedOf } from '../../../src/cli/control/strictness.ts';
import { type Assumptions, SWITCHES } from '../../../src/contract/gaps.ts';
import { ENCODED, type Spelling } from './encoders.ts';
import { type Answer, ApiHarness, CONTROL } from './harness.ts';

type Lists = Assumptions['lists'];
type Found = 'both' | 'none' | 'hint' | 'refused' | 'once' | readonly string[];

/** A sandbox with one alert in each of three statuses, and workers of four contractors. */
async function started(options: { lists?: Lists; strict?: boolean }): Promise<{ harness: ApiHarness; token: string }> {
  const { lists = 'any', strict = false } = options;
  const harness = await ApiHarness.start({ assumptions: { lists }, strict });
  const { world } = harness.small;
  const worker = [...world.all('worker')][0];
  if (worker === undefined) throw new Error('the small world has workers');
  const firms = ['Acme, Inc.', 'Norte', 'Acme', 'Inc.'];
  firms.forEach((contractor, n) => {
    const id = `00000000-0000-4000-8000-0000000077${10 + n}`;
    world.put('worker', { ...worker, id, contractor, externalId: `${contractor}/${n}` });
  });
  world.commit();
  harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
  const token = await harness.token();
  for (const [n, status] of [null, 'acknowledged', 'resolved'].entries()) {
    const id = await harness.sos(n + 1);
    if (status !== null)
      await harness.call('PATCH', `/v1/alerts/${id}`, { token, body: { status, actor: { name: 'Desk' } } });
  }
  return { harness, token };
}

function foundIn({ status, body }: Answer, values: (row: Record<string, string>) => string): Found {
  if (status === 200) return [...new Set((body.data as Record<string, string>[]).map(values))].sort();
  expect([status, body.code]).toEqual([422, 'validation_failed']);
  const { detail } = body.errors[0] as { detail: string };
  if (detail.includes('without brackets')) return 'hint';
  if (detail.startsWith('must be given only once')) return 'once';
  return 'refused';
}

const BOTH = ['acknowledged', 'resolved'];

/** What each reading answers to a spelling of the list of statuses. */
const STATUSES: { readonly [L in Lists | 'strict']: { readonly [S in Spelling]: Found } } = {
  any: { separate: BOTH, comma: BOTH, encoded: BOTH, brackets: 'hint' },
  comma: { separate: 'once', comma: BOTH, encoded: 'refused', brackets: 'hint' },
  repeat: { separate: BOTH, comma: 'refused', encoded: 'refused', brackets: 'hint' },
  strict: { separate: BOTH, comma: BOTH, encoded: 'refused', brackets: 'hint' },
};

describe.each([...SWITCHES.lists, 'strict'] as const)('lists read as %s', (reading) => {
  let harness: ApiHarness;
  let token: string;
  beforeAll(async () => {
    ({ harness, token } = await started(reading === 'strict' ? { strict: true } : { lists: reading }));
  });
  afterAll(() => harness.stop());
  const get = (path: string) => harness.call('GET', path, { token });

  test.each(
    ENCODED.map(({ by, status, spelling }) => [by, status, spelling] as const),
  )('%s: %s', async (_by, query, spelling) => {
    const found = foundIn(await get(`/v1/alerts?${query}`), (row) => row['status'] as string);
    expect(found).toEqual(STATUSES[reading][spelling]);
  });

  test('the published document says how a list is written', async () => {
    const { body } = await get('/openapi.json');
    const parameters = body.paths['/v1/alerts'].get.parameters as { name: string; style?: string; explode?: boolean }[];
    const lists = parameters.filter(({ style }) => style !== undefined);
    expect(lists.map(({ name }) => name)).toEqual(['site_id', 'status', 'type', 'worker_id', 'contractor']);
    expect(lists.every(({ style, explode }) => style === 'form' && explode === (reading !== 'comma'))).toBe(true);
  });
});

describe('a name that may contain a comma', () => {
  /** Contractors found, by the reading. */
  const CASES: readonly (readonly [query: string, any: Found, comma: Found, repeat: Found, strict: Found])[] = [
    // A name that is there is a name; a strict sandbox does not separate it.
    ['contractor=Acme%2C+Inc.', ['Acme', 'Acme, Inc.', 'Inc.'], ['Acme, Inc.'], ['Acme, Inc.'], ['Acme, Inc.']],
    [
      'contractor=Acme%2c%20Inc.,Norte',
      ['Acme', 'Acme, Inc.', 'Inc.', 'Norte'],
      ['Acme, Inc.', 'Norte'],
      [],
      ['Acme, Inc.', 'Norte'],
    ],
    ['contractor=Acme,+Inc.', ['Acme'], ['Acme'], ['Acme, Inc.'], ['Acme']],
    ['contractor=Norte&contractor=Inc.', ['Inc.', 'Norte'], 'once', ['Inc.', 'Norte'], ['Inc.', 'Norte']],
    ['contractor=Norte&contractor=Norte%2CNobody', ['Norte'], 'once', ['Norte'], 'refused'],
    // Also where nothing is found: a client must not pass because a list is empty.
    ['contractor=Nobody%2CNothing', [], [], [], 'refused'],
    // As a whole it is longer than any name; that is no mistake of a joined list.
    [
      `contractor=${Array.from({ length: 60 }, (_, n) => `Firm${n}`).join('%2C')}%2CNorte`,
      ...([['Norte'], 'refused', 'refused', 'refused'] as const),
    ],
    ['external_id=Acme%2F2%2CNorte%2F1', ['Acme', 'Norte'], [], [], 'refused'],
    ['external_id=Acme%2C%20Inc.%2F0', ['Acme, Inc.'], ['Acme, Inc.'], ['Acme, Inc.'], ['Acme, Inc.']],
    ['contractor=,Norte', 'refused', 'refused', [], 'refused'],
    ['contractor=Norte%2C', ['Norte'], [], [], 'refused'],
  ];

  test.each([...SWITCHES.lists, 'strict'] as const)('lists read as %s', async (reading) => {
    const { harness, token } = await started(reading === 'strict' ? { strict: true } : { lists: reading });
    try {
      const place = { any: 1, comma: 2, repeat: 3, strict: 4 }[reading] as 1 | 2 | 3 | 4;
      for (const line of CASES) {
        const answer = await harness.call('GET', `/v1/workers?${line[0]}`, { token });
        expect([line[0], foundIn(answer, (row) => row['contractor'] as string)]).toEqual([line[0], line[place]]);
      }
    } finally {
      await harness.stop();
    }
  });
});

describe('the list of non-standard input', () => {
  test.each([
    ['/v1/alerts?status=acknowledged%2Cresolved', true],
    ['/v1/alerts?status=acknowledged,resolved', false],
    ['/v1/alerts?status=acknowledged&status=resolved', false],
    ['/v1/workers?contractor=Norte%2CNobody', true],
    ['/v1/workers?contractor=Nothing%2CNobody', true],
    ['/v1/alerts?contractor=Nothing%2CNobody', true],
    // It is the code of a worker.
    ['/v1/workers?external_id=Acme%2C+Inc.%2F0', false],
    ['/v1/events?type=alert.created%2Calert.resolved', true],
  ])('after %s has an encoded comma: %s', async (path, listed) => {
    const { harness, token } = await started({});
    try {
      expect((await harness.call('GET', path, { token })).status).toBe(200);
      const { body } = await harness.call('GET', '/v1/sandbox/requests', { token: CONTROL });
      const used = usedOf(body.data).map(({ leniency, requests }) => [leniency, requests]);
      expect(used).toEqual(listed ? [['encoded-comma', 1]] : []);
    } finally {
      await harness.stop();
    }
  });
});

test('a cursor holds for the same items in another spelling or case, and for no other items', async () => {
  const { harness, token } = await started({});
  try {
    const get = (query: string) => harness.call('GET', `/v1/alerts?limit=1&${query}`, { token });
    const { body } = await get('status=acknowledged&status=resolved');
    for (const spelling of ['status=acknowledged,resolved', 'status=resolved%2Cacknowledged'])
      expect((await get(`${spelling}&cursor=${body.next_cursor}`)).body.data).toHaveLength(1);
    expect((await get(`status=acknowledged&cursor=${body.next_cursor}`)).body.code).toBe('invalid_cursor');
    const site = [...harness.small.world.all('site')][0]?.id ?? '';
    const { next_cursor } = (await get(`site_id=${site}`)).body;
    expect((await get(`site_id=${site.toUpperCase()}&cursor=${next_cursor}`)).status).toBe(200);
  } finally {
    await harness.stop();
  }
});

test.each([
  ['status[]=acknowledged', '?status[]', /list.*status=a&status=b, or status=a,b/],
  ['limit[]=5', '?limit[]', /write limit without brackets/],
  ['status[a]=acknowledged', '?status[a]', /not a known parameter/],
  ['colour[]=red', '?colour[]', /not a known parameter/],
])('the hint for %s', async (query, pointer, detail) => {
  const { harness, token } = await started({});
  try {
    const { status, body } = await harness.call('GET', `/v1/alerts?${query}`, { token });
    expect([status, body.errors]).toEqual([422, [{ pointer, detail: expect.stringMatching(detail) }]]);
  } finally {
    await harness.stop();
  }
});
