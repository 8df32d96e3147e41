/** What the accepted deliveries of one company show. [spec 5, 6] */
import type { Instant } from '../../../base/time/clock.ts';
import { instantOf } from '../../../base/time/instants.ts';
import { Event } from '../../../contract/events.ts';
import type { AttemptNotice } from '../../../contract/notices.ts';
import type { SchemaNode } from '../../../contract/schema.ts';
import type { CompanyCoverage } from './company.ts';

/** An attempt at a destination of the user's own, after its outcome. */
export interface CoveredAttempt {
  readonly at: Instant;
  readonly eventId: string;
  readonly eventType: string;
  readonly eventAt: Instant;
  readonly destinationId: string;
  readonly objectId: string;
  /** Counts from 1. */
  readonly tryNumber: number;
  readonly result: 'delivered' | 'waiting' | 'lost';
  readonly signatures: number;
  /** True if the destination had another secret before, in this process. */
  readonly isRotated: boolean;
  /** True for a test event, whose alert no GET knows. */
  readonly isTest: boolean;
  readonly body: string;
}

export const coveredAttempt = ({
  notice,
  eventAt,
  isTest,
  body,
}: Pick<CoveredAttempt, 'eventAt' | 'isTest' | 'body'> & { readonly notice: AttemptNotice }): Omit<
  CoveredAttempt,
  'isRotated'
> => ({
  at: instantOf(notice.at),
  eventId: notice.event_id,
  eventType: notice.event_type,
  eventAt,
  destinationId: notice.destination_id,
  objectId: notice.object_id,
  tryNumber: notice.try,
  result: notice.result,
  signatures: notice.signatures,
  isTest,
  body,
});

/** From this age on, an accepted delivery is late; ms. */
const LATE_MS = 60_000;

/** Most accepted events, lost events, versions and test alerts that are remembered. */
const MOST_KEPT = 2_000;

export class DeliveryFold {
  readonly #company: CompanyCoverage;
  /** Accepted, by destination and event. */
  readonly #accepted = new Set<string>();
  readonly #lost = new Map<string, string>();
  /** The time of the newest accepted event, by destination and object. */
  readonly #newest = new Map<string, Instant>();
  /** The ids of the alerts of accepted test events. */
  readonly #testAlerts = new Map<string, true>();

  constructor(company: CompanyCoverage) {
    this.#company = company;
  }

  take(attempt: CoveredAttempt): void {
    this.#company.deliveries++;
    const { result, eventId, eventType, tryNumber } = attempt;
    const by = `${eventType}, try ${tryNumber}`;
    if (result === 'lost') keep(this.#lost, eventId, by);
    if (result === 'delivered') this.#take(attempt, by);
  }

  #take(attempt: CoveredAttempt, by: string): void {
    const { at, eventId, eventAt, destinationId, objectId, tryNumber, signatures, isRotated, isTest, body } = attempt;
    const meet = (name: string) => this.#company.meet(`deliveries/${name}`, { at, by });
    const key = `${destinationId} ${eventId}`;
    if (this.#accepted.has(key)) meet('duplicate');
    this.#accepted.add(key);
    if (this.#accepted.size > MOST_KEPT) this.#accepted.delete(this.#accepted.keys().next().value as string);
    if (tryNumber > 1) meet('retried');
    if (at - eventAt >= LATE_MS) meet('late');
    if (signatures > 1) meet('two-signatures');
    else if (isRotated) meet('new-signature');
    const object = `${destinationId} ${objectId}`;
    const newest = this.#newest.get(object) ?? eventAt;
    if (eventAt < newest) meet('out-of-order');
    keep(this.#newest, object, Math.max(newest, eventAt));
    if (isTest) {
      meet('test-event');
      keep(this.#testAlerts, objectId, true);
    } else if (this.#company.isCurious(EVENT) && this.#company.isNewEvent(eventId))
      this.#company.read(EVENT, JSON.parse(body), { at, by });
  }

  /** True for the alert of an accepted test event. */
  isTestAlert(id: string): boolean {
    return this.#testAlerts.has(id);
  }

  /** True if an event of a page could cover a delivery that was given up. */
  get awaitsLost(): boolean {
    return this.#lost.size > 0 && !this.#company.met.has('deliveries/given-up');
  }

  /** The events of a page that the client has read. */
  pageRead(ids: Iterable<unknown>, at: Instant): void {
    for (const id of ids) {
      const by = this.#lost.get(String(id));
      if (by !== undefined) this.#company.meet('deliveries/given-up', { at, by });
    }
  }
}

const EVENT = Event as SchemaNode;

/** Keeps the newest entries. */
function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value as string);
}
