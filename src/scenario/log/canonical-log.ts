/** The canonical log of a run: equal scenario, seed and version give equal bytes, on any machine and under any load. */

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Outage } from '../../base/assert.ts';
import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { Mismatch } from '../model/matchers.ts';

/** File name in the folder of `--out`. */
export const LOG_FILE = 'run.jsonl';

/** Lines per write. */
const LINES_A_WRITE = 256;

/** The kinds of records, `k`. */
export type LogKind =
  | 'head'
  | 'act'
  | 'refused'
  | 'skipped'
  | 'event'
  | 'alert'
  | 'muster'
  | 'dest'
  | 'dlv'
  | 'mail'
  | 'answer'
  | 'expect'
  | 'mark'
  | 'end';

/** A record without its number; `t` is ms from the start. Never holds wall time, ports, latencies, tokens, secrets or signatures. */
export interface LogRecord {
  readonly k: LogKind;
  readonly t: number;
  readonly who?: string;
  readonly line?: number;
  readonly step?: string;
  readonly d: unknown;
}

/** A record as read from a log. */
export interface ReadRecord extends LogRecord {
  readonly d: JsonMap;
}

/** Writes and hashes records. */
export class CanonicalLog {
  readonly #hash = createHash('sha256');
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #file: number | null;
  #lines: string[] = [];
  #n = 0;
  #sha256: string | null = null;

  /** `folder` null: only the hash is computed. */
  constructor(folder: string | null, onLine: ((line: string) => void) | undefined = undefined) {
    this.#onLine = onLine;
    this.#file = folder === null ? null : openIn(folder, LOG_FILE);
  }

  append(record: LogRecord): void {
    if (this.#sha256 !== null) return;
    const line = `${canonicalJson({ n: this.#n++, ...record })}\n`;
    this.#hash.update(line);
    this.#onLine?.(line);
    if (this.#file === null) return;
    this.#lines.push(line);
    if (this.#lines.length >= LINES_A_WRITE) this.#flush(this.#file);
  }

  /** Ends the log and returns its SHA-256; later records are ignored. Idempotent. */
  close(): string {
    if (this.#sha256 === null) {
      this.#sha256 = this.#hash.digest('hex');
      if (this.#file !== null) {
        this.#flush(this.#file);
        closeSync(this.#file);
      }
    }
    return this.#sha256;
  }

  #flush(file: number): void {
    if (this.#lines.length > 0) writeSync(file, this.#lines.join(''));
    this.#lines = [];
  }
}

/** The differences of a failed check as the log holds them: without the ports of addresses, which differ between runs. */
export const portableRows = (rows: readonly Mismatch[]): Mismatch[] =>
  rows.map(({ path, expected, got }) => ({ path, expected: withoutPorts(expected), got: withoutPorts(got) }));

const withoutPorts = (text: string): string => text.replace(/(\w:\/\/[^\s/":]+):\d+/g, '$1');

/** How often a folder is made again that somebody removes before the file in it is opened. */
const TRIES = 100;

/** Opens the file anew, in a folder that is made where it is missing. Throws `out_not_writable`. */
export function openIn(folder: string, name: string): number {
  for (let left = TRIES; ; left--) {
    try {
      mkdirSync(folder, { recursive: true });
      return openSync(join(folder, name), 'w');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && left > 0) continue;
      throw new Outage({
        code: 'out_not_writable',
        message: `${join(folder, name)} cannot be written: ${(error as Error).message}.`,
        fix: 'Name a folder that you may write to with --out.',
        cause: error,
      });
    }
  }
}
