/** Failed attempts to get a token, per client id within a minute. [decisions 3] */

const FAILURES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** Made-up ids must not fill the memory; who made the oldest attempt is forgotten first. */
const MAX_IDS = 1_000;
const MAX_ID_CHARACTERS = 200;

export class FailedAttempts {
  readonly #times = new Map<string, number[]>();

  /** How long this client id has to wait until its next attempt is looked at; 0: not at all. */
  waitMs(id: string, now: number): number {
    const times = this.#recent(id, now);
    return times.length < FAILURES_PER_MINUTE ? 0 : (times[0] as number) + MINUTE_MS - now;
  }

  add(id: string, now: number): void {
    const times = [...this.#recent(id, now), now].slice(-FAILURES_PER_MINUTE);
    this.#times.delete(keyOf(id));
    this.#times.set(keyOf(id), times);
    if (this.#times.size > MAX_IDS) this.#times.delete(this.#times.keys().next().value as string);
  }

  #recent(id: string, now: number): number[] {
    return (this.#times.get(keyOf(id)) ?? []).filter((at) => at > now - MINUTE_MS);
  }
}

const keyOf = (id: string): string => id.slice(0, MAX_ID_CHARACTERS);
