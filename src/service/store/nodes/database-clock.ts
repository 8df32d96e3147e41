/**
 * The database's clock as a node knows it. All nodes take their time from it, so `created_at` has one source and a
 * delivery is due at the same moment on each of them.
 *
 * Guarantee: the database's time lies within the interval of each measurement, from the request to its reply, and each
 * measurement moves the known time into its interval. The error is therefore at most the duration of the last
 * measurement, plus the drift of this machine's monotonic clock in the second since then. The machine's wall clock is
 * not used.
 */
import { Client } from 'pg';
import { Outage } from '../../../base/assert.ts';
import { CLI } from '../../../base/text/command-form.ts';
import { roughDuration } from '../../../base/time/durations.ts';
import { monotonicMs, wallMs } from '../../../base/time/timers.ts';
import { openingTroubleOf } from '../postgres/errors.ts';
import { databaseName } from '../postgres/name.ts';

/**
 * The largest allowed difference between the clock of a node's machine and the database's; ms. Signatures of webhooks
 * use the machine's clock.
 */
const CLOCK_LIMIT_MS = 1_000;

/** A node that refused changes accepts them again when the difference is below this; ms. */
const STEADY_AGAIN_MS = 900;

/** Number of measurements at the start; the fastest is used. */
const QUESTIONS = 5;

/** The SQL expression of the database's time; ms since the Unix epoch, with a fraction. */
export const DATABASE_NOW = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

/** One measurement of the database's time; all values in ms. */
interface ClockMeasurement {
  readonly databaseMs: number;
  /** The monotonic clock before the query, and after its reply. */
  readonly sentMs: number;
  readonly gotMs: number;
  /** The machine's wall clock after the answer. */
  readonly wallMs: number;
}

/** Measures with `ask`, which resolves with the value of `DATABASE_NOW`. */
export async function measureClock(ask: () => Promise<number>): Promise<ClockMeasurement> {
  const sentMs = monotonicMs();
  const databaseMs = await ask();
  return { databaseMs, sentMs, gotMs: monotonicMs(), wallMs: wallMs() };
}

/** Returns how far the machine's clock is ahead of the database's, and the uncertainty of that value; ms. */
export function differenceOf({ databaseMs, sentMs, gotMs, wallMs: wall }: ClockMeasurement): ClockDifference {
  const uncertainMs = (gotMs - sentMs) / 2;
  return { aheadMs: wall - databaseMs - uncertainMs, uncertainMs };
}

interface ClockDifference {
  /** Negative: behind. */
  readonly aheadMs: number;
  readonly uncertainMs: number;
}

/**
 * Returns true if the clocks certainly differ by more than the limit, after subtracting the uncertainty of the
 * measurement.
 */
export const isBeyondLimit = ({ aheadMs, uncertainMs }: ClockDifference, limitMs = CLOCK_LIMIT_MS): boolean =>
  Math.abs(aheadMs) - uncertainMs > limitMs;

/** For example `5.0 s ahead of` or `120 ms behind`. */
export const wordsOf = ({ aheadMs }: Pick<ClockDifference, 'aheadMs'>): string =>
  `${roughDuration(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'}`;

export const CLOCK_FIX = `Set both clocks by NTP (timedatectl set-ntp true); ${CLI} doctor --database URL compares them. The largest allowed difference between a node and the database is 1 s.`;

/** Returns the fastest of several measurements. */
export async function measureWell(client: Pick<Client, 'query'>): Promise<ClockMeasurement> {
  const all: ClockMeasurement[] = [];
  const ask = async () => (await client.query<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`)).rows[0]?.now ?? 0;
  for (let n = 0; n < QUESTIONS; n++) all.push(await measureClock(ask));
  return all.reduce((best, one) => (one.gotMs - one.sentMs < best.gotMs - best.sentMs ? one : best));
}

/** Compares the clocks over a separate connection. Throws an `Outage` if the database cannot be reached. */
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

/** `named`: the name of the database, for display. */
export function clockOutage(difference: ClockDifference, named: string): Outage {
  return new Outage({
    code: 'clock_differs',
    message: `The clock of this machine is ${wordsOf(difference)} that of ${named}, and a node takes its time from there.`,
    fix: CLOCK_FIX,
  });
}

export class DatabaseClock {
  /** The database's time at which the monotonic clock was 0; ms. */
  #originMs: number;
  #difference: ClockDifference;
  #isSteady = true;
  readonly #listeners = new Set<(byMs: number) => void>();

  constructor(first: ClockMeasurement) {
    this.#originMs = first.databaseMs - (first.sentMs + first.gotMs) / 2;
    this.#difference = differenceOf(first);
  }

  /** Returns whole ms since the Unix epoch. A correction can set this time back; the clock that follows it then pauses. */
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

  /** The listener is called with the ms by which a measurement corrected the time; negative: back. */
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
