/** How a point that the specification leaves open is declared: documentation, options and the report of `compare` derive from it. */

interface PointDeclaration {
  readonly id: string;
  /** Clause of the specification. */
  readonly clause: string;
  readonly question: string;
  /** What holds in this sandbox; of a point with a switch, for each of its readings. */
  readonly here: string;
}

interface Readings {
  /** The first is that of this sandbox; a client can tell them apart. */
  readonly readings: readonly [string, string, ...string[]];
}

export interface Switchable extends Readings {
  /** `sandbox up --assume SWITCH=READING`. */
  readonly switch: string;
}

interface Observed extends Readings {
  /** What `compare --to` observes it by, as an adverbial phrase. */
  readonly observed: string;
}

/** Why `compare --to` cannot observe it. */
interface Unobserved {
  readonly unobserved: string;
}

/** Why it has no switch. */
interface Fixed {
  readonly fixed: string;
}

export type OpenPoint = PointDeclaration & ((Switchable & (Observed | Unobserved)) | (Observed & Fixed) | Unobserved);
