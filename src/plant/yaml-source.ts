/** Reads YAML 1.2 and remembers where each key and value stands. */
import {
  type CST,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { quoted } from '../contract/sentences.ts';
import { inOrder, type Mistake, type Path, type Place, type Report, type Spot, type SuggestedFix } from './mistakes.ts';
import { syntaxSentence } from './yaml-syntax.ts';

/** No story and no plant is as long; it bounds what the reader spends on a wrong file. */
export const MAX_YAML_CHARACTERS = 4 * 1024 * 1024;

/** Anchors, aliases, tags and directives begin with these; where none can begin, the text is not parsed a second time. */
const MAY_BE_FOREIGN = /(?:^|[\s[{,:-])[&*!%]/m;

/** A document that was read, with the places of its parts. */
export interface YamlSource {
  readonly file: string;
  /**
   * Plain maps, lists and scalars. `undefined` as a whole where the text is no YAML,
   * and in the place of a single value that `mistakes` tells of already.
   */
  readonly value: unknown;
  /** Syntax, duplicate keys, and the parts of YAML that our files do without, in the order of the text. */
  readonly mistakes: readonly Mistake[];
  /** Where a key or value stands; for what is missing, the key of what should hold it. */
  placeOf(path: Path, spot?: Spot): Place;
}

type Span = readonly [start: number, end: number];

interface Spans {
  readonly key?: Span | undefined;
  /** Null for what has no word of its own: nothing, or a block that begins on the next line. */
  readonly value: Span | null;
}

/** Reads one document. Never throws for a wrong text: `mistakes` says what is wrong with it. */
export function readYaml(text: string, file: string): YamlSource {
  const source = text.replace(/^\ufeff/, '');
  const reading = new YamlReading(source, file);
  const value = reading.read();
  return { file, value, mistakes: inOrder(reading.mistakes), placeOf: (path, spot) => reading.placeOf(path, spot) };
}

/** A report that turns paths of this document into mistakes, warnings and notes with places. */
export function reportOn(source: YamlSource): Report & Record<'mistakes' | 'warnings' | 'notes', Mistake[]> {
  const mistakes: Mistake[] = [];
  const warnings: Mistake[] = [];
  const notes: Mistake[] = [];
  const placed = (path: Path, message: string, spot?: Spot, fix?: SuggestedFix): Mistake => ({
    file: source.file,
    ...source.placeOf(path, spot),
    message,
    ...(fix === undefined ? {} : { fix }),
  });
  return {
    mistakes,
    warnings,
    notes,
    mistake: (path, message, spot, fix) => mistakes.push(placed(path, message, spot, fix)),
    warning: (path, message, spot) => warnings.push(placed(path, message, spot)),
    note: (path, message, spot) => notes.push(placed(path, message, spot)),
  };
}

class YamlReading {
  readonly mistakes: Mistake[] = [];
  private readonly lines = new LineCounter();
  private readonly spans = new Map<string, Spans>();
  private readonly text: string;
  private readonly file: string;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  read(): unknown {
    if (this.text.length > MAX_YAML_CHARACTERS) {
      this.say([0, 1], `The file is longer than ${MAX_YAML_CHARACTERS} characters. Split it.`);
      return undefined;
    }
    try {
      return this.parse();
    } catch (error) {
      // The parser calls itself for each level, so that a thousand brackets exhaust the stack.
      if (!(error instanceof RangeError)) throw error;
      this.say([0, 1], 'The file is nested too deeply to be read.');
      return undefined;
    }
  }

  placeOf(path: Path, spot: Spot = 'value'): Place {
    for (let depth = path.length; depth > 0; depth--) {
      const spans = this.spans.get(keyOf(path.slice(0, depth)));
      if (spans === undefined) continue;
      const own = depth === path.length && spot === 'value' ? spans.value : null;
      const span = own ?? spans.key ?? spans.value;
      if (span) return this.place(span);
    }
    const [start] = this.spans.get('')?.value ?? [0];
    return this.place([start, start + 1]);
  }

  private parse(): unknown {
    const document = parseDocument(this.text, {
      prettyErrors: false,
      uniqueKeys: false,
      version: '1.2',
      lineCounter: this.lines,
    });
    const foreign = this.sayForeign();
    const errors = document.errors.filter((error) => error.code !== 'TAG_RESOLVE_FAILED');
    const saidOfLine = new Set<number>();
    for (const { code, message, pos } of errors) {
      const place = this.place([pos[0], code === 'MULTIPLE_DOCS' ? pos[0] + 3 : pos[1]]);
      // What follows a first error on its line is mostly its echo.
      if (saidOfLine.has(place.line)) continue;
      saidOfLine.add(place.line);
      this.mistakes.push({
        file: this.file,
        ...place,
        message: syntaxSentence(code, message, this.text.slice(...pos)),
      });
    }
    return errors.length > 0 || foreign.directive ? undefined : this.valueOf(document.contents, [], undefined);
  }

  /** Anchors, aliases, tags and directives: a file without them reads as it stands. */
  private sayForeign(): { directive: boolean } {
    let directive = false;
    if (!MAY_BE_FOREIGN.test(this.text)) return { directive };
    const stack: unknown[] = [...new Parser().parse(this.text)];
    while (stack.length > 0) {
      const token = stack.pop();
      if (typeof token !== 'object' || token === null) continue;
      const { type, offset, source } = token as CST.SourceToken;
      const message = typeof type === 'string' ? foreignSentence(type, source) : undefined;
      if (message !== undefined) this.say([offset, offset + source.length], message);
      directive ||= type === ('directive' as string);
      for (const part of Object.values(token)) {
        if (Array.isArray(part)) for (const one of part) stack.push(one);
        else if (typeof part === 'object') stack.push(part);
      }
    }
    return { directive };
  }

  private valueOf(node: Node | null, path: Path, key: Span | undefined): unknown {
    const [start, end] = node?.range ?? [0, 0];
    const block = (isMap(node) || isSeq(node)) && !node.flow;
    this.spans.set(keyOf(path), { key, value: (block && key) || end === start ? null : [start, end] });
    if (isMap(node)) return this.mapOf(node, path);
    if (isSeq(node)) return node.items.map((item, i) => this.valueOf(item as Node | null, [...path, i], undefined));
    // Its mistake is reported; its value is ignored.
    if (isAlias(node) || node?.tag !== undefined) return undefined;
    return isScalar(node) ? node.value : null;
  }

  private mapOf(map: YAMLMap, path: Path): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    const lineOf = new Map<string, number>();
    for (const pair of map.items) {
      if (!isPair(pair)) continue;
      const keyNode = pair.key as Node | null;
      const [start = 0, end = 0] = keyNode?.range ?? [];
      if (!isScalar(keyNode) || keyNode.value === null) {
        if (!isAlias(keyNode)) this.say([start, end], 'A key is a word. Write the word, then a colon.');
        continue;
      }
      const key = String(keyNode.value);
      const before = lineOf.get(key);
      if (before !== undefined) {
        this.say([start, end], `${quoted(key)} stands twice; it is on line ${before} already. Delete one.`);
        continue;
      }
      lineOf.set(key, this.place([start, end]).line);
      const value = this.valueOf(pair.value as Node | null, [...path, key], [start, end]);
      // Defined, not assigned: `__proto__` is a key like any other here.
      Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return fields;
  }

  private say(span: Span, message: string): void {
    this.mistakes.push({ file: this.file, ...this.place(span), message });
  }

  /** The part of the span on its first line; a span at the end of the text or on a blank line goes back to the last word. */
  private place([from, to]: Span): Place {
    let start = Math.min(from, this.text.length);
    const rest = this.text.slice(start, this.text.indexOf('\n', start) + 1 || undefined);
    if (rest.trim() === '') start = Math.max(0, this.text.slice(0, start).trimEnd().length - 1);
    const { line, col } = this.linePos(start);
    const lineEnd = this.text.indexOf('\n', start);
    const shown = this.text.slice(start, Math.max(start + 1, Math.min(to, lineEnd < 0 ? this.text.length : lineEnd)));
    return { line, column: col, length: Math.max(1, shown.trimEnd().length) };
  }

  private linePos(offset: number): { line: number; col: number } {
    const { line, col } = this.lines.linePos(offset);
    return line === 0 ? { line: 1, col: offset + 1 } : { line, col };
  }
}

function keyOf(path: Path): string {
  return path.length === 0 ? '' : JSON.stringify(path.map(String));
}

function foreignSentence(type: string, source: string): string | undefined {
  switch (type) {
    case 'anchor':
      return `${source} is an anchor, and these files have none. Delete it and write the value out where it is used.`;
    case 'alias':
      return `${source} is an alias, and these files have none. Write the value out.`;
    case 'tag':
      return `${source} is a tag, and these files have none. Delete it; put a text that looks like a number in quotes.`;
    case 'directive':
      return `${source.trim()} is a directive, and these files have none. Delete the line.`;
    default:
      return undefined;
  }
}
