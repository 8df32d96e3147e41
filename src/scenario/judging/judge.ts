/** Judges the checks of a scenario: evaluates the condition of each check at its beginning and after each notice, until it is true or its limit is over. Also keeps which events are taken, which names are bound, and what came late. */

import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { portableRows } from '../log/canonical-log.ts';
import type { RunRecord } from '../log/run-record.ts';
import { idOf, objectOf, type Reference } from '../model/references.ts';
import type { CheckBody, StepFrame } from '../model/scenario.ts';
import type { CheckFailure, Late, Overlooked } from './failure-text.ts';
import type { CheckFault, Judgement } from './judgement.ts';
import type { Looks } from './looks.ts';
import type { FailurePlace, RunReporter } from './run-reporter.ts';
import type { Candidate, LookResult, ViewScope } from './subject.ts';
import type { NameScope, StepTrack } from './track.ts';

interface JudgeParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly viewScope: ViewScope;
  /** Tolerance of both limits, ms: where time is live replies take time, and a step may begin late. */
  readonly slackMs: number;
  /** Called synchronously, before any other code of the run. */
  readonly onJudgement: (judgement: Judgement) => void;
  /** Aborts before the limit, when the client of a wait disconnects. */
  readonly signal?: AbortSignal;
}

/** All checks use one actor, so that at equal instants they run in the order of their lines. */
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
    const { record, viewScope, slackMs } = this.#parts;
    const missing = subject.needs.find(({ name }) => viewScope.named(name) === undefined);
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

  /** Polls conditions whose changes no notice announces. */
  #lookAgain(everyMs: number): void {
    if (this.#settled) return;
    this.#at(this.#parts.clock.now() + everyMs, () => {
      this.#consider(false);
      this.#lookAgain(everyMs);
    });
  }

  #look(): LookResult {
    return this.#check.subject.look(this.#parts.viewScope);
  }

  #consider(first: boolean): void {
    if (this.#settled) return;
    const { verb, forMs } = this.#check;
    const look = this.#look();
    const now = this.#parts.clock.now();
    // A condition that was true before the step counts as found at its beginning.
    const at = look.matched ? Math.max(first ? this.#begin : Math.min(look.at ?? now, now), this.#begin) : now;
    if (verb === 'never') {
      if (look.matched) this.#settle('came', at, look);
    } else if (!look.matched) this.#onUntrue(look, now);
    else if (at < this.#begin + this.#check.limit.min - this.#parts.slackMs) this.#settle('too-early', at, look);
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
    this.#parts.onJudgement(judgement);
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

/** A limit with its tolerance, in wall time: `within 1s + 0.25s`. */
const withSlack = (text: string): string => text.replace(/ within \S+/, '$& + 0.25s');

/** Duration of the watch for a late arrival after a failure, as a multiple of the limit. */
const LATE_LIMITS = 2;

export type CheckStep = StepFrame & CheckBody;

interface ChecksParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly look: Looks;
  readonly reporter: RunReporter;
  /** Tolerance of limits and offsets; simulated ms. */
  readonly slackMs: number;
  /** Tolerance of limits for calls of the user's own programs; simulated ms. */
  requestSlackMs(): number;
  workerIds(who: string): readonly string[];
  /** The short name of a worker. */
  readonly personOf: (workerId: string) => string | undefined;
}

export class Checks {
  passed = 0;
  readonly #parts: ChecksParts;
  /** Events and deliveries already taken: each satisfies one expectation only. */
  readonly #taken = new Set<string>();
  /** By alert or muster: the sequence number up to which an expectation found it or its events. */
  readonly #expected = new Map<string, number>();
  readonly #lateLooks = new Set<(late: Late) => void>();

  constructor(parts: ChecksParts) {
    this.#parts = parts;
  }

  async play(written: CheckStep, begin: Instant, track: StepTrack): Promise<Judgement> {
    const { clock, record, reporter } = this.#parts;
    const requestSlackMs = written.subject.word === 'request' ? this.#parts.requestSlackMs() : 0;
    const step = requestSlackMs === 0 ? written : { ...written, text: withSlack(written.text) };
    const slackMs = this.#parts.slackMs + requestSlackMs;
    const viewScope = this.#viewScope(step, track);
    const skipped = this.#skipped(step, begin, track);
    if (skipped !== null) return skipped;
    const onJudgement = (judgement: Judgement) => this.#onJudgement(step, track, judgement);
    const judgement = await judge(step, begin, { clock, record, viewScope, slackMs, onJudgement });
    const { fault, at, waitedMs, look } = judgement;
    const kind = fault === null ? 'expectation-passed' : 'expectation-failed';
    const saw = look.matched ? look.found.map(({ label }) => label) : [];
    reporter.notice({ kind, line: step.line, atMs: at - reporter.start, waitedMs, text: step.text, saw });
    const overlooked = fault === 'limit' || fault === 'not-now' ? overlookedBy(step, viewScope, track.names) : null;
    const lagMs = this.#lagOf(judgement, track);
    const failure = { step, judgement, around: [...record.happenings], overlooked, lagMs };
    if (fault === 'limit' && step.verb === 'expect') this.#lookForLate(failure, viewScope, track, reporter.reserve());
    else if (fault !== null) reporter.failCheck({ ...failure, late: null });
    return judgement;
  }

  /**
   * Returns the lag that may have caused a failure. Work that was late since the last action can break a limit; a state
   * depends on all work before it.
   */
  #lagOf({ fault, begin }: Judgement, { actedAfter }: StepTrack): number | null {
    const { reporter } = this.#parts;
    if (fault === null || fault === 'no-name') return null;
    const isState = fault === 'not-now' || fault === 'ended';
    return reporter.lagBeyondAllowance(isState ? reporter.start : Math.min(begin, actedAfter));
  }

  /** Skips a check that uses a name which a failed step should have bound; returns null if the check must be judged. */
  #skipped(step: CheckStep, begin: Instant, { names }: StepTrack): Judgement | null {
    const since = step.since === null || step.since === 'start' ? [] : [step.since];
    const missing = [...step.subject.needs, ...since].find(({ name }) => names.get(name) === undefined);
    const cause = missing === undefined ? null : names.causeOf(missing.name);
    if (missing === undefined || cause === null) return null;
    this.#parts.reporter.skip(step, missing, cause);
    if (step.as !== null) names.setUnbound(step.as, cause);
    return {
      fault: null,
      begin,
      at: begin,
      waitedMs: 0,
      look: { matched: false, mismatches: [], candidates: 0 },
      missing,
    };
  }

  /** Called at the end of the run: reports failures that still wait for a late arrival. */
  end(): void {
    for (const finish of [...this.#lateLooks]) finish({ kind: 'run-ended' });
  }

  /** Returns a view limited to what came after this sequence number. */
  viewScopeFrom(since: number, names: NameScope, taken: ReadonlySet<string>): ViewScope {
    const { record, look, workerIds, personOf, slackMs } = this.#parts;
    const named = (name: string) => names.get(name);
    const causeOf = (name: string) => names.causeOf(name);
    return { record, look, since, taken, named, causeOf, workerIds, personOf, slackMs };
  }

  #viewScope({ verb, since, subject }: CheckStep, track: StepTrack): ViewScope {
    const { names } = track;
    const last = subject.word === 'request' ? track.calledSince : track.since;
    const begin = since === null ? last : since === 'start' ? 0 : (names.bound(since.name)?.since ?? last);
    const viewScope = this.viewScopeFrom(begin, names, verb === 'check' ? new Set() : this.#taken);
    // `never` also starts at the last action, so that it sees the immediate effects of the action; what an expectation
    // has found since then is exempt.
    return verb === 'never' ? { ...viewScope, expectedUntil: (id) => this.#expected.get(id) ?? 0 } : viewScope;
  }

  /** Called synchronously with the judgement, before any other step or notice. */
  #onJudgement(step: CheckStep, track: StepTrack, { fault, at, waitedMs, look }: Judgement): void {
    if (fault === null) this.passed++;
    else this.#parts.reporter.checkFailed(step);
    const found = look.matched ? look.found : [];
    const expects = step.verb === 'expect' || step.verb === 'wait_for';
    if (expects) for (const one of found) this.#find(one, step.subject.lasts);
    const named = found[0]?.named ?? (look.matched ? look.named : undefined);
    if (fault === null && step.as !== null && named !== undefined) track.names.set(step.as, named, track.began);
    if (fault !== null && step.as !== null) track.names.setUnbound(step.as, step);
    const verdict = fault === null ? 'passed' : 'failed';
    const ids = found.map(({ named }) => named.id);
    const missed = look.matched || fault === null ? {} : { missed: portableRows(look.mismatches) };
    const d = { verdict, fault, waited: waitedMs, check: step.text, found: ids, ...missed };
    this.#parts.reporter.log({ k: 'expect', line: step.line, d }, at);
  }

  #find({ key, named }: Candidate, lasts: boolean): void {
    if (!lasts) this.#taken.add(key);
    const id = named.kind === 'event' ? idOf(objectOf(named.body)) : named.id;
    if (id !== undefined) this.#expected.set(id, this.#parts.record.position);
  }

  /** Watches for a late arrival while the scenario continues; a match is not taken. */
  #lookForLate(
    failure: Omit<CheckFailure, 'start' | 'again' | 'late'>,
    viewScope: ViewScope,
    track: StepTrack,
    place: FailurePlace,
  ): void {
    const { clock, record, reporter } = this.#parts;
    const { step, judgement } = failure;
    const { max } = step.limit;
    const limit = judgement.begin + max;
    const actedAt = track.since;
    const finish = (late: Late) => {
      if (!this.#lateLooks.delete(finish)) return;
      cancel();
      unlisten();
      reporter.failCheck({ ...failure, late }, place);
    };
    const unlisten = record.onNotice((kind) => {
      if (!step.subject.triggers.has(kind) || !step.subject.look(viewScope).matched) return;
      finish({ kind: 'came', afterMs: clock.now() - limit, byAction: track.since > actedAt });
    });
    const cancel = clock.at(limit + LATE_LIMITS * max, { lane: LANE.expectation, actor: 'late' }, () =>
      finish({ kind: 'not', withinMs: (1 + LATE_LIMITS) * max }),
    );
    this.#lateLooks.add(finish);
  }
}

/**
 * Returns a match that did not count, because it came too early or was already taken. This is a frequent cause, so the
 * failure shows it, with the start of the search that finds it.
 */
function overlookedBy({ subject, limit }: CheckStep, viewScope: ViewScope, names: NameScope): Overlooked | null {
  const foundSince = (since: number, taken = viewScope.taken): Candidate | undefined => {
    const look = subject.look({ ...viewScope, since, taken });
    return look.matched ? look.found[0] : undefined;
  };
  const earlier = names.own.filter(([, since]) => since < viewScope.since);
  const starts = [...earlier.map(([name, since]) => [`$${name}`, since] as const), ['start', 0] as const];
  for (const [write, since] of subject.searches ? starts : []) {
    const found = foundSince(since);
    if (found === undefined) continue;
    // What is true at the beginning of the step is too early for a check with a lower limit.
    return { why: 'before', at: found.at, label: found.label, write: limit.min > 0 ? null : write };
  }
  const taken = foundSince(viewScope.since, new Set()) ?? foundSince(0, new Set());
  return taken === undefined || subject.lasts ? null : { why: 'taken', at: taken.at, label: taken.label, write: null };
}
