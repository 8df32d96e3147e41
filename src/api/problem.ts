/** Every error body of the API. [spec 7, decisions 2] */

import type { Problem } from '../contract/problems.ts';
import { type OAuthErrorCode, PROBLEMS, type ProblemCode, problemSlug } from '../contract/problems.ts';
import type { Rejection } from '../domain/rejection.ts';
import { withoutSecrets } from './secrets.ts';

/** Thrown by a handler to answer with a problem. */
export class ProblemAnswer extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: Rejection['errors'];
  readonly headers: Readonly<Record<string, string>>;
  /** For the request log only. */
  readonly note: string | null;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { errors?: Rejection['errors']; headers?: Record<string, string>; note?: string | undefined } = {},
  ) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.note = options.note ?? null;
  }
}

/** The same in the form of RFC 6749 section 5.2, for the token endpoint. */
export class OAuthAnswer extends Error {
  readonly status: number;
  readonly error: OAuthErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: OAuthErrorCode, description: string, headers: Record<string, string> = {}) {
    super(describable(description));
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

/** RFC 6749 section 5.2 allows few characters, and a long input is not echoed. */
const describable = (text: string): string =>
  withoutSecrets(text)
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
    .slice(0, 200);

export const refuse = (rejection: Rejection, headers: Record<string, string> = {}): never => {
  const { code, detail, errors, note } = rejection;
  throw new ProblemAnswer(code, detail, { headers, note, ...(errors === undefined ? {} : { errors }) });
};

export function problemBody(
  baseUrl: string,
  path: string | null,
  code: ProblemCode,
  detail: string,
  errors?: Rejection['errors'],
): Problem {
  const { status, title } = PROBLEMS[code];
  // A 422 always has pointers; the empty one is the whole body. [decisions 2]
  const places = errors ?? (status === 422 ? [{ pointer: '', detail }] : undefined);
  return {
    type: `${baseUrl}/problems/${problemSlug(code)}`,
    title,
    status,
    detail: withoutSecrets(detail),
    ...(path === null ? {} : { instance: withoutSecrets(path) }),
    code,
    ...(places === undefined
      ? {}
      : {
          errors: places.map((one) => ({ pointer: withoutSecrets(one.pointer), detail: withoutSecrets(one.detail) })),
        }),
  };
}

export const invalid = (errors: NonNullable<Rejection['errors']>, what: 'body' | 'query'): never => {
  const [first] = errors;
  const where =
    first === undefined
      ? ''
      : ` ${first.pointer === '' ? 'It' : first.pointer} ${first.detail}${first.detail.endsWith('?') ? '' : '.'}`;
  throw new ProblemAnswer('validation_failed', `The ${what} is not valid.${where}`, { errors });
};
