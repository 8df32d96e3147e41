/** `startSandbox({ tls: true })`: the library's client and receivers verify it, and code of the user finds the authority. [cli, up --tls] */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withSandbox } from '../../src/index.ts';
import { ownFolder } from '../helpers/own-folder.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

test('a sandbox of https has a client, receivers, and the file of its authority', async () => {
  const options = { tls: true, watches: 12, dataDir: join(folder.path, 'none'), memory: true };
  await withSandbox(options, async ({ sandbox, receiver, client }) => {
    const { api_url, mqtt_url, ca_file = '' } = sandbox.ready;
    expect([api_url, mqtt_url].map((url) => new URL(url).protocol)).toEqual(['https:', 'mqtts:']);
    const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-001' });
    expect(await client.get(`/v1/alerts/${alert_id}`)).toMatchObject({ id: alert_id });
    await client.patch(`/v1/alerts/${alert_id}`, { status: 'acknowledged', actor: { name: 'Ana' } });
    expect(await receiver.next({ type: 'alert.created' })).toMatchObject({ data: { alert: { id: alert_id } } });

    const status = (ca?: Buffer) =>
      new Promise((done) =>
        request(`${api_url}/healthz`, ca === undefined ? {} : { ca }, ({ statusCode }) => done(statusCode))
          .on('error', (error: NodeJS.ErrnoException) => done(error.code))
          .end(),
      );
    expect([await status(readFileSync(ca_file)), await status()]).toEqual([200, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);

    // At the same port, with the same certificate.
    await sandbox.reset();
    expect(sandbox.ready).toMatchObject({ api_url, mqtt_url, ca_file });
    expect(await client.call('GET', '/v1/sites')).toMatchObject({ status: 200 });
    expect(await status(readFileSync(ca_file))).toBe(200);
  });
});

test('an option that is no truth value is refused, with how it is written', async () => {
  await expect(withSandbox({ tls: 'yes' as never }, () => {})).rejects.toThrow('Write it as {tls: true}');
  await expect(withSandbox({ skipVerify: 1 as never }, () => {})).rejects.toThrow('Write it as {skipVerify: true}');
});
