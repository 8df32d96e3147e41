/** Reads `cases` from a CSV file: the header row holds the names, and each further row is a case. [scenario-language, Scenario files and keys] */

import { parse } from 'csv-parse/sync';
import { Document, isScalar } from 'yaml';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { closest, plural, quoted } from '../../contract/sentences.ts';
import type { FilePlace, WrittenValue } from '../../plant/mistakes.ts';
import { isName, NAME_FORM } from '../model/references.ts';

/** A cell: a text if it is in double quotes, any other value otherwise. */
interface ReadCell {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A row of the file, and the line on which it ends. */
interface CsvRow {
  readonly record: readonly ReadCell[];
  readonly info: { readonly lines: number };
}

/** A cell for messages about its value. */
interface CaseCell extends WrittenValue {
  /** True if the cell is a text only because of its quotes. */
  readonly isText: boolean;
}

/** The cells of a row by the names of their columns. */
export type CaseCells = Readonly<Record<string, CaseCell>>;

interface CaseRow {
  readonly values: JsonMap;
  readonly cells: CaseCells;
}

/**
 * Returns the cases of a CSV text (RFC 4180); null if its names cannot be read. Mistakes name the file and its line, and
 * are reported at `at`, the value of `cases`.
 */
export function readCasesFile(text: string, file: string, at: FilePlace): CaseRow[] | null {
  const separator = foreignSeparator(text);
  if (separator !== null) return at.mistake(`${file}:1 ${separator}`);
  const rows = rowsOf(text, file, at);
  if (rows === null) return null;
  const [header, ...entries] = rows;
  const names = (header?.record ?? []).map((name) => name.text.trim());
  if (header === undefined || entries.length === 0)
    return at.mistake(`${file} has no cases. Write a row of names, and a row of values for each run.`);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) at.mistake(`${file}:1 has the name ${quoted(twice)} twice. Write another name.`);
  const strange = names.findIndex((name) => !isName(name));
  if (strange >= 0) {
    const name = `${quoted(names[strange])} is not a name. ${NAME_FORM}`;
    return at.mistake(`${file}:${header.info.lines}, cell ${strange + 1}: ${name}`);
  }
  const cases = entries.flatMap(({ record, info: { lines } }) => {
    if (record.length === names.length) return [caseOf(names, record, `${file}:${lines}`)];
    const cells = `${plural(record.length, 'cell')}, and the first row has ${names.length}`;
    at.mistake(`${file}:${lines} has ${cells}. Write as many; a cell with a comma needs quotes.`);
    return [];
  });
  return cases.length === 0 ? null : cases;
}

function caseOf(names: readonly string[], record: readonly ReadCell[], row: string): CaseRow {
  const columns = names.map((name, place) => {
    const { text, isQuoted } = record[place] ?? { text: '', isQuoted: false };
    const plain = scalarOf(text);
    const cell: CaseCell = {
      text,
      where: `at ${row}, column ${name}`,
      isText: isQuoted && typeof plain !== 'string' && plain !== null,
    };
    return { name, value: isQuoted ? text : plain, cell };
  });
  return {
    values: Object.fromEntries(columns.map(({ name, value }) => [name, value])),
    cells: Object.fromEntries(columns.map(({ name, cell }) => [name, cell])),
  };
}

/** The message about a `$name` without a value, with the columns of the file of cases, if there is one, and the name that may be meant. */
export function withValuesInstead(
  message: string,
  name: string,
  cells: readonly CaseCells[] | null,
  { params, cases }: JsonMap,
): string {
  const [row] = cells ?? [];
  const columns = row === undefined ? '' : ` The file of cases has the columns ${Object.keys(row).join(', ')}.`;
  const [first] = Array.isArray(cases) ? cases : [];
  const known = [params, first].flatMap((one) => (isMap(one) ? Object.keys(one) : []));
  const meant = message.includes(' Did you mean ') ? undefined : closest(name, known);
  return `${message}${columns}${meant === undefined ? '' : ` Did you mean $${meant}?`}`;
}

/**
 * Returns what is wrong with the separator of a file that a spreadsheet wrote, as the end of a sentence; null for a
 * comma. Spreadsheets of some languages write semicolons, and a line `sep=;` before the names.
 */
function foreignSeparator(text: string): string | null {
  const [first = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const [, declared] = /^"?sep=(.?)"?,*$/i.exec(first) ?? [];
  const names = first.replace(/"[^"]*"/g, '');
  const found = names.includes(',') ? undefined : Object.keys(SEPARATORS).find((one) => names.includes(one));
  const [separator, line] = [declared ?? found, declared === undefined ? '' : `Delete the line ${quoted(first)}. `];
  if (separator === undefined) return null;
  const noun = SEPARATORS[separator] ?? quoted(separator);
  return `says that ${noun} separate the cells. ${line}Write commas between cells, or save the file as CSV with commas.`;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons (;)',
  '\t': 'tabs',
  '|': 'bars (|)',
};

/** The messages of the parser about quotes, in plain words. */
const QUOTE_MISTAKES: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows a quote that ends the cell. Write "" for a quote in a cell',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed. Write " at the end of the cell',
  INVALID_OPENING_QUOTE: 'a quote begins inside the cell. Write quotes around the whole cell, and "" for a quote in it',
};

function rowsOf(text: string, file: string, at: FilePlace): readonly CsvRow[] | null {
  try {
    return parse(text, {
      bom: true,
      cast: (cell, { quoting }): ReadCell => ({ text: cell, isQuoted: quoting }),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRow[];
  } catch (error) {
    const { code = '', lines, column, message } = error as CsvError;
    const [reason = ''] = message.split('\n');
    const place = lines === undefined ? '' : `:${lines}${typeof column === 'number' ? `, cell ${column + 1}` : ''}`;
    return at.mistake(`${file}${place} is not CSV: ${QUOTE_MISTAKES[code] ?? reason.replace(/\.$/, '')}.`);
  }
}

/** An error of the parser, with the place in the text. */
interface CsvError extends Error {
  readonly code?: string;
  readonly lines?: number;
  readonly column?: unknown;
}

/** The scalar types of YAML 1.2, as defined by its core schema. */
const SCALARS = new Document(null, { version: '1.2', schema: 'core' }).schema?.tags ?? [];

/** Reads the cell as a plain scalar of YAML: null, a truth value, a number or a text. */
export function scalarOf(cell: string): unknown {
  const plain = cell.trim();
  for (const tag of SCALARS)
    if (tag.collection === undefined && tag.default === true && tag.test?.test(plain) === true) {
      const value = tag.resolve(plain, () => {}, {});
      return isScalar(value) ? value.value : value;
    }
  return plain === '' ? null : plain;
}
