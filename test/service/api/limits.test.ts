/** The two limits of a client: exact sliding windows by a manual clock, and what counts, over HTTP. [spec 8, decisions 8] */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { streams } from '../../../src/base/random/streams.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import { T0 } from '../domain/small-world.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';
import { type Ask, type RawAnswer, rawHttp, requestBytes } from './raw-http.ts';

const MINUTE = 60_000;

/** What `count` requests at `at` come to; 0: all are admitted. */
function retryAfter(limiter: RateLimiter, at: number, count = 1): number {
  let retryAfterS = 0;
  for (let n = 0; n < count; n++) {
    const decision = limiter.admit('a', at);
    if (!decision.admitted) retryAfterS = decision.retryAfterS;
  }
  return retryAfterS;
}

describe('the window of requests', () => {
  /** [at ms, number of requests, Retry-After of the last; 0: admitted] */
  const CASES: [string, (readonly [number, number, number])[]][] = [
    [
      'admits 600 at once and not one more until a minute is over',
      [
        [0, 600, 0],
        [0, 1, 60],
        [59_999, 1, 1],
        [60_000, 600, 0],
        [60_000, 1, 60],
      ],
    ],
    [
      'slides: 600 at the end of one minute leave nothing for the beginning of the next',
      [
        [59_000, 600, 0],
        [61_000, 1, 58],
        [118_999, 1, 1],
        [119_000, 1, 0],
      ],
    ],
    [
      'frees one place for each request that leaves it',
      [
        [0, 1, 0],
        [30_000, 599, 0],
        [59_000, 1, 1],
        [60_000, 1, 0],
        [60_000, 1, 30],
      ],
    ],
    [
      'does not count what it refuses',
      [
        [0, 600, 0],
        [30_000, 5_000, 30],
        [60_000, 600, 0],
      ],
    ],
    [
      'rounds the wait up to whole seconds',
      [
        [0, 600, 0],
        [58_999, 1, 2],
        [59_001, 1, 1],
      ],
    ],
    [
      'never tells to wait for less than a second',
      [
        [0, 600, 0],
        [59_999.5, 1, 1],
      ],
    ],
  ];

  test.each(CASES)('%s', (_says, steps) => {
    const limiter = new RateLimiter();
    for (const [at, count, expected] of steps) expect([at, retryAfter(limiter, at, count)]).toEqual([at, expected]);
  });

  test('names the end of lower limits where that is sooner, and admits the call then', () => {
    const limiter = new RateLimiter();
    expect(retryAfter(limiter, 0, 500)).toBe(0);
    limiter.setLimits('a', { requestsPerMinute: 0, endsAt: 3_000 });
    expect([retryAfter(limiter, 1_000), retryAfter(limiter, 2_500)]).toEqual([2, 1]);
    expect(retryAfter(limiter, 3_000, 100)).toBe(0);
    expect(retryAfter(limiter, 3_000)).toBe(57);
  });

  test('names the end of the usual window where the limits that end sooner would refuse the call too', () => {
    const limiter = new RateLimiter();
    expect(retryAfter(limiter, 0, 600)).toBe(0);
    limiter.setLimits('a', { requestsPerMinute: 0, endsAt: 3_000 });
    expect(retryAfter(limiter, 1_000)).toBe(59);
  });

  test('is of one client: another is admitted meanwhile', () => {
    const limiter = new RateLimiter();
    retryAfter(limiter, 0, 600);
    expect(limiter.admit('a', 0).admitted).toBe(false);
    expect(limiter.admit('b', 0).admitted).toBe(true);
  });

  test('counts what was answered over the limit too, and keeps no more of it than the limit needs', () => {
    const limiter = new RateLimiter();
    retryAfter(limiter, 0, 600);
    for (let n = 0; n < 100_000; n++) limiter.count('a', 30_000);
    limiter.setLimits('a', { requestsPerMinute: 601 });
    expect([retryAfter(limiter, 30_000), retryAfter(limiter, 30_000)]).toEqual([0, 60]);
    limiter.setLimits('a', { requestsPerMinute: 600 });
    expect(retryAfter(limiter, 60_000)).toBe(30);
    expect(retryAfter(limiter, 90_000, 600)).toBe(0);
    expect(retryAfter(limiter, 90_000)).toBe(60);
  });

  test('says for any traffic what a count of the last minute would say, and admits when it said so', () => {
    const chance = streams('limits').stream('client', 'traffic');
    for (let round = 0; round < 40; round++) {
      const limiter = new RateLimiter();
      const limit = chance.int(1, 30);
      limiter.setLimits('a', { requestsPerMinute: limit });
      const admitted: number[] = [];
      const inWindow = (now: number) => admitted.filter((at) => at > now - MINUTE).length;
      let now = 0;
      for (let n = 0; n < 300; n++) {
        now += chance.chance(0.3) ? 0 : chance.int(0, 6_000);
        const decision = limiter.admit('a', now);
        expect(decision.admitted).toBe(inWindow(now) < limit);
        if (decision.admitted) admitted.push(now);
        else {
          const wait = decision.retryAfterS * 1_000;
          expect(inWindow(now + wait)).toBeLessThan(limit);
          expect(inWindow(now + wait - 1_000)).toBe(limit);
        }
      }
    }
  });
});

describe('the window of query time', () => {
  test('admits while less than 30 s are spent, and again when enough has left', () => {
    const limiter = new RateLimiter();
    limiter.charge('a', 0, 20_000);
    limiter.charge('a', 10_000, 9_999);
    expect(limiter.admit('a', 10_000).admitted).toBe(true);
    limiter.charge('a', 20_000, 1);
    expect(limiter.admit('a', 20_000)).toEqual({ admitted: false, code: 'query_time_exceeded', retryAfterS: 40 });
    expect(limiter.admit('a', 59_999).admitted).toBe(false);
    expect(limiter.admit('a', 60_000).admitted).toBe(true);
  });

  test('is spent many times as fast where the second limit is tried out', () => {
    const limiter = new RateLimiter();
    limiter.setLimits('a', { queryTimeFactor: 100 });
    limiter.charge('a', 0, 300);
    expect(limiter.admit('a', 0)).toMatchObject({ code: 'query_time_exceeded' });
  });

  test('is empty again after any sum of fractions', () => {
    const limiter = new RateLimiter();
    limiter.setLimits('a', { querySecondsPerMinute: 1e-9 });
    for (let n = 0; n < 1_000; n++) limiter.charge('a', n, 0.1 + n / 7);
    expect(limiter.admit('a', 1_000).admitted).toBe(false);
    expect(limiter.admit('a', 999 + MINUTE).admitted).toBe(true);
  });

  test('when both limits are reached the wait is for the later, and holds for both', () => {
    const limiter = new RateLimiter();
    retryAfter(limiter, 0, 600);
    limiter.charge('a', 20_000, 30_000);
    expect(limiter.admit('a', 30_000)).toEqual({ admitted: false, code: 'rate_limited', retryAfterS: 50 });
    expect(limiter.admit('a', 80_000).admitted).toBe(true);
  });
});

describe('over HTTP, on a clock that stands still', () => {
  const clock = lockstepClock({ start: T0 });
  clock.pause();
  let harness: ApiHarness;
  let token: string;
  const ask = (part: Ask = {}): Promise<RawAnswer> => rawHttp(harness.api.port, requestBytes({ token, ...part }));
  const form = (secret: string): Ask => ({
    method: 'POST',
    path: '/v1/oauth/token',
    token: null,
    type: 'application/x-www-form-urlencoded',
    body: `grant_type=client_credentials&client_id=harbour_co&client_secret=${secret}`,
  });
  const refusal = ({ status, body, headers }: RawAnswer) => [
    status,
    body?.code ?? body?.error,
    headers.get('retry-after'),
  ];

  beforeAll(async () => {
    harness = await ApiHarness.start({ clock });
  });
  afterAll(() => harness.stop());
  beforeEach(async () => {
    harness.api.limiter.setLimits('harbour_co', {
      requestsPerMinute: 600,
      querySecondsPerMinute: 30,
      queryTimeFactor: 1,
    });
    token = await harness.token();
    await clock.advance(2 * MINUTE);
  });

  test('the 601st request of a minute is refused, and admitted when Retry-After is over', async () => {
    const kept = Buffer.from(requestBytes({ token, method: 'HEAD' }).toString().replace('Connection: close\r\n', ''));
    const { bytes } = await rawHttp(
      harness.api.port,
      Buffer.concat([...Array(599).fill(kept), requestBytes({ token })]),
    );
    expect(bytes.split('HTTP/1.1 200 OK').length - 1).toBe(600);
    await clock.advance(20_500);
    expect(refusal(await ask())).toEqual([429, 'rate_limited', '40']);
    await clock.advance(39_499);
    expect(refusal(await ask())).toEqual([429, 'rate_limited', '1']);
    await clock.advance(1);
    expect((await ask()).status).toBe(200);
  });

  test('a client that has spent its query time is refused until that time has left the window', async () => {
    // In a fast run a request costs a fixed millisecond and a little for each row.
    harness.api.limiter.setLimits('harbour_co', { queryTimeFactor: 10_000 });
    for (let n = 0; n < 3; n++) expect((await ask()).status).toBe(200);
    expect(refusal(await ask())).toEqual([429, 'query_time_exceeded', '60']);
    await clock.advance(MINUTE);
    expect((await ask()).status).toBe(200);
  });

  const COUNTS: [string, 'counts' | 'does not count', number, () => Ask][] = [
    ['a read', 'counts', 200, () => ({})],
    ['a HEAD', 'counts', 200, () => ({ method: 'HEAD' })],
    ['a route that does not exist', 'counts', 404, () => ({ path: '/v1/nothing' })],
    ['a resource that does not exist', 'counts', 404, () => ({ path: '/v1/alerts/nope' })],
    ['a wrong method', 'counts', 405, () => ({ method: 'PUT' })],
    ['an address that cannot be decoded', 'counts', 400, () => ({ path: '/v1/%zz' })],
    [
      'a body of the wrong type',
      'counts',
      415,
      () => ({ method: 'POST', path: '/v1/webhooks', body: 'x', type: 'text/plain' }),
    ],
    ['a body that breaks a rule', 'counts', 422, () => ({ method: 'POST', path: '/v1/webhooks', body: {} })],
    ["the sandbox's own routes with a client's token", 'counts', 200, () => ({ path: '/v1/sandbox/requests' })],
    ['a token request', 'counts', 200, () => form(SECRET)],
    ['a token request with a wrong secret', 'does not count', 401, () => form('wrong')],
    ['a request without a token', 'does not count', 401, () => ({ token: null })],
    ['the control token', 'does not count', 200, () => ({ token: CONTROL, path: '/v1/sandbox/requests' })],
  ];

  test.each(COUNTS)('%s %s', async (_what, counts, status, request) => {
    harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 2 });
    expect((await ask(request())).status).toBe(status);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(counts === 'counts' ? 429 : 200);
  });

  test('a token request over the limit is refused in the shape of OAuth', async () => {
    harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1 });
    await ask();
    await clock.advance(1_000);
    expect(refusal(await ask(form(SECRET)))).toEqual([429, 'invalid_request', '59']);
  });

  test('what was refused does not count, and what does not exist counts over the limit too', async () => {
    harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1 });
    await ask();
    await clock.advance(30_000);
    expect((await ask()).status).toBe(429);
    await clock.advance(30_000);
    expect((await ask()).status).toBe(200);
    await clock.advance(30_000);
    expect((await ask({ path: '/v1/nothing' })).status).toBe(404);
    await clock.advance(30_000);
    expect(refusal(await ask())).toEqual([429, 'rate_limited', '30']);
  });

  test("a blocking look at the sandbox spends nothing of the client's query time", async () => {
    harness.api.limiter.setLimits('harbour_co', { queryTimeFactor: 100_000 });
    for (let n = 0; n < 3; n++) expect((await ask({ path: '/v1/sandbox/requests' })).status).toBe(200);
  });
});
