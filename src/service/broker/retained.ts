/** The persistence of aedes: retained messages are generated on demand, and there is no queue for offline clients. */
import { Readable } from 'node:stream';
import {
  allFilter,
  type DownConfig,
  downConfigTopic,
  downFilter,
  HOST_STATE_TOPIC,
  musterTopic,
} from '../../contract/watch.ts';
import type { Site } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';

interface RetainedPacket {
  readonly cmd: 'publish';
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: 1;
  readonly retain: true;
}

/**
 * Sessions are clean [watch-protocol], so nothing is kept for an offline client. aedes' own persistence would queue
 * without a limit for it (aedes #1087). The retained statuses of watches are not kept either, since no client may
 * subscribe to `up/`.
 */
export class Retained {
  readonly #world: World;
  readonly #musters = new Map<string, Buffer>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Sets the retained muster of a site; null clears it. */
  setMuster(siteId: string, payload: Buffer | null): void {
    if (payload === null) this.#musters.delete(siteId);
    else this.#musters.set(siteId, payload);
  }

  /** The messages that a new subscription gets at once. */
  matching(filter: string): RetainedPacket[] {
    if (filter === HOST_STATE_TOPIC) return [retained(HOST_STATE_TOPIC, ONLINE)];
    const [, , site = '', serial = ''] = filter.split('/');
    if (filter === allFilter(site) || filter === musterTopic(site)) {
      const muster = this.#musters.get(site);
      return muster === undefined ? [] : [retained(musterTopic(site), muster)];
    }
    const topic = downConfigTopic(site, serial);
    if (filter !== topic && filter !== downFilter(site, serial)) return [];
    const config = this.#configOf(serial);
    return config === null ? [] : [retained(topic, config)];
  }

  #configOf(serial: string): Buffer | null {
    const device = this.#world.get('device', this.#world.indexes.deviceId(serial) ?? '');
    return device === undefined ? null : encode(watchConfig(this.#world.need('site', device.siteId)));
  }

  // --- called by aedes

  async setup(): Promise<void> {}
  async destroy(): Promise<void> {}

  createRetainedStreamCombi(filters: readonly string[]): Readable {
    return Readable.from(filters.flatMap((filter) => this.matching(filter)));
  }

  createRetainedStream(filter: string): Readable {
    return this.createRetainedStreamCombi([filter]);
  }

  /** Returns the PUBACK packet itself, since the `ack` event needs its message id. */
  async outgoingClearMessageId<P>(_client: unknown, packet: P): Promise<P> {
    return packet;
  }

  async storeRetained(): Promise<void> {}
  async addSubscriptions(): Promise<void> {}
  async removeSubscriptions(): Promise<void> {}
  async cleanSubscriptions(): Promise<void> {}
  async subscriptionsByClient(): Promise<[]> {
    return NONE;
  }
  async subscriptionsByTopic(): Promise<[]> {
    return NONE;
  }
  async outgoingEnqueue(): Promise<void> {}
  async outgoingEnqueueCombi(): Promise<void> {}
  async outgoingUpdate(): Promise<void> {}
  outgoingStream(): Readable {
    return Readable.from(NONE);
  }
  async cleanIncoming(): Promise<void> {}
  async incomingGetPacket(): Promise<never> {
    throw new Error('no such packet');
  }
  // A will exists as long as its connection, which stores it.
  async putWill(): Promise<void> {}
  async delWill(): Promise<void> {}
  streamWill(): Readable {
    return Readable.from(NONE);
  }
}

const NONE: [] = [];

/** The payload of `down/config`. [watch-protocol] */
export const watchConfig = ({ thresholds }: Site): DownConfig => ({
  position_every_s: thresholds.positionEveryMs / 1000,
  alarm_every_s: thresholds.alarmEveryMs / 1000,
  prompt_s: thresholds.fallPromptMs / 1000,
});

/** JSON as it is published. */
export const encode = (payload: unknown): Buffer => Buffer.from(JSON.stringify(payload));

/** `host/state` while the service is connected, and the last will of the service. [watch-protocol] */
export const ONLINE = encode({ online: true });
export const OFFLINE = encode({ online: false });

const retained = (topic: string, payload: Buffer): RetainedPacket => ({
  cmd: 'publish',
  topic,
  payload,
  qos: 1,
  retain: true,
});
