/** How an option of a sandbox is declared: what every entrance needs to know of it, by the kind of its values. [cli, up] */
import { type TSchema, Type } from 'typebox';
import { whole } from '../../contract/shapes.ts';
import type { Mistake } from '../../plant/mistakes.ts';

/** Names the option as its entrance does, with a value where one is given: `--cors x`, `SANDBOX_CORS=x`, `cors: x`. */
export type OptionWriter = (value?: string) => string;

/** Why a value is refused. Each entrance words it in its own form. */
export interface OptionRefusal {
  /** For a flag, a variable or a key of the settings file. */
  readonly asText: (write: OptionWriter) => string;
  readonly advice?: (write: OptionWriter) => string;
  /** For code. `wrong` words the usual sentence: the option, its value, what it must be, and how it is written. */
  readonly inCode: (wrong: (must: string) => string) => string;
  /** Those of a file, with their places. */
  readonly mistakes?: readonly Mistake[];
}

export interface Accepted<T> {
  readonly value: T;
  /** The value is used, but probably does not mean what its author intended. */
  readonly warnings?: readonly string[];
  /** What holds where a file is silent. */
  readonly notes?: readonly string[];
}

/** A value as the sandbox takes it, or everything for which it is refused. */
export type OptionReading<T> = Accepted<T> | readonly OptionRefusal[];

export const isAccepted = <T>(read: OptionReading<T>): read is Accepted<T> => !Array.isArray(read);

/** How a command besides `up` and `exec` takes an option. */
export interface AlsoTaken {
  readonly help: string;
  /** The variable of the option sets this flag too. */
  readonly byVariable: boolean;
  /** What the flag has when nobody sets it. */
  readonly default?: string | number;
}

/** What every option declares. Help, example and limits cannot be left out: a new option does not compile before. */
interface Declaration {
  /** One clause. The default is appended. */
  readonly help: string;
  /** The documentation comment of `startSandbox`, without limits and default; null: code cannot set the option. */
  readonly inLibrary: string | null;
  /** What holds without the option, where a number or a word can say it. */
  readonly default?: string;
  /** What holds in `sandbox exec`, where that differs. */
  readonly defaultInExec?: string;
  /** What holds in `startSandbox`, where that differs. */
  readonly defaultInLibrary?: string;
  /** The value may contain a password, which messages leave out. */
  readonly isSecret?: true;
  /** Commands besides `up` and `exec` that take it. */
  readonly also?: Readonly<Record<string, AlsoTaken>>;
  /** `exec` does not take it. */
  readonly isOfUpAlone?: true;
}

/** A number in a range, and the characters of a text that has it. */
export type NumberRange = {
  readonly form: RegExp;
  readonly most: number;
  /** The answer to a text that is not such a number. */
  readonly sentence: string;
} & ({ readonly isWhole: true; readonly least: number } | { readonly isWhole: false; readonly above: number });

interface NumberDeclaration extends Declaration {
  readonly example: number;
  readonly range: NumberRange;
}

/** What code may give beyond a text, in TypeScript. */
interface InCode {
  readonly schema: TSchema;
  readonly type: string;
  /** As code, where it is not the text. */
  readonly example?: string;
}

interface TextDeclaration<T> extends Declaration {
  readonly example: string;
  /** Characters at most. */
  readonly longest: number;
  /** Values besides texts that code may give, which `read` then reads too. */
  readonly inCode?: InCode;
  /** All words that are possible, where they can be listed. */
  readonly words?: readonly string[];
  read(given: string): OptionReading<T>;
}

interface FileDeclaration extends Declaration {
  readonly example: string;
  /** Characters of the path at most. */
  readonly longest: number;
  /** A file with a reader of its own (`read-options.ts`), which commands without a sandbox do not load. */
  readonly file: 'site' | 'credentials' | 'profile';
  readonly inCode?: InCode;
}

interface EntriesDeclaration<T> extends Declaration {
  /** One entry as a text, `NAME=VALUE`. */
  readonly example: `${string}=${string}`;
  /** Entries at most. */
  readonly most: number;
  readonly inCode: InCode;
  read(pairs: readonly Pair[]): OptionReading<T>;
}

/** `entry`: as it was written. */
export type Pair = readonly [name: string, value: unknown, entry: string];

interface CodeDeclaration extends Declaration {
  /** As code. */
  readonly example: string;
  readonly inCode: InCode;
  /** Whether it is a value of that type. */
  fits(value: unknown): boolean;
}

/** The entrances: the flag with its metavariable, as `--mqtt-port <n>`, and the environment variable. */
interface Entrances<F extends Flags | null> {
  /** The key of the settings file is the same without dashes, and without `no-`. Null: only code sets the option. */
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

/** An option by the kind of its values; `T` is what the sandbox takes. */
export type OptionRow<T = unknown> =
  | SwitchOption<Flags>
  | NumberOption<Flags>
  | TextOption<Flags, T>
  | FileOption<Flags>
  | EntriesOption<Flags, T>
  | CodeOption;

/** A flag without a value; `--no-...` gives false. */
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

/** The schema of what code gives. */
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

/** `--mqtt-port` of `--mqtt-port <n>`; null: only code sets the option. */
export const flagOf = ({ flags }: Pick<OptionRow, 'flags'>): string | null => flags?.split(' ')[0] ?? null;

/** The key in the settings file; null: only code sets the option. */
export const settingsKeyOf = (row: Pick<OptionRow, 'flags'>): string | null =>
  flagOf(row)?.replace(/^--(no-)?/, '') ?? null;

/** The value that the flag of a switch gives. */
export const givenBy = ({ flags }: Pick<SwitchOption<Flags>, 'flags'>): boolean => !/^-{2}no-/.test(flags);

/** How the option is written in code: `{memory: true}`. */
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
