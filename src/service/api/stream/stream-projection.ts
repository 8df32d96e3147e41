/** The world as one viewer sees it in the stream. Objects are rendered when they are sent, so an object that is hidden by then is not sent. [decisions 4, 9] */
import { asError } from '../../../base/assert.ts';
import type { Clock, Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { SCOPES, type Scope } from '../../../contract/enumerations.ts';
import type { Event } from '../../../contract/events.ts';
import { NOTICE_AUDIENCES } from '../../../contract/notice-audiences.ts';
import type { AttemptNotice } from '../../../contract/notices.ts';
import type { Alert, Muster, WebhookDestination } from '../../../contract/resources.ts';
import type {
  StreamClock,
  StreamCurve,
  StreamDelivery,
  StreamNotSafe,
  StreamPerson,
  StreamSite,
  StreamSnapshot,
  StreamTally,
  StreamWorker,
} from '../../../contract/stream.ts';
import { scopeOfEvent, seesAlert, seesContractor, type TokenViewer, type Viewer } from '../../domain/access/viewer.ts';
import { workerSnapshot } from '../../domain/alerts/snapshots.ts';
import { shownLocation } from '../../domain/privacy/places.ts';
import { type Addresses, alertView } from '../../domain/views/alert.ts';
import { destinationView } from '../../domain/views/destination.ts';
import { musterView } from '../../domain/views/muster.ts';
import { lastMuster, notSafeView } from '../../domain/views/not-safe.ts';
import { type PersonState, personState } from '../../domain/views/person.ts';
import { siteMapView } from '../../domain/views/plant.ts';
import { location, workerRef } from '../../domain/views/references.ts';
import { lastSeenAt } from '../../domain/watches/contact.ts';
import { NotInMemory } from '../../domain/world/archive.ts';
import type { Delivery, Expected, Site } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import type { DeliveryLedger, EndedDelivery } from '../../engine/delivery-totals.ts';
import type { EventLog } from '../../engine/event-log.ts';
import { curveOf } from './curve.ts';

/**
 * The current contract and scopes of a token. `viewer` is null for the control token, which sees all companies, with
 * names.
 */
export interface StreamViewer {
  readonly viewer: Viewer | null;
  readonly scopes: readonly Scope[];
}

/** State that is not in the world. */
interface EyeSources {
  /** Without it, no totals and no ended deliveries are known. */
  readonly deliveries?: DeliveryLedger;
  /** Without it, a snapshot has no events. */
  readonly events?: EventLog;
  /** Last attempts and recent events. Default: none are kept. */
  readonly log?: {
    lastAttempt(deliveryId: string): AttemptNotice | null;
    event(id: string): Event | null;
  };
  /** Called with an object whose view threw, which is then omitted. Without it, the error is thrown again. */
  readonly failed?: (what: string, error: Error) => void;
}

/** A snapshot has what happened in this time, so that a reader knows it at once; simulated ms. */
const RECENT_MS = 60_000;
/** The most events, and the most ended deliveries, of a snapshot. */
const MOST_RECENT = 200;

export class StreamProjection {
  readonly #world: World;
  readonly #addresses: Addresses;
  /** Called each time: a contract may change while a stream is open. */
  readonly #look: () => StreamViewer;
  readonly #sources: EyeSources;

  constructor(world: World, addresses: Addresses, look: () => StreamViewer, sources: EyeSources = {}) {
    this.#world = world;
    this.#addresses = addresses;
    this.#look = look;
    this.#sources = sources;
  }

  /** An object whose view throws is omitted and reported; the others are shown. */
  contained<T>(what: string, see: () => T): T | null {
    try {
      return see();
    } catch (error) {
      if (this.#sources.failed === undefined || error instanceof NotInMemory) throw error;
      this.#sources.failed(what, asError(error));
      return null;
    }
  }

  #may(scope: Scope): boolean {
    const { viewer, scopes } = this.#look();
    return viewer === null || scopes.includes(scope);
  }

  /** Returns false if the object belongs to another company. */
  owns(organizationId: string | null): boolean {
    const { viewer } = this.#look();
    return viewer === null || organizationId === null || viewer.organizationId === organizationId;
  }

  /**
   * True without workers:read: a worker is then visible only with a listed position, or with an entry of a missing
   * list.
   */
  get meetsPeopleByTheWay(): boolean {
    return !this.#may('workers:read');
  }

  /** True if every object of the company is visible to the viewer. */
  get seesAll(): boolean {
    const { viewer, scopes } = this.#look();
    return viewer === null || (viewer.contractors === null && scopes.length === SCOPES.length);
  }

  snapshot(clock: Clock): StreamSnapshot {
    return { clock: clockView(clock), ...this.#everything(clock.now()) };
  }

  #everything(now: Instant): Omit<StreamSnapshot, 'clock'> {
    const world = this.#world;
    const found = <T>(items: Iterable<{ readonly id: string }>, see: (id: string) => T | null): T[] =>
      [...items].flatMap(({ id }) => this.contained('snapshot', () => see(id)) ?? []);
    const alerts = [...world.all('alert')].filter(({ status }) => status !== 'resolved');
    const newest = [...world.all('site')].flatMap(({ id }) => lastMuster(world, id) ?? []);
    return {
      sites: found(world.all('site'), (id) => this.site(id)),
      workers: found(world.all('worker'), (id) => this.worker(id, now)),
      people: found(world.all('worker'), (id) => this.person(id, now)),
      not_safe: [...world.all('site')].flatMap(
        ({ id }) => this.contained('snapshot', () => this.notSafe(id, now)) ?? [],
      ),
      alerts: found(
        alerts.sort((a, b) => a.createdAt - b.createdAt),
        (id) => this.alert(id),
      ),
      musters: found(newest, (id) => this.muster(id)),
      curves: found(newest, (id) => this.curve(id)),
      events: this.#sources.events?.since(now - RECENT_MS, MOST_RECENT, (event) => this.#sees(event)) ?? [],
      destinations: found(world.all('destination'), (id) => this.destination(id)),
      tallies: found(world.all('destination'), (id) => this.tally(id)),
      deliveries: [
        ...found(
          [...world.all('delivery')].filter(({ state }) => state === 'waiting'),
          (id) => this.delivery(id),
        ),
        ...this.#ended(now),
      ],
    };
  }

  /** The oldest first. A delivery that was sent again waits, and is not among them. */
  #ended(now: Instant): StreamDelivery[] {
    const ended = this.#sources.deliveries?.endedSince(now - RECENT_MS) ?? [];
    const isSeen = ({ deliveryId, destinationId }: EndedDelivery): boolean =>
      this.#world.get('delivery', deliveryId) === undefined && this.destination(destinationId) !== null;
    return ended.filter(isSeen).slice(0, MOST_RECENT).reverse().map(endedView);
  }

  site(id: string): StreamSite | null {
    const site = this.#world.get('site', id);
    if (site === undefined || this.#viewerOf(site) === null) return null;
    const view = siteMapView(this.#world, site);
    return this.#may('alerts:read') ? view : { ...view, zones: [] };
  }

  worker(id: string, now: Instant): StreamWorker | null {
    const state = this.#state(id, now);
    if (state === null) return null;
    const { worker, viewer } = state;
    const isListed = this.#may('workers:read');
    return {
      ...workerRef(workerSnapshot(worker), viewer),
      role: isListed ? worker.role : null,
      // A position, or an entry of a missing list, does not say whether the worker is still active.
      is_active: isListed ? worker.isActive : true,
      site_id: worker.siteId,
    };
  }

  person(id: string, now: Instant): StreamPerson | null {
    const state = this.#state(id, now);
    if (state === null) return null;
    const { worker, device, counted, place, reason, rescue, inVehicle } = state;
    const isListed = this.#may('workers:read');
    const isMissing = counted !== null && counted.status !== 'safe';
    const telemetry = device === null ? null : this.#world.telemetry(device.id);
    const at = telemetry !== null && (isListed || isMissing) ? lastSeenAt(telemetry) : null;
    const fix = place.kind === 'located' || place.kind === 'last_known' ? place.fix : null;
    return {
      worker_id: id,
      device_id: device?.id ?? null,
      location:
        fix === null ? null : location(shownLocation(this.#world, this.#world.need('site', worker.siteId), fix)),
      location_withheld: place.kind === 'withheld',
      in_vehicle: inVehicle,
      worn: isListed ? (telemetry?.worn ?? null) : null,
      battery: isListed || isMissing ? (telemetry?.batteryPct ?? null) : null,
      date_last_seen: at === null ? null : formatInstant(at),
      muster: counted === null ? null : inMuster(state, counted),
      status: counted?.status ?? null,
      reason,
      rescue,
      place: { kind: place.kind, age_s: fix === null ? null : Math.max(0, Math.floor((now - fix.at) / 1_000)) },
    };
  }

  #state(id: string, now: Instant): (PersonState & { readonly viewer: TokenViewer }) | null {
    const worker = this.#world.get('worker', id);
    const viewer = worker === undefined ? null : this.#viewerOf(worker);
    const state = worker === undefined || viewer === null ? null : personState(this.#world, worker, viewer, now);
    return state === null || viewer === null ? null : { ...state, viewer };
  }

  /** Returns null if the site belongs to another company, or was removed. */
  notSafe(siteId: string, now: Instant): StreamNotSafe[] | null {
    const site = this.#world.get('site', siteId);
    const viewer = site === undefined ? null : this.#viewerOf(site);
    return site === undefined || viewer === null ? null : notSafeView(this.#world, site, viewer, now);
  }

  alert(id: string): Alert | null {
    const alert = this.#world.get('alert', id);
    if (alert === undefined || !this.#may(NOTICE_AUDIENCES['alert-changed'].scope)) return null;
    const viewer = this.#viewerOf(alert);
    return viewer === null || !seesAlert(viewer, alert) ? null : alertView(alert, viewer, this.#addresses);
  }

  muster(id: string): Muster | null {
    const muster = this.#world.get('muster', id);
    if (muster === undefined || this.#viewerOf(muster) === null) return null;
    if (!this.#may(NOTICE_AUDIENCES['muster-changed'].scope)) return null;
    return musterView(muster);
  }

  /**
   * The event as `GET /v1/events` lists it to this viewer, rendered when it occurred. Returns null if it is not
   * visible, or no longer kept. [decisions 1, 4]
   */
  event(id: string): Event | null {
    const event = this.#sources.log?.event(id) ?? null;
    return event !== null && this.#sees(event) ? event : null;
  }

  #sees({ type, organization_id, data }: Event): boolean {
    if (!this.#may(scopeOfEvent(type)) || !this.owns(organization_id)) return false;
    const { viewer } = this.#look();
    const about = 'alert' in data ? data.alert.worker : null;
    return viewer === null || about === null || seesContractor(viewer, about.contractor);
  }

  /**
   * Returns null if the viewer may not see the muster. The curve is not limited to the viewer's contractors, because
   * the totals of the muster are not either. [decisions 4]
   */
  curve(id: string): StreamCurve | null {
    return this.muster(id) === null ? null : curveOf(this.#world, id);
  }

  tally(destinationId: string): StreamTally | null {
    const { deliveries } = this.#sources;
    if (deliveries === undefined || this.destination(destinationId) === null) return null;
    const { delivered, failed, lost, tookMs } = deliveries.of(destinationId);
    return { destination_id: destinationId, delivered, failed, lost, took_ms: [...tookMs] };
  }

  destination(id: string): WebhookDestination | null {
    const destination = this.#world.get('destination', id);
    if (destination === undefined || this.#viewerOf(destination) === null) return null;
    if (!this.#may(NOTICE_AUDIENCES['destination-changed'].scope)) return null;
    return destinationView(destination);
  }

  delivery(id: string): StreamDelivery | null {
    const delivery = this.#world.get('delivery', id);
    const last = this.#sources.log?.lastAttempt(id) ?? null;
    const destinationId = delivery?.destinationId ?? last?.destination_id;
    if (destinationId === undefined || this.destination(destinationId) === null) return null;
    if (delivery !== undefined) return deliveryView(delivery, last);
    return last === null || last.result === 'waiting' ? null : settledView(last, last.result);
  }

  /** The viewer for objects of this company. Returns null if the company is not that of the viewer. */
  #viewerOf({ organizationId }: Pick<Site, 'organizationId'>): TokenViewer | null {
    const { viewer, scopes } = this.#look();
    if (viewer === null) return { organizationId, names: true, contractors: null, scopes: SCOPES };
    if (viewer.organizationId !== organizationId) return null;
    return { organizationId, names: viewer.names, contractors: viewer.contractors, scopes };
  }
}

const inMuster = ({ needsRescue }: PersonState, counted: Expected): NonNullable<StreamPerson['muster']> => ({
  id: counted.musterId,
  status: counted.status,
  needs_rescue: needsRescue,
  help_reason: counted.helpReason,
  assembly_point: counted.point === null ? null : { id: counted.point.id, valid: counted.point.valid },
});

export function clockView(clock: Clock): StreamClock {
  const { shown, speed, paused } = clock.state();
  return { now: formatInstant(shown), speed, paused };
}

const deliveryView = (delivery: Delivery, last: AttemptNotice | null): StreamDelivery => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  destination_id: delivery.destinationId,
  state: delivery.state,
  tries: delivery.tries,
  last_status: delivery.lastStatus,
  last_error: last?.error ?? null,
  took_ms: last?.took_ms ?? null,
  next_attempt_at: delivery.state === 'waiting' ? formatInstant(delivery.due) : null,
  ended_at: null,
});

/** A delivery that has ended was removed from the world. Its last attempt has the result. */
const settledView = (last: AttemptNotice, state: 'delivered' | 'lost'): StreamDelivery => ({
  id: last.delivery_id,
  event_id: last.event_id,
  event_type: last.event_type,
  destination_id: last.destination_id,
  state,
  tries: last.try,
  last_status: last.status,
  last_error: last.error,
  took_ms: last.took_ms,
  next_attempt_at: null,
  ended_at: last.at,
});

const endedView = (ended: EndedDelivery): StreamDelivery => ({
  id: ended.deliveryId,
  event_id: ended.eventId,
  event_type: ended.eventType,
  destination_id: ended.destinationId,
  state: ended.outcome,
  tries: ended.tryNumber,
  last_status: ended.status,
  last_error: ended.error,
  took_ms: ended.tookMs,
  next_attempt_at: null,
  ended_at: formatInstant(ended.at),
});
