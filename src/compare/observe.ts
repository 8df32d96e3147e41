/**
 * Sends the contract's read-only checks to a service and to a sandbox, and compares what they answer: status, code, headers and
 * shape of the body. What a world has in it differs, so values are not compared. [cli, compare]
 */
import { isMap } from '../contract/schema.ts';
import type { ApiExchange, Deviation } from './exchange.ts';
import type { ContractJudge } from './judge.ts';

/** One of the two sides. */
export interface ComparedService {
  readonly name: 'service' | 'sandbox';
  /** Sends a request; with the client's token unless `token` says otherwise. Throws `ServiceRefused` where nothing answers. */
  call(request: CheckRequest): Promise<ApiExchange>;
}

export interface CheckRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: string;
  /** `none`: no header; a text: this token. Absent: the client's own. */
  readonly token?: 'none' | 'wrong';
  readonly form?: Readonly<Record<string, string>>;
}

interface ReadCheck {
  readonly name: string;
  readonly clause: string;
  readonly request: CheckRequest;
}

const MISSING_ID = '00000000-0000-4000-8000-000000000000';
const LISTS = ['sites', 'alerts', 'musters', 'workers', 'devices', 'positions', 'events', 'webhooks'] as const;

const get = (name: string, clause: string, path: string, query?: string, token?: CheckRequest['token']): ReadCheck => ({
  name,
  clause,
  request: {
    method: 'GET',
    path,
    ...(query === undefined ? {} : { query }),
    ...(token === undefined ? {} : { token }),
  },
});

/** None of them changes anything. */
export const READ_CHECKS: readonly ReadCheck[] = [
  ...LISTS.map((list) => get(`the list of ${list}`, '[spec 3]', `/v1/${list}`)),
  ...(['alerts', 'events', 'workers'] as const).map((list) =>
    get(`a page of two ${list}`, '[decisions 1]', `/v1/${list}`, 'limit=2'),
  ),
  get('a page of none', '[decisions 1]', '/v1/alerts', 'limit=0'),
  get('a page of 201', '[decisions 1]', '/v1/alerts', 'limit=201'),
  get('a cursor that nobody issued', '[decisions 1]', '/v1/alerts', 'cursor=abc'),
  get('an unknown query parameter', '[decisions 1]', '/v1/alerts', 'stauts=resolved'),
  get('a list of values with a comma', '[decisions 1]', '/v1/alerts', 'status=resolved,acknowledged'),
  get('a list of values by repetition', '[decisions 1]', '/v1/alerts', 'status=resolved&status=acknowledged'),
  get('a value that is no status', '[decisions 1]', '/v1/alerts', 'status=closed'),
  get('a time that is none', '[decisions 1]', '/v1/alerts', 'created_after=yesterday'),
  get(
    'bounds that are turned',
    '[decisions 1]',
    '/v1/alerts',
    'created_after=2026-01-02T00:00:00Z&created_before=2026-01-01T00:00:00Z',
  ),
  get('a site of nobody', '[decisions 2]', '/v1/alerts', `site_id=${MISSING_ID}`),
  ...(['alerts', 'musters'] as const).map((list) =>
    get(`an unknown id of ${list}`, '[decisions 2]', `/v1/${list}/${MISSING_ID}`),
  ),
  get('the zones of no site', '[decisions 2]', `/v1/sites/${MISSING_ID}/zones`),
  get('an id that is none', '[decisions 2]', '/v1/alerts/not-an-id'),
  get('a path that is none', '[decisions 2]', '/v1/nothing'),
  { name: 'a method that is none', clause: '[decisions 2]', request: { method: 'PUT', path: '/v1/alerts' } },
  get('no token', '[spec 5]', '/v1/alerts', undefined, 'none'),
  get('a token of nobody', '[spec 5]', '/v1/alerts', undefined, 'wrong'),
  {
    name: 'another grant',
    clause: '[decisions 3]',
    request: { method: 'POST', path: '/v1/oauth/token', token: 'none', form: { grant_type: 'password' } },
  },
  {
    name: 'no grant',
    clause: '[decisions 3]',
    request: { method: 'POST', path: '/v1/oauth/token', token: 'none', form: {} },
  },
];

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

interface ObserveParts {
  readonly service: ComparedService;
  readonly sandbox: ComparedService;
  /** Judges the service's answers. */
  readonly judge: ContractJudge;
  /** Waits until the next request to the service may go. */
  readonly pace: () => Promise<void>;
  readonly onCheck: (check: ComparedCheck) => void;
}

/** The checks as they compared, and what of the service's answers does not fit the contract. */
export async function observe({ service, sandbox, judge, pace, onCheck }: ObserveParts): Promise<{
  readonly checks: readonly ComparedCheck[];
  readonly deviations: readonly Deviation[];
}> {
  const checks: ComparedCheck[] = [];
  const deviations: Deviation[] = [];
  for (const check of READ_CHECKS) {
    await pace();
    const theirs = await service.call(check.request).catch((error: Error) => error);
    // Nothing was answered at all: the address or the client is wrong, and the other checks would say it again.
    if (theirs instanceof Error && checks.every((one) => one.service === null)) throw theirs;
    const ours = await sandbox.call(check.request);
    if (!(theirs instanceof Error)) {
      deviations.push(...judge.add(theirs));
      for (const request of followUps(check.request, theirs)) {
        await pace();
        const answer = await service.call(request).catch(() => null);
        if (answer !== null) deviations.push(...judge.add(answer));
      }
    }
    const compared = comparedCheck(check, theirs, ours);
    checks.push(compared);
    onCheck(compared);
  }
  return { checks, deviations };
}

/** What can be read further where a list has something: its next page, its first object, and what belongs to that. Only judged. */
function followUps({ method, path, query, token }: CheckRequest, { status, body }: ApiExchange): CheckRequest[] {
  if (method !== 'GET' || status !== 200 || token !== undefined || (query !== undefined && !query.startsWith('limit')))
    return [];
  const value = jsonOf(body);
  const { data, next_cursor: cursor } = isMap(value) ? value : {};
  const page =
    typeof cursor === 'string' ? [{ method, path, query: `limit=2&cursor=${encodeURIComponent(cursor)}` }] : [];
  if (query !== undefined) return page;
  const [first] = Array.isArray(data) ? data : [];
  const id = isMap(first) ? first['id'] : undefined;
  if (typeof id === 'string' && path === '/v1/sites')
    return [...page, { method, path: `${path}/${encodeURIComponent(id)}/zones` }];
  if (typeof id !== 'string' || !HAS_OBJECTS.test(path)) return page;
  const object = { method, path: `${path}/${encodeURIComponent(id)}` };
  return [...page, object, ...(path === '/v1/musters' ? [{ method, path: `${object.path}/missing` }] : [])];
}

/** Lists whose objects can be read one by one. */
const HAS_OBJECTS = /^\/v1\/(alerts|musters)$/;

function comparedCheck(
  { name, clause, request }: ReadCheck,
  theirs: ApiExchange | Error,
  ours: ApiExchange,
): ComparedCheck {
  const shown = `${request.method} ${request.path}${request.query === undefined ? '' : `?${request.query}`}`;
  const common = { name, clause, request: shown, sandbox: summaryOf(ours) };
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
  return isMap(first) ? new Set([...top, ...Object.keys(first).map((key) => `data.${key}`)]) : null;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
