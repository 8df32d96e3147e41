/** Finds the lines of a scenario file below which a step can be pasted. */
import { isScalar, isSeq, isMap as isYamlMap, LineCounter, type Node, parseDocument } from 'yaml';

export interface PastePlace {
  /** The step goes below this line. */
  readonly below: number;
  readonly indent: string;
}

interface PastePlaces {
  /** Below the step of the line, and below the steps that contain it: the innermost first. */
  readonly around: readonly PastePlace[];
  /** Below the last step of `steps`; null if they are not a list of lines. */
  readonly end: PastePlace | null;
}

/** `line`: of a step; null for what is no step of this file. */
export function placesIn(text: string, line: number | null): PastePlaces {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const finder = new PlaceFinder(text, lines, line);
  finder.visit(contents, null);
  return { around: finder.around.toReversed(), end: endOf(contents, finder) };
}

function endOf(contents: Node | null, finder: PlaceFinder): PastePlace | null {
  const steps = isYamlMap(contents) ? contents.get('steps', true) : undefined;
  if (!isSeq(steps) || steps.flow === true) return null;
  const last = steps.items.at(-1);
  return last === undefined ? null : finder.placeBelow(last as Node);
}

class PlaceFinder {
  /** From the outside to the inside. */
  readonly around: PastePlace[] = [];
  readonly #text: string;
  readonly #lines: LineCounter;
  readonly #line: number | null;

  constructor(text: string, lines: LineCounter, line: number | null) {
    this.#text = text;
    this.#lines = lines;
    this.#line = line;
  }

  visit(node: unknown, key: string | null): void {
    if (isYamlMap(node)) {
      for (const { key: of, value } of node.items) this.visit(value, isScalar(of) ? String(of.value) : null);
      return;
    }
    if (!isSeq(node)) return;
    for (const item of node.items as Node[]) {
      if (!this.#contains(item)) continue;
      // The steps of `together` begin at one instant, so a check is no step after them.
      const place = key === 'steps' && node.flow !== true ? this.placeBelow(item) : null;
      if (place !== null) this.around.push(place);
      this.visit(item, null);
    }
  }

  #contains(item: Node): boolean {
    const [first, last] = this.#linesOf(item);
    return this.#line !== null && this.#line >= first && this.#line <= last;
  }

  placeBelow(item: Node): PastePlace | null {
    const [first, last] = this.#linesOf(item);
    const [, indent] = /^(\s*)-\s/.exec(this.#text.split('\n')[first - 1] ?? '') ?? [];
    return indent === undefined ? null : { below: last, indent };
  }

  /** Without the empty lines and comments that follow it. */
  #linesOf({ range }: Node): [first: number, last: number] {
    const [start, end] = range ?? [0, 0];
    const last = start + this.#text.slice(start, end).trimEnd().length - 1;
    return [this.#lines.linePos(start).line, this.#lines.linePos(Math.max(start, last)).line];
  }
}

/** The text with these lines below that line. */
export function pasted(text: string, below: number, more: readonly string[]): string {
  const lines = text.split('\n');
  return [...lines.slice(0, below), ...more, ...lines.slice(below)].join('\n');
}
