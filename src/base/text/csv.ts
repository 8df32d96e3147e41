/** Tables as CSV for spreadsheets. */

/** Numbers and booleans come from this program; text is untrusted. */
export type CsvCell = string | number | boolean | null;

/** With a BOM, spreadsheets recognise the file as UTF-8. */
const BOM = '\uFEFF';

/** Text that spreadsheets evaluate as a formula, including full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** CSV (RFC 4180) that is safe in spreadsheets: UTF-8 with BOM, CRLF, and no cell that is a formula. */
export function csv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [header.map(written).join(',')];
  for (const row of rows) lines.push(row.map(written).join(','));
  return `${BOM}${lines.join('\r\n')}\r\n`;
}

function written(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // Spreadsheets themselves mark text with an apostrophe.
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
