// Your own receiver, which verifies signatures: the sandbox delivers to it, and `wait` knows when.
import { startSandbox } from 'muster-sandbox';
import { startReceiver } from './receiver.js';

let sandbox;
let receiver;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, watches: 12 });
}, 120_000);
beforeEach(async () => {
  // A reset ends all subscriptions, so each test has a receiver of its own.
  await sandbox.reset();
  receiver = await startReceiver(sandbox);
});
afterEach(() => receiver.stop());
afterAll(() => sandbox.stop());

test('my receiver gets a fall', async () => {
  const { alert_id } = await sandbox.act({ action: 'fall', who: 'W-001' });
  await sandbox.wait({ delivery: 'any', match: { about: alert_id, result: 'delivered' } });
  expect(receiver.events()).toMatchObject([{ type: 'alert.created', data: { alert: { id: alert_id } } }]);
});

test('my receiver refuses another secret', async () => {
  receiver.expectSecret('whsec_another');
  const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-001' });
  const { found } = await sandbox.wait({ delivery: 'any', match: { about: alert_id, status: 401 } });
  expect([found.result, receiver.events()]).toEqual(['waiting', []]);
});
