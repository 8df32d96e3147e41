/** Tables as CSV for spreadsheets. */

/** Numbers and booleans are ours; text is untrusted. */
export type CsvCell = string | number | boolean | null;

/** BOM: spreadsheets take the file for UTF-8. */
const BOM = '\uFEFF';

/** Text that spreadsheets evaluate, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** CSV (RFC 4180) that is safe in spreadsheets: UTF-8 with BOM, CRLF, no cell that is a formula. */
export function csv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [header.map(written).join(',')];
  for (const row of rows) lines.push(row.map(written).join(','));
  return `${BOM}${lines.join('\r\n')}\r\n`;
}

function written(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // Spreadsheets themselves mark such text by an apostrophe.
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
