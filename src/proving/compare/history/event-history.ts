/**
 * Rules about several events: their order and times, one event for each occurrence, and no missing event. [spec 6, decisions 1,
 * 6]
 */
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { type ContractFinding, isBeforeSpan, type ReadSpan } from '../exchange.ts';
import { finding } from '../judging/contents.ts';
import { BoundedMap } from './bounded-map.ts';

const map = (value: unknown): JsonMap => (isMap(value) ? value : {});
const musterOf = ({ data }: JsonMap): JsonMap => map(map(data)['muster']);
const alertOf = ({ data }: JsonMap): JsonMap => map(map(data)['alert']);

/** Checks that an organization has one event for each `created_at`, and one for each occurrence. */
export class EventHistory {
  /** Event ids by organization and `created_at`. */
  readonly #moments = new BoundedMap<string, string>();
  /** Event ids by occurrence. */
  readonly #causes = new BoundedMap<string, string>();

  event(id: string, event: JsonMap): ContractFinding[] {
    const { organization_id: organization, created_at: at } = event;
    // A test event has no organization, and its alert is in no other event.
    if (typeof organization !== 'string') return [];
    if (isSecond(this.#moments, `${organization} ${String(at)}`, id))
      return [finding('event-times', '[decisions 1, Order of events]', '/created_at', 'is also that of another event')];
    const cause = causeOf(event);
    if (cause !== null && isSecond(this.#causes, cause, id))
      return [finding('event-twice', '[spec 6]', '/type', `repeats the ${String(event['type'])} of an earlier event`)];
    return [];
  }
}

function isSecond(known: BoundedMap<string, string>, key: string, id: string): boolean {
  const first = known.get(key);
  known.set(key, first ?? id);
  return first !== undefined && first !== id;
}

/** Returns the key of the occurrence; null if it may occur again. */
function causeOf(event: JsonMap): string | null {
  const { type } = event;
  const [alert, muster] = [alertOf(event), musterOf(event)];
  if (type === 'muster.started' || type === 'muster.ended') return `${type} ${String(muster['id'])}`;
  if (type === 'alert.created') return `${type} ${String(alert['id'])}`;
  return alert['id'] === undefined ? null : `${String(type)} ${String(alert['id'])} ${alert['date_last_modified']}`;
}

/** Checks one page of events: a consistent order by time, in either direction, and revisions that fit the types. */
export function pageFindings(query: string, all: readonly JsonMap[]): ContractFinding[] {
  const times = all.map(({ created_at: at }) => String(at));
  const steps = times.slice(1).map((at, place) => Math.sign(at.localeCompare(times[place] ?? '')));
  if (steps.includes(0))
    return [
      finding(
        'event-times',
        '[decisions 1, Order of events]',
        '/data/0/created_at',
        'two events have the same created_at',
      ),
    ];
  if (new Set(steps).size > 1)
    return [finding('event-order', '[decisions 1]', '/data', 'is not in the order of created_at')];
  return /(^|&)(type|site_id)=/.test(query) ? [] : revisionFindings(steps[0] === -1 ? all.toReversed() : all);
}

/** Exclusion, reinstatement and a change of kind raise the revision of the targets, and nothing else does. [spec 2 Muster] */
function revisionFindings(events: readonly JsonMap[]): ContractFinding[] {
  const before = new Map<unknown, number>();
  for (const [place, event] of events.entries()) {
    const { id, targets_revision: revision } = musterOf(event);
    if (typeof revision !== 'number') continue;
    const known = before.get(id);
    before.set(id, revision);
    if (known === undefined) continue;
    const isRaised = event['type'] === 'muster.targets_changed' || event['type'] === 'muster.kind_changed';
    if (isRaised ? revision > known : revision === known) continue;
    const detail = `is ${revision} in ${String(event['type'])}, but was ${known} in the previous event`;
    return [finding('revision', '[spec 2 Muster]', `/data/${place}/data/muster/targets_revision`, detail)];
  }
  return [];
}

/** Checks that the state of the object fits the type of the event. */
export function stateFindings(event: JsonMap): ContractFinding[] {
  const { type } = event;
  const { status, phase, targets_revision: revision } = musterOf(event);
  const of = (field: string, detail: string) => [finding('event-status', '[spec 6]', `/data/muster/${field}`, detail)];
  if (type === 'muster.ended') return status === 'active' ? of('status', 'muster.ended carries an active muster') : [];
  if (status === undefined) return [];
  if (status !== 'active') return of('status', `${String(type)} carries a muster that has ended`);
  if (type === 'muster.started' && phase === 'inspecting')
    return of('phase', `muster.started carries the phase ${phase}`);
  if (type === 'muster.phase_changed' && phase === 'evacuating')
    return of('phase', `muster.phase_changed carries the phase ${phase}`);
  if (type === 'muster.started' && revision !== 1)
    return [
      finding(
        'revision',
        '[spec 2 Muster]',
        '/data/muster/targets_revision',
        `is ${revision} in muster.started, not 1`,
      ),
    ];
  return [];
}

/** The event that reports each status of an alert or a muster. */
const EVENT_OF: Readonly<Record<string, string>> = {
  acknowledged: 'alert.acknowledged',
  resolved: 'alert.resolved',
  completed: 'muster.ended',
  cancelled: 'muster.ended',
};

interface KnownStatus {
  readonly status: string;
  /** When the object was created. */
  readonly began: string;
  readonly at: ReadSpan;
}

/** Checks that a complete event log contains the events of the objects that were read before it. */
export class ExpectedEvents {
  readonly #statuses = new BoundedMap<string, KnownStatus>();

  object({ id, status, date_created: created, started_at: started }: JsonMap, at: ReadSpan): void {
    const began = created ?? started;
    if (typeof id === 'string' && typeof status === 'string' && typeof began === 'string')
      this.#statuses.set(id, { status, began, at });
  }

  /** Checks a complete log. Events before its oldest event may have left the replay window. [spec 8 Event replay window] */
  log(events: readonly JsonMap[], now: ReadSpan): ContractFinding[] {
    const oldest = events.map(({ created_at: at }) => String(at)).toSorted()[0];
    const types = new Map<unknown, Set<string>>();
    for (const event of events) {
      const id = alertOf(event)['id'] ?? musterOf(event)['id'];
      types.set(id, (types.get(id) ?? new Set()).add(String(event['type'])));
    }
    for (const [id, of] of types) {
      const known = this.#statuses.get(String(id));
      if (known === undefined || oldest === undefined || known.began <= oldest || !isBeforeSpan(known.at, now))
        continue;
      const begin = [...of][0]?.startsWith('alert.') ? 'alert.created' : 'muster.started';
      const wanted = [begin, EVENT_OF[known.status] ?? begin];
      const lacking = wanted.find((type) => !of.has(type));
      if (lacking !== undefined)
        return [
          finding('event-missing', '[spec 6]', '/data', `lacks ${lacking} of an object that reached this status`),
        ];
    }
    return [];
  }
}
