/** How each entrance writes an option in its messages: as a flag, a variable, a key of the settings file, or a name in code. [cli, Precedence] */
import { exampleInCode, flagOf, givenBy, type OptionRow, type OptionWriter, settingsKeyOf } from './kinds.ts';
import { OPTION_NAMES, type OptionName, ROWS } from './table.ts';
import { withoutPassword } from './values.ts';

export type Entrance = 'flag' | 'variable' | 'settings' | 'library';

/** `--memory`, `SANDBOX_MEMORY`, `memory:` or `memory`; of a switch that is off `--no-fleet` or `fleet: false`. */
export function nameIn(entrance: Entrance, name: OptionName, given?: unknown): string {
  const row: OptionRow = ROWS[name];
  const key = settingsKeyOf(row) ?? name;
  switch (entrance) {
    case 'flag':
      return flagOf(row) ?? name;
    case 'variable':
      return row.variable ?? flagOf(row) ?? name;
    case 'settings':
      return given === false ? `${key}: false` : `${key}:`;
    case 'library':
      return given === false ? `${name}: false` : name;
  }
}

/** Writes the option with a value, and omits a possible password. */
export function writeIn(entrance: Entrance, name: OptionName): OptionWriter {
  const write = exampleIn(entrance, name);
  return (value) => write(value === undefined || ROWS[name].isSecret !== true ? value : withoutPassword(value));
}

/** Writes the option with an example value, unchanged. */
export function exampleIn(entrance: Entrance, name: OptionName): OptionWriter {
  const own = nameIn(entrance, name);
  return (value) => (value === undefined ? own : entrance === 'variable' ? `${own}=${value}` : `${own} ${value}`);
}

/** The message about a wrong value in code. */
export const wrongInCode = (name: OptionName, must: string, value: string): string =>
  `The option ${name} is ${value}; it ${must}${must.endsWith('?') ? '' : '.'} Write it as {${name}: ${exampleInCode(ROWS[name])}}.`;

/** Replaces the flags in a message of the sandbox by the names of the options in code. */
export const inOptions = (text: string): string =>
  text.replace(/--[a-z][a-z-]*/g, (flag) => {
    const name = OPTION_NAMES.find((one) => flagOf(ROWS[one]) === flag && ROWS[one].inLibrary !== null);
    return name === undefined
      ? flag
      : `the option ${nameIn('library', name, givenBy({ flags: flag as `--${string}` }))}`;
  });
