/** Makes deliveries as the service does, and the same deliveries with one modification. [spec 4, 5] */

import { randomId, randomSecret } from '../../base/ids.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { wallMs } from '../../base/time/timers.ts';
import { API_VERSION, type EventType } from '../../contract/enumerations.ts';
import type { Event } from '../../contract/events.ts';
import { signatureOf, USER_AGENT } from '../../service/domain/deliveries/signature.ts';
import { alertOf, type CertifiedSite, musterOf } from './events.ts';

/** One request that is to be sent. */
export interface CraftedDelivery {
  /** A description of what is special about the delivery. */
  readonly what: string;
  readonly eventId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * True if the delivery is unaltered, and signed in time with the receiver's secret. Its alert or muster then exists.
   */
  readonly isGenuine: boolean;
}

/** How a delivery differs from that of the service. An absent key means that there is no difference. */
export interface DeliveryTwist {
  /** Default: the receiver's secret. Several secrets sign as in a rotation, the newest first. */
  readonly secrets?: readonly string[];
  /** The timestamp that is signed and sent; Unix seconds. Default: now. */
  readonly timestamp?: number;
  /** The text of X-Service-Timestamp; null omits the header. Default: the timestamp. */
  readonly timestampHeader?: string | null;
  /** Makes the header that is sent from the right one; null omits the header. */
  readonly signature?: (right: string) => string | null;
  /** Changes the body after it was signed. */
  readonly body?: (signed: string) => string;
  readonly contentType?: string;
  readonly eventId?: string;
  readonly headerCase?: (name: string) => string;
}

/** Tolerance of timestamps. [spec 8 timestamp skew] */
const MOST_SKEW_S = 300;

export class DeliveryMaker {
  readonly secret: string;
  readonly site: CertifiedSite;

  constructor(secret: string, site: CertifiedSite) {
    this.secret = secret;
    this.site = site;
  }

  /** The same site with another secret, as after a rotation. */
  withSecret(secret: string): DeliveryMaker {
    return new DeliveryMaker(secret, this.site);
  }

  /** A secret that the receiver does not know. */
  otherSecret(): string {
    return `whsec_${randomSecret(32)}`;
  }

  alert(over: Parameters<typeof alertOf>[1] = {}): ReturnType<typeof alertOf> {
    return alertOf(this.site, over);
  }

  muster(over: Parameters<typeof musterOf>[1] = {}): ReturnType<typeof musterOf> {
    return musterOf(this.site, over);
  }

  /** The envelope of an event. For an alert, `created_at` is the time of its last change. */
  event(data: Event['data'], over: Partial<Record<keyof Event, unknown>> & { type?: EventType } = {}): Event {
    const type = 'alert' in data ? 'alert.created' : 'muster.started';
    const { organizationId, siteId } = this.site;
    return {
      id: randomId(),
      type,
      api_version: API_VERSION,
      created_at: 'alert' in data ? data.alert.date_last_modified : formatInstant(wallMs()),
      organization_id: organizationId,
      site_id: siteId,
      data,
      ...over,
    } as Event;
  }

  /** A delivery of the event with the bytes of `JSON.stringify`, as the service writes them. */
  of(what: string, event: Event, twist: DeliveryTwist = {}): CraftedDelivery {
    return this.raw(what, event.id, JSON.stringify(event), twist);
  }

  /** A new SOS, with a modification. */
  sos(what: string, twist: DeliveryTwist = {}): CraftedDelivery {
    return this.of(what, this.event({ alert: this.alert() }), twist);
  }

  raw(what: string, eventId: string, body: string, twist: DeliveryTwist = {}): CraftedDelivery {
    const {
      secrets = [this.secret],
      timestamp = Math.floor(wallMs() / 1_000),
      contentType = 'application/json',
    } = twist;
    const right = secrets.map((secret) => signatureOf(secret, timestamp, body)).join(',');
    const named: [string, string | null][] = [
      ['Content-Type', contentType],
      ['User-Agent', USER_AGENT],
      ['X-Service-Event-Id', twist.eventId ?? eventId],
      ['X-Service-Timestamp', twist.timestampHeader === undefined ? String(timestamp) : twist.timestampHeader],
      ['X-Service-Signature', twist.signature === undefined ? right : twist.signature(right)],
    ];
    const { headerCase = (name: string) => name } = twist;
    const headers = named.flatMap(([name, value]) => (value === null ? [] : [[headerCase(name), value] as const]));
    const isGenuine =
      twist.signature === undefined &&
      twist.body === undefined &&
      twist.timestampHeader === undefined &&
      secrets.includes(this.secret) &&
      Math.abs(wallMs() / 1_000 - timestamp) < MOST_SKEW_S;
    const sentBody = twist.body?.(body) ?? body;
    return { what, eventId, headers: Object.fromEntries(headers), body: sentBody, isGenuine };
  }
}
