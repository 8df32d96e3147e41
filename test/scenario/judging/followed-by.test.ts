/** Rules with `followed_by`: what comes after each match in time, counted from when the customer could know. */
import { expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { failuresOf, playWhole, wholeScenario } from '../whole-stage.ts';

const RULE = `rules:
  - every: {event: alert.created, object: {severity: critical}}
    as: e
    followed_by: {request: PATCH /v1/alerts/$e.object.id, status: 200}
    within: 30s
`;

test('an alert that is acknowledged in time keeps the rule', async () => {
  const steps = `
    - sos: {who: ana}
      as: sos
    - acknowledge: {alert: $sos, by: Desk}
      after: 29s`;
  expect(await failuresOf(steps, RULE)).toEqual([]);
});

test('one that is acknowledged too late breaks it, and so does one that never is', async () => {
  const late = `
    - sos: {who: ana}
      as: sos
    - acknowledge: {alert: $sos, by: Desk}
      after: 31s`;
  expect(await failuresOf(late, RULE)).toEqual([
    expect.stringMatching(/followed by request PATCH.*\n.*alert\.created sos/),
  ]);
  expect(await failuresOf('- sos: {who: ana}', RULE)).toHaveLength(1);
});

test('a follower that did not come is inconclusive where timers of this process were late twice', async () => {
  const breaches: string[] = [];
  const result = await playWhole(wholeScenario('- sos: {who: ana}', RULE), {
    boot: (request) => {
      const { clock } = request;
      const monotonic = clock.monotonic.bind(clock);
      let looks = 0;
      Object.assign(clock, { monotonic: () => monotonic() + 1_000 * looks++ });
      return bootStage(request);
    },
    onBreach: (_at, { why }) => void breaches.push(why),
  });
  expect(result).toMatchObject({ verdict: 'error', exitCode: 3, error: { code: 'too_slow' } });
  expect(result.error?.message).toMatch(/^The machine was too busy: due work ran up to \d+ ms late, so 1 failed check/);
  expect(breaches).toEqual([]);
});

test('the limit counts from the delivery: before it, no client could know', async () => {
  const steps = `
    - receiver: {name: erp, does: 503}
      for: 1m
    - sos: {who: ana}
      as: sos
    - acknowledge: {alert: $sos, by: Desk}
      at: 2m20s`;
  expect(await failuresOf(steps, RULE)).toEqual([]);
});

test('the limit does not run while the API is in trouble', async () => {
  const steps = `
    - api_fault: {status: 503}
      for: 5m
    - sos: {who: ana}
      as: sos
    - acknowledge: {alert: $sos, by: Desk}
      at: 5m20s`;
  expect(await failuresOf(steps, RULE)).toEqual([]);
});

test('limits of a company end with their time', async () => {
  const steps = `
    - limits: {requests_per_minute: 0}
      for: 2m
    - api: {get: /v1/alerts, answers: {status: 429}}
    - api: {get: /v1/alerts, answers: {status: 200}}
      at: 3m30s`;
  expect(await failuresOf(steps)).toEqual([]);
});
