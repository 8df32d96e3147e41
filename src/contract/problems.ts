/** The table of error codes, and the two error bodies. */
import { type Static, Type } from 'typebox';
import { closed, openWords, words } from './shapes.ts';

interface ProblemEntry {
  readonly status: number;
  readonly title: string;
  /** The meaning, on the page of the problem's `type` address. */
  readonly explanation: string;
  /** The fix, on the same page. */
  readonly fix: string;
  /** True if no operation of the API returns it. The document of the API then does not contain it. */
  readonly sandboxOnly?: true;
}

/** The problems by code [spec 7, decisions 2]. */
export const PROBLEMS = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    explanation: 'The request line, a header or the percent-encoding of the address is not valid HTTP.',
    fix: 'Let an HTTP library build the address and the headers, and encode every parameter.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    explanation: 'The body is not JSON in UTF-8, or one of its objects has a duplicate key or a key named __proto__.',
    fix: 'Send the output of a JSON serializer, encoded as UTF-8, and check that the body is complete.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    explanation: 'The access token is missing, malformed, expired or revoked. `detail` gives the reason.',
    fix: 'Request a new token at POST /v1/oauth/token and send it as "Authorization: Bearer <token>".',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    explanation: 'The token is valid but does not have the scope that this route requires.',
    fix: 'Request a token with that scope. If the client does not have the scope, its contract must be changed.',
  },
  site_not_accessible: {
    status: 403,
    title: 'Site not accessible',
    explanation: 'The request names a site that does not belong to this client, whether or not the site exists.',
    fix: 'Use a site id from GET /v1/sites, called with the same client.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explanation: 'The route or the resource does not exist, or this client may not see it.',
    fix: 'Check the path and the id; ids of another company, or outside the contract, get 404 too.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists but does not support this HTTP method.',
    fix: 'Use one of the methods that the Allow header of the answer lists.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    explanation:
      'The request did not arrive completely in time, or the condition of a blocking wait did not become true.',
    fix: 'Send the request again without a pause in it. For a wait, increase `within` or correct the condition.',
  },
  action_refused: {
    status: 409,
    title: 'Action refused',
    explanation:
      'The sandbox understood the action, but the state of the person, watch or muster does not allow it now.',
    fix: 'Read `detail`, bring the world into the required state, and perform the action again.',
    sandboxOnly: true,
  },
  invalid_transition: {
    status: 409,
    title: 'Invalid transition',
    explanation: 'The status of the alert does not allow this update; a resolved alert cannot be acknowledged.',
    fix: 'Read the alert again and decide by its current status.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    explanation: 'The body is larger than 64 KiB.',
    fix: 'Send a smaller body. No request of this API needs more.',
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    explanation: 'The path and query of the request are longer than the limit of the service.',
    fix: 'Filter by fewer values in one request.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'The Content-Type of the body is not a media type that this route accepts.',
    fix: 'Send JSON with "Content-Type: application/json".',
  },
  invalid_cursor: {
    status: 422,
    title: 'Invalid cursor',
    explanation: 'The cursor was not issued for this client and this query.',
    fix: 'Send `next_cursor` back unchanged with the same filters, or start again without a cursor.',
  },
  invalid_destination_url: {
    status: 422,
    title: 'Invalid destination address',
    explanation: 'The url of the destination is not https, is not a public address, or contains credentials.',
    fix: 'Use a public https address. For a receiver on this machine, see "sandbox listen" and --forward.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    explanation: 'A value of the body or of the query does not match its schema, or its name is unknown.',
    fix: 'Correct the values that `errors` lists. Each `pointer` gives the place of a value.',
  },
  query_time_exceeded: {
    status: 429,
    title: 'Query time exceeded',
    explanation: 'In the last minute, the requests of this client used more query time than its limit allows.',
    fix: 'Wait for the seconds in Retry-After, then request less data: use narrower filters or smaller pages.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explanation: 'In the last minute, this client sent more requests than its limit allows.',
    fix: 'Wait for the seconds in Retry-After, then continue more slowly. Webhooks make polling unnecessary.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    explanation: 'The headers of the request are larger than the limit of the service.',
    fix: 'Send fewer or shorter headers. Cookies are not needed.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    explanation: 'The service failed; the request was not at fault.',
    fix: 'Try again later. If it happens again, report the time and the path of the request.',
  },
  storage_unavailable: {
    status: 503,
    title: 'Storage unavailable',
    explanation: 'The service cannot store anything at the moment, so it accepts no change.',
    fix: 'Try again later. On your own machine, free space on the disk of the data folder.',
  },
} as const satisfies Record<string, ProblemEntry>;

/** The codes are stable; the texts may change [spec 7]. */
export type ProblemCode = keyof typeof PROBLEMS;

/** All codes, in the order of the table. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** True for codes that no operation of the API returns [decisions 2]. */
export const isSandboxOnly = (code: ProblemCode): boolean => (PROBLEMS[code] as ProblemEntry).sandboxOnly === true;

/** The last part of a problem's `type` address [decisions 2]. */
export function problemSlug(code: ProblemCode): string {
  return code.replaceAll('_', '-');
}

/** One violated rule: a JSON pointer into the body, or `?name` of a query parameter [decisions 2]. */
export const ProblemError = closed('ProblemError', 'One broken rule and its place [decisions 2].', {
  pointer: Type.String({ description: 'A JSON pointer into the body, or ?name for a query parameter.' }),
  detail: Type.String(),
});
export type ProblemError = Static<typeof ProblemError>;

/** The body of every error response, `application/problem+json` [spec 7]. */
export const Problem = closed('Problem', 'The problem, in the format of RFC 9457 [spec 7].', {
  type: Type.String({ format: 'uri', description: '{base_url}/problems/<slug> [spec 7].' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.Optional(Type.String()),
  instance: Type.Optional(Type.String({ description: 'The request path [spec 7].' })),
  code: openWords(
    'ProblemCode',
    'The stable code to program against [spec 7]. The set is open: accept codes that you do not know, and treat them by their status [decisions 2].',
    PROBLEM_CODES,
    PROBLEM_CODES.filter(isSandboxOnly),
  ),
  errors: Type.Optional(Type.Array(ProblemError)),
});
export type Problem = Static<typeof Problem>;

interface OAuthErrorEntry {
  /** The statuses with which it is returned. [decisions 2, decisions 3] */
  readonly statuses: readonly number[];
  readonly explanation: string;
  readonly fix: string;
}

/** The error codes of the token endpoint [spec 7]: RFC 6749 section 5.2, with the statuses of [decisions 2]. */
export const OAUTH_ERRORS = {
  invalid_request: {
    statuses: [400, 413, 415, 429],
    explanation:
      'The token request is malformed: a parameter is missing, empty or repeated, or credentials come both in the body and by HTTP Basic. With 413 the body is larger than 64 KiB, with 415 it is neither form-encoded nor JSON, with 429 the client is over one of its limits.',
    fix: 'Send grant_type, client_id and client_secret once each, form-encoded. After a 429, wait for the seconds that Retry-After names.',
  },
  invalid_client: {
    statuses: [401, 429],
    explanation:
      'The client is unknown, or its secret is wrong or missing. With 429 the client had 20 failed attempts within a minute.',
    fix: 'Check client_id and client_secret, and that they are those of this service; "sandbox env" prints those of a sandbox. After a 429, wait for the seconds that Retry-After names.',
  },
  unauthorized_client: {
    statuses: [400],
    explanation:
      'The client may not use this grant type. The contract has this code, but the sandbox never returns it.',
    fix: 'Ask the operator of the service which grants the client has.',
  },
  unsupported_grant_type: {
    statuses: [400],
    explanation: 'The grant_type is not client_credentials, the only grant of this API.',
    fix: 'Send grant_type=client_credentials.',
  },
  invalid_scope: {
    statuses: [400],
    explanation: 'The client does not have a requested scope, or the scopes are not separated by one space.',
    fix: 'Leave scope out to get all scopes of the client, or name only scopes that it has.',
  },
} as const satisfies Record<string, OAuthErrorEntry>;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

export const OAUTH_ERROR_CODES = Object.keys(OAUTH_ERRORS) as readonly OAuthErrorCode[];

/** The codes that the token endpoint returns with this status. */
export const oauthErrorsWith = (status: number): readonly OAuthErrorCode[] =>
  OAUTH_ERROR_CODES.filter((code) => (OAUTH_ERRORS[code].statuses as readonly number[]).includes(status));

/** The error body of the token endpoint, according to RFC 6749 section 5.2 [spec 7]. */
export const OAuthError = closed(
  'OAuthError',
  'The reason why no token was issued, in the format of RFC 6749 section 5.2 [spec 7].',
  {
    error: words('OAuthErrorCode', 'The code of RFC 6749 [spec 7].', OAUTH_ERROR_CODES),
    error_description: Type.Optional(Type.String()),
  },
);
export type OAuthError = Static<typeof OAuthError>;
