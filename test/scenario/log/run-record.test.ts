/** The record of a run: which deliveries the user's own system answered for itself. */
import { expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import { RunRecord } from '../../../src/scenario/log/run-record.ts';

const AT = '2026-10-05T06:00:00.000Z';

function recordOf() {
  const time = { now: 0, passedAt: 0 };
  const clock = Object.assign(lockstepClock({ start: Date.parse(AT) }), { monotonic: () => time.now });
  const record = new RunRecord(clock, {
    receiverOf: () => 'inbox',
    companyOf: () => 'customer',
    takePassedAt: () => time.passedAt,
  });
  const answered = (status: number, token = 'f0') => {
    time.now += 1;
    const call = {
      organization_id: 'o',
      client_id: 'c',
      method: 'GET',
      path: '/v1/alerts',
      query: '',
      status,
      code: null,
      token_hash: token,
      retry_after_s: status === 429 ? 2 : null,
    };
    record.add({ kind: 'request-answered', at: AT, ...call } as Notice);
  };
  /** Whether a delivery that is passed on now, and ends waiting, counts as one that the system answered for itself. */
  const reaches = (): boolean => {
    time.passedAt = time.now += 1;
    const sent = { delivery_id: 'd', event_id: 'e', event_type: 'alert.created', object_id: 'a', destination_id: 'x' };
    const outcome = { url: 'u', try: 1, offset_ms: 0, result: 'waiting', status: null, error: null, signatures: 1 };
    record.add({ kind: 'delivery-attempted', at: AT, ...sent, ...outcome, took_ms: 1 } as Notice);
    return record.attempts.at(-1)?.reached === true;
  };
  return { record, answered, reaches };
}

test.each([
  401, 429, 500, 503,
])('a system whose last call was answered %d waits for the API, and is not judged', (status) => {
  const { answered, reaches } = recordOf();
  expect(reaches()).toBe(true);
  answered(status);
  expect(reaches()).toBe(false);
  // It obeys Retry-After by the wall clock: the trouble of the scenario is over before its next call.
  answered(200);
  expect(reaches()).toBe(true);
});

test('a token that was refused before is no excuse: the client has to get another', () => {
  const { record, answered, reaches } = recordOf();
  answered(401);
  answered(401);
  expect(reaches()).toBe(true);
  answered(401, 'f1');
  expect(reaches()).toBe(false);
  expect(record.requests.map(({ excusedTo }) => excusedTo === null)).toEqual([false, true, false]);
});

test('after a 429 a client is excused until its Retry-After has passed', () => {
  const { record, answered } = recordOf();
  answered(429);
  expect(record.requests[0]?.excusedTo).toBe(Date.parse(AT) + 2_000);
});

test.each([200, 404, 409, 422])('an answer of %d is the system’s own affair', (status) => {
  const { answered, reaches } = recordOf();
  answered(status);
  expect(reaches()).toBe(true);
});

test('while an outage lasts no delivery is judged', () => {
  const { record, reaches } = recordOf();
  record.setTrouble('api_fault', true);
  expect(reaches()).toBe(false);
  record.setTrouble('api_fault', false);
  expect(reaches()).toBe(true);
});
