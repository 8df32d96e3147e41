/** `sandbox help [WORD]`: the program, one of its commands, or a step of a story. [cli] */
import type { Command, Option } from 'commander';
import { CLI } from '../base/command-form.ts';
import { closest } from '../contract/sentences.ts';
import { EVERY_WORD, explainWord, isExplained } from './explain.ts';
import { envelope, out, usage } from './output.ts';

/** An unknown word is a usage error. */
export function printHelp(program: Command, word: string | undefined, json: boolean): void {
  if (word === undefined) {
    if (json) out(JSON.stringify(envelope('help', { commands: program.commands.map(dataOf) })));
    else program.outputHelp();
    return;
  }
  const command = program.commands.find((one) => one.name() === word);
  if (command !== undefined) {
    if (json) out(JSON.stringify(envelope('help', { commands: [dataOf(command)] })));
    else command.outputHelp();
    return;
  }
  if (isExplained(word)) return explainWord(word, json);
  const meant = closest(word, [...program.commands.map((one) => one.name()), ...EVERY_WORD]);
  throw usage(
    `"${word}" is neither a command nor a step.`,
    meant === undefined ? `${CLI} help lists the commands, ${CLI} explain the steps.` : `Did you mean "${meant}"?`,
  );
}

const dataOf = (command: Command) => ({
  name: command.name(),
  usage: command.usage(),
  description: command.description(),
  options: command.options.map(optionOf),
});

const optionOf = ({ flags, description, defaultValue, envVar, argChoices, mandatory }: Option) => ({
  ...{ flags, description, required: mandatory },
  default: defaultValue ?? null,
  env: envVar ?? null,
  choices: argChoices ?? null,
});
