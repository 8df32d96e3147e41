/** Refuses control characters in arguments and flags. Every command loads it, so it loads nothing else. [cli, Arguments] */
import type { Command, Option } from 'commander';
import { usage } from './output.ts';

/** Placeholders of values that may have control characters: paths, commands, and values of the user's own parameters. */
const WITH_CONTROL_CHARACTERS = /[<[](?:files?|folder|log|scenario|command|name=value)\b/;

/** Throws a usage error for an argument, or the value of a flag, a variable or a setting, that has a control character. [cli, Arguments] */
export function refuseControlCharacters(command: Command): void {
  const { registeredArguments: places, args, options } = command;
  args.forEach((word, at) => {
    const place = places[Math.min(at, places.length - 1)];
    // The fields of an action are checked by their names.
    if (place === undefined || /^(?:files?|folder|log|command|fields)$/.test(place.name())) return;
    refuseControlCharacter(place.name().toUpperCase(), word);
  });
  for (const option of options) {
    if (WITH_CONTROL_CHARACTERS.test(option.flags)) continue;
    for (const value of [command.getOptionValue(option.attributeName())].flat())
      if (typeof value === 'string') refuseControlCharacter(nameOf(command, option), value);
  }
}

/** The value itself is not printed, because it may be a secret. */
export function refuseControlCharacter(what: string, value: string): void {
  const found = /\p{Cc}/u.exec(value);
  if (found === null) return;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw usage(
    `${what} has a control character, U+${code}, at character ${[...value.slice(0, found.index)].length + 1}.`,
    'Ids, names and addresses have none. Write it without line ends, tabs and escapes.',
  );
}

function nameOf(command: Command, option: Option): string {
  const isOfVariable = command.getOptionValueSource(option.attributeName()) === 'env';
  return (isOfVariable ? option.envVar : option.long) ?? option.flags;
}
