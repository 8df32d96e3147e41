/** Runs a command of this program for a tool, with --json, and reads its envelope. */
import { spawn } from 'node:child_process';
import type { CliError } from '../../contract/banner.ts';
import { CommandError, EXIT } from '../output.ts';
import { ToolRefusal } from './refusal.ts';

/** The result of a command that has ended. */
interface CommandEnd {
  readonly code: number;
  readonly data: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly error: CliError | null;
}

/** Maximum characters of stderr in a refusal. */
const MOST_STDERR = 2_000;

/** Rejects with a refusal if the output of the command cannot be read. */
export function runCommandFor(words: readonly string[], folder: string, signal: AbortSignal): Promise<CommandEnd> {
  const script = process.argv[1];
  if (script === undefined) throw new CommandError(EXIT.bug, 'no_script', 'The command does not know its own file.');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, ...words, '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // No colours and annotations, because an agent reads the text.
      env: { ...process.env, GITHUB_ACTIONS: '', NO_COLOR: '1' },
    });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes;
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      const line = stdout.trim().split('\n').at(-1) ?? '';
      try {
        const { data, warnings, error } = JSON.parse(line) as CommandEnd;
        resolve({ code: code ?? EXIT.bug, data: data ?? {}, warnings: warnings ?? [], error: error ?? null });
      } catch {
        reject(new ToolRefusal(`The command ended with ${code} and no envelope.`, stderr.slice(-MOST_STDERR)));
      }
    });
  });
}
