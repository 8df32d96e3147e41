// ts-jest: the same file as for vitest, but for the imports; ts-jest checks its types.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Receiver, type Sandbox, startSandbox } from 'muster-sandbox';

let sandbox: Sandbox;
let receiver: Receiver;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, watches: 12 });
  receiver = await sandbox.receiver();
}, 120_000);

beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

test('a fall is delivered', async () => {
  const { alert_id } = await sandbox.act({ action: 'fall', who: 'W-001' });
  const created = await receiver.next({ type: 'alert.created', about: alert_id });
  expect(created.data.alert).toMatchObject({ type: 'fall_detected', status: 'unacknowledged' });
});

test('an unanswered fall becomes an SOS after half a minute', async () => {
  await sandbox.act({ action: 'fall', who: 'W-001', answers: 'never' });
  await sandbox.advance(31_000);
  const { found } = await sandbox.wait({ alert: 'sos', match: { of: 'W-001' } });
  expect(found.details.trigger).toBe('after_fall');
});
