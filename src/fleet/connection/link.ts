/** The connection of an emulated watch: an mqtt.js client, or a test double. */

/** The credentials and the last will with which a watch connects. */
export interface Dial {
  readonly serial: string;
  readonly key: string;
  readonly siteId: string;
  /** Published by the broker when the connection ends without a DISCONNECT. */
  readonly will: Buffer;
}

/** Details of the end of a connection, in addition to its text. */
export interface LinkEnd {
  /** The broker refused the connection. */
  readonly refused?: boolean;
  /** An error code of Node.js, such as `ECONNREFUSED`; or `MQTT_VERSION` if the broker uses another version. */
  readonly code?: string;
}

/** The watch that a link belongs to. */
export interface LinkListener {
  /** The link is connected and subscribed. */
  linkUp(): void;
  linkReceived(topic: string, payload: Buffer): void;
  /** Called once when the link ends for any reason, also if it was never connected. */
  linkDown(why: string, how?: LinkEnd): void;
}

export interface Link {
  /**
   * `sent` is called later: at the PUBACK, or for QoS 0 when the message is written. It is never called if the link
   * ends before that.
   */
  send(topic: string, payload: string, qos: 0 | 1, retain: boolean, sent: () => void): void;
  /** Sends a PINGREQ; `answered` is called at the PINGRESP. */
  ping(answered: () => void): void;
  /**
   * Ends the connection as a lost network does, without a DISCONNECT. `linkDown` follows; in lock-step, once the broker
   * has noticed the end.
   */
  break(): void;
  /** Sends a DISCONNECT, so that the broker publishes no last will. `linkDown` follows. */
  leave(): void;
}

/** Opens a link. `linkUp` or `linkDown` is called later, never during the call. */
export type DialLink = (dial: Dial, listener: LinkListener) => Link;
