import { describe, expect, test } from 'vitest';
import { SITE, SmallWorld, T0 } from './small-world.ts';

const MINUTE = 60_000;

describe('a change of contract', () => {
  test('holds for what is rendered after it, and the log keeps what was rendered before', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.do({ type: 'change-contract', clientId: 'harbour_co', includeWorkerNames: false });
    small.update(small.alert('sos'), 'acknowledged');
    expect(small.events.map(({ body }) => body.includes('Ana Ruiz'))).toEqual([true, false]);
  });

  test('to other contractors ends the deliveries of what the client no longer sees', () => {
    const small = new SmallWorld();
    small.subscribe();
    small.do({ type: 'change-contract', clientId: 'harbour_co', contractors: ['Norte SL'] });
    small.sos(1);
    small.sos(2);
    expect([...small.world.all('delivery')]).toHaveLength(1);
    small.do({ type: 'change-contract', clientId: 'harbour_co', contractors: null });
    small.sos(3);
    expect([...small.world.all('delivery')]).toHaveLength(2);
  });

  test('of a client that does not exist is refused', () => {
    expect(new SmallWorld().do({ type: 'change-contract', clientId: 'nobody' })).toMatchObject({ code: 'not_found' });
  });
});

describe('tokens of a client', () => {
  test('are forgotten a day after they ended, and not those of another client', () => {
    const small = new SmallWorld();
    const issue = (hash: string, clientId: string, expiresAt: number) =>
      small.do({ type: 'issue-token', hash, clientId, scopes: [], expiresAt });
    const day = 24 * 60 * MINUTE;
    issue('old', 'harbour_co', T0);
    issue('of another', 'another', T0);
    issue('a day old', 'harbour_co', T0 + 1);
    issue('new', 'harbour_co', T0 + 1 + day);
    expect([...small.world.all('token')].map(({ id }) => id)).toEqual(['of another', 'a day old', 'new']);
  });

  test.each([
    'expire',
    'revoke',
  ] as const)('the tokens of a client end by %s, and those of no other client stay', (how) => {
    const small = new SmallWorld();
    const issue = (hash: string, clientId: string) =>
      small.do({ type: 'issue-token', hash, clientId, scopes: [], expiresAt: T0 + 60 * MINUTE });
    issue('a', 'harbour_co');
    issue('b', 'another');
    small.do({ type: 'end-tokens', clientId: 'harbour_co', how, at: T0 + MINUTE });
    const good = [...small.world.all('token')].filter(({ revoked, expiresAt }) => !revoked && expiresAt > T0 + MINUTE);
    expect(good.map(({ id }) => id)).toEqual(['b']);
  });
});

test.each([
  ['expire', { revoked: false, expiresAt: T0 + MINUTE }],
  ['revoke', { revoked: true, expiresAt: T0 + 60 * MINUTE }],
] as const)('a token that is told to %s says so, and one that has ended before stays as it ended', (how, ends) => {
  const small = new SmallWorld();
  const issue = (hash: string, expiresAt: number) =>
    small.do({ type: 'issue-token', hash, clientId: 'harbour_co', scopes: [], expiresAt });
  issue('over', T0 + MINUTE);
  issue('good', T0 + 60 * MINUTE);
  issue('revoked', T0 + 60 * MINUTE);
  small.world.put('token', { ...small.world.need('token', 'revoked'), revoked: true });
  const before = ['over', 'revoked'].map((id) => small.world.need('token', id));
  small.do({ type: 'end-tokens', clientId: 'harbour_co', how, at: T0 + MINUTE });
  expect(small.world.need('token', 'good')).toMatchObject(ends);
  expect(['over', 'revoked'].map((id) => small.world.need('token', id))).toEqual(before);
});

test.each([
  { type: 'end-tokens', clientId: 'nobody', how: 'revoke', at: T0 },
  { type: 'change-privacy', siteId: 'nowhere', mode: 'on_demand' },
] as const)('$type of what does not exist is refused', (command) => {
  expect(new SmallWorld().do(command)).toMatchObject({ code: 'not_found' });
});

describe('a watch of the stores', () => {
  const swap = (small: SmallWorld, n: number, serial: string) =>
    small.do({ type: 'swap-watch', workerId: small.workerId(n), serial, keyHash: 'k' });
  const worn = (small: SmallWorld) =>
    [...small.world.all('device')].map(({ serial, workerId }) => [serial, workerId]).sort();
  const whole = (small: SmallWorld) =>
    [...small.world.all('device'), ...small.world.all('worker')].every(
      ({ id, organizationId }) => id && organizationId,
    );

  test('goes to somebody without one, and nobody else changes theirs', () => {
    const small = new SmallWorld();
    small.world.put('worker', { ...small.world.need('worker', small.workerId(1)), deviceId: null });
    small.world.put('device', { ...small.world.need('device', small.device(1)), workerId: null });
    swap(small, 1, 'NEW-1');
    expect(worn(small)).toEqual([
      ['NEW-1', small.workerId(1)],
      ['SIM-1', null],
      ['SIM-2', small.workerId(2)],
      ['SIM-3', small.workerId(3)],
    ]);
    expect(whole(small)).toBe(true);
  });

  test('takes the place of the old one, which nobody wears then', () => {
    const small = new SmallWorld();
    swap(small, 1, 'NEW-1');
    expect(worn(small).slice(0, 2)).toEqual([
      ['NEW-1', small.workerId(1)],
      ['SIM-1', null],
    ]);
    swap(small, 2, 'SIM-3');
    expect(worn(small).slice(2)).toEqual([
      ['SIM-2', small.workerId(3)],
      ['SIM-3', small.workerId(2)],
    ]);
    expect(whole(small)).toBe(true);
  });
});

test('a change of privacy changes what comes after it, not the place that an alert was raised with', () => {
  const small = new SmallWorld();
  small.do({ type: 'report-battery', deviceId: small.device(1), pct: 10, charging: false });
  small.do({ type: 'change-privacy', siteId: SITE, mode: 'on_demand', unveilMinSeverity: 'critical' });
  expect(small.alert('low_battery')).toMatchObject({ locationWithheld: false, location: { masked: false } });
  small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
  expect(small.alert('worker_call_request')).toMatchObject({ locationWithheld: true, location: null });
});
