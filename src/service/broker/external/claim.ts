/** The claim of a process on a site at an external broker: its JSON form, and which of two claims keeps the site. [watch-protocol, "Claim"] */

/** A retained message on `wt/v1/{site}/host/claim`. */
export interface SiteClaim {
  /** Random, per data folder or database. The nodes of one database share it. */
  readonly sandbox: string;
  /** Random, per start. */
  readonly process: string;
  /** The instant at which this process first claimed the site, by its own clock; ISO 8601. */
  readonly since: string;
  /**
   * The instant at which it sent this message, by the same clock. Equal to `since` until the process holds the site.
   */
  readonly at: string;
}

/**
 * For a message of another program on the topic. It is treated as the claim of an unknown sandbox that holds the site.
 */
const UNREADABLE: SiteClaim = { sandbox: 'unknown', process: 'unknown', since: '', at: 'unknown' };

export const encodeClaim = (claim: SiteClaim): Buffer => Buffer.from(JSON.stringify(claim));

/**
 * Returns null for the empty message, which removes a claim. Unknown fields are ignored, since a later version may add
 * some.
 */
export function readClaim(payload: string): SiteClaim | null {
  if (payload === '') return null;
  try {
    const { sandbox, process, since, at } = JSON.parse(payload) as Record<keyof SiteClaim, unknown>;
    const isText = (value: unknown): value is string => typeof value === 'string';
    return isText(sandbox) && isText(process) && isText(since) && isText(at)
      ? { sandbox, process, since, at }
      : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/**
 * True if the process holds the site; otherwise it is still claiming it. Both times are by the same clock, so a wrong
 * clock does not matter.
 */
export const isEstablished = ({ since, at }: SiteClaim): boolean => at !== since;

/**
 * True if `one` keeps the site against `other`. A process that holds the site keeps it against one that is claiming it.
 * Of two in the same state, the one with the lower (since, sandbox, process) keeps it, so that both processes decide in
 * the same way.
 */
export function keepsAgainst(one: SiteClaim, other: SiteClaim): boolean {
  if (isEstablished(one) !== isEstablished(other)) return isEstablished(one);
  const parts = (claim: SiteClaim) => [claim.since, claim.sandbox, claim.process];
  const [mine, theirs] = [parts(one), parts(other)];
  const differs = mine.findIndex((text, n) => text !== theirs[n]);
  return differs >= 0 && (mine[differs] as string) < (theirs[differs] as string);
}

/** The holder of the claim, for a message to a person. */
export const holderOf = ({ sandbox, process, since }: SiteClaim): string =>
  `sandbox ${sandbox}, process ${process}${since === '' ? '' : `, since ${since} by its clock`}`;
