/** The built command as a child process: started, listened to, stopped, killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fetchTrusting } from '../../src/base/network/trusting-fetch.ts';
import type { Ready, ReadyLine } from '../../src/contract/banner.ts';
import { lateOptimization } from '../groups.ts';
import { builtCommand } from '../helpers/bundles.ts';

export const BIN = builtCommand();

/** What Node is started with to run a command: without optimizing most of its code a short one takes a third less processor time. */
export const COMMAND: readonly string[] = [...lateOptimization(2_000_000), BIN];

/** A folder that has the built command as `sandbox`, as after a global installation: messages then print `sandbox ...`. */
const ON_PATH = mkdtempSync(join(tmpdir(), 'sandbox-path-'));
symlinkSync(BIN, join(ON_PATH, 'sandbox'));
process.env['PATH'] = `${ON_PATH}${delimiter}${process.env['PATH'] ?? ''}`;
process.once('exit', () => rmSync(ON_PATH, { recursive: true, force: true }));

const FREE_PORTS = ['--port', '0', '--mqtt-port', '0'];
/** An external broker has its own. */
const portsFor = (args: readonly string[]) => (args.includes('--broker') ? FREE_PORTS.slice(0, 2) : FREE_PORTS);

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment without what would turn a flag's default. */
export const cleanEnv = (extra: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBOX_')));
  return { ...env, NO_COLOR: '1', ...extra };
};

/** Runs a command to its end. */
export function run(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...COMMAND, ...args], {
    env: cleanEnv(options.env),
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(child);
}

function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (bytes: Buffer) => {
    stdout += bytes;
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes;
  });
  return new Promise((done) => child.once('close', (code, signal) => done({ code, signal, stdout, stderr })));
}

interface StartOptions {
  /** Default: the built command. */
  readonly command?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly defaultPorts?: boolean;
  readonly ports?: readonly string[];
  /** Runs as this user; only root may ask for it. */
  readonly uid?: number;
  readonly gid?: number;
}

/** A sandbox that is ready, wherever it runs: what its line says, and calls to it. */
export abstract class ReadySandbox {
  abstract readonly line: ReadyLine;
  readonly #lines: Record<string, unknown>[] = [];
  readonly #waiting: {
    fits: (line: Record<string, unknown>) => boolean;
    done: (line: Record<string, unknown>) => void;
  }[] = [];

  get ready(): Ready {
    return this.line.data;
  }

  /** The authority that a sandbox with --tls names. */
  get ca(): string | null {
    const { ca_file } = this.ready;
    return ca_file === undefined ? null : readFileSync(ca_file, 'utf8');
  }

  /** The first line, printed already or still to come, that fits. */
  printed(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    const known = this.#lines.find(fits);
    return known !== undefined ? Promise.resolve(known) : new Promise((done) => this.#waiting.push({ fits, done }));
  }

  /** A line that `up --json` prints after its first. */
  protected onLine(line: Record<string, unknown>): void {
    this.#lines.push(line);
    for (const waiting of [...this.#waiting])
      if (waiting.fits(line)) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.done(line);
      }
  }

  async token(client = 0): Promise<string> {
    const { client_id, client_secret } = this.ready.clients[client] as Ready['clients'][number];
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const answer = await fetchTrusting(this.ca, `${this.ready.api_url}/v1/oauth/token`, { method: 'POST', body });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
  async call(method: string, path: string, token: string, body?: unknown): Promise<{ status: number; body: any }> {
    const answer = await fetchTrusting(this.ca, `${this.ready.api_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }

  act(body: Record<string, unknown>): Promise<{ status: number; body: unknown }> {
    return this.call('POST', '/v1/sandbox/actions', this.ready.control_token, body);
  }
}

/** `sandbox up --json`, from its ready line on. */
export class RunningSandbox extends ReadySandbox {
  readonly child: ChildProcess;
  readonly line: ReadyLine;
  readonly ended: Promise<Ended>;

  private constructor(child: ChildProcess, line: ReadyLine, end: Promise<Ended>) {
    super();
    this.child = child;
    this.line = line;
    this.ended = end;
  }

  /** Rejects with what it printed when it ends before it is ready. */
  static async up(args: readonly string[] = [], options: StartOptions = {}): Promise<RunningSandbox> {
    const ports = options.ports ?? (options.defaultPorts === true ? ['--mqtt-port', '0'] : portsFor(args));
    const command = options.command === undefined ? COMMAND : [options.command];
    const child = spawn(process.execPath, [...command, 'up', '--json', ...ports, ...args], {
      env: cleanEnv(options.env),
      cwd: options.cwd,
      uid: options.uid,
      gid: options.gid,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = ended(child);
    const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
    let sandbox: RunningSandbox | null = null;
    return new Promise((done, failed) => {
      lines.on('line', (text) => {
        const line = JSON.parse(text) as Record<string, unknown>;
        if (sandbox !== null) return sandbox.onLine(line);
        const ready = line as unknown as ReadyLine;
        if (ready.data === null) return failed(new Error(`it did not start: ${text}`));
        sandbox = new RunningSandbox(child, ready, end);
        done(sandbox);
      });
      void end.then(({ code, stdout, stderr }) => failed(new Error(`ended with ${code}: ${stdout}${stderr}`)));
    });
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
