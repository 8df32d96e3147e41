/** Plays the steps of a scenario one after another. Each step begins as an entry of the clock, after all work that was due before it. */

import { CLOCK_END, type Instant, LANE } from '../../base/time/clock.ts';
import { type CheckStep, Checks } from '../judging/judge.ts';
import type { Looks } from '../judging/looks.ts';
import { Rules } from '../judging/rules.ts';
import {
  type ReporterParts,
  type RunCounts,
  type RunFailure,
  RunReporter,
  type SkippedStep,
} from '../judging/run-reporter.ts';
import type { BrokenWhy, SystemPort } from '../judging/system-rules.ts';
import { NameScope, StepTrack, scopeOfMacro } from '../judging/track.ts';
import { deliveryCounts, outcomeOf } from '../log/outcome.ts';
import type { DeliveryCounts } from '../log/run-notices.ts';
import type { RunRecord } from '../log/run-record.ts';
import { SpanDraws } from '../model/draws.ts';
import type { PlannedSystem } from '../model/own-system.ts';
import type { RunMode, ScenarioRule, ScenarioStep, StepBody, StepFrame } from '../model/scenario.ts';
import { type CustomerPorts, CustomerSteps } from './customer-steps.ts';
import { Performer, type PerformerPorts } from './performer.ts';
import { RequestsInFlight } from './requests-in-flight.ts';
import { SimultaneousSteps, type StepOrder } from './simultaneous.ts';
import type { StepObserver } from './step-observer.ts';
import { beyondTime, isUnplayable, StepWork, skipBehind } from './step-work.ts';
import { tolerancesOf } from './tolerances.ts';
import { turnClock } from './turn-clock.ts';
import { Whens } from './whens.ts';

/**
 * The longest wait for pending judgements of the user's system after the scenario: the retry schedule and an hour.
 * [spec 6.5]
 */
const LONGEST_SETTLING_MS = 25 * 3_600_000;

export interface PlayerParts extends PerformerPorts, CustomerPorts, ReporterParts {
  readonly seed: string;
  readonly mode: RunMode;
  readonly speed: number;
  readonly record: RunRecord;
  readonly look: Looks;
  readonly order: StepOrder;
  /** False if `clock: {pause: ...}` does not stand still, because many runs are played. */
  readonly waitsInPauses: boolean;
  /** Last line to play; null: all. */
  readonly until: number | null;
  workerIds(who: string): readonly string[];
  /** The short name of a worker. */
  readonly personOf: (workerId: string) => string | undefined;
  /** The url of a receiver's destination. */
  urlOf(receiver: string): string;
  /** Returns the soundness of the event's signatures at the receiver; null if the event was not received. */
  soundness(receiver: string, eventId: string): 'valid' | 'unsound' | null;
  /** The user's own system; null: the scenario has none. */
  readonly system: SystemPort | null;
  readonly onBreach: (rule: ScenarioRule, breach: BrokenWhy) => void;
  readonly observer: StepObserver | undefined;
}

type StepOf<K extends StepBody['kind']> = StepFrame & Extract<StepBody, { kind: K }>;

/** The functions that play each kind of step. */
export type StepPlayers = {
  readonly [K in StepBody['kind']]: (step: StepOf<K>, begin: Instant, track: StepTrack) => Promise<Instant> | Instant;
};

/** Plays one scenario once, starting at the clock's time at construction. */
export class Player {
  readonly #parts: PlayerParts;
  readonly #reporter: RunReporter;
  readonly #checks: Checks;
  readonly #performer: Performer;
  readonly #customer: CustomerSteps;
  readonly #main: StepTrack;
  readonly #whens: Whens;
  readonly #rules: Rules;
  readonly #spans: SpanDraws;
  readonly #simultaneous: SimultaneousSteps;
  readonly #slackMs: number;
  #stopped = false;
  /** True if no further step begins, not even those of `finally`. */
  #isHalted = false;
  #playing: StepFrame | null = null;
  #lastMs = 0;

  constructor(parts: PlayerParts) {
    const { scenario, seed, clock, record, look, workerIds, personOf } = parts;
    this.#parts = parts;
    this.#simultaneous = new SimultaneousSteps(clock, parts.order, seed);
    const { slackMs, requestSlackMs, allowanceMs } = tolerancesOf(scenario, clock, parts);
    this.#reporter = new RunReporter(parts, allowanceMs);
    this.#checks = new Checks({
      clock,
      record,
      look,
      reporter: this.#reporter,
      slackMs,
      requestSlackMs,
      workerIds,
      personOf,
    });
    const onPassed = () => void this.#checks.passed++;
    const turn = (due: Instant) => this.#turn(due);
    const steps = new StepWork({ clock, reporter: this.#reporter, slackMs, turn, onPassed });
    this.#spans = new SpanDraws(seed);
    const doing = { clock, record, reporter: this.#reporter, steps, spans: this.#spans, ports: parts };
    this.#performer = new Performer({ ...doing, cast: scenario.cast, urlOf: parts.urlOf });
    this.#customer = new CustomerSteps({
      ...doing,
      workerIds,
      personOf,
      onPassed,
    });
    this.#slackMs = slackMs;
    const names = new NameScope();
    this.#main = new StepTrack(names, this.#reporter.start, 0, true);
    const viewScopeOf = (scope: NameScope, taken: ReadonlySet<string>) => this.#checks.viewScopeFrom(0, scope, taken);
    this.#whens = new Whens({
      whens: scenario.whens,
      clock,
      record,
      names,
      viewScopeOf,
      spans: this.#spans,
      play: (_when, track) => this.#playAll(_when.steps, track),
    });
    const rules = scenario.rules.filter(({ line }) => parts.until === null || line <= parts.until);
    this.#rules = new Rules({
      rules,
      clock,
      reporter: this.#reporter,
      viewScope: viewScopeOf(names, new Set()),
      slackMs,
      soundness: parts.soundness,
      system: parts.system,
      onBreach: parts.onBreach,
    });
  }

  /** Number of matches of each rule until now. */
  matched(): ReadonlyMap<ScenarioRule, number> {
    return this.#rules.matched();
  }

  /** In the order in which the failures were found. */
  get failures(): readonly RunFailure[] {
    return this.#reporter.failures;
  }

  get skipped(): readonly SkippedStep[] {
    return this.#reporter.skipped;
  }

  /** Numbers of passed checks, of failures, and of steps that were skipped. */
  get counts(): RunCounts {
    const { failed, skipped } = this.#reporter;
    return { passed: this.#checks.passed, failed, skipped: skipped.length };
  }

  get deliveries(): DeliveryCounts {
    return deliveryCounts(this.#parts.record);
  }

  /** How far the run fell behind its pace; in a running sandbox, the longest delay of due work. Wall ms. */
  get lagMs(): number {
    const { clock } = this.#parts;
    return clock.behindMs + clock.lagSince(this.#reporter.start);
  }

  /** Number of orders of simultaneous steps found until now, including that of the file. */
  get orders(): number {
    return this.#simultaneous.exist;
  }

  /**
   * Creates the queue that orders requests of the user's own programs that are in flight together, as part of the order
   * of the run. `together`: the number of requests of each group, where it is known.
   */
  requestsInFlight(together?: number): RequestsInFlight {
    return new RequestsInFlight(this.#parts.clock, (group) => this.#simultaneous.permuted(group), together);
  }

  /**
   * The outcome of the run, sorted: the last state of each alert and muster, and the number of each kind of event and
   * delivery.
   */
  get outcome(): readonly string[] {
    return outcomeOf(this.#parts.record, this.#parts.personOf);
  }

  /** Simulated ms since the scenario began. */
  get atMs(): number {
    return this.#parts.clock.now() - this.#reporter.start;
  }

  /** Simulated ms played. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** True if a pause was requested. */
  get isHalted(): boolean {
    return this.#isHalted;
  }

  /** The current step, for messages about the run. */
  get playing(): StepFrame | null {
    return this.#playing;
  }

  /** Resolves after the last step of `finally`. */
  async play(): Promise<void> {
    const { scenario, until } = this.#parts;
    await this.#playAll(this.#stepsTo(until), this.#main);
    if (this.#isHalted) return;
    await this.#endBeside(until);
    this.#parts.observer?.onOver();
    if (scenario.finally.length > 0)
      this.#reporter.notice({ kind: 'finally-began', atMs: this.#main.ended - this.#reporter.start });
    for (const step of scenario.finally) await this.#play(step, this.#main);
    // The last step may be a wait, so time passes until its end.
    await this.#turn(this.#main.ended);
    this.#checks.end();
    this.#checks.passed += this.#rules.end();
    this.#lastMs = this.atMs;
    const { skipped, ...judged } = this.counts;
    this.#reporter.log({ k: 'end', d: skipped === 0 ? judged : { ...judged, skipped } });
  }

  /** Plays up to `until`, with all effects at that instant, but without `finally` and rules. */
  async playToLine(): Promise<void> {
    await this.#playAll(this.#stepsTo(this.#parts.until), this.#main);
    await this.#turn(this.#main.ended, LANE.expectation);
  }

  /** The steps up to this line of the scenario, and all steps of the parts that it uses. */
  #stepsTo(until: number | null): readonly ScenarioStep[] {
    const { steps, file: own } = this.#parts.scenario;
    return until === null ? steps : steps.filter(({ line, file }) => file !== own || line <= until);
  }

  /** Stops after the current step. */
  halt(): void {
    this.#isHalted = true;
    this.#stopped = true;
  }

  /** Ends the evaluation: later failures would be caused by a person who uses the sandbox. */
  rest(): void {
    this.halt();
    this.#whens.stop();
    this.#checks.end();
    this.#lastMs = this.atMs;
    this.#reporter.close();
  }

  /** Reports a failure of the run itself. */
  fail(why: string): void {
    this.#reporter.fail(this.#playing, why);
  }

  /** Reports that the user's own system ended by itself, or could not be called. */
  failSystem({ file, line, start, url }: PlannedSystem, why: string): void {
    const where = { file, line, afterMs: 0, atMs: null, as: null, refused: false };
    this.#reporter.fail({ ...where, text: `your system (${start ?? url})` }, why);
  }

  /** Reports a broken house rule at the current step. */
  breach(rule: string, why: string): void {
    const { scenario } = this.#parts;
    const { file, line } = this.#playing ?? { file: scenario.file, line: 1 };
    const where = { file, line, afterMs: 0, atMs: null, as: null, refused: false };
    this.#reporter.fail({ ...where, text: `built-in rule: ${rule}` }, why);
  }

  /** Waits for the steps of `when` and for all running deadlines of rules. */
  async #endBeside(until: number | null): Promise<void> {
    await this.#turn(this.#main.ended);
    await this.#whens.idle();
    this.#whens.stop();
    const settled = until === null ? this.#rules.settledAt : 0;
    this.#main.ended = Math.max(this.#main.ended, this.#parts.clock.now() - this.#slackMs, settled);
    // The end of a limit is inclusive, so checks at this instant run first.
    await this.#turn(this.#main.ended, LANE.expectation);
    if (until === null) await this.#settleSystem();
  }

  /** Waits for every judgement of the user's system; its actions in the meantime may cause further judgements. */
  async #settleSystem(): Promise<void> {
    const last = this.#main.ended + LONGEST_SETTLING_MS;
    this.#rules.lookAgain();
    for (let due = this.#rules.nextDue; due !== null && !this.#isHalted; due = this.#rules.nextDue) {
      if (due > last) return;
      this.#main.ended = Math.max(this.#main.ended, due);
      await this.#turn(due, LANE.rest);
      await this.#turn(due, LANE.expectation);
    }
  }

  /** Ends early after a failed `wait_for`. After a pause, the steps may still be played. */
  async #playAll(steps: readonly ScenarioStep[], track: StepTrack): Promise<void> {
    for (const [place, step] of steps.entries()) {
      if (this.#stopped) return this.#isHalted ? undefined : skipBehind(steps.slice(place), track, this.#reporter);
      await this.#play(step, track);
    }
  }

  async #play(step: ScenarioStep, track: StepTrack): Promise<void> {
    const { start } = this.#reporter;
    const notBefore = start + this.#spans.ms(step.atMs ?? 0, step, 'at');
    const due = Math.max(track.ended + this.#spans.ms(step.afterMs, step, 'after'), notBefore);
    if (due > CLOCK_END) throw beyondTime(this.#playing);
    await this.#simultaneous.step(due);
    if (this.#isHalted) return;
    this.#playing = step;
    track.began = this.#parts.record.position;
    this.#reporter.noticeDelay();
    this.#parts.observer?.onBegun(step, track.names, due);
    const where = { line: step.line, atMs: due - start, text: step.text };
    // For a check, and for a step that is skipped, another notice with the result follows.
    const isCheck = step.kind === 'check' || (step.kind === 'api' && step.answers !== null) || step.refused;
    const judged = isCheck || isUnplayable(step, track);
    this.#reporter.notice(step.kind === 'mark' ? { kind: 'mark', ...where } : { kind: 'step-began', ...where, judged });
    const play = this.#players[step.kind] as (
      ...step: [ScenarioStep, Instant, StepTrack]
    ) => Promise<Instant> | Instant;
    track.ended = await play(step, due, track);
    this.#parts.observer?.onEnded(step, track.ended);
  }

  /** By kind; each function returns the end of its step. */
  readonly #players: StepPlayers = {
    wait: (step, begin) => begin + this.#spans.ms(step.ms, step, 'wait'),
    mark: (step, begin) => {
      this.#reporter.log({ k: 'mark', line: step.line, d: { text: step.words } });
      return begin;
    },
    action: (...step) => this.#performer.act(...step),
    update: (...step) => this.#performer.update(...step),
    api: (...step) => this.#customer.api(...step),
    webhook: (...step) => this.#customer.webhook(...step),
    receiver: (...step) => this.#customer.receiver(...step),
    check: (...step) => this.#check(...step),
    together: (...step) => this.#together(...step),
    repeat: (...step) => this.#repeat(...step),
    do: (...step) => this.#do(...step),
    clock: (step, begin) => turnClock(step, begin, { ...this.#parts, spans: this.#spans }),
  };

  /** The whole step counts as one action; it ends with its last branch. */
  async #together({ steps }: StepOf<'together'>, begin: Instant, track: StepTrack): Promise<Instant> {
    track.act(this.#parts.record.position);
    const branches = steps.map((step) => ({ step, branch: track.branch(begin) }));
    await Promise.all(branches.map(({ step, branch }) => this.#playAll([step], branch)));
    return Math.max(begin, ...branches.map(({ branch }) => branch.ended));
  }

  /** Each use of a macro has a new scope of names. */
  async #do(step: StepOf<'do'>, begin: Instant, track: StepTrack): Promise<Instant> {
    const names = scopeOfMacro(step, track);
    const inside = track.within(names, begin);
    await this.#playAll(step.steps, inside);
    const last = step.last === null ? undefined : names.get(step.last.name);
    if (step.as !== null && last !== undefined) track.names.set(step.as, last, track.began);
    const cause = step.last === null ? null : names.causeOf(step.last.name);
    if (step.as !== null && last === undefined && cause !== null) track.names.setUnbound(step.as, cause);
    return inside.ended;
  }

  async #repeat(step: StepOf<'repeat'>, begin: Instant, track: StepTrack): Promise<Instant> {
    track.ended = begin;
    const times = this.#spans.times(step.times, step);
    let due = begin;
    for (let time = 0; time < times && !this.#stopped; time++) {
      track.ended = Math.max(track.ended, due);
      await this.#playAll(step.steps, track);
      due += this.#spans.ms(step.everyMs ?? 0, step, 'every');
    }
    return track.ended;
  }

  async #check(step: CheckStep, begin: Instant, track: StepTrack): Promise<Instant> {
    const { fault, at } = await this.#checks.play(step, begin, track);
    this.#stopped ||= fault !== null && step.verb === 'wait_for';
    if (this.#stopped) this.#reporter.stoppedBy ??= step;
    return at;
  }

  /** Waits until simulated time is `due` and all work that was due before is done. */
  #turn(due: Instant, lane: number = LANE.step): Promise<void> {
    const { clock } = this.#parts;
    if (due > CLOCK_END) throw beyondTime(this.#playing);
    if (lane === LANE.step) return this.#simultaneous.turn(due);
    return new Promise((resolve) => clock.at(due, { lane, actor: 'story' }, () => resolve()));
  }
}
