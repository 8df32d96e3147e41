/** Unified diff of two texts, in the format of `diff -u`, git and `patch`. */

/** Number of context lines. */
const CONTEXT = 3;

/** Above this number of changed lines the diff is one block, because the comparison is quadratic. */
const MOST_COMPARED = 2_000;

type DiffLine = readonly [sign: ' ' | '-' | '+', text: string];

/** Returns an empty text for equal texts. There is no trailing newline; line ends are normalised for the terminal. */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return '';
  const lines = compared(linesOf(before), linesOf(after));
  return [`--- ${file}`, `+++ ${file}`, ...hunksOf(lines)].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns all lines of both texts, marked as kept, removed or added. */
function compared(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle = changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => [' ', text]);
  return [...same(before.slice(0, head)), ...middle, ...same(before.slice(before.length - tail))];
}

/** Compares with the longest common subsequence. */
function changed(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ['-', text]);
  const added = after.map((text): DiffLine => ['+', text]);
  if (before.length > MOST_COMPARED || after.length > MOST_COMPARED) return [...removed, ...added];
  const longest = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      longest[i]![j] =
        before[i] === after[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push([' ', before[i]!]);
      i++;
      j++;
    } else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) lines.push(removed[i++]!);
    else lines.push(added[j++]!);
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}

function hunksOf(lines: readonly DiffLine[]): string[] {
  const places = lines.flatMap(([sign], i) => (sign === ' ' ? [] : [i]));
  const hunks: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = hunks.at(-1);
    if (last !== undefined && place - CONTEXT <= last.to) last.to = place + CONTEXT + 1;
    else hunks.push({ from: Math.max(0, place - CONTEXT), to: place + CONTEXT + 1 });
  }
  return hunks.flatMap(({ from, to }) => {
    const shown = lines.slice(from, to);
    const [old, now] = ['-', '+'].map((sign) => {
      const count = (part: readonly DiffLine[]) => part.filter(([one]) => one === ' ' || one === sign).length;
      return `${sign}${count(lines.slice(0, from)) + 1},${count(shown)}`;
    });
    return [`@@ ${old} ${now} @@`, ...shown.map(([sign, text]) => sign + text)];
  });
}
