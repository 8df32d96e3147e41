/** Text in cells of a terminal: removes what must not be written, and measures and cuts text. */
import stringWidth from 'string-width';

/**
 * Characters that occupy one cell in every terminal: ASCII, Latin letters, and the signs, lines, blocks and dots that
 * the frames use.
 */
const NARROW =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2200-\u22ff\u2500-\u25fc\u2715\u2738\u271a\u275a\u2800-\u28ff]*$/;
/**
 * Escape sequences, and invisible characters: directions, fillers, tags. Joiners and variation selectors are excluded,
 * because they belong to letters and emoji.
 */
const INVISIBLE = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** A combining mark at the start would join the character before the text. */
const LEADING_MARKS = /^(?:\p{M}|\u200c|\u200d)+/u;
/** More marks than any script puts on one letter. */
const MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Makes external text safe to write: it has no escape sequence, and nothing that shifts or reverses the rest of the
 * line.
 */
export function clean(text: string): string {
  if (NARROW.test(text)) return text;
  return text.normalize('NFC').replace(INVISIBLE, '').replace(LEADING_MARKS, '').replace(MANY_MARKS, '$1');
}

/** Number of cells that the text occupies. */
export const cellsOf = (text: string): number => (NARROW.test(text) ? text.length : stringWidth(text));

/** Splits a text into user-perceived characters; cutting within one of them would change it. */
export const charactersOf = (text: string): string[] =>
  NARROW.test(text) ? text.split('') : [...segmenter.segment(text)].map(({ segment }) => segment);

/** Returns the longest beginning that occupies at most `width` cells. */
function beginning(characters: readonly string[], width: number): string {
  let [text, taken] = ['', 0];
  for (const character of characters) {
    taken += cellsOf(character);
    if (taken > width) break;
    text += character;
  }
  return text;
}

/** Cuts the text to at most `width` cells; `dots` mark the cut. */
export function cut(text: string, width: number, dots = '…'): string {
  if (cellsOf(text) <= width) return text;
  const characters = charactersOf(text);
  const dotted = cellsOf(dots);
  return width <= dotted
    ? beginning(characters, Math.max(0, width))
    : `${beginning(characters, width - dotted).trimEnd()}${dots}`;
}

/** Cuts the text in the middle to at most `width` cells: ids may differ at either end. */
export function cutMiddle(text: string, width: number, dots = '…'): string {
  if (cellsOf(text) <= width) return text;
  const room = width - cellsOf(dots);
  if (room < 2) return cut(text, width, '');
  const characters = charactersOf(text);
  const tail = beginning(characters.toReversed(), Math.ceil(room / 2));
  const end = charactersOf(tail).length;
  return `${beginning(characters, Math.floor(room / 2))}${dots}${characters.slice(characters.length - end).join('')}`;
}

/**
 * Converts to ASCII: letters lose their accents; braille and blocks stay, because `--map` requests them; any other
 * character becomes one `?` per cell.
 */
export function inAscii(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : charactersOf(text).map(plainCharacter).join('');
}

function plainCharacter(character: string): string {
  const [letter = '?'] = character.normalize('NFD');
  if (letter <= '~') return letter;
  return /[\u2580-\u259f\u2800-\u28ff]/.test(character) ? character : '?'.repeat(Math.max(1, cellsOf(character)));
}

/** Replaces a wide character by one `?` per cell. */
export const narrowed = (text: string): string =>
  NARROW.test(text)
    ? text
    : charactersOf(text)
        .map((character) => (cellsOf(character) === 1 ? character : '?'.repeat(cellsOf(character))))
        .join('');
