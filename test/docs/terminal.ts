/** A reader's terminals for one page: a folder in a project that has the package, in which its blocks run one after the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InstalledPackage } from '../helpers/installed.ts';
import { cleanEnv } from '../product/sandbox-process.ts';

/** A block may start a sandbox, play scenarios, and judge a receiver; ms. */
const PATIENCE_MS = 240_000;

export class Terminal {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #left: ChildProcess[] = [];

  constructor({ folder, bin }: InstalledPackage, page: string) {
    this.folder = join(folder, page.replace(/\W/g, '-'));
    mkdirSync(this.folder, { recursive: true });
    symlinkSync(join(folder, 'node_modules'), join(this.folder, 'node_modules'));
    const commands = join(this.folder, '.commands');
    mkdirSync(commands);
    // `npx sandbox` finds the command of the project; `npx` itself asks the network for what it does not know.
    writeFileSync(join(commands, 'npx'), `#!/bin/sh\nexec "$@"\n`, { mode: 0o755 });
    for (const name of ['sandbox', 'muster-sandbox'])
      writeFileSync(join(commands, name), `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`, { mode: 0o755 });
    // Pages are tested beside each other, so none of them may ask for the standard ports.
    const ports = { SANDBOX_PORT: '0', SANDBOX_MQTT_PORT: '0' };
    this.#env = cleanEnv({ ...ports, PATH: `${commands}:${process.env['PATH']}` });
  }

  save(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), `${text}\n`);
  }

  /** Runs to the end; throws with the output unless it succeeds. */
  async shell(text: string): Promise<string> {
    const running = this.#start(text);
    const code = await Promise.race([running.ended, running.late()]);
    if (code !== 0) throw new Error(`ended with ${code}:\n${text}\n---\n${running.output()}`);
    return running.output();
  }

  /** Leaves it running once it has printed the words; resolves with what it prints from then on, too. */
  async until(words: string, text: string): Promise<() => string> {
    const running = this.#start(text);
    this.#left.push(running.child);
    const failed = running.ended.then((code) => {
      throw new Error(`ended with ${code} before it printed "${words}":\n${text}\n---\n${running.output()}`);
    });
    failed.catch(() => {});
    await Promise.race([running.printed(words), failed, running.late()]);
    return running.output;
  }

  async close(): Promise<void> {
    for (const child of this.#left.reverse()) {
      if (child.exitCode !== null) continue;
      const ended = new Promise((done) => child.once('exit', done));
      // The shell and what it started are a group.
      process.kill(-(child.pid as number), 'SIGTERM');
      await ended;
    }
  }

  #start(text: string) {
    const script = `set -e -o pipefail\n${text}`;
    const child = spawn('bash', ['-c', script], { cwd: this.folder, env: this.#env, detached: true });
    let output = '';
    const waiting: { words: string; done: () => void }[] = [];
    const take = (bytes: Buffer) => {
      output += bytes;
      for (const { words, done } of waiting) if (output.includes(words)) done();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.stdin.end();
    return {
      child,
      output: () => output,
      ended: new Promise<number | null>((done) => child.once('close', done)),
      printed: (words: string) => new Promise<void>((done) => waiting.push({ words, done })),
      late: () =>
        new Promise<never>((_, reject) => {
          const timer = setTimeout(() => {
            process.kill(-(child.pid as number), 'SIGKILL');
            reject(new Error(`did not end within ${PATIENCE_MS} ms:\n${text}\n---\n${output}`));
          }, PATIENCE_MS);
          child.once('close', () => clearTimeout(timer));
          timer.unref();
        }),
    };
  }
}
