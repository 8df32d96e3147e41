/** Fixes a YAML text at the position of a mistake. All other text, comments and layout stay. */
import { isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { editDistance } from '../contract/sentences.ts';
import type { SourcePlace, SuggestedFix } from './mistakes.ts';
import { textOfKey } from './yaml-source.ts';

/** The text after the fix; null if the fix is not certain. */
export function mended(text: string, place: SourcePlace, fix: SuggestedFix): string | null {
  const start = offsetOf(text, place);
  if (start === null) return null;
  if (fix.kind === 'beside') return movedBeside(text, start);
  const word = text.slice(start, start + place.length);
  const at = word.indexOf(fix.from);
  if (at < 0 || word.indexOf(fix.from, at + 1) >= 0) return null;
  return spliced(text, start + at, start + at + fix.from.length, fix.to);
}

const MEANT = / Did you mean (?:"([^"]+)"|\$([\w-]+))\?$/;

/**
 * The certain fix of a spelling mistake: one letter differs from the only near word. It is parsed from the sentence, so
 * that every message of `didYouMean` has it.
 */
export function wordFix(message: string): SuggestedFix | undefined {
  const [hint, text, name] = MEANT.exec(message) ?? [];
  const to = text ?? name;
  if (hint === undefined || to === undefined) return undefined;
  const before = message.slice(0, -hint.length);
  const words = name === undefined ? [...before.matchAll(/"([^"]+)"/g)] : [...before.matchAll(/\$([\w-]+)/g)];
  const from = words.map(([, word]) => word ?? '').find((word) => editDistance(word, to) === 1);
  return from === undefined ? undefined : { kind: 'word', from, to };
}

/** The lines of `after` that differ from `before`, without the equal lines at both ends. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return now.slice(head, now.length - tail);
}

function offsetOf(text: string, { line, column }: SourcePlace): number | null {
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return null;
    start = end + 1;
  }
  return start + column - 1;
}

const spliced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

interface Nested {
  /** The map that contains the key. */
  readonly map: YAMLMap;
  readonly index: number;
  /** The outer map, and its pair whose value is `map`. */
  readonly outer: YAMLMap;
  readonly holder: Pair;
}

/** Moves the key at this offset out of its braces, next to the key that has the braces. */
function movedBeside(text: string, at: number): string | null {
  const shift = text.startsWith('\ufeff') ? 1 : 0;
  const document = parseDocument(text.slice(shift), { prettyErrors: false, uniqueKeys: false, version: '1.2' });
  const found = document.errors.length > 0 ? null : findKey(document.contents as Node | null, at - shift, null);
  if (found === null || found.map.items.length < 2) return null;
  const { map, index, outer, holder } = found;
  const pair = map.items[index] as Pair;
  const key = pair.key as Node;
  if (outer.items.some((one) => isScalar(one.key) && isScalar(key) && textOfKey(one.key) === textOfKey(key)))
    return null;
  const [keyStart, valueEnd] = [startOf(key) + shift, (endOf(pair.value) ?? endOf(key) ?? 0) + shift];
  const entryText = text.slice(keyStart, valueEnd);
  if (entryText.includes('\n')) return null;
  const end = (endOf(map) ?? 0) + shift;
  const without = map.flow ? outOfFlow(text, map, index, shift) : outOfBlock(text, keyStart, valueEnd);
  if (without === null) return null;
  const before = map.items[index - 1] as Pair | undefined;
  const isLast = !map.flow && index === map.items.length - 1 && before !== undefined;
  const anchor = isLast ? (endOf(before.value ?? before.key) ?? 0) + shift : end - without.removed;
  if (outer.flow) return spliced(without.text, anchor, anchor, `, ${entryText}`);
  const column = columnOf(text, startOf(holder.key as Node) + shift);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const trimmed = without.text.slice(0, anchor).trimEnd().length;
  const lineEnd = endOfLine(without.text, trimmed);
  return spliced(without.text, lineEnd, lineEnd, `${newline}${' '.repeat(column)}${without.line ?? entryText}`);
}

function findKey(node: Node | null, at: number, around: { outer: YAMLMap; holder: Pair } | null): Nested | null {
  if (isSeq(node)) {
    for (const item of node.items) {
      const found = findKey(item as Node | null, at, null);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isMap(node)) return null;
  for (const [index, pair] of node.items.entries()) {
    if (!isPair(pair)) continue;
    if (around !== null && startOf(pair.key as Node) === at) return { map: node, index, ...around };
    const found = findKey(pair.value as Node | null, at, { outer: node, holder: pair });
    if (found !== null) return found;
  }
  return null;
}

interface Without {
  readonly text: string;
  /** The number of characters removed before the end of the map. */
  readonly removed: number;
  /** The whole removed line, with its comment. */
  readonly line?: string;
}

/** `{alert: sos, within: 5s}` without one of its keys and without the comma that is no longer needed. */
function outOfFlow(text: string, map: YAMLMap, index: number, shift: number): Without | null {
  const pair = map.items[index] as Pair;
  const before = map.items[index - 1] as Pair | undefined;
  const after = map.items[index + 1] as Pair | undefined;
  const from = before === undefined ? startOf(pair.key as Node) : endOf(before.value ?? before.key);
  const to = before === undefined ? startOf(after?.key as Node) : endOf(pair.value ?? pair.key);
  if (from === null || to === null) return null;
  const gone = text.slice(from + shift, to + shift);
  // A comment in the removed text would be lost.
  if (gone.includes('#')) return null;
  return { text: spliced(text, from + shift, to + shift, ''), removed: gone.length };
}

function outOfBlock(text: string, keyStart: number, valueEnd: number): Without | null {
  const from = text.lastIndexOf('\n', keyStart - 1) + 1;
  // A key that shares its line with another one, as in `- expect: ` followed by its map, cannot be removed.
  if (text.slice(from, keyStart).trim() !== '') return null;
  const lineEnd = endOfLine(text, valueEnd);
  const to = Math.min(text.length, text[lineEnd] === '\r' ? lineEnd + 2 : lineEnd + 1);
  // If the last line has no newline, the newline of the line before is removed with it.
  const first = lineEnd === text.length ? text.slice(0, from).trimEnd().length : from;
  return { text: spliced(text, first, to, ''), removed: to - first, line: text.slice(keyStart, lineEnd).trimEnd() };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

const startOf = (node: Node): number => node.range?.[0] ?? 0;

function endOf(node: unknown): number | null {
  return (node as Node | null)?.range?.[1] ?? null;
}
