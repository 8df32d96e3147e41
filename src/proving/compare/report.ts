/** Groups deviations. Each group has its smallest example, without names and secrets. */
import { isMap } from '../../contract/schema.ts';
import type { Deviation, Traffic } from './exchange.ts';
import { withoutTokens } from './without-tokens.ts';

export interface DeviationGroup {
  /** Identifies the group in a baseline. It is the same in each run. */
  readonly key: string;
  /** Operation of the smallest example. */
  readonly operation: string;
  /** All operations in which the deviation occurred. */
  readonly operations: readonly string[];
  readonly clause: string;
  readonly pointer: string;
  readonly detail: string;
  /** Number of occurrences. */
  readonly times: number;
  readonly example: DeviationExample;
  /** True if the baseline contains the group. */
  readonly isKnown: boolean;
}

interface DeviationExample {
  readonly source: string;
  /** `GET /v1/alerts?limit=2`, or `delivery`. */
  readonly request: string;
  readonly status: number | null;
  /** The object of the body that contains the deviation, or the whole body. */
  readonly body: string;
}

/** Most characters of an example's body. */
const MOST_CHARS = 600;

/** Returns the key of the deviation's group. A fault of an alert has the same key in a list, a single answer and an event. */
export const keyOfDeviation = ({ operation, rule, clause, pointer }: Deviation): string =>
  [rule, clause, OF_ANY.includes(rule) ? pointer : subjectOf(operation, pointer)].join(' ');

/** Rules about refusals and lists. They have the same key in all operations. */
const OF_ANY: readonly string[] = [
  'problem',
  'errors',
  'query',
  'filter',
  'limit',
  'order',
  'page',
  'page-end',
  'lost',
  'repeated',
];

const KINDS: Readonly<Record<string, string>> = {
  alerts: 'alert',
  musters: 'muster',
  workers: 'worker',
  devices: 'device',
  sites: 'site',
  events: 'event',
};
/** The path to an object that other objects refer to. */
const REFERENCE = /^.*\/(alert|muster|worker|device|site|zone|location)(?=\/)/;

/** Returns the kind of object and its field, without the path to the object; empty if the deviation is not in the body. */
function subjectOf(operation: string, pointer: string): string {
  const kind = KINDS[operation.split('/')[2] ?? ''] ?? operation;
  const isMissing = operation.endsWith('/missing');
  const place = `/${isMissing ? 'missing' : kind}${pointer.replace(/^\/data\/\*/, '')}`;
  return pointer === '' ? pointer : place.replace(REFERENCE, '$1');
}

/** Sorts the groups by operation, then by number of occurrences. `isRedacted` false: bodies keep their names. */
export function groupedDeviations(
  deviations: readonly Deviation[],
  { isRedacted, known }: { readonly isRedacted: boolean; readonly known: ReadonlySet<string> },
): DeviationGroup[] {
  const groups = new Map<string, Deviation[]>();
  for (const one of deviations) {
    const key = keyOfDeviation(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups]
    .map(([key, all]): DeviationGroup => {
      const smallest = all.toSorted((a, b) => a.traffic.body.length - b.traffic.body.length)[0] as Deviation;
      const { operation, clause, pointer, detail, traffic } = smallest;
      const example = exampleOf(traffic, pointer, isRedacted);
      const operations = [...new Set(all.map((one) => one.operation))];
      const isKnown = known.has(key);
      return { key, operation, operations, clause, pointer, detail, times: all.length, example, isKnown };
    })
    .toSorted((a, b) => a.operation.localeCompare(b.operation) || b.times - a.times || a.key.localeCompare(b.key));
}

function exampleOf(traffic: Traffic, pointer: string, isRedacted: boolean): DeviationExample {
  const { source, body } = traffic;
  const request =
    traffic.kind === 'delivery'
      ? 'delivery'
      : `${traffic.method} ${traffic.path}${traffic.query === '' ? '' : `?${shownQuery(traffic.query, isRedacted)}`}`;
  return {
    source,
    request,
    status: traffic.kind === 'call' ? traffic.status : null,
    body: shownBody(body, pointer, isRedacted),
  };
}

/** The result never contains a token or a secret, even with `--redact off`. */
function shownBody(body: string, pointer: string, isRedacted: boolean): string {
  const text = withoutTokens(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return isRedacted ? `${text.length} characters that are not JSON` : text.slice(0, MOST_CHARS);
  }
  const at = objectAround(value, pointer.split('/').slice(1));
  return JSON.stringify(isRedacted ? redacted(at) : at).slice(0, MOST_CHARS);
}

/** Returns the object that contains the place, so that a reader sees the fields next to it. */
function objectAround(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || rest.length === 0) return value;
  const next = Array.isArray(value) ? value[key === '*' ? 0 : Number(key)] : isMap(value) ? value[key] : undefined;
  return next === undefined || typeof next !== 'object' || next === null ? value : objectAround(next, rest);
}

/** Keeps words of the contract, times, numbers and ids, and replaces every other text with its length. */
function redacted(value: unknown): unknown {
  if (typeof value === 'string') return isHarmless(value) ? value : `<${value.length} characters>`;
  if (Array.isArray(value)) return value.map(redacted);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isPrivate(key) ? hidden(item) : redacted(item)]),
  );
}

const hidden = (value: unknown): unknown =>
  value === null || typeof value === 'object' ? redacted(value) : '<hidden>';
/** Names and secrets can look like words of the contract, so the values of these keys are always hidden. */
const isPrivate = (key: string): boolean =>
  /name|title|label|contractor|external_id|reason|note|by$|secret|token|latitude|longitude|assigned_to/.test(key);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isHarmless = (text: string): boolean =>
  /^[a-z][a-z0-9_.*:]{0,39}$/.test(text) ||
  /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ||
  UUID.test(text);

/** The result never contains a token. */
const shownQuery = (query: string, isRedacted: boolean): string => {
  const text = withoutTokens(query);
  return isRedacted ? redactedQuery(text) : text;
};

const redactedQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return isPrivate(name) || !isHarmless(decoded(value)) ? `${name}=…` : pair;
    })
    .join('&');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
