/** Emits the figures of a muster whenever one of them changes, as its banner would show them. */
import type { Muster } from '../../contract/resources.ts';
import type { RunNotice, RunSink } from './run-notices.ts';

type FigureMuster = Extract<RunNotice, { kind: 'muster-figures' }>['muster'];

/** The banner's line: expected and safe always, the others unless zero. */
export function musterLine({ site, kind, phase, status, totals }: FigureMuster): string {
  const { expected, safe, ...rest } = totals;
  const others = Object.entries(rest).flatMap(([word, count]) =>
    count === null || count === 0 ? [] : [`${count} ${word}`],
  );
  const where = `${site.name}: ${kind}, ${status === 'active' ? phase : status}`;
  return [`${where}   ${safe} of ${expected} safe`, ...others].join(' · ');
}

/** Notifies the sink of each visible change. */
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
