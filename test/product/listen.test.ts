/** `sandbox listen` as a child process: a real receiver gets what a real sandbox delivers. [cli, decisions 9] */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { Receiver, status } from '../webhooks/receiver.ts';
import { BIN, cleanEnv, RunningSandbox, run } from './sandbox-process.ts';

const folder = ownFolder();
const args = ['--data-dir', folder.path, '--watches', '12', '--seed', '7'];
let sandbox: RunningSandbox;
let receiver: Receiver;

beforeAll(async () => {
  [sandbox, receiver] = await Promise.all([RunningSandbox.up(args), Receiver.start()]);
});

afterAll(async () => {
  await sandbox.stop();
  await receiver.close();
  folder.remove();
});

type Line = Record<string, unknown>;

/** The command with `--json`: its first line, those that follow as they come, and its end. */
class Listener {
  readonly child: ChildProcess;
  stderr = '';
  readonly code: Promise<number | null>;
  readonly #lines: Line[] = [];
  #waiting: { readonly fits: (line: Line) => boolean; readonly done: (line: Line) => void }[] = [];

  constructor(...flags: string[]) {
    const to = ['listen', '--json', '--data-dir', folder.path, '--forward-to', new URL('/hook', receiver.url).href];
    this.child = spawn(process.execPath, [BIN, ...to, ...flags], {
      env: cleanEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stderr?.on('data', (bytes: Buffer) => {
      this.stderr += bytes;
      if (this.stderr.includes('does not answer')) this.#hear({ said: 'does not answer' });
    });
    createInterface({ input: this.child.stdout! }).on('line', (text) => this.#hear(JSON.parse(text) as Line));
    this.code = new Promise((done) => this.child.once('close', done));
  }

  #hear(line: Line): void {
    this.#lines.push(line);
    for (const one of this.#waiting.filter(({ fits }) => fits(line))) one.done(line);
    this.#waiting = this.#waiting.filter(({ fits }) => !fits(line));
  }

  /** The first line, come already or still to come, that fits. */
  line(fits: (line: Line) => boolean): Promise<Line> {
    const known = this.#lines.find(fits);
    return known !== undefined ? Promise.resolve(known) : new Promise((done) => this.#waiting.push({ fits, done }));
  }

  begun(): Promise<Line> {
    return this.line(({ command }) => command === 'listen').then(({ data }) => data as Line);
  }

  end(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.code;
  }
}

const sessions = async (): Promise<Line[]> =>
  (await sandbox.call('GET', '/v1/sandbox/destinations', sandbox.ready.control_token)).body.data;

describe('listen', () => {
  test('delivers to the receiver, says how it answered, and takes the destination away at the end', async () => {
    const listener = new Listener('--events', 'alert.created,alert.resolved', '--events', 'muster.*');
    const { secret, event_types, organization } = await listener.begun();
    expect(event_types).toEqual(['alert.created', 'alert.resolved', 'muster.*']);
    expect(organization).toBe(sandbox.ready.clients[0]!.organization);
    receiver.behave = (n) => (n === 0 ? status(503) : status(204));
    await sandbox.act({ action: 'sos', who: 'W-001' });
    expect(await listener.line(({ result }) => result === 'failed')).toMatchObject({
      event: 'attempt',
      event_type: 'alert.created',
      try: 1,
      status: 503,
      answer: { body: 'answer 503' },
    });
    const control = sandbox.ready.control_token;
    await sandbox.call('POST', '/v1/sandbox/clock', control, { advance: '11s' });
    expect(await listener.line(({ result }) => result === 'delivered')).toMatchObject({ try: 2, status: 204 });
    const [, { headers, body }] = receiver.received as [unknown, (typeof receiver.received)[number]];
    // Stripe's scheme with other names: its verifier is the judge of the secret that was printed.
    const header = `t=${headers['x-service-timestamp']},${headers['x-service-signature']}`;
    expect(Stripe.webhooks.constructEvent(body, header, secret as string).type).toBe('alert.created');
    expect(await sessions()).toHaveLength(1);
    expect(await listener.end()).toBe(130);
    expect(await sessions()).toEqual([]);
    // The same secret in the next session, which begins without the lines of this one.
    const next = new Listener();
    expect((await next.begun())['secret']).toBe(secret);
    expect(await next.end('SIGTERM')).toBe(0);
    expect(next.stderr).toBe('');
  });

  test('finds the sandbox again that was killed, and what waited goes', async () => {
    const listener = new Listener();
    await listener.begun();
    const hanging: (() => void)[] = [];
    receiver.behave =
      () =>
      ({ response }) =>
        void hanging.push(() => response.end());
    const before = receiver.received.length;
    expect((await sandbox.act({ action: 'sos', who: 'W-002' })).status).toBe(200);
    await receiver.has(before + 1);
    const { eventId } = receiver.received.at(-1)!;
    await sandbox.stop('SIGKILL');
    await listener.line(({ said }) => said !== undefined);
    receiver.behave = () => status(200);
    sandbox = await RunningSandbox.up(args);
    expect(await listener.line(({ result, event_id }) => result === 'delivered' && event_id === eventId)).toBeDefined();
    expect(await listener.end()).toBe(130);
    expect(await sessions()).toEqual([]);
  });

  test('gets again what is replayed from the log of the running sandbox', async () => {
    const listener = new Listener();
    const { destination_id } = await listener.begun();
    receiver.behave = () => status(200);
    const before = receiver.received.length;
    expect((await sandbox.act({ action: 'sos', who: 'W-003' })).status).toBe(200);
    await receiver.has(before + 1);
    const { eventId, body } = receiver.received.at(-1)!;
    const to = ['--data-dir', folder.path, '--to', destination_id as string];
    const one = await run(['replay', ...to, '--event', eventId]);
    expect([one.code, one.stderr]).toEqual([0, expect.stringMatching(/^1 event to /)]);
    await receiver.has(before + 2);
    expect(receiver.received.at(-1)).toMatchObject({ eventId, body });
    const all = await run(['replay', ...to, '--since', '1h', '--only', 'alert.created', '--json']);
    expect(JSON.parse(all.stdout)).toMatchObject({ status: 'ok', data: { events: 3 } });
    expect(await listener.end()).toBe(130);
    const gone = await run(['replay', ...to, '--since', '1h']);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringMatching(/There is no destination .*sandbox listen/s)]);
    const nothing = await run(['replay', '--data-dir', folder.path, '--to', 'receiver.example']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('--since')]);
  });

  test('warns of a receiver that is not there', async () => {
    const listener = new Listener('--forward-to', 'http://127.0.0.1:9/hook');
    await listener.begun();
    await new Promise<void>((seen) => {
      listener.child.stderr?.on('data', () => seen());
      if (listener.stderr !== '') seen();
    });
    expect(listener.stderr).toMatch(/^warning {2}Nothing answers at 127\.0\.0\.1:9 yet \(ECONNREFUSED\)/);
    expect(await listener.end()).toBe(130);
  });

  test.each([
    [['--forward-to', 'nowhere'], 2, /--forward-to nowhere is not an address/],
    [['--forward-to', 'http://u:p@127.0.0.1/'], 2, /must not have userinfo/],
    [['--events', 'alert.creatd'], 2, /"alert\.created"/],
    [['--company', 'Nobody'], 2, /There is no company "Nobody"/],
    [['--data-dir', '/nowhere/at/all'], 3, /No sandbox is running/],
  ])('refuses %j', async (flags, code, said) => {
    const ended = await run(['listen', '--data-dir', folder.path, '--forward-to', receiver.url.href, ...flags]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(said);
  });
});

test('--print-secret prints the secret that every session has, and leaves no destination behind', async () => {
  const printed = await run(['listen', '--print-secret', '--data-dir', folder.path]);
  expect(await sessions()).toEqual([]);
  const listener = new Listener();
  const { secret } = await listener.begun();
  await listener.end();
  expect(printed).toMatchObject({ code: 0, stdout: `${secret}\n` });
  expect(await run(['listen', '--data-dir', folder.path])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('listen needs --forward-to.'),
  });
});
