/**
 * The last lines of a command that judges several things: passes share lines, skips with one reason are one entry,
 * failures follow whole, and the last line has the counts, the time and the report. [cli]
 */

import { monotonicMs } from '../base/time/timers.ts';
import type { Paint } from '../contract/resources/terminal-colours.ts';
import { CHECK_TERMS } from '../contract/resources/vocabulary.ts';

/** One thing that a command judged: a run, a file or a check. */
export interface VerdictEntry {
  /** Short, such as `fall-to-sos` or `fall-to-sos seed 2`. */
  readonly name: string;
  readonly result: keyof typeof CHECK_TERMS;
  /** The number of checks in it; null: it is a check itself. */
  readonly checks: number | null;
  /** Why it is neither passed nor failed; null: that needs no reason. */
  readonly why: string | null;
}

/** Spaces between the entries of a line. */
const GAP = '   ';

/** Results whose entries are folded by their reason, behind the others. */
const isFolded = ({ result, why }: VerdictEntry): boolean => result !== 'passed' && result !== 'failed' && why !== null;

/** Fills lines of at most `columns` with entries. */
export class EntryLines {
  readonly #columns: number;
  readonly #paint: Paint;
  readonly #write: (line: string) => void;
  readonly #folded = new Map<string, VerdictEntry[]>();
  #line: string[] = [];
  #width = 0;

  constructor(columns: number, paint: Paint, write: (line: string) => void) {
    this.#columns = columns;
    this.#paint = paint;
    this.#write = write;
  }

  /** Writes a line when the entry does not fit behind those before it. */
  add(one: VerdictEntry): void {
    if (!isFolded(one)) return this.#entry(one.result, one.checks === null ? one.name : `${one.name} ${one.checks}`);
    const key = `${one.result}\n${one.why}`;
    this.#folded.set(key, [...(this.#folded.get(key) ?? []), one]);
  }

  /** Writes the last line, and what was folded. */
  end(): void {
    for (const [first, ...more] of this.#folded.values()) {
      if (first === undefined) continue;
      const { word } = CHECK_TERMS[first.result];
      this.#entry(first.result, `${more.length === 0 ? first.name : more.length + 1} ${word}: ${first.why}`);
    }
    this.#folded.clear();
    this.#flush();
  }

  #entry(result: VerdictEntry['result'], text: string): void {
    const { glyph, token } = CHECK_TERMS[result];
    const width = glyph.length + 1 + text.length;
    if (this.#line.length > 0 && this.#width + GAP.length + width > this.#columns) this.#flush();
    this.#width += (this.#line.length > 0 ? GAP.length : 0) + width;
    this.#line.push(`${this.#paint(token, glyph)} ${text}`);
  }

  #flush(): void {
    if (this.#line.length > 0) this.#write(this.#line.join(GAP));
    this.#line = [];
    this.#width = 0;
  }
}

/** The width for entries: that of the terminal, from 60 to 140; elsewhere 120. */
export const entryColumns = ({ columns }: { readonly columns?: number }): number =>
  Math.min(140, Math.max(60, columns ?? 120));

interface Verdict {
  /** `DONE`: nothing was judged, as in a drill. */
  readonly word: 'PASSED' | 'FAILED' | 'NOT JUDGED' | 'INTERRUPTED' | 'DONE';
  /** Such as `9 passed, 1 failed, 3 skipped`. */
  readonly counts: string;
  /** Such as `36.8 s`; empty parts are left out. */
  readonly facts: readonly string[];
  /** The path of the report that a person opens first; null: there is none. */
  readonly report: string | null;
}

const RESULT_OF: { readonly [K in Verdict['word']]: VerdictEntry['result'] } = {
  PASSED: 'passed',
  DONE: 'passed',
  FAILED: 'failed',
  'NOT JUDGED': 'not_judged',
  INTERRUPTED: 'not_judged',
};

/** The wall time since the command began, such as `1.2 s`. */
export const timeText = (): string => `${(monotonicMs() / 1_000).toFixed(1)} s`;

/** Returns for example `FAILED  9 passed, 1 failed, 3 skipped   36.8 s   report out/report.html`. */
export function verdictLine({ word, counts, facts, report }: Verdict, paint: Paint): string {
  const { token } = CHECK_TERMS[RESULT_OF[word]];
  const shown = [...facts.filter((one) => one !== ''), ...(report === null ? [] : [`report ${report}`])];
  return [`${paint(token, word)}  ${counts}`, ...shown].join(GAP);
}
