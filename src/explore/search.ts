/** The search of one process: kept scenarios first, then made ones, until a rule breaks or the budget is spent; what breaks one is confirmed and shrunk. */
import { basename } from 'node:path';
import { streams } from '../base/random/streams.ts';
import { monotonicMs } from '../base/time/timers.ts';
import { renderMistakes } from '../plant/shown-mistakes.ts';
import { accepts } from '../scenario/customer/own-system.ts';
import { mistakesOfPart } from '../scenario/mend/checked-part.ts';
import { commandOf } from '../scenario/model/again.ts';
import type { RunError, RunResult } from '../scenario/playing/run-file.ts';
import type { LoadedScenario } from '../scenario/reading/load.ts';
import { adviceOn, readMerged, readNamed } from '../scenario/reading/merged-file.ts';
import { isOnThisMachine } from '../scenario/reading/read-receivers.ts';
import { flow, type GeneratedScenario, type GeneratedStep } from './generated-scenario.ts';
import { foundFolder, keptPath, keptScenarios } from './kept.ts';
import { joined, mutated, newScenario } from './make.ts';
import { missingPlant, plantOf } from './plant.ts';
import {
  type BrokenRule,
  type GeneratedScenarioOutcome,
  GeneratedScenarioPlayer,
  type GeneratedScenarioPlayerParts,
  sameRule,
} from './play.ts';
import { shrunk } from './shrink.ts';

/** How long time stands still for the user's system during the search; a finding is confirmed with all of its patience. Wall ms. */
const SEARCH_PATIENCE_MS = 250;

/** It grows when a finding is not confirmed; wall ms. */
const MOST_PATIENCE_MS = 10_000;

/** A scenario that breaks the rule by the chance of who was faster is no help: the one that is written broke it in each of these. */
const STEADY_PLAYS = 3;

/** How often a scenario of the corpus is changed, against making a new one. */
const CHANGE_SHARE = 0.6;

/** Scenarios with new features that are kept for changes; the oldest are evicted. */
const MOST_KEPT = 400;

/** Made scenarios that are invalid before the search gives up. */
const MOST_INVALID = 20;

type ValidScenario = Extract<LoadedScenario, { ok: true }>;

export interface SearchParts extends GeneratedScenarioPlayerParts {
  readonly seed: string;
  /** Of several processes with one seed; the first tries the kept scenarios. */
  readonly index: number;
  readonly mostScenarios: number;
  /** By `monotonicMs()`. */
  readonly endMs: number;
  /** Wall ms for shrinking, beyond the end of the search if need be. */
  readonly shrinkMs: number;
  /** Where a finding is written; absent: the folder beside the file. */
  readonly out: string | undefined;
  readonly onProgress: (progress: SearchProgress) => void;
}

export interface SearchProgress {
  readonly scenarios: number;
  /** Features met so far. */
  readonly features: number;
  readonly doing: 'search' | 'confirm' | 'shrink';
  /** Steps of the scenario that is being shrunk. */
  readonly steps: number;
}

export interface FoundScenario {
  readonly rule: BrokenRule;
  /** The rule as its file has it. */
  readonly source: string;
  /** Where the scenario belongs, and its text; the caller writes it. */
  readonly path: string;
  readonly text: string;
  readonly steps: number;
  /** Steps of the scenario as it was found. */
  readonly foundSteps: number;
  /** The number of the scenario that broke the rule, from 1. */
  readonly story: number;
  /** Scenarios that shrinking played. */
  readonly tries: number;
  /** From the beginning of the search to the first break, and to the end of shrinking; wall ms. */
  readonly foundMs: number;
  readonly shrunkMs: number;
  /** It was found in an earlier search, and still breaks. */
  readonly kept: boolean;
  readonly again: string;
}

export interface SearchEnd {
  readonly finding: FoundScenario | null;
  readonly scenarios: number;
  readonly features: readonly string[];
  /** Rules that judged nothing in any scenario. */
  readonly idle: readonly Pick<BrokenRule, 'file' | 'line' | 'text'>[];
  /** Why the search could not go on. */
  readonly error: (RunError & { readonly exitCode: RunResult['exitCode'] }) | null;
  readonly wallMs: number;
}

/** Why a file is not a file of rules: it cannot be read, or has mistakes; null: it is one. Nothing is started for it. */
export function unsoundRules(file: string): SearchEnd['error'] {
  const { unread } = readMerged(file, readNamed(file), 'explore');
  if (unread !== null)
    return { ...invalid(`${file} ${unread.why}.`), fix: adviceOn(unread, 'Look at its name and folder.') };
  const mistakes = mistakesOfPart(file);
  return mistakes.length === 0 ? null : invalid(renderMistakes(mistakes, textOf), mistakes);
}

/** The text of a file with a mistake, which was read before. */
function textOf(file: string): string | undefined {
  const text = readNamed(file)(file);
  return typeof text === 'string' ? text : undefined;
}

export async function search(parts: SearchParts): Promise<SearchEnd> {
  const one = new Search(parts);
  try {
    return await one.run();
  } finally {
    await one.stop();
  }
}

class Search {
  readonly #parts: SearchParts;
  readonly #player: GeneratedScenarioPlayer;
  readonly #begunMs = monotonicMs();
  readonly #features = new Set<string>();
  readonly #matched = new Set<number>();
  readonly #corpus: GeneratedScenario[] = [];
  /** Rules as written, by line. */
  readonly #sources = new Map<number, string>();
  #scenarios = 0;
  #invalid = 0;
  #tries = 0;
  #patienceMs = SEARCH_PATIENCE_MS;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#player = new GeneratedScenarioPlayer(parts);
  }

  stop(): Promise<void> {
    return this.#player.stop();
  }

  async run(): Promise<SearchEnd> {
    const empty = this.#emptyScenario();
    const loaded = this.#player.load(empty);
    if (!loaded.ok) return this.#end({ error: invalid(loaded.text, loaded.mistakes) });
    const { rules, probes } = loaded.scenario;
    const { file, mostScenarios, endMs, index, signal, seed } = this.#parts;
    if (rules.length === 0)
      return this.#end({ error: invalid(`${file}  There is nothing to search for. Write rules: and what must hold.`) });
    const deaf = await unreachedReceiver(loaded);
    if (deaf !== null) return this.#end({ error: deaf });
    const first = await this.#player.play(empty);
    if (first.error !== null) return this.#end({ error: first.error });
    const unanswered = probes.find(({ name }) => first.broken?.why.includes(`${name} cannot be asked`));
    if (first.broken !== null && unanswered !== undefined) {
      const message = `${unanswered.file}:${unanswered.line}  The probe "${unanswered.name}" does not answer: ${first.broken.why}`;
      const fix = 'Look at its path, and at what your system answers there.';
      return this.#end({ error: { code: 'probe_not_reachable', message, fix, exitCode: 3 } });
    }
    const written = loaded.source.value['rules'] as readonly unknown[];
    for (const [i, { line }] of rules.entries()) this.#sources.set(line, flow(written[i]));
    const plant = plantOf(loaded);
    const stream = streams(seed).stream('explore', `process ${index}`);
    const kept = index === 0 ? keptScenarios(file) : [];
    let outcome: GeneratedScenarioOutcome = first;
    let scenario = empty;
    let isKept = false;
    for (;;) {
      this.#scenarios++;
      if (outcome.error !== null && signal?.aborted !== true && !this.#isPassable(outcome.error))
        return this.#end({ error: outcome.error });
      const finding = await this.#confirmed(scenario, outcome, isKept);
      if (finding !== null) return this.#end({ finding });
      this.#learn(scenario, outcome);
      this.#progress('search');
      if (this.#scenarios >= mostScenarios || monotonicMs() >= endMs || signal?.aborted === true) break;
      const old = kept.shift();
      isKept = old !== undefined;
      if (old !== undefined) scenario = old.scenario;
      else if (this.#corpus.length > 0 && stream.chance(CHANGE_SHARE))
        scenario = mutated(stream.pick(this.#corpus), stream.pick(this.#corpus), stream, plant);
      else scenario = newScenario(stream, plant, empty.plant);
      outcome = await this.#player.play(scenario, this.#patienceMs);
    }
    return this.#end({ idle: rules.filter(({ line }) => !this.#matched.has(line)) });
  }

  /** A made scenario may name what the plant does not have: another is made, unless all are so. */
  #isPassable({ exitCode }: NonNullable<GeneratedScenarioOutcome['error']>): boolean {
    if (exitCode !== 2) return false;
    this.#invalid++;
    return this.#invalid < MOST_INVALID || this.#invalid < this.#scenarios / 2;
  }

  /** What the file has, its scenarios need not. */
  #emptyScenario(): GeneratedScenario {
    const { value } = readMerged(this.#parts.file, readNamed(this.#parts.file), 'explore');
    return { plant: missingPlant(value), steps: [], seed: 1 };
  }

  #learn(scenario: GeneratedScenario, { features, matched, refused }: GeneratedScenarioOutcome): void {
    for (const line of matched) this.#matched.add(line);
    const before = this.#features.size;
    for (const feature of features) this.#features.add(feature);
    if (this.#features.size === before) return;
    this.#corpus.push({ ...scenario, steps: withoutRefused(scenario.steps, refused) });
    if (this.#corpus.length > MOST_KEPT) this.#corpus.shift();
  }

  /** Null: it broke nothing, or only because it was given too little time. */
  async #confirmed(
    scenario: GeneratedScenario,
    { broken, refused }: GeneratedScenarioOutcome,
    kept: boolean,
  ): Promise<FoundScenario | null> {
    if (broken === null) return null;
    const foundMs = monotonicMs() - this.#begunMs;
    const { signal } = this.#parts;
    this.#progress('confirm', scenario.steps.length);
    const pruned = { ...scenario, steps: withoutRefused(scenario.steps, refused) };
    let start: GeneratedScenario | null = null;
    for (const one of refused.length === 0 ? [scenario] : [pruned, scenario]) {
      const again = await this.#player.play(one);
      if (again.broken === null || !sameRule(again.broken, broken)) continue;
      start = one;
      break;
    }
    if (start === null) {
      this.#patienceMs = Math.min(2 * this.#patienceMs, MOST_PATIENCE_MS);
      return null;
    }
    const endMs = monotonicMs() + this.#parts.shrinkMs;
    let small = start;
    for (const { patienceMs, plays } of [{ patienceMs: this.#patienceMs, plays: 1 }, { plays: STEADY_PLAYS }]) {
      const breaks = async (smaller: GeneratedScenario): Promise<boolean> => {
        this.#tries++;
        if ((await this.#brokenEachTime(smaller, broken, plays, patienceMs)) === null) return false;
        this.#progress('shrink', smaller.steps.length);
        return true;
      };
      small = await shrunk(start, { breaks, isOver: () => monotonicMs() >= endMs || signal?.aborted === true });
      // With little patience a slow system may have been blamed for a scenario that it bears.
      const last = await this.#brokenEachTime(small, broken, STEADY_PLAYS);
      if (last !== null) return this.#finding(renumbered(small), last, scenario, foundMs, kept);
      if (signal?.aborted === true) return this.#finding(renumbered(small), broken, scenario, foundMs, kept);
      small = start;
    }
    // It broke before and now holds: the user's system has a race of its own, or the machine is busy. The search goes on.
    this.#patienceMs = Math.min(2 * this.#patienceMs, MOST_PATIENCE_MS);
    return null;
  }

  /** The rule as the last of these plays broke it; null: one of them did not, or had a step refused. */
  async #brokenEachTime(
    scenario: GeneratedScenario,
    rule: BrokenRule,
    plays: number,
    patienceMs?: number,
  ): Promise<BrokenRule | null> {
    let last: BrokenRule | null = null;
    for (let play = 0; play < plays; play++) {
      const { broken, refused } = await this.#player.play(scenario, patienceMs);
      if (broken === null || !sameRule(broken, rule) || refused.length > 0) return null;
      last = broken;
    }
    return last;
  }

  #finding(
    scenario: GeneratedScenario,
    rule: BrokenRule,
    found: GeneratedScenario,
    foundMs: number,
    kept: boolean,
  ): FoundScenario {
    const { file, out } = this.#parts;
    const folder = out ?? foundFolder(file);
    const path = keptPath(folder, rule.line, scenario);
    const again = commandOf({ file: path, seed: String(scenario.seed), mode: 'fast', values: null, line: null });
    const source = this.#sources.get(rule.line) ?? rule.text;
    const head = {
      title: `Found by explore: ${basename(rule.file)}:${rule.line} breaks`,
      remarks: [
        `${rule.file}:${rule.line}  ${source}`,
        ...rule.why.split('\n').map((line) => `  ${line.trim()}`),
        `Again:  ${again}`,
      ],
    };
    const { text } = this.#player.textOf(scenario, head, folder);
    return {
      rule,
      source,
      path,
      text,
      again,
      kept,
      foundMs,
      tries: this.#tries,
      story: this.#scenarios,
      steps: scenario.steps.length,
      foundSteps: found.steps.length,
      shrunkMs: monotonicMs() - this.#begunMs,
    };
  }

  #progress(doing: SearchProgress['doing'], steps = 0): void {
    this.#parts.onProgress({ scenarios: this.#scenarios, features: this.#features.size, doing, steps });
  }

  #end(end: Partial<SearchEnd>): SearchEnd {
    const wallMs = Math.round(monotonicMs() - this.#begunMs);
    const rest = { finding: null, idle: [], error: null };
    return { ...rest, scenarios: this.#scenarios, features: [...this.#features], wallMs, ...end };
  }
}

/** Names count from 1 again. */
const renumbered = (scenario: GeneratedScenario): GeneratedScenario => ({
  ...scenario,
  steps: joined([], scenario.steps),
});

/** A receiver of the user's at an address of its own, where nothing listens. */
async function unreachedReceiver({ scenario, source }: ValidScenario): Promise<SearchEnd['error']> {
  for (const { name, url } of scenario.receivers) {
    if (url === null || !isOnThisMachine(url)) continue;
    const { hostname, port } = new URL(url);
    if (await accepts(Number(port || 80), hostname.replace(/^\[|\]$/g, ''))) continue;
    const { file, line } = source.placeOf(['receivers', name]);
    const message = `${file}:${line}  The receiver "${name}" does not listen at ${url}.`;
    return { code: 'receiver_not_reachable', message, fix: 'Start it, or correct its address.', exitCode: 3 };
  }
  return null;
}

const withoutRefused = (steps: readonly GeneratedStep[], refused: readonly number[]): readonly GeneratedStep[] =>
  steps.filter((_, i) => !refused.includes(i));

function invalid(text: string, details: RunError['details'] = []): NonNullable<SearchEnd['error']> {
  const fix = 'Change the file as its mistakes say.';
  return { code: 'invalid_file', message: text, fix, exitCode: 2, ...(details.length === 0 ? {} : { details }) };
}
