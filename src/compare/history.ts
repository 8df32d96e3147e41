/** Invariants of alerts, musters and events: within one body, and across the answers and deliveries of one service. [spec 2, 3, 6] */
import type { Route } from '../api/route.ts';
import { TOTALS_COUNTERS } from '../contract/resources.ts';
import { isMap, type JsonMap } from '../contract/schema.ts';
import { canonicalJson } from '../scenario/log/canonical-log.ts';
import type { Deviation } from './exchange.ts';

type Found = Pick<Deviation, 'rule' | 'clause' | 'pointer' | 'detail'>;

/** The status of an alert after each event. [spec 3, 6] */
const STATUS_AFTER: Readonly<Record<string, string>> = {
  'alert.created': 'unacknowledged',
  'alert.acknowledged': 'acknowledged',
  'alert.resolved': 'resolved',
  'alert.reopened': 'unacknowledged',
};

/** Fields that never change. */
const FIXED: Readonly<Record<'alert' | 'muster', readonly string[]>> = {
  alert: ['type', 'date_created'],
  muster: ['started_at'],
};

export class ObjectHistory {
  readonly #first = new Map<string, JsonMap>();
  /** By kind, id and version: the status of that version. */
  readonly #versions = new Map<string, unknown>();
  /** By id: `date_last_modified` of the newest answer to a GET of the alert. */
  readonly #modified = new Map<string, string>();
  readonly #ended = new Map<string, unknown>();
  readonly #events = new Map<string, string>();

  /** A body of a 200. */
  answer({ method, path }: Route, body: unknown): Found[] {
    if (!isMap(body)) return [];
    const kind = /^\/v1\/(alert|muster|event)s(?:\/:\w+)?$/.exec(path)?.[1] as 'alert' | 'muster' | 'event' | undefined;
    if (kind === undefined) return [];
    const isList = Array.isArray(body['data']);
    const all = (isList ? (body['data'] as unknown[]) : [body]).filter(isMap);
    const found = all.flatMap((one, place) => {
      const of = kind === 'event' ? this.event(one) : this.#object(kind, one);
      const at = isList ? `/data/${place}` : '';
      return of.map((each) => ({ ...each, pointer: at + each.pointer }));
    });
    const [single] = all;
    if (!isList && kind === 'alert' && method === 'GET' && single !== undefined) found.push(...this.#fresh(single));
    if (isList) found.push(...repeated(all));
    if (isList && kind === 'event') found.push(...unordered(all));
    return found;
  }

  /** An event, of the log or of a delivery. */
  event(event: unknown): Found[] {
    if (!isMap(event) || !isMap(event['data'])) return [];
    const { id, type, data } = event;
    const found: Found[] = [];
    const kind = isMap((data as JsonMap)['alert']) ? 'alert' : 'muster';
    const object = (data as JsonMap)[kind];
    if (typeof id === 'string') {
      const text = canonicalJson(event);
      const known = this.#events.get(id);
      this.#events.set(id, known ?? text);
      if (known !== undefined && known !== text)
        found.push(fault('event-changed', '[spec 6]', '', 'the same event had another body before'));
    }
    if (!isMap(object)) return found;
    const wanted = STATUS_AFTER[String(type)];
    if (wanted !== undefined && object['status'] !== wanted)
      found.push(
        fault(
          'event-status',
          '[spec 6]',
          `/data/${kind}/status`,
          `${String(type)} carries the status ${String(object['status'])}, not ${wanted}`,
        ),
      );
    if (type === 'muster.ended' && object['status'] === 'active')
      found.push(fault('event-status', '[spec 6]', '/data/muster/status', 'muster.ended carries an active muster'));
    const of = this.#object(kind, object);
    return [...found, ...of.map((each) => ({ ...each, pointer: `/data/${kind}${each.pointer}` }))];
  }

  #object(kind: 'alert' | 'muster', object: JsonMap): Found[] {
    const id = String(object['id']);
    const found = kind === 'alert' ? alertFaults(object) : musterFaults(object);
    const first = this.#first.get(id);
    if (first === undefined) this.#first.set(id, object);
    else
      for (const field of FIXED[kind])
        if (first[field] !== object[field])
          found.push(
            fault('changed', '[spec 2]', `/${field}`, `was ${String(first[field])} before, and never changes`),
          );
    const version = object['date_last_modified'];
    if (kind === 'alert' && typeof version === 'string') {
      const key = `${id} ${version}`;
      const known = this.#versions.get(key);
      this.#versions.set(key, known ?? object['status']);
      if (known !== undefined && known !== object['status'])
        found.push(
          fault(
            'same-version',
            '[spec 2 Alert]',
            '/status',
            `differs from ${String(known)} at the same date_last_modified`,
          ),
        );
    }
    if (kind === 'muster' && object['status'] !== 'active') {
      const known = this.#ended.get(id);
      this.#ended.set(id, known ?? object['status']);
      if (known !== undefined && known !== object['status'])
        found.push(
          fault('muster-end', '[spec 2 Muster]', '/status', `was ${String(known)} before, and an end is final`),
        );
    }
    return found;
  }

  /** A GET shows no older version than the GET before. */
  #fresh({ id, date_last_modified: modified }: JsonMap): Found[] {
    if (typeof id !== 'string' || typeof modified !== 'string') return [];
    const before = this.#modified.get(id) ?? '';
    if (modified < before)
      return [
        fault(
          'went-back',
          '[spec 2 Alert]',
          '/date_last_modified',
          `${modified} is before ${before}, which was seen earlier`,
        ),
      ];
    this.#modified.set(id, modified);
    return [];
  }
}

const fault = (rule: string, clause: string, pointer: string, detail: string): Found => ({
  rule,
  clause,
  pointer,
  detail,
});

function alertFaults({
  status,
  acknowledged,
  resolved,
  date_created: created,
  date_last_modified: modified,
}: JsonMap): Found[] {
  const found: Found[] = [];
  const isSet = (value: unknown) => value !== null && value !== undefined;
  const wanted: Readonly<Record<string, readonly [boolean | null, boolean]>> = {
    unacknowledged: [false, false],
    acknowledged: [true, false],
    // An unacknowledged alert may be resolved directly.
    resolved: [null, true],
  };
  const [isAcknowledged, isResolved] = wanted[String(status)] ?? [null, null];
  if (isAcknowledged !== null && isSet(acknowledged) !== isAcknowledged)
    found.push(
      fault(
        'status-fields',
        '[spec 3]',
        '/acknowledged',
        `is ${isSet(acknowledged) ? 'set' : 'null'} in status ${String(status)}`,
      ),
    );
  if (isResolved !== null && isSet(resolved) !== isResolved)
    found.push(
      fault(
        'status-fields',
        '[spec 3]',
        '/resolved',
        `is ${isSet(resolved) ? 'set' : 'null'} in status ${String(status)}`,
      ),
    );
  if (typeof created === 'string' && typeof modified === 'string' && modified < created)
    found.push(fault('times', '[spec 2 Alert]', '/date_last_modified', 'is before date_created'));
  return found;
}

function musterFaults({ status, ended_at: ended, totals }: JsonMap): Found[] {
  const found: Found[] = [];
  if (status === 'active' && ended !== null && ended !== undefined)
    found.push(fault('status-fields', '[spec 2 Muster]', '/ended_at', 'is set in an active muster'));
  if ((status === 'completed' || status === 'cancelled') && ended === null)
    found.push(fault('status-fields', '[spec 2 Muster]', '/ended_at', `is null in a ${status} muster`));
  if (status !== 'active' || !isMap(totals)) return found;
  const sum = TOTALS_COUNTERS.reduce((all, counter) => all + Number(totals[counter] ?? 0), 0);
  if (sum !== totals['expected'])
    found.push(
      fault(
        'totals',
        '[spec 2 Muster]',
        '/totals',
        `expected is ${String(totals['expected'])}, and its parts are ${sum}`,
      ),
    );
  return found;
}

function repeated(all: readonly JsonMap[]): Found[] {
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  return twice === undefined ? [] : [fault('repeated', '[spec 3]', '/data', 'has the same id twice')];
}

/** The events of a page are in one order of time; newest first or oldest first is an open point. [decisions 1] */
function unordered(all: readonly JsonMap[]): Found[] {
  const times = all.map(({ created_at: at }) => String(at));
  const steps = times.slice(1).map((at, place) => Math.sign(at.localeCompare(times[place] ?? '')));
  if (steps.includes(0))
    return [fault('event-times', '[decisions 1]', '/data/0/created_at', 'two events have the same created_at')];
  return new Set(steps).size > 1
    ? [fault('event-order', '[decisions 1]', '/data', 'is not in the order of created_at')]
    : [];
}
