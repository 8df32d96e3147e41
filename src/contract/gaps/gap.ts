/** A point that the specification leaves open. */

export interface Gap {
  readonly id: string;
  /** Clause of the specification. */
  readonly clause: string;
  readonly question: string;
  readonly here: string;
  /** `name=default|other`; null: not switchable. */
  readonly switch: string | null;
}

/** A point without a switch. */
export const gap = (id: string, clause: string, question: string, here: string): Gap => ({
  id,
  clause,
  question,
  here,
  switch: null,
});
