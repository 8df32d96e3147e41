/** One connection of a watch: what it subscribed to, which uplinks wait for their PUBACK, and which downlinks for theirs. */
import type { Client } from 'aedes';
import type { Release } from '../base/clock.ts';
import { allFilter, downAlertTopic, downConfigTopic, downFilter, musterTopic } from '../contract/watch.ts';
import type { Device } from '../domain/world/documents.ts';

/** A downlink of QoS 1 on its way. */
export interface Unacknowledged {
  /** Monotonic ms. */
  readonly since: number;
  readonly release: Release;
}

/** aedes writes the PUBACK when it is called without an error, and ends the connection when it is called with one. */
export type Callback = (error?: Error | null) => void;

/** The PUBACK of an uplink, in its place among the others of the connection. */
export interface Answer {
  ready: boolean;
  readonly callback: Callback;
}

export class Session {
  readonly client: Client;
  readonly device: Device;
  readonly clientId: string;
  readonly unacknowledged = new Map<number, Unacknowledged>();
  /** Granted QoS by filter. */
  readonly subscriptions = new Map<string, number>();
  open = true;
  #nextMessageId = 1;
  readonly #answers: Answer[] = [];

  constructor(client: Client, device: Device, clientId: string) {
    this.client = client;
    this.device = device;
    this.clientId = clientId;
  }

  /** The QoS of the subscription that covers a topic of the service; undefined: there is none. */
  qosOf(topic: string): number | undefined {
    const exact = this.subscriptions.get(topic);
    if (exact !== undefined) return exact;
    const { siteId, serial } = this.device;
    if (topic === downAlertTopic(siteId, serial) || topic === downConfigTopic(siteId, serial))
      return this.subscriptions.get(downFilter(siteId, serial));
    return topic === musterTopic(siteId) ? this.subscriptions.get(allFilter(siteId)) : undefined;
  }

  /** A message id that no downlink under way has. */
  messageId(): number {
    do {
      this.#nextMessageId = (this.#nextMessageId % 65_535) + 1;
    } while (this.unacknowledged.has(this.#nextMessageId));
    return this.#nextMessageId;
  }

  /** PUBACKs go in the order of their PUBLISHes [MQTT-4.6.0-2]. */
  queueAnswer(callback: Callback): Answer {
    const answer: Answer = { ready: false, callback };
    this.#answers.push(answer);
    return answer;
  }

  /** It is given when all before it were given. */
  settle(answer: Answer): void {
    answer.ready = true;
    while (this.#answers[0]?.ready) this.#answers.shift()?.callback(null);
  }

  /** Nobody waits for this connection any more. */
  end(): void {
    this.open = false;
    for (const { release } of this.unacknowledged.values()) release();
    this.unacknowledged.clear();
    this.#answers.length = 0;
  }
}
