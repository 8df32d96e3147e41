/** `sandbox listen`: events go to a local receiver, or to the terminal, for as long as the command runs. [cli, decisions 7, 9] */

import { connect } from 'node:net';
import { type Command, Option } from 'commander';
import { followForeground, isForeground } from '../../base/foreground.ts';
import { randomSecret } from '../../base/ids.ts';
import { CLI } from '../../base/text/command-form.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';
import type { Problem } from '../../contract/problems.ts';
import type { DeliveryAttempt } from '../../contract/resources/logs.ts';
import { ATTEMPTS, RETRIED_FOR } from '../../contract/resources/retry-schedule.ts';
import { isLoopback } from '../../sandbox/listeners/host-rule.ts';
import { LiveLines, talkWords } from '../live-lines.ts';
import { colourOf, EXIT, envelope, out, outLine, talk, usage } from '../output.ts';
import { callSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal, type UntilSignal } from '../signals.ts';
import { readerLeft } from '../streams.ts';
import { checkEventTypes, many } from '../values.ts';
import { AttemptEvents } from './attempt-events.ts';
import { printAttempt, printBody, printCurl } from './delivery-lines.ts';
import { AttemptLog, isFirstOrLast } from './failing.ts';
import { AttemptLines } from './listen-lines.ts';
import { OwnReceiver, type ReceivedEvent } from './listen-receiver.ts';
import {
  attemptsOf,
  explained,
  type FullAttempt,
  isGone,
  join,
  type ListenFlags,
  type ListenSession,
  leave,
  RENEW_MS,
  type WantedSession,
} from './listen-session.ts';
import { receiverAddress } from './receiver-address.ts';

const HELP = `
Creates a webhook destination for your receiver and prints one line for each delivery attempt. The deliveries
are real: signed, with a limit of 5 s for the reply and ${ATTEMPTS} attempts in ${RETRIED_FOR}. Each listen command has its own
destination, also if two commands use the same address. When the command ends, its destination is deleted; after
a kill, within a minute. If the sandbox restarts, the command reconnects, and waiting deliveries are not lost.

The secret of a company stays the same for a data folder, so you can store it in the settings of the receiver.
--print-secret prints only this secret and ends. Use it to start a receiver with the secret.

--forward-to accepts short addresses: localhost:3000/hook, or only the port. Without --forward-to, the command
replies to each delivery with 204, and shows its content and whether its signature is valid. The page
"Deliveries" of the panel shows the same with headers and bodies, also without this command.

Keys in a terminal (for the newest line; write a number first for another line, such as 12d for line 12):
  d   show headers, body, signature and reply (--details shows them for each line)
  c   print a curl command that sends the same bytes
  r   send the event again
  q   end

Examples:
  ${CLI} listen                                       show the deliveries in this terminal
  ${CLI} listen --details
  ${CLI} listen --forward-to 3000
  ${CLI} listen --forward-to http://127.0.0.1:3000/hook
  SANDBOX_WEBHOOK_SECRET=$(${CLI} listen --print-secret) node receiver.mjs
  ${CLI} listen --forward-to localhost:3000/hook --events alert.created alert.resolved
  ${CLI} listen --forward-to https://localhost:3443/hook --skip-verify`;

/** Polling interval, and interval of the search for a sandbox that does not answer; wall ms. */
const EVERY_MS = 250;
const AGAIN_MS = 1_000;

/** Number of attempts in one request, and the number if there are more new attempts. */
const FEW = 100;
const MOST = 1_000;

/** At the start, a receiver that does not accept a connection within this time is reported; wall ms. */
const PROBE_MS = 1_000;

export function defineListen(program: Command, ended: (code: number) => void): void {
  program
    .command('listen')
    .description('deliver webhooks to a local receiver, or show them in the terminal; runs until Ctrl-C')
    .option(
      '--forward-to <url>',
      'address of the receiver, such as http://127.0.0.1:3000/hook, localhost:3000 or 3000 (default: show the deliveries)',
    )
    .option('--print-secret', 'print the secret that signs the deliveries, and end')
    .addOption(
      new Option('--events <type...>', 'deliver only these event types, alert.* or muster.* (default: all)').argParser(
        listOfMany,
      ),
    )
    .option('--skip-verify', 'accept any certificate of an https receiver')
    .option(
      '--company <name>',
      'deliver the events of this company: a name or a client_id (default: the first company)',
    )
    .option('--details', 'show headers, body, signature and reply of each attempt')
    .option('--json', 'print one JSON object per line: first the session, then each attempt')
    .addOption(sandboxFlag('dataDir', 'listen'))
    .addHelpText('after', HELP)
    .action(async (flags: ListenFlags) => {
      ended(await listen(flags));
    });
}

/** Accepts values separated by spaces or commas, or repeated flags. */
const listOfMany = (value: string, before: string[] | undefined): string[] =>
  value.split(',').reduce<string[]>((all, one) => many(one.trim(), all), before ?? []);

async function listen(flags: ListenFlags): Promise<number> {
  if (flags.printSecret === true) return printSecret(flags);
  checkEventTypes('--events', flags.events ?? []);
  const wanted = { ...flags, listener: randomSecret(12) };
  if (flags.forwardTo === undefined) return listenHere(wanted, flags.json === true);
  const forwardTo = receiverAddress('--forward-to', flags.forwardTo);
  const listening = new Listening({ ...wanted, forwardTo }, runUntilSignal(), null, flags.json === true);
  await listening.begin();
  await warnIfAbsent(new URL(forwardTo));
  return listening.follow();
}

/** Without an address, the command is the receiver. */
async function listenHere(wanted: Omit<WantedSession, 'forwardTo'>, json: boolean): Promise<number> {
  if (wanted.skipVerify === true)
    throw usage('--skip-verify is for an https receiver. Give its address with --forward-to.');
  const { ready, apiUrl } = findRunning(wanted.dataDir);
  if (ready === null && !isLoopback(new URL(apiUrl).hostname))
    throw usage(
      `The sandbox at ${apiUrl} is on another machine and cannot deliver to this terminal.`,
      'Give it an address that it can reach: --forward-to http://HOST:PORT/hook',
    );
  const receiver = await OwnReceiver.start();
  try {
    const listening = new Listening({ ...wanted, forwardTo: receiver.url }, runUntilSignal(), receiver, json);
    await listening.begin();
    return await listening.follow();
  } finally {
    receiver.stop();
  }
}

/**
 * Creates a destination to get the secret, and deletes it. Nothing listens at the discard port, and no event is
 * expected in that short time.
 */
async function printSecret(flags: ListenFlags): Promise<number> {
  const listener = randomSecret(12);
  const { id, secret } = await join({ ...flags, listener, forwardTo: 'http://127.0.0.1:9/', events: ['muster.ended'] });
  await leave(flags.dataDir, id);
  out(flags.json === true ? JSON.stringify(envelope('listen', { secret })) : secret);
  return EXIT.done;
}

/** One session, which continues if the sandbox is restarted while the command runs. */
class Listening {
  readonly #wanted: WantedSession;
  readonly #running: UntilSignal;
  /** Null if the deliveries go to another address. */
  readonly #receiver: OwnReceiver | null;
  readonly #json: boolean;
  readonly #noMore: Promise<unknown>;
  readonly #lines = new AttemptLines();
  readonly #events = new AttemptEvents();
  readonly #live = new LiveLines(process.stdout);
  readonly #attempts = new AttemptLog(this.#live, colourOf(process.stdout));
  #stopKeys = () => {};
  #session: ListenSession | null = null;
  #renewedMs = 0;
  #over = false;

  constructor(wanted: WantedSession, running: UntilSignal, receiver: OwnReceiver | null, json: boolean) {
    this.#wanted = wanted;
    this.#running = running;
    this.#receiver = receiver;
    this.#json = json;
    this.#noMore = Promise.race([running.ended, readerLeft]);
    void this.#noMore.then(() => {
      this.#over = true;
    });
  }

  async begin(): Promise<void> {
    this.#session = await this.#join();
    this.#lines.markShown(await attemptsOf(this.#wanted.dataDir, this.#session.id, MOST));
    this.#greet(this.#session);
    this.#heedKeys();
  }

  /** Runs until a signal arrives, or the reader of the output closes. */
  async follow(): Promise<number> {
    while (!this.#over) {
      await this.#wait(EVERY_MS);
      if (this.#over) break;
      try {
        if (monotonicMs() - this.#renewedMs > RENEW_MS) this.#session = await this.#join();
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
    if (this.#json) {
      const data = { event: 'listening', forward_to, organization, event_types, secret, destination_id: id };
      return out(JSON.stringify(envelope('listen', data)));
    }
    const paint = colourOf(process.stdout);
    const page = findRunning(this.#wanted.dataDir).ready?.panel_url;
    const rows: readonly (readonly [string, string])[] = [
      ['to', this.#receiver === null ? forward_to : 'this terminal, which answers each delivery with 204'],
      ['events', `${event_types.join(', ')} of ${organization ?? 'the first company'}`],
      ['secret', secret],
      ...(page === undefined ? [] : [['panel', `${page}/deliveries`] as const]),
      ...(isTerminal() ? [['keys', KEYS_TEXT] as const] : []),
    ];
    for (const [name, value] of rows) outLine(`${paint('dim', name.padEnd(8))}${value}`);
    out('');
  }

  async #join(): Promise<ListenSession> {
    const session = await join(this.#wanted);
    this.#renewedMs = monotonicMs();
    if (this.#receiver !== null) this.#receiver.secret = session.secret;
    return session;
  }

  async #showNew(): Promise<void> {
    const { id } = this.#session as ListenSession;
    const { dataDir } = this.#wanted;
    let rows = await attemptsOf(dataDir, id, FEW);
    const [oldest] = rows;
    if (oldest !== undefined && rows.length === FEW && this.#lines.isNew(oldest))
      rows = await attemptsOf(dataDir, id, MOST);
    const fresh = rows.filter((row) => this.#lines.isNew(row));
    // With a receiver of its own, the command has received them itself.
    if (this.#receiver === null && !this.#json) await this.#events.find(findRunning(dataDir), fresh);
    for (const row of fresh) await this.#show(row);
  }

  async #show(row: DeliveryAttempt): Promise<void> {
    const received = this.#receiver?.take(row.event_id) ?? null;
    const isFull = this.#wanted.details === true;
    const full = isFull ? await explained(this.#wanted.dataDir, row) : null;
    const lines = this.#lines.of(row, received ?? this.#events.of(row), !isFull && this.#live.isFolding);
    if (this.#json) return out(JSON.stringify({ event: 'attempt', ...row, ...ofJson(received, full) }));
    if (full === null) return this.#attempts.add(row.destination_id, '', row, { lines, isOwn: isFirstOrLast(row) });
    this.#live.add(lines);
    printFull(full);
  }

  async #findAgain(): Promise<void> {
    talk('The sandbox does not answer. Waiting until it is back; Ctrl-C ends this.');
    while (!this.#over) {
      await this.#wait(AGAIN_MS);
      try {
        if (!this.#over) this.#session = await this.#join();
        if (!this.#over) talk('It is back.');
        return;
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  }

  async #end(): Promise<void> {
    this.#stopKeys();
    process.stdin.pause();
    if (isTerminal() && isForeground()) process.stdin.setRawMode(false);
    try {
      if (this.#session !== null) await leave(this.#wanted.dataDir, this.#session.id);
    } catch (error) {
      // The sandbox ended first. It deletes the session a minute after its next start.
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
    process.stdin.on('data', (bytes: Buffer) => {
      for (const key of bytes.toString()) {
        if (key === '\u001a') this.#suspend();
        else if (key === '\u0003') this.#running.end('SIGINT');
        else if (key === 'q') this.#running.end('SIGTERM');
        else if (/\d/.test(key)) digits += key;
        else {
          if (key === 'r' || key === 'd' || key === 'c') void this.#do(key, digits);
          digits = '';
        }
      }
    });
    process.stdin.pause();
    this.#stopKeys = followForeground((isInFront) => {
      if (!isInFront) return void process.stdin.pause();
      // Node sets the mode only if it differs from the mode that Node set last, and a shell may have changed it.
      process.stdin.setRawMode(false);
      process.stdin.setRawMode(true);
      process.stdin.resume();
    });
  }

  /** Ctrl-Z is a key in raw mode. It stops the process group as the terminal would do. */
  #suspend(): void {
    if (process.platform === 'win32') return;
    process.stdin.pause();
    process.stdin.setRawMode(false);
    process.kill(0, 'SIGTSTP');
  }

  async #do(key: 'r' | 'd' | 'c', digits: string): Promise<void> {
    const attempt = this.#lines.attemptOf(digits === '' ? null : Number(digits));
    if (attempt === null) return talk(digits === '' ? 'There is no event yet.' : `There is no line ${digits}.`);
    if (key === 'r') return this.#resend(attempt.event_id);
    try {
      const full = await explained(this.#wanted.dataDir, attempt);
      if (full === null) talk('This delivery is no longer in the log of the sandbox.');
      else if (key === 'd') printFull(full);
      else printCurl(full.signed, full.delivery.body);
    } catch (error) {
      talk(`Not shown: ${(error as Error).message}`);
    }
  }

  async #resend(event: string): Promise<void> {
    const body = { action: 'resend', to: this.#session?.id, event };
    try {
      const { status, body: answer } = await callSandbox(
        findRunning(this.#wanted.dataDir),
        'POST',
        '/v1/sandbox/actions',
        body,
      );
      talk(status === 200 ? `Event ${event} is sent again.` : `Not sent again: ${(answer as Problem).detail}`);
    } catch (error) {
      talk(`Not sent again: ${(error as Error).message}`);
    }
  }
}

const KEYS_TEXT = 'd details, c curl, r resend: of the newest, or 12d of line 12; q ends';

/** What `--json` has in addition to the row of the API. */
function ofJson(received: ReceivedEvent | null, full: FullAttempt | null): object {
  const { attempt: _, ...signed } = full?.signed ?? {};
  return {
    ...(received === null ? {} : { received }),
    ...(full === null ? {} : { body: full.delivery.body, ...signed }),
  };
}

function printFull({ delivery, signed }: FullAttempt): void {
  printBody(delivery);
  printAttempt(signed);
  out('');
}

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** A warning and not an error, because deliveries to a receiver that is not running fail and are repeated. */
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
    talkWords(
      `warning  Nothing answers at ${host} yet (${why}): what is delivered meanwhile fails and is tried again.`,
    );
}
