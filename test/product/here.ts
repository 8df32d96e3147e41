/** The built command in this process instead of one of its own: for usage, help and envelopes, of which there are many. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as program from '../../src/cli/main.ts';
import { BIN } from './sandbox-process.ts';

/** The bundle that `bin/sandbox.js` loads. It needs no compiling, and finds its own form of command lines. */
const { runCommand } = (await import(pathToFileURL(join(BIN, '../../dist/cli.cjs')).href)) as typeof program;

export interface EndedHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Commands share the folder and the environment of the process, so one runs after the other. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end, as `run` of sandbox-process.ts does in a process of its own. Not for commands that take the
 * signals of the process or pass its streams on: `up` and `exec`; one that goes on until a signal is a `StartedHere`.
 */
export const runHere = (args: readonly string[], surroundings: Surroundings = {}): Promise<EndedHere> =>
  inTurn(() => inSurroundings(args, surroundings));

/** Does something in a working folder, as commands do: after those before it. */
export const inFolder = <T>(folder: string, work: () => T): Promise<T> =>
  inTurn(() => {
    const own = process.cwd();
    process.chdir(folder);
    try {
      return work();
    } finally {
      process.chdir(own);
    }
  });

function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
  const done = before.then(work);
  before = done.catch(() => {});
  return done;
}

async function inSurroundings(args: readonly string[], surroundings: Surroundings): Promise<EndedHere> {
  const restore = surround(surroundings);
  const printed = new Printed();
  try {
    const code = await printing.run(printed, () => runCommand(args));
    return { code, stdout: printed.text.stdout, stderr: printed.text.stderr };
  } finally {
    restore();
  }
}

/** Changes the folder, the environment and the name of the script; what is returned changes them back. */
function surround({ cwd, env = {} }: Surroundings): () => void {
  const [folder, variables, script] = [process.cwd(), { ...process.env }, process.argv[1]];
  for (const name of Object.keys(process.env)) if (/^SANDBOX_|^GITHUB_|^CI$/.test(name)) delete process.env[name];
  Object.assign(process.env, { NO_COLOR: '1' }, env);
  // What a command starts as a process of its own is the command too.
  process.argv[1] = BIN;
  if (cwd !== undefined) process.chdir(cwd);
  return () => {
    process.argv[1] = script as string;
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  };
}

const STREAMS = ['stdout', 'stderr'] as const;

/** What a command of this process has printed. */
class Printed {
  readonly text = { stdout: '', stderr: '' };
  readonly #looks: (() => boolean)[] = [];

  add(stream: (typeof STREAMS)[number], text: string): void {
    this.text[stream] += text;
    for (const look of [...this.#looks]) if (look()) this.#looks.splice(this.#looks.indexOf(look), 1);
  }

  until(fits: () => boolean): Promise<void> {
    return new Promise((done) => {
      const look = () => {
        if (fits()) done();
        return fits();
      };
      if (!look()) this.#looks.push(look);
    });
  }
}

/** The command whose code runs now. What it writes is kept for it, and what others write goes on to the stream. */
const printing = new AsyncLocalStorage<Printed>();
for (const name of STREAMS) {
  const stream = process[name];
  const own = stream.write;
  stream.write = function (this: NodeJS.WriteStream, chunk: string | Uint8Array, ...rest: unknown[]) {
    const printed = printing.getStore();
    if (printed === undefined) return (own as (...all: unknown[]) => boolean).call(this, chunk, ...rest);
    printed.add(name, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    (rest.find((one) => typeof one === 'function') as (() => void) | undefined)?.();
    return true;
  } as typeof stream.write;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface StartSurroundings extends Surroundings {
  /** Where the command prints first. Default: stdout. */
  readonly first?: (typeof STREAMS)[number];
}

/**
 * A command that goes on until a signal, from its first line on. The folder and the environment are its own until
 * then, so paths that it uses later are absolute.
 */
export class StartedHere {
  readonly code: Promise<number>;
  readonly #printed = new Printed();
  #listeners = new Map<NodeJS.Signals, readonly (() => void)[]>();

  private constructor(args: readonly string[]) {
    this.code = printing.run(this.#printed, () => runCommand(args));
  }

  static start(args: readonly string[], surroundings: StartSurroundings = {}): Promise<StartedHere> {
    return inTurn(async () => {
      const before = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
      const restore = surround(surroundings);
      try {
        const started = new StartedHere(args);
        await Promise.race([started.prints(/\n/, surroundings.first), started.code]);
        started.#listeners = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal) as (() => void)[]]));
        return started;
      } finally {
        restore();
        for (const [signal, listeners] of before) {
          process.removeAllListeners(signal);
          for (const listener of listeners) process.on(signal, listener);
        }
      }
    });
  }

  get stdout(): string {
    return this.#printed.text.stdout;
  }

  get stderr(): string {
    return this.#printed.text.stderr;
  }

  /** Resolves when it has printed this. */
  prints(words: RegExp, stream: (typeof STREAMS)[number] = 'stdout'): Promise<void> {
    return this.#printed.until(() => words.test(this.#printed.text[stream]));
  }

  /** The first line of `--json`, come already or still to come, that fits. */
  async line(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    let found: Record<string, unknown> | undefined;
    await this.#printed.until(() => {
      const lines = this.stdout.split('\n').slice(0, -1);
      found = lines.map((text) => JSON.parse(text) as Record<string, unknown>).find(fits);
      return found !== undefined;
    });
    return found as Record<string, unknown>;
  }

  /** As a signal ends it; resolves with its exit code. */
  end(signal: (typeof SIGNALS)[number] = 'SIGINT'): Promise<number> {
    const listeners = this.#listeners.get(signal) ?? [];
    if (listeners.length === 0) throw new Error(`${signal} would end this process too.`);
    for (const listener of listeners) listener();
    return this.code;
  }
}
