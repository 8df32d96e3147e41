/** Judges successes: the form of the answer, and whether the contract refuses the request. [spec 2, 4, 5] */

import type { CheckError } from '../../../contract/check.ts';
import { SCOPES } from '../../../contract/enumerations.ts';
import { isDateTime } from '../../../contract/formats.ts';
import { scopesFor } from '../../../contract/operations/all.ts';
import type { Operation } from '../../../contract/operations/operation.ts';
import { TOKEN_PATH } from '../../../contract/operations/operation.ts';
import { readQuery } from '../../../contract/query.ts';
import { NoQuery } from '../../../contract/requests.ts';
import { isMap } from '../../../contract/schema.ts';
import { jsonOf } from '../compared-check.ts';
import type { ApiExchange } from '../exchange.ts';
import { type Findings, schemaErrors } from './findings.ts';

/**
 * Reports an answered request that the contract refuses: without a token or a scope, or with an invalid query. [spec 5, decisions
 * 1, 2]
 */
export function judgeRequest(operation: Operation, call: ApiExchange, found: Findings): void {
  const { access, query } = operation;
  if (call.isAnonymous === true && access !== 'none')
    return found.add('token', '[spec 5]', '', 'is answered without a token');
  const { scopes } = call;
  const needed = scopesFor(operation);
  if (scopes !== undefined && needed.length > 0 && !needed.some((one) => scopes.includes(one)))
    return found.add('scope', '[spec 5]', '', `is answered with a token that lacks ${needed.join(' and ')}`);
  const read = readQuery(query ?? NoQuery, call.query);
  if (read.ok) return;
  const [first] = read.errors;
  const name = first?.pointer.slice(1) ?? '';
  const isUnknown = !Object.hasOwn(query?.properties ?? {}, name);
  const clause = isUnknown ? '[decisions 1, Unknown query parameters]' : QUERY_CLAUSES[name];
  found.addAll([
    {
      rule: 'query',
      clause: clause ?? '[decisions 2]',
      pointer: first?.pointer ?? '',
      detail: `is answered, but the contract refuses it: ${first?.detail}`,
      ...(isUnknown ? { point: 'unknown-parameters' } : {}),
    },
  ]);
}

const QUERY_CLAUSES: Readonly<Record<string, string>> = { limit: '[decisions 1, Page size]' };

export function judgeSuccess(route: Operation, call: ApiExchange, body: unknown, found: Findings): void {
  const { status, headers, body: text } = call;
  const schema = route.answers[status] ?? null;
  if (schema === null) {
    if (text !== '') found.add('no-body', '[spec 4]', '', `a ${status} has a body`);
    return;
  }
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    found.add(
      'media-type',
      '[spec 4]',
      '',
      `Content-Type is ${headers['content-type'] ?? 'missing'}, not application/json`,
    );
  if (route.path === TOKEN_PATH && !/no-store/.test(headers['cache-control'] ?? ''))
    found.add('cache-control', '[decisions 3, Responses]', '', 'an answer with a token has no Cache-Control: no-store');
  if (body === undefined)
    return text === '' && call.isWithoutContent !== true
      ? found.add('body', '[spec 4]', '', 'the body is missing')
      : undefined;
  judgeScopes(call, body, found);
  judgeUpdate(route, call, body, found);
  // The specification defines the bodies of tokens and secrets with their operations.
  const clause = route.method === 'POST' ? '[spec 4]' : '[spec 2]';
  for (const error of schemaErrors(schema, body))
    if (!isLeftOpen(call, error))
      found.add(
        'body',
        isOtherForm(body, error.pointer) ? '[decisions 1, Times]' : clause,
        error.pointer,
        error.detail,
      );
  if (route.path === TOKEN_PATH) judgeGranted(call, body, found);
}

/** True for a time in UTC in another notation. [decisions 1, Times] */
function isOtherForm(body: unknown, pointer: string): boolean {
  let value = body;
  for (const key of pointer.split('/').slice(1))
    value = Array.isArray(value) ? value[Number(key)] : isMap(value) ? value[key] : undefined;
  return typeof value === 'string' && isDateTime(value) && /(Z|[+-]00:00)$/i.test(value);
}

/** A token has only requested scopes, in the order of the scope table. [spec 4 Token request, decisions 3, Scope] */
function judgeGranted({ sent = '' }: ApiExchange, body: unknown, found: Findings): void {
  const granted =
    isMap(body) && typeof body['scope'] === 'string' ? body['scope'].split(' ').filter((one) => one !== '') : [];
  const json = jsonOf(sent);
  const wanted = isMap(json) ? json['scope'] : new URLSearchParams(sent).get('scope');
  const isMore = typeof wanted === 'string' && wanted !== '' && granted.some((one) => !wanted.split(' ').includes(one));
  if (isMore) return found.add('granted', '[spec 4]', '/scope', 'has a scope that was not requested');
  const places = granted.map((one) => (SCOPES as readonly string[]).indexOf(one));
  if (places.includes(-1)) found.add('granted', '[spec 5]', '/scope', 'has a scope that the contract does not define');
  else if (places.some((place, at) => at > 0 && place <= (places[at - 1] ?? -1)))
    found.add('granted', '[decisions 3, Scope]', '/scope', 'is not in the order of the scope table');
}

/** After an accepted update, the alert has the requested status. [spec 3] */
function judgeUpdate({ method }: Operation, { sent }: ApiExchange, body: unknown, found: Findings): void {
  if (method !== 'PATCH' || sent === undefined || !isMap(body)) return;
  const wanted = jsonOf(sent);
  if (isMap(wanted) && typeof wanted['status'] === 'string' && wanted['status'] !== body['status'])
    found.add('update', '[spec 3]', '/status', `is ${String(body['status'])} after an update to ${wanted['status']}`);
}

/** Without the scope positions:read, a missing list has no locations. [spec 2 MissingWorker, spec 5] */
function judgeScopes({ path, scopes }: ApiExchange, body: unknown, found: Findings): void {
  if (!/\/missing$/.test(path) || scopes === undefined || scopes.includes('positions:read') || !isMap(body)) return;
  const all = Array.isArray(body['data']) ? body['data'] : [];
  if (all.some((one) => isMap(one) && isMap(one['location'])))
    found.add('scope', '[spec 5]', '/data/*/location', 'is delivered without positions:read');
}

/**
 * True for keys whose absence the specification allows or leaves open: open points failing-since-null and
 * missing-without-positions.
 */
function isLeftOpen({ path, scopes }: ApiExchange, { pointer, detail }: CheckError): boolean {
  if (detail !== 'is required') return false;
  if (/\/failing_since$/.test(pointer)) return true;
  return (
    /\/missing$/.test(path) && /^\/data\/\d+\/location$/.test(pointer) && scopes?.includes('positions:read') === false
  );
}
