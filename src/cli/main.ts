/** `sandbox`: the program, its commands, and the one place that ends the process. [cli] */

import { Command, CommanderError, type Option } from 'commander';
import { CLI } from '../base/text/command-form.ts';
import { VERSION } from '../sandbox/version.ts';
import { ALIASES, COMMANDS, everyCommand, FIRST_COMMANDS, groupOf } from './commands.ts';
import { applyConfig, readSwitches } from './config-file.ts';
import { refuseControlCharacters } from './control-characters.ts';
import { fittedToTerminal } from './fitted.ts';
import { EXIT, printFailure, talk, talkLine, CommandError as UsageError } from './output.ts';
import { removedFlagRefusal } from './removed-flags.ts';
import { drained, guardStreams, streamTrouble, write } from './streams.ts';
import { endOfHelp } from './uses.ts';

/** The text for `--help` and for no arguments: at most 40 lines of 80 columns, with the first steps at the top. */
const PROGRAM_HELP = `Usage: ${CLI} [options] [command]

A local Alerts and Evacuations Integration API with emulated watches.
No account, no network, no Docker, no telemetry.

First steps:
  ${CLI} up                         start it; Ctrl-C stops it
  ${CLI} trigger fall --who W-001   in another terminal: a worker falls
  ${CLI} dashboard                  in another terminal: map and alerts
  ${CLI} run fall-to-sos            play a scenario and its checks

Commands:
${Object.entries(FIRST_COMMANDS)
  .map(([name, what]) => `  ${name.padEnd(11)}${what}`)
  .join('\n')}

Help:
  ${CLI} COMMAND --help   describe a command and its flags, with an example
  ${CLI} help --all       list all commands with their flags
  ${CLI} explain WORD     explain a word of a scenario or of the API
  ${CLI} --version        print the version

In a folder without the package: npx muster-sandbox up (the npm package named
"sandbox" is another program).

Exit codes: 0 done, 1 a check failed, 2 wrong usage or an invalid file,
3 environment, 4 not deterministic, 5 our bug, 130 interrupted.
`;

/** Runs a command in this process, and ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  guardStreams(stopOnTrouble);
  const code = await runCommand(argv);
  // Everything has been stopped, so open handles are not waited for.
  process.exitCode = code;
  await drained(process.stdout);
  process.exit(streamTrouble() === null ? code : EXIT.environment);
}

/**
 * Runs a command to its end, with the environment, the working folder and the streams of the process. Returns its exit
 * code.
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const json = own(argv).includes('--json');
  const [typed = ''] = wordsOf(argv);
  const word = ALIASES[typed] ?? typed;
  let code: number = EXIT.done;
  const ended = (with_: number) => {
    code = with_;
  };
  try {
    const program = await programFor(commandsFor(word, argv), ended);
    if (argv.length === 0) program.outputHelp();
    else if (word === 'help' || (argv.length === 1 && json)) await (await import('./help.ts')).help(program, own(argv));
    else await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return failed(word, json, error, own(argv));
  }
}

/** Words after `--` belong to another command. */
const own = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;

const wordsOf = (argv: readonly string[]): string[] => own(argv).filter((one) => !one.startsWith('-'));

/**
 * Called if stdout failed, for example on a full disk. Exits with an error, since partial output could be mistaken for
 * complete output.
 */
function stopOnTrouble(error: Error): void {
  talkLine(`error  The output cannot be written: ${error.message}`);
  // A long-running command stops as cleanly as after a signal.
  if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
  else process.exit(EXIT.environment);
}

/** Commander prints no errors itself, because `failed` prints them. */
const OUTPUT = {
  writeErr: () => {},
  writeOut: (text: string) => write(process.stdout, fittedToTerminal(text)),
};

/** Names of the commands to load: one, or all where their names and flags are listed or searched, or none for the first help. */
function commandsFor(word: string, argv: readonly string[]): readonly string[] {
  if (word in COMMANDS) return [word];
  const rest = argv.filter((one) => !['help', '--help', '-h'].includes(one));
  if (rest.length === 0) return [];
  const [name = ''] = rest;
  const described = ALIASES[name] ?? name;
  return word === 'help' && described in COMMANDS ? [described] : Object.keys(COMMANDS);
}

async function programFor(wanted: readonly string[], ended: (code: number) => void): Promise<Command> {
  const program = new Command(CLI)
    .description('A local Alerts and Evacuations Integration API with emulated watches.')
    .version(VERSION, '-V, --version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput(OUTPUT)
    .configureHelp({ subcommandTerm: (command) => command.name() });
  program.helpInformation = () => PROGRAM_HELP;
  for (const name of wanted) await COMMANDS[name]?.(program, ended);
  for (const command of program.commands) {
    command.helpGroup(groupOf(command.name())).addHelpText('after', endOfHelp(command.name()));
    for (const [alias, name] of Object.entries(ALIASES)) if (name === command.name()) command.alias(alias);
  }
  program.hook('preAction', async (_program, command) => {
    readSwitches(command);
    await applyConfig(command, flagsOfAll);
    refuseControlCharacters(command);
  });
  for (const command of program.commands) command.exitOverride().configureOutput(OUTPUT);
  return program;
}

const flagsOfAll = async (): Promise<readonly Option[]> => (await everyCommand()).flatMap(({ options }) => options);

function failed(command: string, json: boolean, error: unknown, words: readonly string[]): number {
  if (!(error instanceof CommanderError)) return printFailure(command, json, error);
  if (error.exitCode === 0) return EXIT.done;
  const removed = error.code === 'commander.unknownOption' ? removedFlagRefusal(command, words) : null;
  if (removed !== null) return printFailure(command, json, removed);
  const message = error.message.replace(/^error: /, '');
  // A line end before the suggestion is a part of what the user typed.
  const [, first = '', ...hint] = /^(.*?)(?:\n(\(Did you mean .*))?$/s.exec(message) ?? [];
  const rest = hint.filter((line) => line !== undefined);
  if (json) return printFailure(command, true, Object.assign(usageError(first), { actions: rest }));
  printFailure(command, false, usageError(first));
  for (const line of rest) talkLine(`       ${line}`);
  talk(`       ${CLI} ${command in COMMANDS ? `${command} ` : ''}--help tells more.`);
  return EXIT.usage;
}

const usageError = (message: string) => new UsageError(EXIT.usage, 'usage', sentence(message));
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
