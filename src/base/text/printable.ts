/** Escapes untrusted text for one line of output: control characters become visible, and none reaches a terminal. */

/**
 * Control characters (including line ends and escape sequences), lone surrogates, and the invisible characters that
 * change the direction of a line or break it.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;
const EACH = new RegExp(UNPRINTABLE.source, 'gu');
const EACH_BUT_LINES = new RegExp(`(?![\\n\\t])${UNPRINTABLE.source}`, 'gu');

/** True if `printable` would change nothing. */
export const isPrintable = (text: string): boolean => !UNPRINTABLE.test(text);

/**
 * Returns one line: each unprintable character is written as `\u001b`, which is also a JSON escape, so JSON keeps its
 * meaning.
 */
export const printable = (text: string): string => (isPrintable(text) ? text : text.replace(EACH, escaped));

/** Like `printable`, for a text of this program with several lines: line ends and tabs stay. */
export const printableLines = (text: string): string =>
  isPrintable(text) ? text : text.replace(EACH_BUT_LINES, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Quotes a word of a printed command for a shell. A character that cannot be printed becomes `?` outside of the quotes,
 * which a shell matches with the one character of the name of a file; the command itself has neither the character nor
 * its escape. [cli, Arguments]
 */
export function shellWord(word: string): string {
  if (/^[\w./@%+=:,-]+$/.test(word)) return word;
  const quoted = (part: string) => (part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`);
  return word === '' ? "''" : word.split(EACH).map(quoted).join('?');
}
