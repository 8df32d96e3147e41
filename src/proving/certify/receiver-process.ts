/** `--start-command`: the receiver as a child process that certify starts, restarts with another secret, and ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { Outage } from '../../base/assert.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';

/** Wall milliseconds from SIGTERM to SIGKILL. */
const KILL_AFTER_MS = 2_000;
const LOOK_EVERY_MS = 50;
/** Lines of output that are kept for the error message. */
const KEPT_LINES = 12;

/** The environment variables of the receiver. */
interface ReceiverEnvironment {
  readonly SANDBOX_API_URL: string;
  readonly SANDBOX_CLIENT_ID: string;
  readonly SANDBOX_CLIENT_SECRET: string;
  readonly SANDBOX_WEBHOOK_SECRET: string;
}

/**
 * TZ of the receiver: a zone far ahead of UTC, so that a local time in a call is detected. It is 5:45 h ahead, an
 * offset that no machine has by chance.
 */
export const RECEIVER_ZONE = 'Asia/Kathmandu';

export class ReceiverProcess {
  readonly #command: string;
  readonly #target: URL;
  readonly #startLimitMs: number;
  #child: ChildProcess | null = null;
  #environment: ReceiverEnvironment;
  #lines: string[] = [];
  /** Why the receiver has ended; null while it runs. */
  #ended: string | null = null;
  /** When the receiver was last started; monotonic milliseconds. */
  startedMs = 0;

  constructor(command: string, target: URL, environment: ReceiverEnvironment, startLimitMs: number) {
    this.#command = command;
    this.#target = target;
    this.#environment = environment;
    this.#startLimitMs = startLimitMs;
  }

  /**
   * Resolves when the port of the receiver accepts connections. Throws `Outage` if the receiver ends before, or does
   * not listen in time.
   */
  async start(): Promise<void> {
    if (await accepts(this.#target))
      throw new Outage({
        code: 'port_taken',
        message: `Another program already listens at ${this.#target.host}, before ${this.#command} was started.`,
        fix: 'Stop it, or remove --start-command to test the running receiver.',
      });
    const port = this.#target.port === '' ? {} : { PORT: this.#target.port };
    const child = spawn(this.#command, {
      shell: true,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TZ: RECEIVER_ZONE, ...port, ...this.#environment },
    });
    this.#child = child;
    this.startedMs = monotonicMs();
    this.#lines = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        this.#lines = [...this.#lines, ...bytes.toString().trimEnd().split('\n')].slice(-KEPT_LINES);
      });
    this.#ended = null;
    child.once('error', ({ message }) => {
      this.#ended ??= message;
    });
    child.once('exit', (code, signal) => {
      this.#ended ??= `it ended with ${signal ?? code}`;
    });
    const endMs = monotonicMs() + this.#startLimitMs;
    while (!(await accepts(this.#target))) {
      const why =
        this.#ended ??
        (monotonicMs() > endMs
          ? `nothing listens at ${this.#target.host} after ${this.#startLimitMs / 1_000} s`
          : null);
      if (why !== null) {
        await this.stop();
        throw new Outage({
          code: 'receiver_not_started',
          message: `The receiver did not start by "${this.#command}": ${why}.${this.#lastLines()}`,
          fix: `It must listen at ${this.#target.host}; its environment has the port as PORT. Use --start-timeout to wait longer.`,
        });
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  #lastLines(): string {
    const lines = this.#lines.filter((line) => line.trim() !== '');
    return lines.length === 0 ? ' It printed nothing.' : ` It printed: ${lines.join(' | ')}`;
  }

  /**
   * Resolves with the reason why the receiver ended by itself, or null if it still runs after `withinMs` of wall time.
   */
  async crash(withinMs: number): Promise<string | null> {
    const endMs = monotonicMs() + withinMs;
    while (this.#ended === null && monotonicMs() < endMs) await pause(LOOK_EVERY_MS);
    return this.#ended === null ? null : `${this.#ended}.${this.#lastLines()}`;
  }

  /** Restarts the receiver, also after a crash. */
  async again(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Restarts the receiver with another secret, as a deployment after a rotation does. */
  async restart(secret: string): Promise<void> {
    this.#environment = { ...this.#environment, SANDBOX_WEBHOOK_SECRET: secret };
    await this.again();
  }

  /** Ends the command and all processes that it started. Idempotent. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child?.pid === undefined) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const cancel = later(KILL_AFTER_MS, () => signalGroup(child, 'SIGKILL'));
    // Sent even if the command itself has ended, because its background processes are in the same group.
    signalGroup(child, 'SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await gone;
    cancel();
    // The shell may end before its child processes. They have ended when the port is free.
    const endMs = monotonicMs() + KILL_AFTER_MS;
    while ((await accepts(this.#target)) && monotonicMs() < endMs) await pause(LOOK_EVERY_MS);
    signalGroup(child, 'SIGKILL');
  }

  /** Ends the processes synchronously, for a forced end of this process. */
  kill(): void {
    if (this.#child !== null) signalGroup(this.#child, 'SIGKILL');
  }
}

/** The shell and its children are a process group of their own. */
export function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-(pid as number), name);
  } catch {
    // The group has ended meanwhile.
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void later(ms, resolve));

function accepts({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
