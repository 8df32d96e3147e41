/** `sandbox help [WORD]`: the program, one of its commands, or a word that `explain` knows; `--all` lists every command with its flags. [cli] */
import type { Command, Option } from 'commander';
import { CLI } from '../base/text/command-form.ts';
import { closest, didYouMean } from '../contract/sentences.ts';
import { fitted } from './fitted.ts';
import { colourOf, envelope, out, usage } from './output.ts';

const FLAGS = ['--all', '--json', '--help', '-h'];

/** Handles `help`, `help WORD` and `help --all`, with or without `--json`. An unknown word or flag is a usage error. */
export async function help(program: Command, words: readonly string[]): Promise<void> {
  const unknown = words.find((word) => word.startsWith('-') && !FLAGS.includes(word));
  if (unknown !== undefined)
    throw usage(`help has no flag ${unknown}.${didYouMean(unknown, FLAGS)}`, `There are ${FLAGS.join(', ')}.`);
  const json = words.includes('--json');
  const [, word] = words.filter((one) => !one.startsWith('-'));
  if (word === undefined && words.includes('--all') && !json) printAll(program);
  else await printHelp(program, word, json);
}

/** Width of the list if stdout is not a terminal. */
const PLAIN_COLUMNS = 100;

/** Every command by group, with its arguments and the flags that it alone has; then the flags of several commands. */
function printAll(program: Command): void {
  const paint = colourOf(process.stdout);
  const columns = process.stdout.isTTY === true ? process.stdout.columns : PLAIN_COLUMNS;
  const { commands } = program;
  const commandsOf = new Map<string, string[]>();
  const listed = commands.filter((one) => !one.usage().includes('[flags of up]'));
  for (const command of listed)
    for (const flag of flagsOf(command)) commandsOf.set(flag, [...(commandsOf.get(flag) ?? []), command.name()]);
  for (const group of [...new Set(commands.map((one) => one.helpGroup()))]) {
    out(paint('bold', group));
    for (const command of commands.filter((one) => one.helpGroup() === group)) {
      const own = flagsOf(command).filter((flag) => commandsOf.get(flag)?.join() === command.name());
      out(`  ${paint('bold', command.name())} ${command.usage().replace(/\[options\] ?/, '')}`.trimEnd());
      for (const text of [command.description(), own.join(' ')]) if (text !== '') out(fitted(`      ${text}`, columns));
    }
    out('');
  }
  out(paint('bold', 'Flags of several commands:'));
  for (const [flag, names] of [...commandsOf].filter(([, { length }]) => length > 1)) {
    const whose =
      names.length === listed.length
        ? 'every command'
        : names.length > MOST_NAMED
          ? `${names.length} commands`
          : names.join(' ');
    out(fitted(`  ${flag.padEnd(SHARED_WIDTH)}  ${whose}`, columns));
  }
  out(`\n${CLI} help COMMAND describes the flags of a command.`);
}

/** Maximum number of commands that are named for one flag. */
const MOST_NAMED = 8;

/** Width of the names of flags that several commands have. */
const SHARED_WIDTH = 16;

const flagsOf = ({ options }: Command): string[] =>
  options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short ?? '');

async function printHelp(program: Command, word: string | undefined, json: boolean): Promise<void> {
  if (word === undefined) {
    if (json) out(JSON.stringify(envelope('help', { commands: program.commands.map(dataOf) })));
    else program.outputHelp();
    return;
  }
  const command = program.commands.find((one) => one.name() === word || one.aliases().includes(word));
  if (command !== undefined) {
    if (json) out(JSON.stringify(envelope('help', { commands: [dataOf(command)] })));
    else command.outputHelp();
    return;
  }
  // It loads the language of scenarios, which the help of a command does not need.
  const { EVERY_WORD, explainWord, isExplained } = await import('./scenarios/explain.ts');
  if (isExplained(word)) return explainWord(word, json);
  const meant = closest(word, [...program.commands.map((one) => one.name()), ...EVERY_WORD]);
  throw usage(
    `"${word}" is neither a command nor a word that explain knows.`,
    meant === undefined
      ? `${CLI} help lists the commands, and ${CLI} explain lists the words.`
      : `Did you mean "${meant}"?`,
  );
}

const dataOf = (command: Command) => ({
  name: command.name(),
  usage: command.usage(),
  description: command.description(),
  options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
});

const optionOf = ({ flags, description, defaultValue, envVar, argChoices, mandatory }: Option) => ({
  flags,
  description,
  required: mandatory,
  default: defaultValue ?? null,
  env: envVar ?? null,
  choices: argChoices ?? null,
});
