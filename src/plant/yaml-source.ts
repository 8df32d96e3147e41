/** Reads YAML 1.2 and keeps the position of each key and value. */
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, type Scalar, type YAMLMap } from 'yaml';
import { isAscii, nameForm, withOneSpelling } from '../base/text/same-name.ts';
import { FILE_LIMITS } from '../base/user-files.ts';
import { quoted } from '../contract/sentences.ts';
import {
  collected,
  inOrder,
  type Mistake,
  type Path,
  type Report,
  type SourcePlace,
  type Spot,
  type SuggestedFix,
  TooManyMistakes,
} from './mistakes.ts';
import { DEEPEST_YAML, type ForeignType, parseYaml, syntaxSentence } from './yaml-document.ts';

/** The limit for texts that do not come from a file. [decisions 9] */
export const MAX_YAML_CHARACTERS = FILE_LIMITS.document;

/** A parsed document, with the positions of its parts. */
export interface YamlSource {
  readonly file: string;
  /**
   * Plain maps, lists and scalars. The whole value is `undefined` if the text is not YAML. A single value is
   * `undefined` if `mistakes` already contains its mistake.
   */
  readonly value: unknown;
  /** Syntax errors, duplicate keys, and YAML features that these files must not use, in the order of the text. */
  readonly mistakes: readonly Mistake[];
  /** The position of a key or value. For a missing one, the position of the key that should contain it. */
  placeOf(path: Path, spot?: Spot): SourcePlace;
  /** The line of `placeOf`, at a lower cost. */
  lineOf(path: Path): number;
  /** The text of a scalar as it is written, with its quotes; undefined for a map, a list or an absent value. */
  textOf(path: Path): string | undefined;
}

type Span = readonly [start: number, end: number];

/** The spans of a key and its value, and of the nodes below it, as a tree. */
interface SpanNode {
  readonly key: Span | undefined;
  /** Null for a value without a text of its own: an absent value, or a block that begins on the next line. */
  readonly value: Span | null;
  /** A map by the forms of its keys, or a list. */
  readonly below: ReadonlyMap<string, SpanNode> | readonly SpanNode[] | null;
}

interface ReadDocument {
  readonly text: string;
  readonly source: YamlSource;
}

/** A scenario, the parts that it uses and its file of cases. */
const MOST_RECENT = 8;

/**
 * The documents that were read last, the newest first, until their memory is reclaimed. A run reads its files to plan, to
 * print its commands and to run. Parsing a file of the largest size takes a second each time.
 */
let recent: readonly WeakRef<ReadDocument>[] = [];

/** Reads one document. Never throws for a wrong text: `mistakes` contains what is wrong. */
export function readYaml(text: string, file: string): YamlSource {
  for (const one of recent) {
    const before = one.deref();
    if (before !== undefined && before.source.file === file && before.text === text) return before.source;
  }
  const source = parsed(text, file);
  recent = [new WeakRef({ text, source }), ...recent.slice(0, MOST_RECENT - 1)];
  return source;
}

function parsed(text: string, file: string): YamlSource {
  const source = text.replace(/^\ufeff/, '');
  const reading = new YamlReading(source, file);
  const value = reading.read();
  return {
    file,
    value,
    mistakes: inOrder(reading.mistakes),
    placeOf: (path, spot) => reading.placeOf(path, spot),
    lineOf: (path) => reading.lineOf(path),
    textOf: (path) => reading.textOf(path),
  };
}

/** A report that converts paths of this document to mistakes, warnings and notes with positions. */
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
    mistake: (path, message, spot, fix) =>
      collected(mistakes, placed(path, withWritten(message, source.textOf(path)), spot, fix)),
    warning: (path, message, spot) => warnings.push(placed(path, message, spot)),
    note: (path, message, spot) => notes.push(placed(path, message, spot)),
    writtenAt: (path) => source.textOf(path),
  };
}

class YamlReading {
  readonly mistakes: Mistake[] = [];
  private readonly lines = new LineCounter();
  private root: SpanNode | null = null;
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
      if (error instanceof TooManyMistakes) return undefined;
      // Parser and reader recurse for each level.
      if (!(error instanceof RangeError)) throw error;
      this.sayTooDeep();
      return undefined;
    }
  }

  placeOf(path: Path, spot: Spot = 'value'): SourcePlace {
    return this.place(this.spanOf(path, spot));
  }

  lineOf(path: Path): number {
    return this.linePos(this.startOf(this.spanOf(path, 'value'))).line;
  }

  textOf(path: Path): string | undefined {
    let node: SpanNode | undefined = this.root ?? undefined;
    for (const step of path) node = belowOf(node, step);
    return node === undefined || node.below !== null || node.value === null
      ? undefined
      : this.text.slice(...node.value);
  }

  /** The span of the path. For a missing value or one without text, the span of the nearest key above it. */
  private spanOf(path: Path, spot: Spot): Span {
    let node: SpanNode | undefined = this.root ?? undefined;
    let span: Span | null = null;
    for (const [depth, step] of path.entries()) {
      node = belowOf(node, step);
      if (node === undefined) break;
      const own = depth === path.length - 1 && spot === 'value' ? node.value : null;
      span = own ?? node.key ?? node.value ?? span;
    }
    const [start] = this.root?.value ?? [0];
    return span ?? [start, start + 1];
  }

  private parse(): unknown {
    const { document, errors, foreign, isTooDeep } = parseYaml(this.text, this.lines);
    if (isTooDeep) return this.sayTooDeep();
    for (const { type, offset, source } of foreign)
      this.say([offset, offset + source.length], foreignSentence(type, source));
    const reported = errors.filter((error) => error.code !== 'TAG_RESOLVE_FAILED');
    const reportedLines = new Set<number>();
    for (const { code, message, pos } of reported) {
      const place = this.place([pos[0], code === 'MULTIPLE_DOCS' ? pos[0] + 3 : pos[1]]);
      // Further errors on the same line are mostly consequences of the first one.
      if (reportedLines.has(place.line)) continue;
      reportedLines.add(place.line);
      const sentence = syntaxSentence(code, message, this.text.slice(...pos));
      this.collect({ file: this.file, ...place, message: sentence });
    }
    const isForeign = foreign.some(({ type }) => type === 'directive');
    if (document === null || reported.length > 0 || isForeign) return undefined;
    const { value, spans } = this.valueOf(document.contents, undefined);
    this.root = spans;
    return isAscii(this.text) ? value : withOneSpelling(value);
  }

  private sayTooDeep(): undefined {
    this.say([0, 1], `The file is nested too deeply to be read. Write at most ${DEEPEST_YAML} levels.`);
  }

  private valueOf(node: Node | null, key: Span | undefined): { readonly value: unknown; readonly spans: SpanNode } {
    const [start, end] = node?.range ?? [0, 0];
    const block = (isMap(node) || isSeq(node)) && !node.flow;
    const span: Span | null = (block && key) || end === start ? null : [start, end];
    if (isMap(node)) {
      const { fields, below } = this.mapOf(node);
      return { value: fields, spans: { key, value: span, below } };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.valueOf(item as Node | null, undefined));
      const below = items.map(({ spans }) => spans);
      return { value: items.map(({ value }) => value), spans: { key, value: span, below } };
    }
    const spans: SpanNode = { key, value: span, below: null };
    // Its mistake is reported, so its value is ignored.
    if (isAlias(node) || node?.tag !== undefined) return { value: undefined, spans };
    return { value: isScalar(node) ? node.value : null, spans };
  }

  private mapOf(map: YAMLMap): {
    readonly fields: Record<string, unknown>;
    readonly below: ReadonlyMap<string, SpanNode>;
  } {
    const fields: Record<string, unknown> = {};
    const below = new Map<string, SpanNode>();
    const lineOf = new Map<string, number>();
    for (const pair of map.items) {
      if (!isPair(pair)) continue;
      const keyNode = pair.key as Node | null;
      const [start = 0, end = 0] = keyNode?.range ?? [];
      const key = isScalar(keyNode) ? textOfKey(keyNode) : '';
      if (!isScalar(keyNode) || (key === '' && keyNode.value === null)) {
        if (!isAlias(keyNode)) this.say([start, end], 'A key is a word. Write the word, then a colon.');
        continue;
      }
      const form = nameForm(key);
      const before = lineOf.get(form);
      if (before !== undefined) {
        this.say([start, end], `${quoted(key)} is repeated; it is on line ${before} already. Delete one.`);
        continue;
      }
      lineOf.set(form, this.linePos(this.startOf([start, end])).line);
      const { value, spans } = this.valueOf(pair.value as Node | null, [start, end]);
      below.set(form, spans);
      // Defined, not assigned: `__proto__` must be an ordinary key here.
      Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return { fields, below };
  }

  private say(span: Span, message: string): void {
    this.collect({ file: this.file, ...this.place(span), message });
  }

  private collect(mistake: Mistake): void {
    collected(this.mistakes, mistake);
  }

  /** The part of the span on its first line. */
  private place(span: Span): SourcePlace {
    const start = this.startOf(span);
    const { line, col } = this.linePos(start);
    const lineEnd = this.lines.lineStarts[line] ?? this.text.length + 1;
    let end = Math.max(start + 1, Math.min(span[1], lineEnd - 1, this.text.length));
    while (end > start + 1 && /\s/.test(this.text.charAt(end - 1))) end--;
    return { line, column: col, length: end - start };
  }

  /** The start of a span. At the end of the text or on a blank line, it moves back to the last word. */
  private startOf([from]: Span): number {
    const start = Math.min(from, this.text.length);
    BLANK_REST.lastIndex = start;
    return BLANK_REST.test(this.text) ? Math.max(0, this.text.slice(0, start).trimEnd().length - 1) : start;
  }

  private linePos(offset: number): { line: number; col: number } {
    const { line, col } = this.lines.linePos(offset);
    return line === 0 ? { line: 1, col: offset + 1 } : { line, col };
  }
}

/** Matches only blanks up to the end of the line. */
const BLANK_REST = /[^\S\n]*(?:\n|$)/y;

const isList = (below: SpanNode['below']): below is readonly SpanNode[] => Array.isArray(below);

function belowOf(node: SpanNode | undefined, step: string | number): SpanNode | undefined {
  const below = node?.below ?? null;
  return isList(below) ? below[Number(step)] : below?.get(nameForm(String(step)));
}

/** A key is a text as written: `007`, `1.10` and `null` are names, not numbers and null. [scenario-language] */
export const textOfKey = ({ value, source }: Scalar): string =>
  typeof value === 'string' ? value : (source ?? String(value ?? ''));

function foreignSentence(type: ForeignType, source: string): string {
  switch (type) {
    case 'anchor':
      return `${source} is an anchor, and these files have none. Delete it and write the value out where it is used.`;
    case 'alias':
      return `${source} is an alias, and these files have none. Write the value out.`;
    case 'tag':
      return `${source} is a tag, and these files have none. Delete it; put a text that looks like a number in quotes.`;
    case 'directive':
      return `${source.trim()} is a directive, and these files have none. Delete the line.`;
  }
}

/** Messages about values that are numbers or durations, and never names. */
const OF_NUMBERS = /has no unit|duration|number|between/;

/**
 * The message with the text of a number as it is written, such as `007` for 7, if the number begins the message; with the
 * fix for a name. `written`: the text at the place of the message.
 */
export function withWritten(message: string, written: string | undefined): string {
  const number = Number(written);
  const read = `${number} `;
  if (written === undefined || written === '' || Number.isNaN(number) || `${written} ` === read) return message;
  if (!message.startsWith(read)) return message;
  const shown = `${written} ${message.slice(read.length)}`;
  return OF_NUMBERS.test(shown) ? shown : `${shown} If it is a name, put it in quotes: "${written}".`;
}
