/**
 * The search of one process: it plays kept scenarios, each scene, the corpus of earlier searches and generated scenarios, until the
 * budget is spent or every rule was broken. It confirms and shrinks each scenario that breaks a rule.
 */
import { streams } from '../../base/random/streams.ts';
import { monotonicMs } from '../../base/time/timers.ts';
import { renderMistakes } from '../../plant/shown-mistakes.ts';
import { accepts } from '../../scenario/customer/own-system.ts';
import { mistakesOfPart } from '../../scenario/mend/checked-part.ts';
import type { RunError, RunResult } from '../../scenario/playing/run-file.ts';
import type { LoadedScenario } from '../../scenario/reading/load.ts';
import { readMerged, readNamed } from '../../scenario/reading/merged-file.ts';
import { isOnThisMachine } from '../../scenario/reading/read-receivers.ts';
import { adviceOn } from '../../scenario/reading/used-parts.ts';
import { FoundBreaks, MOST_SUSPICIONS } from './breaks.ts';
import { withoutRefused } from './confirm.ts';
import type { FoundScenario, SlowRule, Suspicion } from './findings.ts';
import { flow, type GeneratedScenario } from './generated-scenario.ts';
import { foundFolder, keptCorpus, keptPath, keptScenarios } from './kept.ts';
import { extended, type MakeParts, mutated, newScenario, sceneScenario } from './make.ts';
import { ownMoves, type WeightedMove } from './moves.ts';
import { missingPlant, plantOf } from './plant.ts';
import { type GeneratedScenarioOutcome, GeneratedScenarioPlayer, type GeneratedScenarioPlayerParts } from './play.ts';
import { rankOfScene, SCENE_MOVES } from './scenes/scenes.ts';
import { type JudgedRule, SearchCounts, type SearchStatistics } from './statistics.ts';
import { summedWallTime } from './wall-time.ts';

/** Share of generated scenarios that change a scenario of the corpus. */
const CHANGE_SHARE = 0.6;
/** Share of generated scenarios that extend one in which the least judged rule had something to judge. */
const RARE_SHARE = 0.2;
/** Share of the others that play a scene once more, with new details. */
const SCENE_SHARE = 0.35;

/** Scenarios with new features that are kept for changes; the oldest are evicted. */
const MOST_KEPT = 400;

/** Number of invalid generated scenarios at which the search can stop. */
const MOST_INVALID = 20;

/** Time zones of the user's system, used in turn. A system that confuses local time with UTC fails in one of them. */
const TIME_ZONES = ['Asia/Kolkata', 'America/St_Johns'];
/** Scenarios before the next time zone. Each change restarts the user's system. */
const SCENARIOS_OF_A_ZONE = 60;

type ValidScenario = Extract<LoadedScenario, { ok: true }>;

export interface SearchParts extends GeneratedScenarioPlayerParts {
  readonly seed: string;
  /** Index of this process. The first process plays the kept scenarios, and each process plays a share of the scenes. */
  readonly index: number;
  readonly processes: number;
  readonly mostScenarios: number;
  /** The search ends after this number of findings. Each rule is found once. */
  readonly mostFindings: number;
  /** The end of the search by `monotonicMs()`. */
  readonly endMs: number;
  /** The end of confirming, shrinking and deciding by `monotonicMs()`. */
  readonly lastMs: number;
  /** Longest time for shrinking a finding; wall ms. */
  readonly shrinkMs: number;
  /** Longest time for the moment that decided a finding; wall ms. Absent: its share of what is left. */
  readonly decideMs?: number | undefined;
  /** The folder for findings. Absent: the folder next to the file of rules. */
  readonly out: string | undefined;
  readonly onProgress: (progress: SearchProgress) => void;
}

export interface SearchProgress {
  readonly scenarios: number;
  /** Features met so far. */
  readonly features: number;
  readonly found: number;
  readonly doing: 'search' | 'confirm' | 'shrink' | 'decide';
  /** Steps of the scenario that is being shrunk. */
  readonly steps: number;
}

/** A scenario that could not be played to its end, such as one in which the user's system stopped answering. */
interface UnplayedScenario {
  readonly error: RunError;
  readonly path: string;
  readonly text: string;
}

export interface SearchEnd {
  /** One for each rule that was broken. */
  readonly findings: readonly FoundScenario[];
  readonly suspicions: readonly Suspicion[];
  /** Rules that the system fulfils later than the patience of the file, and within their limits. */
  readonly slow: readonly SlowRule[];
  readonly unplayed: readonly UnplayedScenario[];
  readonly scenarios: number;
  readonly features: readonly string[];
  /** Rules that judged nothing in any scenario. */
  readonly idle: readonly JudgedRule[];
  readonly statistics: SearchStatistics;
  /** Scenarios with new coverage, for the next search. */
  readonly corpus: readonly GeneratedScenario[];
  /** Why the search could not continue; otherwise null. */
  readonly error: (RunError & { readonly exitCode: RunResult['exitCode'] }) | null;
  readonly wallMs: number;
}

export const NOTHING_SEARCHED: SearchEnd = {
  findings: [],
  suspicions: [],
  slow: [],
  unplayed: [],
  scenarios: 0,
  features: [],
  idle: [],
  statistics: new SearchCounts([]).statisticsWith(summedWallTime([])),
  corpus: [],
  error: null,
  wallMs: 0,
};

/** Returns why a file is not a valid file of rules: unreadable, or with mistakes; otherwise null. Starts no process. */
export function unsoundRules(file: string): SearchEnd['error'] {
  const { unread } = readMerged(file, readNamed(file), 'explore');
  if (unread !== null)
    return { ...invalid(`${file} ${unread.why}.`), fix: adviceOn(unread, 'Check its name and folder.') };
  const mistakes = mistakesOfPart(file);
  return mistakes.length === 0 ? null : invalid(renderMistakes(mistakes, textOf), mistakes);
}

/** Returns the text of a file that has a mistake and was read before. */
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

/** The scenario to be played next, and the file in which an earlier search stored it. */
interface NextScenario {
  readonly scenario: GeneratedScenario;
  readonly kept: string | null;
}

class Search {
  readonly #parts: SearchParts;
  readonly #player: GeneratedScenarioPlayer;
  readonly #begunMs = monotonicMs();
  readonly #features = new Set<string>();
  readonly #corpus: GeneratedScenario[] = [];
  /** The shortest scenario in which a rule had something to judge, by the line of the rule. */
  readonly #judging = new Map<number, GeneratedScenario>();
  readonly #breaks: FoundBreaks;
  readonly #unplayed: UnplayedScenario[] = [];
  #counts = new SearchCounts([]);
  #scenarios = 0;
  #invalid = 0;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#player = new GeneratedScenarioPlayer(parts);
    const onProgress = (doing: 'confirm' | 'shrink' | 'decide', steps: number) => this.#progress(doing, steps);
    this.#breaks = new FoundBreaks({ ...parts, player: this.#player, begunMs: this.#begunMs, onProgress });
  }

  stop(): Promise<void> {
    return this.#player.stop();
  }

  async run(): Promise<SearchEnd> {
    const empty = this.#emptyScenario();
    const loaded = this.#player.load(empty);
    if (!loaded.ok) return this.#end({ error: invalid(loaded.text, loaded.mistakes) });
    const { rules, probes } = loaded.scenario;
    const { file, mostScenarios, mostFindings, signal } = this.#parts;
    if (rules.length === 0)
      return this.#end({ error: invalid(`${file}  There is nothing to search for. Write rules: and what must hold.`) });
    const deaf = await unreachedReceiver(loaded);
    if (deaf !== null) return this.#end({ error: deaf });
    const first = await this.#player.play(empty);
    if (first.error !== null) return this.#end({ error: first.error });
    const unanswered = probes.find(({ name }) => first.broken?.unanswered === name);
    if (first.broken !== null && unanswered !== undefined) {
      const message = `${unanswered.file}:${unanswered.line}  The probe "${unanswered.name}" does not answer: ${first.broken.why}`;
      const fix = 'Check its path, and the reply of your system.';
      return this.#end({ error: { code: 'probe_not_reachable', message, fix, exitCode: 3 } });
    }
    const written = loaded.source.value['rules'] as readonly unknown[];
    for (const [i, { line }] of rules.entries()) this.#breaks.sources.set(line, flow(written[i]));
    this.#counts = new SearchCounts(rules);
    const next = this.#scenariosOf(loaded, empty);
    let played: NextScenario = { scenario: empty, kept: null };
    let outcome: GeneratedScenarioOutcome = first;
    for (;;) {
      this.#scenarios++;
      const error = outcome.error === null || signal?.aborted === true ? null : await this.#unplayable(played, outcome);
      if (error !== null) return this.#end({ error });
      const late = await this.#breaks.take({ ...played, story: this.#scenarios }, outcome);
      this.#learn(played.scenario, outcome, late);
      this.#progress('search');
      const { patienceMs, searchEndMs: endMs, findings } = this.#breaks;
      if (this.#scenarios >= mostScenarios || monotonicMs() >= endMs || signal?.aborted === true) break;
      if (findings.length >= Math.min(mostFindings, rules.length)) break;
      played = next();
      outcome = await this.#player.play(played.scenario, { patienceMs, endMs });
      if (outcome.isCut) break;
    }
    await this.#breaks.decideMoments();
    await this.#breaks.decideOpen();
    return this.#end({ idle: this.#statistics.rules.filter(({ scenarios }) => scenarios === 0) });
  }

  /** Returns the next scenario: first the kept ones, then the scenes, the corpus, and finally mutated and new ones without end. */
  #scenariosOf(loaded: ValidScenario, empty: GeneratedScenario): () => NextScenario {
    const { file, index, processes, seed } = this.#parts;
    const stream = streams(seed).stream('explore', `process ${index}`);
    const own = ownMoves(loaded.source.value['moves']);
    const choice = { more: [...SCENE_MOVES, ...own], factorOf: (move: string) => this.#counts.factorOf(move) };
    const make: MakeParts = { stream, plant: plantOf(loaded), choice };
    const isMine = (_: unknown, place: number) => place % processes === index;
    const kept = index === 0 ? keptScenarios(file, this.#parts.out) : [];
    // The user's own moves come first, because they describe what happens at the user's sites.
    const scenes = [...own, ...shuffled(SCENE_MOVES, streams(seed)).toSorted(byRank)].filter(isMine);
    const earlier = keptCorpus(file).filter(isMine);
    const zones = zonesFor(loaded);
    return () => {
      const old = kept.shift();
      if (old !== undefined) return { scenario: old.scenario, kept: old.path };
      const timeZone = zones[Math.floor(this.#scenarios / SCENARIOS_OF_A_ZONE) % Math.max(1, zones.length)];
      for (let scene = scenes.shift(); scene !== undefined; scene = scenes.shift()) {
        const scenario = sceneScenario(scene, make, empty.plant);
        if (scenario !== null) return { scenario: { ...scenario, timeZone }, kept: null };
      }
      const made = earlier.shift() ?? this.#made(make, empty);
      return { scenario: { ...made, timeZone }, kept: null };
    };
  }

  #made(make: MakeParts, empty: GeneratedScenario): GeneratedScenario {
    const { stream } = make;
    const rare = this.#judging.get(this.#counts.rarest ?? -1);
    if (rare !== undefined && stream.chance(RARE_SHARE)) return extended(rare, make);
    const scene = stream.chance(SCENE_SHARE) ? stream.pick(SCENE_MOVES) : null;
    const replayed = scene === null ? null : sceneScenario(scene, make, empty.plant);
    if (replayed !== null) return replayed;
    return this.#corpus.length > 0 && stream.chance(CHANGE_SHARE)
      ? mutated(stream.pick(this.#corpus), stream.pick(this.#corpus), make)
      : newScenario(make, empty.plant);
  }

  /**
   * Returns null if the search continues with another scenario. A generated scenario may name what the plant does not have, or may
   * stop the user's system from answering. The search ends only if the empty scenario fails too.
   */
  async #unplayable({ scenario }: NextScenario, { error }: GeneratedScenarioOutcome): Promise<SearchEnd['error']> {
    if (error === null) return null;
    if (error.exitCode === 2) {
      this.#invalid++;
      return this.#invalid < MOST_INVALID || this.#invalid < this.#scenarios / 2
        ? null
        : this.#written(scenario, error);
    }
    if (error.exitCode !== 3) return this.#written(scenario, error);
    // The user's system is restarted.
    await this.#player.stop();
    const again = await this.#player.play(this.#emptyScenario());
    if (again.error !== null) return again.error;
    if (this.#unplayed.length < MOST_SUSPICIONS) this.#written(scenario, error);
    return null;
  }

  /** The error names the file of the scenario, which the caller writes. */
  #written(scenario: GeneratedScenario, error: NonNullable<SearchEnd['error']>): NonNullable<SearchEnd['error']> {
    const folder = this.#parts.out ?? foundFolder(this.#parts.file);
    const path = keptPath(folder, 'unplayed', scenario);
    const { text } = this.#player.textOf(
      scenario,
      { title: 'A scenario that could not be played', remarks: [] },
      folder,
    );
    const named = { ...error, message: error.message.replaceAll(this.#player.path, path) };
    this.#unplayed.push({ error: named, path, text });
    return named;
  }

  /** Returns a scenario without steps. Its plant has only the sections that the file lacks. */
  #emptyScenario(): GeneratedScenario {
    const { value } = readMerged(this.#parts.file, readNamed(this.#parts.file), 'explore');
    return { plant: missingPlant(value), steps: [], seed: 1 };
  }

  #learn(
    scenario: GeneratedScenario,
    { features, matched, refused }: GeneratedScenarioOutcome,
    late: ReadonlySet<number>,
  ): void {
    const before = this.#features.size;
    for (const feature of features) this.#features.add(feature);
    const isFresh = this.#features.size > before;
    this.#counts.add(matched, scenario.moves ?? [], isFresh, late);
    const learned = { ...scenario, steps: withoutRefused(scenario.steps, refused) };
    for (const line of matched) {
      const shortest = this.#judging.get(line);
      if (shortest === undefined || learned.steps.length < shortest.steps.length) this.#judging.set(line, learned);
    }
    if (!isFresh) return;
    this.#corpus.push(learned);
    if (this.#corpus.length > MOST_KEPT) this.#corpus.shift();
  }

  get #statistics(): SearchStatistics {
    return this.#counts.statisticsWith(this.#player.wallTime.shares);
  }

  #progress(doing: SearchProgress['doing'], steps = 0): void {
    const found = this.#breaks.findings.length;
    this.#parts.onProgress({ scenarios: this.#scenarios, features: this.#features.size, found, doing, steps });
  }

  #end(end: Partial<SearchEnd>): SearchEnd {
    return {
      ...NOTHING_SEARCHED,
      findings: this.#breaks.findings,
      suspicions: this.#breaks.suspicions,
      slow: this.#breaks.slow,
      unplayed: this.#unplayed,
      scenarios: this.#scenarios,
      features: [...this.#features],
      statistics: this.#statistics,
      corpus: this.#corpus,
      wallMs: Math.round(monotonicMs() - this.#begunMs),
      ...end,
    };
  }
}

const byRank = (a: WeightedMove, b: WeightedMove): number => rankOfScene(a.name) - rankOfScene(b.name);

/** Shuffles the items by the seed, in the same order in all processes. */
function shuffled<T>(items: readonly T[], { stream }: ReturnType<typeof streams>): T[] {
  const { int } = stream('explore', 'scenes');
  const left = [...items];
  return items.map(() => left.splice(int(0, left.length - 1), 1)[0] as T);
}

/** Returns the time zones to try; none if the sandbox does not start the system, or if the file sets its time zone. */
function zonesFor({ scenario: { system } }: ValidScenario): readonly string[] {
  return system === null || system.start === null || system.timeZone !== null ? [] : TIME_ZONES;
}

/** Returns an error for a receiver with an address on this machine at which nothing listens; otherwise null. */
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

function invalid(text: string, details: RunError['details'] = []): NonNullable<SearchEnd['error']> {
  const fix = 'Correct the mistakes in the file.';
  return { code: 'invalid_file', message: text, fix, exitCode: 2, ...(details.length === 0 ? {} : { details }) };
}
