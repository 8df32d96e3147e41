/** Tickets for the stream: a page of the panel holds one instead of a secret. A ticket can only read, and expires. [decisions 10] */
import { hmacSecret, sameSecret } from '../../base/ids.ts';

/** Wall ms; a page that is open for longer gets another one when it comes back. */
const LIVES_MS = 12 * 60 * 60_000;

const signed = (controlToken: string, until: number): string => hmacSecret(controlToken, 'stream-ticket', until);

/** It follows from the control token, so it outlives a restart, and nothing has to be kept. `now`: wall ms. */
export function newTicket(controlToken: string, now: number): string {
  const until = Math.floor(now) + LIVES_MS;
  return `${until.toString(36)}_${signed(controlToken, until)}`;
}

/** Whether it was given out here and has not ended. `now`: wall ms. */
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
