/**
 * Compares a muster with its missing list, and the missing list with the alerts of its workers. Both change without a request, so
 * a list is judged only if the readings before and after it agree. [spec 2 MissingWorker, decisions 6]
 */

import { canonicalJson } from '../../../base/text/canonical-json.ts';
import { MISSING_STATUSES } from '../../../contract/resources/headcount.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { type ApiExchange, type ContractFinding, isBeforeSpan, isClose, type ReadSpan, sentAt } from '../exchange.ts';
import { finding } from '../judging/contents.ts';
import { parametersOf } from '../judging/lists.ts';
import { BoundedMap } from './bounded-map.ts';

const MISSING = 'GET /v1/musters/:muster_id/missing';
const CLAUSE = '[spec 2 MissingWorker]';
const RESCUED: readonly unknown[] = ['sos', 'fall_detected'];

interface MusterReading {
  readonly totals: JsonMap;
  readonly text: string;
  /** Time by the clock of the service, in ms; null if not known. */
  readonly atMs: number | null;
  readonly at: ReadSpan;
}

interface MissingReading {
  readonly before: MusterReading;
  readonly at: ReadSpan;
  readonly statuses: readonly unknown[];
}

/** An entry of a missing list, until the alerts of the worker are read again. */
interface RescueReading {
  readonly needsRescue: boolean;
  /** The open alerts of the worker before the entry was read. */
  readonly before: string;
  readonly at: ReadSpan;
}

/** Open SOS and falls of a worker, with their versions. */
interface OpenAlerts {
  readonly alerts: string;
  readonly at: ReadSpan;
}

/** The musters as one viewer reads them. */
export class MusterHistory {
  readonly #musters = new BoundedMap<string, MusterReading>();
  readonly #lists = new BoundedMap<string, MissingReading>();
  readonly #rescues = new BoundedMap<string, RescueReading>();
  /** By worker: open SOS and falls with their versions, from the newest complete list. */
  #open = new Map<string, OpenAlerts>();
  /** When the newest list of the alerts of all workers was read. */
  #allAt: ReadSpan | null = null;
  /** False if the client may be limited to some contractors. Then the missing list can have fewer people than the totals. */
  #isUnlimited = false;

  /** Records a muster from any answer. */
  muster(
    call: ApiExchange,
    { id, status, totals, targets_revision: revision }: JsonMap,
    at: ReadSpan,
  ): ContractFinding[] {
    if (typeof id !== 'string' || status !== 'active' || !isMap(totals)) return [];
    const now = {
      totals,
      text: canonicalJson({ totals, revision: revision ?? null }),
      atMs: sentAt(call),
      at,
    };
    this.#musters.set(id, now);
    const list = this.#lists.get(id);
    this.#lists.delete(id);
    if (list === undefined || list.before.text !== now.text || !isBeforeSpan(list.at, at)) return [];
    if (!isClose(list.before.atMs, now.atMs)) return [];
    return this.#counted(list.statuses, now.totals);
  }

  #counted(statuses: readonly unknown[], totals: JsonMap): ContractFinding[] {
    const of = (detail: string): ContractFinding[] => [
      { ...finding('missing-count', CLAUSE, '/data', detail), operation: MISSING },
    ];
    const wanted = Number(totals['expected']) - Number(totals['safe']);
    const differs = (count: number, most: number) => (this.#isUnlimited ? count !== most : count > most);
    if (differs(statuses.length, wanted))
      return of(`has ${statuses.length} people, but the muster before and after it has ${wanted} who are not safe`);
    const strange = MISSING_STATUSES.find((status) => {
      const count = statuses.filter((one) => one === status).length;
      return typeof totals[status] === 'number' && differs(count, totals[status]);
    });
    return strange === undefined
      ? []
      : of(`has another number of people in status ${strange} than the muster before and after it`);
  }

  missing(musterId: string, entries: readonly JsonMap[], at: ReadSpan): void {
    const before = this.#musters.get(musterId);
    if (before !== undefined && isBeforeSpan(before.at, at))
      this.#lists.set(musterId, { before, at, statuses: entries.map(({ status }) => status) });
    for (const { worker, needs_rescue: needsRescue } of entries) {
      const id = isMap(worker) ? worker['id'] : undefined;
      if (typeof id !== 'string' || typeof needsRescue !== 'boolean') continue;
      const open = this.#openOf(id);
      if (open !== null && isBeforeSpan(open.at, at)) this.#rescues.set(id, { needsRescue, before: open.alerts, at });
    }
  }

  /** Records a complete list of alerts. */
  alerts({ query }: ApiExchange, all: readonly JsonMap[], at: ReadSpan): ContractFinding[] {
    const filters = parametersOf(query);
    filters.delete('limit');
    const workers = filters.get('worker_id') ?? null;
    filters.delete('worker_id');
    const isEvery = (name: string, wanted: readonly string[]) =>
      wanted.every((one) => filters.get(name)?.includes(one) ?? true);
    const names = [...filters.keys()].filter((name) => !['status', 'type'].includes(name));
    if (names.length > 0 || !isEvery('status', ['unacknowledged', 'acknowledged'])) return [];
    if (!isEvery('type', RESCUED as string[])) return [];
    const open = new Map<string, string>();
    for (const { id, type, status, worker, date_last_modified: version } of all) {
      const who = isMap(worker) ? String(worker['id']) : '';
      if (RESCUED.includes(type) && status !== 'resolved')
        open.set(who, `${open.get(who) ?? ''}${String(id)} ${String(version)} `);
    }
    const readings = [...open].map(([id, alerts]) => [id, { alerts, at }] as const);
    if (workers === null) [this.#open, this.#allAt] = [new Map(readings), at];
    else for (const id of workers) this.#open.set(id, { alerts: open.get(id) ?? '', at });
    const found = [...this.#rescues].flatMap(([id, { needsRescue, before, at: listedAt }]) => {
      if (workers !== null && !workers.includes(id)) return [];
      this.#rescues.delete(id);
      const now = open.get(id) ?? '';
      return now === before && isBeforeSpan(listedAt, at) && needsRescue !== (now !== '') ? [needsRescue] : [];
    });
    return found.slice(0, 1).map((given) => ({
      ...finding(
        'needs-rescue',
        CLAUSE,
        '/data/*/needs_rescue',
        given ? 'is true of a worker without an open SOS or fall' : 'is false of a worker with an open SOS or fall',
      ),
      operation: MISSING,
    }));
  }

  #openOf(worker: string): OpenAlerts | null {
    return this.#open.get(worker) ?? (this.#allAt === null ? null : { alerts: '', at: this.#allAt });
  }

  /** True if a worker without a contractor was listed: then the client is not limited to some contractors. */
  get seesAll(): boolean {
    return this.#isUnlimited;
  }

  /** Records workers who were listed. */
  seen(all: readonly unknown[]): void {
    if (all.some((one) => isMap(one) && one['contractor'] === null)) this.#isUnlimited = true;
  }
}
