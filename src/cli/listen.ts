/** `sandbox listen --forward-to URL`: events go to a local receiver for as long as the command runs. [cli, decisions 7, 9] */
import { connect } from 'node:net';
import { type Command, Option } from 'commander';
import { CLI } from '../base/command-form.ts';
import { later } from '../base/timers.ts';
import type { Problem } from '../contract/problems.ts';
import { AttemptLines, type AttemptRow } from './listen-lines.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, talk, usage } from './output.ts';
import { callSandbox, findRunning } from './running.ts';
import { runUntilSignal, type UntilSignal } from './signals.ts';
import { readerLeft } from './streams.ts';
import { checkEventTypes, many } from './values.ts';

const HELP = `
Real deliveries: signed, with the limit of 5 s and 30 attempts in 24 h. The secret is the same in every session of a
company with this data folder, so it can stay in the receiver's settings. The destination ends with the command; if the
sandbox restarts meanwhile, the command finds it again, and nothing that waits is lost.

--print-secret prints that secret alone and ends, so that a receiver can be started with it first.

Keys, in a terminal: r resends the newest event, 12r that of line 12, q ends.

Examples:
  ${CLI} listen --forward-to http://127.0.0.1:3000/hook
  SANDBOX_WEBHOOK_SECRET=$(${CLI} listen --print-secret) node receiver.mjs
  ${CLI} listen --forward-to http://127.0.0.1:3000/hook --events alert.created alert.resolved
  ${CLI} listen --forward-to https://localhost:3443/hook --skip-verify`;

/** Polling interval, and that of the search for a sandbox that is gone; wall ms. */
const EVERY_MS = 250;
const AGAIN_MS = 1_000;

/** Attempts that are asked for at once, and when there were more since. */
const FEW = 100;
const MOST = 1_000;

/** A receiver that does not take a connection in this time is reported at the start; wall ms. */
const PROBE_MS = 1_000;

interface ListenFlags {
  readonly forwardTo?: string;
  readonly printSecret?: boolean;
  readonly events?: readonly string[];
  readonly skipVerify?: boolean;
  readonly company?: string;
  readonly json?: boolean;
  readonly dataDir: string;
}

type SessionFlags = ListenFlags & { readonly forwardTo: string };

/** As the API answers. */
interface ListenSession {
  readonly id: string;
  readonly forward_to: string;
  readonly organization: string | null;
  readonly event_types: readonly string[];
  readonly secret: string;
}

export function defineListen(program: Command, ended: (code: number) => void): void {
  program
    .command('listen')
    .description('deliver events to a local receiver for as long as it runs')
    .option('--forward-to <url>', 'where the receiver is: any http or https address')
    .option('--print-secret', 'print the secret that signs the deliveries, and end')
    .addOption(
      new Option('--events <type...>', 'event types, alert.* or muster.*; without it, all').argParser(listOfMany),
    )
    .option('--skip-verify', 'accept any certificate of an https receiver')
    .option('--company <name>', 'whose events: a name or a client_id; without it, the first company')
    .option('--json', 'one JSON object a line: first the session, then each attempt')
    .addOption(new Option('--data-dir <folder>', 'of the running sandbox').env('SANDBOX_DATA_DIR').default('.sandbox'))
    .addHelpText('after', HELP)
    .action(async (flags: ListenFlags) => {
      ended(await listen(flags));
    });
}

/** With spaces, with commas, or repeated. */
const listOfMany = (value: string, before: string[] | undefined): string[] =>
  value.split(',').reduce<string[]>((all, one) => many(one.trim(), all), before ?? []);

async function listen(flags: ListenFlags): Promise<number> {
  if (flags.printSecret === true) return printSecret(flags);
  const { forwardTo } = flags;
  if (forwardTo === undefined)
    throw usage('listen needs --forward-to.', 'Write it as: --forward-to http://127.0.0.1:3000/hook');
  const address = addressOf(forwardTo);
  checkEventTypes('--events', flags.events ?? []);
  const listening = new Listening({ ...flags, forwardTo }, runUntilSignal());
  await listening.begin();
  await warnIfAbsent(address);
  return listening.follow();
}

/** Nothing listens at the discard port, and no event comes in the moment for which the destination exists. */
async function printSecret(flags: ListenFlags): Promise<number> {
  const { id, secret } = await join({ ...flags, forwardTo: 'http://127.0.0.1:9/', events: ['muster.ended'] });
  await callSandbox(findRunning(flags.dataDir), 'DELETE', `/v1/sandbox/destinations/${id}`);
  out(flags.json === true ? JSON.stringify(envelope('listen', { secret })) : secret);
  return EXIT.done;
}

function addressOf(text: string): URL {
  if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text)) return new URL(text);
  throw usage(`--forward-to ${text} is not an address.`, 'Write it as: --forward-to http://127.0.0.1:3000/hook');
}

/** Makes the session's destination, or finds it again. */
async function join({ forwardTo, events, skipVerify, company, dataDir }: SessionFlags): Promise<ListenSession> {
  const asked = {
    forward_to: forwardTo,
    ...(events === undefined ? {} : { event_types: events }),
    ...(skipVerify === true ? { skip_verify: true } : {}),
    ...(company === undefined ? {} : { company }),
  };
  const { status, body } = await callSandbox(findRunning(dataDir), 'POST', '/v1/sandbox/destinations', asked);
  if (status === 201) return body as ListenSession;
  const { detail, errors = [] } = body as Problem;
  const places = errors.map((one) => `${one.pointer} ${one.detail}`);
  const code = status === 404 || status === 422 ? EXIT.usage : EXIT.environment;
  throw new CommandError(code, 'refused', detail ?? `The sandbox answered ${status}.`, {
    ...(places.length === 0 ? {} : { actions: places }),
  });
}

/** One session, over as many runs of the sandbox as there are while the command runs. */
class Listening {
  readonly #flags: SessionFlags;
  readonly #running: UntilSignal;
  readonly #noMore: Promise<unknown>;
  readonly #lines = new AttemptLines();
  #session: ListenSession | null = null;
  #over = false;

  constructor(flags: SessionFlags, running: UntilSignal) {
    this.#flags = flags;
    this.#running = running;
    this.#noMore = Promise.race([running.ended, readerLeft]);
    void this.#noMore.then(() => {
      this.#over = true;
    });
  }

  async begin(): Promise<void> {
    this.#session = await join(this.#flags);
    // A receiver that was listened at before has attempts already: they were shown then.
    this.#lines.markShown(await this.#attempts(this.#session, MOST));
    this.#greet(this.#session);
    this.#heedKeys();
  }

  /** Until a signal, or the reader of the output leaves. */
  async follow(): Promise<number> {
    while (!this.#over) {
      await this.#wait(EVERY_MS);
      if (this.#over) break;
      try {
        await this.#showNew();
      } catch (error) {
        if (!isGone(error)) throw error;
        await this.#findAgain();
      }
    }
    await this.#end();
    this.#running.done();
    return (await this.#noMore) === 'SIGINT' ? EXIT.interrupted : EXIT.done;
  }

  #greet({ forward_to, organization, event_types, secret, id }: ListenSession): void {
    if (this.#flags.json === true) {
      const data = { event: 'listening', forward_to, organization, event_types, secret, destination_id: id };
      return out(JSON.stringify(envelope('listen', data)));
    }
    const paint = colourOf(process.stdout);
    const rows: readonly (readonly [string, string])[] = [
      ['to', forward_to],
      ['events', `${event_types.join(', ')} of ${organization ?? 'the first company'}`],
      ['secret', secret],
      ...(isTerminal() ? [['keys', 'r resends the newest, 12r that of line 12, q ends'] as const] : []),
    ];
    for (const [name, value] of rows) outLine(`${paint(2, name.padEnd(8))}${value}`);
    out('');
  }

  /** Oldest first. */
  async #attempts({ id }: ListenSession, limit: number): Promise<AttemptRow[]> {
    const path = `/v1/sandbox/deliveries?destination_id=${id}&limit=${limit}`;
    const { status, body } = await callSandbox(findRunning(this.#flags.dataDir), 'GET', path);
    if (status !== 200) throw new CommandError(EXIT.environment, 'refused', `The sandbox answered ${status}.`);
    return (body as { data: AttemptRow[] }).data.reverse();
  }

  async #showNew(): Promise<void> {
    const session = this.#session as ListenSession;
    let rows = await this.#attempts(session, FEW);
    const [oldest] = rows;
    if (oldest !== undefined && rows.length === FEW && this.#lines.isNew(oldest))
      rows = await this.#attempts(session, MOST);
    for (const row of rows) this.#show(row);
  }

  #show(row: AttemptRow): void {
    const lines = this.#lines.of(row);
    if (lines.length === 0) return;
    if (this.#flags.json === true) out(JSON.stringify({ event: 'attempt', ...row }));
    else for (const line of lines) outLine(line);
  }

  async #findAgain(): Promise<void> {
    talk('The sandbox does not answer. Waiting until it is back; Ctrl-C ends this.');
    while (!this.#over) {
      await this.#wait(AGAIN_MS);
      try {
        if (!this.#over) this.#session = await join(this.#flags);
        if (!this.#over) talk('It is back.');
        return;
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  }

  async #end(): Promise<void> {
    process.stdin.pause();
    if (isTerminal()) process.stdin.setRawMode(false);
    try {
      const { dataDir } = this.#flags;
      await callSandbox(findRunning(dataDir), 'DELETE', `/v1/sandbox/destinations/${this.#session?.id}`);
    } catch (error) {
      // The sandbox ended first. It forgets the session a minute after its next start.
      if (!isGone(error)) throw error;
    }
  }

  #wait(ms: number): Promise<unknown> {
    let cancel = () => {};
    const time = new Promise<void>((resolve) => {
      cancel = later(ms, resolve);
    });
    return Promise.race([time, this.#noMore]).finally(cancel);
  }

  #heedKeys(): void {
    if (!isTerminal()) return;
    let digits = '';
    process.stdin.setRawMode(true);
    process.stdin.on('data', (bytes: Buffer) => {
      for (const key of bytes.toString()) {
        if (key === '\u0003') this.#running.end('SIGINT');
        else if (key === 'q') this.#running.end('SIGTERM');
        else if (/\d/.test(key)) digits += key;
        else {
          if (key === 'r') void this.#resend(digits);
          digits = '';
        }
      }
    });
  }

  async #resend(digits: string): Promise<void> {
    const event = this.#lines.eventOf(digits === '' ? null : Number(digits));
    if (event === null) return talk(digits === '' ? 'There is no event yet.' : `There is no line ${digits}.`);
    const body = { action: 'resend', to: this.#session?.id, event };
    try {
      const { status, body: answer } = await callSandbox(
        findRunning(this.#flags.dataDir),
        'POST',
        '/v1/sandbox/actions',
        body,
      );
      talk(status === 200 ? `Event ${event} goes again.` : `Not sent again: ${(answer as Problem).detail}`);
    } catch (error) {
      talk(`Not sent again: ${(error as Error).message}`);
    }
  }
}

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

const isGone = (error: unknown): boolean =>
  error instanceof CommandError && ['no_sandbox', 'not_reachable'].includes(error.code);

/** Deliveries to a receiver that is not there fail and are tried again, so this is no error. */
async function warnIfAbsent({ hostname, port, protocol, host }: URL): Promise<void> {
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  const why = await new Promise<string | null>((resolve) => {
    const socket = connect(where);
    const cancel = later(PROBE_MS, () => resolve('it does not take a connection'));
    const over = (found: string | null) => {
      cancel();
      socket.destroy();
      resolve(found);
    };
    socket.on('connect', () => over(null));
    socket.on('error', (error: NodeJS.ErrnoException) => over(error.code ?? error.message));
  });
  if (why !== null)
    talk(`warning  Nothing answers at ${host} yet (${why}): what is delivered meanwhile fails and is tried again.`);
}
