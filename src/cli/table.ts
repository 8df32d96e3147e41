/** Aligned columns of text. */

/** Aligns columns, with two spaces between them. The last column is not padded. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    });
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

const widthOf = (text: string): number => [...text].length;

/** Cuts a row on a terminal, so that it stays on one line. */
export function clipped(line: string): string {
  const { isTTY, columns } = process.stdout;
  return isTTY === true && widthOf(line) > columns ? `${[...line].slice(0, columns - 1).join('')}…` : line;
}
