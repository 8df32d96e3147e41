/** One connection of a watch: its subscriptions, the uplinks that await their PUBACK, and the downlinks that await theirs. */
import type { Duplex } from 'node:stream';
import type { Client } from 'aedes';
import type { Release } from '../../base/time/clock.ts';
import {
  allFilter,
  downAlertTopic,
  downConfigTopic,
  downFilter,
  musterTopic,
  ownUpLeaf,
  type UpLeaf,
} from '../../contract/watch.ts';
import type { Device } from '../domain/world/documents.ts';
import { type Callback, type InboundPublish, PubackQueue, type PubackReply } from './pubacks.ts';
import type { UplinkSource } from './uplink-source.ts';

/** A downlink with QoS 1 that awaits its PUBACK. */
export interface Unacknowledged {
  /** Monotonic time of sending, in milliseconds. */
  readonly since: number;
  readonly release: Release;
}

export class Session implements UplinkSource {
  readonly client: Client;
  readonly device: Device;
  readonly clientId: string;
  readonly unacknowledged = new Map<number, Unacknowledged>();
  /** The granted QoS by topic filter. */
  readonly subscriptions = new Map<string, number>();
  open = true;
  #lastUp: { readonly siteId: string; readonly topic: string; readonly leaf: UpLeaf | undefined } | null = null;
  #nextMessageId = 1;
  readonly #answers = new PubackQueue();

  constructor(client: Client, device: Device, clientId: string) {
    this.client = client;
    this.device = device;
    this.clientId = clientId;
  }

  /** The QoS of the subscription that covers a topic of the service; undefined if there is none. */
  qosOf(topic: string): number | undefined {
    const exact = this.subscriptions.get(topic);
    if (exact !== undefined) return exact;
    const { siteId, serial } = this.device;
    if (topic === downAlertTopic(siteId, serial) || topic === downConfigTopic(siteId, serial))
      return this.subscriptions.get(downFilter(siteId, serial));
    return topic === musterTopic(siteId) ? this.subscriptions.get(allFilter(siteId)) : undefined;
  }

  /** The parsed topic below the watch's own `up/`. Memoised: consecutive publishes usually share a topic. */
  upLeaf({ siteId, serial }: Device, topic: string): UpLeaf | undefined {
    if (this.#lastUp?.topic !== topic || this.#lastUp.siteId !== siteId)
      this.#lastUp = { siteId, topic, leaf: ownUpLeaf(siteId, serial, topic) };
    return this.#lastUp.leaf;
  }

  /** A message id that no downlink in flight has. */
  messageId(): number {
    do {
      this.#nextMessageId = (this.#nextMessageId % 65_535) + 1;
    } while (this.unacknowledged.has(this.#nextMessageId));
    return this.#nextMessageId;
  }

  get conn(): Duplex {
    return this.client.conn as Duplex;
  }

  queueAnswer(packet: InboundPublish, callback: Callback): PubackReply {
    return this.#answers.add(packet, callback);
  }

  takeReady(to: PubackReply[]): void {
    this.#answers.takeReady(to);
  }

  /** Ends the connection. On its next one, the watch sends its unacknowledged messages again. */
  drop(): void {
    this.conn.destroy();
  }

  /** Releases all holds of this connection. */
  end(): void {
    this.open = false;
    for (const { release } of this.unacknowledged.values()) release();
    this.unacknowledged.clear();
    this.#answers.clear();
  }
}
