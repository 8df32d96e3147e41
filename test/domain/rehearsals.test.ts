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
  test.each(['expire', 'revoke'] as const)('that are told to %s end, and those of nobody else', (how) => {
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

test('a change of privacy changes what comes after it, not the place that an alert was raised with', () => {
  const small = new SmallWorld();
  small.do({ type: 'report-battery', deviceId: small.device(1), pct: 10, charging: false });
  small.do({ type: 'change-privacy', siteId: SITE, mode: 'on_demand', unveilMinSeverity: 'critical' });
  expect(small.alert('low_battery')).toMatchObject({ locationWithheld: false, location: { masked: false } });
  small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
  expect(small.alert('worker_call_request')).toMatchObject({ locationWithheld: true, location: null });
});
