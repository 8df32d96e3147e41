/** The token endpoint: client_credentials, by form or JSON, by body or Basic. [spec 4, 5, decisions 3] */
import { randomSecret, sameSecret, sha256Hex } from '../../base/ids.ts';
import { SCOPES, type Scope } from '../../contract/enumerations.ts';
import { TOKEN_LIFE_S, TokenResponse } from '../../contract/requests.ts';
import { isRejection } from '../../domain/rejection.ts';
import type { Client } from '../../domain/world/documents.ts';
import { parseJson } from '../json-body.ts';
import { OAuthAnswer, ProblemAnswer, refuse } from '../problem.ts';
import type { Call, Route } from '../route.ts';

const FAILURES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const CHALLENGE = { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' };

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

export function tokenRoute(): Route {
  const failures = new Failures();
  return {
    method: 'POST',
    path: '/v1/oauth/token',
    access: 'none',
    summary: 'Get an access token',
    answers: { 200: TokenResponse },
    handle: (call) => grant(call, failures),
  };
}

async function grant(call: Call, failures: Failures) {
  const { engine, clock } = call.parts;
  const fields = readFields(call);
  const credentials = readCredentials(call, fields);
  const grantType = fields.get('grant_type');
  if (grantType === undefined) throw new OAuthAnswer(400, 'invalid_request', 'grant_type is missing');
  if (credentials === null) throw new OAuthAnswer(401, 'invalid_client', 'client credentials are missing', CHALLENGE);
  const now = clock.mode === 'lockstep' ? clock.now() : clock.wall();
  const waitMs = failures.waitMs(credentials.id, now);
  if (waitMs > 0) {
    const headers = { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) };
    throw new OAuthAnswer(429, 'invalid_client', 'too many failed attempts for this client', headers);
  }
  const client = engine.world.get('client', credentials.id);
  if (!secretFits(client, credentials)) {
    failures.add(credentials.id, now);
    throw new OAuthAnswer(401, 'invalid_client', 'unknown client or wrong secret', CHALLENGE);
  }
  if (grantType !== 'client_credentials')
    throw new OAuthAnswer(400, 'unsupported_grant_type', 'only client_credentials is supported');
  const scopes = readScopes(fields.get('scope'), client as Client);
  const token = randomSecret(32);
  const outcome = await engine.submit({
    type: 'issue-token',
    hash: sha256Hex(token),
    clientId: credentials.id,
    scopes,
    expiresAt: now + TOKEN_LIFE_S * 1_000,
  });
  if (isRejection(outcome)) return refuse(outcome);
  const body = { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFE_S, scope: scopes.join(' ') };
  return { status: 200, body, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } };
}

/** The parameters of the body; one that stands twice is refused. */
function readFields({ request, parts }: Call): Map<string, string> {
  const bytes = request.body as Buffer | undefined;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const fields = new Map<string, string>();
  if (bytes === undefined || bytes.length === 0) return fields;
  if (type === 'application/json') {
    // [gap token-json]
    if (parts.assumptions['token-json'] === 'off')
      throw new OAuthAnswer(415, 'invalid_request', 'the body must be application/x-www-form-urlencoded');
    for (const [key, value] of Object.entries(readObject(bytes))) {
      if (typeof value !== 'string') throw new OAuthAnswer(400, 'invalid_request', `${plain(key)} is not a string`);
      fields.set(key, value);
    }
    request.visit.warnings.push('The token request was JSON; production may take form encoding only.');
    return fields;
  }
  for (const [key, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (fields.has(key)) throw new OAuthAnswer(400, 'invalid_request', `${plain(key)} is given twice`);
    fields.set(key, value);
  }
  return fields;
}

function readObject(bytes: Buffer): object {
  try {
    const value = parseJson(bytes);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof ProblemAnswer)) throw error;
  }
  throw new OAuthAnswer(400, 'invalid_request', 'the body is not a JSON object');
}

/** RFC 6749 section 5.2 allows few characters in a description. */
const plain = (text: string): string => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 40);

/** By the body or by HTTP Basic, not both. */
function readCredentials({ request }: Call, fields: Map<string, string>): Credentials | null {
  const header = request.headers.authorization;
  const [id, secret] = [fields.get('client_id'), fields.get('client_secret')];
  if (header === undefined) return id === undefined || secret === undefined ? null : { id, secret };
  if (secret !== undefined)
    throw new OAuthAnswer(400, 'invalid_request', 'credentials travel in the body or by Basic, not both');
  const basic = readBasic(header);
  if (basic === null) throw new OAuthAnswer(401, 'invalid_client', 'the Authorization header is not Basic', CHALLENGE);
  if (id !== undefined && id !== basic.id)
    throw new OAuthAnswer(400, 'invalid_request', 'client_id differs from the Authorization header');
  return basic;
}

/** Form-decoded as RFC 6749 section 2.3.1 says. Ids and secrets are of [A-Za-z0-9_], so the raw form decodes to itself. */
function readBasic(header: string): Credentials | null {
  const match = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header);
  if (match === null) return null;
  const text = Buffer.from(match[1] as string, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) };
  } catch {
    return null;
  }
}

/** An unknown client costs the same time as a wrong secret. */
function secretFits(client: Client | undefined, { secret }: Credentials): client is Client {
  const fits = sameSecret(sha256Hex(secret), client?.secretHash ?? '');
  return client !== undefined && fits;
}

/** All of the client's when omitted or empty; in the order of the scope table. */
function readScopes(asked: string | undefined, client: Client): Scope[] {
  const words = (asked ?? '').split(' ').filter((word) => word !== '');
  const strange = words.find((word) => !(client.scopes as readonly string[]).includes(word));
  if (strange !== undefined)
    throw new OAuthAnswer(400, 'invalid_scope', `the client does not have the scope ${plain(strange)}`);
  return SCOPES.filter((scope) => (words.length === 0 ? client.scopes.includes(scope) : words.includes(scope)));
}

/** Failed attempts per client id within a minute; bounded, so that made-up ids cannot fill the memory. */
class Failures {
  readonly #times = new Map<string, number[]>();

  waitMs(id: string, now: number): number {
    const times = (this.#times.get(id) ?? []).filter((at) => at > now - MINUTE_MS);
    return times.length < FAILURES_PER_MINUTE
      ? 0
      : (times[times.length - FAILURES_PER_MINUTE] as number) + MINUTE_MS - now;
  }

  add(id: string, now: number): void {
    const key = id.slice(0, 200);
    const times = (this.#times.get(key) ?? []).filter((at) => at > now - MINUTE_MS);
    times.push(now);
    this.#times.delete(key);
    this.#times.set(key, times.slice(-FAILURES_PER_MINUTE));
    if (this.#times.size > 1_000) this.#times.delete(this.#times.keys().next().value as string);
  }
}
