/** The step `api: {get: /v1/alerts, answers: {status: 200}}`: a call by the customer's own system. [scenario-language, Customer side] */

import { scopesAt } from '../../../contract/operations/all.ts';
import { OAUTH_ERROR_CODES, PROBLEM_CODES } from '../../../contract/problems.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean, shown } from '../../../plant/mistakes.ts';
import { underKey } from '../../../plant/short-forms.ts';
import { flowOf } from '../../model/flow.ts';
import type { Matcher } from '../../model/matchers.ts';
import { readBody, readMatcher, reportUndefined, reportUndefinedIn, shownCount } from '../../model/read-matcher.ts';
import { REFERENCES_IN_TEXT } from '../../model/references.ts';
import { type ApiBody, TOKEN_KINDS } from '../../model/scenario.ts';
import { aloneFor, company, type Field, field, matcher, oneOf, times, type ValueAlone } from '../field.ts';
import { map, readFields, reportUnknownKeys, schemaOf } from '../read-map.ts';
import { defineStep } from '../step.ts';

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

/** Limit of `times`. */
const MOST_CALLS = 10_000;

const path = (help: string): Field<string> =>
  field('text', help, { type: 'string' }, (value, at) => {
    if (typeof value !== 'string' || !/^\/v1\/\S*$/.test(value))
      return at.mistake(`${shown(value)} is not a path of the API. Write /v1/alerts, or /v1/alerts/$fall.id.`);
    // Parameters are substituted now; names that steps bind are substituted when the call is made.
    const { values } = at;
    const bound = value.replace(REFERENCES_IN_TEXT, (one) =>
      Object.hasOwn(values, one.slice(1)) ? String(values[one.slice(1)]) : one,
    );
    return reportUndefinedIn(bound, at) ? bound : null;
  });

const query: Field<JsonMap> = field('map', 'Query parameters.', { type: 'object' }, (value, at) => {
  if (!isMap(value)) return at.mistake(`${shown(value)} is not a query. Write {status: open, limit: 10}.`);
  return reportUndefined(value, at) ? value : null;
});

/** JSON null is a possible body, so the value is wrapped to distinguish it from an absent body. */
const jsonBody: Field<{ readonly json: unknown }> = field('any', 'The JSON body.', {}, (json, at) =>
  reportUndefined(json, at) ? { json } : null,
);

const scope: Field<string> = field(
  'text',
  'The requested scopes, separated by spaces.',
  { type: 'string' },
  (value, at) =>
    typeof value === 'string'
      ? value
      : at.mistake(`${shown(value)} is not a scope. Write alerts:read, or several with spaces.`),
);

const CODES: readonly string[] = [...PROBLEM_CODES, ...OAUTH_ERROR_CODES];

/** The keys of an expected answer. */
const ANSWER = {
  status: matcher('The HTTP status.'),
  code: field<Matcher>('matcher', 'The problem code, or the code of an OAuth error.', {}, (value, at) => {
    const read = readMatcher(value, at);
    if (typeof value !== 'string' || read?.kind !== 'equal' || CODES.includes(value)) return read;
    return at.mistake(`${quoted(value)} is no code of the API.${didYouMean(value, CODES)}`);
  }),
  body: matcher('The body. Only the given keys are compared.'),
  headers: field<Matcher>('matcher', 'Headers by name; upper and lower case are equal.', {}, (value, at) => {
    const lowerCase = isMap(value)
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name.toLowerCase(), item]))
      : value;
    return readBody(lowerCase, at);
  }),
};

const isCode = (value: unknown): boolean => typeof value === 'string' && CODES.includes(value);

const STATUS_ALONE = aloneFor('status', '404', { type: ['integer', 'string'] });

/** The answer as one body: `{status, code, body, headers}`. */
const answers: Field<Matcher> = {
  ...field<Matcher>(
    'map',
    'The expected answer: {status, code, body, headers}. Without it, any answer is accepted.',
    schemaOf(ANSWER),
    (value, at) => {
      if (!isMap(value))
        return at.mistake(
          `${shown(value)} is not an answer. Write answers: ${flowOf(isCode(value) ? { code: value } : { status: 200 })}.`,
        );
      reportUnknownKeys(value, Object.keys(ANSWER), 'is not a key of "answers"', at);
      const { whole } = readFields(value, ANSWER, at);
      return whole === null ? null : { kind: 'fields', fields: new Map(Object.entries(whole) as [string, Matcher][]) };
    },
  ),
  fields: ANSWER,
  alone: {
    ...STATUS_ALONE,
    // A code is no status, and "answers: rate_limited" can only mean a code.
    longOf: (value) =>
      isCode(value) || !(Number.isInteger(value) || typeof value === 'string') ? null : STATUS_ALONE.longOf(value),
  },
};

const CALL = /^(get|post|patch|delete)\s+(\S.*)$/i;

/** `GET /v1/alerts` stands for `{get: /v1/alerts}`. */
const callAlone: ValueAlone = {
  keys: METHODS,
  example: 'GET /v1/alerts',
  schema: { type: 'string', pattern: '^(GET|POST|PATCH|DELETE) /v1/' },
  longOf: (value) => {
    const [, method, called] = typeof value === 'string' ? (CALL.exec(value) ?? []) : [];
    return method === undefined || called === undefined ? null : underKey(method.toLowerCase(), called);
  },
};

/** The path, if only the method is missing. */
const writtenCall = (value: unknown): string =>
  typeof value === 'string' && value.startsWith('/') ? `GET ${value}` : callAlone.example;

export const API = defineStep({
  word: 'api',
  group: 'customer',
  help: 'The customer’s own system calls the API. The step checks the answer.',
  example: '{get: /v1/alerts, query: {status: unacknowledged}, answers: {status: 200}}',
  modifiers: ['as'],
  value: map('The call, and the expected answer.', {
    word: 'api',
    write: writtenCall,
    alone: callAlone,
    only: { keys: METHODS, message: 'A call has one method. Write get, post, patch or delete and a path.' },
    fields: {
      get: path('The path; it can contain $name and $name.field.'),
      post: path('The path.'),
      patch: path('The path.'),
      delete: path('The path.'),
      query,
      body: jsonBody,
      company: company('The company whose client makes the call. Default: the own company of the file.'),
      token: oneOf('The token of the call. Default: valid.', TOKEN_KINDS, 'a token'),
      scope,
      times: times('The number of calls. Only the last answer is checked.', MOST_CALLS),
      answers,
    },
  }),
  mutation: {
    kind: 'left-out',
    judged: 'answers',
    unless: (call) => (isWriting(call) ? null : 'A call that only reads, or that fails, changes nothing.'),
  },
  permission: (call: ApiBody) => ({ kind: 'call', call }),
  read: ({ given, each, whole }, at) => {
    const method = METHODS.find((key) => Object.hasOwn(given, key));
    const called = method === undefined ? undefined : each[method];
    const isTooWide = method !== undefined && isOpenRoute(method, called);
    if (each.token === 'narrow' && isTooWide)
      return at.of('token').mistake(`Any token may ${method} ${called}, so none is too narrow. Write another token.`);
    if (method === undefined || typeof called !== 'string' || whole === null) return null;
    const body: ApiBody = {
      kind: 'api',
      method: method.toUpperCase() as ApiBody['method'],
      path: called,
      query: whole.query ?? {},
      body: whole.body?.json,
      company: whole.company ?? null,
      token: whole.token ?? 'valid',
      scope: whole.scope ?? null,
      times: whole.times ?? 1,
      answers: whole.answers ?? null,
    };
    return { body, text: textOf(body), names: 'answer' };
  },
});

/** Returns true if the route needs no scope. */
const isOpenRoute = (method: string, called: string | null | undefined): boolean =>
  typeof called === 'string' && scopesAt(method.toUpperCase(), called).length === 0;

/**
 * Returns true if a call is expected to have an effect; without `answers`, every call is. Only such a call can be left
 * out by a mutation.
 */
function isWriting(call: JsonMap): boolean {
  const { answers: expected } = call;
  if (!isMap(expected)) return true;
  const { status } = expected;
  return !Object.hasOwn(call, 'get') && !(typeof status === 'number' && status >= 400);
}

function textOf({ method, path: called, query: parameters, token, times: count, company: whose }: ApiBody): string {
  const query = Object.entries(parameters).map(([key, item]) => `${key}=${String(item)}`);
  const parts = [
    `api ${method} ${called}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    whose === null ? '' : `as ${whose}`,
    token === 'valid' ? '' : `token ${token}`,
    count === 1 ? '' : `${shownCount(count)} times`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
