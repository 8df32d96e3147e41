/** Confirms a breach: replays the scenario, shrinks one that breaks the rule each time, and measures the rate of a flaky one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMs } from '../../base/time/timers.ts';
import type { BreakRate } from './findings.ts';
import { type GeneratedScenario, type GeneratedStep, joined, sound } from './generated-scenario.ts';
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
const STEADY_PLAYS: readonly PlayOptions[] = [{ isSystemNew: true }, { paceMs: 100 }, {}];

/** Most shrunk scenarios that are confirmed, the smallest first, until one breaks the rule in each play. */
const MOST_LOOKED_AT = 6;

/** Number of plays that measure the rate of a flaky breach. */
const RATE_PLAYS = 10;

interface ConfirmParts {
  readonly player: GeneratedScenarioPlayer;
  /** How long simulated time is held for the user's system while a scenario is shrunk; wall ms. */
  readonly patienceMs: number;
  /** Wall ms for shrinking. */
  readonly shrinkMs: number;
  readonly signal: AbortSignal | undefined;
  /** Reports progress. `steps`: the length of the scenario that is played. */
  readonly onProgress: (doing: 'confirm' | 'shrink', steps: number) => void;
}

interface SteadyBreak {
  readonly kind: 'steady';
  readonly scenario: GeneratedScenario;
  readonly rule: BrokenRule;
  readonly tries: number;
}

/** The outcome of the confirmation. */
type ConfirmedBreak =
  | SteadyBreak
  | {
      readonly kind: 'flaky';
      readonly scenario: GeneratedScenario;
      readonly rule: BrokenRule;
      readonly rate: BreakRate;
      /** Temporary folder with the log of one play that broke the rule. */
      readonly log: string;
    }
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
  const { player, onProgress, signal } = parts;
  onProgress('confirm', scenario.steps.length);
  // Steps that had not begun when the rule broke cannot matter.
  const pruned = { ...scenario, steps: sound(withoutRefused(scenario.steps.slice(0, begun), refused)) };
  const rules = new BrokenRules(rule);
  for (const one of pruned.steps.length === scenario.steps.length ? [scenario] : [pruned, scenario]) {
    const again = await player.play(one);
    if (again.broken === null) continue;
    rules.add(again.broken);
    const small = await shrink(one, rules, parts);
    if (small !== null) return small;
    break;
  }
  if (signal?.aborted === true) return { kind: 'unconfirmed', rate: { broke: 0, of: 0 } };
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

  has(rule: BrokenRule): boolean {
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
  { player, patienceMs, shrinkMs, signal, onProgress }: ConfirmParts,
): Promise<SteadyBreak | null> {
  let tries = 0;
  const endMs = monotonicMs() + shrinkMs;
  const isOver = () => monotonicMs() >= endMs || signal?.aborted === true;
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
    if (signal?.aborted === true) return { kind: 'steady', scenario: renumbered(smallest), rule: rules.first, tries };
    const steady = await firstSteady(player, [smallest, ...broke.toReversed()], rules);
    if (steady === null) return null;
    const { scenario, rule } = steady;
    if (scenario === smallest || plays === STEADY_PLAYS)
      return { kind: 'steady', scenario: renumbered(scenario), rule, tries };
    from = scenario;
  }
  return null;
}

/** Returns the first scenario that breaks the rule in each play; null if none of those that are tried does. */
async function firstSteady(
  player: GeneratedScenarioPlayer,
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
  player: GeneratedScenarioPlayer,
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

/** Measures how often the scenario breaks the rule. The user's system has a race, or had too little time. */
async function rated(
  scenario: GeneratedScenario,
  rules: BrokenRules,
  { player, signal }: ConfirmParts,
): Promise<ConfirmedBreak> {
  let broke = 0;
  let of = 0;
  let last: { readonly rule: BrokenRule; readonly log: string } | null = null;
  while (of < RATE_PLAYS && signal?.aborted !== true) {
    of++;
    const log = mkdtempSync(join(tmpdir(), 'explore-'));
    const { broken } = await player.play(scenario, { out: log });
    const breaks = broken !== null && rules.has(broken);
    if (breaks) broke++;
    const useless = breaks ? last?.log : log;
    if (useless !== undefined) rmSync(useless, { recursive: true, force: true });
    if (breaks) last = { rule: broken, log };
  }
  const rate = { broke, of };
  return last === null ? { kind: 'unconfirmed', rate } : { kind: 'flaky', scenario, ...last, rate };
}

/** Renumbers the bound names from 1. */
const renumbered = (scenario: GeneratedScenario): GeneratedScenario => ({
  ...scenario,
  steps: joined([], scenario.steps),
});

export const withoutRefused = (steps: readonly GeneratedStep[], refused: readonly number[]): readonly GeneratedStep[] =>
  steps.filter((_, i) => !refused.includes(i));
