/**
 * The token endpoint: client_credentials, as a form or JSON, with credentials in the body or by Basic. [spec 4, 5,
 * decisions 3]
 */
import { randomSecret, sameSecret, sha256Hex } from '../../../base/ids.ts';
import { SCOPES, type Scope } from '../../../contract/enumerations.ts';
import { issueToken } from '../../../contract/operations/token.ts';
import { TOKEN_LIFE_S } from '../../../contract/requests.ts';
import { isRejection } from '../../domain/changes.ts';
import type { Client } from '../../domain/world/documents.ts';
import { whyLimited } from '../access/authorise.ts';
import { type ClientCredentials, invalidClient, readCredentials, readFields } from '../access/credentials.ts';
import { FailedAttempts } from '../access/failed-attempts.ts';
import type { RateLimiter } from '../access/limits.ts';
import { isForeignPage } from '../access/own-host.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type ApiParts, type Call, OAuthAnswer, type Route, refuse, route } from '../route.ts';

export function tokenRoute(limiter: RateLimiter): Route {
  const failures = new FailedAttempts();
  return route(issueToken, (call) => grant(call, limiter, failures));
}

async function grant(call: Call, limiter: RateLimiter, failures: FailedAttempts) {
  const { engine, clock } = call.parts;
  const fields = readFields(call);
  const credentials = readCredentials(call, fields);
  const grantType = fields.get('grant_type');
  if (grantType === undefined) throw new OAuthAnswer(400, 'invalid_request', 'grant_type is missing');
  if (credentials === null) throw invalidClient(call.parts, 'client credentials are missing');
  const now = clock.clientTime();
  const isForeign = isForeignPage(call.request.raw, call.parts);
  const client = authenticated(call.parts, credentials, isForeign ? null : failures, now);
  const { visit } = call.request;
  visit.admit(client);
  const limited = whyLimited(limiter, visit);
  if (limited !== null) throw tooMany(call.parts, limited, 'invalid_request');
  if (grantType !== 'client_credentials')
    throw new OAuthAnswer(400, 'unsupported_grant_type', 'only client_credentials is supported');
  const scopes = readScopes(fields.get('scope'), client);
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

/** `failures` is null for a cross-site request, whose failures must not lock out the client. [decisions 10] */
function authenticated(
  parts: ApiParts,
  credentials: ClientCredentials,
  failures: FailedAttempts | null,
  now: number,
): Client {
  const waitMs = failures?.waitMs(credentials.id, now) ?? 0;
  if (waitMs > 0) {
    const headers = { 'retry-after': String(Math.ceil(waitMs / 1_000)) };
    const detail = 'too many failed attempts for this client';
    throw tooMany(parts, { code: 'rate_limited', detail, headers }, 'invalid_client');
  }
  const client = parts.engine.world.get('client', credentials.id);
  if (secretFits(client, credentials)) return client;
  failures?.add(credentials.id, now);
  throw invalidClient(parts, 'unknown client or wrong secret');
}

/** A 429 in the shape of the switch `limited-token`. [gap limited-token-request] */
function tooMany(
  { assumptions }: ApiParts,
  { code, detail, headers }: NonNullable<ReturnType<typeof whyLimited>>,
  error: 'invalid_request' | 'invalid_client',
): OAuthAnswer | ProblemAnswer {
  return assumptions['limited-token'] === 'problem'
    ? new ProblemAnswer(code, detail, { headers })
    : new OAuthAnswer(429, error, detail, headers);
}

/** An unknown client costs the same time as a wrong secret. */
function secretFits(client: Client | undefined, { secret }: ClientCredentials): client is Client {
  const fits = sameSecret(sha256Hex(secret), client?.secretHash ?? '');
  return client !== undefined && fits;
}

/**
 * Returns the granted scopes, in the order of the scope table. If `scope` is omitted, these are all scopes of the
 * client. Scopes are separated by one space (RFC 6749 section 3.3).
 */
function readScopes(scopeText: string | undefined, client: Client): Scope[] {
  if (scopeText === undefined) return SCOPES.filter((scope) => client.scopes.includes(scope));
  const words = scopeText.split(' ');
  const strange = words.find((word) => !(client.scopes as readonly string[]).includes(word));
  if (strange === '') throw new OAuthAnswer(400, 'invalid_scope', 'scopes are separated by one space');
  if (strange !== undefined)
    throw new OAuthAnswer(400, 'invalid_scope', `the client does not have the scope ${strange}`);
  return SCOPES.filter((scope) => words.includes(scope));
}
