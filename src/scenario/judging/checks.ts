/** Plays the checks of a story: which events are taken, which names are bound, and what came late. */

import { type Clock, type Instant, LANE } from '../../base/clock.ts';
import type { RunRecord } from '../log/run-record.ts';
import { idOf, objectOf } from '../story/references.ts';
import type { CheckBody, StepFrame } from '../story/story.ts';
import type { CheckFailure, Late, Overlooked } from './failure-text.ts';
import { type Judgement, judge } from './judge.ts';
import type { Looks } from './looks.ts';
import type { RunReporter } from './run-reporter.ts';
import type { Candidate, CheckSight } from './subjects/subject.ts';
import type { NameScope, StepTrack } from './track.ts';

/** How long to watch for a late arrival after a failure, as a multiple of the limit. */
const LATE_LIMITS = 2;

export type CheckStep = StepFrame & CheckBody;

export interface ChecksParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly look: Looks;
  readonly reporter: RunReporter;
  /** Tolerance added to upper limits; simulated ms. */
  readonly slackMs: number;
  workerIds(who: string): readonly string[];
}

export class Checks {
  passed = 0;
  failed = 0;
  readonly #parts: ChecksParts;
  /** Events and deliveries already taken: each satisfies one expectation only. */
  readonly #taken = new Set<string>();
  /** By alert or muster: the sequence number up to which an expectation found it or its events. */
  readonly #expected = new Map<string, number>();
  readonly #lateLooks = new Set<(late: Late) => void>();

  constructor(parts: ChecksParts) {
    this.#parts = parts;
  }

  async play(step: CheckStep, begin: Instant, track: StepTrack): Promise<Judgement> {
    const { clock, record, reporter, slackMs } = this.#parts;
    const sight = this.#sight(step, track);
    const onVerdict = (verdict: Judgement) => this.#onVerdict(step, track, verdict);
    const judgement = await judge(step, begin, { clock, record, sight, slackMs, onVerdict });
    const { fault, at, waitedMs } = judgement;
    const kind = fault === null ? 'expectation-passed' : 'expectation-failed';
    reporter.notice({ kind, line: step.line, atMs: at - reporter.start, waitedMs, text: step.text });
    const overlooked = fault === 'limit' || fault === 'not-now' ? overlookedBy(step, sight) : null;
    const failure = { step, judgement, around: [...record.happenings], overlooked };
    if (fault === 'limit' && step.verb === 'expect') this.#lookForLate(failure, sight);
    else if (fault !== null) reporter.failCheck({ ...failure, late: null });
    return judgement;
  }

  /** End of the run: reports failures that still wait for a late arrival. */
  end(): void {
    for (const finish of [...this.#lateLooks]) finish({ kind: 'run-ended' });
  }

  /** A sight limited to what came after this sequence number. */
  sightFrom(since: number, names: NameScope, taken: ReadonlySet<string>): CheckSight {
    const { record, look, workerIds } = this.#parts;
    return { record, look, since, taken, named: (name) => names.get(name), workerIds };
  }

  #sight({ verb }: CheckStep, { since, names }: StepTrack): CheckSight {
    const sight = this.sightFrom(since, names, verb === 'check' ? new Set() : this.#taken);
    // `never` also starts at the last action, so that it sees its immediate effects; what an expectation
    // found since then is exempt.
    return verb === 'never' ? { ...sight, expectedUntil: (id) => this.#expected.get(id) ?? 0 } : sight;
  }

  /** Called synchronously with the verdict, before any other step or notice. */
  #onVerdict(step: CheckStep, track: StepTrack, { fault, at, waitedMs, look }: Judgement): void {
    if (fault === null) this.passed++;
    else this.failed++;
    const found = look.matched ? look.found : [];
    const expects = step.verb === 'expect' || step.verb === 'wait_for';
    if (expects) for (const one of found) this.#find(one, step.subject.lasts);
    if (fault === null && step.as !== null && found[0] !== undefined) track.names.set(step.as, found[0].named);
    const verdict = fault === null ? 'passed' : 'failed';
    const ids = found.map(({ named }) => named.id);
    const d = { verdict, fault, waited: waitedMs, check: step.text, found: ids };
    this.#parts.reporter.log({ k: 'expect', line: step.line, d }, at);
  }

  #find({ key, named }: Candidate, lasts: boolean): void {
    if (!lasts) this.#taken.add(key);
    const id = named.kind === 'event' ? idOf(objectOf(named.body)) : named.id;
    if (id !== undefined) this.#expected.set(id, this.#parts.record.position);
  }

  /** Watches for a late arrival in parallel to the story; what it finds is not taken. */
  #lookForLate(failure: Omit<CheckFailure, 'start' | 'again' | 'late'>, sight: CheckSight): void {
    const { clock, record, reporter } = this.#parts;
    const { step, judgement } = failure;
    const { max } = step.limit;
    const limit = judgement.begin + max;
    const finish = (late: Late) => {
      if (!this.#lateLooks.delete(finish)) return;
      cancel();
      unlisten();
      reporter.failCheck({ ...failure, late });
    };
    const unlisten = record.onNotice((kind) => {
      if (!step.subject.triggers.has(kind) || !step.subject.look(sight).matched) return;
      finish({ kind: 'came', afterMs: clock.now() - limit });
    });
    const cancel = clock.at(limit + LATE_LIMITS * max, { lane: LANE.expectation, actor: 'late' }, () =>
      finish({ kind: 'not', withinMs: (1 + LATE_LIMITS) * max }),
    );
    this.#lateLooks.add(finish);
  }
}

/** A match that did not count because it came too early or was taken: a frequent cause, so the failure shows it. */
function overlookedBy({ subject }: CheckStep, sight: CheckSight): Overlooked | null {
  const free = { ...sight, taken: new Set<string>() };
  const taken = subject.lasts ? null : subject.look(free);
  const before = subject.look({ ...free, since: 0 });
  const look = taken?.matched ? taken : before;
  const [found] = look.matched ? look.found : [];
  if (found === undefined) return null;
  return { why: taken?.matched ? 'taken' : 'before', at: found.at, label: found.label };
}
