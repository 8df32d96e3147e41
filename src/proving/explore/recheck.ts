/** `sandbox explore --recheck`: plays the stored findings as often as their rates demand, to show whether a fix holds. [cli] */
import { monotonicMs } from '../../base/time/timers.ts';
import type { RunError } from '../../scenario/playing/run-file.ts';
import { type BreakRate, heldText, lowerBoundOf, playsFor, shownWith } from './confidence.ts';
import { STEADY_PLAYS } from './confirm.ts';
import { slowText } from './findings.ts';
import { foundFolder, keptScenarios } from './kept.ts';
import type { LateRule } from './pauses.ts';
import { type BrokenRule, GeneratedScenarioPlayer, type GeneratedScenarioPlayerParts } from './play.ts';
import type { SearchEnd } from './search.ts';

/** Plays after which a finding that broke is not played further: enough for a rate like the stored one. */
const PLAYS_OF_BROKEN = 10;

/** The rate of a finding that broke in each play that confirmed it. */
const STEADY_RATE: BreakRate = { broke: STEADY_PLAYS.length, of: STEADY_PLAYS.length };

interface RecheckParts extends GeneratedScenarioPlayerParts {
  readonly out: string | undefined;
  readonly onProgress: (path: string, plays: number, of: number) => void;
}

/** A stored finding that was played again. */
export interface Rechecked {
  readonly path: string;
  /** `held`: played as often as its rate demands, without a break. `not_judged`: the time was over, or no rule had anything to judge. */
  readonly result: 'held' | 'broken' | 'not_judged';
  readonly stored: BreakRate;
  readonly rate: BreakRate;
  /** Number of plays that the stored rate demands. */
  readonly demanded: number;
  /** The lower bound of the stored rate, and the probability with which such a failure would have shown; 0 to 1. */
  readonly lowerBound: number;
  readonly shownWith: number;
  /** The rule that broke last; null: none. */
  readonly rule: BrokenRule | null;
  /** Rules that held later than the patience of the file. */
  readonly slow: readonly LateRule[];
  /** A sentence for people. */
  readonly text: string;
}

export interface RecheckEnd {
  readonly rechecked: readonly Rechecked[];
  readonly error: SearchEnd['error'];
  readonly wallMs: number;
}

type RecheckPlayer = Pick<GeneratedScenarioPlayer, 'play' | 'isOver' | 'path' | 'stop'>;

export async function recheck(
  parts: RecheckParts,
  player: RecheckPlayer = new GeneratedScenarioPlayer(parts),
): Promise<RecheckEnd> {
  const begunMs = monotonicMs();
  const stored = keptScenarios(parts.file, parts.out);
  const rechecked: Rechecked[] = [];
  const endOf = (error: SearchEnd['error']): RecheckEnd => ({
    rechecked,
    error,
    wallMs: Math.round(monotonicMs() - begunMs),
  });
  if (stored.length === 0) return endOf(nothingStored(parts));
  try {
    for (const one of stored) {
      if (parts.signal?.aborted === true) break;
      const again = await recheckOne(one, player, (plays, of) => parts.onProgress(one.path, plays, of));
      if ('error' in again) return endOf(again.error);
      rechecked.push(again);
    }
  } finally {
    await player.stop();
  }
  return endOf(null);
}

async function recheckOne(
  { path, scenario, rate: storedRate }: ReturnType<typeof keptScenarios>[number],
  player: RecheckPlayer,
  onPlay: (plays: number, of: number) => void,
): Promise<Rechecked | { readonly error: NonNullable<SearchEnd['error']> }> {
  const stored = storedRate ?? STEADY_RATE;
  const demanded = playsFor(stored);
  const slow = new Map<number, LateRule>();
  let [broke, of, isJudged] = [0, 0, false];
  let rule: BrokenRule | null = null;
  while (of < demanded && !(broke > 0 && of >= PLAYS_OF_BROKEN) && !player.isOver) {
    onPlay(of, demanded);
    // One break with a long patience shows that the system is not only slow.
    const decide = broke === 0 ? { ms: Number.POSITIVE_INFINITY } : undefined;
    const { error, broken, late, matched, isCut } = await player.play(scenario, {
      ...(storedRate === null ? STEADY_PLAYS[of % STEADY_PLAYS.length] : undefined),
      decide,
    });
    if (isCut) break;
    if (error !== null) return { error: { ...error, message: error.message.replaceAll(player.path, path) } };
    of++;
    isJudged ||= matched.length > 0 || broken !== null;
    for (const one of late) slow.set(one.line, one);
    if (broken === null) continue;
    broke++;
    rule = broken;
  }
  const result = broke > 0 ? 'broken' : of < demanded || !isJudged ? 'not_judged' : 'held';
  const lowerBound = lowerBoundOf(stored);
  const rates = { stored, rate: { broke, of }, demanded, lowerBound, shownWith: shownWith(lowerBound, of) };
  return { path, result, ...rates, rule, slow: [...slow.values()], text: textOf({ result, ...rates, rule, isJudged }) };
}

function textOf({
  result,
  stored,
  rate,
  demanded,
  rule,
  isJudged,
}: Pick<Rechecked, 'result' | 'stored' | 'rate' | 'demanded' | 'rule'> & { readonly isJudged: boolean }): string {
  if (result === 'held') return heldText(stored, rate.of);
  if (result === 'broken')
    return `${rate.broke} of ${rate.of}, stored with ${stored.broke} of ${stored.of}; ${rule?.file}:${rule?.line}  ${rule?.why}`;
  if (rate.of > 0 && !isJudged) return 'no rule had anything to judge';
  return `the time was over: ${heldText(stored, rate.of)}; ${demanded} plays are needed`;
}

/** Sentences about rules that held late. */
export const recheckWarnings = ({ rechecked }: RecheckEnd): string[] => [
  ...new Set(rechecked.flatMap(({ slow }) => slow.map(slowText))),
];

function nothingStored({ file, out }: RecheckParts): RunError & { exitCode: 2 } {
  const message = `There are no stored findings in ${out ?? foundFolder(file)}.`;
  return { code: 'nothing_stored', message, fix: 'Search first: leave out --recheck.', exitCode: 2 };
}
