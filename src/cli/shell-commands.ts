/**
 * Shell commands that files start: the permission that they need, and their output before a command starts. [cli, Shell
 * commands in files]
 */
import type { Command } from 'commander';
import type { Values } from '../scenario/model/scenario.ts';
import { openScenario } from '../scenario/reading/load.ts';
import type { MergedFile } from '../scenario/reading/merged-file.ts';
import { commandsIn, type FileCommand } from '../scenario/reading/read-system.ts';
import { CONFIG_FILE, isFromSettings } from './config-file.ts';
import { CommandError, EXIT, talkLine } from './output.ts';

/** Prints the commands of the files before any of them starts. */
export function printCommands(commands: readonly FileCommand[]): void {
  for (const line of new Set(commands.map(commandLine))) talkLine(line);
}

/** The line for a command, such as `command  my.scenario.yaml:4  system.start  node inbox.mjs`. */
export const commandLine = ({ file, line, key, command }: FileCommand): string =>
  `command  ${file}:${line}  ${key}  ${command}`;

/** The commands of a scenario with these values of its parameters. It may be a file with mistakes. */
export function commandsOfScenario(
  file: string,
  options: { readonly set?: Values; readonly values?: Values | null; readonly merged?: MergedFile } = {},
): FileCommand[] {
  const open = openScenario(file, options);
  return commandsIn('value' in open ? open.value : open.merged.value, open.merged);
}

/** The commands of several runs. A file without commands is read only once. */
export function commandsOfRuns(runs: readonly { file: string; values: Values | null }[], set: Values): FileCommand[] {
  const known = new Map<string, { readonly merged: MergedFile; readonly hasCommands: boolean }>();
  return runs.flatMap(({ file, values }) => {
    const before = known.get(file);
    if (before?.hasCommands === false) return [];
    const open = openScenario(file, {
      set,
      values,
      ...(before === undefined ? {} : { merged: before.merged.afresh() }),
    });
    const { merged } = open;
    const hasCommands = Object.hasOwn(merged.value, 'system') || Object.hasOwn(merged.value, 'probes');
    known.set(file, { merged, hasCommands });
    return commandsIn('value' in open ? open.value : merged.value, merged);
  });
}

/** Throws if a value of the settings file names a command and `--allow-commands` is not given. */
export function refuseSettingsCommands(command: Command, flag: string, commandsOf: () => readonly FileCommand[]): void {
  if (!isFromSettings(command, flag) || command.opts()['allowCommands'] === true) return;
  const commands = commandsOf();
  if (commands.length === 0) return;
  const named = commands.map(({ file, line, key }) => `${key} of ${file}:${line}`);
  throw commandsRefused(`${CONFIG_FILE} has "${flag}", and so names a command: ${[...new Set(named)].join(', ')}.`);
}

/** The error for a command that the user has not allowed. */
export const commandsRefused = (message: string): CommandError =>
  new CommandError(EXIT.usage, 'commands_not_allowed', message, {
    actions: [
      'Read the command. To allow it, add --allow-commands or set SANDBOX_ALLOW_COMMANDS=1.',
      'A file on the command line needs no permission: its commands are printed before they start.',
    ],
  });
