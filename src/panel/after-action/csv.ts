/** Tables as CSV (RFC 4180) that spreadsheet programs open without harm: UTF-8 with its mark, CRLF, no cell that is a formula. */

/** Numbers and truth values are ours; a text may be anybody's, a worker's name as well as a reason. */
export type Cell = string | number | boolean | null;

/** The mark by which spreadsheet programs know UTF-8. */
const BOM = '\uFEFF';

/** What makes a formula of a text, in the wide forms of East Asian keyboards too. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export function csv(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [header.map(written).join(',')];
  for (const row of rows) lines.push(row.map(written).join(','));
  return `${BOM}${lines.join('\r\n')}\r\n`;
}

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // An apostrophe is what these programs themselves put before a text that only looks like a formula.
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
