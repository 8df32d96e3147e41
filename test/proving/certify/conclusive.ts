/** Judgements of certify that are made in wall time: what a busy machine made inconclusive is judged anew. */
import type { CheckOutcome } from '../../../src/proving/certify/certify.ts';

/** The first outcomes of which none is inconclusive. Only the time limit of the test ends it otherwise. */
export async function conclusive(judge: () => Promise<readonly CheckOutcome[]>): Promise<readonly CheckOutcome[]> {
  for (;;) {
    const outcomes = await judge();
    if (!outcomes.some(({ isInconclusive }) => isInconclusive)) return outcomes;
  }
}
