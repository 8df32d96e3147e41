/** What a scenario turns in a running sandbox is as it was again after `kill -9` in the middle of it. [decisions 9] */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SCENARIO = `scenario: Turns what can be turned
modes: [real]
site:
  name: Guest plant
  origin: [43.3, -8.4]
  zones: {Dock: {type: work_area, box: [0, 0, 200, 120]}}
workers: {ana: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
  - contract: {include_worker_names: false, contractors: [Nobody]}
  - limits: {requests_per_minute: 3}
  - api_fault: {status: 503}
  - sos: {who: ana}
  - wait: 10m
`;

// Without a process of its own: test/sandbox/runs.test.ts.
unless(
  withoutWhole,
).test('a killed sandbox restores the contract at its next start, and the scenario’s plant and destinations are gone', async () => {
  mkdirSync(join(folder.path, 'scenarios'));
  writeFileSync(join(folder.path, 'scenarios', 'turns.scenario.yaml'), SCENARIO);
  const up = () => RunningSandbox.up(['--watches', '12', '--data-dir', 'data'], { cwd: folder.path });
  const sandbox = await up();
  const { control_token } = sandbox.ready;
  const before = await sandbox.call('GET', '/v1/workers?limit=1', await sandbox.token());
  expect(before.body.data[0].name).toEqual(expect.any(String));
  const run = await sandbox.call('POST', '/v1/sandbox/scenarios/turns/runs', control_token, {});
  expect([run.status, run.body.status]).toEqual([202, 'running']);
  // Its alert is there, so all that comes before it is done.
  await sandbox.call('POST', '/v1/sandbox/wait', control_token, { alert: 'sos', within: '30s' });
  sandbox.child.kill('SIGKILL');
  await sandbox.ended;
  const again = await up();
  const token = await again.token();
  const after = await again.call('GET', '/v1/workers?limit=1', token);
  expect([after.status, after.body.data]).toEqual([200, [expect.objectContaining({ name: before.body.data[0].name })]]);
  const sites = await again.call('GET', '/v1/sites', token);
  expect(sites.body.data.map(({ name }: { name: string }) => name)).not.toContain('Guest plant');
  expect((await again.call('GET', '/v1/webhooks', token)).body.data).toEqual([]);
  expect((await again.call('GET', '/v1/alerts', token)).body.data).toEqual([]);
  await again.stop();
});
