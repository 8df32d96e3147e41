/** How much the slow tests take on: `WHOLE=1`, as .ci/run sets it, gives them whole worlds and whole matrices. */

export const isWhole = process.env['WHOLE'] === '1';

/** Flags of `sandbox up`: a small default world, or the whole one. */
export const watchFlags = (few: number): readonly string[] => (isWhole ? [] : ['--watches', String(few)]);

/** The same as an option of `startSandbox`. */
export const watchOption = (few: number): { readonly watches?: number } => (isWhole ? {} : { watches: few });

/** Cases that are alike in what they test: every `step`th of them, or all. */
export const sampleOf = <T>(cases: readonly T[], step: number): T[] =>
  cases.filter((_, place) => isSampled(place, step));

/** Whether the row of a slow table at this place is tested here: `test.skipIf(!isSampled(place, 3))`. .ci/run takes all rows. */
export const isSampled = (place: number, step: number): boolean => isWhole || place % step === 0;
