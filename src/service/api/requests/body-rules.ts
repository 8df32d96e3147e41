/** Rules of a request body by its headers, before a byte is read: media type, coding, size. [decisions 2] */
import type { IncomingMessage } from 'node:http';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import type { Route } from '../route.ts';
import { hasForeignCharset } from './json-body.ts';

/** Maximum size of a body. No request of the API needs more. */
export const BODY_LIMIT_BYTES = 64 * 1024;

type BodyType = 'json' | 'form';

const MEDIA_TYPES: { readonly [T in BodyType]: string } = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
};

const BODYLESS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** The media type is compared as a whole, without its parameters: `application/json garbage` is not JSON. */
export function bodyTypeOf({ 'content-type': header = '' }: IncomingMessage['headers']): BodyType | null {
  const type = (header.split(';')[0] as string).trim().toLowerCase();
  if (type === MEDIA_TYPES.json) return 'json';
  return type === MEDIA_TYPES.form ? 'form' : null;
}

/** Returns false for methods that only read, because their body is ignored (RFC 9110). */
export function hasBody({ method = '', headers }: IncomingMessage): boolean {
  if (BODYLESS.has(method)) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** `strict`: refuses a charset other than UTF-8. */
export function requireReadableBody(request: IncomingMessage, route: Route, strict: boolean): void {
  if (!hasBody(request)) return;
  const { headers } = request;
  if (headers['content-encoding'] !== undefined)
    throw new ProblemAnswer('unsupported_media_type', 'A request body may not be compressed.');
  const taken = route.reads?.media ?? [MEDIA_TYPES.json];
  const type = bodyTypeOf(headers);
  if (type === null || !taken.includes(MEDIA_TYPES[type]))
    throw new ProblemAnswer('unsupported_media_type', `This operation takes ${taken.join(' or ')}.`);
  if (strict && type === 'json' && hasForeignCharset(headers))
    throw new ProblemAnswer(
      'unsupported_media_type',
      'The charset of a JSON body is UTF-8: leave it out of the Content-Type.',
    );
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES)
    throw new ProblemAnswer('payload_too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`, {
      headers: { connection: 'close' },
    });
}
