/** The events of a run, byte for byte, one per line; deliveries are replayed from them. */
import { closeSync, writeSync } from 'node:fs';
import type { Event } from '../../contract/events.ts';
import { openIn } from './canonical-log.ts';

/** File name in the folder of `--out`. It holds this machine's addresses, so it is not compared between runs. */
export const EVENTS_FILE = 'events.jsonl';

/** Lines per write. */
const LINES_A_WRITE = 64;

export class EventsFile {
  readonly #file: number | null;
  #lines: string[] = [];
  #closed = false;

  /** `folder` null: nothing is written. */
  constructor(folder: string | null) {
    this.#file = folder === null ? null : openIn(folder, EVENTS_FILE);
  }

  append(event: Event): void {
    if (this.#file === null || this.#closed) return;
    this.#lines.push(`${JSON.stringify(event)}\n`);
    if (this.#lines.length >= LINES_A_WRITE) this.#flush(this.#file);
  }

  /** Idempotent. */
  close(): void {
    if (this.#file === null || this.#closed) return;
    this.#closed = true;
    this.#flush(this.#file);
    closeSync(this.#file);
  }

  #flush(file: number): void {
    if (this.#lines.length > 0) writeSync(file, this.#lines.join(''));
    this.#lines = [];
  }
}
