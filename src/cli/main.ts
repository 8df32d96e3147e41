/** `sandbox`: the program, its commands, and the one place that ends the process. [cli] */

import { Command, CommanderError, type Option } from 'commander';
import { VERSION } from '../sandbox/version.ts';
import { applyConfig } from './config-file.ts';
import { EXIT, notYet, printFailure, talk, talkLine, CommandError as UsageError } from './output.ts';
import { drained, guardStreams, streamTrouble } from './streams.ts';

const HELP = `
A local sandbox of an Alerts and Evacuations Integration API. No account, no network, no Docker, no telemetry.

First steps:
  sandbox up                                  boot it; Ctrl-C stops it
  sandbox trigger fall --who W-001            in another terminal: somebody falls
  sandbox dashboard                           in another terminal: watch map, musters, alerts, webhooks
  sandbox run scenarios/fall-to-sos.scenario.yaml

In a project without it: npx muster-sandbox up (another package owns the bare name "sandbox" on npm).
Exit codes: 0 done, 1 a check failed, 2 wrong usage or an invalid file, 3 environment, 4 not deterministic, 5 our bug, 130 interrupted.`;

/** Commands are loaded lazily, so that `--version` and usage errors are fast. */
const COMMANDS: Record<string, (program: Command, ended: (code: number) => void) => Promise<void>> = {
  up: async (program, ended) => (await import('./up.ts')).defineUp(program, ended),
  exec: async (program, ended) => (await import('./exec.ts')).defineExec(program, ended),
  run: async (program, ended) => (await import('./run.ts')).defineRun(program, ended),
  explore: async (program, ended) => (await import('./explore.ts')).defineExplore(program, ended),
  drill: async (program, ended) => (await import('./drill.ts')).defineDrill(program, ended),
  record: async (program, ended) => (await import('./record.ts')).defineRecord(program, ended),
  validate: async (program, ended) => (await import('./validate.ts')).defineValidate(program, ended),
  list: async (program, ended) => (await import('./list.ts')).defineList(program, ended),
  explain: async (program, ended) => (await import('./explain.ts')).defineExplain(program, ended),
  schema: async (program, ended) => (await import('./schema.ts')).defineSchema(program, ended),
  init: async (program, ended) => (await import('./init.ts')).defineInit(program, ended),
  replay: async (program, ended) => (await import('./replay.ts')).defineReplay(program, ended),
  trigger: async (program, ended) => (await import('./trigger.ts')).defineTrigger(program, ended),
  dashboard: async (program, ended) => (await import('./dashboard.ts')).defineDashboard(program, ended),
  listen: async (program, ended) => (await import('./listen.ts')).defineListen(program, ended),
  logs: async (program, ended) => (await import('./logs.ts')).defineLogs(program, ended),
  certify: async (program, ended) => (await import('./certify.ts')).defineCertify(program, ended),
  'explain-delivery': async (program, ended) =>
    (await import('./explain-delivery.ts')).defineExplainDelivery(program, ended),
  gaps: async (program, ended) => (await import('./gaps.ts')).defineGaps(program, ended),
  env: async (program, ended) => (await import('./env.ts')).defineEnv(program, ended),
  fleet: async (program, ended) => (await import('./fleet.ts')).defineFleet(program, ended),
  clock: async (program, ended) => (await import('./clock.ts')).defineClock(program, ended),
  status: async (program, ended) => (await import('./status.ts')).defineStatus(program, ended),
  stop: async (program, ended) => (await import('./stop.ts')).defineStop(program, ended),
  world: async (program, ended) => (await import('./world.ts')).defineWorld(program, ended),
  reset: async (program, ended) => (await import('./reset.ts')).defineReset(program, ended),
  snapshot: async (program, ended) => (await import('./snapshot.ts')).defineSnapshot(program, ended),
  openapi: async (program, ended) => (await import('./openapi.ts')).defineOpenapi(program, ended),
  asyncapi: async (program, ended) => (await import('./asyncapi.ts')).defineAsyncapi(program, ended),
};

/** Announced commands that do not exist yet. */
const LATER = new Set('doctor completion'.split(' '));

export async function main(argv: readonly string[]): Promise<void> {
  const json = own(argv).includes('--json');
  const [word = ''] = wordsOf(argv);
  guardStreams(stopOnTrouble);
  let code: number = EXIT.done;
  const ended = (with_: number) => {
    code = with_;
  };
  try {
    if (LATER.has(word)) throw notYet(`sandbox ${word}`);
    const program = await programFor(word, ended);
    if (argv.length === 0) program.outputHelp();
    else if (word === 'help' || (argv.length === 1 && json))
      (await import('./help.ts')).printHelp(program, wordsOf(argv)[1], json);
    else await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    code = failed(word, json, error);
  }
  // Everything was asked to stop; do not wait for open handles.
  process.exitCode = code;
  await drained(process.stdout);
  process.exit(streamTrouble() === null ? code : EXIT.environment);
}

/** Words after `--` belong to another command. */
const own = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;

const wordsOf = (argv: readonly string[]): string[] => own(argv).filter((one) => !one.startsWith('-'));

/** stdout failed, for example on a full disk: exit with an error, since partial output could pass for complete. */
function stopOnTrouble(error: Error): void {
  talkLine(`error  The output cannot be written: ${error.message}`);
  // Long-running commands stop as cleanly as by a signal.
  if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
  else process.exit(EXIT.environment);
}

async function programFor(word: string, ended: (code: number) => void): Promise<Command> {
  const program = new Command('sandbox')
    .description('A local Alerts and Evacuations Integration API with emulated watches.')
    .version(VERSION, '-V, --version')
    .addHelpText('after', HELP)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  const wanted = word in COMMANDS ? [word] : Object.keys(COMMANDS);
  for (const name of wanted) await COMMANDS[name]?.(program, ended);
  program.hook('preAction', (_program, command) => applyConfig(command, flagsOfAll));
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  return program;
}

/** Loads all commands. */
async function flagsOfAll(): Promise<readonly Option[]> {
  const program = new Command().enablePositionalOptions();
  for (const define of Object.values(COMMANDS)) await define(program, () => {});
  return program.commands.flatMap(({ options }) => options);
}

function failed(command: string, json: boolean, error: unknown): number {
  if (!(error instanceof CommanderError)) return printFailure(command, json, error);
  if (error.exitCode === 0) return EXIT.done;
  const message = error.message.replace(/^error: /, '');
  const [first = '', ...rest] = message.split('\n');
  if (json) return printFailure(command, true, Object.assign(usageError(first), { actions: rest }));
  printFailure(command, false, usageError(first));
  for (const line of rest) talk(`       ${line}`);
  talk(`       sandbox ${command in COMMANDS ? `${command} ` : ''}--help tells more.`);
  return EXIT.usage;
}

const usageError = (message: string) => new UsageError(EXIT.usage, 'usage', sentence(message));
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
