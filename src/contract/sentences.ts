/** Wording of errors: pointers, lists, quotes, suggestions. */

/** The most characters of an unknown key in a pointer, to limit the size of the reply. */
const MAX_KEY_LENGTH = 100;

/** The JSON pointer of a key (RFC 6901), always well-formed Unicode. */
export function pointerTo(at: string, key: string): string {
  const short = key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key;
  return `${at}/${short
    .replace(/\p{Cs}/gu, '\ufffd')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')}`;
}

/** Removes bracketed citations, which are for maintainers. */
export const withoutCitations = (text: string): string =>
  text.replace(/\s*\[(?:spec|decisions|watch-protocol|cli|design)\b[^\]]*\]/g, '');

/** The most characters of a quotation, since a word of a file may be as long as the file. */
const LONGEST_QUOTED = 200;

export function quoted(word: unknown): string {
  const text = typeof word === 'string' && word.length > LONGEST_QUOTED ? `${word.slice(0, LONGEST_QUOTED)}…` : word;
  const json = JSON.stringify(text) ?? String(text);
  return json.length > 2 * LONGEST_QUOTED && typeof text !== 'string' ? `${json.slice(0, LONGEST_QUOTED)}…` : json;
}

/** `a`, `a or b`, `a, b or c`. */
export function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** `1 item`, `2 items`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * The key for a word of the command line: `start-muster` gives `start_muster`. Any other word is returned unchanged.
 */
export function underscored(word: string, known: object): string {
  const key = word.replaceAll('-', '_');
  return Object.hasOwn(known, key) ? key : word;
}

/**
 * The known word nearest to a misspelt one, or the only one of which it is a part, as `fall` of `fall_detected`;
 * undefined if there is none.
 */
export function closest(wrong: string, known: readonly string[]): string | undefined {
  const near = nearest(wrong, known);
  if (near.length > 0) return near[0];
  const whole = wholes(wrong, known);
  return whole.length === 1 ? whole[0] : undefined;
}

/** All known words with the least distance, or else those of which it is a part, in order; empty if there are none. */
export function allClosest(wrong: string, known: readonly string[]): readonly string[] {
  const near = nearest(wrong, known);
  return near.length > 0 ? near : wholes(wrong, known);
}

/** The known words that have all parts of this one. */
function wholes(part: string, known: readonly string[]): readonly string[] {
  const parts = partsOf(part);
  if (parts.length === 0 || part.length > MOST_LETTERS) return [];
  return [...new Set(known.slice(0, MOST_COMPARED))].filter((word) => {
    const own = partsOf(word);
    return parts.every((one) => own.includes(one));
  });
}

const partsOf = (word: string): string[] => word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** ` Did you mean "dock"?`, with a leading space; empty if no known word is near. */
export function didYouMean(wrong: string, known: readonly string[]): string {
  const meant = closest(wrong, known);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/**
 * The most known words that are compared. A file may have tens of thousands of names, and equally many misspelt ones.
 */
const MOST_COMPARED = 500;

/** A longer key is not a typing error, and the cost of the distance grows with the length. */
const MOST_LETTERS = 40;

/** All known words with the least distance, in order; empty if none is near. */
function nearest(wrong: string, known: readonly string[]): readonly string[] {
  if (wrong.length > MOST_LETTERS) return [];
  const plain = bare(wrong);
  let found: string[] = [];
  let least = Math.max(1, Math.floor(plain.length / 3));
  for (const word of new Set(known.slice(0, MOST_COMPARED))) {
    const other = bare(word);
    // Each difference in length costs one edit.
    if (Math.abs(other.length - plain.length) > least) continue;
    const distance = editDistance(plain, other);
    if (distance < least) [found, least] = [[word], distance];
    else if (distance === least) found.push(word);
  }
  return found;
}

/** Normalises a word: `eventTypes`, `event-types` and `event_types` become equal. */
function bare(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Damerau-Levenshtein distance: a transposition counts once. */
export function editDistance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const plain = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + changed);
      next.push(swapped ? Math.min(plain, before[j - 2]! + 1) : plain);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
