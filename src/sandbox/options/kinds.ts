/** How an option of a sandbox is declared: what every entrance needs to know about it, by the kind of its values. [cli, up] */
import { type TSchema, Type } from 'typebox';
import { whole } from '../../contract/shapes.ts';
import type { Mistake } from '../../plant/mistakes.ts';

/**
 * Writes the option in the form of its entrance, with the value if there is one: `--cors x`, `SANDBOX_CORS=x`, `cors:
 * x`.
 */
export type OptionWriter = (value?: string) => string;

/** The reason why a value is refused. Each entrance formats it in its own way. */
export interface OptionRefusal {
  /** The message for a flag, a variable or a key of the settings file. */
  readonly asText: (write: OptionWriter) => string;
  readonly advice?: (write: OptionWriter) => string;
  /** The message for code. `wrong` builds the usual sentence: the option, its value, the requirement, and the form. */
  readonly inCode: (wrong: (must: string) => string) => string;
  /** Mistakes of a file, with their positions. */
  readonly mistakes?: readonly Mistake[];
}

export interface Accepted<T> {
  readonly value: T;
  /** Warnings about values that are used, but are probably not what the author intended. */
  readonly warnings?: readonly string[];
  /** Defaults that apply to what the file omits. */
  readonly notes?: readonly string[];
}

/** A value in the type that the sandbox uses, or all reasons why it is refused. */
export type OptionReading<T> = Accepted<T> | readonly OptionRefusal[];

export const isAccepted = <T>(read: OptionReading<T>): read is Accepted<T> => !Array.isArray(read);

/** How a command other than `up` and `exec` accepts an option. */
export interface AlsoTaken {
  readonly help: string;
  /** True if the variable of the option also sets this flag. */
  readonly byVariable: boolean;
  /** The default value of the flag. */
  readonly default?: string | number;
}

/**
 * What every option declares. The help, the example and the limits are required, so a new option without them does not
 * compile.
 */
interface Declaration {
  /** One clause. The default is appended. */
  readonly help: string;
  /** The documentation comment of `startSandbox`, without limits and default. Null: code cannot set the option. */
  readonly inLibrary: string | null;
  /** The default, if it can be written as a number or a word. */
  readonly default?: string;
  /** The default in `sandbox exec`, if it differs. */
  readonly defaultInExec?: string;
  /** The default in `startSandbox`, if it differs. */
  readonly defaultInLibrary?: string;
  /** The value may contain a password, so messages omit it. */
  readonly isSecret?: true;
  /** Commands other than `up` and `exec` that accept the option. */
  readonly also?: Readonly<Record<string, AlsoTaken>>;
  /** `exec` does not accept the option. */
  readonly isOfUpAlone?: true;
}

/** The range of a number, and its form as text. */
export type NumberRange = {
  readonly form: RegExp;
  readonly most: number;
  /** The message for a text that is not such a number. */
  readonly sentence: string;
} & ({ readonly isWhole: true; readonly least: number } | { readonly isWhole: false; readonly above: number });

interface NumberDeclaration extends Declaration {
  readonly example: number;
  readonly range: NumberRange;
}

/** Values of a TypeScript type that code may give in addition to a text. */
interface InCode {
  readonly schema: TSchema;
  readonly type: string;
  /** The example as code, if it differs from the text. */
  readonly example?: string;
}

interface TextDeclaration<T> extends Declaration {
  readonly example: string;
  /** Maximum number of characters. */
  readonly longest: number;
  /** Values other than texts that code may give; `read` then accepts them too. */
  readonly inCode?: InCode;
  /** All possible words, if they can be listed. */
  readonly words?: readonly string[];
  read(given: string): OptionReading<T>;
}

interface FileDeclaration extends Declaration {
  readonly example: string;
  /** Maximum number of characters of the path. */
  readonly longest: number;
  /** The kind of file. Its reader is in `read-options.ts`, which commands without a sandbox do not load. */
  readonly file: 'site' | 'credentials' | 'profile';
  readonly inCode?: InCode;
}

interface EntriesDeclaration<T> extends Declaration {
  /** An example of one entry as text, `NAME=VALUE`. */
  readonly example: `${string}=${string}`;
  /** Maximum number of entries. */
  readonly most: number;
  readonly inCode: InCode;
  read(pairs: readonly Pair[]): OptionReading<T>;
}

/** `entry`: the text of the entry as given. */
export type Pair = readonly [name: string, value: unknown, entry: string];

interface CodeDeclaration extends Declaration {
  /** The example as code. */
  readonly example: string;
  readonly inCode: InCode;
  /** Returns true if the value has that type. */
  fits(value: unknown): boolean;
}

/** The entrances: the flag with its metavariable, as `--mqtt-port <n>`, and the environment variable. */
interface Entrances<F extends Flags | null> {
  /** The key of the settings file is the flag without dashes and without `no-`. Null: only code sets the option. */
  readonly flags: F;
  readonly variable: Variable;
}
type Flags = `--${string}`;
type Variable = `SANDBOX_${string}` | null;

export interface SwitchOption<F extends Flags> extends Entrances<F>, Declaration {
  readonly kind: 'switch';
}
export interface NumberOption<F extends Flags> extends Entrances<F>, NumberDeclaration {
  readonly kind: 'number';
}
export interface TextOption<F extends Flags, T> extends Entrances<F>, TextDeclaration<T> {
  readonly kind: 'text';
}
export interface FileOption<F extends Flags> extends Entrances<F>, FileDeclaration {
  readonly kind: 'file';
}
export interface EntriesOption<F extends Flags, T> extends Entrances<F>, EntriesDeclaration<T> {
  readonly kind: 'entries';
}
export interface CodeOption extends Entrances<null>, CodeDeclaration {
  readonly kind: 'code';
}

/** An option, by the kind of its values; `T` is the type that the sandbox uses. */
export type OptionRow<T = unknown> =
  | SwitchOption<Flags>
  | NumberOption<Flags>
  | TextOption<Flags, T>
  | FileOption<Flags>
  | EntriesOption<Flags, T>
  | CodeOption;

/** A flag without a value; a flag `--no-...` sets false. */
export const aSwitch = <F extends Flags>(flags: F, variable: Variable, declared: Declaration): SwitchOption<F> => ({
  kind: 'switch',
  flags,
  variable,
  ...declared,
});

export const aNumber = <F extends Flags>(
  flags: F,
  variable: Variable,
  declared: NumberDeclaration,
): NumberOption<F> => ({
  kind: 'number',
  flags,
  variable,
  ...declared,
});

export const aText = <F extends Flags, T>(
  flags: F,
  variable: Variable,
  declared: TextDeclaration<T>,
): TextOption<F, T> => ({ kind: 'text', flags, variable, ...declared });

export const aFile = <F extends Flags>(flags: F, variable: Variable, declared: FileDeclaration): FileOption<F> => ({
  kind: 'file',
  flags,
  variable,
  ...declared,
});

/** A flag that may be repeated, each time with a name and its value. */
export const entries = <F extends Flags, T>(
  flags: F,
  variable: Variable,
  declared: EntriesDeclaration<T>,
): EntriesOption<F, T> => ({ kind: 'entries', flags, variable, ...declared });

/** A value that only code can give. */
export const inCodeOnly = (declared: CodeDeclaration): CodeOption => ({
  kind: 'code',
  flags: null,
  variable: null,
  ...declared,
});

/** The schema of the values that code may give. */
export function schemaOf(row: OptionRow): TSchema {
  switch (row.kind) {
    case 'switch':
      return Type.Boolean();
    case 'number':
      return row.range.isWhole
        ? whole(row.range.least, row.range.most)
        : Type.Number({ exclusiveMinimum: row.range.above, maximum: row.range.most });
    case 'text':
    case 'file': {
      if (row.kind === 'text' && row.words !== undefined) return Type.Enum([...row.words], { type: 'string' });
      const text = Type.String({ minLength: 1, maxLength: row.longest });
      return row.inCode === undefined ? text : Type.Union([text, row.inCode.schema]);
    }
    case 'entries':
    case 'code':
      return row.inCode.schema;
  }
}

/** Returns `--mqtt-port` for `--mqtt-port <n>`; null if only code sets the option. */
export const flagOf = ({ flags }: Pick<OptionRow, 'flags'>): string | null => flags?.split(' ')[0] ?? null;

/** Returns the key in the settings file; null if only code sets the option. */
export const settingsKeyOf = (row: Pick<OptionRow, 'flags'>): string | null =>
  flagOf(row)?.replace(/^--(no-)?/, '') ?? null;

/** Returns the value that the flag of a switch sets. */
export const givenBy = ({ flags }: Pick<SwitchOption<Flags>, 'flags'>): boolean => !/^-{2}no-/.test(flags);

/** Returns the example value as code, such as the `true` in `{memory: true}`. */
export function exampleInCode(row: OptionRow): string {
  switch (row.kind) {
    case 'switch':
      return String(givenBy(row));
    case 'number':
      return String(row.example);
    case 'text':
    case 'file':
      return row.inCode?.example ?? `'${row.example}'`;
    case 'entries':
      return row.inCode.example ?? '';
    case 'code':
      return row.example;
  }
}
