/** The four entrances of an option, in this process: each takes what its user writes, and gives the options of the sandbox or the refusal. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { everyCommand } from '../../src/cli/commands.ts';
import { applyConfig, readSwitches } from '../../src/cli/config-file.ts';
import { CommandError } from '../../src/cli/output.ts';
import { type UpFlags, upFlags } from '../../src/cli/sandbox-flags.ts';
import { sandboxOptions, sourcesOf } from '../../src/cli/up/options.ts';
import { checkedOptions } from '../../src/library/options.ts';
import { flagOf, type OptionRow, settingsKeyOf } from '../../src/sandbox/options/kinds.ts';
import { type Entrance, nameIn } from '../../src/sandbox/options/names.ts';
import { type OptionName, ROWS } from '../../src/sandbox/options/table.ts';

export const ENTRANCES: readonly Entrance[] = ['flag', 'variable', 'settings', 'library'];

/** A text as a user types it, or a value of another type as code or YAML has it. Of a switch: whether it is on. */
export type Value = string | number | boolean | readonly string[] | Readonly<Record<string, unknown>> | null;

/** One option at one entrance. */
export interface Given {
  readonly entrance: Entrance;
  readonly name: OptionName;
  readonly value: Value;
}

export type Outcome = { readonly options: object; readonly flags: object } | { readonly refusal: string };

export const has = (name: OptionName, entrance: Entrance): boolean => {
  const row: OptionRow = ROWS[name];
  switch (entrance) {
    case 'flag':
      return row.flags !== null;
    case 'variable':
      return row.variable !== null;
    case 'settings':
      return row.flags !== null && name !== 'allowCommands';
    case 'library':
      return row.inLibrary !== null;
  }
};

/** What the entrances make of these, each option at its own; `folder` is where the settings file is. */
export async function outcomeOf(folder: string, given: readonly Given[]): Promise<Outcome> {
  try {
    const inCode = given.filter(({ entrance }) => entrance === 'library');
    if (inCode.length > 0) {
      const options = Object.fromEntries(inCode.map(({ name, value }) => [name, value]));
      return { options: checkedOptions(options as never).options, flags: {} };
    }
    return await outcomeOfCommand(folder, given);
  } catch (error) {
    const actions = error instanceof CommandError ? error.actions : [];
    return { refusal: [(error as Error).message, ...actions].join('\n') };
  }
}

async function outcomeOfCommand(folder: string, given: readonly Given[]): Promise<Outcome> {
  const of = (entrance: Entrance) => given.filter((one) => one.entrance === entrance);
  const variables = of('variable').map(({ name, value }) => [ROWS[name].variable ?? '', textOf(value)] as const);
  const settings = of('settings').map(({ name, value }) => `${settingsKeyOf(ROWS[name])}: ${JSON.stringify(value)}\n`);
  const cwd = process.cwd();
  const project = mkdtempSync(join(folder, 'project-'));
  if (settings.length > 0) writeFileSync(join(project, 'sandbox.config.yaml'), settings.join(''));
  process.chdir(project);
  for (const [name, text] of variables) process.env[name] = text;
  try {
    const up = new Command('up').exitOverride().configureOutput({ writeErr: () => {} });
    for (const option of upFlags('up')) up.addOption(option);
    up.parse(
      of('flag').flatMap(({ name, value }) => wordsOf(name, value)),
      { from: 'user' },
    );
    readSwitches(up);
    await applyConfig(up, async () => (await everyCommand()).flatMap(({ options }) => options));
    const flags = up.opts<UpFlags>();
    return { options: sandboxOptions(flags, sourcesOf(up)), flags };
  } finally {
    for (const [name] of variables) delete process.env[name];
    process.chdir(cwd);
  }
}

const textOf = (value: Value): string => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value));

/** The words of the command line. */
function wordsOf(name: OptionName, value: Value): string[] {
  const row: OptionRow = ROWS[name];
  const flag = flagOf(row) ?? '';
  if (row.kind === 'switch') return [flag];
  return Array.isArray(value) ? value.flatMap((one) => [flag, one]) : [flag, textOf(value)];
}

/** How the entrance calls the option, for a search in a message. */
export const calledIn = (entrance: Entrance, name: OptionName): string =>
  entrance === 'settings' ? (settingsKeyOf(ROWS[name]) ?? name) : nameIn(entrance, name);
