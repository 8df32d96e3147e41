/** Tickets for the stream: a page of the panel holds a ticket instead of a secret. It can only read, and expires. [decisions 10] */
import { hmacSecret, sameSecret } from '../../../base/ids.ts';

/** Wall-clock ms. A page that stays open for longer gets a new ticket when it reconnects. */
const LIVES_MS = 12 * 60 * 60_000;

const signed = (controlToken: string, until: number): string => hmacSecret(controlToken, 'stream-ticket', until);

/** A ticket is derived from the control token, so it survives a restart and nothing is stored. `now`: wall-clock ms. */
export function newTicket(controlToken: string, now: number): string {
  const until = Math.floor(now) + LIVES_MS;
  return `${until.toString(36)}_${signed(controlToken, until)}`;
}

/** True if this sandbox issued the ticket and it has not expired. `now`: wall-clock ms. */
export function isTicket(controlToken: string, ticket: string, now: number): boolean {
  const [written = '', signature = ''] = ticket.split('_');
  const until = Number.parseInt(written, 36);
  return (
    Number.isSafeInteger(until) &&
    until.toString(36) === written &&
    sameSecret(signature, signed(controlToken, until)) &&
    now < until
  );
}
