/** The technical contact gets mail about lost deliveries, in files that mail programs open. [spec 6.6, decisions 7] */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { parseInstant } from '../../src/base/time/instants.ts';
import type { Notice } from '../../src/contract/notices.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { Client, Worker } from '../../src/service/domain/world/documents.ts';
import { ownFolder } from '../helpers/own-folder.ts';

test('two lost deliveries within 10 minutes are two mails: one at once, one when the 10 minutes are over', async () => {
  const folder = ownFolder();
  const clock = lockstepClock({ start: parseInstant('2026-10-05T06:00:00Z') as number });
  const forwards = new Map([['erp.example', 'http://127.0.0.1:9']]);
  const sandbox = await startSandbox({
    clock,
    forwards,
    dataDir: folder.path,
    fleet: false,
    port: 0,
    mqttPort: 0,
    seed: '1',
  });
  onTestFinished(async () => {
    await sandbox.stop();
    clock.stop();
    folder.remove();
  });
  const { engine } = sandbox;
  const mails: Extract<Notice, { kind: 'mail-sent' }>[] = [];
  sandbox.onNotice((notice) => notice.kind === 'mail-sent' && mails.push(notice));
  const [client] = [...engine.world.all('client')] as Client[];
  const { id: clientId, organizationId } = client as Client;
  const destination = { clientId, organizationId, url: 'https://erp.example/hook', filters: {}, secret: 'whsec_x' };
  await engine.submit({ type: 'create-destination', ...destination, eventTypes: ['alert.*'] });
  const workers = ([...engine.world.all('worker')] as Worker[]).filter((one) => one.organizationId === organizationId);
  for (const { id } of workers.slice(0, 3)) {
    await engine.submit({ type: 'panel-sos', workerId: id, by: 'Desk' });
    await clock.advance(60_000);
  }
  await clock.advance(25 * 3_600_000);

  expect(mails.map(({ at, subject }) => `${at} ${subject}`)).toEqual([
    '2026-10-06T06:00:00.000Z 1 event could not be delivered to erp.example',
    '2026-10-06T06:10:00.000Z 2 events could not be delivered to erp.example',
  ]);
  expect(mails[0]?.to).toBe('integration@austral.example');
  const files = readdirSync(join(folder.path, 'mail')).sort();
  expect(files).toHaveLength(2);
  const text = readFileSync(join(folder.path, 'mail', files[1] as string), 'utf8');
  expect(text).toMatch(/^From: .*\r\nTo: integration@austral\.example\r\nSubject: 2 events could not be delivered/);
  expect(text.match(/alert\.created/g)).toHaveLength(2);
  expect(text).toContain('GET /v1/events?created_after=2026-10-05T06:01:00.000Z');
});
