/** What must hold of any request before it is looked at further: one host, one token, an address that can be read. [decisions 2] */
import type { IncomingMessage } from 'node:http';
import { ProblemAnswer } from './problem.ts';

const LONGEST_TARGET = 8 * 1024;

/** Node counts the bytes of headers without what stands between them, so many short ones pass it. */
const MOST_HEADERS = 200;

/** Node keeps the first of these and drops the rest: which one counts must not be ours to guess. */
const ONCE = ['host', 'authorization', 'content-type'] as const;

/** The path as the client wrote it, also where it wrote the whole address, as to a proxy (RFC 9112 section 3.2.2). */
export const pathOf = (target: string): string => {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return path === '' ? '/' : path;
};

export const queryOf = (target: string): string => {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
};

export function requireReadableRequest(request: IncomingMessage): void {
  const { url: target = '', headers, rawHeaders, httpVersion } = request;
  if (target.length > LONGEST_TARGET)
    throw new ProblemAnswer('uri_too_long', `The address has ${target.length} characters; ${LONGEST_TARGET} are read.`);
  if (rawHeaders.length / 2 > MOST_HEADERS)
    throw new ProblemAnswer('headers_too_large', `The request has more than ${MOST_HEADERS} headers.`);
  if (headers.host === undefined && httpVersion === '1.1') malformed('The request has no Host header.');
  const names = rawHeaders.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase());
  const twice = ONCE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) malformed(`The header ${twice} is given twice.`);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    malformed('The only Transfer-Encoding that is understood is chunked.');
  if (!decodable(queryOf(target))) malformed('The query is not validly percent-encoded.');
}

function malformed(detail: string): never {
  throw new ProblemAnswer('malformed_request', detail);
}

/** A URLSearchParams would let `%zz` stand as it is, and make one character of every wrong byte. */
function decodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
