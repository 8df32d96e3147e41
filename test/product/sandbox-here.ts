/** A sandbox in this process, started by the flags of `up`: for tests of what stands beside it, whose own process would take seconds to start. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { type UpFlags, upFlags } from '../../src/cli/sandbox-flags.ts';
import { liveObject } from '../../src/cli/up/live.ts';
import { sandboxOptions, sourcesOf } from '../../src/cli/up/options.ts';
import type { ReadyLine } from '../../src/contract/banner.ts';
import type { Notice } from '../../src/contract/notices.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { inFolder } from './here.ts';
import { ReadySandbox } from './sandbox-process.ts';

/**
 * Like `RunningSandbox`, except that it has no process to signal and prints nothing. It uses the sources, and the
 * commands that call it are those of the bundle. Not for tests of signals, of `stop`, of the process named in
 * sandbox.json, and of what `up` prints.
 */
export class SandboxHere extends ReadySandbox {
  readonly #sandbox: Sandbox;

  private constructor(sandbox: Sandbox) {
    super();
    this.#sandbox = sandbox;
    sandbox.onNotice((notice: Notice) => {
      const line = liveObject(notice);
      if (line !== null) this.onLine(line);
    });
  }

  override get line(): ReadyLine {
    return this.#sandbox.readyLine;
  }

  /** On free ports; the default data folder is the one of `cwd`. */
  static async up(args: readonly string[] = [], { cwd = process.cwd() }: { cwd?: string } = {}): Promise<SandboxHere> {
    const command = new Command('up').exitOverride();
    for (const option of upFlags('up')) command.addOption(option);
    command.parse(['--port', '0', '--mqtt-port', '0', ...args], { from: 'user' });
    // Files that flags name are read at once.
    const options = await inFolder(cwd, () => sandboxOptions(command.opts<UpFlags>(), sourcesOf(command)));
    const dataDir = resolve(cwd, options.dataDir ?? '.sandbox');
    return new SandboxHere(await startSandbox({ ...options, dataDir }));
  }

  stop(): Promise<void> {
    return this.#sandbox.stop();
  }
}
