/** The declaration of a point that the specification leaves open: documentation, options and `compare` use it. */

interface PointDeclaration {
  readonly id: string;
  /** Clause of the specification. */
  readonly clause: string;
  readonly question: string;
  /** The behaviour of this sandbox; for a point with a switch, that of each reading. */
  readonly here: string;
}

interface Readings {
  /** The first one is the default of this sandbox. A client can distinguish them. */
  readonly readings: readonly [string, string, ...string[]];
}

export interface Switchable extends Readings {
  /** `sandbox up --assume SWITCH=READING`. */
  readonly switch: string;
}

interface Observed extends Readings {
  /** How `compare --to` observes it, as an adverbial phrase. */
  readonly observed: string;
}

/** Why `compare --to` cannot observe it. */
interface Unobserved {
  readonly unobserved: string;
}

/** Why there is no switch for it. */
interface Fixed {
  readonly fixed: string;
}

export type OpenPoint = PointDeclaration & ((Switchable & (Observed | Unobserved)) | (Observed & Fixed) | Unobserved);
