/** The problems that an operation can answer with, derived from its declaration and the order of checks. [decisions 2] */
import { PROBLEM_CODES, type ProblemCode } from '../problems.ts';
import { type Operation, TOKEN_PATH } from './operation.ts';

/** Problems that any request can get. */
const ANYWHERE: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'storage_unavailable',
];

export const isTokenEndpoint = ({ path }: Operation): boolean => path === TOKEN_PATH;

/** The problems of an operation, in the order of the table of problems. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const { access, clientScope, method, path, query } = operation;
  const found = new Set<ProblemCode>([...ANYWHERE, ...(operation.problems ?? [])]);
  const add = (...codes: ProblemCode[]) => {
    for (const code of codes) found.add(code);
  };
  // Query parameters are checked everywhere; the token endpoint reports unknown ones as an OAuth error.
  if (!isTokenEndpoint(operation)) add('validation_failed');
  if (access !== 'none') add('invalid_token', 'rate_limited', 'query_time_exceeded');
  if ((access !== 'none' && access !== 'any' && access !== 'sandbox') || clientScope !== undefined)
    add('insufficient_scope');
  if (path.includes('/:')) add('not_found');
  if (path.includes('/:site_id') || names(query, 'site_id')) add('site_not_accessible');
  if (names(query, 'cursor')) add('invalid_cursor');
  // Bodies are read for every method that may have one.
  if (method !== 'GET' && !isTokenEndpoint(operation))
    add('malformed_json', 'payload_too_large', 'unsupported_media_type');
  return PROBLEM_CODES.filter((code) => found.has(code));
}

const names = (query: Operation['query'], key: string): boolean => Object.hasOwn(query?.properties ?? {}, key);
