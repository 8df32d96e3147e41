/** E-mails about lost deliveries go to a real SMTP server, and neither a server that is away nor a crash loses one. [spec 6.6, decisions 7] */
import { cpSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { parseInstant } from '../../src/base/time/instants.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import type { Client } from '../../src/service/domain/world/documents.ts';
import { ownFolder } from '../helpers/own-folder.ts';

const DAY_MS = 24 * 3_600_000;

/** What arrived, in the order of arrival. */
interface Arrived {
  readonly to: string;
  readonly user: string | null;
  readonly text: string;
}

class MailServer {
  readonly arrived: Arrived[] = [];
  readonly #server: SMTPServer;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  /** Says no to everybody, for ever. */
  refuses = false;

  constructor(login?: { readonly user: string; readonly pass: string }) {
    this.#server = new SMTPServer({
      authOptional: login === undefined,
      disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === login?.user && password === login?.pass
          ? done(null, { user: username })
          : done(new Error('wrong login')),
      onRcptTo: (_address, _session, done) =>
        done(this.refuses ? Object.assign(new Error('no such box'), { responseCode: 550 }) : null),
      onData: (stream, { envelope, user }, done) => {
        let text = '';
        stream.on('data', (bytes: Buffer) => {
          text += bytes;
        });
        stream.on('end', () => {
          this.arrived.push({ to: envelope.rcptTo.map(({ address }) => address).join(), user: user ?? null, text });
          for (const { count, resolve } of this.#waiting) if (this.arrived.length >= count) resolve();
          done(null);
        });
      },
    });
    this.#server.on('error', () => {});
  }

  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', () => resolve()));
    return (this.#server.server.address() as AddressInfo).port;
  }

  has(count: number): Promise<void> {
    if (this.arrived.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function mailServer(login?: { user: string; pass: string }, port = 0): Promise<[MailServer, number]> {
  const server = new MailServer(login);
  const at = await server.listen(port);
  ends.push(() => server.close());
  return [server, at];
}

async function boot(dataDir: string, options: { smtp?: string; start?: number }) {
  const clock = lockstepClock({ start: options.start ?? (parseInstant('2026-10-05T06:00:00Z') as number) });
  const sandbox = await startSandbox({
    clock,
    dataDir,
    fleet: false,
    port: 0,
    mqttPort: 0,
    seed: '1',
    watches: 6,
    forwards: new Map([['erp.example', 'http://127.0.0.1:9']]),
    ...(options.smtp === undefined ? {} : { smtp: new URL(options.smtp) }),
  });
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await sandbox.stop();
    clock.stop();
  };
  ends.push(stop);
  return { sandbox, clock, stop };
}

/** A destination at which nobody is, and events that it does not get, a minute apart. */
async function lose({ engine }: Sandbox, advance: (ms: number) => Promise<unknown>, events: number): Promise<void> {
  const [client] = [...engine.world.all('client')] as Client[];
  const { id: clientId, organizationId } = client!;
  const destination = { clientId, organizationId, url: 'https://erp.example/hook', filters: {}, secret: 'whsec_x' };
  if (![...engine.world.all('destination')].length)
    await engine.submit({ type: 'create-destination', ...destination, eventTypes: ['alert.*'] });
  const workers = [...engine.world.all('worker')].filter((one) => one.organizationId === organizationId);
  for (const { id } of workers.slice(0, events)) {
    await engine.submit({ type: 'panel-sos', workerId: id, by: 'Desk' });
    await advance(60_000);
  }
  await advance(DAY_MS);
}

const ownPlace = () => {
  const folder = ownFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
};

describe('a mail server', () => {
  test('gets each e-mail, to the technical contact, with the login of the address', async () => {
    const [server, port] = await mailServer({ user: 'sandbox@plant', pass: 'p:w' });
    const { sandbox, clock } = await boot(ownPlace(), { smtp: `smtp://sandbox%40plant:p%3Aw@127.0.0.1:${port}` });
    expect(sandbox.warnings.join()).not.toContain('mail server');
    await lose(sandbox, (ms) => clock.advance(ms), 1);
    await server.has(1);
    expect(server.arrived).toHaveLength(1);
    const [{ to, user, text }] = server.arrived as [Arrived];
    expect([to, user]).toEqual(['integration@austral.example', 'sandbox@plant']);
    expect(text).toMatch(
      /\r\nFrom: sandbox@localhost\r\nTo: integration@austral\.example\r\nSubject: 1 event could not/,
    );
    expect(text).toMatch(/Message-ID: <[0-9a-f-]{36}@localhost>/);
    expect(text).toMatch(/X-Sandbox-Date: 2026-10-06T06:0/i);
    // As it was encoded for the way: lines of at most 76 characters.
    const decoded = text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(decoded).toContain('GET /v1/events?created_after=2026-10-05T06:00:00.000Z');
  });

  test('a mail server that is away is a warning at the start; it gets the e-mails when it is back, after a restart too', async () => {
    const [gone, port] = await mailServer();
    await gone.close();
    const dataDir = ownPlace();
    const first = await boot(dataDir, { smtp: `smtp://127.0.0.1:${port}` });
    expect(first.sandbox.warnings.join()).toMatch(/mail server 127\.0\.0\.1:\d+ cannot be used now: .*ECONNREFUSED/);
    const refused: string[] = [];
    first.sandbox.onNotice((notice) => notice.kind === 'mail-refused' && refused.push(notice.why));
    await lose(first.sandbox, (ms) => first.clock.advance(ms), 1);
    const start = first.clock.now();
    await first.stop();
    expect(refused.join()).toMatch(/ECONNREFUSED/);
    const [back] = await mailServer(undefined, port);
    const second = await boot(dataDir, { smtp: `smtp://127.0.0.1:${port}`, start });
    await back.has(1);
    expect(back.arrived.map(({ to }) => to)).toEqual(['integration@austral.example']);
    await second.stop();
    // Nothing is left of it for another start.
    const third = await boot(dataDir, { start });
    expect([...third.sandbox.engine.world.all('mail')].map(({ waits }) => waits)).toEqual([false]);
  });

  test('a permanent refusal of an address is reported once, and the e-mail is not sent again', async () => {
    const [server, port] = await mailServer();
    server.refuses = true;
    const { sandbox, clock } = await boot(ownPlace(), { smtp: `smtp://127.0.0.1:${port}` });
    const refused = new Promise<{ why: string; again: boolean }>((seen) =>
      sandbox.onNotice((notice) => notice.kind === 'mail-refused' && seen(notice)),
    );
    await lose(sandbox, (ms) => clock.advance(ms), 1);
    expect(await refused).toMatchObject({ why: expect.stringContaining('no such box'), again: false });
  });
});

describe('an e-mail', () => {
  test('a sent e-mail is listed after a restart, and its 10 minutes continue', async () => {
    const dataDir = ownPlace();
    const first = await boot(dataDir, {});
    await lose(first.sandbox, (ms) => first.clock.advance(ms), 1);
    const at = first.clock.now();
    await first.stop();
    const second = await boot(dataDir, { start: at });
    const { engine } = second.sandbox;
    expect([...engine.world.all('mail')]).toHaveLength(1);
    const listed = await fetch(`${second.sandbox.ready.api_url}/v1/sandbox/mail`, {
      headers: { authorization: `Bearer ${second.sandbox.ready.control_token}` },
    });
    const { data } = (await listed.json()) as { data: { subject: string }[] };
    expect(data.map(({ subject }) => subject)).toEqual(['1 event could not be delivered to erp.example']);
  });

  test('an e-mail about a loss that was committed right before a crash is sent at the next start', async () => {
    const dataDir = ownPlace();
    const first = await boot(dataDir, {});
    await lose(first.sandbox, (ms) => first.clock.advance(ms), 2);
    const mails = [...first.sandbox.engine.world.all('mail')];
    // Two events a minute apart: the second waits for the end of the first one's 10 minutes.
    expect(mails).toHaveLength(1);
    await first.clock.advance(60_000);
    const lost = [...first.sandbox.engine.world.all('lost')];
    expect(lost).toHaveLength(1);
    // As the disk would be after a crash: the loss is there, the e-mail is not.
    const copy = ownPlace();
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !/lock|sandbox\.json/.test(path) });
    const second = await boot(copy, { start: first.clock.now() });
    expect([...second.sandbox.engine.world.all('mail')]).toHaveLength(1);
    await second.clock.advance(10 * 60_000);
    const after = [...second.sandbox.engine.world.all('mail')].sort((a, b) => a.at - b.at);
    expect(after.map(({ subject }) => subject)).toEqual([
      '1 event could not be delivered to erp.example',
      '1 event could not be delivered to erp.example',
    ]);
    expect(after[1]?.text).toContain(lost[0]!.eventId);
    expect(after[1]!.at - after[0]!.at).toBe(10 * 60_000);
    expect([...second.sandbox.engine.world.all('lost')]).toEqual([]);
  });
});
