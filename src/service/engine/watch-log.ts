/**
 * The newest connections and messages of watches at the broker: accepted, or refused with the reason. Kept in memory;
 * the number of refusals is never reset. [watch-protocol, fine print]
 */
import type { Notice } from '../../contract/notices.ts';

/** One line, which never contains a key or a payload. */
interface WatchLine {
  /** Counts from 1 since the start. */
  readonly id: string;
  readonly at: string;
  /** `noted`: accepted, but reported because production might reject it. */
  readonly kind: 'online' | 'offline' | 'heard' | 'noted' | 'refused';
  /** Null if the client has no known serial. */
  readonly serial: string | null;
  /** The kind of event that was accepted, or what was refused. */
  readonly what: string | null;
  readonly why: string | null;
}

/** Lines kept; the oldest are dropped. */
const MOST = 1_000;

export class WatchLog {
  readonly #lines: WatchLine[] = [];
  #lastId = 0;
  #refused = 0;

  /** The number of refusals since the start. */
  get refused(): number {
    return this.#refused;
  }

  take(notice: Notice): void {
    switch (notice.kind) {
      case 'watch-online':
        return this.#add({ at: notice.at, kind: 'online', serial: notice.serial, what: null, why: null });
      case 'watch-offline':
        return this.#add({ at: notice.at, kind: 'offline', serial: notice.serial, what: null, why: null });
      case 'uplink-heard':
        return this.#add({ at: notice.at, kind: 'heard', serial: notice.serial, what: notice.event, why: null });
      case 'watch-refused': {
        const { at, serial, what, why, times } = notice;
        this.#refused += times;
        return this.#add({ at, kind: 'refused', serial, what, why });
      }
      case 'watch-noted': {
        const { at, serial, what, why } = notice;
        return this.#add({ at, kind: 'noted', serial, what, why });
      }
      default:
        return;
    }
  }

  /** The newest lines, the newest first. */
  newest(limit: number): WatchLine[] {
    return this.#lines.slice(-limit).reverse();
  }

  #add(line: Omit<WatchLine, 'id'>): void {
    this.#lastId += 1;
    this.#lines.push({ id: String(this.#lastId), ...line });
    if (this.#lines.length > MOST) this.#lines.shift();
  }
}
