/** The sender: takes due deliveries from each destination, and passes each attempt through its stages. [spec 6, decisions 7] */
import { setMaxListeners } from 'node:events';
import { asError } from '../../base/assert.ts';
import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import type { AttemptNotice } from '../../contract/notices.ts';
import type { Delivery } from '../domain/world/documents.ts';
import type { CommitRecord } from '../engine/commit-record.ts';
import type { Engine } from '../engine/engine.ts';
import type { Store } from '../engine/store-port.ts';
import { type AttemptInFlight, type Line, parkingKey, type SentAttempt, type Workshop } from './attempt.ts';
import { AttemptHold } from './attempt-hold.ts';
import { Backlog } from './backlog.ts';
import { type DeliveredEvent, EventBodies } from './event-bodies.ts';
import { type DeliveryFault, DeliveryFaults } from './faults.ts';
import type { Resolve } from './resolver.ts';
import type { Forwards } from './route.ts';
import { send } from './send.ts';
import { noticeOf, settle } from './settle.ts';
import { Sockets } from './sockets.ts';

/** An attempt after its commit. */
interface SettledAttempt {
  readonly notice: AttemptNotice;
  readonly organizationId: string;
  readonly eventAt: Instant;
  readonly body: string;
  /** True for a test event, whose alert no GET knows. [decisions 7] */
  readonly isTest: boolean;
}

interface WebhooksParts {
  readonly engine: Engine;
  readonly store: Pick<Store, 'event'>;
  readonly clock: Clock;
  readonly resolve: Resolve;
  /** By host name in lower case; read at every attempt, because sessions start and end. */
  readonly forwards: Forwards;
  /** True if the certificates of forwards are not verified. Default: false. */
  readonly skipVerify?: boolean;
  /** Called after each attempt that has an outcome. */
  readonly onAttempted?: (attempt: SettledAttempt) => void;
  /** Called after the commit when a delivery was given up. [spec 6.6] */
  readonly onLost?: (delivery: Delivery, event: DeliveredEvent) => void;
  /** The seed of the random values of faults. */
  readonly seed?: string;
  /** With several nodes: the destinations of this node. Default: all destinations, always. */
  readonly claims?: WebhookClaims;
}

/** Destinations that this node delivers to. */
interface WebhookClaims {
  has(destinationId: string): boolean;
  /** False if another node may have taken the destinations over, so that nothing may be sent now. */
  isSure(): boolean;
}

const ALL: WebhookClaims = { has: () => true, isSure: () => true };

/** Wait before the claims are checked again; wall ms. */
const SURE_AGAIN_MS = 200;

export interface Webhooks {
  /** Resolves when no attempt is in flight and no delivery is due. */
  idle(): Promise<void>;
  /**
   * Starts no further attempt, and waits for those in flight, at most `graceMs` of wall time; the others stay pending.
   */
  stop(graceMs: number): Promise<void>;
  /** These destinations belong to this node from now on: their waiting deliveries are sent. */
  take(destinationIds: readonly string[]): void;
  /** Starts no further attempt to these destinations. Resolves when those in flight are settled. */
  release(destinationIds: readonly string[]): Promise<void>;
  /** Duplicates, shuffles or delays the deliveries of a destination from now on. */
  fault(destinationId: string, fault: Partial<DeliveryFault>): void;
  /**
   * Called when a receiver in this process delays its reply to this event. In a fast run simulated time passes in the
   * meantime, and the limit of 5 s is in simulated time. The receiver calls the returned function just before it
   * replies. Returns null in real and scaled time, where wall time counts, and if no such attempt is in flight.
   * [decisions 7]
   */
  park(url: string, eventId: string): (() => void) | null;
}

/** Starts with the deliveries that are already due: one attempt for each, however many attempts were missed. */
export function startWebhooks(parts: WebhooksParts): Webhooks {
  const sender = new Sender(parts);
  sender.start();
  return sender;
}

class Sender implements Webhooks {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #onLost: NonNullable<WebhooksParts['onLost']>;
  readonly #onAttempted: WebhooksParts['onAttempted'];
  readonly #events: EventBodies;
  readonly #faults: DeliveryFaults;
  readonly #workshop: Workshop;
  readonly #abandon = new AbortController();
  readonly #lines = new Map<string, Line>();
  /**
   * Opened attempts, which are sent on the next tick of the event loop: all attempts that are due at one instant hold
   * the clock before the first one is sent.
   */
  #opened: AttemptInFlight[] = [];
  #inFlight = 0;
  readonly #claims: WebhookClaims;
  readonly #ended = new WeakSet<AttemptInFlight>();
  #idleWaiters: (() => void)[] = [];
  /** Called at the end of any attempt. */
  #endWaiters: (() => void)[] = [];
  #unlisten = () => {};
  #closing = false;
  #stopped: Promise<void> | null = null;

  constructor(parts: WebhooksParts) {
    const { engine, store, clock, resolve, forwards, skipVerify = false } = parts;
    const { onLost = () => {}, seed = '', claims = ALL } = parts;
    // There is one listener per attempt in flight: many, but at most four per destination.
    setMaxListeners(0, this.#abandon.signal);
    this.#engine = engine;
    this.#clock = clock;
    this.#onLost = onLost;
    this.#onAttempted = parts.onAttempted;
    this.#claims = claims;
    this.#events = new EventBodies(store);
    this.#faults = new DeliveryFaults(seed);
    const abandoned = this.#abandon.signal;
    const parking = new Map();
    this.#workshop = { engine, clock, events: this.#events, resolve, forwards, skipVerify, abandoned, parking };
  }

  fault(destinationId: string, fault: Partial<DeliveryFault>): void {
    this.#faults.set(destinationId, fault);
  }

  park(url: string, eventId: string): (() => void) | null {
    if (this.#clock.mode !== 'lockstep') return null;
    return this.#workshop.parking.get(parkingKey(url, eventId))?.park() ?? null;
  }

  start(): void {
    const destinations = [...this.#engine.world.all('destination')].map(({ id }) => id);
    this.#fill(destinations.filter((id) => this.#claims.has(id)));
    this.#unlisten = this.#engine.listen({
      committed: (record) => this.#take(record),
      notice: ({ kind }) => {
        // The transaction was rolled back. If it had deleted a destination, the line of the destination continues.
        if (kind === 'storage-full') this.#lookAtAll();
      },
    });
    this.#lookAtAll();
  }

  take(destinationIds: readonly string[]): void {
    this.#fill(destinationIds);
    this.#lookAtAll();
  }

  async release(destinationIds: readonly string[]): Promise<void> {
    const lines = destinationIds.flatMap((id) => this.#lines.get(id) ?? []);
    for (const line of lines) this.#drop(line);
    while (lines.some(({ backlog }) => backlog.inFlight > 0))
      await new Promise<void>((resolve) => this.#endWaiters.push(resolve));
  }

  /** Fills the lines of these destinations with exactly the deliveries that wait in the world. */
  #fill(destinationIds: readonly string[]): void {
    const { world } = this.#engine;
    const now = this.#clock.now();
    for (const id of destinationIds) {
      if (this.#lines.has(id)) continue;
      const line = this.#lineOf(id);
      for (const delivery of world.indexes.waitingOfDestination.of(id).values()) line.backlog.add(delivery, now);
    }
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve);
      this.#tellIdle();
    });
  }

  stop(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#unlisten();
    for (const line of this.#lines.values()) line.wake?.cancel();
    let cancel = () => {};
    const grace = new Promise<void>((resolve) => {
      cancel = this.#clock.afterWall(graceMs, resolve);
    });
    await Promise.race([this.idle(), grace]);
    cancel();
    this.#abandon.abort();
    for (const line of this.#lines.values()) line.sockets.close();
  }

  // --- pick

  /**
   * All deliveries that a transaction queued are in the backlog before the first one is opened, so that urgent
   * deliveries go first.
   */
  #take({ touched, events, deliveries }: CommitRecord): void {
    for (const { kind, id, after } of touched)
      if (kind === 'destination' && after === undefined) this.#drop(this.#lines.get(id));
    const { world } = this.#engine;
    const now = this.#clock.now();
    const lines = new Set<Line>();
    const queued = new Set<string>();
    for (const delivery of deliveries) {
      // The same transaction may have deleted the destination of the delivery.
      if (world.get('delivery', delivery.id) === undefined) continue;
      if (!this.#claims.has(delivery.destinationId)) continue;
      const line = this.#lineOf(delivery.destinationId);
      line.backlog.add(this.#faults.delayed(delivery, now), now);
      lines.add(line);
      queued.add(delivery.eventId);
    }
    for (const event of events) if (queued.has(event.id)) this.#events.keep(event);
    for (const line of lines) this.#look(line);
  }

  #lineOf(destinationId: string): Line {
    let line = this.#lines.get(destinationId);
    if (line === undefined) {
      line = { destinationId, backlog: new Backlog(), sockets: new Sockets(), wake: null };
      this.#lines.set(destinationId, line);
    }
    return line;
  }

  /** Attempts in flight to a deleted destination end by themselves, without a result. */
  #drop(line: Line | undefined): void {
    if (line === undefined) return;
    this.#lines.delete(line.destinationId);
    line.wake?.cancel();
    if (line.backlog.inFlight === 0) line.sockets.close();
  }

  #lookAtAll(): void {
    for (const line of this.#lines.values()) this.#look(line);
  }

  /** Opens due deliveries that get a slot, and sets the line's entry on the clock for those that are due later. */
  #look(line: Line): void {
    if (this.#closing || this.#engine.world.get('destination', line.destinationId) === undefined) return;
    if (!this.#claims.isSure()) {
      line.wake?.cancel();
      line.wake = { due: 0, cancel: this.#clock.afterWall(SURE_AGAIN_MS, () => this.#lookAnew(line)) };
      return;
    }
    const now = this.#clock.now();
    for (let next = line.backlog.take(now); next !== null; next = line.backlog.take(now)) this.#open(line, next);
    this.#setWake(line);
  }

  #lookAnew(line: Line): void {
    line.wake = null;
    if (this.#lines.get(line.destinationId) === line) this.#look(line);
  }

  #setWake(line: Line): void {
    const next = line.backlog.nextLater();
    if (line.wake !== null && line.wake.due === next?.due) return;
    line.wake?.cancel();
    line.wake = null;
    if (next === null) return;
    const cancel = this.#clock.at(next.due, { lane: LANE.delivery, actor: next.id }, () => {
      line.wake = null;
      this.#look(line);
    });
    line.wake = { due: next.due, cancel };
  }

  // --- open, send, settle

  #open(line: Line, delivery: Delivery): void {
    const { url } = this.#engine.world.need('destination', line.destinationId);
    const label = () => `attempt ${delivery.tries + 1} to deliver ${delivery.eventType} to ${url}`;
    this.#inFlight += 1;
    const held = new AttemptHold(() => this.#clock.hold('delivery', label));
    this.#opened.push({ line, delivery, at: this.#clock.now(), held });
    if (this.#opened.length > 1) return;
    this.#clock.soon(() => {
      const opened = this.#opened;
      this.#opened = [];
      for (const attempt of opened) this.#contain(attempt, this.#attempt(attempt));
    });
  }

  async #attempt(attempt: AttemptInFlight): Promise<void> {
    const sent = await send(attempt, this.#workshop);
    if (sent === null) return this.#end(attempt, attempt.delivery);
    // Replies arrive in any order, but are settled in this order. [house, Time and chance]
    const { priority, eventAt, id } = attempt.delivery;
    this.#clock.ordered('delivery', `${priority}/${eventAt}/${id}`, () =>
      this.#contain(attempt, this.#settle(attempt, sent)),
    );
  }

  /** If an attempt throws, its delivery waits until the next start; the line and the clock continue. */
  #contain(attempt: AttemptInFlight, work: Promise<void>): void {
    work.catch((error) => {
      const { delivery } = attempt;
      const what = `${delivery.eventType} to ${attempt.line.destinationId}`;
      this.#engine.failures.report({ part: 'delivery', what, error: asError(error) });
      this.#end(attempt, null);
    });
  }

  async #settle(attempt: AttemptInFlight, sent: SentAttempt): Promise<void> {
    const settled = await settle(attempt, sent, this.#workshop);
    if (settled === null) return this.#end(attempt, attempt.delivery);
    const { result, next } = settled;
    if (result !== 'gone') this.#tell(attempt, sent, noticeOf(attempt, sent, result));
    if (result === 'lost') this.#onLost(attempt.delivery, sent.event);
    const { copies } = this.#faults.of(attempt.line.destinationId);
    if (result === 'delivered' && copies > 1) await this.#repeat(attempt, copies);
    this.#end(attempt, next);
  }

  #tell({ delivery }: AttemptInFlight, { event, organizationId }: SentAttempt, notice: AttemptNotice): void {
    this.#engine.notify(notice);
    const { body, listed } = event;
    this.#onAttempted?.({ notice, organizationId, eventAt: delivery.eventAt, body, isTest: !listed });
  }

  /**
   * Sends an accepted event again, the number of times that the fault gives; the replies of the receiver have no
   * effect.
   */
  async #repeat(attempt: AttemptInFlight, copies: number): Promise<void> {
    for (let copy = 2; copy <= copies && !this.#closing; copy++) {
      const sent = await send(attempt, this.#workshop);
      if (sent === null) return;
      const { priority, eventAt, id } = attempt.delivery;
      const inOrder = new Promise<void>((resolve) =>
        this.#clock.ordered('delivery', `${priority}/${eventAt}/${id}`, resolve),
      );
      await inOrder;
      const result = sent.outcome.delivered ? 'delivered' : 'waiting';
      this.#tell(attempt, sent, { ...noticeOf(attempt, sent, result), copy });
    }
  }

  /** `waits`: the delivery with its next attempt; null: there is no next attempt for now. */
  #end(attempt: AttemptInFlight, waits: Delivery | null): void {
    // An attempt that throws at its very end has already been ended.
    if (this.#ended.has(attempt)) return;
    this.#ended.add(attempt);
    const { line, delivery, held } = attempt;
    this.#inFlight -= 1;
    line.backlog.ended(delivery, waits, this.#clock.now());
    // The next attempts hold the clock before this one releases it, so that in lock-step every round begins with the
    // same attempts.
    if (this.#lines.get(line.destinationId) === line) this.#look(line);
    else if (line.backlog.inFlight === 0) line.sockets.close();
    held.close();
    for (const resolve of this.#endWaiters.splice(0)) resolve();
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#idleWaiters.length === 0 || this.#inFlight > 0) return;
    const now = this.#clock.now();
    const waits = !this.#closing && [...this.#lines.values()].some(({ backlog }) => backlog.isReady(now));
    if (!waits) for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}
