/** Plays scenarios under search, one after another, with the user's system kept running between them. */
import { dirname, join, relative } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';
import { OwnSystem } from '../../scenario/customer/own-system.ts';
import type { BrokenWhy } from '../../scenario/judging/system-rules.ts';
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

/** Wall-time limit of one scenario. */
const TIMEOUT_MS = 60_000;

/** A broken rule, and its place in a file. */
export interface BrokenRule extends BrokenWhy {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export const sameRule = (one: Pick<BrokenRule, 'file' | 'line'>, other: Pick<BrokenRule, 'file' | 'line'>): boolean =>
  one.line === other.line && one.file === other.file;

export interface GeneratedScenarioOutcome {
  readonly broken: BrokenRule | null;
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
}

export class GeneratedScenarioPlayer {
  readonly #parts: GeneratedScenarioPlayerParts;
  /** The path under which scenarios of the search are read. No such file exists. */
  readonly path: string;
  #own: { readonly system: OwnSystem | null; readonly timeZone: string | undefined } | null = null;
  /** Rules with a finding. A breach of one of them does not end a scenario. */
  readonly #known: Pick<BrokenRule, 'file' | 'line'>[] = [];

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
  setKnown(rule: Pick<BrokenRule, 'file' | 'line'>): void {
    this.#known.push(rule);
  }

  async play(
    scenario: GeneratedScenario,
    { patienceMs, paceMs = 0, isSystemNew = false, out }: PlayOptions = {},
  ): Promise<GeneratedScenarioOutcome> {
    const { version, signal } = this.#parts;
    let clock: Clock | null = null;
    const boot: Boot = (request) => {
      ({ clock } = request);
      return this.#parts.boot(request);
    };
    const { text, lines } = this.textOf(scenario, SEARCHED);
    const features = new RunFeatures();
    const refused: number[] = [];
    let begun = 0;
    const matched: number[] = [];
    const found = { broken: null as BrokenRule | null };
    const end = new AbortController();
    const stop = () => end.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    if (isSystemNew) await this.stop();
    const system = await this.#systemFor(scenario);
    if (system !== null) system.onOutput = (printed) => features.onOutput(printed);
    try {
      const result = await runFile(this.path, {
        mode: 'fast',
        waitsInPauses: false,
        boot,
        version,
        read: this.#read(text),
        timeoutMs: TIMEOUT_MS,
        signal: end.signal,
        witness: features.witness,
        ownSystem: system ?? undefined,
        patienceMs,
        out,
        onProbed: (probe, value) => features.onProbed(probe, value),
        onBreach: ({ file, line, text: rule }, { why, unanswered }) => {
          if (this.#isKnown({ file, line })) return;
          found.broken ??= { file, line, text: rule, why, unanswered };
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
            if (clock !== null && paceMs > 0) standStill(clock, paceMs);
          } else if (index >= 0) refused.push(index);
        },
      });
      const interrupted = signal?.aborted === true;
      // A rule whose judgement is inconclusive is not broken, and the play is one of many.
      const isInconclusive = result.error?.code === 'too_slow';
      const failed = result.error !== null && !isInconclusive && (found.broken === null || interrupted);
      const late = found.broken === null && !isInconclusive ? this.#lateOf(result) : null;
      return {
        broken: interrupted ? null : (found.broken ?? late),
        error: failed && result.error !== null ? { ...result.error, exitCode: result.exitCode } : null,
        refused,
        begun,
        matched,
        features: features.met,
        simulatedMs: result.simulatedMs,
      };
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async stop(): Promise<void> {
    await this.#own?.system?.stop();
    this.#own = null;
  }

  #isKnown(rule: Pick<BrokenRule, 'file' | 'line'>): boolean {
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
  #lateOf({ failures, file }: RunResult): BrokenRule | null {
    const late = failures.find((one) => one.file !== file && !this.#isKnown(one));
    return late === undefined
      ? null
      : { file: late.file, line: late.line, text: late.step, why: (late.reasons[0] ?? '').trim() };
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
}

const SEARCHED = { title: 'A scenario under search', remarks: [] };

function standStill(clock: Clock, ms: number): void {
  const release = clock.hold('other', () => 'your system, which goes on after a step');
  clock.afterWall(ms, release, { unref: true });
}
