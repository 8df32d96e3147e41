/** Refuses requests of foreign web pages: checks Host and Origin against DNS rebinding and cross-site requests. [decisions 10] */
import type { IncomingMessage } from 'node:http';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import type { ApiParts } from '../route.ts';

type OwnNames = Pick<ApiParts, 'isOwnHost' | 'ownHostOnly' | 'baseUrl' | 'corsOrigin' | 'isSecure'>;

/** DNS rebinding: a page whose name resolves to this machine could read every answer, and guess the secrets of a seed. Its requests carry its own name as Host. Only browsers do this, and those always send a Host. */
export function requireOwnHost({ headers: { host } }: IncomingMessage, names: OwnNames): void {
  if (!names.ownHostOnly || host === undefined || names.isOwnHost(host)) return;
  const shown = host.replace(/[^\w.:[\]-]/g, '?').slice(0, 100);
  throw new ProblemAnswer(
    'malformed_request',
    `The Host "${shown}" is not a name of this sandbox. Its secrets follow from --seed, so it only accepts names of this machine: call ${names.baseUrl()}, or start it with --public-url ${names.isSecure === true ? 'https' : 'http'}://${shown}.`,
  );
}

/** True for a cross-site request. Browsers send `Origin` with every POST; other clients send none. */
export function isForeignPage({ headers: { origin, host } }: IncomingMessage, names: OwnNames): boolean {
  if (origin === undefined) return false;
  if (origin === new URL(names.baseUrl()).origin || origin === names.corsOrigin) return false;
  // A proxy may accept https in front of an http port. In front of an https port, no client uses http.
  const schemes = names.isSecure === true ? ['https'] : ['http', 'https'];
  return !schemes.some((scheme) => origin === `${scheme}://${host}`) || !names.isOwnHost(host);
}
