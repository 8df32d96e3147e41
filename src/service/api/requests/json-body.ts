/** Parses a JSON body strictly: UTF-8 only, no duplicate keys. [decisions 2] */
import type { IncomingMessage } from 'node:http';
import type { LeniencyName } from '../../../contract/leniencies.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';

/** Maximum nesting, so that code that walks a value may recurse. No body of the API nests deeper than ten levels. */
export const DEEPEST = 64;

/**
 * The non-standard input of a JSON body and its headers [decisions 1]. A strict sandbox refuses a byte order mark here,
 * and a charset before it reads the body.
 */
export function bodyLeniencies({ headers }: IncomingMessage, bytes: Buffer, strict: boolean): LeniencyName[] {
  const hasMark = bytes.subarray(0, MARK.length).equals(MARK);
  if (strict && hasMark)
    throw new ProblemAnswer(
      'malformed_json',
      'The body begins with a byte order mark, which production may refuse: write UTF-8 without it.',
    );
  return [
    ...(hasForeignCharset(headers) ? (['body-charset'] as const) : []),
    ...(hasMark ? (['body-mark'] as const) : []),
  ];
}

/** True if the Content-Type names a charset other than UTF-8. */
export function hasForeignCharset(headers: IncomingMessage['headers']): boolean {
  const [, named] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  return named !== undefined && !/^"?utf-?8"?$/i.test(named);
}

const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i;

const MARK = Buffer.from('\uFEFF');

/** Returns undefined for an empty body. The route decides whether a body is required. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new ProblemAnswer('malformed_json', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProblemAnswer('malformed_json', `The body is not JSON: ${withoutSnippet((error as Error).message)}.`);
  }
  const wrong = wrongKey(text);
  if (wrong !== null) throw new ProblemAnswer('malformed_json', wrong);
  return value;
}

/** Removes the quotation of the body from V8's message. */
const withoutSnippet = (message: string): string => message.replace(/,? (?:\.\.\.)?"[\s\S]*is not valid JSON$/, '');

/**
 * Finds a duplicate key in one object, because JSON.parse would silently use the last one. Also finds `__proto__`, even
 * with escapes. The text is valid JSON, so a string before a colon is a key.
 */
function wrongKey(text: string): string | null {
  const open: Set<string>[] = [];
  for (let place = 0; place < text.length; place++) {
    const character = text[place];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, place);
      if (isKey(text, end)) {
        const key = JSON.parse(text.slice(place, end + 1)) as string;
        const keys = open.at(-1) as Set<string>;
        if (key === '__proto__') return 'The body has a key named __proto__.';
        if (keys.has(key)) return `The key ${JSON.stringify(key.slice(0, 40))} is repeated in one object.`;
        keys.add(key);
      }
      place = end;
    }
  }
  return null;
}

/** True if lists and objects nest deeper than `DEEPEST`; iterative. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

function endOfString(text: string, begin: number): number {
  let place = begin + 1;
  while (text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place;
}

function isKey(text: string, endOfString: number): boolean {
  let place = endOfString + 1;
  while (' \t\n\r'.includes(text[place] ?? '.')) place += 1;
  return text[place] === ':';
}
