/** Nothing that is not public is ever connected to, whatever its name says when. [spec 2, decisions 7] */
import type { LookupAddress } from 'node:dns';
import { Agent } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realClock } from '../../../src/base/time/clocks.ts';
import { handingBack, post } from '../../../src/service/webhooks/post.ts';
import { judgeDestination, type Resolve, systemResolver } from '../../../src/service/webhooks/resolver.ts';
import { Receiver } from './receiver.ts';
import { SmallWorld } from './small-world.ts';
import { startTlsServer } from './tls.ts';

const names =
  (table: Record<string, string[]>): Resolve =>
  async (host) => {
    const found = table[host];
    if (found === undefined) throw new Error(`ENOTFOUND ${host}`);
    return found;
  };

describe('when a destination is made', () => {
  const forwards = new Map([['receiver.example', new URL('http://127.0.0.1:3000')]]);
  const resolve = names({
    'ok.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
    'metadata.example': ['169.254.169.254'],
    'metadata6.example': ['fd00:ec2::254'],
    'mixed.example': ['93.184.216.34', '10.0.0.5'],
    'mapped.example': ['93.184.216.34', '::ffff:169.254.169.254'],
    'compatible.example': ['::7f00:1'],
    'alias.example': ['127.0.0.1'],
    'localtest.me': ['127.0.0.1', '::1'],
    '127.0.0.1.nip.io': ['127.0.0.1'],
    'receiver.example': ['127.0.0.1'],
    'empty.example': [],
  });

  test.each([
    'ok.example',
    'nowhere.example',
    'kubernetes.default.svc',
    'empty.example',
    '93.184.216.34',
  ])('%s is accepted: public, or unknown here', async (host) => {
    expect(await judgeDestination(`https://${host}/h`, { resolve, forwards })).toBeNull();
  });

  test.each([
    'metadata.example',
    'metadata6.example',
    'mixed.example',
    'mapped.example',
    'compatible.example',
    'alias.example',
    'localtest.me',
    '127.0.0.1.nip.io',
  ])('%s is refused by one address that is not public', async (host) => {
    const detail = await judgeDestination(`https://${host}/h`, { resolve, forwards });
    expect(detail).toMatch(/ resolves to \S+, which is not a public address\.$/);
  });

  test('an url that is refused by its looks is never resolved, nor is a forwarded name', async () => {
    const refusing: Resolve = (host) => Promise.reject(new Error(`${host} was resolved`));
    const lookups: string[] = [];
    const recording: Resolve = (host) => {
      lookups.push(host);
      return refusing(host);
    };
    expect(await judgeDestination('https://10.0.0.1/', { resolve: recording, forwards })).toMatch(
      /not a public address/,
    );
    expect(await judgeDestination('http://ok.example/', { resolve: recording, forwards })).toMatch(/https/);
    expect(await judgeDestination('https://receiver.example/', { resolve: recording, forwards })).toBeNull();
    expect(lookups).toEqual([]);
  });
});

describe('at an attempt', () => {
  async function attemptTo(hostname: string, resolve: Resolve) {
    const listening = await Receiver.start();
    const small = await SmallWorld.start({ resolve });
    onTestFinished(async () => {
      await small.stop();
      await listening.close();
    });
    await small.destination(`https://${hostname}:${listening.port}/hook`);
    await small.sos();
    await small.attempted(1);
    return { attempt: small.attempts[0], listening };
  }

  test('a name that moved to a private address since it was judged is blocked, and nothing is connected to', async () => {
    let lookups = 0;
    const rebinding: Resolve = async () => [lookups++ === 0 ? '93.184.216.34' : '127.0.0.1'];
    expect(await judgeDestination('https://moving.example/', { resolve: rebinding, forwards: new Map() })).toBeNull();
    const { attempt, listening } = await attemptTo('moving.example', rebinding);
    const error = 'Blocked: moving.example resolves to 127.0.0.1, which is not a public address.';
    expect(attempt).toMatchObject({ result: 'waiting', status: null, error });
    expect(lookups).toBe(2);
    expect(listening.connections).toBe(0);
  });

  test('one private address among public ones blocks the attempt', async () => {
    const { attempt, listening } = await attemptTo('mixed.example', async () => ['93.184.216.34', '127.0.0.1']);
    expect(attempt).toMatchObject({ error: expect.stringContaining('mixed.example resolves to 127.0.0.1') });
    expect(listening.connections).toBe(0);
  });

  // Node asks no look-up for a literal, so the url itself has to be judged each time.
  test.each([
    '127.0.0.1',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'printer.local',
  ])('%s is blocked without asking anybody', async (host) => {
    const lookups: string[] = [];
    const { attempt, listening } = await attemptTo(host, async (name) => {
      lookups.push(name);
      return ['93.184.216.34'];
    });
    expect(attempt).toMatchObject({ result: 'waiting', error: expect.stringMatching(/^Blocked: .* is not a public /) });
    expect(lookups).toEqual([]);
    expect(listening.connections).toBe(0);
  });

  test('a name that does not resolve is a failure that says so', async () => {
    const { attempt } = await attemptTo('nowhere.example', names({}));
    expect(attempt).toMatchObject({ result: 'waiting', error: 'The name nowhere.example does not resolve.' });
  });
});

describe('a connection', () => {
  test('goes to the addresses that were judged, asks for the name, and checks the certificate', async () => {
    const server = await startTlsServer();
    const agent = new Agent({ rejectUnauthorized: true });
    const target = new URL(`https://ok.example:${server.port}/hook`);
    const posting = { target, headers: {}, body: Buffer.from('{}'), addresses: ['127.0.0.1'], agent };
    const answer = await post(posting, new AbortController().signal);
    // The name exists nowhere: only the address that was handed in can have led to the server.
    expect(server.serverNames).toEqual(['ok.example']);
    expect(answer).toMatchObject({ kind: 'unanswered', error: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
    expect(server.requests).toBe(0);
    agent.destroy();
    await server.close();
  });

  test('is handed exactly those addresses, one or all, as Node asks', async () => {
    const lookup = handingBack(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946']);
    const all = await new Promise((resolve) => lookup('x', { all: true }, (_error, found) => resolve(found)));
    expect(all as LookupAddress[]).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
    ]);
    const one = await new Promise((resolve) =>
      lookup('x', {}, (_error, address, family) => resolve([address, family])),
    );
    expect(one).toEqual(['93.184.216.34', 4]);
  });
});

test('the resolver of the system knows the names of this machine, and rejects one that nobody has', async () => {
  const clock = realClock();
  const resolve = systemResolver(clock);
  const addresses = await resolve('localhost');
  expect(addresses.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true);
  expect(addresses).not.toEqual([]);
  await expect(resolve('nobody.invalid')).rejects.toThrow();
  clock.stop();
});
