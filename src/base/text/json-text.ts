/** Parses JSON of a user's file, and says where and why a text is not JSON. The messages never quote the text, which may have secrets. */

/** The value, or the reason as the end of a sentence about the file: "is not JSON: at line 3, column 5, a comma is missing". */
type JsonReading = { readonly value: unknown } | { readonly why: string };

export function readJson(text: string): JsonReading {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const [at, why] = syntaxMistake(text) ?? [text.length, (error as Error).name];
    const before = text.slice(0, at).split(/\r\n|\n|\r/);
    return { why: `is not JSON: at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}, ${why}` };
  }
}

/** What may follow: a value, a key, or the end of the innermost object or list (`first`: it is still empty). */
type NextToken = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'comma' | 'end';

const BLANKS = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /(?:true|false|null)(?!\w)/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** The first mistake: its offset and its description. Iterative, because a text may nest deeply. */
function syntaxMistake(text: string): readonly [number, string] | null {
  const open: string[] = [];
  let expected: NextToken = 'value';
  for (let at = endOf(BLANKS, text, 0); ; at = endOf(BLANKS, text, at)) {
    const character = text[at];
    if (character === undefined) return expected === 'end' ? null : [at, atTheEnd(open.at(-1))];
    const isClosing: boolean = open.length > 0 && character === CLOSING[open.at(-1) ?? ''];
    if (isClosing && (expected === 'comma' || expected.startsWith('first'))) {
      open.pop();
      expected = open.length === 0 ? 'end' : 'comma';
      at += 1;
      continue;
    }
    const next: readonly [number, NextToken] | string = step(text, at, expected, open);
    if (typeof next === 'string') return [at, next];
    [at, expected] = next;
  }
}

/** Reads one token; returns the offset after it and what may follow, or the description of the mistake. */
function step(text: string, at: number, expected: NextToken, open: string[]): readonly [number, NextToken] | string {
  const character = text[at] as string;
  const [innermost] = open.slice(-1);
  if (character === '/' || character === '#') return 'a comment begins, and JSON has none. Delete it';
  switch (expected) {
    case 'end':
      return 'text follows the end. Delete it, or write one value only';
    case 'colon':
      return character === ':' ? [at + 1, 'value'] : 'a colon after the key is missing';
    case 'comma':
      if (character === ',') return [at + 1, innermost === '{' ? 'key' : 'value'];
      return `a comma or ${CLOSING[innermost ?? '']} is missing`;
    case 'key':
    case 'first-key':
      if (character === '"') return stringAt(text, at, 'colon');
      if (character === '}') return 'a } follows a comma. Delete the comma';
      return character === ',' ? 'a comma is too many' : 'a key in double quotes is missing';
    case 'value':
    case 'first-item': {
      if (character === '{' || character === '[') {
        open.push(character);
        return [at + 1, character === '{' ? 'first-key' : 'first-item'];
      }
      const after: NextToken = open.length === 0 ? 'end' : 'comma';
      if (character === '"') return stringAt(text, at, after);
      const end = Math.max(endOf(NUMBER, text, at), endOf(WORD, text, at));
      if (end > at) return [end, after];
      if (character === ']' && innermost === '[') return 'a ] follows a comma. Delete the comma';
      if (character === ',' || character === '}' || character === ']') return 'a value is missing';
      if (/[-+.\d]/.test(character)) return 'a number is not in the form of JSON, such as -0.5';
      return 'a value is neither a number, true, false or null, nor a text in double quotes';
    }
  }
}

function stringAt(text: string, at: number, after: NextToken): readonly [number, NextToken] | string {
  const end = endOf(STRING, text, at);
  if (end > at) return [end, after];
  return 'a text in quotes does not end on its line, or has an escape that JSON does not have';
}

const atTheEnd = (innermost: string | undefined): string =>
  innermost === undefined ? 'a value is missing' : `the file ends, and a ${innermost} is not closed`;

/** The offset after what the pattern matches at the offset; the offset itself if it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
