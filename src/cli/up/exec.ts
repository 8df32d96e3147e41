/**
 * `sandbox exec -- CMD`: starts a sandbox, runs a command with its addresses and credentials, and stops the sandbox.
 * [cli]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import type { Ready } from '../../contract/banner.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { pairsOf } from '../control/env.ts';
import { type CoverageFlags, coverageFlag, coverageFloorFlag, mayKeep } from '../coverage/flags.ts';
import { CommandError, EXIT, talk, talkLine, usage } from '../output.ts';
import { type UpFlags, upFlags } from '../sandbox-flags.ts';
import { lastResort } from './last-resort.ts';
import { playScenario, soundScenario } from './opening-scenario.ts';
import { sandboxOptions, sourcesOf } from './options.ts';
import { removeReady, writeReady } from './ready-file.ts';

const HELP = `
Starts a sandbox as "${CLI} up" does, and runs the command with the variables of "${CLI} env" in its
environment. When the command ends, exec stops the sandbox and returns the exit code of the command.

The state is stored only with --data-dir or --database. The ports are free ports unless --port and --mqtt-port
name others, so several exec commands can run at the same time. The command uses stdin, stdout and stderr of
exec. exec also sets SANDBOX_URL, SANDBOX_CONTROL_TOKEN and SANDBOX_DATA_DIR, so the "sandbox" commands that it runs find
this sandbox.

Examples:
  ${CLI} exec -- npm test
  ${CLI} exec --seed 7 --watches 12 -- pytest -x       the same world and the same secrets every time
  ${CLI} exec --coverage coverage.json --coverage-floor operations=80 -- npm test
  ${CLI} exec -- sh -c '${CLI} trigger sos --who W-001 && curl -s $SANDBOX_API_URL/healthz'

Exit codes: that of the command (128 + n if signal n ended it), 2 wrong usage, 3 the sandbox or the command cannot
start. Ctrl-C goes to the command; the sandbox stops after the command ends.`;

export function defineExec(program: Command, ended: (code: number) => void): void {
  const exec = program
    .command('exec')
    .usage('[flags of up] -- <command> [words...]')
    .argument('[command...]')
    .description('start a sandbox, run a command with it, and return the exit code of the command')
    .passThroughOptions()
    .addHelpText('after', HELP);
  for (const option of [...upFlags('exec'), coverageFlag(), coverageFloorFlag()]) exec.addOption(option);
  exec.action(async (words: readonly string[], flags: UpFlags & CoverageFlags) => {
    // SANDBOX_DATA_DIR names a folder for commands that look for a sandbox, for example inside an outer exec. It does
    // not mean that the state must be stored.
    const isFolder = ['cli', 'config'].includes(exec.getOptionValueSource('dataDir') ?? '');
    const isKept = isFolder || flags.database !== undefined;
    ended(await runExec(words, { memory: !isKept, ...flags }, exec));
  });
}

async function runExec(
  [file, ...args]: readonly string[],
  flags: UpFlags & CoverageFlags,
  command: Command,
): Promise<number> {
  await mayKeep(flags);
  if (file === undefined) throw usage('The command is missing: write it after --.', `${CLI} exec -- npm test`);
  // With an external broker, no MQTT port is chosen.
  const ports = { port: 0, ...(flags.broker === undefined ? { mqttPort: 0 } : {}) };
  const options = sandboxOptions({ ...ports, ...flags }, sourcesOf(command));
  const { scenario, readyFile } = flags;
  if (scenario !== undefined) soundScenario(scenario, command);
  if (readyFile !== undefined) removeReady(readyFile);
  const signals = new ExecSignals();
  let sandbox: Sandbox | null = null;
  let endLastResort = () => {};
  try {
    let onBroken: (error: Error) => void = () => {};
    const broken = new Promise<never>((_, reject) => {
      onBroken = reject;
    });
    broken.catch(() => {});
    const onTruthFailed = (error: Error) => talk(`The truth file cannot be written, so it ends here: ${error.message}`);
    sandbox = await startSandbox({ ...options, onTruthFailed, onBroken }).catch((error) => {
      if (signals.early() === null) throw error;
      return null;
    });
    const early = signals.early();
    if (sandbox === null || early !== null) return early ?? EXIT.interrupted;
    const running = sandbox;
    endLastResort = lastResort({
      report: (error) => running.engine.failures.report({ part: 'task', what: 'nobody contained it', error }),
      giveUp: onBroken,
    });
    for (const warning of sandbox.warnings) talkLine(`note  ${warning}`);
    if (readyFile !== undefined) writeReady(readyFile, sandbox.readyLine);
    if (scenario !== undefined) playScenario(sandbox, scenario);
    const child = spawn(file, args, { stdio: 'inherit', env: environmentOf(sandbox.ready) });
    signals.passTo(child);
    broken.catch(() => child.kill());
    const code = await Promise.race([finished(child, file), broken]);
    return await covered(running, flags, code);
  } finally {
    if (readyFile !== undefined) removeReady(readyFile);
    await sandbox?.stop();
    endLastResort();
    signals.end();
  }
}

/** Keeps the coverage, if it is wanted. A command that failed keeps its own exit code. [cli, Coverage] */
async function covered(sandbox: Sandbox, flags: UpFlags & CoverageFlags, code: number): Promise<number> {
  const { coverage, coverageFloor } = flags;
  if (coverage === undefined && coverageFloor === undefined) return code;
  const { floorsOf, keepCoverage } = await import('../coverage/files.ts');
  const { isKept } = keepCoverage([sandbox.coverage()], { file: coverage ?? null, floors: floorsOf(coverageFloor) });
  return code === EXIT.done && !isKept ? EXIT.failed : code;
}

/** Resolves with the exit code, as a shell would return it. */
function finished(child: ChildProcess, file: string): Promise<number> {
  return new Promise((done, failed) => {
    child.once('error', (error: NodeJS.ErrnoException) => failed(notStarted(file, error)));
    child.once('exit', (code, signal) => done(code ?? codeOf(signal as NodeJS.Signals)));
  });
}

const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

function notStarted(file: string, { code, message }: NodeJS.ErrnoException): CommandError {
  const why =
    { ENOENT: 'there is no such program', EACCES: 'it is not a program that this user may run' }[code ?? ''] ?? message;
  return new CommandError(EXIT.environment, 'command_not_started', `${file} cannot be started: ${why}.`, {
    actions: [`Check its name and the PATH. For the syntax of a shell, start a shell: ${CLI} exec -- sh -c "..."`],
  });
}

/** Replaces all addresses of an outer sandbox with those of this one. */
const environmentOf = (ready: Ready): NodeJS.ProcessEnv => ({
  ...process.env,
  SANDBOX_CA_FILE: undefined,
  ...pairsOf(ready),
  SANDBOX_URL: ready.api_url,
  SANDBOX_CONTROL_TOKEN: ready.control_token,
  SANDBOX_DATA_DIR: ready.data_dir,
});

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A terminal sends Ctrl-C also to the command, so SIGINT is passed on only without a terminal. Only the end of the
 * command ends the sandbox.
 */
class ExecSignals {
  #child: ChildProcess | null = null;
  #first: (typeof SIGNALS)[number] | null = null;
  readonly #listeners = SIGNALS.map((signal) => ({ signal, listen: () => this.#take(signal) }));

  constructor() {
    for (const { signal, listen } of this.#listeners) {
      // Removes the handlers of the launcher, which end a process that is still loading.
      process.removeAllListeners(signal);
      process.on(signal, listen);
    }
  }

  passTo(child: ChildProcess): void {
    this.#child = child;
  }

  /** Returns the exit code for a signal that came before the command was started, or null. */
  early(): number | null {
    return this.#first === null || this.#child !== null ? null : codeOf(this.#first);
  }

  end(): void {
    for (const { signal, listen } of this.#listeners) process.off(signal, listen);
  }

  #take(signal: (typeof SIGNALS)[number]): void {
    this.#first ??= signal;
    if (signal !== 'SIGINT' || process.stdin.isTTY !== true) this.#child?.kill(signal);
  }
}
