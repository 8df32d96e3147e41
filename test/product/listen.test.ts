/** `sandbox listen`: a real receiver gets what a real sandbox delivers. [cli, decisions 9] */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPrintable } from '../../src/base/text/printable.ts';
import type { DeliveryAttempt } from '../../src/contract/resources/logs.ts';
import { deliveryHeaders } from '../../src/service/domain/deliveries/signature.ts';
import { curlOf } from '../../src/watching/state/deliveries.ts';
import { eachOf } from '../helpers/each-of.ts';
import { withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { Receiver, status } from '../service/webhooks/receiver.ts';
import { runHere, StartedHere } from './here.ts';
import { BIN, RunningSandbox } from './sandbox-process.ts';

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

/** Instead of an address: the command is the receiver. */
const HERE = 'here';

/** The command with `--json`: its first line, those that follow as they come, and its end. */
class Listener {
  readonly started: Promise<StartedHere>;

  constructor(...flags: string[]) {
    const to = flags.includes(HERE) ? [] : ['--forward-to', new URL('/hook', receiver.url).href];
    const words = ['listen', '--json', '--data-dir', folder.path, ...to, ...flags.filter((one) => one !== HERE)];
    this.started = StartedHere.start(words);
  }

  /** The first line, come already or still to come, that fits. */
  async line(fits: (line: Line) => boolean): Promise<Line> {
    return (await this.started).line(fits);
  }

  /** Resolves when stderr has these words, with all of it. */
  async warns(words: RegExp): Promise<string> {
    const started = await this.started;
    await started.prints(words, 'stderr');
    return started.stderr;
  }

  begun(): Promise<Line> {
    return this.line(({ command }) => command === 'listen').then(({ data }) => data as Line);
  }

  async end(signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): Promise<number> {
    return (await this.started).end(signal);
  }
}

/** Through a pipe: the whole command may be longer than an argument. */
function shell(command: string): Promise<string> {
  const child = spawn('sh', ['-s'], { stdio: ['pipe', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes;
  });
  child.stdin.end(command);
  return new Promise((done) => child.once('close', () => done(text)));
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

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
    // A row of the log has ids and types, and the line the words of the event.
    const named = /alert\.created +SOS: .+ \(W-001\) +→ http:\S+ {2}.+ {2}try [12] /g;
    const logs = await runHere(['logs', 'deliveries', '--data-dir', folder.path]);
    expect(logs.stdout.match(named)).toHaveLength(2);
    expect(await listener.end()).toBe(130);
    expect(await sessions()).toEqual([]);
    // The same secret in the next session, which begins without the lines of this one.
    const next = new Listener();
    expect((await next.begun())['secret']).toBe(secret);
    expect(await next.end('SIGTERM')).toBe(0);
    expect((await next.started).stderr).toBe('');
  });

  test('shows each attempt in full, and its curl command sends the same bytes, which the receiver verifies', async () => {
    const listener = new Listener('--details');
    const { secret } = await listener.begun();
    receiver.behave = () => status(204);
    const before = receiver.received.length;
    // The alert of the test before is joined, and has a new event when it is acknowledged.
    const { result } = (await sandbox.act({ action: 'sos', who: 'W-001' })).body as { result: { alert_id: string } };
    await sandbox.act({ action: 'acknowledge', alert: result.alert_id, by: 'Desk 2', via: 'panel' });
    const line = await listener.line(({ event_type }) => event_type === 'alert.acknowledged');
    const first = receiver.received[before]!;
    expect(line).toMatchObject({
      body: first.body,
      string_to_sign: `${first.headers['x-service-timestamp']}.${first.body}`,
      signed_with: ['the secret'],
      recomputed: [{ secret: 'the secret', signature: first.headers['x-service-signature'], is_sent: true }],
    });
    const page = await (await fetch(`${sandbox.ready.panel_url}/deliveries/${first.eventId}`)).text();
    const [, escaped = ''] = /<pre tabindex="0" id="curl-[^>]*>([\s\S]*?)<\/pre>/.exec(page) ?? [];
    expect(await shell(unescaped(escaped))).toContain('HTTP/1.1 204');
    const second = receiver.received[before + 1]!;
    const delivered = ({ headers: { connection: _, ...headers }, ...rest }: typeof first) => ({
      ...rest,
      headers,
      wallAt: 0,
      monotonicAt: 0,
    });
    expect(delivered(second)).toEqual(delivered(first));
    const header = `t=${second.headers['x-service-timestamp']},${second.headers['x-service-signature']}`;
    expect(Stripe.webhooks.constructEvent(second.body, header, secret as string).type).toBe('alert.acknowledged');
    expect(await listener.end()).toBe(130);
  });

  test('a curl command sends any text as it is: quotes, percent signs, marks that a terminal obeys, and long ones', async () => {
    receiver.behave = () => status(204);
    const odd = `{"note":"it's 100% \\n \u202eabc\u2028 é 👩🏽‍🚒 $HOME \`id\`"}`;
    for (const body of [odd, odd.replaceAll(/[\u202e\u2028]/g, ''), `{"long":"${'é%'.repeat(60_000)}"}`]) {
      const headers = deliveryHeaders('6f1c1a52-51f5-4f0a-9a55-0a4f2a3c9b10', body, ['whsec_x'], 1_000);
      const request = { url: new URL("/hook?a='b'&c=$d", receiver.url).href, headers };
      const command = curlOf({ request } as DeliveryAttempt, body);
      expect(isPrintable(command.replaceAll('\n', ''))).toBe(true);
      await shell(command);
      expect(receiver.received.at(-1)).toMatchObject({ body, path: '/hook?a=%27b%27&c=$d' });
    }
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
    await listener.warns(/does not answer/);
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
    const one = await runHere(['replay', ...to, '--event', eventId]);
    expect([one.code, one.stderr]).toEqual([0, expect.stringMatching(/^1 event to /)]);
    await receiver.has(before + 2);
    expect(receiver.received.at(-1)).toMatchObject({ eventId, body });
    const all = await runHere(['replay', ...to, '--since', '1h', '--only', 'alert.created', '--json']);
    expect(JSON.parse(all.stdout)).toMatchObject({ status: 'ok', data: { events: 3 } });
    expect(await listener.end()).toBe(130);
    const gone = await runHere(['replay', ...to, '--since', '1h']);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringMatching(/There is no destination .*sandbox listen/s)]);
    const nothing = await runHere(['replay', '--data-dir', folder.path, '--to', 'receiver.example']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('--since')]);
  });

  unless(
    withoutWhole,
  ).test('two commands at one address have a destination each, and the end of one leaves the other', async () => {
    const [one, two] = [new Listener(), new Listener()];
    const ids = (await Promise.all([one.begun(), two.begun()])).map((data) => data['destination_id']);
    expect(new Set(ids).size).toBe(2);
    expect(await one.end()).toBe(130);
    expect((await sessions()).map(({ id }) => id)).toEqual([ids[1]]);
    receiver.behave = () => status(204);
    await sandbox.act({ action: 'sos', who: 'W-004' });
    expect(await two.line(({ result }) => result === 'delivered')).toMatchObject({ event_type: 'alert.created' });
    expect(await two.end()).toBe(130);
    expect(await sessions()).toEqual([]);
  });

  eachOf([['port'], ['host']], 2)('takes the address by its %s alone', async (form) => {
    const { port, hostname } = receiver.url;
    const listener = new Listener('--forward-to', form === 'port' ? `${port}/hook` : `${hostname}:${port}/hook`);
    expect((await listener.begun())['forward_to']).toBe(
      form === 'port' ? `http://localhost:${port}/hook` : `http://${hostname}:${port}/hook`,
    );
    expect(await listener.end()).toBe(130);
  });

  test('without an address shows what a delivery is about, and answers it', async () => {
    const listener = new Listener(HERE);
    await listener.begun();
    await sandbox.act({ action: 'call_request', who: 'W-001' });
    expect(await listener.line(({ event }) => event === 'attempt')).toMatchObject({
      event_type: 'alert.created',
      try: 1,
      status: 204,
      result: 'delivered',
      received: {
        signature: 'ok',
        event: { data: { alert: { type: 'worker_call_request', worker: { external_id: 'W-001' } } } },
      },
    });
    expect(await listener.end()).toBe(130);
    expect(await sessions()).toEqual([]);
    const plain = await StartedHere.start(['listen', '--data-dir', folder.path]);
    await plain.prints(/^secret/m);
    void sandbox.act({ action: 'call_request', who: 'W-002' });
    await plain.prints(/alert\.created.*\n/);
    const printed = plain.stdout.split('\n');
    expect(printed.find((text) => text.includes('alert.created'))).toMatch(
      /alert\.created +Call request: .* \(W-002\) {2}signature ok {2}try 1, /,
    );
    expect(printed[0]).toBe('to      this terminal, which answers each delivery with 204');
    expect(await plain.end()).toBe(130);
  });

  test('warns of a receiver that is not there', async () => {
    const listener = new Listener('--forward-to', 'http://127.0.0.1:9/hook');
    await listener.begun();
    expect(await listener.warns(/\n/)).toMatch(/^warning {2}Nothing answers at 127\.0\.0\.1:9 yet \(ECONNREFUSED\)/);
    expect(await listener.end()).toBe(130);
  });

  test('names in a pipe too what each attempt is about', async () => {
    const words = ['listen', '--data-dir', folder.path, '--forward-to', new URL('/hook', receiver.url).href];
    const listening = await StartedHere.start(words);
    await listening.prints(/secret /);
    receiver.behave = () => status(204);
    expect((await sandbox.act({ action: 'call_request', who: 'W-003' })).status).toBe(200);
    await listening.prints(/alert\.created +Call request: .+ \(W-003\) .*204 {2}try 1, /);
    expect(await listening.end()).toBe(130);
  });

  test.each([
    [['--forward-to', 'nowhere'], 2, /--forward-to nowhere is not an address: it has no port/],
    [['--forward-to', '70000'], 2, /70000 is not a port from 1 to 65535/],
    [['--forward-to', 'ftp://127.0.0.1:21'], 2, /a receiver speaks http or https, not ftp/],
    [['--forward-to', 'http://u:p@127.0.0.1/'], 2, /must not have userinfo/],
    [['--events', 'alert.creatd'], 2, /"alert\.created"/],
    [['--company', 'Nobody'], 2, /There is no company "Nobody"/],
    [['--data-dir', '/nowhere/at/all'], 3, /No sandbox is running/],
  ])('refuses %j', async (flags, code, message) => {
    const ended = await runHere(['listen', '--data-dir', folder.path, '--forward-to', receiver.url.href, ...flags]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(message);
  });
});

test('--print-secret prints the secret that every session has, and leaves no destination behind', async () => {
  const printed = await runHere(['listen', '--print-secret', '--data-dir', folder.path]);
  expect(await sessions()).toEqual([]);
  const listener = new Listener();
  const { secret } = await listener.begun();
  await listener.end();
  expect(printed).toMatchObject({ code: 0, stdout: `${secret}\n` });
});

/** An interactive shell with job control on a terminal of its own. */
class JobShell {
  readonly #shell = spawn('python3', ['-c', "import pty; pty.spawn(['bash', '--norc', '--noprofile', '-i'])"], {
    env: { ...process.env, TERM: 'xterm', PS1: '$ ' },
  });
  #seen = '';

  constructor() {
    this.#shell.stdout.on('data', (bytes: Buffer) => {
      this.#seen += bytes;
    });
  }

  /** Types the text, and resolves with what matches afterwards. */
  async type(text: string, wanted: RegExp): Promise<string> {
    const from = this.#seen.length;
    this.#shell.stdin.write(text);
    await expect.poll(() => this.#seen.slice(from)).toMatch(wanted);
    return wanted.exec(this.#seen.slice(from))?.[0] ?? '';
  }

  /** Resolves when it has shown this, now or before. */
  async shows(wanted: RegExp): Promise<void> {
    await expect.poll(() => this.#seen).toMatch(wanted);
  }

  close(): void {
    this.#shell.kill('SIGKILL');
  }
}

unless(withoutWhole, withoutPrograms('python3', 'bash')).describe('a job of an interactive shell', () => {
  const sandboxOf = (words: string) => `'${process.execPath}' '${BIN}' ${words} --data-dir '${folder.path}'`;
  let shell: JobShell;
  beforeEach(() => {
    shell = new JobShell();
  });
  afterEach(() => shell.close());

  test.each([
    ['listen', /secret /],
    ['dashboard', /begin /],
    ['dashboard --screen-reader', /plant|people|Terminal/i],
  ])('%s in the background is not stopped, whatever is typed at the prompt', async (words, begun) => {
    await shell.type(`${sandboxOf(words)} &\n`, begun);
    await shell.type('echo typed-$((1+1))\n', /typed-2/);
    expect(await shell.type('jobs\n', /(Running|Stopped|Exit|Done)/)).toBe('Running');
  });

  test('a receiver that is away has one line with the reason and the next try, and each event a line of its own', async () => {
    await shell.type(`${sandboxOf('listen --forward-to http://127.0.0.1:9/hook')}\n`, /secret /);
    /** At least one event, also if there is an alert of another test. */
    const raiseAndResolve = async () => {
      const { result } = (await sandbox.act({ action: 'sos', who: 'W-001' })).body as { result: { alert_id: string } };
      const resolving = { action: 'resolve', alert: result.alert_id, by: 'Desk' };
      expect((await sandbox.act(resolving)).status).toBe(200);
    };
    await raiseAndResolve();
    await shell.shows(/alert\.resolved[\s\S]*SOS: [\s\S]*failed[\s\S]*try 1, /);
    await runHere(['clock', 'advance', '20m', '--data-dir', folder.path]);
    await shell.shows(/\x1b\[\d+A\x1b\[J[\s\S]*failing ×\d+[\s\S]*The connection was refused[\s\S]*next try \d/);
    await raiseAndResolve();
    await shell.shows(/next try[\s\S]*alert\.resolved[\s\S]*failed[\s\S]*try 1, [\s\S]*next try/);
    await shell.type('q', /[#$] $/);
  });

  test.each([
    ['listen', /secret /],
    ['dashboard', /quit/],
  ])('%s is stopped by Ctrl-Z, goes on in the background, and takes keys again in the foreground', async (words, begun) => {
    await shell.type(`${sandboxOf(words)}\n`, begun);
    await shell.type('\u001a', /Stopped/);
    await shell.type('bg\n', /&/);
    await shell.type('echo typed-$((1+1))\n', /typed-2/);
    expect(await shell.type('jobs\n', /(Running|Stopped|Exit|Done)/)).toBe('Running');
    await shell.type('fg\n', words === 'listen' ? /listen/ : /quit/);
    // fg of a running job sends no signal: the command looks once a second.
    await shell.type('q', /[#$] $/);
    await shell.type('echo code-$?\n', /code-0/);
  });
});

test('only what knows whether it is in the foreground reads keys or sets raw mode', () => {
  const root = resolve(import.meta.dirname, '../../src');
  const reads = /setRawMode\(true\)|input: process\.stdin|process\.stdin\.(?:on|resume)\(/;
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && reads.test(readFileSync(join(root, name), 'utf8')))
    .filter((name) => !/\b(?:is|follow)Foreground\b/.test(readFileSync(join(root, name), 'utf8')));
  // It is made by watch.ts, which judges that.
  expect(found.sort()).toEqual(['cli/certify/wearer.ts']);
});
