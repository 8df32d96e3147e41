/** The sender of uplinks. */
import type { UpLeaf } from '../../contract/watch.ts';
import type { Device } from '../domain/world/documents.ts';
import type { Answered, Callback, InboundPublish, PubackReply } from './pubacks.ts';

/** One watch as the sender of uplinks: it has its own connection, or shares the connection of its site. */
export interface UplinkSource extends Answered {
  readonly device: Device;
  /** False once the connection has ended. */
  readonly open: boolean;
  /** The parsed part of the topic below the watch's own `up/`; undefined for any other topic. */
  upLeaf(device: Device, topic: string): UpLeaf | undefined;
  queueAnswer(packet: InboundPublish, callback: Callback): PubackReply;
  /** Ends the connection, so that its unacknowledged messages are sent again on the next one. */
  drop(): void;
}
