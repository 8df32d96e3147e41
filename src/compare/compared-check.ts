/** The answers of a service and of a sandbox to the same request: status, code, headers and shape of the body. Values differ with the world. [cli, compare] */
import { isMap } from '../contract/schema.ts';
import type { CheckRequest, ReadCheck } from './checks.ts';
import type { ApiExchange, Deviation } from './exchange.ts';

export interface ComparedCheck {
  readonly name: string;
  readonly clause: string;
  readonly request: string;
  readonly result: 'same' | 'different' | 'unknown';
  /** In what they differ, or why it is not known. */
  readonly differences: readonly string[];
  readonly service: AnswerSummary | null;
  readonly sandbox: AnswerSummary | null;
}

interface AnswerSummary {
  readonly status: number;
  readonly code: string | null;
  readonly media: string;
}

/** `METHOD /path?query`. */
const shownRequest = ({ method, path, query }: CheckRequest): string =>
  `${method} ${path}${query === undefined ? '' : `?${query}`}`;

/** `found`: what the contract's judge found in the service's answer. A difference that it explains has its clause. */
export function comparedCheck(
  { name, clause, request }: ReadCheck,
  theirs: ApiExchange | Error,
  ours: ApiExchange,
  found: readonly Deviation[],
): ComparedCheck {
  const clauses = new Set(found.map((one) => one.clause));
  const [explained] = clauses.size === 1 ? clauses : [];
  const common = { name, clause: explained ?? clause, request: shownRequest(request), sandbox: summaryOf(ours) };
  if (theirs instanceof Error) return { ...common, result: 'unknown', differences: [theirs.message], service: null };
  const service = summaryOf(theirs);
  // What the client may not ask, and an outage, say nothing of the rest.
  if (theirs.status !== ours.status && (theirs.status === 403 || theirs.status === 429 || theirs.status >= 500))
    return { ...common, result: 'unknown', differences: [`it answers ${theirs.status}`], service };
  const differences = differencesOf(theirs, ours);
  return { ...common, result: differences.length === 0 ? 'same' : 'different', differences, service };
}

function summaryOf({ status, headers, body }: ApiExchange): AnswerSummary {
  return { status, code: codeOf(body), media: (headers['content-type'] ?? '').split(';')[0] ?? '' };
}

function differencesOf(theirs: ApiExchange, ours: ApiExchange): string[] {
  const [service, sandbox] = [summaryOf(theirs), summaryOf(ours)];
  const found: string[] = [];
  for (const key of ['status', 'code', 'media'] as const)
    if (service[key] !== sandbox[key])
      found.push(`${key}: ${service[key] ?? 'none'}, and the sandbox ${sandbox[key] ?? 'none'}`);
  for (const name of ['www-authenticate', 'retry-after', 'allow'])
    if (name in theirs.headers !== name in ours.headers)
      found.push(`header ${name}: ${name in theirs.headers ? 'only the service has it' : 'only the sandbox has it'}`);
  if (service.status !== sandbox.status) return found;
  const [a, b] = [fieldsOf(theirs.body), fieldsOf(ours.body)];
  if (a === null || b === null) return found;
  const extra = [...a].filter((field) => !b.has(field));
  const missing = [...b].filter((field) => !a.has(field));
  if (missing.length > 0) found.push(`fields that only the sandbox has: ${missing.join(', ')}`);
  if (extra.length > 0) found.push(`fields that only the service has: ${extra.join(', ')}`);
  return found;
}

function codeOf(body: string): string | null {
  const value = jsonOf(body);
  const code = isMap(value) ? (value['code'] ?? value['error']) : null;
  return typeof code === 'string' ? code : null;
}

/** Names of the fields of the answer, and of the first item of its list; null: there is none to compare. */
function fieldsOf(body: string): ReadonlySet<string> | null {
  const value = jsonOf(body);
  if (!isMap(value)) return null;
  const { data } = value;
  const top = Object.keys(value).filter((key) => key !== 'detail' && key !== 'errors');
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

/** The names of workers are in the contract of some clients only. [spec 2 WorkerRef] */
const isOfEveryContract = (field: string): boolean => field !== 'name';

/** Null: it is no JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
