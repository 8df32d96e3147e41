/** The findings of a search, and their texts. */
import { basename } from 'node:path';
import { commandOf } from '../../scenario/model/again.ts';
import type { BreakRate } from './confidence.ts';
import type { DecidingMoment } from './deciding.ts';
import type { GeneratedScenario } from './generated-scenario.ts';
import { foundFolder, keptPath } from './kept.ts';
import type { LateRule } from './pauses.ts';
import type { BrokenRule, GeneratedScenarioPlayer, OpenBreak } from './play.ts';

export interface FoundScenario {
  readonly rule: BrokenRule;
  /** The text of the rule in its file. */
  readonly source: string;
  /** Path and text of the scenario. The caller writes the file. */
  readonly path: string;
  readonly text: string;
  readonly steps: number;
  /** Steps of the scenario as it was found. */
  readonly foundSteps: number;
  /** The number of the scenario that broke the rule, from 1. */
  readonly story: number;
  /** Number of scenarios that were played for shrinking. */
  readonly tries: number;
  /** From the beginning of the search to the first break, and to the end of shrinking; wall ms. */
  readonly foundMs: number;
  readonly shrunkMs: number;
  /** True if an earlier search found the scenario, and it still breaks the rule. */
  readonly kept: boolean;
  /** The file of the earlier search, which the caller removes if it is another one; null: found by this search. */
  readonly replaces: string | null;
  /** Null: the rule breaks in each play. Otherwise the breach is flaky, and the scenario was not shrunk. */
  readonly flaky: BreakRate | null;
  /** True: shortened as far as possible. False: the time was over, and the next search continues. */
  readonly shortened: boolean;
  /** False: the time was over before the scenario was played again with the full patience. */
  readonly confirmed: boolean;
  /**
   * Null: the rule is broken, or that was not confirmed. Otherwise no time was left for a patience that shows whether the rule
   * is broken or the system is slow.
   */
  readonly undecided: OpenBreak | null;
  /** Folder with the log of a play that broke the rule; null for a scenario that breaks it each time. */
  readonly record: string | null;
  readonly again: string;
  /** The delivery or call that decided that the rule broke. */
  readonly decided: DecidingMoment;
}

/** A breach that was seen once with the short patience of the search, and never with the patience of the file. */
export interface Suspicion {
  readonly rule: BrokenRule;
  readonly rate: BreakRate;
  readonly path: string;
  readonly text: string;
}

/** A rule that the system fulfils later than the patience of the file, and within the limit of the rule. */
export interface SlowRule extends LateRule {
  /** The text of the rule in its file. */
  readonly source: string;
  /** The text of the scenario in which the longest pause was seen. It is not written: `run` has the patience of the file. */
  readonly scenario: string;
}

/** Sentences for people about what the search did not finish. */
export function unfinishedOf({ confirmed, shortened, undecided, flaky }: FoundState): string[] {
  if (!confirmed)
    return ['slow or broken: not decided; the time was over before it was played again, which the next search does'];
  return [
    ...(undecided === null
      ? []
      : [
          `slow or broken: not decided; the longest patience was ${shortTime(undecided.patienceMs)}, and the limit is ${shortTime(undecided.withinMs)}`,
        ]),
    ...(shortened || flaky !== null
      ? []
      : ['not shortened to the end; the time was over, and the next search continues']),
  ];
}

type FoundState = Pick<FoundScenario, 'confirmed' | 'shortened' | 'undecided' | 'flaky'>;

const shortTime = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** A sentence for people about a rule of a slow system. */
export const slowText = ({ file, line, pause, patienceMs }: LateRule): string =>
  `${file}:${line}  slow, not broken: ${pause}; patience is ${patienceMs / 1_000} s. Write a longer patience, or use shorter pauses in tests.`;

interface FindingParts {
  readonly player: GeneratedScenarioPlayer;
  /** The file of rules. */
  readonly file: string;
  /** The folder for findings. Absent: the folder next to the file of rules. */
  readonly out: string | undefined;
  /** Rules as written, by line. */
  readonly sources: ReadonlyMap<number, string>;
}

/** Returns the text, the path and the replay command of a scenario that breaks a rule. */
export function writtenFinding(
  { player, file, out, sources }: FindingParts,
  scenario: GeneratedScenario,
  rule: BrokenRule,
  rate: BreakRate | null,
  unfinished: readonly string[] = [],
): Pick<FoundScenario, 'source' | 'path' | 'text' | 'again'> {
  const folder = out ?? foundFolder(file);
  const path = keptPath(folder, rule.line, scenario);
  const again = commandOf({ file: path, seed: String(scenario.seed), mode: 'fast', values: null, line: null });
  const source = sources.get(rule.line) ?? rule.text;
  const head = {
    title: `Found by explore: ${basename(rule.file)}:${rule.line} breaks`,
    remarks: [
      `${rule.file}:${rule.line}  ${source}`,
      ...rule.why.split('\n').map((line) => `  ${line.trim()}`),
      ...(rate === null ? [] : [`Flaky: it broke in ${rate.broke} of ${rate.of} plays.`]),
      ...unfinished,
      `Again:  ${again}`,
    ],
  };
  return { source, path, again, text: player.textOf(scenario, head, folder).text };
}
