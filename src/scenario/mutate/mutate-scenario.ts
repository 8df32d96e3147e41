/** Mutation testing of a scenario: plays it with one change at a time, and reports changes that it does not detect and checks that fail under no change. */

import type { ScenarioChange } from '../model/change.ts';
import type { Values } from '../model/scenario.ts';
import type { RunResult } from '../playing/run-file.ts';
import type { StrayReason } from './changes.ts';
import { ChecksSeen, type SeenCheck } from './checks-seen.ts';
import { hintFor, type Paste, type Unnoticed } from './hint.ts';
import { type Broken, type CaseOptions, PlayedCase, type PlayedOutcome } from './played-case.ts';

interface MutateOptions extends CaseOptions {
  /** The cases to play; null: a single run. */
  readonly cases: readonly (Values | null)[];
  /** The share of one process: part 0 of 2 gets the first, third and fifth change. */
  readonly part?: { readonly index: number; readonly of: number } | undefined;
}

/**
 * The outcome of a change. `noticed`: the scenario failed; `needed`: the file is invalid without the step;
 * `equivalent`: it passed, with a reason in the file; `unnoticed`: it passed; `stale`: the file has a reason, but the
 * scenario did not pass.
 */
export type ChangeOutcome = 'noticed' | 'needed' | 'equivalent' | 'unnoticed' | 'stale';

export interface JudgedChange extends Pick<ScenarioChange, 'file' | 'line' | 'word' | 'detail'> {
  /** For example `ana -> luis`, or `left out`. */
  readonly text: string;
  readonly outcome: ChangeOutcome;
  /** Why the change was noticed or is equivalent, or a hint how to detect it. */
  readonly why: string;
  /** The step that notices the change, as it was played. Null: it is noticed, or no such step was found. */
  readonly paste: Paste | null;
}

export interface MutationReport {
  readonly file: string;
  readonly scenario: string;
  readonly seed: string;
  /** Set if the unchanged scenario does not pass or is invalid; in that case nothing was mutated. */
  readonly broken: Broken | null;
  /** Interrupted: some changes were not played. */
  readonly interrupted: boolean;
  readonly judged: readonly JudgedChange[];
  /** In the order of the file; with a share, `failed` only considers the changes of this share. */
  readonly checks: readonly SeenCheck[];
}

/** Plays in lock-step. An invalid file does not throw: the report contains the mistake. */
export async function mutateScenario(file: string, options: MutateOptions): Promise<MutationReport> {
  const judged = new Map<string, JudgedChange>();
  const pending = new Map<string, ScenarioChange>();
  const seen = new Set<string>();
  const ours = new Set<string>();
  const checks = new ChecksSeen();
  const unnoticed = new Map<string, Unnoticed>();
  const played: { readonly theCase: PlayedCase; readonly changes: readonly ScenarioChange[] }[] = [];
  const scenarios = { scenario: file, seed: options.seed ?? '' };
  const report = (more: Partial<MutationReport> = {}): MutationReport => ({
    file,
    ...scenarios,
    broken: null,
    interrupted: options.signal?.aborted === true,
    judged: [...judged.values()].toSorted((a, b) => a.line - b.line),
    checks: checks.all,
    ...more,
  });
  for (const values of options.cases) {
    const theCase = new PlayedCase(file, values, options, checks);
    const baseline = await theCase.baseline();
    if (baseline !== null) return report({ broken: baseline });
    Object.assign(scenarios, theCase.of);
    const { changes, checks: own, stray } = theCase.found();
    checks.add(own);
    played.push({ theCase, changes });
    for (const reason of stray)
      if (options.part === undefined || options.part.index === 0) judged.set(reason.key, strayed(reason));
    for (const change of changes) {
      const isOurs = options.part === undefined || seen.size % options.part.of === options.part.index;
      if (!seen.has(change.key) && isOurs) ours.add(change.key);
      if (ours.has(change.key) && !seen.has(change.key)) pending.set(change.key, change);
      seen.add(change.key);
      // Detection in one case suffices; the variants of a change can differ between cases.
      if (!pending.has(change.key)) continue;
      const outcome = await theCase.judge(change);
      if (options.signal?.aborted === true) return report();
      if (outcome === null) continue;
      judged.set(change.key, judgedAs(change, outcome, change.file === file));
      if (outcome.kind === 'passed' && change.equivalent === null)
        unnoticed.set(change.key, { change, theCase, version: outcome.version });
      if (outcome.kind === 'passed') continue;
      pending.delete(change.key);
      unnoticed.delete(change.key);
    }
  }
  for (const [key, weak] of unnoticed) {
    const cases = played.map(({ theCase }) => theCase);
    const { why, paste } = await hintFor(file, weak, cases);
    judged.set(key, { ...judged.get(key)!, why, paste });
    if (options.signal?.aborted === true) return report();
  }
  for (const { theCase, changes } of played) {
    await theCase.lookForFailures(changes.filter(({ key }) => ours.has(key)));
    if (options.signal?.aborted === true) break;
  }
  return report();
}

/** A reason in a part, where `isOwn` is false, may hold for another scenario that uses the part. */
function judgedAs(change: ScenarioChange, played: PlayedOutcome, isOwn: boolean): JudgedChange {
  const { file, line, word, detail, equivalent } = change;
  const { text } = played.version;
  const as = (outcome: ChangeOutcome, why: string): JudgedChange => {
    return { file, line, word, detail, text, outcome, why, paste: null };
  };
  if (played.kind === 'needed') return as('needed', played.why);
  if (played.kind === 'passed') return equivalent === null ? as('unnoticed', '') : as('equivalent', equivalent);
  if (equivalent !== null && isOwn)
    return as('stale', `The file says: ${equivalent}. It is noticed; delete ${detail} from equivalent.`);
  return as('noticed', reasonOf(played.result));
}

const reasonOf = ({ error }: RunResult): string =>
  error === null || error.code === 'interrupted' ? 'the scenario fails' : error.message;

function strayed({ known, ...reason }: StrayReason): JudgedChange {
  const those = known.length === 0 ? 'Nothing is changed here' : `What is changed here: ${known.join(', ')}`;
  const { file, line, word, detail } = reason;
  const why = `There is no such detail. ${those}. Correct the name in equivalent, or delete it.`;
  return { file, line, word, detail, text: 'is no change of this step', outcome: 'stale', why, paste: null };
}
