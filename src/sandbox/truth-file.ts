/** The file of `--truth`: a new one with its header, or the one of a world that goes on, so that a track has gaps only where the sandbox was down. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { Outage } from '../base/assert.ts';
import type { Instant } from '../base/clock.ts';
import { formatInstant, parseInstant } from '../base/instants.ts';
import { keepPrivate } from '../store/data-folder.ts';
import { VERSION } from './version.ts';

const FORMAT = 'muster-sandbox truth';

/** Longer than any line; bytes. */
const MOST_OF_A_LINE = 4_096;

export interface TruthFileParts {
  readonly file: string;
  /** Null: the run has none. */
  readonly seed: string | null;
  readonly now: Instant;
  /** The people of an earlier start live on: their lines stay, and more are appended. */
  readonly continues: boolean;
}

/** A descriptor that stands behind the header, or behind the last whole line of a truth that goes on. */
export function openTruthFile({ file, seed, now, continues }: TruthFileParts): number {
  try {
    // True positions of everyone: readable by the user who started the sandbox only.
    keepPrivate(file);
    const kept = continues ? goOn(file, seed, now) : null;
    if (kept !== null) return kept;
    const descriptor = openSync(file, 'w', 0o600);
    const header = { format: FORMAT, version: VERSION, seed, started_at: formatInstant(now) };
    writeSync(descriptor, `${JSON.stringify(header)}\n`);
    return descriptor;
  } catch (error) {
    throw new Outage({
      code: 'truth_not_writable',
      message: `The truth file ${file} cannot be written: ${(error as Error).message}`,
      cure: 'Give --truth a path in a folder that exists and may be written.',
    });
  }
}

/** Null: there is no such file, or it is of another run, or of a later time. */
function goOn(file: string, seed: string | null, now: Instant): number | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const { size } = fstatSync(descriptor);
  const head = read(descriptor, 0);
  const tail = read(descriptor, Math.max(0, size - MOST_OF_A_LINE));
  // A kill may have cut the last line.
  const whole = tail.subarray(0, tail.lastIndexOf('\n') + 1);
  const header = parsed(head.subarray(0, head.indexOf('\n') + 1));
  const last = parsed(whole.subarray(whole.lastIndexOf('\n', -2) + 1));
  const lastAt = parseInstant(String(last?.['at'] ?? last?.['started_at'] ?? ''));
  if (header?.['format'] !== FORMAT || header['seed'] !== seed || lastAt === null || lastAt > now) {
    closeSync(descriptor);
    return null;
  }
  ftruncateSync(descriptor, size - (tail.length - whole.length));
  closeSync(descriptor);
  return openSync(file, 'a');
}

function read(descriptor: number, from: number): Buffer {
  const buffer = Buffer.alloc(MOST_OF_A_LINE);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, MOST_OF_A_LINE, from));
}

function parsed(line: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
