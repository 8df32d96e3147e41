/** Judges the rules over a whole run: `every` at its end, `always` and `never` at each notice. */
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import { mismatches } from '../model/matchers.ts';
import type { Reference } from '../model/references.ts';
import type { ScenarioRule } from '../model/scenario.ts';
import { inconclusiveText, seconds } from './failure-text.ts';
import type { RunReporter } from './run-reporter.ts';
import { type Candidate, isOfAnother, type LookResult, objectIdOfMatch, type ViewScope } from './subject.ts';
import { type BrokenWhy, isSystemRule, type SystemPort, SystemRules } from './system-rules.ts';

/** What to write where a rule may have nothing to judge. */
const MAY_BE_NONE = 'Write count: 0.. beside it where that is right';

/** Maximum number of breaches of a rule that a failure lists. */
const MOST_SHOWN = 3;

interface RulesParts {
  readonly rules: readonly ScenarioRule[];
  readonly clock: Clock;
  readonly reporter: RunReporter;
  /** The view of the whole run. */
  readonly viewScope: ViewScope;
  /** Tolerance for limits and distances; simulated ms. */
  readonly slackMs: number;
  /** Returns the soundness of the event's signatures at the receiver; null if the event was not received. */
  soundness(receiver: string, eventId: string): 'valid' | 'unsound' | null;
  /** The user's own system; null: the scenario has none. */
  readonly system: SystemPort | null;
  /** Called as soon as an `always` or `never` rule, or a rule about the user's system, is broken. */
  readonly onBreach: (rule: ScenarioRule, breach: BrokenWhy) => void;
}

/** The first breach of an `always` or `never` rule. */
interface RuleBreach {
  readonly at: Instant;
  readonly why: string;
}

export class Rules {
  readonly #parts: RulesParts;
  readonly #breaches = new Map<ScenarioRule, RuleBreach>();
  /** The `always` rules for which something fitted their subject. */
  readonly #judged = new Set<ScenarioRule>();
  readonly #unlisten: () => void;
  readonly #ofSystem: SystemRules;
  #cancel: Cancel = () => {};

  constructor(parts: RulesParts) {
    this.#parts = parts;
    const ofSystem = parts.rules.filter(isSystemRule);
    this.#ofSystem = new SystemRules({ ...parts, rules: ofSystem });
    const watched = parts.rules.filter((rule) => rule.verb !== 'every' && !isSystemRule(rule));
    for (const rule of watched) this.#look(rule);
    this.#unlisten = parts.viewScope.record.onNotice((kind) => {
      for (const rule of watched) if (rule.subject.triggers.has(kind)) this.#look(rule);
    });
    const polled = watched.filter(({ subject }) => subject.everyMs !== undefined);
    if (polled.length > 0) this.#lookAgain(polled);
  }

  /** Polls conditions whose changes no notice announces. */
  #lookAgain(silent: readonly ScenarioRule[]): void {
    const { clock } = this.#parts;
    const everyMs = Math.min(...silent.map(({ subject }) => subject.everyMs ?? Number.POSITIVE_INFINITY));
    this.#cancel = clock.at(clock.now() + everyMs, { lane: LANE.expectation, actor: 'rules' }, () => {
      for (const rule of silent) this.#look(rule);
      this.#lookAgain(silent);
    });
  }

  /** The end of the last deadline that is running. */
  get settledAt(): Instant {
    const { rules, viewScope } = this.#parts;
    const ends = rules.flatMap((rule) =>
      rule.withinMs === null || isSystemRule(rule) || !this.#isNamed(rule)
        ? []
        : (rule.subject.all?.(viewScope) ?? []).map(({ at }) => at + rule.withinMs!),
    );
    return Math.max(0, ...ends);
  }

  /** The time of the next judgement of a rule about the user's system; null: none is pending. */
  get nextDue(): Instant | null {
    return this.#ofSystem.nextDue;
  }

  /** As of `SystemRules`. */
  lookAgain(): void {
    this.#ofSystem.lookAgain();
  }

  /** Number of matches of each rule, for `explore`. */
  matched(): ReadonlyMap<ScenarioRule, number> {
    const { rules, viewScope } = this.#parts;
    const matchesOf = (rule: ScenarioRule): number => {
      if (isSystemRule(rule)) return this.#ofSystem.matchesOf(rule);
      if (rule.verb === 'every') return rule.subject.all?.(viewScope).length ?? 0;
      const look = rule.subject.look(viewScope);
      return look.matched ? Math.max(1, look.found.length) : look.candidates;
    };
    return new Map(rules.map((rule) => [rule, this.#isNamed(rule) ? matchesOf(rule) : 0]));
  }

  /**
   * Judges the rules; returns the number of rules that hold. A rule that uses a name which a failed step should have
   * bound is skipped.
   */
  end(): number {
    this.#unlisten();
    this.#ofSystem.end();
    this.#cancel();
    const { rules, reporter, clock, viewScope } = this.#parts;
    let passed = 0;
    for (const rule of rules) {
      const [missing] = this.#missingOf(rule);
      const cause = missing === undefined ? null : (viewScope.causeOf?.(missing.name) ?? null);
      if (missing !== undefined && cause !== null) {
        reporter.skip(rule, missing, cause);
        continue;
      }
      const faults = this.#faultsOf(rule);
      if (faults.length === 0) passed++;
      else reporter.checkFailed(rule);
      const atMs = clock.now() - reporter.start;
      const kind = faults.length === 0 ? 'expectation-passed' : 'expectation-failed';
      reporter.notice({ kind, line: rule.line, atMs, waitedMs: 0, text: rule.text });
      const verdict = faults.length === 0 ? 'passed' : 'failed';
      reporter.log({ k: 'expect', line: rule.line, d: { verdict, rule: rule.text, faults: faults.length } });
      const more = faults.length > MOST_SHOWN ? [`and ${faults.length - MOST_SHOWN} more`] : [];
      if (faults.length === 0) continue;
      const lagMs = this.#lagOf(rule);
      const why = [...faults.slice(0, MOST_SHOWN), ...more, ...(lagMs === null ? [] : [inconclusiveText(lagMs)])].join(
        '\n     ',
      );
      reporter.fail(rule, { cut: why, whole: why, rows: [], lagMs });
    }
    return passed;
  }

  #missingOf({ subject }: ScenarioRule): readonly Reference[] {
    return subject.needs.filter(({ name }) => this.#parts.viewScope.named(name) === undefined);
  }

  /** Returns the lag that may have caused a broken limit, as for a check. */
  #lagOf(rule: ScenarioRule): number | null {
    const { withinMs, apartMs } = rule;
    const lateMs = this.#ofSystem.breachOf(rule)?.lateMs ?? null;
    if (lateMs !== null) return lateMs;
    return withinMs === null && apartMs === null ? null : this.#parts.reporter.lagBeyondAllowance();
  }

  #isNamed(rule: ScenarioRule): boolean {
    return this.#missingOf(rule).length === 0;
  }

  #look(rule: ScenarioRule): void {
    // A rule holds trivially while its name is not bound.
    if (this.#breaches.has(rule) || !this.#isNamed(rule)) return;
    const { clock, viewScope } = this.#parts;
    const look = rule.subject.look(viewScope);
    if (look.matched || isJudged(look)) this.#judged.add(rule);
    const why = breachIn(rule, look);
    if (why === null) return;
    this.#breaches.set(rule, { at: clock.now(), why });
    const [match] = look.matched ? look.found : [];
    this.#parts.onBreach(rule, { why, objectId: match && objectIdOfMatch(match) });
  }

  #faultsOf(rule: ScenarioRule): string[] {
    const missing = this.#missingOf(rule);
    if (missing.length > 0)
      return missing.map(({ name, line }) => `$${name} has no value: line ${line} did not find it`);
    const breach = this.#breaches.get(rule) ?? this.#ofSystem.breachOf(rule);
    if (rule.follower !== null && breach !== undefined) return [`${this.#when(breach.at)}: ${breach.why}`];
    if (rule.verb !== 'every' && breach !== undefined) return [`${this.#when(breach.at)}: ${breach.why}`];
    if (rule.verb === 'always')
      return this.#isIdle(rule) ? [`nothing fitted it, so nothing was judged. ${MAY_BE_NONE}`] : [];
    if (rule.verb === 'never') return [];
    const { viewScope } = this.#parts;
    const all = rule.subject.all?.(viewScope) ?? [];
    const counted =
      rule.count === null
        ? all.length === 0 && !rule.mayBeNone
          ? [`it matched nothing. ${MAY_BE_NONE}`]
          : []
        : mismatches(rule.count, all.length, viewScope, 'count').map(
            ({ expected, got }) => `there were ${got}, and expected ${expected}`,
          );
    return [...counted, ...this.#tooNear(rule, all), ...this.#undelivered(rule, all), ...this.#unsound(rule, all)];
  }

  /** True for an `always` rule that no object ever fitted, though one must. */
  #isIdle(rule: ScenarioRule): boolean {
    return rule.count === null && !rule.mayBeNone && !isSystemRule(rule) && !this.#judged.has(rule);
  }

  #tooNear({ apartMs }: ScenarioRule, all: readonly Candidate[]): string[] {
    if (apartMs === null) return [];
    return all.flatMap(({ at, label }, i) => {
      const before = all[i - 1];
      const ms = before === undefined ? Number.POSITIVE_INFINITY : at - before.at;
      return ms + this.#parts.slackMs >= apartMs
        ? []
        : [`${this.#when(at)}: ${label} came ${seconds(ms)} after the one before, and expected ${seconds(apartMs)}`];
    });
  }

  #undelivered({ deliveredTo, withinMs }: ScenarioRule, all: readonly Candidate[]): string[] {
    if (deliveredTo === null) return [];
    const { viewScope, slackMs } = this.#parts;
    return all.flatMap(({ named, at, label }) => {
      const delivered = viewScope.record.attempts.find(
        ({ attempt, receiver }) =>
          receiver === deliveredTo && attempt.event_id === named.id && attempt.result === 'delivered',
      );
      if (delivered === undefined) return [`${this.#when(at)}: ${label} was not delivered`];
      const late = withinMs === null ? 0 : delivered.at - at - withinMs - slackMs;
      const limit = withinMs === null ? '' : `, and expected within ${seconds(withinMs)}`;
      return late > 0 ? [`${this.#when(at)}: ${label} was delivered after ${seconds(delivered.at - at)}${limit}`] : [];
    });
  }

  #unsound({ signed }: ScenarioRule, all: readonly Candidate[]): string[] {
    if (!signed) return [];
    const judged = all.map(({ named, label, at }) => {
      const [eventId = '', receiver = ''] = named.id.split('/');
      return { soundness: this.#parts.soundness(receiver, eventId), label, at };
    });
    if (all.length > 0 && judged.every(({ soundness }) => soundness === null))
      return ['no delivery came in, so no signature was judged'];
    return judged
      .filter(({ soundness }) => soundness === 'unsound')
      .map(({ label, at }) => `${this.#when(at)}: ${label} was not signed as it should be`);
  }

  #when(at: Instant): string {
    return `at ${formatClockTime(at - this.#parts.reporter.start)}`;
  }
}

/** True if there was an object that the rule is about, or their number is what it is about. */
const isJudged = ({ candidates, mismatches }: Extract<LookResult, { matched: false }>): boolean =>
  mismatches.some(({ path }) => path === 'count') || (candidates > 0 && !isOfAnother(mismatches));

/** Returns null if the rule holds. */
function breachIn({ verb, subject }: ScenarioRule, look: LookResult): string | null {
  if (verb === 'never') {
    if (!look.matched) return null;
    const labels = look.found.map(({ label }) => label).join(', ');
    return labels === '' ? 'it was so' : labels;
  }
  // A rule without a candidate holds trivially, unless it is about the count.
  if (look.matched || !isJudged(look)) return null;
  return `${subject.text}: ${look.mismatches.map(({ path, expected, got }) => `${path} is ${got}, and expected ${expected}`).join('; ')}`;
}
