/** Rules of every request before it is routed: one Host, one token, a decodable address. [decisions 2] */
import type { IncomingMessage } from 'node:http';
import { ProblemAnswer } from '../answers/problem-answer.ts';

const LONGEST_TARGET = 8 * 1024;

/** Node's limit does not count separators, which lets through a great number of short headers. */
const MOST_HEADERS = 200;

/** Node keeps the first of these headers and drops the rest: duplicates are ambiguous. */
const ONCE = ['host', 'authorization', 'content-type'] as const;

/** The path as sent. An absolute address, as sent to a proxy, is accepted too (RFC 9112 section 3.2.2). */
export const pathOf = (target: string): string => {
  const sent = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = sent.indexOf('?');
  const path = mark < 0 ? sent : sent.slice(0, mark);
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
  const twice = ONCE.find((name) => isRepeated(name, rawHeaders));
  if (twice !== undefined) malformed(`The header ${twice} is given twice.`);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    malformed('The only Transfer-Encoding that is understood is chunked.');
  if (target.includes('%') && !decodable(queryOf(target))) malformed('The query is not validly percent-encoded.');
}

/** `rawHeaders`: names and values in turn, as sent. */
function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const sent = rawHeaders[place] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

function malformed(detail: string): never {
  throw new ProblemAnswer('malformed_request', detail);
}

/**
 * True if the percent-encoding is valid. URLSearchParams does not check it: it keeps `%zz`, and replaces invalid bytes.
 */
function decodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
