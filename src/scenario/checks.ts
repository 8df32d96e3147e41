/** The checks of a playing story: what they have found, taken and named, and what came late. */
import { type Clock, type Instant, LANE } from '../base/clock.ts';
import type { CheckFailure, Late, Overlooked } from './failure-text.ts';
import { type Judgement, judge } from './judge.ts';
import type { Looks } from './ports.ts';
import type { RunRecord } from './run-record.ts';
import type { CheckBody, StepFrame } from './story.ts';
import type { Sight } from './subjects/subject.ts';
import type { Telling } from './telling.ts';
import type { Scope, Track } from './track.ts';

/** What is looked for after a failed limit, in limits: whether it came late. */
const LATE_LIMITS = 2;

export type CheckStep = StepFrame & CheckBody;

export interface ChecksParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly look: Looks;
  readonly telling: Telling;
  /** Added to upper limits; ms of simulated time. */
  readonly slackMs: number;
  workerIds(who: string): readonly string[];
}

export class Checks {
  passed = 0;
  failed = 0;
  readonly #parts: ChecksParts;
  /** An event or delivery satisfies one expectation only. */
  readonly #taken = new Set<string>();
  readonly #lateLooks = new Set<(late: Late) => void>();

  constructor(parts: ChecksParts) {
    this.#parts = parts;
  }

  /** Plays one check of the track from its beginning to its verdict. */
  async play(step: CheckStep, begin: Instant, track: Track): Promise<Judgement> {
    const { clock, record, telling, slackMs } = this.#parts;
    const sight = this.#sight(step, begin, track);
    const onVerdict = (verdict: Judgement) => this.#onVerdict(step, track, verdict);
    const judgement = await judge(step, begin, { clock, record, sight, slackMs, onVerdict });
    const { fault, at, waitedMs } = judgement;
    const kind = fault === null ? 'expectation-passed' : 'expectation-failed';
    telling.notice({ kind, line: step.line, atMs: at - telling.start, waitedMs, text: step.text });
    const overlooked = fault === 'limit' || fault === 'not-now' ? overlookedBy(step, sight) : null;
    const failure = { step, judgement, around: [...record.happenings], overlooked };
    if (fault === 'limit' && step.verb === 'expect') this.#lookForLate(failure, sight);
    else if (fault !== null) telling.failCheck({ ...failure, late: null });
    return judgement;
  }

  /** The run is over: failures that still looked for a late arrival are told. */
  end(): void {
    for (const finish of [...this.#lateLooks]) finish({ kind: 'run-ended' });
  }

  /** What a look sees of all that came after this place of the record. */
  sightFrom(since: number, names: Scope, taken: ReadonlySet<string>): Sight {
    const { record, look, workerIds } = this.#parts;
    return { record, look, since, taken, named: (name) => names.get(name), workerIds };
  }

  #sight({ verb, subject }: CheckStep, begin: Instant, { since, names }: Track): Sight {
    const { record } = this.#parts;
    // Never looks from its own beginning: what the last action did at that very instant is in it, and so is a state that it
    // has brought about; what an expectation has taken is not.
    const from = verb === 'never' && !subject.lasts ? Math.max(since, record.placeBefore(begin)) : since;
    return this.sightFrom(from, names, verb === 'check' ? new Set() : this.#taken);
  }

  /** At the instant of the verdict, before another step or notice can come between. */
  #onVerdict(step: CheckStep, track: Track, { fault, at, waitedMs, look }: Judgement): void {
    if (fault === null) this.passed++;
    else this.failed++;
    const found = look.matched ? look.found : [];
    const takes = !step.subject.lasts && (step.verb === 'expect' || step.verb === 'wait_for');
    if (takes) for (const { key } of found) this.#taken.add(key);
    if (fault === null && step.as !== null && found[0] !== undefined) track.names.set(step.as, found[0].named);
    const verdict = fault === null ? 'passed' : 'failed';
    const ids = found.map(({ named }) => named.id);
    const d = { verdict, fault, waited: waitedMs, check: step.text, found: ids };
    this.#parts.telling.log({ k: 'expect', line: step.line, d }, at);
  }

  /** Looks on for two more limits, beside the story; what it finds is not taken. */
  #lookForLate(failure: Omit<CheckFailure, 'start' | 'again' | 'late'>, sight: Sight): void {
    const { clock, record, telling } = this.#parts;
    const { step, judgement } = failure;
    const { max } = step.limit;
    const limit = judgement.begin + max;
    const finish = (late: Late) => {
      if (!this.#lateLooks.delete(finish)) return;
      cancel();
      unlisten();
      telling.failCheck({ ...failure, late });
    };
    const unlisten = record.listen((kind) => {
      if (!step.subject.hears.has(kind) || !step.subject.look(sight).matched) return;
      finish({ kind: 'came', afterMs: clock.now() - limit });
    });
    const cancel = clock.at(limit + LATE_LIMITS * max, { lane: LANE.expectation, actor: 'late' }, () =>
      finish({ kind: 'not', withinMs: (1 + LATE_LIMITS) * max }),
    );
    this.#lateLooks.add(finish);
  }
}

/** What would have fitted, had it come later or not been taken: people miss it, so the failure tells it. */
function overlookedBy({ subject }: CheckStep, sight: Sight): Overlooked | null {
  const free = { ...sight, taken: new Set<string>() };
  const taken = subject.lasts ? null : subject.look(free);
  const before = subject.look({ ...free, since: 0 });
  const look = taken?.matched ? taken : before;
  const [found] = look.matched ? look.found : [];
  if (found === undefined) return null;
  return { why: taken?.matched ? 'taken' : 'before', at: found.at, label: found.label };
}
