/** The responses of a document with problems. [decisions 2] */

import type { Operation } from '../../../contract/operations/operation.ts';
import { isTokenEndpoint, problemsOf } from '../../../contract/operations/refusals.ts';
import { OAuthError, oauthErrorsWith, PROBLEMS, Problem, type ProblemCode } from '../../../contract/problems.ts';
import type { Example, Header, Media, Ref, Response } from './document.ts';
import type { Recorded } from './examples.ts';
import type { Components } from './schemas.ts';

/** Statuses for which the token endpoint answers in the format of RFC 6749, each with its causes. [decisions 2] */
const OAUTH: Readonly<Record<number, string>> = {
  400: 'The request is not a valid token request, or it requests a scope that the client does not have.',
  401: 'The client is unknown, or its secret is wrong or missing.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is neither form-encoded nor JSON.',
  429: 'The client has exceeded one of its limits, or had too many failed attempts within a minute.',
};

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
  of(operation: Operation): Record<string, Response | Ref> {
    const responses: Record<string, Response | Ref> = {};
    const byStatus = new Map<number, ProblemCode[]>();
    for (const code of problemsOf(operation)) {
      const { status } = PROBLEMS[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    for (const [status, codes] of byStatus) responses[status] = this.#shared(status, codes);
    if (isTokenEndpoint(operation))
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
        'Retry-After': {
          description: 'Seconds to wait.',
          required: true,
          schema: { type: 'integer', format: 'int32', minimum: 1 },
        },
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
