/** How much the slow tests take on: `WHOLE=1`, as .ci/run sets it, gives them whole worlds and whole tables. */
import type { SkipReason } from './needs.ts';

export const isWhole = process.env['WHOLE'] === '1';

/** Flags of `sandbox up`: a small default world, or the whole one. */
export const watchFlags = (few: number): readonly string[] => (isWhole ? [] : ['--watches', String(few)]);

/** The same as an option of `startSandbox`. */
export const watchOption = (few: number): { readonly watches?: number } => (isWhole ? {} : { watches: few });

/** For a test that only .ci/run runs: `unless(withoutWhole).test(...)`. */
export const withoutWhole: SkipReason | null = isWhole ? null : { kind: 'whole', table: null };

/** Inputs of one test that are alike in what they test: every `step`th of them, or all. Rows that are tests: `sampled`. */
export const inputsOf = <T>(inputs: readonly T[], step: number, from = 0): T[] =>
  inputs.filter((_, place) => isWhole || (place + from) % step === 0);

export interface SampledRow<T> {
  readonly row: T;
  readonly place: number;
  /** Why this row is not tested here; null: it is. */
  readonly skip: SkipReason | null;
}

let tables = 0;

/**
 * The rows of a slow table, where it is declared. `npm test` tests every `step`th of them, from the first one or, for the
 * tables of a series, from another one; .ci/run tests all. Each row is a test that is declared with `unless(skip)`.
 */
export function sampled<T>(rows: readonly T[], step: number, from = 0): SampledRow<T>[] {
  tables += 1;
  const left: SkipReason = { kind: 'whole', table: tables };
  const isSampled = (place: number): boolean => (place + from) % step === 0;
  if (!rows.some((_, place) => isSampled(place)))
    throw new Error(
      `No row of this table of ${rows.length} is tested by npm test: every ${step}th one is, from ${from}.`,
    );
  return rows.map((row, place) => ({ row, place, skip: isWhole || isSampled(place) ? null : left }));
}
