/** The connection of an emulated watch: an mqtt.js client, or a test double. */

/** What a watch connects with. */
export interface Dial {
  readonly serial: string;
  readonly key: string;
  readonly siteId: string;
  /** Published by the broker when the connection ends without a goodbye. */
  readonly will: Buffer;
}

/** What is known of an end beside its words. */
export interface LinkEnd {
  /** The broker would not let the watch in. */
  readonly refused?: boolean;
  /** Of Node.js, as `ECONNREFUSED`; or `MQTT_VERSION`, where the broker speaks another one. */
  readonly code?: string;
}

/** The watch that a link belongs to. */
export interface LinkListener {
  /** Connected and subscribed. */
  linkUp(): void;
  linkReceived(topic: string, payload: Buffer): void;
  /** Once, however it ends, also when it never came up. */
  linkDown(why: string, how?: LinkEnd): void;
}

export interface Link {
  /** `sent` is called later: at the PUBACK, or at QoS 0 when it is written; never for a link that ends before. */
  send(topic: string, payload: string, qos: 0 | 1, retain: boolean, sent: () => void): void;
  /** Keeps the connection known; `answered` at the PINGRESP. */
  ping(answered: () => void): void;
  /** The network is gone: no goodbye. `linkDown` follows, when the broker has seen it where the link waits for that. */
  break(): void;
  /** DISCONNECT: the broker says no last will. `linkDown` follows. */
  leave(): void;
}

/** Opens a link; `linkUp` or `linkDown` comes later, never during the call. */
export type DialLink = (dial: Dial, listener: LinkListener) => Link;
