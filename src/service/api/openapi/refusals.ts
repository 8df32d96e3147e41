/** The problems that an operation can answer with, derived from its route and the order of checks. [decisions 2] */
import {
  OAuthError,
  oauthErrorsWith,
  PROBLEM_CODES,
  PROBLEMS,
  Problem,
  type ProblemCode,
} from '../../../contract/problems.ts';
import type { Route } from '../route.ts';
import type { Example, Header, Media, Ref, Response } from './document.ts';
import type { Recorded } from './examples.ts';
import type { Components } from './schemas.ts';

/** Problems that any request can get. */
const ANYWHERE: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
];

/** Statuses for which the token endpoint answers in the format of RFC 6749, each with its causes. [decisions 2] */
const OAUTH: Readonly<Record<number, string>> = {
  400: 'The request is not a valid token request, or it requests a scope that the client does not have.',
  401: 'The client is unknown, or its secret is wrong or missing.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is neither form-encoded nor JSON.',
  429: 'The client has exceeded one of its limits, or had too many failed attempts within a minute.',
};

const isTokenEndpoint = ({ path }: Route): boolean => path === '/v1/oauth/token';

/** The problems of a route, in the order of the table of problems. */
export function problemsOf(route: Route): ProblemCode[] {
  const { access, method, path, query } = route;
  const found = new Set<ProblemCode>([...ANYWHERE, ...(route.problems ?? [])]);
  const add = (...codes: ProblemCode[]) => {
    for (const code of codes) found.add(code);
  };
  // Query parameters are checked everywhere; the token endpoint reports unknown ones as an OAuth error.
  if (!isTokenEndpoint(route)) add('validation_failed');
  if (access !== 'none') add('invalid_token', 'rate_limited', 'query_time_exceeded');
  if (access !== 'none' && access !== 'any' && access !== 'sandbox') add('insufficient_scope');
  if (path.includes('/:')) add('not_found');
  if (path.includes('/:site_id') || names(query, 'site_id')) add('site_not_accessible');
  if (names(query, 'cursor')) add('invalid_cursor');
  // Bodies are read for every method that may have one; a change needs a writable disk.
  if (method !== 'GET') add('storage_unavailable');
  if (method !== 'GET' && !isTokenEndpoint(route)) add('malformed_json', 'payload_too_large', 'unsupported_media_type');
  return PROBLEM_CODES.filter((code) => found.has(code));
}

const names = (query: Route['query'], key: string): boolean => Object.hasOwn(query?.properties ?? {}, key);

/** The shared responses of a document, added on first use. */
export class ProblemResponses {
  readonly #components: Components;
  readonly #recorded: Recorded;
  readonly #responses = new Map<string, Response>();

  constructor(components: Components, recorded: Recorded) {
    this.#components = components;
    this.#recorded = recorded;
  }

  all(): Record<string, Response> {
    return Object.fromEntries([...this.#responses].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The responses by status. The token endpoint has its own formats. */
  of(route: Route): Record<string, Response | Ref> {
    const responses: Record<string, Response | Ref> = {};
    const byStatus = new Map<number, ProblemCode[]>();
    for (const code of problemsOf(route)) {
      const { status } = PROBLEMS[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    for (const [status, codes] of byStatus) responses[status] = this.#shared(status, codes);
    if (isTokenEndpoint(route))
      for (const status of Object.keys(OAUTH)) responses[status] = this.#oauth(Number(status));
    return responses;
  }

  #shared(status: number, codes: readonly ProblemCode[]): Ref {
    const name = codes.map(pascal).join('Or');
    if (!this.#responses.has(name)) this.#responses.set(name, this.#problems(status, codes));
    return { $ref: `#/components/responses/${name}` };
  }

  #problems(status: number, codes: readonly ProblemCode[]): Response {
    return {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].explanation}`).join('\n\n'),
      ...headersOf(status, codes),
      content: { 'application/problem+json': this.#media(codes) },
    };
  }

  #media(codes: readonly ProblemCode[]): Media {
    const examples: Record<string, Example> = {};
    for (const code of codes) examples[code] = { summary: PROBLEMS[code].title, value: this.#recorded.problem(code) };
    return { schema: this.#components.publish(Problem, 'open'), examples };
  }

  #oauth(status: number): Response {
    const example = this.#recorded.oauth(status);
    const plain: Media = {
      schema: this.#components.publish(OAuthError, 'open'),
      ...(example === undefined ? {} : { example }),
    };
    return {
      description: `${oauthErrorsWith(status)
        .map((error) => `\`${error}\``)
        .join(', ')}: ${OAUTH[status]}`,
      ...headersOf(status, []),
      content: {
        'application/json': plain,
        // A request that is not HTTP never reaches the endpoint, so it gets a problem document.
        ...(status === 400 ? { 'application/problem+json': this.#media(['malformed_request']) } : {}),
      },
    };
  }
}

const pascal = (code: string): string => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function headersOf(status: number, codes: readonly ProblemCode[]): { headers?: Record<string, Header> } {
  if (status === 429)
    return {
      headers: {
        'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } },
      },
    };
  if (status === 401 || codes.includes('insufficient_scope'))
    return {
      headers: {
        'WWW-Authenticate': {
          description:
            status === 401
              ? 'The authentication scheme that is required.'
              : 'With `insufficient_scope`: the required scope.',
          schema: { type: 'string' },
        },
      },
    };
  return {};
}
