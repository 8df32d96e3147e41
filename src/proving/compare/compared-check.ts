/**
 * Compares the answers of a service and a sandbox to the same request: status, code, headers and fields of the body. It does not
 * compare values, because the two worlds differ. [cli, compare]
 */
import { PROBLEMS } from '../../contract/problems.ts';
import { isMap } from '../../contract/schema.ts';
import type { CheckRequest, OpenReading, ReadCheck } from './checks.ts';
import type { ApiExchange, Deviation } from './exchange.ts';

export interface ComparedCheck {
  readonly name: string;
  readonly clause: string;
  readonly request: string;
  /** `explained`: the answers differ, and another row of the report has the cause. */
  readonly result: 'same' | 'different' | 'explained' | 'unknown';
  /** The differences; for the result `unknown`, the reason. */
  readonly differences: readonly string[];
  /** The row that has the cause (a deviation, an open point, or another check); otherwise null. */
  readonly explained: string | null;
  readonly service: AnswerSummary | null;
  readonly sandbox: AnswerSummary | null;
  /** The open point that the check tests. */
  readonly open?: OpenReading;
}

interface AnswerSummary {
  readonly status: number;
  readonly code: string | null;
  readonly media: string;
}

/** A part of the answer that differs. */
interface AnswerDifference {
  readonly part: 'status' | 'code' | 'media' | 'header' | 'field';
  /** Name of the header or the field; otherwise empty. */
  readonly name: string;
  readonly text: string;
}

/** `METHOD /path?query`. */
const TOKEN_WORDS = { none: 'without a token', wrong: 'with an invalid token', basic: 'with HTTP Basic' } as const;

/** Shows the request, and how it differs from another one with the same address. It identifies the check in a baseline. */
function shownRequest({ method, path, query, token, scope, form, hasCredentials, json }: CheckRequest): string {
  const fields = Object.entries(form ?? {}).filter(([name]) => !name.startsWith('client_'));
  const how = [
    ...(token === undefined || (form !== undefined && token === 'none') ? [] : [TOKEN_WORDS[token]]),
    ...(scope === undefined ? [] : [`with the scope ${scope}`]),
    ...fields.map(([name, value]) => `${name}=${value}`),
    ...(hasCredentials === true ? ['with credentials'] : []),
    ...(form !== undefined && 'client_id' in form ? ['with invalid credentials'] : []),
    ...(json === undefined ? [] : ['as JSON']),
  ];
  return `${method} ${path}${query === undefined ? '' : `?${query}`}${how.length === 0 ? '' : ` (${how.join(', ')})`}`;
}

interface ComparedAnswers {
  /** An `Error` if the service did not answer. */
  readonly theirs: ApiExchange | Error;
  readonly ours: ApiExchange;
  /** Deviations that the judge found in the service's answer. */
  readonly found: readonly Deviation[];
  /** True if the client has already read objects of this kind. */
  readonly mayRead: boolean;
}

export function comparedCheck(
  { name, clause, request, open }: ReadCheck,
  { theirs, ours, found, mayRead }: ComparedAnswers,
): ComparedCheck {
  const common = {
    name,
    clause,
    request: shownRequest(request),
    sandbox: summaryOf(ours),
    explained: null,
    ...(open === undefined ? {} : { open }),
  };
  if (theirs instanceof Error) return { ...common, result: 'unknown', differences: [theirs.message], service: null };
  const service = summaryOf(theirs);
  const isForbidden = !mayRead && lacksScope(theirs) && !lacksScope(ours);
  // A missing permission or an outage shows nothing about the rest of the answer.
  if (isForbidden || (theirs.status !== ours.status && isUnavailable(theirs)))
    return { ...common, result: 'unknown', differences: [`the service answers ${theirs.status}`], service };
  const differences = differencesOf(theirs, ours);
  const causes = differences.map((one) => found.find((deviation) => isCauseOf(deviation, one)));
  const [cause] = causes;
  const texts = differences.map(({ text }) => text);
  if (cause !== undefined && !causes.includes(undefined))
    return {
      ...common,
      clause: cause.clause,
      result: 'explained',
      explained: deviationName(cause),
      differences: texts,
      service,
    };
  return { ...common, result: differences.length === 0 ? 'same' : 'different', differences: texts, service };
}

/**
 * True for an answer that shows nothing about the request: over a limit, down (a gateway answers 502 to 504), or a fault
 * that the contract allows everywhere, which is a 500 or 503 as problem+json. Any other 500 is a difference. [cli,
 * compare]
 */
function isUnavailable({ status, headers }: ApiExchange): boolean {
  const isProblem = (headers['content-type'] ?? '').toLowerCase().startsWith('application/problem+json');
  return [429, 502, 503, 504].includes(status) || (status === 500 && isProblem);
}

export const deviationName = ({ clause, operation, pointer }: Deviation): string =>
  `the deviation from ${clause} of ${operation}${pointer === '' ? '' : ` ${pointer}`}`;

/** An answer to HEAD has no body, so the header is checked too. */
const lacksScope = ({ status, headers, body }: ApiExchange): boolean =>
  status === 403 &&
  (codeOf(body) === 'insufficient_scope' || /insufficient_scope/.test(headers['www-authenticate'] ?? ''));

/** True if this deviation in the service's answer is the cause of the difference. */
function isCauseOf({ rule, pointer, point }: Deviation, { part, name }: AnswerDifference): boolean {
  // A reading of an open point may allow it. This is decided after all points are observed.
  if (point !== undefined) return false;
  if (OF_REQUESTS.includes(rule)) return true;
  switch (part) {
    case 'status':
      return rule === 'status' || rule === 'granted' || (rule === 'problem' && /^\/(status|code)$/.test(pointer));
    case 'code':
      return (rule === 'problem' && /^\/(code|error)$/.test(pointer)) || rule === 'json' || rule === 'granted';
    case 'media':
      return rule === 'media-type';
    case 'header':
      return rule === name;
    case 'field':
      return pointer.split('/').at(-1) === name || rule === 'json';
  }
}

/** Rules about requests that the service must refuse. */
const OF_REQUESTS: readonly string[] = ['token', 'scope', 'query'];

function summaryOf({ status, headers, body }: ApiExchange): AnswerSummary {
  return { status, code: codeOf(body), media: (headers['content-type'] ?? '').split(';')[0] ?? '' };
}

function differencesOf(theirs: ApiExchange, ours: ApiExchange): AnswerDifference[] {
  const [service, sandbox] = [summaryOf(theirs), summaryOf(ours)];
  const found: AnswerDifference[] = [];
  for (const key of ['status', 'code', 'media'] as const)
    if (service[key] !== sandbox[key])
      found.push({
        part: key,
        name: '',
        text: `${key}: ${service[key] ?? 'none'}, and the sandbox ${sandbox[key] ?? 'none'}`,
      });
  for (const name of ['www-authenticate', 'retry-after', 'allow'])
    if (name in theirs.headers !== name in ours.headers)
      found.push({
        part: 'header',
        name,
        text: `header ${name}: ${name in theirs.headers ? 'only the service has it' : 'only the sandbox has it'}`,
      });
  if (service.status !== sandbox.status) return found;
  const [a, b] = [fieldsOf(theirs.body), fieldsOf(ours.body)];
  if (a === null || b === null) return found;
  const only = (side: string, fields: readonly string[]) =>
    fields.map((field): AnswerDifference => {
      const name = field.replace(/^data\./, '');
      return { part: 'field', name, text: `field that only the ${side} has: ${field}` };
    });
  return [
    ...found,
    ...only(
      'sandbox',
      [...b].filter((field) => !a.has(field)),
    ),
    ...only(
      'service',
      [...a].filter((field) => !b.has(field)),
    ),
  ];
}

function codeOf(body: string): string | null {
  const value = jsonOf(body);
  const code = isMap(value) ? (value['code'] ?? value['error']) : null;
  return typeof code === 'string' ? code : null;
}

/**
 * True if the only difference is a code that the contract does not define. The set of codes is open, except for
 * `insufficient_scope`, which the specification names. [spec 7, decisions 2]
 */
export const isUnknownCode = ({ service, sandbox, differences }: ComparedCheck): boolean =>
  service?.code != null &&
  sandbox?.code != null &&
  service.status === sandbox.status &&
  sandbox.code !== 'insufficient_scope' &&
  differences.length === 1 &&
  !Object.hasOwn(PROBLEMS, service.code);

/** Returns the names of the answer's fields and of its first item's fields; null if there is no object or item to compare. */
function fieldsOf(body: string): ReadonlySet<string> | null {
  const value = jsonOf(body);
  if (!isMap(value)) return null;
  const { data } = value;
  const top = Object.keys(value).filter((key) => !['detail', 'errors', 'failing_since'].includes(key));
  if (!Array.isArray(data)) return new Set(top);
  const [first] = data;
  return isMap(first)
    ? new Set([
        ...top,
        ...Object.keys(first)
          .filter(isOfEveryContract)
          .map((key) => `data.${key}`),
      ])
    : null;
}

/**
 * False for fields that may be absent: `name` depends on the contract of the client, and a healthy destination may lack
 * `failing_since`. [spec 2 WorkerRef, open point failing-since-null]
 */
const isOfEveryContract = (field: string): boolean => field !== 'name' && field !== 'failing_since';

/** Returns null if the text is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
