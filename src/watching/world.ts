/** What the dashboard knows, and how each event of the stream alters it: pure, so that a frame follows from the stream alone. */
import type { Alert, Muster, WebhookDestination } from '../contract/resources.ts';
import type {
  FeedChange,
  FeedClock,
  FeedDelivery,
  FeedPerson,
  FeedSite,
  FeedSnapshot,
  FeedTruth,
  FeedWorker,
} from './feed.ts';
import { alertHappening, type Happening, musterHappening } from './happenings.ts';
import { NO_TALLY, type Tally, tallied } from './tallies.ts';

type ById<T> = ReadonlyMap<string, T>;

/** A delivery, and when the stream told of it last; simulated time. */
export interface ToldDelivery extends FeedDelivery {
  readonly at: string;
}

/** How many were safe when. */
export interface CurvePoint {
  /** Simulated ms since the epoch. */
  readonly at: number;
  readonly safe: number;
}

export interface World {
  readonly clock: FeedClock | null;
  /** Monotonic ms at which the clock was told. */
  readonly clockToldAt: number;
  readonly sites: ById<FeedSite>;
  readonly workers: ById<FeedWorker>;
  /** By the worker's id. */
  readonly people: ById<FeedPerson>;
  readonly alerts: ById<Alert>;
  readonly musters: ById<Muster>;
  readonly destinations: ById<WebhookDestination>;
  readonly deliveries: ById<ToldDelivery>;
  /** By the muster's id; since its start. */
  readonly curves: ById<readonly CurvePoint[]>;
  /** By the destination's id; of all its deliveries. */
  readonly tallies: ById<Tally>;
  /** The newest last; since this dashboard watches. */
  readonly happenings: readonly Happening[];
  /** Alerts that were raised while this dashboard watches: when it was told, monotonic ms. */
  readonly raised: ReadonlyMap<string, number>;
  /** By the worker's id; empty where it was not asked for. */
  readonly truth: ById<FeedTruth>;
}

export const EMPTY_WORLD: World = {
  clock: null,
  clockToldAt: 0,
  sites: new Map(),
  workers: new Map(),
  people: new Map(),
  alerts: new Map(),
  musters: new Map(),
  destinations: new Map(),
  deliveries: new Map(),
  curves: new Map(),
  truth: new Map(),
  tallies: new Map(),
  happenings: [],
  raised: new Map(),
};

/** So many alerts that were resolved, and deliveries that are over, stay on view. */
const MOST_OVER = 200;
/** More than occur in a minute that anybody reads. */
const MOST_HAPPENINGS = 500;
/** Of a curve: an evacuation of hours. */
const MOST_POINTS = 2_000;

const byId = <T extends { readonly id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.id, item]));

/** A stream begins, or begins anew: all that was known before is replaced. Curves and tallies that the snapshot lacks stay as they were. */
export function afterSnapshot(before: World, snapshot: FeedSnapshot, toldAt: number): World {
  const { clock, sites, workers, people, alerts, musters, destinations, deliveries } = snapshot;
  const world: World = {
    clock,
    clockToldAt: toldAt,
    sites: byId(sites),
    workers: byId(workers),
    people: new Map(people.map((person) => [person.worker_id, person])),
    alerts: byId(alerts),
    musters: byId(musters),
    destinations: byId(destinations),
    deliveries: byId(deliveries.map((delivery) => ({ ...delivery, at: clock.now }))),
    curves: curvesOf(before, snapshot),
    tallies: talliesOf(before, snapshot),
    happenings: before.happenings,
    raised: before.raised,
    truth: new Map((snapshot.truth ?? []).map((truth) => [truth.worker_id, truth])),
  };
  return musters.reduce((known, muster) => drawn(known, muster, clock.now), world);
}

function curvesOf(before: World, { musters, curves = [] }: FeedSnapshot): World['curves'] {
  const known = new Map([...before.curves].filter(([id]) => musters.some((muster) => muster.id === id)));
  for (const { muster_id, points } of curves)
    if (points.length > 0)
      known.set(
        muster_id,
        points.map(({ at, safe }) => ({ at: Date.parse(at), safe })),
      );
  return known;
}

function talliesOf(before: World, { destinations, tallies = [] }: FeedSnapshot): World['tallies'] {
  const known = new Map([...before.tallies].filter(([id]) => destinations.some((one) => one.id === id)));
  for (const { destination_id, delivered, failed, lost, took_ms } of tallies)
    known.set(destination_id, { delivered, failed, lost, tookMs: took_ms });
  return known;
}

/** The world after a change; `toldAt` is monotonic ms. `keeps`: the world before it stays as it was, for who still looks at that. */
export function afterChange(world: World, change: FeedChange, toldAt: number, { keeps = true } = {}): World {
  const { subject, at, gone } = change;
  if (gone !== undefined) return without(world, subject, gone);
  if (change.people !== undefined) {
    const people = keeps ? new Map(world.people) : (world.people as Map<string, FeedPerson>);
    for (const person of change.people) people.set(person.worker_id, person);
    return { ...world, people };
  }
  if (change.truth !== undefined) {
    const truth = new Map(world.truth);
    for (const one of change.truth) truth.set(one.worker_id, one);
    return { ...world, truth };
  }
  const { clock, worker, site, alert, muster, destination, delivery } = change;
  if (clock !== undefined) return { ...world, clock, clockToldAt: toldAt };
  if (worker !== undefined) return { ...world, workers: put(world.workers, worker) };
  if (site !== undefined) return { ...world, sites: put(world.sites, site) };
  if (destination !== undefined) return { ...world, destinations: put(world.destinations, destination) };
  if (alert !== undefined) {
    const known = world.alerts.get(alert.id);
    const alerts = bounded(put(world.alerts, alert), ({ status }) => status === 'resolved');
    const raised = known === undefined ? newest(new Map(world.raised).set(alert.id, toldAt)) : world.raised;
    return happened({ ...world, alerts, raised }, alertHappening(known, alert, Date.parse(at)));
  }
  if (delivery !== undefined) {
    const { id, destination_id } = delivery;
    const tally = tallied(world.tallies.get(destination_id) ?? NO_TALLY, world.deliveries.get(id), delivery);
    return {
      ...world,
      tallies: new Map(world.tallies).set(destination_id, tally),
      deliveries: bounded(put(world.deliveries, { ...delivery, at }), ({ state }) => state !== 'waiting'),
    };
  }
  if (muster !== undefined) {
    const happening = musterHappening(world.musters.get(muster.id), muster, Date.parse(at));
    return drawn(happened({ ...world, musters: put(world.musters, muster) }, happening), muster, at);
  }
  return world;
}

function happened(world: World, happening: Happening | null): World {
  return happening === null
    ? world
    : { ...world, happenings: [...world.happenings, happening].slice(-MOST_HAPPENINGS) };
}

/** The oldest is forgotten. */
function newest(raised: Map<string, number>): Map<string, number> {
  if (raised.size > MOST_OVER) raised.delete(raised.keys().next().value as string);
  return raised;
}

/** Simulated ms since the epoch at that monotonic moment; null before the first snapshot. */
export function nowOf({ clock, clockToldAt }: World, monotonicMs: number): number | null {
  if (clock === null) return null;
  const passed = clock.paused ? 0 : Math.max(0, monotonicMs - clockToldAt) * clock.speed;
  return Date.parse(clock.now) + passed;
}

/** The newest muster of the site, active or over. */
export function musterOf(world: World, siteId: string): Muster | null {
  let newest: Muster | null = null;
  for (const muster of world.musters.values())
    if (muster.site.id === siteId && (newest === null || muster.started_at > newest.started_at)) newest = muster;
  return newest;
}

// The newest stands last, as the order of what is shown follows from it.
function put<T extends { readonly id: string }>(items: ById<T>, item: T): ById<T> {
  const next = new Map(items);
  next.delete(item.id);
  return next.set(item.id, item);
}

function bounded<T>(items: ById<T>, isOver: (item: T) => boolean): ById<T> {
  const over = [...items].filter(([, item]) => isOver(item));
  if (over.length <= MOST_OVER) return items;
  const next = new Map(items);
  for (const [id] of over.slice(0, over.length - MOST_OVER)) next.delete(id);
  return next;
}

function drawn(world: World, { id, totals }: Muster, at: string): World {
  const curve = world.curves.get(id) ?? [];
  const last = curve.at(-1);
  if (last?.safe === totals.safe && curve.length > 1) return world;
  const next = [...curve, { at: Date.parse(at), safe: totals.safe }].slice(-MOST_POINTS);
  return { ...world, curves: new Map(world.curves).set(id, next) };
}

const PLACE = {
  person: 'people',
  worker: 'workers',
  site: 'sites',
  alert: 'alerts',
  muster: 'musters',
  destination: 'destinations',
  delivery: 'deliveries',
  truth: 'truth',
} as const;

function without(world: World, subject: FeedChange['subject'], id: string): World {
  if (subject === 'clock') return world;
  const place = PLACE[subject];
  const items = new Map<string, unknown>(world[place]);
  items.delete(id);
  const next = { ...world, [place]: items };
  // Who is gone is nowhere.
  if (subject === 'worker') return without(without(next, 'person', id), 'truth', id);
  return next;
}
