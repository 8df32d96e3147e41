/** A process of `--jobs` that reports with lines of JSON: the same command with a hidden `--share`. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { JOB_VARIABLE } from './job-variable.ts';
import { CommandError, EXIT, talkOfChild } from './output.ts';

interface LineJob {
  readonly words: readonly string[];
  /** Interrupts the process. */
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** True if the process has done all of its work, by its exit code. */
  readonly isDone: (code: number | null) => boolean;
}

/** Resolves when the process has done its work or was interrupted. */
export function runLineJob({ words, signal, onLine, isDone }: LineJob): Promise<void> {
  const script = process.argv[1];
  if (script === undefined) throw new CommandError(EXIT.bug, 'no_script', 'The command does not know its own file.');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GITHUB_ACTIONS: '', [JOB_VARIABLE]: '1' },
    });
    let stderr = '';
    createInterface({ input: child.stdout }).on('line', onLine);
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes;
    });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (isDone(code) || signal.aborted) return resolve();
      if (stderr !== '') talkOfChild(stderr.trimEnd());
      const message = `A process of --jobs ended with ${code} before its work was done.`;
      reject(new CommandError(EXIT.environment, 'job_ended', message, { actions: ['Run it again with --jobs 1.'] }));
    });
  });
}
