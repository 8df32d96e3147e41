/**
 * Fits help texts to the width of a terminal: fills paragraphs, and moves comments behind examples to the line below.
 */

/** Indentation of a comment that moved below its example. */
const BELOW = 6;

/** Fits the text to the terminal of stdout, if stdout is a terminal. */
export const fittedToTerminal = (text: string): string =>
  process.stdout.isTTY === true ? fitted(text, process.stdout.columns) : text;

/** Returns a block unchanged if each of its lines fits. */
export function fitted(text: string, columns: number): string {
  const blocks: string[][] = [];
  for (const line of text.split('\n')) {
    const before = blocks.at(-1);
    const goesOn =
      before !== undefined && ((isProse(line) && isProse(before[0] ?? '')) || isContinued(before[0] ?? '', line));
    if (goesOn) before.push(line);
    else blocks.push([line]);
  }
  return blocks
    .flatMap((lines) => (lines.every((line) => line.length <= columns) ? lines : refilled(lines, columns)))
    .join('\n');
}

/** Splits a line with two columns: the first column with the spaces after it, and the second column. */
const columnsOf = (line: string): readonly string[] => /^(\s*\S.*?\s{2,})(\S.*)$/.exec(line)?.slice(1) ?? [];

/** True if the line continues the second column of the line above. */
const isContinued = (above: string, line: string): boolean =>
  /^\s+\S/.test(line) && columnsOf(above)[0]?.length === indentOf(line).length;

/** True if the line is neither empty nor indented like an example. */
const isProse = (line: string): boolean => /^\S/.test(line);

function refilled(lines: readonly string[], columns: number): string[] {
  const [line = ''] = lines;
  if (isProse(line)) return filled('', lines.join(' '), columns, 0);
  const [first = '', start = ''] = columnsOf(line);
  const rest = [start, ...lines.slice(1).map((one) => one.trim())].join(' ').trim();
  // A command stays on one line, so that it can be copied.
  if (rest === '') return isCommand(line) ? [line] : filled(indentOf(line), line.trim(), columns, BELOW);
  if (first.length <= columns / 2) return filled(first, rest, columns, first.length);
  const example = isCommand(first) ? [first.trimEnd()] : filled(indentOf(first), first.trim(), columns, BELOW);
  return [...example, ...filled(' '.repeat(BELOW), rest, columns, BELOW)];
}

const isCommand = (line: string): boolean => /^\s+(sandbox|npx|node|eval) /.test(line);
const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';

/**
 * Breaks the words into lines of at most `columns`, the first behind `start`. Lines after the first are indented by `hanging`.
 * A longer word has a line of its own.
 */
export function filled(start: string, text: string, columns: number, hanging: number): string[] {
  const lines: string[] = [];
  let line = start;
  let isFresh = true;
  for (const word of text.split(/ +/)) {
    if (!isFresh && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = ' '.repeat(hanging);
      isFresh = true;
    }
    line += isFresh ? word : ` ${word}`;
    isFresh = false;
  }
  return [...lines, line];
}
