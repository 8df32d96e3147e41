/** The claim of a process on a site at an external broker: its form on the wire, and which of two claims keeps the site. [watch-protocol, "Claim"] */

/** A retained message on `wt/v1/{site}/host/claim`. */
export interface SiteClaim {
  /** Random, of the data folder or of the database; the nodes of one database share it. */
  readonly sandbox: string;
  /** Random, of one start. */
  readonly process: string;
  /** When this process first claimed the site, by its own clock; ISO 8601. */
  readonly since: string;
  /** When it sent this message, by the same clock: equal to `since` until the site is its own. */
  readonly at: string;
}

/** What another program may have left on the topic. It is treated as the claim of an unknown sandbox that has the site. */
const UNREADABLE: SiteClaim = { sandbox: 'unknown', process: 'unknown', since: '', at: 'unknown' };

export const encodeClaim = (claim: SiteClaim): Buffer => Buffer.from(JSON.stringify(claim));

/** Null for the empty message, which removes a claim. Other fields are ignored, since a later version may add some. */
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

/** The process has the site; otherwise it is about to claim it. Both times are of one clock, so a wrong clock does not matter. */
export const isEstablished = ({ since, at }: SiteClaim): boolean => at !== since;

/**
 * Whether `one` keeps the site against `other`. A process that has the site keeps it against one that is about to claim it;
 * of two in the same state, the lower (since, sandbox, process) keeps it, so that both reach the same answer.
 */
export function keepsAgainst(one: SiteClaim, other: SiteClaim): boolean {
  if (isEstablished(one) !== isEstablished(other)) return isEstablished(one);
  const parts = (claim: SiteClaim) => [claim.since, claim.sandbox, claim.process];
  const [mine, theirs] = [parts(one), parts(other)];
  const differs = mine.findIndex((text, n) => text !== theirs[n]);
  return differs >= 0 && (mine[differs] as string) < (theirs[differs] as string);
}

/** The holder, for a message to a person. */
export const holderOf = ({ sandbox, process, since }: SiteClaim): string =>
  `sandbox ${sandbox}, process ${process}${since === '' ? '' : `, since ${since} by its clock`}`;
