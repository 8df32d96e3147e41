/** Reads `cases` from a CSV file: the header row holds the names, and each further row is a case. [scenario-language, Scenario files and keys] */

import { parse } from 'csv-parse/sync';
import { Document, isScalar } from 'yaml';
import type { JsonMap } from '../../contract/schema.ts';
import { plural, quoted } from '../../contract/sentences.ts';
import type { FilePlace } from '../../plant/mistakes.ts';

/** A row of the file, and the line on which it ends. */
interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Returns the cases of a CSV text (RFC 4180). Mistakes name the file and its line, and are reported at `at`, the value
 * of `cases`.
 */
export function readCasesFile(text: string, file: string, at: FilePlace): JsonMap[] {
  const rows = rowsOf(text, file, at);
  const [header, ...entries] = rows;
  const names = (header?.record ?? []).map((name) => name.trim());
  if (header === undefined || entries.length === 0) {
    at.mistake(`${file} has no cases. Write a row of names, and a row of values for each run.`);
    return [];
  }
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) at.mistake(`${file}:1 has the name ${quoted(twice)} twice. Write another name.`);
  return entries.flatMap(({ record, info: { lines } }) => {
    if (record.length === names.length)
      return [Object.fromEntries(names.map((name, place) => [name, scalarOf(record[place] ?? '')]))];
    const cells = `${plural(record.length, 'cell')}, and the first row has ${names.length}`;
    at.mistake(`${file}:${lines} has ${cells}. Write as many; a cell with a comma needs quotes.`);
    return [];
  });
}

function rowsOf(text: string, file: string, at: FilePlace): readonly CsvRow[] {
  try {
    return parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRow[];
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    at.mistake(
      `${file} is not CSV: ${reason.replace(/\.$/, '')}. Write a comma between cells, and quotes around text with a comma.`,
    );
    return [];
  }
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
