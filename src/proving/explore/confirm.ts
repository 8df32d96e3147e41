/** Confirms a breach: replays the scenario, shrinks one that breaks the rule each time, and measures the rate of a flaky one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMs } from '../../base/time/timers.ts';
import type { BreakRate } from './confidence.ts';
import { type GeneratedScenario, type GeneratedStep, joined, sound } from './generated-scenario.ts';
import type { LateRule } from './pauses.ts';
import {
  type BrokenRule,
  type GeneratedScenarioOutcome,
  type GeneratedScenarioPlayer,
  type PlayOptions,
  sameRule,
} from './play.ts';
import { shrunk } from './shrink.ts';

/**
 * Plays that must all break the rule, with the full patience of the file. A scenario that depends on a race cannot be reproduced, so
 * the user's system is slow in one of them, as it is when "sandbox run" starts it, and as fast as the steps in another one.
 */
export const STEADY_PLAYS: readonly PlayOptions[] = [{ isSystemNew: true }, { paceMs: 100 }, {}];

/** Most shrunk scenarios that are confirmed, the smallest first, until one breaks the rule in each play. */
const MOST_LOOKED_AT = 6;

/** Number of plays that measure the rate of a flaky breach. */
const RATE_PLAYS = 10;

/** Share of the time left in which a first play may show that the system is only slow. */
const SLOW_SHARE = 1 / 4;

/** Share of the time left for shrinking one scenario. Other rules are searched in the rest. */
const SHRINK_SHARE = 1 / 2;

interface ConfirmParts {
  readonly player: Pick<GeneratedScenarioPlayer, 'play' | 'isOver'>;
  /** How long simulated time is held for the user's system while a scenario is shrunk; wall ms. */
  readonly patienceMs: number;
  /** Wall ms for shrinking, at most half of the time left. */
  readonly shrinkMs: number;
  /** Wall ms until confirming and shrinking should have ended. */
  readonly leftMs: () => number;
  /** Reports progress. `steps`: the length of the scenario that is played. */
  readonly onProgress: (doing: 'confirm' | 'shrink', steps: number) => void;
}

interface SteadyBreak {
  readonly kind: 'steady';
  readonly scenario: GeneratedScenario;
  readonly rule: BrokenRule;
  readonly tries: number;
  /** False if the time was over before each step was known to be needed. */
  readonly isShortened: boolean;
}

/** Null: the rule is broken. Otherwise a longer patience would show whether the system is only slow. */
type WithOpen = Pick<GeneratedScenarioOutcome, 'open'>;

/** The outcome of the confirmation. */
type ConfirmedBreak =
  | (SteadyBreak & WithOpen)
  | (WithOpen & {
      readonly kind: 'flaky';
      readonly scenario: GeneratedScenario;
      readonly rule: BrokenRule;
      readonly rate: BreakRate;
      /** Temporary folder with the log of one play that broke the rule. */
      readonly log: string;
    })
  /** The rule held, later than the patience of the file and within its limit. */
  | { readonly kind: 'slow'; readonly late: LateRule }
  /** The time was over before the scenario broke the rule again. */
  | { readonly kind: 'cut'; readonly scenario: GeneratedScenario; readonly rule: BrokenRule }
  /** The rule broke with the short patience of the search, and never with the patience of the file. */
  | { readonly kind: 'unconfirmed'; readonly rate: BreakRate };

export async function confirmBreak(
  scenario: GeneratedScenario,
  {
    broken: rule,
    refused,
    begun,
  }: Pick<GeneratedScenarioOutcome, 'refused' | 'begun'> & { readonly broken: BrokenRule },
  parts: ConfirmParts,
): Promise<ConfirmedBreak> {
  const { player, onProgress, leftMs } = parts;
  onProgress('confirm', scenario.steps.length);
  // Steps that had not begun when the rule broke cannot matter.
  const pruned = { ...scenario, steps: sound(withoutRefused(scenario.steps.slice(0, begun), refused)) };
  const rules = new BrokenRules(rule);
  let open: WithOpen['open'] = null;
  for (const one of pruned.steps.length === scenario.steps.length ? [scenario] : [pruned, scenario]) {
    const again = await player.play(one, { decide: { ms: Math.max(0, leftMs() * SLOW_SHARE) } });
    const late = again.late.find((each) => rules.has(each));
    if (late !== undefined && (again.broken === null || !rules.has(again.broken))) return { kind: 'slow', late };
    if (again.broken === null) continue;
    rules.add(again.broken);
    ({ open } = again);
    const small = await shrink(one, rules, parts);
    if (small !== null) return { ...small, open };
    break;
  }
  if (player.isOver) return { kind: 'cut', scenario: pruned, rule };
  return rated(scenario, rules, parts);
}

/** The rules that a scenario breaks. One mistake can break several rules, and which of them breaks first can be a race. */
class BrokenRules {
  readonly #rules: BrokenRule[];

  constructor(first: BrokenRule) {
    this.#rules = [first];
  }

  add(rule: BrokenRule): void {
    if (!this.has(rule)) this.#rules.push(rule);
  }

  has(rule: Pick<BrokenRule, 'file' | 'line'>): boolean {
    return this.#rules.some((one) => sameRule(one, rule));
  }

  get first(): BrokenRule {
    return this.#rules[0] as BrokenRule;
  }
}

/** Returns null if neither a shrunk scenario nor the scenario itself broke the rule in each play. */
async function shrink(
  start: GeneratedScenario,
  rules: BrokenRules,
  { player, patienceMs, shrinkMs, leftMs, onProgress }: ConfirmParts,
): Promise<SteadyBreak | null> {
  let tries = 0;
  const startMs = leftMs();
  const mostMs = Math.max(0, Math.min(shrinkMs, startMs * SHRINK_SHARE));
  const begunMs = monotonicMs();
  const isOver = () => monotonicMs() - begunMs >= mostMs || player.isOver;
  let from = start;
  // With the short patience a slow system can break the rule, and a single play can be a race.
  for (const plays of [[{ patienceMs }], STEADY_PLAYS]) {
    const broke = [from];
    const breaks = async (smaller: GeneratedScenario): Promise<boolean> => {
      tries++;
      if ((await brokenEachTime(player, smaller, rules, plays)) === null) return false;
      broke.push(smaller);
      onProgress('shrink', smaller.steps.length);
      return true;
    };
    const smallest = await shrunk(from, { breaks, isOver });
    const isShortened = !isOver();
    const steady = player.isOver ? null : await firstSteady(player, [smallest, ...broke.toReversed()], rules);
    // The scenario with which shrinking began broke the rule with the full patience.
    if (player.isOver && steady === null)
      return { kind: 'steady', scenario: renumbered(from), rule: rules.first, tries, isShortened: false };
    if (steady === null) return null;
    const { scenario, rule } = steady;
    if (scenario === smallest || plays === STEADY_PLAYS || player.isOver)
      return { kind: 'steady', scenario: renumbered(scenario), rule, tries, isShortened };
    from = scenario;
  }
  return null;
}

/** Returns the first scenario that breaks the rule in each play; null if none of those that are tried does. */
async function firstSteady(
  player: ConfirmParts['player'],
  scenarios: readonly GeneratedScenario[],
  rules: BrokenRules,
): Promise<{ readonly scenario: GeneratedScenario; readonly rule: BrokenRule } | null> {
  const few = [...new Set(scenarios)];
  // The longest one, with which shrinking began, is the last resort.
  for (const scenario of [...few.slice(0, MOST_LOOKED_AT), ...few.slice(MOST_LOOKED_AT).slice(-1)]) {
    const rule = await brokenEachTime(player, scenario, rules, STEADY_PLAYS);
    if (rule !== null) return { scenario, rule };
  }
  return null;
}

/** Returns the rule that each of these plays broke; null if one play broke no such rule, or had a refused step. */
async function brokenEachTime(
  player: ConfirmParts['player'],
  scenario: GeneratedScenario,
  rules: BrokenRules,
  plays: readonly PlayOptions[],
): Promise<BrokenRule | null> {
  let last: BrokenRule | null = null;
  for (const how of plays) {
    const { broken, refused } = await player.play(scenario, how);
    if (broken === null || !rules.has(broken) || refused.length > 0) return null;
    // Report the rule that was found first, if this play breaks it too.
    if (last === null || sameRule(broken, rules.first)) last = broken;
  }
  return last;
}

/** Measures how often the scenario breaks the rule. The user's system has a race, is slow, or had too little time. */
async function rated(
  scenario: GeneratedScenario,
  rules: BrokenRules,
  { player, leftMs }: ConfirmParts,
): Promise<ConfirmedBreak> {
  let broke = 0;
  let of = 0;
  let last: { readonly rule: BrokenRule; readonly log: string } | null = null;
  let open: WithOpen['open'] = null;
  while (of < RATE_PLAYS && !player.isOver) {
    const log = mkdtempSync(join(tmpdir(), 'explore-'));
    // One break with a long patience is enough: it shows that the system is not slow.
    const decide = last === null ? { ms: Math.max(0, leftMs() * SLOW_SHARE) } : undefined;
    const played = await player.play(scenario, { out: log, decide });
    const { broken, late, isCut } = played;
    const breaks = broken !== null && rules.has(broken);
    const useless = breaks ? last?.log : log;
    if (useless !== undefined) rmSync(useless, { recursive: true, force: true });
    const slow = late.find((each) => rules.has(each));
    if (slow !== undefined && last === null && !breaks) return { kind: 'slow', late: slow };
    if (isCut) break;
    of++;
    if (!breaks) continue;
    broke++;
    if (last === null) ({ open } = played);
    last = { rule: broken, log };
  }
  const rate = { broke, of };
  if (last !== null) return { kind: 'flaky', scenario, ...last, rate, open };
  return of === 0 ? { kind: 'cut', scenario, rule: rules.first } : { kind: 'unconfirmed', rate };
}

/** Renumbers the bound names from 1. */
const renumbered = (scenario: GeneratedScenario): GeneratedScenario => ({
  ...scenario,
  steps: joined([], scenario.steps),
});

export const withoutRefused = (steps: readonly GeneratedStep[], refused: readonly number[]): readonly GeneratedStep[] =>
  steps.filter((_, i) => !refused.includes(i));
