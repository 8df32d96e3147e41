/** The dashboard on a terminal of its own beside a crowded sandbox, both as they are published: what it costs, read from /proc. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Ready } from '../src/contract/banner.ts';

/** Kernel ticks in a second, as /proc counts processor time. */
const TICKS = 100;
const KB = 1024;

/** A sandbox of `watches` watches that keeps nothing; its folder holds sandbox.json. */
export interface Crowded {
  readonly folder: string;
  readonly ready: Ready;
  act(body: object): Promise<void>;
  stop(): Promise<void>;
}

export async function crowdedSandbox(bin: string, watches: number): Promise<Crowded> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const flags = ['--json', '--memory', '--port', '0', '--mqtt-port', '0', '--seed', '7'];
  const child = spawn(process.execPath, [bin, 'up', ...flags, '--watches', String(watches), '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ready = await new Promise<Ready>((done) => lines.once('line', (text) => done(JSON.parse(text).data)));
  return {
    folder,
    ready,
    act: async (body) => {
      const answer = await fetch(`${ready.api_url}/v1/sandbox/actions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ready.control_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    stop: async () => {
      child.kill('SIGTERM');
      await new Promise((done) => child.once('exit', done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A command on a pseudo terminal of 120 x 40. */
export class OnTerminal {
  readonly #child: ChildProcess;
  readonly #begun = performance.now();
  #waiting: { word: string; done: (ms: number) => void } | null = null;
  #tail = '';
  /** What the terminal got. */
  bytes = 0;

  constructor(args: readonly string[]) {
    const quoted = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`);
    const command = ['stty cols 120 rows 40; exec', process.execPath, ...quoted].join(' ');
    this.#child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.bytes += Buffer.byteLength(text);
      this.#tail = (this.#tail + text).slice(-20_000);
      if (this.#waiting === null || !this.#tail.includes(this.#waiting.word)) return;
      const { done } = this.#waiting;
      this.#waiting = null;
      done(performance.now() - this.#begun);
    });
  }

  /** When the word is written, ms since the start; after `keys`, ms since they were pressed. */
  async shows(word: string, keys = ''): Promise<number> {
    this.#tail = '';
    const pressed = performance.now() - this.#begun;
    const shown = new Promise<number>((done) => {
      this.#waiting = { word, done };
    });
    if (keys === '') return await shown;
    this.#child.stdin?.write(keys);
    return (await shown) - pressed;
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  get pid(): number {
    const of = this.#child.pid as number;
    return Number(readFileSync(`/proc/${of}/task/${of}/children`, 'utf8').trim().split(' ')[0]);
  }

  /** MB in memory, and seconds of a processor so far. */
  costs(): { rssMb: number; cpuS: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return {
      rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / KB,
      cpuS: (Number(fields[11]) + Number(fields[12])) / TICKS,
    };
  }

  async quit(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('close', done));
    this.press('q');
    await ended;
  }
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
