/** A one-line timeline of the marks, passed checks and failures of a run. */

import { formatDuration } from '../../base/time/durations.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import type { RunNotice } from '../log/run-notices.ts';

const WIDTH = 56;

/** Symbols by priority. */
const SIGNS = ['─', CHECK_TERMS.passed.glyph, '#', CHECK_TERMS.failed.glyph] as const;

/** Collects one run; the strip is null if there is nothing to show. */
export class Timeline {
  #signs: { readonly atMs: number; readonly strength: number }[] = [];

  add(notice: RunNotice): void {
    const strength = strengthOf(notice.kind);
    if (notice.kind === 'run-began') this.#signs = [];
    else if (strength > 0 && 'atMs' in notice) this.#signs.push({ atMs: notice.atMs, strength });
  }

  strip(endMs: number): string | null {
    if (endMs <= 0 || this.#signs.length === 0) return null;
    const cells = Array.from({ length: WIDTH }, () => 0);
    for (const { atMs, strength } of this.#signs) {
      const place = Math.min(WIDTH - 1, Math.floor((atMs / endMs) * (WIDTH - 1)));
      cells[place] = Math.max(cells[place] ?? 0, strength);
    }
    return `T+0 ${cells.map((strength) => SIGNS[strength]).join('')} T+${formatDuration(endMs)}`;
  }
}

function strengthOf(kind: RunNotice['kind']): number {
  if (kind === 'expectation-passed') return 1;
  if (kind === 'mark') return 2;
  return kind === 'expectation-failed' || kind === 'step-refused' ? 3 : 0;
}
