/** What broke a rule is played again: until it is certain, and as small as it can be, or known to break only at times. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMs } from '../base/time/timers.ts';
import type { BreakRate } from './findings.ts';
import { type GeneratedScenario, type GeneratedStep, joined } from './generated-scenario.ts';
import { type BrokenRule, type GeneratedScenarioPlayer, sameRule } from './play.ts';
import { shrunk } from './shrink.ts';

/** A scenario that breaks the rule by the chance of who was faster is no help: the one that is written broke it in each of these. */
const STEADY_PLAYS = 3;

/** Plays from which the rate of a break is known that does not repeat. */
const RATE_PLAYS = 10;

interface ConfirmParts {
  readonly player: GeneratedScenarioPlayer;
  /** How long time stands still for the user's system while a scenario is shrunk; wall ms. */
  readonly patienceMs: number;
  /** Wall ms for shrinking. */
  readonly shrinkMs: number;
  readonly signal: AbortSignal | undefined;
  /** A scenario of so many steps is looked at. */
  readonly onProgress: (doing: 'confirm' | 'shrink', steps: number) => void;
}

/** What is known of a break after further plays. */
type ConfirmedBreak =
  | { readonly kind: 'steady'; readonly scenario: GeneratedScenario; readonly rule: BrokenRule; readonly tries: number }
  | {
      readonly kind: 'flaky';
      readonly scenario: GeneratedScenario;
      readonly rule: BrokenRule;
      readonly rate: BreakRate;
      /** A folder of the machine with the log of a play that broke it. */
      readonly log: string;
    }
  /** It never broke with all the patience that the file gives. */
  | { readonly kind: 'unconfirmed'; readonly rate: BreakRate };

export async function confirmBreak(
  scenario: GeneratedScenario,
  { broken: rule, refused }: { readonly broken: BrokenRule; readonly refused: readonly number[] },
  parts: ConfirmParts,
): Promise<ConfirmedBreak> {
  const { player, onProgress, signal } = parts;
  onProgress('confirm', scenario.steps.length);
  const pruned = { ...scenario, steps: withoutRefused(scenario.steps, refused) };
  const rules = new BrokenRules(rule);
  for (const one of refused.length === 0 ? [scenario] : [pruned, scenario]) {
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

/** The rules that a scenario breaks: one mistake may break several, and which of them is first can be a race. */
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

/** Null: no shrunk scenario, and not the scenario itself, broke the rule each time. */
async function shrink(
  start: GeneratedScenario,
  rules: BrokenRules,
  { player, patienceMs, shrinkMs, signal, onProgress }: ConfirmParts,
): Promise<Extract<ConfirmedBreak, { kind: 'steady' }> | null> {
  let tries = 0;
  const endMs = monotonicMs() + shrinkMs;
  for (const how of [
    { patienceMs, plays: 1 },
    { patienceMs: undefined, plays: STEADY_PLAYS },
  ]) {
    const breaks = async (smaller: GeneratedScenario): Promise<boolean> => {
      tries++;
      if ((await brokenEachTime(player, smaller, rules, how)) === null) return false;
      onProgress('shrink', smaller.steps.length);
      return true;
    };
    const small = await shrunk(start, { breaks, isOver: () => monotonicMs() >= endMs || signal?.aborted === true });
    if (signal?.aborted === true) return { kind: 'steady', scenario: renumbered(small), rule: rules.first, tries };
    // With little patience a slow system may have been blamed for a scenario that it bears.
    const last = await brokenEachTime(player, small, rules, { patienceMs: undefined, plays: STEADY_PLAYS });
    if (last !== null) return { kind: 'steady', scenario: renumbered(small), rule: last, tries };
  }
  return null;
}

/** The rule as one of these plays broke it; null: one of them did not, or had a step refused. */
async function brokenEachTime(
  player: GeneratedScenarioPlayer,
  scenario: GeneratedScenario,
  rules: BrokenRules,
  { plays, patienceMs }: { readonly plays: number; readonly patienceMs: number | undefined },
): Promise<BrokenRule | null> {
  let last: BrokenRule | null = null;
  for (let play = 0; play < plays; play++) {
    const { broken, refused } = await player.play(scenario, { patienceMs });
    if (broken === null || !rules.has(broken) || refused.length > 0) return null;
    // The first rule was the one that was found, so it is the one that is reported where it breaks too.
    if (last === null || sameRule(broken, rules.first)) last = broken;
  }
  return last;
}

/** The user's system has a race of its own, or was given too little time: how often the scenario breaks the rule. */
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

/** Names count from 1 again. */
const renumbered = (scenario: GeneratedScenario): GeneratedScenario => ({
  ...scenario,
  steps: joined([], scenario.steps),
});

export const withoutRefused = (steps: readonly GeneratedStep[], refused: readonly number[]): readonly GeneratedStep[] =>
  steps.filter((_, i) => !refused.includes(i));
