/**
 * Judges the rules about the user's own system: the replies of its probes, and what must follow an event
 * (`followed_by`). A limit starts when the system could know the change: the event was delivered to its receivers, and
 * the API has refused no request since. At the end of a limit, simulated time is held for a short wall time, so that a
 * slow but correct system does not fail.
 */
import { asError } from '../../base/assert.ts';
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { judgeOnTime } from '../../base/time/lateness.ts';
import type { MachineTime } from '../../base/time/timers.ts';
import type { NoticeKind } from '../../contract/notices.ts';
import { SystemEnded } from '../customer/own-system.ts';
import { isTrouble } from '../log/run-record.ts';
import type { NamedThing } from '../model/references.ts';
import type { ScenarioRule } from '../model/scenario.ts';
import { knownSince, type ObjectList, objectIdOf } from './known-since.ts';
import { type Candidate, objectIdOfMatch, type ProbeCheck, type ViewScope } from './subject.ts';

/** Reads a value from the user's system. */
export interface SystemPort {
  /** Throws if there is no reply. */
  probe(name: string): Promise<unknown>;
  /** How long simulated time is held for the system at the end of a limit of this rule; wall ms. */
  patienceMsOf(rule: ScenarioRule): number;
  /** Holds simulated time for the system; wall ms. */
  pause(ms: number): Promise<void>;
  /** Called when a rule became true while simulated time was held for it; wall ms. */
  onHeld?(rule: ScenarioRule, heldMs: number): void;
}

interface SystemRulesParts {
  readonly rules: readonly ScenarioRule[];
  readonly clock: Clock;
  readonly viewScope: ViewScope;
  readonly system: SystemPort | null;
  /** Called when a rule is broken; not for a breach that is inconclusive, because this process was late. */
  readonly onBreach: (rule: ScenarioRule, breach: BrokenWhy) => void;
}

/** First wait between two evaluations of one judgement; it doubles each time; wall ms. */
const LOOK_AGAIN_MS = 5;
const LOOK_AT_MOST_MS = 200;

/** Interval at which a delivery that waits for its next attempt is checked again; simulated ms. */
const PENDING_AGAIN_MS = 10_000;

/** One match of a rule with `followed_by`, until its follower comes or the rule is broken. */
interface Obligation {
  readonly rule: ScenarioRule;
  readonly match: Candidate;
}

/** Returns true for a rule about the user's system. */
export const isSystemRule = ({ follower, subject }: ScenarioRule): boolean =>
  follower !== null || subject.probe !== undefined;

/** Notices that may change a judgement of the user's system. */
const OBSERVED_KINDS: ReadonlySet<NoticeKind> = new Set([
  ...(['event-occurred', 'alert-changed', 'muster-changed', 'delivery-attempted', 'request-answered'] as const),
]);

/** Why a rule is broken. */
export interface BrokenWhy {
  readonly why: string;
  /** The probe that gave no answer, if that is why. */
  readonly unanswered?: string | undefined;
  /** The id of the alert or muster that the break is about. Absent: no single one. */
  readonly objectId?: string | undefined;
}

/** `lateMs`: the lateness of this process that makes the breach inconclusive, wall ms; null: it counts. */
interface SystemBreach extends BrokenWhy {
  readonly at: Instant;
  readonly lateMs: number | null;
}

/** A rule that did not hold in time. */
type Missed = Omit<SystemBreach, 'at'>;

/** A rule that held. `heldMs`: how long simulated time was held until then, wall ms; 0: it held at once. */
interface HeldRule {
  readonly heldMs: number;
}

export class SystemRules {
  readonly #parts: SystemRulesParts;
  readonly #breaches = new Map<ScenarioRule, SystemBreach>();
  /** By rule and match. */
  readonly #known = new Map<string, Obligation | null>();
  readonly #matches = new Map<ScenarioRule, number>();
  readonly #timers = new Map<string, { readonly due: Instant; readonly cancel: Cancel }>();
  readonly #judging = new Set<string>();
  readonly #unlisten: () => void;

  constructor(parts: SystemRulesParts) {
    this.#parts = parts;
    this.#unlisten =
      parts.rules.length === 0 ? () => {} : parts.viewScope.record.onNotice((kind) => this.#onNotice(kind));
    for (const [i, rule] of parts.rules.entries())
      if (rule.subject.probe !== undefined) this.#schedule(`probe ${i}`, parts.clock.now() + (rule.withinMs ?? 0));
  }

  /** The first breach of a rule. */
  breachOf(rule: ScenarioRule): SystemBreach | undefined {
    return this.#breaches.get(rule);
  }

  /** Number of matches of the rule. */
  matchesOf(rule: ScenarioRule): number {
    return this.#matches.get(rule) ?? 0;
  }

  /** The time of the next judgement; null: none is pending. */
  get nextDue(): Instant | null {
    const dues = [...this.#timers.values()].map(({ due }) => due);
    if (this.#judging.size > 0) dues.push(this.#parts.clock.now());
    return dues.length === 0 ? null : Math.min(...dues);
  }

  /** The run is over: the system may have acted without a notice since the last judgement, so its probes are asked again. */
  lookAgain(): void {
    const { rules, clock } = this.#parts;
    for (const [i, rule] of rules.entries()) {
      if (rule.subject.probe === undefined || this.#breaches.has(rule)) continue;
      if (!this.#timers.has(`probe ${i} tail`)) this.#schedule(`probe ${i} tail`, clock.now());
    }
  }

  end(): void {
    this.#unlisten();
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #onNotice(kind: NoticeKind): void {
    const { rules, clock, viewScope } = this.#parts;
    if (!OBSERVED_KINDS.has(kind)) return;
    if (kind === 'request-answered' && !isTrouble(viewScope.record.requests.at(-1)?.status ?? 0)) {
      for (const rule of rules) if (rule.follower?.triggers.has(kind)) this.#closeFollowed(rule);
      return;
    }
    for (const [i, rule] of rules.entries()) {
      if (this.#breaches.has(rule)) continue;
      const within = rule.withinMs ?? 0;
      if (rule.subject.probe !== undefined) {
        // The `tail` judgement is after the latest change. An earlier pending one stays, so that a continuous stream of
        // notices cannot postpone all judgements.
        const pending = this.#timers.get(`probe ${i}`);
        if (pending === undefined) this.#schedule(`probe ${i}`, clock.now() + within);
        this.#schedule(`probe ${i} tail`, clock.now() + within);
      } else this.#followObligations(rule, i);
    }
  }

  #followObligations(rule: ScenarioRule, i: number): void {
    const { viewScope } = this.#parts;
    for (const match of rule.subject.all?.(viewScope) ?? []) {
      const key = `follow ${i} ${match.key}`;
      if (this.#known.has(key)) continue;
      this.#known.set(key, { rule, match });
      this.#matches.set(rule, this.matchesOf(rule) + 1);
      this.#schedule(key, match.at + (rule.withinMs ?? 0));
    }
    this.#closeFollowed(rule);
  }

  #closeFollowed(rule: ScenarioRule): void {
    for (const [key, obligation] of this.#known)
      if (obligation?.rule === rule && rule.follower?.probe === undefined && this.#isFollowed(obligation))
        this.#close(key);
  }

  #isFollowed(obligation: Obligation): boolean {
    return obligation.rule.follower?.look(this.#viewScopeOf(obligation)).matched === true;
  }

  #viewScopeOf({ rule, match }: Obligation): ViewScope {
    const { viewScope } = this.#parts;
    const named = (name: string): NamedThing | undefined => (name === rule.as ? match.named : viewScope.named(name));
    return { ...viewScope, named };
  }

  #close(key: string): void {
    this.#known.set(key, null);
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  #schedule(key: string, due: Instant): void {
    const { clock } = this.#parts;
    this.#timers.get(key)?.cancel();
    const at = Math.max(due, clock.now());
    const cancel = clock.at(at, { lane: LANE.expectation, actor: `system ${key}` }, () => {
      this.#timers.delete(key);
      void this.#judge(key);
    });
    this.#timers.set(key, { due: at, cancel });
  }

  /** Holds simulated time until the judgement is reached. */
  async #judge(key: string): Promise<void> {
    const { clock } = this.#parts;
    const release = clock.hold('other', () => `the verdict about your system: ${key}`);
    this.#judging.add(key);
    try {
      if (key.startsWith('probe ')) await this.#judgeProbe(key);
      else await this.#judgeObligation(key);
    } finally {
      this.#judging.delete(key);
      release();
    }
  }

  async #judgeProbe(key: string): Promise<void> {
    const { rules, viewScope, clock } = this.#parts;
    const rule = rules[Number(key.split(' ')[1])] as ScenarioRule;
    const probe = rule.subject.probe as ProbeCheck;
    if (this.#breaches.has(rule)) return;
    this.#matches.set(rule, this.matchesOf(rule) + 1);
    const later = { due: null as Instant | null };
    const missed = await this.#eventually(rule, async () => {
      later.due = null;
      const isSettled = (objectId: string | null): boolean => {
        const since = this.#knownSince(objectId);
        const due = since === null ? clock.now() + PENDING_AGAIN_MS : since + (rule.withinMs ?? 0);
        if (since !== null && due <= clock.now()) return true;
        later.due = Math.min(later.due ?? due, due);
        return false;
      };
      return this.#askProbe(probe, viewScope, isSettled);
    });
    if ('why' in missed) return this.#breach(rule, missed);
    const { due } = later;
    // What the system did during the hold can be news about which it cannot know yet.
    if (due === null || (missed.heldMs > 0 && (await this.#askProbe(probe, viewScope, () => true)) === null))
      this.#noteHeld(rule, missed);
    if (due !== null) this.#schedule(`${key.replace(' tail', '')} tail`, due);
  }

  async #judgeObligation(key: string): Promise<void> {
    const obligation = this.#known.get(key) ?? null;
    if (obligation === null || this.#breaches.has(obligation.rule)) return;
    const { rule, match } = obligation;
    const { clock } = this.#parts;
    const missed = await this.#eventually(rule, async () => {
      // What the system did during the hold can be news about which it cannot know yet.
      if (rule.follower?.probe === undefined && this.#isFollowed(obligation)) return null;
      const due = this.#dueOf(obligation);
      if (due === null || due > clock.now()) {
        this.#schedule(key, due ?? clock.now() + PENDING_AGAIN_MS);
        return null;
      }
      const viewScope = this.#viewScopeOf(obligation);
      if (rule.follower?.probe !== undefined) return this.#askProbe(rule.follower.probe, viewScope, () => true);
      return { why: rule.follower?.text ?? '' };
    });
    if (this.#timers.has(key)) return;
    this.#close(key);
    if (!('why' in missed)) return this.#noteHeld(rule, missed);
    this.#breach(rule, {
      ...missed,
      objectId: objectIdOfMatch(match),
      why: `${match.label}: what must follow did not (${missed.why})`,
    });
  }

  async #askProbe(
    probe: ProbeCheck,
    viewScope: ViewScope,
    isSettled: (id: string | null) => boolean,
  ): Promise<BrokenWhy | null> {
    try {
      const answer = await this.#parts.system?.probe(probe.name);
      const [missed] = probe.judge(answer, viewScope, isSettled);
      if (missed === undefined) return null;
      const { path, expected, got, objectId } = missed;
      return { why: `${path}: expected ${expected}, got ${got}`, objectId };
    } catch (error) {
      if (error instanceof SystemEnded) return null;
      return { why: `${probe.name} cannot be asked: ${asError(error).message}`, unanswered: probe.name };
    }
  }

  #noteHeld(rule: ScenarioRule, { heldMs }: HeldRule): void {
    if (heldMs > 0) this.#parts.system?.onHeld?.(rule, heldMs);
  }

  /**
   * Repeats the evaluation until it is true; returns the reason if it is still false after the system's patience. The
   * patience begins once more if timers of this process were late meanwhile: the system may have had as little time.
   */
  async #eventually(rule: ScenarioRule, look: () => Promise<BrokenWhy | null>): Promise<Missed | HeldRule> {
    const { clock, system } = this.#parts;
    const patienceMs = system?.patienceMsOf(rule) ?? 0;
    const machine = machineOf(clock);
    const begunMs = clock.monotonic();
    let looks = 0;
    const counted = () => {
      looks++;
      return look();
    };
    const judge = () => this.#patiently(counted, patienceMs);
    const { value, lateMs } = await judgeOnTime(patienceMs, judge, { machine, depends: (missed) => missed !== null });
    return value === null ? { heldMs: looks > 1 ? clock.monotonic() - begunMs : 0 } : { ...value, lateMs };
  }

  async #patiently(look: () => Promise<BrokenWhy | null>, patienceMs: number): Promise<BrokenWhy | null> {
    const { clock, system } = this.#parts;
    const endMs = clock.monotonic() + patienceMs;
    for (let waitMs = LOOK_AGAIN_MS; ; waitMs = Math.min(2 * waitMs, LOOK_AT_MOST_MS)) {
      const missed = await look();
      if (missed === null || clock.monotonic() >= endMs) return missed;
      await system?.pause(Math.min(waitMs, endMs - clock.monotonic()));
    }
  }

  /** The end of an obligation's time limit; null while a delivery is pending. */
  #dueOf({ rule, match }: Obligation): Instant | null {
    const { body } = match.named;
    const isEvent = match.named.kind === 'event';
    const since = this.#knownSince(isEvent ? objectIdOf(body) : match.named.id, isEvent ? ['events'] : undefined);
    return since === null ? null : Math.max(since, match.at) + (rule.withinMs ?? 0);
  }

  #knownSince(objectId: string | null, lists?: readonly ObjectList[]): Instant | null {
    return knownSince(this.#parts.viewScope, objectId, lists);
  }

  #breach(rule: ScenarioRule, missed: Missed): void {
    this.#breaches.set(rule, { at: this.#parts.clock.now(), ...missed });
    if (missed.lateMs === null) this.#parts.onBreach(rule, missed);
  }
}

const machineOf = (clock: Clock): MachineTime => ({
  monotonicMs: () => clock.monotonic(),
  later: (delayMs, task, options) => clock.afterWall(delayMs, task, options),
});
