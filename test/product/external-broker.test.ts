/** `sandbox up --broker` and its fleets as child processes around a real Mosquitto. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Mosquitto } from '../helpers/mosquitto.ts';
import { withoutMosquitto, withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { COMMAND, cleanEnv, RunningSandbox, run } from './sandbox-process.ts';

let folder: ReturnType<typeof ownFolder>;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = ownFolder();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  folder.remove();
});

const dataDir = () => ['--data-dir', join(folder.path, 'data')];

async function mosquitto(...settings: string[]): Promise<Mosquitto> {
  const more = ['max_queued_messages 1000000', 'max_inflight_messages 1000', 'persistence true'];
  const lines = [...settings, ...more, `persistence_location ${folder.path}/`];
  const started = await Mosquitto.start(join(folder.path, 'mosquitto.conf'), [lines]);
  ends.push(() => started.stop());
  return started;
}

const urlOf = ({ ports }: Mosquitto, user = ''): string => `mqtt://${user}127.0.0.1:${ports[0]}`;

async function up(broker: string, ...args: string[]): Promise<RunningSandbox> {
  const ports = ['--port', '0', '--broker', broker];
  const running = await RunningSandbox.up([...dataDir(), '--watches', '12', ...args], { ports });
  ends.push(() => running.stop());
  return running;
}

/** `sandbox fleet` from its ready line on: what that says. */
async function fleet(...args: string[]) {
  const child = spawn(process.execPath, [...COMMAND, 'fleet', '--json', ...args], {
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    return closed;
  });
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return JSON.parse(value ?? 'null').data as { watches: number; shard: string };
}

const spareOf = ({ ready }: RunningSandbox) => ready.watches.filter(({ emulated }) => !emulated);
type Spare = ReturnType<typeof spareOf>[number];

/** The exit code of a press by a client that knows nothing of us. */
function press(at: Mosquitto, { serial, key, site_id: site }: Spare, { as = serial, id = ID, says = SOS } = {}) {
  const { kind, ...fields } = says;
  const message = { id, session: 1, seq: 1, t: new Date().toISOString(), ...fields };
  const topic = `wt/v1/${site}/${serial}/up/event/${kind}`;
  const words = ['-h', '127.0.0.1', '-p', String(at.ports[0]), '-i', as, '-u', as, '-P', key, '-q', '1', '-t', topic];
  return spawnSync('mosquitto_pub', [...words, '-m', JSON.stringify(message)], { timeout: 600_000 }).status;
}

const SOS: { kind: string; [field: string]: unknown } = { kind: 'sos', with: 'watch_button' };
const CALL = { kind: 'call', voice_note: false };
const OTHER_ID = '22222222-2222-4222-8222-222222222222';
const ID = '11111111-1111-4111-8111-111111111111';

async function alerts(running: RunningSandbox, type = 'sos') {
  const { body } = await running.call('GET', `/v1/alerts?type=${type}`, await running.token());
  return body.data as { id: string; worker: { external_id: string } }[];
}

async function untilAlert(running: RunningSandbox, type = 'sos'): Promise<void> {
  const body = { alert: type, within: '20s' };
  const { status } = await running.call('POST', '/v1/sandbox/wait', running.ready.control_token, body);
  expect(status).toBe(200);
}

unless(withoutWhole, withoutMosquitto, withoutPrograms('mosquitto_pub')).describe('with a Mosquitto', () => {
  it('a press that the broker acknowledged makes one alert, although the sandbox was killed before it', async () => {
    const broker = await mosquitto('allow_anonymous true');
    const first = await up(urlOf(broker), '--no-fleet');
    const [watch] = spareOf(first);
    if (watch === undefined) throw new Error('no spare watch');
    first.child.kill('SIGSTOP');
    expect(press(broker, watch)).toBe(0);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await up(urlOf(broker), '--no-fleet');
    await untilAlert(second);
    expect(press(broker, watch)).toBe(0);
    expect(press(broker, watch, { id: OTHER_ID, says: CALL })).toBe(0);
    await untilAlert(second, 'worker_call_request');
    expect(await alerts(second)).toHaveLength(1);
  });

  it('shares its watches among fleet processes, each watch in one of them', async () => {
    const broker = await mosquitto('allow_anonymous true');
    const running = await up(urlOf(broker), '--no-fleet', '--watches', '40');
    const file = join(folder.path, 'watches.json');
    writeFileSync(file, (await run(['env', '--format', 'json', ...dataDir()])).stdout);
    const [one, two] = await Promise.all([
      fleet('--shard', '1/2', ...dataDir()),
      fleet('--shard', '2/2', '--broker', urlOf(broker), '--credentials', file),
    ]);
    expect([one.watches, two.watches]).toEqual([17, 17]);
    const births = new Set<unknown>();
    await running.printed(({ event, serial }) => event === 'watch-online' && births.add(serial).size === 34);
  });

  it('knows the watches by the files that env writes, and lets each say its own only', async () => {
    const [passwords, acl] = [join(folder.path, 'passwords'), join(folder.path, 'acl')];
    for (const file of [passwords, acl]) writeFileSync(file, '', { mode: 0o600 });
    spawnSync('mosquitto_passwd', ['-b', passwords, 'sandbox', 'pa:ss']);
    writeFileSync(acl, 'user sandbox\ntopic readwrite wt/v1/#\n');
    const broker = await mosquitto('allow_anonymous false', `password_file ${passwords}`, `acl_file ${acl}`);
    const url = urlOf(broker, 'sandbox:pa%3Ass@');
    const running = await up(url);
    expect(running.line.warnings).toEqual([expect.stringMatching(/does not let the watch .* mosquitto-passwords/)]);
    expect(running.ready.mqtt_url).toBe(urlOf(broker));
    const format = async (name: string) =>
      (await run(['env', '--format', name, ...dataDir()], { env: { SANDBOX_BROKER: url } })).stdout;
    writeFileSync(passwords, await format('mosquitto-passwords'));
    writeFileSync(acl, await format('mosquitto-acl'));
    broker.reload();
    await running.printed(({ event }) => event === 'watch-online');
    const [mine, other] = spareOf(running);
    if (mine === undefined || other === undefined) throw new Error('no spare watches');
    expect(press(broker, { ...mine, key: other.key })).not.toBe(0);
    // Mosquitto acknowledges what it does not let through.
    expect(press(broker, { ...other, key: mine.key }, { as: mine.serial })).toBe(0);
    expect(press(broker, mine, { id: OTHER_ID })).toBe(0);
    await untilAlert(running);
    expect(await alerts(running)).toMatchObject([{ worker: { external_id: mine.worker } }]);
    // The claim is the service's alone: the file lets it read and write the topic, and no watch.
    const claim = `wt/v1/${mine.site_id}/host/claim`;
    const as = ['-h', '127.0.0.1', '-p', String(broker.ports[0]), '-i', mine.serial, '-u', mine.serial, '-P', mine.key];
    expect(spawnSync('mosquitto_pub', [...as, '-q', '1', '-r', '-n', '-t', claim]).status).toBe(0);
    const retained = ['-u', 'sandbox', '-P', 'pa:ss', '-t', claim, '-C', '1', '-W', '5'];
    const { stdout } = spawnSync('mosquitto_sub', [...as.slice(0, 4), ...retained], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ sandbox: expect.any(String), process: expect.any(String) });
  });

  it.each([
    [['--seed', '7']],
    [['--no-fleet']],
  ])('refuses a second sandbox with the same sites (%j), names the fix, and takes nothing from the first', async (args) => {
    const broker = await mosquitto('allow_anonymous true');
    const first = await up(urlOf(broker), ...args);
    const [watch] = spareOf(first);
    if (watch === undefined) throw new Error('no spare watch');
    const flags = ['--memory', '--watches', '12', '--port', '0', '--broker', urlOf(broker), ...args];
    const second = run(['up', '--json', ...flags]);
    expect(press(broker, watch)).toBe(0);
    const { code, stdout } = await second;
    expect(code).toBe(3);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'site_claimed',
      message: expect.stringMatching(/another sandbox serves the site .*\(sandbox \w+, process \w+, since /),
      actions: [expect.stringContaining('--broker')],
    });
    await untilAlert(first);
    expect(await alerts(first)).toMatchObject([{ worker: { external_id: watch.worker } }]);
  });

  it('is there for a command that runs beside the sandbox', async () => {
    const url = urlOf(await mosquitto('allow_anonymous true'));
    const flags = ['--memory', '--watches', '12', '--broker', url];
    const { code, stdout } = await run([
      'exec',
      ...flags,
      '--',
      process.execPath,
      '-p',
      'process.env.SANDBOX_MQTT_URL',
    ]);
    expect([code, stdout.trim()]).toEqual([0, url]);
  });

  it('is not the sandbox’s own: nothing is stopped there', async () => {
    const broker = await mosquitto('allow_anonymous true');
    const running = await up(urlOf(broker));
    for (const body of [{ does: 'stop' }, { does: 'drop_clients' }, { does: 'drop_clients', who: 'W-001' }])
      expect(await running.act({ action: 'broker', ...body })).toMatchObject({ status: 409 });
    const { status, body } = await running.act({ action: 'sos', who: 'W-001' });
    expect({ status, body }).toMatchObject({ status: 200, body: { result: { alert_id: expect.any(String) } } });
  });
});

it.each([
  ['away', ['--broker', 'mqtt://127.0.0.1:1'], 3, /cannot be used: connect ECONNREFUSED/],
  ['no broker’s address', ['--broker', 'http://user:secret@host'], 2, /--broker http:\/\/\.\.\.@host is not/],
  ['given beside a port', ['--broker', 'mqtt://127.0.0.1:1', '--mqtt-port', '0'], 2, /--mqtt-port/],
])('a broker that is %s is a clear error', async (_what, flags, code, words) => {
  const ended = await runHere(['up', '--memory', '--port', '0', ...flags]);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(words);
  expect(ended.stderr).not.toContain('secret');
});
