/** Parses the text of one YAML document with limits on nesting and errors, so that the cost depends only on its length. Translates the errors of the parser into plain sentences. */
import { Composer, CST, type Document, Lexer, type LineCounter, Parser, type YAMLParseError } from 'yaml';
import { MOST_COLLECTED } from './mistakes.ts';

/** The most levels of nesting of a file, since parser and readers recurse for each level. */
export const DEEPEST_YAML = 256;

/** Tokens of YAML features that these files must not use. */
export type ForeignType = 'anchor' | 'alias' | 'tag' | 'directive';

interface ForeignToken {
  readonly type: ForeignType;
  readonly offset: number;
  readonly source: string;
}

interface ParsedYaml {
  /** Null if there are too many errors to continue. */
  readonly document: Document.Parsed | null;
  readonly errors: readonly ParseError[];
  readonly foreign: readonly ForeignToken[];
  readonly isTooDeep: boolean;
}

/** An error of the parser, with the range of text that it concerns. */
type ParseError = Pick<YAMLParseError, 'code' | 'message' | 'pos'>;

const FOREIGN: Readonly<Record<string, ForeignType>> = {
  anchor: 'anchor',
  alias: 'alias',
  tag: 'tag',
  'directive-line': 'directive',
};

/** The lexer announces a plain or block scalar by this sign; the next lexeme is the text of the scalar. */
const SCALAR_FOLLOWS = '\u001f';

/** Signs of the lexer that are not part of the text: document mode, end of flow by error, and `SCALAR_FOLLOWS`. */
const SIGNS: readonly string[] = ['\u0002', '\u0018', SCALAR_FOLLOWS];

/**
 * Parses the first document of the text. Never throws for a wrong text, except a RangeError if the stack is exhausted.
 */
export function parseYaml(text: string, lines: LineCounter): ParsedYaml {
  const tokens = new BoundedTokens(text, lines);
  const composer = new BoundedComposer();
  let document: Document.Parsed | null = null;
  let secondAt: readonly [number, number] | null = null;
  try {
    for (const one of composer.compose(tokens.all(), true, text.length)) {
      if (document === null) document = one;
      else {
        secondAt = [one.range[0], one.range[1]];
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
    document = null;
  }
  const second: ParseError[] =
    secondAt === null ? [] : [{ code: 'MULTIPLE_DOCS', message: 'A second document', pos: [secondAt[0], secondAt[1]] }];
  const errors = [...(document?.errors ?? composer.found), ...second];
  return { document, errors, foreign: tokens.foreign, isTooDeep: tokens.isTooDeep };
}

/**
 * The tokens of the text. Ends early if the nesting is too deep, or if there are too many errors and foreign tokens.
 */
class BoundedTokens {
  readonly foreign: ForeignToken[] = [];
  isTooDeep = false;
  readonly #text: string;
  readonly #lines: LineCounter;

  constructor(text: string, lines: LineCounter) {
    this.#text = text;
    this.#lines = lines;
  }

  *all(): Generator<CST.Token, void> {
    const parser = new Parser(this.#lines.addNewLine);
    this.#lines.addNewLine(0);
    let isScalar = false;
    let offset = 0;
    let errors = 0;
    for (const lexeme of new Lexer().lex(this.#text)) {
      const type = isScalar ? undefined : FOREIGN[CST.tokenType(lexeme) ?? ''];
      if (type !== undefined) this.foreign.push({ type, offset, source: lexeme });
      if (isScalar || !SIGNS.includes(lexeme)) offset += lexeme.length;
      isScalar = !isScalar && lexeme === SCALAR_FOLLOWS;
      for (const token of parser.next(lexeme)) {
        if (token.type === 'error') errors++;
        yield token;
      }
      this.isTooDeep = parser.stack.length > DEEPEST_YAML;
      if (this.isTooDeep || errors + this.foreign.length >= MOST_COLLECTED) return;
    }
    yield* parser.end();
  }
}

class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors';
}

/** A composer that stops after many errors: a text such as 1 MiB of commas has an error at each character. */
class BoundedComposer extends Composer {
  readonly found: ParseError[] = [];

  constructor() {
    super({ uniqueKeys: false, version: '1.2' });
    // The package has no limit of its own. It reports each error through this field, which its types do not declare.
    const report: unknown = Reflect.get(this, 'onError');
    if (typeof report !== 'function') return;
    Reflect.set(this, 'onError', (at: unknown, code: ParseError['code'], message: string, isWarning?: boolean) => {
      report(at, code, message, isWarning);
      this.found.push({ code, message, pos: rangeOf(at) });
      if (this.found.length >= MOST_COLLECTED) throw new TooManyErrors(message);
    });
  }
}

/** A range as the composer reports it: an offset, a pair of offsets, or a token. */
function rangeOf(at: unknown): [number, number] {
  if (typeof at === 'number') return [at, at + 1];
  if (Array.isArray(at)) return at.length === 1 ? [at[0], at[0] + 1] : [at[0], at[1]];
  const { offset, source } = at as { readonly offset: number; readonly source?: unknown };
  return [offset, offset + (typeof source === 'string' ? source.length : 1)];
}

/** The sentence for an error of the `yaml` package, from its code, its message, and the text that it concerns. */
export function syntaxSentence(code: string, words: string, text: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'A tab cannot indent. Write spaces.';
    case 'MULTIPLE_DOCS':
      return 'A file is one document. Delete this line and what follows, or put it into a file of its own.';
    case 'BAD_SCALAR_START':
      return `A text cannot begin with ${text.slice(0, 1)} unless it is in quotes. Put it in quotes.`;
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'There is a key inside a value here. Indent the line as its neighbours are, or put the value in quotes.';
    case 'MULTILINE_IMPLICIT_KEY':
      return 'A key is alone on its line. Write a colon after it.';
    case 'BAD_DQ_ESCAPE':
      return `${words.split(' ').at(-1)} is no escape. Write \\\\ for a backslash, or single quotes around the text.`;
    case 'RESOURCE_EXHAUSTION':
      return 'The file is nested too deeply to be read.';
    case 'UNEXPECTED_TOKEN':
      return 'This is not valid here. Check the indentation and the brackets of this line and the line before.';
  }
  return bracketSentence(words) ?? `${words.replace(/\.$/, '')}.`;
}

function bracketSentence(words: string): string | undefined {
  const close = /end with an? ([}\]])/.exec(words)?.[1];
  if (close !== undefined) return `A ${close === '}' ? '{' : '['} is not closed. Write ${close} where it ends.`;
  const quote = /Missing closing (.)quote/.exec(words)?.[1];
  if (quote !== undefined) return `A text in quotes does not end. Write ${quote} where it ends.`;
  if (words.startsWith('Implicit map keys need')) return 'A colon is missing. Write it after the key.';
  if (words.startsWith('All '))
    return 'The indentation of this line differs from its neighbours. Indent it in the same way.';
  return undefined;
}
