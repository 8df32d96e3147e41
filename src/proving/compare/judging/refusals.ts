/** Judges refusals: the problem, its code, and the headers that it requires. [spec 7, decisions 2] */

import type { Operation } from '../../../contract/operations/operation.ts';
import { TOKEN_PATH } from '../../../contract/operations/operation.ts';
import { problemsOf } from '../../../contract/operations/refusals.ts';
import { OAuthError, PROBLEMS, Problem, problemSlug } from '../../../contract/problems.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import type { ApiExchange } from '../exchange.ts';
import { routeOf } from './contract-routes.ts';
import { type Findings, OF_GATEWAYS, schemaErrors } from './findings.ts';

/** `route` null: the contract has no such operation. */
export function judgeRefusal(route: Operation | null, call: ApiExchange, body: unknown, found: Findings): void {
  const { status, headers, path } = call;
  if (status === 429 && !/^[1-9]\d*$/.test(headers['retry-after'] ?? ''))
    found.add(
      'retry-after',
      '[spec 8]',
      '',
      `Retry-After of a 429 is ${headers['retry-after'] ?? 'missing'}, not whole seconds`,
    );
  if (
    status === 403 &&
    isMap(body) &&
    body['code'] === 'insufficient_scope' &&
    !/insufficient_scope/.test(headers['www-authenticate'] ?? '')
  )
    found.add(
      'www-authenticate',
      '[decisions 2]',
      '',
      'a 403 for a missing scope has no WWW-Authenticate with insufficient_scope',
    );
  const scheme = route?.path === TOKEN_PATH ? 'Basic' : 'Bearer';
  if (status === 401 && headers['www-authenticate'] === undefined)
    found.add('www-authenticate', '[spec 5]', '', 'a 401 has no WWW-Authenticate');
  else if (status === 401 && !headers['www-authenticate']?.toLowerCase().startsWith(scheme.toLowerCase()))
    found.add(
      'www-authenticate',
      scheme === 'Basic' ? '[decisions 3, Failures]' : '[decisions 2]',
      '',
      `WWW-Authenticate of a 401 is not ${scheme}`,
    );
  if (status === 405) judgeAllow(call, found);
  const isOAuth = route?.path === TOKEN_PATH && [400, 401, 413, 415, 429].includes(status);
  const media = isOAuth ? 'application/json' : 'application/problem+json';
  if (OF_GATEWAYS.includes(status) && !(headers['content-type'] ?? '').startsWith(media)) return;
  if (!(headers['content-type'] ?? '').startsWith(media))
    found.add(
      'media-type',
      '[spec 7]',
      '',
      `Content-Type of a ${status} is ${headers['content-type'] ?? 'missing'}, not ${media}`,
    );
  if (body === undefined) return;
  for (const { pointer, detail } of schemaErrors(isOAuth ? OAuthError : Problem, body))
    found.add('problem', '[spec 7]', pointer, detail);
  if (isOAuth || !isMap(body)) return;
  judgeProblem(route, { status, path, body }, found);
}

/** The codes whose status the specification itself states. */
const CODE_CLAUSES: Readonly<Record<string, string>> = {
  invalid_token: '[spec 5]',
  insufficient_scope: '[spec 5]',
  rate_limited: '[spec 8]',
  query_time_exceeded: '[spec 8]',
};

/** The Allow header of a 405 lists every method of the path. [decisions 1] */
function judgeAllow({ path, headers }: ApiExchange, found: Findings): void {
  const allowed = (headers['allow'] ?? '').toUpperCase().split(/[\s,]+/);
  const methods = METHODS.filter((method) => routeOf({ method, path }) !== undefined);
  if (methods.some((method) => !allowed.includes(method)))
    found.add('allow', '[decisions 1]', '', `Allow of a 405 is ${headers['allow'] ?? 'missing'}, and lacks a method`);
}
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

function judgeProblem(
  route: Operation | null,
  { status, path, body }: { readonly status: number; readonly path: string; readonly body: JsonMap },
  found: Findings,
): void {
  const { code, type, instance, errors } = body;
  if (status === 422 && !isErrorList(errors))
    found.add(
      'errors',
      '[decisions 2, Validation problems]',
      '/errors',
      'is not a list of objects with pointer and detail',
    );
  else if (
    status === 422 &&
    route?.method === 'GET' &&
    code === 'validation_failed' &&
    !pointersOf(errors).every((one) => one.startsWith('?'))
  )
    found.add(
      'errors',
      '[decisions 2, Validation problems]',
      '/errors/*/pointer',
      'does not name a query parameter in the form ?name',
    );
  if (body['status'] !== status)
    return found.add('problem', '[spec 7]', '/status', `is ${String(body['status'])} in a ${status}`);
  if (typeof instance === 'string' && instance !== path)
    found.add('problem', '[spec 7]', '/instance', 'is not the path of the request');
  if (typeof code !== 'string' || !Object.hasOwn(PROBLEMS, code)) return;
  const known = code as keyof typeof PROBLEMS;
  if (PROBLEMS[known].status !== status)
    return found.add(
      'problem',
      CODE_CLAUSES[known] ?? '[decisions 2]',
      '/code',
      `${code} has the status ${PROBLEMS[known].status}, not ${status}`,
    );
  if (typeof type === 'string' && !type.endsWith(`/problems/${problemSlug(known)}`))
    found.add('problem', '[spec 7]', '/type', `does not end in /problems/${problemSlug(known)}`);
  if (route !== null && !problemsOf(route).includes(known) && status !== 404)
    found.add('problem', '[decisions 2]', '/code', `${code} is not a problem of this operation`);
}

const pointersOf = (errors: unknown): string[] =>
  (Array.isArray(errors) ? errors : []).map((one) => (isMap(one) ? String(one['pointer']) : ''));

const isErrorList = (errors: unknown): boolean =>
  Array.isArray(errors) &&
  errors.every((one) => isMap(one) && typeof one['pointer'] === 'string' && typeof one['detail'] === 'string');
