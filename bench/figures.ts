/** Figures of several runs: the median and the tail, and a line that says them. */
import { measured } from './table.ts';

export interface Figures {
  readonly median: number;
  readonly p99: number;
  readonly count: number;
}

export function figures(values: readonly number[]): Figures {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99), count: sorted.length };
}

/** `target` is what the project asks of itself; a machine that is busy may miss it. */
export function tellRatio(what: string, ours: Figures, bare: Figures, target: number): void {
  const ratio = ours.median / bare.median;
  measured({ what, value: ours.median, unit: 'ms', bare: bare.median, aim: { of: 'times', most: target } });
  const judgement = ratio <= target ? 'within' : 'OVER';
  console.log(
    `${what}: ${ours.median.toFixed(0)} ms against ${bare.median.toFixed(0)} ms bare = ${ratio.toFixed(2)} (${judgement} ${target})`,
  );
}
