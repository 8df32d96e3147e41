/** The breaks that a search met: confirms each, tells a slow system from a broken rule, and records what was not finished in time. */
import { monotonicMs } from '../../base/time/timers.ts';
import { confirmBreak } from './confirm.ts';
import { type DecidingMoment, decidingMoment, decisionLines, notDetermined } from './deciding.ts';
import { type FoundScenario, type SlowRule, type Suspicion, unfinishedOf, writtenFinding } from './findings.ts';
import type { GeneratedScenario } from './generated-scenario.ts';
import type { LateRule } from './pauses.ts';
import {
  type BrokenRule,
  type GeneratedScenarioOutcome,
  type GeneratedScenarioPlayer,
  type OpenBreak,
  sameRule,
} from './play.ts';

/**
 * How long simulated time is held for the user's system in the search; wall ms. Findings are confirmed with full patience. With
 * 250 ms, correct systems with pauses of 100, 200 and 400 ms were suspected on a busy machine, and each suspicion costs ten plays.
 */
const SEARCH_PATIENCE_MS = 500;

/** Upper bound of the patience, which doubles when a finding is not confirmed; wall ms. */
const MOST_PATIENCE_MS = 10_000;

/** Most unconfirmed breaches that are reported. A slow machine must not fill the folder. */
export const MOST_SUSPICIONS = 5;

/** The patience for a slow rule, as a multiple of the pause that was seen. */
const SLOW_FACTOR = 1.25;

/** Time for a play without its patience; wall ms. */
const PLAY_MS = 2_000;

/** Share of the time left that is kept for deciding between slow and broken, if it is shorter than the limit of the rule. */
const DECIDE_SHARE = 1 / 2;

/** Most plays that decide between slow and broken. A flaky scenario may break the rule in none of the first ones. */
const MOST_DECIDING = 3;

/** Time at the end of the search for the deciding moment of each finding: a share of the time left, and at most; wall ms. */
const MOMENT_SHARE = 1 / 4;
const MOST_MOMENT_MS = 30_000;

interface BreaksParts {
  readonly player: GeneratedScenarioPlayer;
  /** The file of rules. */
  readonly file: string;
  readonly out: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The ends of the search, and of confirming, shrinking and deciding, by `monotonicMs()`. */
  readonly endMs: number;
  readonly lastMs: number;
  readonly shrinkMs: number;
  /** Longest time for the moment that decided a finding; wall ms. Absent: its share of what is left. */
  readonly decideMs?: number | undefined;
  /** The beginning of the search by `monotonicMs()`. */
  readonly begunMs: number;
  readonly onProgress: (doing: 'confirm' | 'shrink' | 'decide', steps: number) => void;
  /** Default: `monotonicMs()`. */
  readonly nowMs?: () => number;
}

/** A scenario that may break a rule. */
interface Suspect {
  readonly scenario: GeneratedScenario;
  /** The stored file, if an earlier search found it. */
  readonly kept: string | null;
  /** The number of the scenario in the search. */
  readonly story: number;
}

/** A finding that a longer patience may show to be slowness. */
interface OpenFinding {
  readonly finding: FoundScenario;
  readonly scenario: GeneratedScenario;
  readonly open: OpenBreak;
}

export class FoundBreaks {
  readonly #parts: BreaksParts;
  readonly #nowMs: () => number;
  /** Rules as written, by line. */
  readonly sources = new Map<number, string>();
  readonly suspicions: Suspicion[] = [];
  readonly slow: SlowRule[] = [];
  #findings: FoundScenario[] = [];
  #open: OpenFinding[] = [];
  /** Findings whose deciding moment is searched at the end. */
  readonly #steady: Omit<OpenFinding, 'open'>[] = [];
  /** Wall ms at the end of the search that are kept for them. */
  #momentsMs = 0;
  #patienceMs = SEARCH_PATIENCE_MS;
  /** Wall ms at the end of the search that are kept for decisions. */
  #reservedMs = 0;

  constructor(parts: BreaksParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? monotonicMs;
  }

  get findings(): readonly FoundScenario[] {
    return this.#findings;
  }

  /** The patience of the search; wall ms. */
  get patienceMs(): number {
    return this.#patienceMs;
  }

  /** The time by `monotonicMs()` at which no further scenario is searched. */
  get searchEndMs(): number {
    return this.#momentsEndMs - this.#momentsMs;
  }

  /** Records the rules that held late, and confirms a break. Returns the lines of the rules that held late. */
  async take(suspect: Suspect, outcome: GeneratedScenarioOutcome): Promise<ReadonlySet<number>> {
    for (const late of outcome.late) this.#isSlow(late, suspect.scenario);
    const slow = outcome.broken === null ? null : await this.#confirm(suspect, { ...outcome, broken: outcome.broken });
    return new Set([...outcome.late, ...(slow === null ? [] : [slow])].map(({ line }) => line));
  }

  /** Records a finding or an unconfirmed break. Returns the rule that held late instead. */
  async #confirm(
    suspect: Suspect,
    outcome: GeneratedScenarioOutcome & { readonly broken: BrokenRule },
  ): Promise<LateRule | null> {
    const { broken } = outcome;
    const { player, shrinkMs, onProgress, signal } = this.#parts;
    const foundMs = this.#nowMs() - this.#parts.begunMs;
    const leftMs = () => this.#confirmEndMs - this.#nowMs();
    const confirm = { player, patienceMs: this.#patienceMs, shrinkMs, leftMs, onProgress };
    const confirmed = await confirmBreak(suspect.scenario, outcome, confirm);
    if (confirmed.kind === 'slow') {
      this.#isSlow(confirmed.late, suspect.scenario);
      return confirmed.late;
    }
    if (confirmed.kind === 'unconfirmed') this.#suspect(suspect.scenario, broken, confirmed.rate);
    if (confirmed.kind === 'unconfirmed' || (confirmed.kind === 'cut' && signal?.aborted === true)) return null;
    const { scenario: small, rule } = confirmed;
    const isFlaky = confirmed.kind === 'flaky';
    const rate = isFlaky ? confirmed.rate : null;
    const open = confirmed.kind === 'cut' ? null : confirmed.open;
    const state = {
      flaky: rate,
      confirmed: confirmed.kind !== 'cut',
      shortened: confirmed.kind === 'steady' && confirmed.isShortened,
      undecided: open,
    };
    player.setKnown(rule);
    const writing = { ...this.#parts, sources: this.sources };
    const remarks = unfinishedOf({ ...state, undecided: null }).map((one) => `Not finished: ${one}.`);
    const isSteady = confirmed.kind === 'steady';
    const decided = notDetermined(isFlaky ? 'the rule does not break each time' : 'the time was over');
    const written = writtenFinding(writing, small, rule, rate, [
      ...remarks,
      ...(isSteady ? [] : decisionLines(decided)),
    ]);
    const finding: FoundScenario = {
      ...written,
      decided,
      rule,
      ...state,
      kept: suspect.kept !== null,
      replaces: suspect.kept,
      foundMs,
      record: isFlaky ? confirmed.log : null,
      tries: confirmed.kind === 'steady' ? confirmed.tries : 0,
      story: suspect.story,
      steps: small.steps.length,
      foundSteps: suspect.scenario.steps.length,
      shrunkMs: this.#nowMs() - this.#parts.begunMs,
    };
    this.#findings.push(finding);
    if (isSteady) this.#reserveMoments({ finding, scenario: small });
    if (open !== null) this.#reserve({ finding, scenario: small, open });
    return null;
  }

  /** Decides for each open finding whether the rule is broken or the system is slow, with the time that is left. */
  async decideOpen(): Promise<void> {
    const { player } = this.#parts;
    for (const { finding, scenario, open } of this.#open) {
      const { rule } = finding;
      let undecided: OpenBreak | null = open;
      for (let left = MOST_DECIDING; left > 0 && undecided !== null && !player.isOver; left--) {
        const ms = Math.min(open.withinMs, this.#confirmEndMs - this.#nowMs());
        if (ms <= undecided.patienceMs) break;
        const played = await player.play(scenario, { decide: { ms, rule } });
        const [slow] = played.late;
        if (slow !== undefined && played.broken === null) {
          this.#isSlow(slow, scenario);
          this.#findings = this.#findings.filter((one) => one !== finding);
          undecided = null;
        } else if (played.broken !== null) undecided = played.open;
      }
      this.#replace(finding, { ...finding, undecided });
    }
    this.#open = [];
  }

  /** Searches the deciding moment of each finding that breaks its rule each time, with the time that is left. */
  async decideMoments(): Promise<void> {
    for (const [i, { finding, scenario }] of this.#steady.entries()) {
      const nowMs = this.#nowMs();
      const { player, onProgress, signal } = this.#parts;
      onProgress('decide', scenario.steps.length);
      const shareMs = (this.#momentsEndMs - nowMs) / (this.#steady.length - i);
      const endMs = nowMs + Math.min(shareMs, this.#parts.decideMs ?? shareMs);
      const found = await decidingMoment(scenario, finding.rule, { player, endMs, patienceMs: this.#patienceMs });
      const decided: DecidingMoment = signal?.aborted === true ? notDetermined('the search was interrupted') : found;
      const remarks = unfinishedOf({ ...finding, undecided: null }).map((one) => `Not finished: ${one}.`);
      const writing = { ...this.#parts, sources: this.sources };
      const lines = [...remarks, ...decisionLines(decided)];
      const { text } = writtenFinding(writing, scenario, finding.rule, null, lines);
      this.#replace(finding, { ...finding, decided, text });
    }
  }

  #replace(finding: FoundScenario, by: FoundScenario): void {
    this.#findings = this.#findings.map((one) => (one === finding ? by : one));
    this.#open = this.#open.map((one) => (one.finding === finding ? { ...one, finding: by } : one));
  }

  /** The end of the search for deciding moments, which are all inside its limit. */
  get #momentsEndMs(): number {
    return Math.min(this.#parts.endMs, this.#confirmEndMs - this.#reservedMs);
  }

  #reserveMoments(steady: Omit<OpenFinding, 'open'>): void {
    this.#steady.push(steady);
    const leftMs = Math.max(0, this.searchEndMs - this.#nowMs());
    if (Number.isFinite(leftMs)) this.#momentsMs += Math.min(MOST_MOMENT_MS, leftMs * MOMENT_SHARE);
  }

  /** Confirming may use a part of the time after the end of the search; the rest is a reserve. */
  get #confirmEndMs(): number {
    const { endMs, lastMs } = this.#parts;
    return Number.isFinite(lastMs) ? endMs + (lastMs - endMs) / 3 : endMs;
  }

  #reserve(open: OpenFinding): void {
    this.#open.push(open);
    const { endMs } = this.#parts;
    if (!Number.isFinite(endMs)) return;
    const { patienceMs, withinMs } = open.open;
    const freeMs = Math.max(0, this.#confirmEndMs - this.#reservedMs - this.#nowMs());
    const halfMs = freeMs * DECIDE_SHARE;
    // A patience that is shorter than the limit decides only for a slow system, so it gets less of the time.
    if (withinMs + PLAY_MS <= freeMs) this.#reservedMs += withinMs + PLAY_MS;
    else if (halfMs > SLOW_FACTOR * patienceMs) this.#reservedMs += halfMs;
  }

  /** Later plays have a patience with which the system is in time, so that its other mistakes are found. */
  #isSlow(late: LateRule, scenario: GeneratedScenario): void {
    const { player } = this.#parts;
    const at = this.slow.findIndex((one) => sameRule(one, late));
    if (at >= 0 && (this.slow[at]?.pauseMs ?? 0) >= late.pauseMs) return;
    player.setSlow(late, SLOW_FACTOR * late.pauseMs);
    const { text } = player.textOf(scenario, { title: 'A scenario in which the system is slow', remarks: [] });
    const slow = { ...late, source: this.sources.get(late.line) ?? late.text, scenario: text };
    this.slow.splice(at < 0 ? this.slow.length : at, 1, slow);
  }

  #suspect(scenario: GeneratedScenario, rule: BrokenRule, rate: Suspicion['rate']): void {
    this.#patienceMs = Math.min(2 * this.#patienceMs, MOST_PATIENCE_MS);
    if (this.suspicions.length >= MOST_SUSPICIONS) return;
    const { path, text } = writtenFinding({ ...this.#parts, sources: this.sources }, scenario, rule, rate);
    this.suspicions.push({ rule, rate, path: path.replace(/line-/, 'unconfirmed-'), text });
  }
}
