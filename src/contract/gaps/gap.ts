/** One point that the specification leaves open. */

export interface Gap {
  readonly id: string;
  /** Of the specification. */
  readonly clause: string;
  readonly question: string;
  readonly here: string;
  /** `name=default|other`, where one client can be tried under both readings. */
  readonly switch: string | null;
}

/** A point that cannot be turned. */
export const gap = (id: string, clause: string, question: string, here: string): Gap => ({
  id,
  clause,
  question,
  here,
  switch: null,
});
