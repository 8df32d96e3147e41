/** Reads the steps of the customer's side that are not actions: `api`, `webhook` and `receiver`. [scenario-language, Customer side] */

import { explainDuration } from '../../base/durations.ts';
import { PROBLEM_CODES } from '../../contract/problems.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, shown } from '../../plant/mistakes.ts';
import { scopesOf } from '../customer/customer.ts';
import { parseSpan, shownSpan } from '../story/draws.ts';
import type { Matcher } from '../story/matchers.ts';
import {
  readBody,
  readMatcher,
  readOneOf,
  readOnlyKey,
  readReceiverName,
  readStepMap,
  readTimesOf,
  reportKeys,
  type StepShape,
  type StoryReading,
  shownCount,
} from '../story/read-matcher.ts';
import { readBehaviours } from '../story/receiver-behaviour.ts';
import { REFERENCES_IN_TEXT, reportUndefined, reportUndefinedIn } from '../story/references.ts';
import { type ApiBody, type RepeatCount, TOKEN_KINDS, type TokenKind, WEBHOOK_TURNS } from '../story/story.ts';
import type { Beside, ReadStep } from './step-kinds.ts';

const METHODS = ['get', 'post', 'patch', 'delete'] as const;
export const API_KEYS = [...METHODS, 'query', 'body', 'company', 'token', 'scope', 'times', 'answers'] as const;
export const ANSWER_KEYS = ['status', 'code', 'body', 'headers'] as const;

const API_EXAMPLE = '{get: /v1/alerts, answers: {status: 200}}';

/** Limit of `times`. */
const MOST_CALLS = 10_000;

/** `api: {get: /v1/alerts, answers: {status: 200}}`. */
export function readApi(value: unknown, at: StoryReading): ReadStep | null {
  const map = readStepMap('api', value, { known: API_KEYS, example: API_EXAMPLE }, at);
  if (map === null) return null;
  const oneMethod = 'A call has one method. Write get, post, patch or delete and a path.';
  const method = readOnlyKey(map, METHODS, oneMethod, at);
  if (method === null) return null;
  const called = readPath(map[method], at.of(method));
  const company = readCompany(map, at);
  const token = readToken(map, method, called, at);
  const { query = {}, body, scope = null } = map;
  if (!isMap(query)) at.of('query').mistake(`${shown(query)} is not a query. Write {status: open, limit: 10}.`);
  if (scope !== null && typeof scope !== 'string')
    at.of('scope').mistake(`${shown(scope)} is not a scope. Write alerts:read, or several with spaces.`);
  const times = readTimes(map, at);
  const answers = Object.hasOwn(map, 'answers') ? readAnswers(map['answers'], at.of('answers')) : undefined;
  const named = [reportUndefined(query, at.of('query')), reportUndefined(body, at.of('body'))];
  const broken = [called, company, token, times, answers].includes(null) || named.includes(false);
  if (broken || !isMap(query) || (scope !== null && typeof scope !== 'string')) return null;
  const step: ApiBody = {
    ...{ kind: 'api', method: method.toUpperCase() as ApiBody['method'], path: called as string, query, body },
    ...{ company: company ?? null, token: token ?? 'valid', scope: scope as string | null, times: times ?? 1 },
    answers: answers ?? null,
  };
  return { body: step, text: textOf(step), names: 'answer' };
}

function textOf({ method, path, query, token, times, company }: ApiBody): string {
  const asked = Object.entries(query).map(([key, item]) => `${key}=${String(item)}`);
  const said = [
    `api ${method} ${path}${asked.length === 0 ? '' : `?${asked.join('&')}`}`,
    company === null ? '' : `as ${company}`,
    token === 'valid' ? '' : `token ${token}`,
    times === 1 ? '' : `${shownCount(times)} times`,
  ];
  return said.filter((part) => part !== '').join(', ');
}

function readPath(value: unknown, at: StoryReading): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^\/v1\/\S*$/.test(value)) {
    at.mistake(`${shown(value)} is not a path of the API. Write /v1/alerts, or /v1/alerts/$fall.id.`);
    return null;
  }
  // Parameters are substituted now, names bound by steps when the call is made.
  const { values } = at;
  const bound = value.replace(REFERENCES_IN_TEXT, (one) =>
    Object.hasOwn(values, one.slice(1)) ? String(values[one.slice(1)]) : one,
  );
  return reportUndefinedIn(bound, at) ? bound : null;
}

function readCompany(value: JsonMap, at: StoryReading): string | null | undefined {
  const { company } = value;
  if (company === undefined) return undefined;
  return readOneOf(company, at.companies, 'not a company of the story', at.of('company'));
}

function readToken(
  value: JsonMap,
  method: string,
  called: string | null,
  at: StoryReading,
): TokenKind | null | undefined {
  const { token } = value;
  if (token === undefined) return undefined;
  if (!TOKEN_KINDS.includes(token as TokenKind)) {
    at.of('token').mistake(`${shown(token)} is not a token.${didYouMean(token, TOKEN_KINDS)}`);
    return null;
  }
  if (token === 'narrow' && called !== null && scopesOf(method.toUpperCase(), called).length === 0) {
    at.of('token').mistake(`Any token may ${method} ${called}, so none is too narrow. Write another token.`);
    return null;
  }
  return token as TokenKind;
}

function readTimes({ times }: JsonMap, at: StoryReading): RepeatCount | null | undefined {
  return times === undefined ? undefined : readTimesOf(times, MOST_CALLS, at.of('times'));
}

/** The answer as one body: `{status, code, body, headers}`. */
function readAnswers(value: unknown, at: StoryReading): Matcher | null {
  if (!isMap(value)) {
    if (value !== undefined) at.mistake(`${shown(value)} is not an answer. Write {status: 200}.`);
    return null;
  }
  reportKeys(value, ANSWER_KEYS, 'is not a key of "answers"', at);
  const fields = new Map<string, Matcher | null>();
  for (const key of ['status', 'code', 'body'] as const) {
    if (Object.hasOwn(value, key)) fields.set(key, readMatcher(value[key], at.of(key)));
  }
  const code = value['code'];
  const plain = typeof code === 'string' && fields.get('code')?.kind === 'equal';
  if (plain && !OAUTH_AND_PROBLEM_CODES.includes(code)) {
    at.of('code').mistake(`${quoted(code)} is no code of the API.${didYouMean(code, OAUTH_AND_PROBLEM_CODES)}`);
    fields.set('code', null);
  }
  if (Object.hasOwn(value, 'headers')) {
    const { headers } = value;
    const small = isMap(headers)
      ? Object.fromEntries(Object.entries(headers).map(([name, item]) => [name.toLowerCase(), item]))
      : headers;
    fields.set('headers', readBody(small, at.of('headers')));
  }
  return [...fields.values()].includes(null) ? null : { kind: 'fields', fields: fields as Map<string, Matcher> };
}

const OAUTH_CODES = [
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];
const OAUTH_AND_PROBLEM_CODES: readonly string[] = [...PROBLEM_CODES, ...OAUTH_CODES];

/** `webhook: {rotate_secret: erp}`. */
export function readWebhook(value: unknown, at: StoryReading): ReadStep | null {
  const map = readStepMap('webhook', value, { known: WEBHOOK_TURNS, example: '{rotate_secret: erp}' }, at);
  if (map === null) return null;
  const oneTurn = 'A destination is turned once a step. Write create, delete, rotate_secret or test.';
  const turn = readOnlyKey(map, WEBHOOK_TURNS, oneTurn, at);
  if (turn === null) return null;
  const receiver = readReceiverName(map[turn], at.of(turn));
  if (receiver === null) return null;
  return {
    body: { kind: 'webhook', turn, receiver },
    text: `webhook ${turn} ${receiver}`,
    names: null,
  };
}

const RECEIVER: StepShape = {
  known: ['name', 'does', 'delay'],
  needed: ['name', 'does'],
  example: '{name: erp, does: 503}',
};

/** `receiver: {name: erp, does: 503}` with `for: 3m`. */
export function readReceiver(value: unknown, at: StoryReading, { forMs }: Beside): ReadStep | null {
  const map = readStepMap('receiver', value, RECEIVER, at);
  if (map === null) return null;
  const receiver = readReceiverName(map['name'], at.of('name'));
  const does = map['does'] === undefined ? null : readBehaviours(map['does'], at.of('does'));
  const { delay } = map;
  const delayMs = parseSpan(delay);
  if (delay !== undefined && delayMs === null) at.of('delay').mistake(explainDuration(String(delay)));
  if (receiver === null || does === null || (delay !== undefined && delayMs === null)) return null;
  const lasting = forMs === null ? '' : ` for ${shownSpan(forMs)}`;
  const waits = delayMs === null ? '' : ` after ${shownSpan(delayMs)}`;
  return {
    body: { kind: 'receiver', receiver, does, delayMs, forMs },
    text: `receiver ${receiver} does ${does.join(', ')}${waits}${lasting}`,
    names: null,
  };
}
