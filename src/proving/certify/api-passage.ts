/** The answers that certify gives itself to a call of the API, and the body of an answer. */
import type { WholeAnswer } from '../../base/network/forward.ts';
import { problemBody } from '../../contract/operations/problem-body.ts';
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts';

/** An answer as the receiver gets it. */
export type ApiReply = WholeAnswer;

export const jsonReply = (status: number, body: unknown): ApiReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

export const problemReply = (
  apiUrl: string,
  path: string,
  code: ProblemCode,
  detail: string,
  headers: ApiReply['headers'] = {},
): ApiReply => ({
  status: PROBLEMS[code].status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: Buffer.from(JSON.stringify(problemBody(apiUrl, path, code, detail))),
});

/** A larger answer is forwarded without being parsed. */
const READ_BYTES = 4 * 1_024 * 1_024;

/** The body as JSON, or null if it is not JSON or is too large. */
export function parsedBody({ body }: ApiReply): unknown {
  if (body.length > READ_BYTES) return null;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
