/** The parameters and credentials of a token request. [decisions 3] */

import { ProblemAnswer } from '../answers/problem-answer.ts';
import { bodyTypeOf } from '../requests/body-rules.ts';
import { bodyLeniencies, parseJson } from '../requests/json-body.ts';
import { warn } from '../requests/non-standard.ts';
import { type ApiParts, type Call, OAuthAnswer } from '../route.ts';

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' };

/** The answer to missing or wrong credentials. [gap token-failures] */
export const invalidClient = ({ assumptions }: ApiParts, why: string): OAuthAnswer =>
  assumptions['wrong-secret'] === '400'
    ? new OAuthAnswer(400, 'invalid_client', why)
    : new OAuthAnswer(401, 'invalid_client', why, CHALLENGE);

/** An empty parameter counts as missing; a repeated one is refused (RFC 6749 section 3.2). */
export function readFields({ request, parts }: Call): Map<string, string> {
  const bytes = request.body as Buffer | undefined;
  const fields = new Map<string, string>();
  if (bytes === undefined || bytes.length === 0) return fields;
  if (bodyTypeOf(request.headers) === 'json') {
    // A JSON body is non-standard input, which a switch can refuse. [gap token-json]
    if (parts.assumptions['token-json'] === 'off' || parts.strict)
      throw new OAuthAnswer(415, 'invalid_request', 'the body must be application/x-www-form-urlencoded');
    for (const [key, value] of Object.entries(readObject(bytes))) {
      if (typeof value !== 'string') throw new OAuthAnswer(400, 'invalid_request', `${key} is not a string`);
      if (value !== '') fields.set(key, value);
    }
    for (const one of ['token-json', ...bodyLeniencies(request.raw, bytes, parts.strict)] as const) warn(request, one);
    return fields;
  }
  for (const [key, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (value === '') continue;
    if (fields.has(key)) throw new OAuthAnswer(400, 'invalid_request', `${key} is given twice`);
    fields.set(key, value);
  }
  return fields;
}

function readObject(bytes: Buffer): object {
  const value = parseJson(bytes);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ProblemAnswer('malformed_json', 'The body is not a JSON object.');
}

/**
 * Reads the credentials from the body or from HTTP Basic; both together are refused. Returns null if they are missing.
 */
export function readCredentials({ request, parts }: Call, fields: Map<string, string>): ClientCredentials | null {
  // With `token-basic=off` only the body can have credentials. [gap token-credentials]
  const header = parts.assumptions['token-basic'] === 'off' ? undefined : request.headers.authorization;
  const [id, secret] = [fields.get('client_id'), fields.get('client_secret')];
  if (header === undefined) return id === undefined || secret === undefined ? null : { id, secret };
  if (secret !== undefined)
    throw new OAuthAnswer(400, 'invalid_request', 'credentials travel in the body or by Basic, not both');
  const isStandard = STANDARD_BASIC.test(header);
  const basic = isStandard || !parts.strict ? readBasic(header) : null;
  if (basic === null) throw invalidClient(parts, 'the Authorization header is not Basic');
  if (basic === 'encoding')
    throw invalidClient(parts, 'the id or the secret in the Basic credentials has a % without two hexadecimal digits');
  if (id !== undefined && id !== basic.id)
    throw new OAuthAnswer(400, 'invalid_request', 'client_id differs from the Authorization header');
  if (!isStandard) warn(request, 'basic-alphabet');
  return basic;
}

/** HTTP Basic with the alphabet and the padding of RFC 4648 section 4. */
const STANDARD_BASIC = /^Basic +(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/i;

/**
 * Form-decodes id and secret, as RFC 6749 section 2.3.1 requires. Ids and secrets consist of [A-Za-z0-9_], so a client
 * that does not form-encode them is read correctly too.
 */
function readBasic(header: string): ClientCredentials | 'encoding' | null {
  const match = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header);
  if (match === null) return null;
  const text = Buffer.from(match[1] as string, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) };
  } catch {
    return 'encoding';
  }
}
