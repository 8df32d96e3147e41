/** Judges one check: evaluates its condition at the beginning and after each notice until it is true or its limit is over. */
import { type Cancel, type Clock, type Instant, LANE } from '../../base/clock.ts';
import type { RunRecord } from '../log/run-record.ts';
import type { Reference } from '../story/references.ts';
import type { CheckBody } from '../story/story.ts';
import type { CheckSight, LookResult } from './subjects/subject.ts';

/** Why a check failed: unbound name, limit exceeded, too early, not true now, no longer true, or came at all (`never`). */
export type CheckFault = 'no-name' | 'limit' | 'too-early' | 'not-now' | 'ended' | 'came';

export interface Judgement {
  readonly fault: CheckFault | null;
  readonly begin: Instant;
  /** When the verdict was reached. */
  readonly at: Instant;
  /** From the beginning of the step to the match, or to the verdict. */
  readonly waitedMs: number;
  readonly look: LookResult;
  readonly missing: Reference | null;
}

export interface JudgeParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly sight: CheckSight;
  /** Tolerance added to upper limits, ms: in real and scaled time answers take time. */
  readonly slackMs: number;
  /** Called synchronously, before anything else happens in the run. */
  readonly onVerdict: (judgement: Judgement) => void;
  /** Aborts before the limit, when the client of a wait disconnects. */
  readonly signal?: AbortSignal;
}

/** One actor for all checks: at equal instants they run in the order of their lines. */
const ACTOR = 'expectation';

/** Rejects if a condition throws; the publisher of the notice is not affected. */
export function judge(check: CheckBody, begin: Instant, parts: JudgeParts): Promise<Judgement> {
  return new Promise((resolve, reject) => new Judging(check, begin, parts, { resolve, reject }).begin());
}

interface Settling {
  resolve(judgement: Judgement): void;
  reject(reason: unknown): void;
}

class Judging {
  readonly #check: CheckBody;
  readonly #begin: Instant;
  readonly #parts: JudgeParts;
  readonly #promise: Settling;
  readonly #cancels: Cancel[] = [];
  #holding: Cancel | null = null;
  #overdue = false;
  #settled = false;

  constructor(check: CheckBody, begin: Instant, parts: JudgeParts, promise: Settling) {
    this.#check = check;
    this.#begin = begin;
    this.#parts = parts;
    this.#promise = promise;
  }

  begin(): void {
    this.#contain(() => this.#start());
  }

  #start(): void {
    const { subject, verb, limit, forMs } = this.#check;
    const { record, sight, slackMs } = this.#parts;
    const missing = subject.needs.find(({ name }) => sight.named(name) === undefined);
    if (missing !== undefined) {
      this.#settle('no-name', this.#begin, { matched: false, mismatches: [], candidates: 0 }, missing);
      return;
    }
    if (verb === 'check') {
      const look = this.#look();
      if (!look.matched) this.#settle('not-now', this.#begin, look);
      else if (forMs === 0) this.#settle(null, this.#begin, look);
      if (this.#settled) return;
    }
    const slack = verb === 'never' || verb === 'check' ? 0 : slackMs;
    if (verb !== 'check') this.#at(this.#begin + limit.max + slack, () => this.#onLimit());
    this.#cancels.push(
      record.onNotice((kind) => subject.triggers.has(kind) && this.#contain(() => this.#consider(false))),
    );
    this.#consider(true);
    if (subject.everyMs !== undefined) this.#lookAgain(subject.everyMs);
    this.#endWith(this.#parts.signal);
  }

  #endWith(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.#settled) return;
    const end = () => this.#contain(() => this.#settle('limit', this.#parts.clock.now(), this.#look()));
    if (signal.aborted) return end();
    signal.addEventListener('abort', end);
    this.#cancels.push(() => signal.removeEventListener('abort', end));
  }

  /** Polls conditions that no notice announces. */
  #lookAgain(everyMs: number): void {
    if (this.#settled) return;
    this.#at(this.#parts.clock.now() + everyMs, () => {
      this.#consider(false);
      this.#lookAgain(everyMs);
    });
  }

  #look(): LookResult {
    return this.#check.subject.look(this.#parts.sight);
  }

  #consider(first: boolean): void {
    if (this.#settled) return;
    const { verb, forMs } = this.#check;
    const look = this.#look();
    const now = this.#parts.clock.now();
    // What was true before the step counts as found at its beginning.
    const at = look.matched ? Math.max(first ? this.#begin : Math.min(look.at ?? now, now), this.#begin) : now;
    if (verb === 'never') {
      if (look.matched) this.#settle('came', at, look);
    } else if (!look.matched) this.#onUntrue(look, now);
    else if (at < this.#begin + this.#check.limit.min) this.#settle('too-early', at, look);
    else if (forMs === 0) this.#settle(null, at, look);
    else if (this.#holding === null) this.#holding = this.#at(at + forMs, () => this.#settle(null, at + forMs, look));
  }

  #onUntrue(look: LookResult, now: Instant): void {
    if (this.#holding === null) return;
    this.#holding();
    this.#holding = null;
    if (this.#overdue || this.#check.verb === 'check') this.#settle('ended', now, look);
  }

  #onLimit(): void {
    const { verb, limit, subject } = this.#check;
    if (subject.everyMs !== undefined) this.#consider(false);
    if (this.#settled) return;
    if (verb === 'never') this.#settle(null, this.#begin + limit.max, this.#look());
    else if (this.#holding !== null) this.#overdue = true;
    else this.#settle('limit', this.#begin + limit.max, this.#look());
  }

  #at(due: Instant, task: () => void): Cancel {
    const cancel = this.#parts.clock.at(due, { lane: LANE.expectation, actor: ACTOR }, () => this.#contain(task));
    this.#cancels.push(cancel);
    return cancel;
  }

  #settle(fault: CheckFault | null, at: Instant, look: LookResult, missing: Reference | null = null): void {
    if (this.#settled) return;
    this.#end();
    const judgement = { fault, begin: this.#begin, at, waitedMs: at - this.#begin, look, missing };
    this.#parts.onVerdict(judgement);
    this.#promise.resolve(judgement);
  }

  #contain(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#end();
      this.#promise.reject(error);
    }
  }

  #end(): void {
    this.#settled = true;
    for (const cancel of this.#cancels) cancel();
  }
}
