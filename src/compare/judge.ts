/**
 * Judges traffic against the contract, without access to the service: status, headers and body of each answer by the table of
 * routes, and what several of them say of one alert, muster or event. Fields and words that the contract does not know are no
 * deviation, since the service may add some. [spec 2, 6, 7, decisions 2]
 */
import type { TSchema } from 'typebox';
import { problemsOf } from '../api/openapi/refusals.ts';
import { type Route, TOKEN_PATH } from '../api/route.ts';
import { type CheckError, check } from '../contract/check.ts';
import { API_VERSION, SCOPES } from '../contract/enumerations.ts';
import { Event } from '../contract/events.ts';
import { isDateTime } from '../contract/formats.ts';
import { OAuthError, PROBLEMS, Problem, problemSlug } from '../contract/problems.ts';
import { isMap, type JsonMap, withoutKeywords } from '../contract/schema.ts';
import { signatureFault } from '../scenario/customer/verify-signature.ts';
import { jsonOf } from './compared-check.ts';
import { vitalSign } from './contents.ts';
import { routeOf } from './contract-routes.ts';
import type { ApiExchange, ContractFinding, DeliveryTraffic, Deviation, Traffic } from './exchange.ts';
import { ObjectHistory } from './history/object-history.ts';

const opened = new WeakMap<TSchema, TSchema>();

/** The schema without the keywords that forbid additions: unknown fields, and new values of open sets. [decisions 2] */
function openSchema(schema: TSchema): TSchema {
  let open = opened.get(schema);
  if (open === undefined) {
    const growing = JSON.stringify(schema, (_key, value: unknown) =>
      isMap(value) && value['x-open'] !== undefined ? { type: 'string', description: value['description'] } : value,
    );
    open = withoutKeywords(
      JSON.parse(growing),
      (keyword, value) => keyword === 'additionalProperties' && value === false,
    ) as TSchema;
    opened.set(schema, open);
  }
  return open;
}

interface ContractJudgeParts {
  /** Secrets of destinations, with which deliveries may be signed; none: signatures are judged by their form. */
  readonly secrets: readonly string[];
  /** Each answer came before the next request; default: not known. */
  readonly isSequential?: boolean;
}

/** Of one service; traffic is added in the order in which it happened. */
export class ContractJudge {
  readonly #secrets: readonly string[];
  readonly #history: ObjectHistory;
  /** Exchanges and deliveries that were judged, by operation. */
  readonly judged = new Map<string, number>();

  constructor({ secrets, isSequential = false }: ContractJudgeParts) {
    this.#secrets = secrets;
    this.#history = new ObjectHistory({ isSequential });
  }

  add(traffic: Traffic): Deviation[] {
    return traffic.kind === 'call' ? this.#call(traffic) : this.#delivery(traffic);
  }

  #call(call: ApiExchange): Deviation[] {
    // HEAD is GET without its body. [decisions 1]
    if (call.method === 'HEAD') return [];
    const route = routeOf(call);
    const operation = route === undefined ? `${call.method} ${call.path}` : `${route.method} ${route.path}`;
    this.#count(route === undefined ? 'unknown operation' : operation);
    const found = new Findings(operation, call);
    if (route === undefined) {
      if (!call.path.startsWith('/v1/') || call.path.startsWith('/v1/sandbox/')) return found.all;
      if (call.status >= 400) judgeRefusal(null, call, parsed(call, found), found);
      else
        found.add(
          'unknown-operation',
          '[spec 4]',
          '',
          `answers ${call.status}, and the contract has no such operation`,
        );
      return found.all;
    }
    const body = parsed(call, found);
    if (call.status >= 400) judgeRefusal(route, call, body, found);
    else if (!(call.status in route.answers))
      found.add(
        'status',
        '[spec 4]',
        '',
        `answers ${call.status}; the contract has ${Object.keys(route.answers).join(', ')}`,
      );
    else judgeSuccess(route, call, body, found);
    const vital = vitalSign(body);
    if (vital !== null) found.add('vital-sign', '[spec 1]', vital, 'is a vital sign, and none is exposed');
    if (call.status === 200) found.addAll(this.#history.answer(route, call, body, found.all.length === 0));
    return found.all;
  }

  #delivery(delivery: DeliveryTraffic): Deviation[] {
    this.#count('delivery');
    const found = new Findings('delivery', delivery);
    const { headers } = delivery;
    const body = parsed(delivery, found);
    if (body === undefined) return found.all;
    for (const { pointer, detail } of schemaErrors(Event, body)) found.add('body', '[spec 6]', pointer, detail);
    judgeSender(delivery, found);
    const id = headers['x-service-event-id'];
    if (id === undefined) found.add('event-id', '[spec 6]', '', 'has no header X-Service-Event-Id');
    else if (isMap(body) && body['id'] !== id)
      found.add('event-id', '[spec 6]', '/id', 'X-Service-Event-Id is not the id of the event');
    const signed = {
      timestamp: headers['x-service-timestamp'],
      signature: headers['x-service-signature'],
      body: Buffer.from(delivery.body),
    };
    const form = signatureForm(signed.timestamp, signed.signature);
    if (form !== null) found.add('signature-form', '[spec 5]', '', form);
    else if (this.#secrets.length > 0) {
      // The delivery was sent when its timestamp says.
      const fault = signatureFault(signed, this.#secrets, Number(signed.timestamp) * 1_000);
      if (fault !== null) found.add('signature', '[spec 5]', '', fault);
    }
    found.addAll(this.#history.event(body, found.all.length === 0, null));
    return found.all;
  }

  #count(operation: string): void {
    this.judged.set(operation, (this.judged.get(operation) ?? 0) + 1);
  }
}

/** Places of lists are alike. */
const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** The deviations of one exchange or delivery. */
class Findings {
  readonly all: Deviation[] = [];
  readonly #operation: string;
  readonly #traffic: Traffic;

  constructor(operation: string, traffic: Traffic) {
    this.#operation = operation;
    this.#traffic = traffic;
  }

  add(rule: string, clause: string, pointer: string, detail: string): void {
    this.addAll([{ rule, clause, pointer, detail }]);
  }

  addAll(found: readonly ContractFinding[]): void {
    for (const one of found)
      this.all.push({
        ...one,
        pointer: placeOf(one.pointer),
        operation: one.operation ?? this.#operation,
        traffic: this.#traffic,
      });
  }
}

/** Undefined: there is none, or it is no JSON. */
function parsed({ body, headers }: Traffic, found: Findings): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    found.add('json', '[spec 7]', '', `the body is not JSON (${headers['content-type'] ?? 'no Content-Type'})`);
    return undefined;
  }
}

const schemaErrors = (schema: TSchema, body: unknown) => {
  const checked = check(openSchema(schema), body);
  return checked.ok ? [] : checked.errors;
};

function judgeSuccess(route: Route, call: ApiExchange, body: unknown, found: Findings): void {
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
    found.add('cache-control', '[decisions 3, Responses]', '', 'a token comes without Cache-Control: no-store');
  if (body === undefined) return text === '' ? found.add('body', '[spec 4]', '', 'there is no body') : undefined;
  judgeScopes(call, body, found);
  judgeUpdate(route, call, body, found);
  // The shapes of tokens and secrets stand with their operations.
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

/** A time in UTC that is written in another form. [decisions 1, Times] */
function isOtherForm(body: unknown, pointer: string): boolean {
  let value = body;
  for (const key of pointer.split('/').slice(1))
    value = Array.isArray(value) ? value[Number(key)] : isMap(value) ? value[key] : undefined;
  return typeof value === 'string' && isDateTime(value) && /(Z|[+-]00:00)$/i.test(value);
}

/** No more than was requested, in the order of the scopes. [spec 4 Token request, decisions 3, Scope] */
function judgeGranted({ sent = '' }: ApiExchange, body: unknown, found: Findings): void {
  const granted =
    isMap(body) && typeof body['scope'] === 'string' ? body['scope'].split(' ').filter((one) => one !== '') : [];
  const json = jsonOf(sent);
  const wanted = isMap(json) ? json['scope'] : new URLSearchParams(sent).get('scope');
  const isMore = typeof wanted === 'string' && wanted !== '' && granted.some((one) => !wanted.split(' ').includes(one));
  if (isMore) return found.add('granted', '[spec 4]', '/scope', 'has a scope that was not requested');
  const places = granted.map((one) => (SCOPES as readonly string[]).indexOf(one));
  if (places.includes(-1)) found.add('granted', '[spec 5]', '/scope', 'has a scope that the contract does not know');
  else if (places.some((place, at) => at > 0 && place <= (places[at - 1] ?? -1)))
    found.add('granted', '[decisions 3, Scope]', '/scope', 'is not in the order of the scope table');
}

/** An accepted update brings the alert to the status that it names. [spec 3] */
function judgeUpdate({ method }: Route, { sent }: ApiExchange, body: unknown, found: Findings): void {
  if (method !== 'PATCH' || sent === undefined || !isMap(body)) return;
  const wanted = jsonOf(sent);
  if (isMap(wanted) && typeof wanted['status'] === 'string' && wanted['status'] !== body['status'])
    found.add('update', '[spec 3]', '/status', `is ${String(body['status'])} after an update to ${wanted['status']}`);
}

/** A location without the scope positions:read. [spec 2 MissingWorker, spec 5] */
function judgeScopes({ path, scopes }: ApiExchange, body: unknown, found: Findings): void {
  if (!/\/missing$/.test(path) || scopes === undefined || scopes.includes('positions:read') || !isMap(body)) return;
  const all = Array.isArray(body['data']) ? body['data'] : [];
  if (all.some((one) => isMap(one) && isMap(one['location'])))
    found.add('scope', '[spec 5]', '/data/*/location', 'is delivered without positions:read');
}

/** Keys that the specification lets be absent, or does not say: open points failing-since-null and missing-without-positions. */
function isLeftOpen({ path, scopes }: ApiExchange, { pointer, detail }: CheckError): boolean {
  if (detail !== 'is required') return false;
  if (/\/failing_since$/.test(pointer)) return true;
  return (
    /\/missing$/.test(path) && /^\/data\/\d+\/location$/.test(pointer) && scopes?.includes('positions:read') === false
  );
}

/** Statuses that any server may answer beside those of the contract. */
const OF_THE_NETWORK: readonly number[] = [408, 431, 500, 502, 503, 504];

/** `route` null: the contract has no such operation. */
function judgeRefusal(route: Route | null, call: ApiExchange, body: unknown, found: Findings): void {
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
      'a 403 of a scope has no WWW-Authenticate with insufficient_scope',
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
  if (OF_THE_NETWORK.includes(status) && !(headers['content-type'] ?? '').startsWith(media)) return;
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

/** Every method of the path. [decisions 1] */
function judgeAllow({ path, headers }: ApiExchange, found: Findings): void {
  const allowed = (headers['allow'] ?? '').toUpperCase().split(/[\s,]+/);
  const methods = METHODS.filter((method) => routeOf({ method, path }) !== undefined);
  if (methods.some((method) => !allowed.includes(method)))
    found.add('allow', '[decisions 1]', '', `Allow of a 405 is ${headers['allow'] ?? 'missing'}, and lacks a method`);
}
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

function judgeProblem(
  route: Route | null,
  { status, path, body }: { readonly status: number; readonly path: string; readonly body: JsonMap },
  found: Findings,
): void {
  const { code, type, instance, errors } = body;
  if (status === 422 && !isErrorList(errors))
    found.add('errors', '[decisions 2, Validation problems]', '/errors', 'is no list of pointers with details');
  else if (
    status === 422 &&
    route?.method === 'GET' &&
    code === 'validation_failed' &&
    !pointersOf(errors).every((one) => one.startsWith('?'))
  )
    found.add('errors', '[decisions 2, Validation problems]', '/errors/*/pointer', 'names no query parameter by ?');
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
      `${code} comes with ${PROBLEMS[known].status}, not with ${status}`,
    );
  if (typeof type === 'string' && !type.endsWith(`/problems/${problemSlug(known)}`))
    found.add('problem', '[spec 7]', '/type', `does not end in /problems/${problemSlug(known)}`);
  if (route !== null && !problemsOf(route).includes(known) && status !== 404)
    found.add('problem', '[decisions 2]', '/code', `${code} is no problem of this operation`);
}

const pointersOf = (errors: unknown): string[] =>
  (Array.isArray(errors) ? errors : []).map((one) => (isMap(one) ? String(one['pointer']) : ''));

const isErrorList = (errors: unknown): boolean =>
  Array.isArray(errors) &&
  errors.every((one) => isMap(one) && typeof one['pointer'] === 'string' && typeof one['detail'] === 'string');

/** Most seconds between the signature and the delivery. [spec 8] */
const MOST_SKEW_S = 300;

/** Headers that name the sender and the body, and no token; and when it was signed. [spec 4 Receiver contract] */
function judgeSender({ headers, atMs }: DeliveryTraffic, found: Findings): void {
  const clause = '[spec 4]';
  const agent = headers['user-agent'];
  // Who keeps a delivery may keep some of its headers only.
  const isWhole = headers['host'] !== undefined;
  const media = headers['content-type'];
  if (agent !== `Service-Webhooks/${API_VERSION}` && (isWhole || agent !== undefined))
    found.add('user-agent', clause, '', `User-Agent is ${agent ?? 'missing'}, not Service-Webhooks/${API_VERSION}`);
  if (!/^application\/json\b/.test(media ?? '') && (isWhole || media !== undefined))
    found.add('media-type', clause, '', `Content-Type is ${media ?? 'missing'}, not application/json`);
  if (headers['authorization'] !== undefined) found.add('token', clause, '', 'has an Authorization header');
  const signedAt = Number(headers['x-service-timestamp']);
  if (atMs !== undefined && Math.abs(signedAt - atMs / 1_000) > MOST_SKEW_S)
    found.add('timestamp', '[spec 5]', '', 'X-Service-Timestamp is more than 5 minutes from when it was delivered');
}

/** Null: a signature of the contract, or two during a rotation. */
function signatureForm(timestamp: string | undefined, signature: string | undefined): string | null {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    return 'X-Service-Timestamp is not a time in Unix seconds';
  const given = (signature ?? '').split(',');
  if (given.length > 2)
    return `X-Service-Signature has ${given.length} signatures, and at most two are valid at a time`;
  return given.every((one) => /^v1=[0-9a-f]{64}$/.test(one))
    ? null
    : 'X-Service-Signature is not v1= and 64 hex digits';
}
