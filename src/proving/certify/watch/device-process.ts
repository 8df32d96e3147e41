/**
 * `--start-command` of a watch: the device as a child process, and the lines of JSON by which a test harness controls
 * it. [cli, certify]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { later, monotonicMs } from '../../../base/time/timers.ts';
import { signalGroup } from '../receiver-process.ts';
import type { DeviceCommand, DeviceDriver, DeviceReply, DeviceShows } from './device-driver.ts';

/** Wall milliseconds: until a command is answered, until its effect is seen, and from SIGTERM to SIGKILL. */
const ANSWER_WITHIN_MS = 10_000;
const EFFECT_WITHIN_MS = 5_000;
/** Wall milliseconds until the device shows the effect of a downlink. */
const SHOWN_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;
const KILL_AFTER_MS = 2_000;
/** Lines of output that are kept for the error message. */
const KEPT_LINES = 12;

/** The environment variables of the device. */
interface DeviceEnvironment {
  readonly SANDBOX_MQTT_URL: string;
  readonly SANDBOX_WATCH_SERIAL: string;
  readonly SANDBOX_WATCH_KEY: string;
  readonly SANDBOX_SITE_ID: string;
}

interface HarnessLine {
  readonly id: number;
  readonly ok: boolean;
  readonly why?: string;
  readonly shows?: Partial<DeviceShows>;
}

export const HARNESS_HELP = `The harness of --start-command: for each action of the wearer, certify writes a JSON line to the stdin of the command:
  {"id":7,"do":"fall"}
When the action is done, the command writes a line to its stdout:
  {"id":7,"ok":true}
If the device cannot do the action, the command writes a reason, and the checks that need the action are not judged:
  {"id":7,"ok":false,"why":"..."}
certify ignores all other output. The first line is {"id":0,"do":"hello"}. A command that does not answer it has no
harness, and the checks that need an action of the wearer are not judged. The actions are:
  sos, fall, ack, call, end (switch off cleanly), answer {"answer":"ok"|"help"}, help {"reason":"trapped"|"injured"|"helping"|null},
  declare {"point_id"}, wear {"worn":true|false}, clock {"ahead_s"} (set the clock of the device that many seconds ahead),
  look (answer {"id","ok":true,"shows":{"prompt":true|false,"muster":"evacuate"|"stay_out"|null,"kind","points":[ids]}}).`;

export class DeviceProcess implements DeviceDriver {
  readonly patienceMs = EFFECT_WITHIN_MS;
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (line: HarnessLine) => void>();
  readonly #exited: Promise<void>;
  #lines: string[] = [];
  #next = 0;
  #ended: string | null = null;
  #onEnd: () => void = () => {};

  constructor(command: string, environment: DeviceEnvironment) {
    this.#child = spawn(command, {
      shell: true,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on('error', () => {});
    for (const input of [stdout, stderr])
      if (input !== null) createInterface({ input }).on('line', (text) => this.#onLine(text));
    this.#child.once('error', ({ message }) => this.#end(message));
    this.#exited = new Promise((resolve) =>
      this.#child.once('exit', (code, signal) => {
        this.#end(`it ended with ${signal ?? code}`);
        resolve();
      }),
    );
  }

  /** Why the device has ended, with its last output; null while it runs. */
  get ended(): string | null {
    if (this.#ended === null) return null;
    const lines = this.#lines.filter((line) => line.trim() !== '');
    return `${this.#ended}. It printed ${lines.length === 0 ? 'nothing' : `: ${lines.join(' | ')}`}`.replace(' :', ':');
  }

  /** Calls the task once, when the device has ended. */
  onEnd(task: () => void): void {
    this.#onEnd = task;
    if (this.#ended !== null) task();
  }

  async ask(command: DeviceCommand): Promise<DeviceReply> {
    const id = this.#next++;
    if (this.ended !== null) return { isDone: false, why: `the device runs no more: ${this.ended}` };
    const line = await new Promise<HarnessLine | null>((resolve) => {
      const cancel = later(ANSWER_WITHIN_MS, () => resolve(null));
      this.#answers.set(id, (answer) => {
        cancel();
        resolve(answer);
      });
      this.#child.stdin?.write(`${JSON.stringify({ id, ...command })}\n`);
    });
    this.#answers.delete(id);
    if (line === null) {
      const within = `within ${ANSWER_WITHIN_MS / 1_000} s`;
      return { isDone: false, why: `the harness did not answer {"do":"${command.do}"} ${within}` };
    }
    if (!line.ok) return { isDone: false, why: `the device cannot do that: ${line.why ?? 'it does not say why'}` };
    return { isDone: true, shows: line.shows === undefined ? null : { ...NOTHING_SHOWN, ...line.shows } };
  }

  async looks(_question: string, isShown: (shows: DeviceShows) => boolean, expected: boolean): Promise<boolean | null> {
    const endMs = monotonicMs() + SHOWN_WITHIN_MS;
    for (;;) {
      const reply = await this.ask({ do: 'look' });
      if (!reply.isDone || reply.shows === null) return null;
      if (isShown(reply.shows) === expected || monotonicMs() > endMs) return isShown(reply.shows);
      await new Promise<void>((resolve) => void later(LOOK_EVERY_MS, resolve));
    }
  }

  /** Sends SIGTERM, as a service manager does. */
  terminate(): void {
    signalGroup(this.#child, 'SIGTERM');
  }

  /** Ends the command and all processes that it started. Idempotent. */
  async stop(): Promise<void> {
    if (this.#child.pid === undefined) return;
    this.terminate();
    const cancel = later(KILL_AFTER_MS, () => this.kill());
    if (this.#ended === null) await this.#exited;
    cancel();
    this.kill();
  }

  /** Ends the processes synchronously, for a forced end of this process. */
  kill(): void {
    signalGroup(this.#child, 'SIGKILL');
  }

  #onLine(text: string): void {
    const line = answerOf(text);
    if (line === null) this.#lines = [...this.#lines, text].slice(-KEPT_LINES);
    else this.#answers.get(line.id)?.(line);
  }

  #end(why: string): void {
    if (this.#ended !== null) return;
    this.#ended = why;
    const answer: HarnessLine = { id: 0, ok: false, why: `the device runs no more: ${why}` };
    for (const take of this.#answers.values()) take(answer);
    this.#onEnd();
  }
}

const NOTHING_SHOWN: DeviceShows = { prompt: false, muster: null, kind: null, points: [] };

/** Returns null if the line is the device's own output. */
function answerOf(text: string): HarnessLine | null {
  try {
    const line = JSON.parse(text) as Partial<HarnessLine> | null;
    return typeof line?.id === 'number' && typeof line.ok === 'boolean' ? (line as HarnessLine) : null;
  } catch {
    return null;
  }
}
