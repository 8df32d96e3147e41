/** Reads the steps that are not actions: those of the customer's side (`api`, `webhook`, `receiver`), updates of alerts, `wait`, `mark`, and those that hold others or turn the clock. [scenario-language, Customer side] */

import { HIGHEST_SPEED } from '../../base/clock.ts';
import { explainDuration } from '../../base/durations.ts';
import type { Slices } from '../../base/slices.ts';
import { PROBLEM_CODES } from '../../contract/problems.ts';
import { AlertUpdate } from '../../contract/requests.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { plural, quoted } from '../../contract/sentences.ts';
import { didYouMean, shown } from '../../plant/mistakes.ts';
import { scopesOf } from '../customer/customer.ts';
import { readAlertNames } from '../judging/subjects/alert.ts';
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
import { REFERENCES_IN_TEXT, reportUndefined, reportUndefinedIn, written } from '../story/references.ts';
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
  if (typeof value !== 'string' || !/^\/v1\/\S*$/.test(value))
    return at.mistake(`${shown(value)} is not a path of the API. Write /v1/alerts, or /v1/alerts/$fall.id.`);
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
  if (!TOKEN_KINDS.includes(token as TokenKind))
    return at.of('token').mistake(`${shown(token)} is not a token.${didYouMean(token, TOKEN_KINDS)}`);
  if (token === 'narrow' && called !== null && scopesOf(method.toUpperCase(), called).length === 0)
    return at.of('token').mistake(`Any token may ${method} ${called}, so none is too narrow. Write another token.`);
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

/** `wait: 45s`. */
export function readWait(value: unknown, at: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  const ms = parseSpan(value);
  if (ms !== null) return { body: { kind: 'wait', ms }, text: `wait ${shownSpan(ms)}`, names: null };
  const isNoText = isMap(value) || value === null || Array.isArray(value);
  return at.mistake(isNoText ? `${shown(value)} is not a duration. Write wait: 45s.` : explainDuration(String(value)));
}

/** `mark: Nobody answers`. */
export function readMark(value: unknown, at: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') {
    return { body: { kind: 'mark', words: String(value) }, text: String(value), names: null };
  }
  return at.mistake(`${shown(value)} is not a text. Write mark: and some words.`);
}

const UPDATE_SHAPE: StepShape = {
  known: ['alert', 'by', 'reason', 'note', 'external_id', 'via'],
  needed: ['alert', 'by'],
  example: '{alert: $sos, by: Control desk 2}',
};
const UPDATE = AlertUpdate.properties;
const LONGEST = {
  by: longestOf(UPDATE.actor.properties.name),
  reason: longestOf(UPDATE.resolution_reason),
  note: longestOf(UPDATE.note),
  external_id: longestOf(UPDATE.actor.properties.external_id),
} as const;

function longestOf(schema: object): number {
  return (schema as { maxLength?: number }).maxLength ?? Number.POSITIVE_INFINITY;
}

/** `acknowledge: {alert: $sos, by: Control desk 2}`, and `resolve` with a reason and a note. */
export function readUpdate(status: 'acknowledged' | 'resolved') {
  const word = status === 'acknowledged' ? 'acknowledge' : 'resolve';
  return (value: unknown, at: StoryReading): ReadStep | null => {
    const map = readStepMap(word, value, UPDATE_SHAPE, at);
    if (map === null) return null;
    if (status === 'acknowledged' && Object.hasOwn(map, 'reason')) {
      at.of('reason').mistake('"reason" is for resolving. Write note, or delete it.', 'key');
    }
    const via = readVia(map, at);
    const alerts = readAlertNames(map['alert'], at.of('alert'));
    const [by, reason, note, externalId] = (['by', 'reason', 'note', 'external_id'] as const).map((key) =>
      readText(map, key, at),
    );
    if (alerts === null || typeof by !== 'string') return null;
    const body = {
      ...({ kind: 'update', status, via, alerts: alerts.references, by } as const),
      ...{ reason: reason ?? null, note: note ?? null, externalId: externalId ?? null },
    };
    const which = alerts.references.map(written).join(', ');
    return { body, text: `${word} ${which} by ${by}`, names: null };
  };
}

function readVia(value: JsonMap, at: StoryReading): 'api' | 'panel' {
  const { via } = value;
  if (via === undefined || via === 'api' || via === 'panel') return via ?? 'api';
  at.of('via').mistake(`${shown(via)} is not a way to do it.${didYouMean(via, ['api', 'panel'])}`);
  return 'api';
}

function readText(value: JsonMap, key: keyof typeof LONGEST, at: StoryReading): string | null {
  const text = value[key];
  if (text === undefined) return null;
  if (typeof text === 'string' || typeof text === 'number') {
    const most = LONGEST[key];
    if ([...String(text)].length > most)
      at.of(key).mistake(`${shown(text)} is too long. Write at most ${most} characters.`);
    else if (String(text).trim() === '' && key === 'by') at.of(key).mistake('Somebody does it. Write a name.');
    else return String(text);
    return null;
  }
  return at.of(key).mistake(`${shown(text)} is not a text. Write it in quotes.`);
}

const MOST_TIMES = 10_000;

const REPEAT: StepShape = {
  known: ['times', 'every', 'steps'],
  needed: ['times', 'steps'],
  example: '{times: 3, every: 10s, steps: [...]}',
};

const TURNS = ['speed', 'pause', 'advance'] as const;
const ONE_TURN = 'The clock does one thing at a time. Write speed, pause or advance.';
const CLOCK_EXAMPLE = '{advance: 10m}, {speed: 60} or {pause: 2s}';

/** `together: [steps]`: in parallel, starting at once. */
export function* readTogether(value: unknown, at: StoryReading): Slices<ReadStep | null> {
  if (value === undefined) return null;
  const steps = yield* at.readSteps(value, at);
  if (Array.isArray(value) && value.length === 0) {
    at.mistake('"together" has no steps. Write some below it, each with "- ".', 'key');
  }
  return { body: { kind: 'together', steps }, text: `together, ${plural(steps.length, 'step')}`, names: null };
}

/** `repeat: {times: 3, every: 10s, steps: [...]}`. */
export function* readRepeat(value: unknown, at: StoryReading): Slices<ReadStep | null> {
  const map = readStepMap('repeat', value, REPEAT, at);
  if (map === null) return null;
  const { times, every } = map;
  const count = times === undefined ? null : readTimesOf(times, MOST_TIMES, at.of('times'));
  const everyMs = parseSpan(every);
  if (every !== undefined && everyMs === null) at.of('every').mistake(explainDuration(String(every)));
  const steps = yield* at.readSteps(map['steps'], at.of('steps'));
  if (count === null) return null;
  const pause = everyMs === null ? '' : ` every ${shownSpan(everyMs)}`;
  return {
    body: { kind: 'repeat', times: count, everyMs, steps },
    text: `repeat ${count === 1 ? '1 time' : `${shownCount(count)} times`}${pause}`,
    names: null,
  };
}

/** `clock: {speed: 10}`, `{advance: 10m}` or `{pause: 2s}` (of wall time). */
export function readClock(value: unknown, at: StoryReading): ReadStep | null {
  const map = readStepMap('clock', value, { known: TURNS, example: CLOCK_EXAMPLE }, at);
  if (map === null) return null;
  const turn = readOnlyKey(map, TURNS, ONE_TURN, at);
  if (turn === null) return null;
  const to = map[turn];
  if (turn === 'speed') {
    if (typeof to === 'number' && to > 0 && to <= HIGHEST_SPEED)
      return { body: { kind: 'clock', turn, to }, text: `clock speed ${to}`, names: null };
    return at.of(turn).mistake(`${shown(to)} is not a speed. Write 1 to ${HIGHEST_SPEED}.`);
  }
  const ms = parseSpan(to);
  if (ms !== null) return { body: { kind: 'clock', turn, to: ms }, text: `clock ${turn} ${to}`, names: null };
  return at.of(turn).mistake(explainDuration(String(to)));
}
