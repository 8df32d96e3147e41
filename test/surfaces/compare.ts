/** What two surfaces show of one world, in a form that can be compared. */
import type { Scope } from '../../src/contract/enumerations.ts';
import type { Alert, Device, MissingWorker, Muster, Position, Worker } from '../../src/contract/resources.ts';
import type { StreamPerson, StreamWorker } from '../../src/contract/stream.ts';
import { isOpen } from '../../src/watching/state/people.ts';
import { musterOf, type StreamState } from '../../src/watching/state/state.ts';
import type { ApiHarness } from '../service/api/harness.ts';

const sorted = <T>(items: Iterable<T>, keyOf: (item: T) => string): T[] =>
  [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** `age_s` is as of the message; what is shown follows from the position's time. */
const withoutAge = ({ place, ...person }: StreamPerson) => ({ ...person, place: place.kind });

/** The state without what only a reader of the past has: resolved alerts, older musters, curves and older events. */
export const present = (state: StreamState) => ({
  sites: sorted(state.sites.values(), ({ id }) => id),
  workers: sorted(state.workers.values(), ({ id }) => id),
  people: sorted([...state.people.values()].map(withoutAge), ({ worker_id }) => worker_id),
  alerts: sorted([...state.alerts.values()].filter(isOpen), ({ id }) => id),
  musters: [...state.sites.keys()].sort().map((id) => musterOf(state, id)),
  notSafe: sorted([...state.notSafe.values()].flat(), ({ muster_id, worker_id }) => `${muster_id} ${worker_id}`),
});

/** Everything that the API lists to a token; null: the scope is missing. */
export interface RestView {
  readonly workers: readonly Worker[] | null;
  readonly devices: readonly Device[] | null;
  readonly positions: readonly Position[] | null;
  readonly alerts: readonly Alert[] | null;
  readonly musters: readonly Muster[] | null;
  /** By the id of the worker, of the active musters. */
  readonly missing: ReadonlyMap<string, MissingWorker>;
}

export async function restOf(harness: ApiHarness, token: string): Promise<RestView> {
  const list = async <T>(path: string): Promise<T[] | null> => {
    const { status, body } = await harness.call('GET', path, { token });
    if (status === 403) return null;
    if (status !== 200 || (body.next_cursor ?? null) !== null) throw new Error(`${path}: ${status}`);
    return body.data as T[];
  };
  const [workers, devices, positions, alerts, musters] = await Promise.all([
    list<Worker>('/v1/workers?limit=200'),
    list<Device>('/v1/devices?limit=200'),
    list<Position>('/v1/positions'),
    list<Alert>('/v1/alerts?limit=200&status=unacknowledged&status=acknowledged'),
    list<Muster>('/v1/musters?limit=200'),
  ]);
  const active = (musters ?? []).filter(({ status }) => status === 'active');
  const lists = await Promise.all(active.map(({ id }) => list<MissingWorker>(`/v1/musters/${id}/missing`)));
  const missing = new Map(lists.flatMap((one) => (one ?? []).map((entry) => [entry.worker?.id ?? '', entry] as const)));
  return { workers, devices, positions, alerts, musters, missing };
}

/** A person as the API alone shows them. */
export interface RestPerson {
  readonly worker: Pick<StreamWorker, 'id' | 'external_id' | 'contractor'> & { readonly name?: string };
  readonly location: StreamPerson['location'];
  /** Null: the API does not say. */
  readonly withheld: boolean | null;
  readonly inVehicle: boolean;
  readonly worn: boolean | null;
  readonly battery: number | null;
  readonly lastSeen: string | null;
  /** Null: not missing. */
  readonly status: MissingWorker['status'] | null;
  readonly reason: string | null;
  readonly rescue: boolean;
}

const CRITICAL = ['sos', 'evacuation_help', 'fall_detected'];
const SEVERITY = ['low', 'medium', 'high', 'critical'];

/** The order of reasons as decisions 4 words it, written down a second time. */
function reasonOf(alerts: readonly Alert[], missing: MissingWorker | undefined): string | null {
  if (missing?.status === 'help' && (missing.help_reason === 'trapped' || missing.help_reason === 'injured'))
    return missing.help_reason;
  const rank = ({ type }: Alert) => (CRITICAL.includes(type) ? CRITICAL.indexOf(type) : 9);
  const order = (a: Alert, b: Alert) =>
    (a.date_created === b.date_created ? 0 : a.date_created < b.date_created ? 1 : -1) || (a.id < b.id ? -1 : 1);
  const [critical] = alerts
    .filter(({ severity }) => severity === 'critical')
    .sort((a, b) => rank(a) - rank(b) || order(a, b));
  if (critical !== undefined) return critical.type;
  if (missing !== undefined) return missing.status;
  const [gravest] = [...alerts].sort(
    (a, b) => SEVERITY.indexOf(b.severity) - SEVERITY.indexOf(a.severity) || order(a, b),
  );
  return gravest?.type ?? null;
}

/** By the id of the worker: all whom any answer of the API names as present. */
export function peopleOf({ workers, devices, positions, alerts, missing }: RestView): Map<string, RestPerson> {
  const listed = new Map((workers ?? []).map((one) => [one.id, one]));
  const placed = new Map((positions ?? []).map((one) => [one.worker?.id ?? '', one]));
  const ids = new Set([...listed.keys(), ...placed.keys(), ...missing.keys()]);
  const found = new Map<string, RestPerson>();
  for (const id of ids) {
    const [worker, position, entry] = [listed.get(id), placed.get(id), missing.get(id)];
    const ref = worker ?? position?.worker ?? entry?.worker;
    if (ref == null) throw new Error(`nobody is ${id}`);
    const device = (devices ?? []).find((one) => one.worker?.id === id);
    const own = (alerts ?? []).filter((alert) => alert.worker?.id === id);
    found.set(id, {
      worker: {
        id: ref.id,
        external_id: ref.external_id,
        contractor: ref.contractor,
        ...(ref.name && { name: ref.name }),
      },
      location: entry === undefined ? (position?.location ?? null) : entry.location,
      withheld: entry === undefined ? (position === undefined ? null : false) : entry.location_withheld,
      inVehicle: position?.in_vehicle ?? false,
      worn: device?.worn ?? null,
      battery: device?.battery ?? entry?.device?.battery ?? null,
      lastSeen: worker?.date_last_seen ?? entry?.last_seen_at ?? null,
      status: entry?.status ?? null,
      reason: reasonOf(own, entry),
      rescue:
        entry !== undefined && (entry.needs_rescue || (entry.status === 'help' && entry.help_reason !== 'helping')),
    });
  }
  return found;
}

/** The same of the stream. `withheld` is compared only where the API says it; `safe` and a worker without a muster are the same there. */
export function asRest(state: StreamState, rest: ReadonlyMap<string, RestPerson>): Map<string, RestPerson> {
  const found = new Map<string, RestPerson>();
  for (const person of state.people.values()) {
    const worker = state.workers.get(person.worker_id);
    if (worker === undefined) throw new Error(`no worker of person ${person.worker_id}`);
    const { id, external_id, contractor, name } = worker;
    const known = rest.get(id);
    const isMissing = person.status !== null && person.status !== 'safe';
    // The API does not say who is safe: a less grave alert is no reason then.
    const isSafe = person.reason === 'safe' && !CRITICAL.includes(known?.reason ?? '');
    const reason = isSafe ? (known?.reason ?? null) : person.reason;
    found.set(id, {
      worker: { id, external_id, contractor, ...(name && { name }) },
      location: person.location,
      withheld: known?.withheld == null ? null : person.location_withheld,
      inVehicle: person.in_vehicle,
      worn: person.worn,
      battery: person.battery,
      lastSeen: person.date_last_seen,
      status: isMissing ? (person.status as MissingWorker['status']) : null,
      reason,
      rescue: person.rescue,
    });
  }
  return found;
}

/** Every subset of the scopes that concern what the stream shows, one after the other. */
export const subsetOf = (scopes: readonly Scope[], n: number): Scope[] =>
  scopes.filter((_, bit) => (n >> bit) % 2 === 1);
