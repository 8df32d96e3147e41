/** The error for something that a tool cannot do. */

/** A refusal that an agent can act on: what is wrong, and what to do. */
export class ToolRefusal extends Error {
  readonly details: unknown;

  constructor(message: string, details: unknown = null) {
    super(message);
    this.details = details;
  }
}
