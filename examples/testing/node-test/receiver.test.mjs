// Your own receiver, which verifies signatures: the sandbox delivers to it, and `wait` knows when.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startSandbox } from 'muster-sandbox';
import { startReceiver } from './receiver.mjs';

let sandbox;
let receiver;
before(async () => {
  sandbox = await startSandbox({ seed: 7, watches: 12 });
});
beforeEach(async () => {
  // A reset ends all subscriptions, so each test has a receiver of its own.
  await sandbox.reset();
  receiver = await startReceiver(sandbox);
});
afterEach(() => receiver.stop());
after(() => sandbox.stop());

test('my receiver gets a fall', async () => {
  const { alert_id } = await sandbox.act({ action: 'fall', who: 'W-001' });
  await sandbox.wait({ delivery: 'any', match: { about: alert_id, result: 'delivered' } });
  assert.deepEqual(
    receiver.events().map(({ type, data }) => [type, data.alert.id]),
    [['alert.created', alert_id]],
  );
});

test('my receiver refuses another secret', async () => {
  receiver.expectSecret('whsec_another');
  const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-001' });
  const { found } = await sandbox.wait({ delivery: 'any', match: { about: alert_id, status: 401 } });
  assert.deepEqual([found.result, receiver.events()], ['waiting', []]);
});
