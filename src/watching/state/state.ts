/** The state of a reader of the stream, and the change that each message causes. It is pure, so a frame depends only on the stream. */
import { compareText } from '../../base/text/order.ts';
import { DEFAULT_WORKER, exampleWorkerOf } from '../../contract/actions/example-words.ts';
import type { Event } from '../../contract/events.ts';
import type { Alert, Muster, WebhookDestination } from '../../contract/resources.ts';
import type {
  ChangeTo,
  StreamChange,
  StreamClock,
  StreamDelivery,
  StreamNotSafe,
  StreamPerson,
  StreamSite,
  StreamSnapshot,
  StreamSubject,
  StreamTruth,
  StreamWorker,
} from '../../contract/stream.ts';
import { countsAfter, type PointCounts } from './arrivals.ts';
import type { KeptEvent } from './events.ts';
import { NO_TALLY, type Tally, tallied } from './tallies.ts';

type ById<T> = ReadonlyMap<string, T>;

/** A delivery with the simulated time of its end, else of its last change. */
export interface DatedDelivery extends StreamDelivery {
  readonly at: string;
}

/** The number of safe people at a time. */
export interface CurvePoint {
  /** Simulated ms since the epoch. */
  readonly at: number;
  readonly safe: number;
}

export interface StreamState {
  readonly clock: StreamClock | null;
  /** Monotonic ms. */
  readonly clockReceivedAt: number;
  /** The time that was shown when the clock was received: the shown time never goes back. Simulated ms. */
  readonly shownTo: number;
  readonly sites: ById<StreamSite>;
  readonly workers: ById<StreamWorker>;
  /** By the worker's id. */
  readonly people: ById<StreamPerson>;
  readonly alerts: ById<Alert>;
  readonly musters: ById<Muster>;
  readonly destinations: ById<WebhookDestination>;
  readonly deliveries: ById<DatedDelivery>;
  /** By the muster's id; from its start. */
  readonly curves: ById<readonly CurvePoint[]>;
  /** By the muster's id; those of the last minute, since the stream was opened. */
  readonly pointCounts: ById<readonly PointCounts[]>;
  /** By the destination's id; includes all its deliveries. */
  readonly tallies: ById<Tally>;
  /** Newest last: those of the minute before the stream was opened, and those since then. */
  readonly events: readonly KeptEvent[];
  /** Musters in their state at their last event. */
  readonly mustersAtEvent: ById<Muster>;
  /** Alerts that were raised while the stream was open, with the monotonic ms of their event. */
  readonly raised: ReadonlyMap<string, number>;
  /** By the worker's id; empty unless ground truth was requested. */
  readonly truth: ById<StreamTruth>;
  /** By the site's id: the people who were not safe at the end of its last muster. */
  readonly notSafe: ReadonlyMap<string, readonly StreamNotSafe[]>;
}

export const EMPTY_STATE: StreamState = {
  clock: null,
  clockReceivedAt: 0,
  shownTo: 0,
  sites: new Map(),
  workers: new Map(),
  people: new Map(),
  alerts: new Map(),
  musters: new Map(),
  destinations: new Map(),
  deliveries: new Map(),
  curves: new Map(),
  pointCounts: new Map(),
  tallies: new Map(),
  events: [],
  mustersAtEvent: new Map(),
  raised: new Map(),
  truth: new Map(),
  notSafe: new Map(),
};

/** Maximum number of resolved alerts, and maximum number of completed deliveries, that are kept. */
const MOST_OVER = 200;
/** Maximum number of event lines; more than a person can read in a minute. */
const MOST_EVENTS = 500;
/** Maximum number of points of a curve; sufficient for an evacuation of several hours. */
const MOST_POINTS = 2_000;

const byId = <T extends { readonly id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.id, item]));

/**
 * A snapshot replaces everything except the events before its own, and the curves and tallies that it does not contain (if
 * it comes from an older service).
 */
export function afterSnapshot(before: StreamState, snapshot: StreamSnapshot, receivedAt: number): StreamState {
  const { clock, sites, workers, people, alerts, musters, destinations, deliveries } = snapshot;
  const state: StreamState = {
    ...before,
    clock,
    clockReceivedAt: receivedAt,
    shownTo: 0,
    sites: byId(sites),
    workers: byId(workers),
    people: new Map(people.map((person) => [person.worker_id, person])),
    alerts: byId(alerts),
    musters: byId(musters),
    ...eventsOf(before, snapshot),
    destinations: byId(destinations),
    deliveries: byId(deliveries.map((delivery) => ({ ...delivery, at: delivery.ended_at ?? clock.now }))),
    pointCounts: new Map([...before.pointCounts].filter(([id]) => musters.some((muster) => muster.id === id))),
    curves: curvesOf(before, snapshot),
    tallies: talliesOf(before, snapshot),
    truth: new Map((snapshot.truth ?? []).map((truth) => [truth.worker_id, truth])),
    notSafe: notSafeOf(snapshot),
  };
  return musters.reduce((known, muster) => withCount(known, muster, clock.now), state);
}

/**
 * The events of the snapshot after those that the reader has from before them. Each is compared with the event of its muster
 * before it, so a muster that has none is compared with nothing.
 */
function eventsOf(
  { events: known }: StreamState,
  { events = [], musters }: StreamSnapshot,
): Pick<StreamState, 'events' | 'mustersAtEvent'> {
  const mustersAtEvent = new Map<string, Muster>();
  const lines = events.map((event) => {
    const muster = 'muster' in event.data ? event.data.muster : null;
    const line = keptEvent(event, muster, mustersAtEvent);
    if (muster !== null) mustersAtEvent.set(muster.id, muster);
    return line;
  });
  const first = lines[0]?.at ?? Number.POSITIVE_INFINITY;
  const ids = new Set(lines.map(({ id }) => id));
  const before = known.filter(({ id, at }) => at <= first && !ids.has(id));
  return {
    events: [...before, ...lines].slice(-MOST_EVENTS),
    mustersAtEvent: new Map([...musters.map((muster) => [muster.id, muster] as const), ...mustersAtEvent]),
  };
}

/** By the site of the muster. */
function notSafeOf({ musters, not_safe = [] }: StreamSnapshot): StreamState['notSafe'] {
  const sites = new Map(musters.map(({ id, site }) => [id, site.id]));
  const lists = new Map<string, StreamNotSafe[]>();
  for (const one of not_safe) {
    const site = sites.get(one.muster_id) ?? '';
    lists.set(site, [...(lists.get(site) ?? []), one]);
  }
  return lists;
}

function curvesOf(before: StreamState, { musters, curves = [] }: StreamSnapshot): StreamState['curves'] {
  const known = new Map([...before.curves].filter(([id]) => musters.some((muster) => muster.id === id)));
  for (const { muster_id, points } of curves)
    if (points.length > 0)
      known.set(
        muster_id,
        points.map(({ at, safe }) => ({ at: Date.parse(at), safe })),
      );
  return known;
}

function talliesOf(before: StreamState, { destinations, tallies = [] }: StreamSnapshot): StreamState['tallies'] {
  const known = new Map([...before.tallies].filter(([id]) => destinations.some((one) => one.id === id)));
  for (const { destination_id, delivered, failed, lost, took_ms } of tallies)
    known.set(destination_id, { delivered, failed, lost, tookMs: took_ms });
  return known;
}

/**
 * `receivedAt` is monotonic ms. With `keeps: false` the map of people of the previous state may be reused, if the
 * caller no longer needs that state: with thousands of people, copying the map is the most expensive part.
 */
export function afterChange(
  state: StreamState,
  change: StreamChange,
  receivedAt: number,
  { keeps = true } = {},
): StreamState {
  if ('gone' in change) return without(state, change.subject, change.gone);
  switch (change.subject) {
    case 'person': {
      const people = keeps ? new Map(state.people) : (state.people as Map<string, StreamPerson>);
      for (const person of change.people) people.set(person.worker_id, person);
      return { ...state, people };
    }
    case 'truth':
      return {
        ...state,
        truth: new Map([...state.truth, ...change.truth.map((one) => [one.worker_id, one] as const)]),
      };
    case 'not_safe':
      return { ...state, notSafe: new Map(state.notSafe).set(change.site_id, change.not_safe) };
    case 'clock':
      return { ...state, clock: change.clock, clockReceivedAt: receivedAt, shownTo: nowOf(state, receivedAt) ?? 0 };
    case 'worker':
      return { ...state, workers: put(state.workers, change.worker) };
    case 'site':
      return { ...state, sites: put(state.sites, change.site) };
    case 'destination':
      return { ...state, destinations: put(state.destinations, change.destination) };
    case 'alert':
      return { ...state, alerts: bounded(put(state.alerts, change.alert), ({ status }) => status === 'resolved') };
    case 'muster':
      return withCount({ ...state, musters: put(state.musters, change.muster) }, change.muster, change.at);
    case 'delivery': {
      const { delivery, at } = change;
      const { id, destination_id } = delivery;
      const tally = tallied(state.tallies.get(destination_id) ?? NO_TALLY, state.deliveries.get(id), delivery);
      return {
        ...state,
        tallies: new Map(state.tallies).set(destination_id, tally),
        deliveries: bounded(
          put(state.deliveries, { ...delivery, at: delivery.ended_at ?? at }),
          (one) => one.state !== 'waiting',
        ),
      };
    }
    case 'event':
      return withEvent(state, change.event, receivedAt);
    default:
      // A subject of a newer service is ignored.
      return state;
  }
}

const keptEvent = (event: Event, muster: Muster | null, before: ReadonlyMap<string, Muster>): KeptEvent => ({
  id: event.id,
  at: Date.parse(event.created_at),
  event,
  before: before.get(muster?.id ?? ''),
});

function withEvent(state: StreamState, event: ChangeTo<'event'>['event'], receivedAt: number): StreamState {
  const { type, data } = event;
  const muster = 'muster' in data ? data.muster : null;
  const line = keptEvent(event, muster, state.mustersAtEvent);
  const next = { ...state, events: [...state.events, line].slice(-MOST_EVENTS) };
  if (muster !== null) return { ...next, mustersAtEvent: put(state.mustersAtEvent, muster) };
  if (type !== 'alert.created' || !('alert' in data)) return next;
  return { ...next, raised: newest(new Map(state.raised).set(data.alert.id, receivedAt)) };
}

/** Removes the oldest entries beyond the limit. */
function newest(raised: Map<string, number>): Map<string, number> {
  if (raised.size > MOST_OVER) raised.delete(raised.keys().next().value as string);
  return raised;
}

/** True if the clock was paused, resumed or has another speed; a run at a pace only sends its time again. */
export const isTurned = ({ clock }: StreamState, to: StreamClock): boolean =>
  clock === null || clock.paused !== to.paused || clock.speed !== to.speed;

/**
 * Returns simulated ms since the epoch at that monotonic time; null before the first snapshot. It stands still where a run
 * fell behind its pace, until the run has come there.
 */
export function nowOf({ clock, clockReceivedAt, shownTo }: StreamState, monotonicMs: number): number | null {
  if (clock === null) return null;
  const passed = clock.paused ? 0 : Math.max(0, monotonicMs - clockReceivedAt) * clock.speed;
  return Math.max(shownTo, Date.parse(clock.now) + passed);
}

/**
 * Returns the newest muster of the site, active or over. If several started at one instant, the active one has
 * priority, then the one with the highest id.
 */
export function musterOf(state: StreamState, siteId: string): Muster | null {
  let newest: Muster | null = null;
  for (const muster of state.musters.values())
    if (muster.site.id === siteId && (newest === null || isLater(muster, newest))) newest = muster;
  return newest;
}

function isLater(one: Muster, other: Muster): boolean {
  if (one.started_at !== other.started_at) return one.started_at > other.started_at;
  const [active, otherActive] = [one.status === 'active', other.status === 'active'];
  return active === otherActive ? one.id > other.id : active;
}

/** In the order of `GET /v1/sites`, independent of the order in which the stream reported them. [decisions 1] */
export const sitesOf = (world: StreamState): StreamSite[] =>
  [...world.sites.values()].sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));

/** The worker of the example commands: of those who work, at any site or at one. Null: nobody has a code. */
export const exampleWorkerIn = ({ workers }: StreamState, siteId?: string): StreamWorker | null =>
  exampleWorkerOf(workers.values(), ({ external_id, is_active, site_id }) =>
    is_active && (siteId === undefined || site_id === siteId) ? external_id : null,
  );

/** The code of that worker; where nobody has one, that of the documentation. */
export const exampleCodeOf = (world: StreamState, siteId?: string): string =>
  exampleWorkerIn(world, siteId)?.external_id ?? DEFAULT_WORKER;

/** A known item keeps its position, because no order on a screen may depend on which item changed last. */
const put = <T extends { readonly id: string }>(items: ById<T>, item: T): ById<T> => new Map(items).set(item.id, item);

function bounded<T>(items: ById<T>, isOver: (item: T) => boolean): ById<T> {
  const over = [...items].filter(([, item]) => isOver(item));
  if (over.length <= MOST_OVER) return items;
  const next = new Map(items);
  for (const [id] of over.slice(0, over.length - MOST_OVER)) next.delete(id);
  return next;
}

/** Returns the state with the newest numbers of safe people added to the muster's curve and points, if they differ. */
function withCount(before: StreamState, muster: Muster, at: string): StreamState {
  const { id, totals } = muster;
  const known = before.pointCounts.get(id) ?? [];
  const counts = countsAfter(known, muster, Date.parse(at));
  const state = counts === known ? before : { ...before, pointCounts: new Map(before.pointCounts).set(id, counts) };
  const curve = state.curves.get(id) ?? [];
  const last = curve.at(-1);
  if (last?.safe === totals.safe && curve.length > 1) return state;
  const next = [...curve, { at: Date.parse(at), safe: totals.safe }].slice(-MOST_POINTS);
  return { ...state, curves: new Map(state.curves).set(id, next) };
}

const TABLE = {
  person: 'people',
  worker: 'workers',
  site: 'sites',
  alert: 'alerts',
  muster: 'musters',
  destination: 'destinations',
  delivery: 'deliveries',
  truth: 'truth',
} as const;

function without(state: StreamState, subject: StreamSubject, id: string): StreamState {
  const table = TABLE[subject as keyof typeof TABLE] as (typeof TABLE)[keyof typeof TABLE] | undefined;
  if (table === undefined) return state;
  const items = new Map<string, unknown>(state[table]);
  items.delete(id);
  const next = { ...state, [table]: items };
  if (subject === 'worker') return without(without(next, 'person', id), 'truth', id);
  if (subject === 'muster')
    return { ...next, curves: lacking(state.curves, id), pointCounts: lacking(state.pointCounts, id) };
  return subject === 'destination' ? { ...next, tallies: lacking(state.tallies, id) } : next;
}

function lacking<T>(items: ById<T>, id: string): ById<T> {
  const next = new Map(items);
  next.delete(id);
  return next;
}
