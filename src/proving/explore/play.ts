/** Plays scenarios under search, one after another, with the user's system kept running between them. */
import { dirname, join, relative } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';
import { OwnSystem } from '../../scenario/customer/own-system.ts';
import type { BrokenWhy } from '../../scenario/judging/system-rules.ts';
import type { ScenarioRule } from '../../scenario/model/scenario.ts';
import type { Boot } from '../../scenario/playing/ports.ts';
import { type RunError, type RunResult, runFile } from '../../scenario/playing/run-file.ts';
import { type LoadedScenario, loadScenario } from '../../scenario/reading/load.ts';
import { readNamed } from '../../scenario/reading/merged-file.ts';
import { RunFeatures } from './coverage.ts';
import {
  type GeneratedScenario,
  type GeneratedScenarioHead,
  type GeneratedScenarioText,
  textOf,
} from './generated-scenario.ts';
import { foundFolder } from './kept.ts';
import { type LateRule, SystemPauses } from './pauses.ts';
import type { SystemTraffic } from './traffic.ts';
import { WallTime } from './wall-time.ts';

/** Wall-time limit of one scenario, without holds that are longer than the patience of the file. */
const TIMEOUT_MS = 60_000;

/** Further wall time for a scenario in which rules of a slow system are judged. */
const SLOW_TIMEOUT_MS = 600_000;

/** A rule, by its place in a file. */
type RulePlace = Pick<ScenarioRule, 'file' | 'line'>;

/** A broken rule, and its place in a file. */
export interface BrokenRule extends BrokenWhy {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export const sameRule = (one: RulePlace, other: RulePlace): boolean =>
  one.line === other.line && one.file === other.file;

/** A break that a longer patience may show to be slowness; both wall ms. */
export interface OpenBreak {
  /** The patience that the rule had. */
  readonly patienceMs: number;
  /** The limit of the rule, which is the patience that decides. */
  readonly withinMs: number;
}

export interface GeneratedScenarioOutcome {
  readonly broken: BrokenRule | null;
  /** Null: decided. Otherwise the broken rule had a patience shorter than its limit, so the system may be only slow. */
  readonly open: OpenBreak | null;
  /** Rules that held only after the patience of the file, and within their own limit. */
  readonly late: readonly LateRule[];
  /** True if a rule did not hold while this process was too late to judge it, so that none is broken. */
  readonly isInconclusive?: boolean;
  /** True if the time was over before the end of the scenario. Nothing was judged then. */
  readonly isCut: boolean;
  /** Why the scenario could not be judged: an invalid file, a failed environment, or a mistake of the sandbox; otherwise null. */
  readonly error: (RunError & { readonly exitCode: RunResult['exitCode'] }) | null;
  /** Indexes of steps that the state refused. */
  readonly refused: readonly number[];
  /** Number of steps that had begun when the rule broke or the scenario ended. */
  readonly begun: number;
  readonly features: ReadonlySet<string>;
  /** Lines of the rules that had something to judge. */
  readonly matched: readonly number[];
  readonly simulatedMs: number;
}

export interface GeneratedScenarioPlayerParts {
  /** The file with the rules. */
  readonly file: string;
  readonly boot: Boot;
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** The end of all plays by `monotonicMs()`. Absent: none. */
  readonly lastMs?: number | undefined;
}

export class GeneratedScenarioPlayer {
  readonly #parts: GeneratedScenarioPlayerParts;
  /** The path under which scenarios of the search are read. No such file exists. */
  readonly path: string;
  #own: { readonly system: OwnSystem | null; readonly timeZone: string | undefined } | null = null;
  /** Rules with a finding. A breach of one of them does not end a scenario. */
  readonly #known: RulePlace[] = [];
  /** The patience for rules of a slow system; wall ms. */
  readonly #slow: { readonly rule: RulePlace; readonly patienceMs: number }[] = [];

  readonly wallTime = new WallTime();

  constructor(parts: GeneratedScenarioPlayerParts) {
    this.#parts = parts;
    this.path = join(foundFolder(parts.file), 'searched.scenario.yaml');
  }

  /** The text of a scenario in this folder. */
  textOf(
    scenario: GeneratedScenario,
    head: Pick<GeneratedScenarioHead, 'title' | 'remarks'>,
    folder = dirname(this.path),
  ): GeneratedScenarioText {
    return textOf(scenario, { ...head, rules: relative(folder, this.#parts.file) });
  }

  /** Validates the file with a scenario around it. */
  load(scenario: GeneratedScenario): LoadedScenario {
    return loadScenario(this.path, { read: this.#read(this.textOf(scenario, SEARCHED).text) });
  }

  /** Marks a rule as found. Later breaches of it do not end a scenario. */
  setKnown(rule: RulePlace): void {
    this.#known.push(rule);
  }

  /** Marks a rule as one that a slow system fulfils. All later plays have this patience for it; wall ms. */
  setSlow(rule: RulePlace, patienceMs: number): void {
    this.#slow.push({ rule, patienceMs });
  }

  /** True if no further scenario can be played. */
  get isOver(): boolean {
    return monotonicMs() >= (this.#parts.lastMs ?? Number.POSITIVE_INFINITY) || this.#parts.signal?.aborted === true;
  }

  async play(
    scenario: GeneratedScenario,
    {
      patienceMs,
      paceMs = 0,
      isSystemNew = false,
      out,
      decide,
      traffic,
      endMs = Number.POSITIVE_INFINITY,
    }: PlayOptions = {},
  ): Promise<GeneratedScenarioOutcome> {
    const { version, signal, lastMs = Number.POSITIVE_INFINITY } = this.#parts;
    if (monotonicMs() >= Math.min(endMs, lastMs)) return CUT;
    const played = this.wallTime.begin();
    let clock: Clock | null = null;
    const boot: Boot = (request) => {
      ({ clock } = request);
      traffic?.begin(clock);
      return this.#parts.boot(request);
    };
    const { text, lines } = this.textOf(scenario, SEARCHED);
    const features = new RunFeatures();
    const refused: number[] = [];
    let begun = 0;
    const matched: number[] = [];
    const late: LateRule[] = [];
    const pauses = new SystemPauses();
    /** Rules whose patience was shorter than their limit. */
    const open: (OpenBreak & { readonly rule: RulePlace })[] = [];
    const found = { broken: null as BrokenRule | null };
    const isOther = (rule: RulePlace) =>
      decide?.rule === undefined ? this.#isKnown(rule) : !sameRule(decide.rule, rule);
    const end = new AbortController();
    const stop = () => end.abort();
    const cut = { is: false };
    const uncut = this.#atEnd(Math.min(endMs, lastMs), () => {
      cut.is = true;
      stop();
      // A system that is just starting or answering would delay the end.
      if (monotonicMs() >= lastMs) void this.stop();
    });
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    if (isSystemNew) await this.stop();
    const system = await this.#systemFor(scenario);
    if (system !== null) system.onOutput = (printed) => features.onOutput(printed);
    try {
      const result = await runFile(this.path, {
        mode: 'fast',
        boot,
        version,
        read: this.#read(text),
        timeoutMs: TIMEOUT_MS + (decide === undefined && this.#slow.length === 0 ? 0 : SLOW_TIMEOUT_MS),
        signal: end.signal,
        witness: {
          ...features.witness,
          onNotice: (notice) => {
            pauses.onNotice(notice);
            traffic?.onNotice(notice);
            features.witness.onNotice(notice);
          },
        },
        ownSystem: system ?? undefined,
        traffic,
        patienceMsOf: (rule, ofFile) => {
          const withinMs = rule.withinMs ?? 0;
          const own = Math.max(patienceMs ?? ofFile, this.#slowPatienceOf(rule));
          const ms = decide === undefined || isOther(rule) ? own : Math.max(own, Math.min(withinMs, decide.ms));
          if (ms < withinMs) open.push({ rule, patienceMs: Math.round(ms), withinMs });
          return ms;
        },
        onHeld: (rule, heldMs, ofFile) => {
          if (heldMs <= ofFile || isOther(rule)) return;
          const { file, line, text: shown, withinMs } = rule;
          const { pauseMs, pause } = pauses.pauseAfter(heldMs);
          if (pauseMs <= (withinMs ?? 0)) {
            late.push({ file, line, text: shown, pauseMs: Math.round(pauseMs), patienceMs: ofFile, pause });
            return;
          }
          found.broken ??= { file, line, text: shown, why: `${pause}, which is longer than "within"` };
          stop();
        },
        out,
        onWait: this.wallTime.onWait,
        onProbed: (probe, value) => features.onProbed(probe, value),
        onBreach: ({ file, line, text: rule }, { why, unanswered, objectId }) => {
          if (isOther({ file, line })) return;
          found.broken ??= { file, line, text: rule, why, unanswered, objectId };
          traffic?.close();
          // The rest of the scenario adds no information.
          stop();
        },
        onMatched: (all) => {
          for (const [{ line }, times] of all) if (times > 0) matched.push(line);
        },
        sink: (notice) => {
          if (notice.kind !== 'step-refused' && notice.kind !== 'step-began') return;
          const index = lines.indexOf(notice.line);
          if (notice.kind === 'step-began') {
            begun = Math.max(begun, index + 1);
            if (index >= 0) traffic?.onStep(notice, index);
            if (clock !== null && paceMs > 0) standStill(clock, paceMs);
          } else if (index >= 0) refused.push(index);
        },
      });
      const interrupted = signal?.aborted === true || cut.is;
      // A rule whose judgement is inconclusive is not broken, and the play is one of many.
      const isInconclusive = result.error?.code === 'too_slow';
      const failed = result.error !== null && !isInconclusive && (found.broken === null || interrupted);
      const atEnd = found.broken === null && !isInconclusive ? this.#brokenAtEnd(result, isOther) : null;
      const broken = interrupted ? null : (found.broken ?? atEnd);
      const openOne = broken === null ? undefined : open.find(({ rule }) => sameRule(rule, broken));
      return {
        broken,
        open: openOne === undefined ? null : { patienceMs: openOne.patienceMs, withinMs: openOne.withinMs },
        late: interrupted ? [] : late,
        isInconclusive,
        isCut: cut.is,
        error: failed && !cut.is && result.error !== null ? { ...result.error, exitCode: result.exitCode } : null,
        refused,
        begun,
        matched,
        features: features.met,
        simulatedMs: result.simulatedMs,
      };
    } finally {
      played();
      uncut();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Calls the task at this time by `monotonicMs()`, at once if it has passed. Returns how the call is cancelled. */
  #atEnd(endMs: number, task: () => void): () => void {
    if (endMs === Number.POSITIVE_INFINITY) return () => {};
    const leftMs = endMs - monotonicMs();
    if (leftMs > 0) return later(Math.min(leftMs, MOST_TIMER_MS), task, { unref: true });
    task();
    return () => {};
  }

  #slowPatienceOf(rule: RulePlace): number {
    return Math.max(0, ...this.#slow.filter((one) => sameRule(one.rule, rule)).map(({ patienceMs }) => patienceMs));
  }

  async stop(): Promise<void> {
    await this.#own?.system?.stop();
    this.#own = null;
  }

  #isKnown(rule: RulePlace): boolean {
    return this.#known.some((one) => sameRule(one, rule));
  }

  #read(text: string) {
    const read = readNamed(this.#parts.file);
    return (path: string) => (path === this.path ? text : read(path));
  }

  /** The running system. It is restarted when the scenario needs another time zone. */
  async #systemFor(scenario: GeneratedScenario): Promise<OwnSystem | null> {
    const { timeZone } = scenario;
    if (this.#own !== null && this.#own.timeZone === timeZone) return this.#own.system;
    await this.stop();
    const loaded = this.load(scenario);
    const system = loaded.ok && loaded.scenario.system !== null ? new OwnSystem(loaded.scenario.system) : null;
    this.#own = { system, timeZone };
    return system;
  }

  /** Returns a broken rule that is judged only at the end of the scenario; null if only the scenario's own steps failed. */
  #brokenAtEnd({ failures, file }: RunResult, isOther: (rule: RulePlace) => boolean): BrokenRule | null {
    const failure = failures.find((one) => one.file !== file && !isOther(one));
    if (failure === undefined) return null;
    const { line, step, reasons } = failure;
    return { file: failure.file, line, text: step, why: (reasons[0] ?? '').trim() };
  }
}

export interface PlayOptions {
  /** How long simulated time is held for the user's system at the end of a limit; wall ms. Absent: the value of the file. */
  readonly patienceMs?: number | undefined;
  /** How long simulated time is held after each step, so that the user's system has answered before the next one; wall ms. */
  readonly paceMs?: number | undefined;
  /** Starts the user's system for this play: it has no token yet, and answers more slowly. */
  readonly isSystemNew?: boolean | undefined;
  /** The folder for the log. */
  readonly out?: string | undefined;
  /**
   * Tells a slow system from a broken rule: time is held up to `ms` for each rule, at most for its own `within`, wall ms.
   * `rule`: only this rule counts, and it may be a known one.
   */
  readonly decide?: { readonly ms: number; readonly rule?: RulePlace | undefined } | undefined;
  /** Records what passes between the sandbox and the system, and may change one delivery or call. */
  readonly traffic?: SystemTraffic | undefined;
  /** A scenario that still runs at this time by `monotonicMs()` is cut. */
  readonly endMs?: number | undefined;
}

/** Node.js runs a timer with a longer delay at once; ms. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** The outcome of a play for which no time was left. */
const CUT: GeneratedScenarioOutcome = {
  broken: null,
  open: null,
  late: [],
  isCut: true,
  error: null,
  refused: [],
  begun: 0,
  features: new Set(),
  matched: [],
  simulatedMs: 0,
};

const SEARCHED = { title: 'A scenario under search', remarks: [] };

function standStill(clock: Clock, ms: number): void {
  const release = clock.hold('other', () => 'your system, which goes on after a step');
  clock.afterWall(ms, release, { unref: true });
}
