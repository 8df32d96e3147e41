/** Emits the figures of a muster whenever a figure that the banner shows changes. */
import { musterTerm, NOT_SAFE_STATUSES, PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Muster } from '../../contract/resources.ts';
import type { RunNotice, RunSink } from './run-notices.ts';

type FigureMuster = Extract<RunNotice, { kind: 'muster-figures' }>['muster'];

/** Returns the line of the banner: expected and safe are always shown, the others unless they are zero. */
export function musterLine({ site, kind, phase, status, totals }: FigureMuster): string {
  const { expected, safe } = totals;
  const others = NOT_SAFE_STATUSES.flatMap((missing) => {
    const count = totals[missing];
    return count === null || count === 0 ? [] : [`${count} ${PERSON_TERMS[missing].word}`];
  });
  const where = `${site.name}: ${kind}, ${musterTerm({ status, phase }).word}`;
  return [`${where}   ${safe} of ${expected} safe`, ...others].join(' · ');
}

/** Calls the sink for each visible change. */
export class MusterFigures {
  readonly #sink: RunSink;
  readonly #atMs: () => number;
  readonly #last = new Map<string, string>();

  constructor(sink: RunSink, atMs: () => number) {
    this.#sink = sink;
    this.#atMs = atMs;
  }

  onMuster({ id, site, kind, phase, status, totals }: Muster): void {
    const muster = { site, kind, phase, status, totals };
    const line = musterLine(muster);
    if (this.#last.get(id) === line) return;
    this.#last.set(id, line);
    this.#sink({ kind: 'muster-figures', atMs: this.#atMs(), muster });
  }
}
