/** Where an attempt goes, and what a destination's name is worth when it is made. [decisions 7] */
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockstepClock, realClock } from '../../../src/base/time/clocks.ts';
import {
  judgeDestination,
  LOOK_UP_MS,
  type Resolve,
  resolvePublic,
  systemResolver,
} from '../../../src/service/webhooks/resolver.ts';
import { findRoute } from '../../../src/service/webhooks/route.ts';

const PUBLIC = '93.184.216.34';
const never: Resolve = () => Promise.reject(new Error('nothing is resolved here'));
const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

describe('a forward', () => {
  const joined = async (forward: string, url: string) => {
    const forwards = new Map([['receiver.example', new URL(forward)]]);
    const route = await findRoute({ url }, forwards, never);
    return route.kind === 'forward' ? route.target.href : route;
  };

  test.each([
    ['http://127.0.0.1:3000', 'https://receiver.example/hook', 'http://127.0.0.1:3000/hook'],
    ['http://127.0.0.1:3000/', 'https://receiver.example/hook', 'http://127.0.0.1:3000/hook'],
    ['http://127.0.0.1:3000/a/b', 'https://receiver.example/hook', 'http://127.0.0.1:3000/a/b/hook'],
    ['http://127.0.0.1:3000/a/', 'https://receiver.example/hook/', 'http://127.0.0.1:3000/a/hook/'],
    ['http://127.0.0.1:3000/a//', 'https://receiver.example/', 'http://127.0.0.1:3000/a//'],
    ['http://127.0.0.1:3000/?own=1#top', 'https://receiver.example/h?k=v&w=%20', 'http://127.0.0.1:3000/h?k=v&w=%20'],
    ['http://127.0.0.1:3000/?own=1', 'https://receiver.example/h', 'http://127.0.0.1:3000/h'],
    ['http://127.0.0.1:3000', 'https://RECEIVER.example.:8443/h', 'http://127.0.0.1:3000/h'],
  ])('to %s takes %s to %s', async (forward, url, target) => {
    expect(await joined(forward, url)).toBe(target);
  });

  test('is for its own name alone', async () => {
    expect(await joined('http://127.0.0.1:3000', 'https://other.example/')).toEqual({
      kind: 'none',
      why: 'The name other.example does not resolve.',
    });
  });
});

describe('a session destination', () => {
  test.each(['http://127.0.0.1:3000/hook?own=1', 'https://localhost:3443/'])('goes to %s itself', async (url) => {
    const session = { skipVerify: false, joinedAt: 0 };
    const route = await findRoute({ url, session }, new Map([['localhost', new URL('http://127.0.0.1:1')]]), never);
    expect(route).toEqual({ kind: 'forward', target: new URL(url) });
  });
});

describe('a route', () => {
  const none = new Map<string, URL>();
  test.each([
    ['https://ok.example/h', to(PUBLIC, '8.8.8.8'), { kind: 'public', addresses: [PUBLIC, '8.8.8.8'] }],
    [`https://${PUBLIC}/h`, never, { kind: 'public', addresses: [PUBLIC] }],
    ['https://127.0.0.1/h', never, { kind: 'none', why: /^Blocked: 127\.0\.0\.1 is not a public address/ }],
    ['http://ok.example/h', never, { kind: 'none', why: /^Blocked: The url must begin with https/ }],
    [
      'https://ok.example/h',
      to(PUBLIC, '10.0.0.1'),
      { kind: 'none', why: /^Blocked: ok\.example resolves to 10\.0\.0\.1/ },
    ],
    ['https://ok.example/h', to(), { kind: 'none', why: /^The name ok\.example does not resolve\.$/ }],
    ['https://ok.example/h', never, { kind: 'none', why: /^The name ok\.example does not resolve\.$/ }],
  ] as const)('of %s', async (url, resolve, expected) => {
    const route = await findRoute({ url }, none, resolve);
    if ('why' in expected) {
      expect(route.kind).toBe('none');
      expect(route).toMatchObject({ why: expect.stringMatching(expected.why) });
    } else expect(route).toMatchObject({ ...expected, target: new URL(url) });
  });
});

describe('a destination that is made', () => {
  const forwards = new Map([['receiver.example', new URL('http://127.0.0.1:3000')]]);
  test.each([
    ['https://ok.example/', to(PUBLIC), null],
    ['https://ok.example/', to('10.0.0.1'), 'ok.example resolves to 10.0.0.1, which is not a public address.'],
    // A laptop may be offline; deliveries will fail.
    ['https://ok.example/', never, null],
    ['https://receiver.example/', to('10.0.0.1'), null],
    [`https://${PUBLIC}/`, to('10.0.0.1'), null],
    ['https://ok.example/#f', never, 'The url must not have a fragment (#).'],
  ])('with %s', async (url, resolve, judgement) => {
    expect(await judgeDestination(url, { resolve, forwards })).toBe(judgement);
  });

  test('is judged by all the addresses of its name', async () => {
    expect(await resolvePublic('ok.example', to(PUBLIC, '::1', '10.0.0.1'))).toEqual({
      kind: 'blocked',
      detail: 'ok.example resolves to ::1, which is not a public address.',
    });
  });
});

describe('the resolver', () => {
  test('asks once for each name while the answer is awaited, and anew afterwards', async () => {
    const clock = realClock();
    onTestFinished(() => clock.stop());
    const lookups: string[] = [];
    const answers: ((addresses: string[]) => void)[] = [];
    const resolve = systemResolver(clock, (host) => {
      lookups.push(host);
      return new Promise((done) => answers.push(done));
    });
    const both = [resolve('a.example'), resolve('a.example'), resolve('b.example')];
    expect(lookups).toEqual(['a.example', 'b.example']);
    for (const answer of answers.splice(0)) answer([PUBLIC]);
    expect(await Promise.all(both)).toEqual([[PUBLIC], [PUBLIC], [PUBLIC]]);
    const again = resolve('a.example');
    expect(lookups).toEqual(['a.example', 'b.example', 'a.example']);
    for (const answer of answers.splice(0)) answer(['8.8.8.8']);
    expect(await again).toEqual(['8.8.8.8']);
  });

  test('passes on that a name does not resolve, and leaves nothing on the clock', async () => {
    const clock = lockstepClock({ start: 0 });
    onTestFinished(() => clock.stop());
    const waits: { ms: number; cancelled: boolean }[] = [];
    const afterWall = (ms: number) => {
      const wait = { ms, cancelled: false };
      waits.push(wait);
      return () => {
        wait.cancelled = true;
      };
    };
    const resolve = systemResolver({ ...clock, afterWall } as typeof clock, never);
    await expect(resolve('a.example')).rejects.toThrow('nothing is resolved here');
    await Promise.resolve();
    expect(waits).toEqual([{ ms: LOOK_UP_MS, cancelled: true }]);
  });
});
