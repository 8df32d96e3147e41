// node:test: `node --test` runs each file in a process of its own, so each file may start a sandbox.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startSandbox, withSandbox } from 'muster-sandbox';

let sandbox;
before(async () => {
  sandbox = await startSandbox({ seed: 7, watches: 12 });
});
beforeEach(() => sandbox.reset());
after(() => sandbox.stop());

test('an operator acknowledges, and the alert says who', async () => {
  const client = sandbox.client();
  const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-001' });
  await client.patch(`/v1/alerts/${alert_id}`, { status: 'acknowledged', actor: { name: 'Shift lead' } });
  const alert = await client.get(`/v1/alerts/${alert_id}`);
  assert.equal(alert.status, 'acknowledged');
});

test('with a sandbox for one test alone', () =>
  withSandbox({ seed: 7, watches: 12 }, async ({ sandbox, receiver }) => {
    const { muster_id } = await sandbox.act({
      action: 'start_muster',
      site: 'Terminal Puerto Alerce',
      kind: 'general',
      by: 'Shift lead',
    });
    const started = await receiver.next({ type: 'muster.started' });
    assert.equal(started.data.muster.id, muster_id);
  }));
