/** The built command in this process instead of one of its own: for usage, help and envelopes, of which there are many. */
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

/** Commands share the folder, the environment and the streams of the process, so one runs after the other. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end, as `run` of sandbox-process.ts does in a process of its own. Not for commands that take the
 * signals of the process or pass its streams on: `up`, `exec` and `listen`.
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

async function inSurroundings(args: readonly string[], { cwd, env = {} }: Surroundings): Promise<EndedHere> {
  const [folder, variables, script] = [process.cwd(), { ...process.env }, process.argv[1]];
  const streams = [captured(process.stdout), captured(process.stderr)] as const;
  for (const name of Object.keys(process.env)) if (/^SANDBOX_|^GITHUB_|^CI$/.test(name)) delete process.env[name];
  Object.assign(process.env, { NO_COLOR: '1' }, env);
  try {
    if (cwd !== undefined) process.chdir(cwd);
    // What a command starts as a process of its own is the command too.
    process.argv[1] = BIN;
    const code = await runCommand(args);
    return { code, stdout: streams[0].text(), stderr: streams[1].text() };
  } finally {
    for (const stream of streams) stream.release();
    process.argv[1] = script as string;
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  }
}

/** Keeps what is written to the stream, which writes nothing until it is released. */
function captured(stream: NodeJS.WriteStream): { text(): string; release(): void } {
  const chunks: string[] = [];
  const own = stream.write;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    done?.();
    return true;
  }) as typeof stream.write;
  return {
    text: () => chunks.join(''),
    release: () => {
      stream.write = own;
    },
  };
}
