/** Invariants of alerts, musters and events, in one body and across the answers and deliveries of a service. [spec 2, 3, 6] */

import { canonicalJson } from '../../../base/text/canonical-json.ts';
import type { Operation } from '../../../contract/operations/operation.ts';
import { readQuery } from '../../../contract/query.ts';
import { NoQuery } from '../../../contract/requests.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { type ApiExchange, type ContractFinding, isBeforeSpan, type ReadSpan } from '../exchange.ts';
import { finding as fault, OBJECT_RULES } from '../judging/contents.ts';
import { cursorFindings, listFindings } from '../judging/lists.ts';
import { BoundedMap } from './bounded-map.ts';
import { sumOf } from './claims.ts';
import { EventHistory, pageFindings, stateFindings } from './event-history.ts';
import { repeatedIn, ViewerHistory } from './viewer-history.ts';

/** The status of an alert after each event. [spec 3, 6] */
const STATUS_AFTER: Readonly<Record<string, string>> = {
  'alert.created': 'unacknowledged',
  'alert.acknowledged': 'acknowledged',
  'alert.resolved': 'resolved',
  'alert.reopened': 'unacknowledged',
};

/** The kind of object in the answers of each route. */
const KINDS: Readonly<Record<string, string>> = {
  '/v1/sites': 'site',
  '/v1/sites/:site_id/zones': 'zone',
  '/v1/alerts': 'alert',
  '/v1/alerts/:alert_id': 'alert',
  '/v1/musters': 'muster',
  '/v1/musters/:muster_id': 'muster',
  '/v1/musters/:muster_id/missing': 'missing',
  '/v1/workers': 'worker',
  '/v1/devices': 'device',
  '/v1/positions': 'position',
  '/v1/events': 'event',
  '/v1/webhooks': 'webhook',
};

/** Fields that never change. */
const FIXED: Readonly<Record<'alert' | 'muster', readonly string[]>> = {
  alert: ['type', 'date_created'],
  muster: ['started_at'],
};

/** The references of an alert. Whether they show later changes is an open point. */
const REFERENCES: readonly string[] = ['site', 'zone', 'worker', 'device'];

interface LoggedVersion {
  readonly version: string;
  /** When the log was read; null if not known. */
  readonly at: ReadSpan | null;
}

interface ObjectSource {
  /** True for an object of an answer. False for an object of an event, which shows a past state. */
  readonly isNow: boolean;
  /** True if no other rule found a fault. A fault must not be reported again as a difference from other answers. */
  readonly isSound: boolean;
  /** The client whose contract applies. Only some contracts include names. */
  readonly contract: string;
  /** Only for an event of the log: when it was read; null if not known. */
  readonly at?: ReadSpan | null;
}

export class ObjectHistory {
  readonly #first = new BoundedMap<string, JsonMap>();
  /** By id and version: the status of that version of an alert. */
  readonly #versions = new BoundedMap<string, unknown>();
  /** By id: `date_last_modified` of the newest answer to a GET of the alert. */
  readonly #modified = new BoundedMap<string, string>();
  /** By id: the newest version of the alert in the log. */
  readonly #logged = new BoundedMap<string, LoggedVersion>();
  readonly #ended = new BoundedMap<string, unknown>();
  readonly #events = new BoundedMap<string, string>();
  /** Histories by client and scopes. */
  readonly #viewers = new Map<string, ViewerHistory>();
  /** The clients of the traffic. */
  readonly #clients = new Set<string>();
  /** By contract, id and version: the text of that version of an alert. */
  readonly #texts = new BoundedMap<string, { readonly text: string; readonly isNow: boolean }>();
  /** By id: `targets_revision` of the newest answer. */
  readonly #revisions = new BoundedMap<string, number>();
  readonly #log = new EventHistory();
  readonly #isSequential: boolean;

  /** `isSequential`: each answer arrived before the next request was sent. */
  constructor({ isSequential }: { readonly isSequential: boolean }) {
    this.#isSequential = isSequential;
  }

  /** Judges the body of a 200. `isSound`: no fault was found in it so far. */
  answer({ method, path, query }: Operation, call: ApiExchange, body: unknown, isSound: boolean): ContractFinding[] {
    const kind = KINDS[path];
    if (!isMap(body) || kind === undefined) return [];
    const isList = Array.isArray(body['data']);
    const all = (isList ? (body['data'] as unknown[]) : [body]).filter(isMap);
    const sound: JsonMap[] = [];
    const found = all.flatMap((one, place) => {
      const own = [...(OBJECT_RULES[kind]?.(one) ?? []), ...(kind === 'alert' ? this.#stale(one, call) : [])];
      if (isSound && own.length === 0) sound.push(one);
      const of = [...own, ...this.#known(kind, one, call, isSound && own.length === 0)];
      const at = isList ? `/data/${place}` : '';
      return of.map((each) => ({ ...each, pointer: at + each.pointer }));
    });
    const [single] = all;
    if (!isList && kind === 'alert' && method === 'GET' && single !== undefined) found.push(...this.#fresh(single));
    if (isList) {
      // An event that differs from one with the same id is already reported.
      if (!found.some(({ rule }) => rule === 'event-changed')) found.push(...repeated(path, all));
      found.push(...named(all), ...listFindings(path, call, all, sound), ...cursorFindings(body));
      if (kind === 'event') found.push(...pageFindings(call.query, all));
    }
    // The contract defines no answer to a request that it refuses.
    const isAllowed = readQuery(query ?? NoQuery, call.query).ok;
    if (method === 'GET' && isAllowed && isSound && found.length === 0)
      found.push(...(this.#viewer(call)?.answer(path, call, body) ?? []));
    // Times that several events share are not compared with their objects.
    return found.some(({ rule }) => rule === 'event-times')
      ? found.filter(({ rule }) => rule !== 'event-began')
      : found;
  }

  /** Returns null if the client is not known. */
  #viewer({ client, scopes }: ApiExchange): ViewerHistory | null {
    if (client === undefined) return null;
    const key = `${client} ${scopes?.toSorted().join(' ') ?? 'all'}`;
    const viewer = this.#viewers.get(key) ?? new ViewerHistory();
    this.#viewers.set(key, viewer);
    return viewer;
  }

  /** Returns the client whose contract applies; empty for the first client, and for deliveries, which are taken as its own. */
  #contract(call: ApiExchange | null): string {
    if (call?.client !== undefined) this.#clients.add(call.client);
    const [first] = this.#clients;
    return call === null || call.client === first ? '' : (call.client ?? '');
  }

  #known(kind: string, one: JsonMap, call: ApiExchange, isSound: boolean): ContractFinding[] {
    if (kind === 'event') return this.event(one, isSound, call);
    const contract = this.#contract(call);
    return kind === 'alert' || kind === 'muster' ? this.#object(kind, one, { isNow: true, isSound, contract }) : [];
  }

  /** Judges an event of an answer; of a delivery if `call` is null. */
  event(event: unknown, isSound: boolean, call: ApiExchange | null): ContractFinding[] {
    if (!isMap(event) || !isMap(event['data'])) return [];
    const { id, type, data } = event;
    const found: ContractFinding[] = [];
    const kind = isMap((data as JsonMap)['alert']) ? 'alert' : 'muster';
    const object = (data as JsonMap)[kind];
    if (typeof id === 'string') {
      const text = canonicalJson(event);
      const key = `${this.#contract(call)} ${id}`;
      const known = this.#events.get(key);
      this.#events.set(key, known ?? text);
      if (known !== undefined && known !== text)
        found.push(fault('event-changed', '[spec 6]', '', 'the same event had a different body before'));
    }
    if (typeof id === 'string') found.push(...this.#log.event(id, event));
    if (!isMap(object)) return found;
    found.push(
      ...(OBJECT_RULES[kind]?.(object) ?? []).map((each) => ({ ...each, pointer: `/data/${kind}${each.pointer}` })),
    );
    const wanted = STATUS_AFTER[String(type)];
    // Its status is wrong, so it is not compared with other versions of the object.
    if (wanted !== undefined && object['status'] !== wanted)
      return [
        ...found,
        fault(
          'event-status',
          '[spec 6]',
          `/data/${kind}/status`,
          `${String(type)} carries the status ${String(object['status'])}, not ${wanted}`,
        ),
      ];
    found.push(...stateFindings(event));
    const of = this.#object(kind, object, {
      isNow: false,
      isSound: isSound && found.length === 0,
      contract: this.#contract(call),
      ...(call === null ? {} : { at: call.span ?? null }),
    });
    return [...found, ...of.map((each) => ({ ...each, pointer: `/data/${kind}${each.pointer}` }))];
  }

  #object(
    kind: 'alert' | 'muster',
    object: JsonMap,
    { isNow, isSound, contract, at }: ObjectSource,
  ): ContractFinding[] {
    const id = String(object['id']);
    const found = kind === 'alert' ? alertFaults(object) : musterFaults(object);
    const first = this.#first.get(id);
    if (first === undefined) this.#first.set(id, object);
    else
      for (const field of FIXED[kind])
        if (first[field] !== object[field])
          found.push(
            fault(
              'changed',
              '[spec 2]',
              `/${field}`,
              `was ${String(first[field])} before, but this field never changes`,
            ),
          );
    const version = object['date_last_modified'];
    if (kind === 'alert' && typeof version === 'string') {
      if (at !== undefined && isSound && version > (this.#logged.get(id)?.version ?? ''))
        this.#logged.set(id, { version, at });
      const key = `${id} ${version}`;
      const known = this.#versions.get(key);
      this.#versions.set(key, known ?? object['status']);
      if (known !== undefined && known !== object['status'])
        found.push(
          fault(
            'same-version',
            '[spec 2 Alert]',
            '/status',
            `differs from ${String(known)} of an earlier reading with the same date_last_modified`,
          ),
        );
      else if (isSound && found.length === 0) found.push(...this.#sameText(`${contract} ${key}`, object, isNow));
    }
    if (kind === 'muster' && typeof object['targets_revision'] === 'number') {
      const version = object['targets_revision'];
      if (isNow && version < (this.#revisions.get(id) ?? 0))
        found.push(fault('went-back', '[spec 2 Muster]', '/targets_revision', 'is less than in an earlier answer'));
      if (isNow) this.#revisions.set(id, version);
    }
    if (kind === 'muster' && object['status'] !== 'active') {
      const known = this.#ended.get(id);
      this.#ended.set(id, known ?? object['status']);
      if (known !== undefined && known !== object['status'])
        found.push(
          fault(
            'muster-end',
            '[spec 2 Muster]',
            '/status',
            `was ${String(known)} before, but the end of a muster is final`,
          ),
        );
    }
    return found;
  }

  /** GET, list and event show a version of an alert identically. [spec 2 Event] */
  #sameText(key: string, object: JsonMap, isNow: boolean): ContractFinding[] {
    const text = canonicalJson(object);
    const known = this.#texts.get(key);
    this.#texts.set(key, known ?? { text, isNow });
    if (known === undefined || known.text === text) return [];
    const before = JSON.parse(known.text) as JsonMap;
    // Events are stored as rendered, and the contract may have treated names differently then. [decisions 1, Stored events]
    if (known.isNow !== isNow && hasName(before) !== hasName(object)) return [];
    // The schema check reports a field that one of them lacks.
    const [field] = Object.keys(before).filter(
      (name) => name in object && canonicalJson(before[name]) !== canonicalJson(object[name]),
    );
    if (field === undefined) return [];
    const found = fault(
      'same-version',
      '[spec 2 Event]',
      `/${field}`,
      'differs from another answer or event of this version',
    );
    return [REFERENCES.includes(field) ? { ...found, point: 'frozen-references' } : found];
  }

  /** An answer must not show an older version than an event of the log that was read before the request. */
  #stale({ id, date_last_modified: modified }: JsonMap, { span }: ApiExchange): ContractFinding[] {
    const event = this.#logged.get(String(id));
    if (event === undefined || typeof modified !== 'string' || modified >= event.version) return [];
    const isLater = this.#isSequential || (span !== undefined && event.at !== null && isBeforeSpan(event.at, span));
    if (!isLater) return [];
    return [
      fault(
        'went-back',
        '[spec 2 Alert]',
        '/date_last_modified',
        `${modified} is earlier than that of an event that was read before`,
      ),
    ];
  }

  /** A GET must not show an older version than the previous GET. */
  #fresh({ id, date_last_modified: modified }: JsonMap): ContractFinding[] {
    if (typeof id !== 'string' || typeof modified !== 'string') return [];
    const before = this.#modified.get(id) ?? '';
    if (modified < before)
      return [
        fault(
          'went-back',
          '[spec 2 Alert]',
          '/date_last_modified',
          `${modified} is earlier than ${before} of a previous answer`,
        ),
      ];
    this.#modified.set(id, modified);
    return [];
  }
}

const hasName = ({ worker }: JsonMap): boolean => isMap(worker) && 'name' in worker;

function alertFaults({
  status,
  acknowledged,
  resolved,
  date_created: created,
  date_last_modified: modified,
}: JsonMap): ContractFinding[] {
  const found: ContractFinding[] = [];
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

function musterFaults({ status, ended_at: ended, totals }: JsonMap): ContractFinding[] {
  const found: ContractFinding[] = [];
  if (status === 'active' && ended !== null && ended !== undefined)
    found.push(fault('status-fields', '[spec 2 Muster]', '/ended_at', 'is set in an active muster'));
  if ((status === 'completed' || status === 'cancelled') && ended === null)
    found.push(fault('status-fields', '[spec 2 Muster]', '/ended_at', `is null in a ${status} muster`));
  if (status !== 'active' || !isMap(totals)) return found;
  const sum = sumOf(totals);
  if (sum !== totals['expected'])
    found.push(
      fault(
        'totals',
        '[spec 2 Muster]',
        '/totals',
        `expected is ${String(totals['expected'])}, but the sum of the counters is ${sum}`,
      ),
    );
  return found;
}

/** The contract includes the names of all workers or of none. [spec 2 WorkerRef] */
function named(all: readonly JsonMap[]): ContractFinding[] {
  const workers = all.flatMap((one) => (isMap(one['worker']) ? [one['worker']] : 'external_id' in one ? [one] : []));
  const isMixed = workers.some((one) => 'name' in one) && workers.some((one) => !('name' in one));
  return isMixed
    ? [fault('names', '[spec 2 WorkerRef]', '/data', 'has the names of some workers, but not of others')]
    : [];
}

const repeated = (path: string, all: readonly JsonMap[]): ContractFinding[] =>
  repeatedIn(path, all) ? [fault('repeated', '[decisions 1, Keyset]', '/data', 'has the same id twice')] : [];
