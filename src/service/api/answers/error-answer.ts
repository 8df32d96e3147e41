/** Maps any error to its answer: a problem, or an OAuth error at the token endpoint. [spec 7, decisions 2] */

import { TOKEN_PATH } from '../../../contract/operations/operation.ts';
import { problemBody } from '../../../contract/operations/problem-body.ts';
import { PROBLEMS } from '../../../contract/problems.ts';
import { type RequestProblem, StorageBroken, StorageFull } from '../../engine/store-port.ts';
import { BODY_LIMIT_BYTES } from '../requests/body-rules.ts';
import { FaultAnswer } from '../requests/faults.ts';
import { OAuthAnswer, type Route } from '../route.ts';
import { ProblemAnswer } from './problem-answer.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string;
  /** For the request log. It may contain secrets of the address. */
  readonly problem: RequestProblem;
}

interface FailedRequest {
  readonly baseUrl: string;
  /** Null if the request is too malformed to have a path. */
  readonly path: string | null;
  readonly route: Route | undefined;
}

export function errorAnswer(error: Error, { baseUrl, path, route }: FailedRequest): ErrorAnswer {
  const known = error instanceof OAuthAnswer || error instanceof ProblemAnswer ? error : problemOf(error);
  const answer = known instanceof ProblemAnswer && route?.path === TOKEN_PATH ? inOAuth(known) : known;
  if (answer instanceof OAuthAnswer) {
    return {
      status: answer.status,
      code: answer.error,
      headers: { ...answer.headers, 'cache-control': 'no-store' },
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ error: answer.error, error_description: answer.message }),
      problem: { detail: answer.message, errors: [] },
    };
  }
  return {
    status: PROBLEMS[answer.code].status,
    code: answer.code,
    headers: answer.headers,
    type: 'application/problem+json',
    body: JSON.stringify(problemBody(baseUrl, path, answer.code, answer.detail, answer.errors)),
    problem: { detail: answer.detail, errors: answer.errors ?? [] },
  };
}

/** 400, 413, 415 and 422 (as 400) are OAuth errors at the token endpoint; the rest are problems there too. [decisions 2] */
function inOAuth(problem: ProblemAnswer): OAuthAnswer | ProblemAnswer {
  const { status } = PROBLEMS[problem.code];
  if (![400, 413, 415, 422].includes(status)) return problem;
  return new OAuthAnswer(status === 422 ? 400 : status, 'invalid_request', problem.detail);
}

/**
 * Turns errors of Fastify and of the store into problems. Any other error is a bug, and is reported without its stack.
 */
function problemOf(error: Error & { code?: string; statusCode?: number }): ProblemAnswer {
  if (error instanceof FaultAnswer)
    return error.status === 503
      ? new ProblemAnswer('storage_unavailable', 'The service cannot answer now; try again. (Rehearsed.)')
      : new ProblemAnswer('internal_error', 'The service made a mistake. (Rehearsed.)');
  if (error instanceof StorageFull || error instanceof StorageBroken)
    return new ProblemAnswer('storage_unavailable', 'The sandbox cannot use its storage now; try again.');
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ProblemAnswer('payload_too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ProblemAnswer('unsupported_media_type', 'The Content-Type is not a media type.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ProblemAnswer('malformed_request', 'The Content-Length does not fit the body.');
    case 'FST_ERR_BAD_URL':
      return new ProblemAnswer('malformed_request', 'The address is not validly percent-encoded.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ProblemAnswer('not_found', 'There is no such resource.');
    default:
      return error.statusCode === 400
        ? new ProblemAnswer('malformed_request', 'The request ended before it was whole.')
        : new ProblemAnswer('internal_error', 'The sandbox has an internal error. The request log has the reason.');
  }
}

/** True for a bug: an error that the API does not know, which the audit log must mention. */
export const isBug = (error: Error & { code?: string }): boolean =>
  !(error instanceof OAuthAnswer) && !(error instanceof ProblemAnswer) && problemOf(error).code === 'internal_error';
