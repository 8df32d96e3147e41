import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { SandboxHere } from './sandbox-here.ts';

// Debian's mosquitto-clients: a judge that knows nothing of us.
unless(withoutPrograms('mosquitto_pub')).describe('mosquitto_pub as a spare watch', () => {
  const folder = ownFolder();
  let sandbox: SandboxHere;
  beforeAll(async () => {
    sandbox = await SandboxHere.up(['--memory', '--data-dir', folder.path, '--watches', '12']);
  });
  afterAll(async () => {
    await sandbox.stop();
    folder.remove();
  });

  const publish = async (site: string, topicSerial: string, serial: string, key: string, id: string) => {
    const { hostname, port } = new URL(sandbox.ready.mqtt_url);
    const message = JSON.stringify({
      id,
      session: 1,
      seq: 1,
      t: new Date().toISOString(),
      with: 'watch_hardware_button',
    });
    const topic = `wt/v1/${site}/${topicSerial}/up/event/sos`;
    const args = [
      '-h',
      hostname,
      '-p',
      port,
      '-i',
      serial,
      '-u',
      serial,
      '-P',
      key,
      '-q',
      '1',
      '-t',
      topic,
      '-m',
      message,
    ];
    const child = spawn('mosquitto_pub', args, { timeout: 600_000 });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    let stderr = '';
    for await (const bytes of child.stderr) stderr += String(bytes);
    return { status: await ended, stderr };
  };

  test("raises an SOS with its own key, and is refused another watch's topic and a wrong key", async () => {
    const [mine, other] = sandbox.ready.watches.filter(({ emulated }) => !emulated);
    if (mine === undefined || other === undefined) throw new Error('no spare watches');
    const right = await publish(
      mine.site_id,
      mine.serial,
      mine.serial,
      mine.key,
      '11111111-1111-4111-8111-111111111111',
    );
    expect(right.status).toBe(0);
    const foreign = await publish(
      other.site_id,
      other.serial,
      mine.serial,
      mine.key,
      '22222222-2222-4222-8222-222222222222',
    );
    expect(foreign.status).not.toBe(0);
    const wrong = await publish(
      mine.site_id,
      mine.serial,
      mine.serial,
      other.key,
      '33333333-3333-4333-8333-333333333333',
    );
    expect([wrong.status, wrong.stderr]).toEqual([
      expect.any(Number),
      expect.stringMatching(/not authori[sz]ed|bad user/i),
    ]);
    expect(wrong.status).not.toBe(0);
    const { body } = await sandbox.call('GET', '/v1/alerts', await sandbox.token());
    expect(
      body.data.map((alert: { type: string; details: object; worker: { external_id: string } }) => [
        alert.type,
        alert.details,
        alert.worker.external_id,
      ]),
    ).toEqual([['sos', { trigger: 'watch_hardware_button' }, mine.worker]]);
  });
});
