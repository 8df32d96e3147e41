/**
 * The database's clock as a node knows it. All nodes take their time from it, so `created_at` has one source and a delivery is due at
 * the same moment on each of them.
 *
 * Guarantee: the database's time lies within each measurement, from the moment of the request to the moment at which it had
 * answered, and the known time is moved into that interval by each of them. Its error is therefore at most the duration of the last
 * measurement, plus what this machine's monotonic clock drifted in the second since. The machine's wall clock plays no part.
 */
import { Client } from 'pg';
import { Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import { roughDuration } from '../../base/time/durations.ts';
import { monotonicMs, wallMs } from '../../base/time/timers.ts';
import { openingTroubleOf } from '../postgres/errors.ts';
import { databaseName } from '../postgres/name.ts';

/** By more than this the clock of a node's machine may not differ from the database's; ms. Signatures of webhooks carry that clock. */
const CLOCK_LIMIT_MS = 1_000;

/** A node that took no changes takes them again when the difference is smaller than this; ms. */
const STEADY_AGAIN_MS = 900;

/** Questions at the start, of which the fastest counts. */
const QUESTIONS = 5;

/** What the database answers; ms since the Unix epoch, with a fraction. */
export const DATABASE_NOW = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

/** One question to the database; all in ms. */
interface ClockMeasurement {
  readonly databaseMs: number;
  /** The monotonic clock before the question, and after the answer. */
  readonly sentMs: number;
  readonly gotMs: number;
  /** The machine's wall clock after the answer. */
  readonly wallMs: number;
}

/** Asks by `ask`, which resolves with the answer to `DATABASE_NOW`. */
export async function measureClock(ask: () => Promise<number>): Promise<ClockMeasurement> {
  const sentMs = monotonicMs();
  const databaseMs = await ask();
  return { databaseMs, sentMs, gotMs: monotonicMs(), wallMs: wallMs() };
}

/** By how much the machine's clock is ahead of the database's, and by how much that may be wrong; ms. */
export function differenceOf({ databaseMs, sentMs, gotMs, wallMs: wall }: ClockMeasurement): ClockDifference {
  const uncertainMs = (gotMs - sentMs) / 2;
  return { aheadMs: wall - databaseMs - uncertainMs, uncertainMs };
}

interface ClockDifference {
  /** Negative: behind. */
  readonly aheadMs: number;
  readonly uncertainMs: number;
}

/** True where the clocks differ by more than a node may, whatever the duration of the measurement hides. */
export const isBeyondLimit = ({ aheadMs, uncertainMs }: ClockDifference, limitMs = CLOCK_LIMIT_MS): boolean =>
  Math.abs(aheadMs) - uncertainMs > limitMs;

/** `5.0 s ahead of`, `120 ms behind`. */
export const wordsOf = ({ aheadMs }: Pick<ClockDifference, 'aheadMs'>): string =>
  `${roughDuration(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'}`;

export const CLOCK_FIX = `Set both clocks by NTP (timedatectl set-ntp true); ${CLI} doctor --database URL compares them. The largest allowed difference between a node and the database is 1 s.`;

/** The fastest of some questions. */
export async function measureWell(client: Pick<Client, 'query'>): Promise<ClockMeasurement> {
  const all: ClockMeasurement[] = [];
  const ask = async () => (await client.query<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`)).rows[0]?.now ?? 0;
  for (let n = 0; n < QUESTIONS; n++) all.push(await measureClock(ask));
  return all.reduce((best, one) => (one.gotMs - one.sentMs < best.gotMs - best.sentMs ? one : best));
}

/** Over a connection of its own. Throws an `Outage` where the database cannot be reached. */
export async function compareClocks(url: string): Promise<ClockDifference> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000, query_timeout: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return differenceOf(await measureWell(client));
  } catch (error) {
    throw openingTroubleOf(error, `The database ${databaseName(url)}`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** `named`: the database, for people. */
export function clockOutage(difference: ClockDifference, named: string): Outage {
  return new Outage({
    code: 'clock_differs',
    message: `The clock of this machine is ${wordsOf(difference)} that of ${named}, and a node takes its time from there.`,
    fix: CLOCK_FIX,
  });
}

export class DatabaseClock {
  /** The database's time where the monotonic clock is 0; ms. */
  #originMs: number;
  #difference: ClockDifference;
  #isSteady = true;
  readonly #listeners = new Set<(byMs: number) => void>();

  constructor(first: ClockMeasurement) {
    this.#originMs = first.databaseMs - (first.sentMs + first.gotMs) / 2;
    this.#difference = differenceOf(first);
  }

  /** Whole ms since the Unix epoch. It can be set back by as much as it was wrong; the clock that follows it then pauses. */
  now(): number {
    return Math.floor(this.#originMs + monotonicMs());
  }

  get difference(): ClockDifference {
    return this.#difference;
  }

  /** False while the machine's clock differs by more than the limit. */
  get isSteady(): boolean {
    return this.#isSteady;
  }

  /** Called with the ms by which the known time changed; negative: back. */
  onCorrected(listener: (byMs: number) => void): void {
    this.#listeners.add(listener);
  }

  take(measurement: ClockMeasurement): void {
    const { databaseMs, sentMs, gotMs } = measurement;
    const corrected = Math.min(Math.max(this.#originMs, databaseMs - gotMs), databaseMs - sentMs);
    const byMs = corrected - this.#originMs;
    this.#originMs = corrected;
    this.#difference = differenceOf(measurement);
    const { aheadMs, uncertainMs } = this.#difference;
    if (isBeyondLimit(this.#difference)) this.#isSteady = false;
    else if (Math.abs(aheadMs) + uncertainMs < STEADY_AGAIN_MS) this.#isSteady = true;
    if (byMs !== 0) for (const listener of this.#listeners) listener(byMs);
  }
}
