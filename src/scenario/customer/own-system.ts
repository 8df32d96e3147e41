/** The user's own system during scenarios: starts and resets its process, awaits its start, and queries its probes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import { Outage } from '../../base/assert.ts';
import { printable } from '../../base/text/printable.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';
import { type PlannedProbe, type PlannedSystem, valueAt } from '../model/own-system.ts';

/** Time allowed to a start; wall ms. */
const START_WITHIN_MS = 15_000;

/** Time allowed to a call of the system; wall ms. */
const ANSWER_WITHIN_MS = 10_000;

/** Interval between two checks whether the system is ready; wall ms. */
const LOOK_EVERY_MS = 10;

/** A refused connection is attributed to the end of the process if the process ends within this time; wall ms. */
const ENDS_WITHIN_MS = 500;

/** Characters of the system's output kept for messages. */
const MOST_OUTPUT = 4_000;

/** Lines of output in a message. */
const MOST_LINES = 6;

/** What runtimes print when another program listens at the port. */
const PORT_TAKEN = /EADDRINUSE|address already in use/i;

/** Starts at different ports. */
const MOST_STARTS = 3;

/** Values that the system gets in its environment and in the body of `reset`. */
export type SystemVariables = Readonly<Record<string, string>>;

/** A probe has no reply because the system has ended, which is reported separately. */
export class SystemEnded extends Error {
  override readonly name = 'SystemEnded';
}

/** The user's system, in one process that the sandbox starts; it may serve several scenarios one after another. */
export class OwnSystem {
  readonly planned: PlannedSystem;
  #port = 0;
  #child: ChildProcess | null = null;
  #output = '';
  /** Called with the output of the process. */
  onOutput: (text: string) => void = () => {};
  /** Called when the process ends by itself. */
  #onEnd: (how: string) => void = () => {};

  constructor(planned: PlannedSystem) {
    this.planned = planned;
  }

  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  get address(): string {
    return this.planned.url ?? `http://127.0.0.1:${this.#port}`;
  }

  /**
   * Begins a scenario: resets the running process, or starts one. `onEnd`: called if the process ends before `rest()`.
   */
  async begin(variables: SystemVariables, onEnd: (how: string) => void): Promise<void> {
    const { start, reset } = this.planned;
    const runs = start === null || (this.#child !== null && this.#child.exitCode === null);
    if (runs && reset !== null) {
      const { status } = await this.call(reset, variables).catch((error: Error) => {
        throw this.#unreachable(`its reset ${reset} fails: ${error.message}`);
      });
      if (status >= 300) throw this.#unreachable(`its reset ${reset} answers ${status}`);
    } else await this.#start(variables);
    this.#onEnd = onEnd;
  }

  /** Ends the scenario: from now on, an end of the process is not reported. */
  rest(): void {
    this.#onEnd = () => {};
  }

  /** Throws if there is no reply. */
  call(
    path: string,
    body: object,
    limitMs = ANSWER_WITHIN_MS,
  ): Promise<{ readonly status: number; readonly body: string }> {
    return ask('POST', this.address + path, JSON.stringify(body), limitMs);
  }

  /** Returns the value that a probe reads; throws if there is no reply. */
  async probe({ get, run, path, folder }: PlannedProbe): Promise<unknown> {
    const output = run === null ? this.#got(get ?? '/') : outputOf(run, folder, this.#environment({}));
    const text = await output.catch(async (error: Error) => {
      throw (await this.#endsSoon()) ? new SystemEnded() : error;
    });
    try {
      return valueAt(JSON.parse(text), path);
    } catch {
      throw new Error(`the answer is not JSON: ${printable(text.slice(0, 80))}`);
    }
  }

  /**
   * Returns true if the process has ended or ends soon. A process that dies refuses connections shortly before its end
   * is reported.
   */
  async #endsSoon(): Promise<boolean> {
    const child = this.#child;
    if (child === null) return false;
    if (child.exitCode !== null || child.signalCode !== null) return true;
    return new Promise((resolve) => {
      const cancel = later(ENDS_WITHIN_MS, () => resolve(false), { unref: true });
      child.once('close', () => {
        cancel();
        resolve(true);
      });
    });
  }

  async stop(): Promise<void> {
    this.rest();
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    killGroup(child, 'SIGKILL');
    await closed;
  }

  async #got(where: string): Promise<string> {
    const { status, body } = await ask('GET', where.startsWith('/') ? this.address + where : where);
    if (status !== 200) throw new Error(`${where} answers ${status}`);
    return body;
  }

  #environment(variables: SystemVariables): NodeJS.ProcessEnv {
    const { timeZone } = this.planned;
    const local = timeZone === null ? {} : { TZ: timeZone };
    return { ...process.env, ...local, ...variables, PORT: String(this.#port) };
  }

  /** Another program can take the port between its choice and the start, so the start is repeated at another port. */
  async #start(variables: SystemVariables): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#startOnce(variables);
      } catch (error) {
        const isTaken = this.planned.url === null && PORT_TAKEN.test(this.#output);
        if (!isTaken || tries === MOST_STARTS) throw error;
      }
    }
  }

  async #startOnce(variables: SystemVariables): Promise<void> {
    const { start, folder, ready } = this.planned;
    await this.stop();
    if (this.planned.url === null) this.#port = await freePort();
    this.#output = '';
    // The process gets its own process group, so that programs that its shell started end with it.
    const child = spawn(start ?? '', {
      shell: true,
      detached: true,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.#environment(variables),
    });
    this.#child = child;
    const killWithUs = () => killGroup(child, 'SIGKILL');
    process.once('exit', killWithUs);
    child.once('close', () => process.off('exit', killWithUs));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        const text = bytes.toString('utf8');
        this.#output = (this.#output + text).slice(-MOST_OUTPUT);
        this.onOutput(text);
      });
    const state = { over: null as string | null };
    child.once('error', (error) => {
      state.over = error.message;
    });
    child.once('close', (code, signal) => {
      const how = `it ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}${this.#lastOutput()}`;
      state.over = how;
      if (this.#child === child) this.#onEnd(how);
    });
    const endMs = monotonicMs() + START_WITHIN_MS;
    const port = Number(new URL(this.address).port || 80);
    while (!(await (ready === null ? accepts(port) : answers(this.address + ready)))) {
      if (state.over !== null) throw this.#unreachable(state.over);
      if (monotonicMs() > endMs) {
        const what = ready === null ? `nothing listens at its PORT, ${port}` : `${ready} does not answer 2xx`;
        throw this.#unreachable(`${what} within ${START_WITHIN_MS / 1_000} s${this.#lastOutput()}`);
      }
      await new Promise<void>((resolve) => later(LOOK_EVERY_MS, resolve));
    }
  }

  #lastOutput(): string {
    const lines = this.#output.split('\n').map((line) => printable(line.trim()));
    const telling = lines.filter((line) => /\w/.test(line) && !line.startsWith('at ')).slice(-MOST_LINES);
    return telling.length === 0 ? '' : `; its last output: ${telling.join(' | ')}`;
  }

  #unreachable(why: string): Outage {
    const { file, line, start, url } = this.planned;
    return new Outage({
      code: 'system_not_reachable',
      message: `${file}:${line}  Your system does not play (${start ?? url}): ${why}.`,
      fix: 'Start it by hand with the command of the file, with PORT and the SANDBOX_ variables, and read its output.',
    });
  }
}

function ask(
  method: string,
  url: string,
  sent?: string,
  limitMs = ANSWER_WITHIN_MS,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = sent === undefined ? {} : { 'content-type': 'application/json' };
    const request = httpRequest(url, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('error', fail);
      response.on('end', () => {
        cancel();
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    const fail = (error: Error) => {
      cancel();
      reject(new Error(`${url} does not answer (${error.message})`));
    };
    const cancel = later(limitMs, () => request.destroy(new Error('too late')), { unref: true });
    request.on('error', fail);
    request.end(sent);
  });
}

async function answers(url: string): Promise<boolean> {
  const answer = await ask('GET', url).catch(() => null);
  return answer !== null && answer.status >= 200 && answer.status < 300;
}

/** Returns true if a program listens on the port. */
export function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * Below the ports that Linux gives to connections and to listeners of port 0, so that other programs rarely take one
 * between its choice and its use.
 */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000] as const;

/** Each process begins elsewhere. */
let nextPort = FIRST_PORT + ((process.pid * 53) % (LAST_PORT - FIRST_PORT));

async function freePort(): Promise<number> {
  for (let tries = 0; tries <= LAST_PORT - FIRST_PORT; tries++) {
    const port = nextPort;
    nextPort = port === LAST_PORT ? FIRST_PORT : port + 1;
    if (await isFree(port)) return port;
  }
  throw new Outage({
    code: 'no_free_port',
    message: `No port from ${FIRST_PORT} to ${LAST_PORT} is free for the system under test.`,
    fix: 'End programs that listen there, or give the address of your system with "url".',
  });
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function outputOf(command: string, folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, detached: true, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env });
    let text = '';
    let errors = '';
    const cancel = later(ANSWER_WITHIN_MS, () => killGroup(child, 'SIGKILL'), { unref: true });
    child.stdout.on('data', (bytes: Buffer) => {
      text += bytes;
    });
    child.stderr.on('data', (bytes: Buffer) => {
      errors += bytes;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      cancel();
      if (code === 0) resolve(text);
      else
        reject(new Error(`"${command}" ended with ${code ?? 'a signal'}: ${printable(errors.trim().slice(0, 200))}`));
    });
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid as number), signal);
  } catch {
    // The process has ended in the meantime.
  }
}
