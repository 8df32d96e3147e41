/**
 * Suggests a step that notices a mutation. Each suggestion is played before it is printed: pasted into the unchanged
 * scenario it passes, and pasted into the mutated one it fails.
 */
import { formatClockTime } from '../../base/time/instants.ts';
import { isOfCause, type ScenarioChange, type Version } from '../model/change.ts';
import { candidatesFor } from './candidates.ts';
import { pasted } from './places.ts';
import type { ComparedRuns, PlayedCase } from './played-case.ts';

/** Maximum number of suggestions that are played per mutation. */
const MOST_TRIES = 12;

/** Lines to paste, as they are, below a line of the scenario file. */
export interface Paste {
  readonly file: string;
  readonly below: number;
  readonly lines: readonly string[];
}

interface Hint {
  /** What the scenario does not check. With `paste` null, also what can be done in plain words. */
  readonly why: string;
  readonly paste: Paste | null;
}

interface HintOptions {
  /** The scenario's own file, and its text. Nothing in a part is to be deleted for one of its scenarios. */
  readonly file: string;
  readonly text: string;
  readonly compared: ComparedRuns;
  /** Returns true if the scenario passes with this text as its file, and fails with the mutation. */
  isNoticed(text: string): Promise<boolean>;
}

/** A change that no case noticed, with the last case that played it. */
export interface Unnoticed {
  readonly change: ScenarioChange;
  readonly theCase: PlayedCase;
  readonly version: Version;
}

export async function hintFor(
  file: string,
  { change, theCase, version }: Unnoticed,
  cases: readonly PlayedCase[],
): Promise<Hint> {
  const compared = await theCase.compare(change, version);
  const isNoticed = async (text: string): Promise<boolean> => {
    for (const one of cases) if (!(await one.passesWith(text, null))) return false;
    return !(await theCase.passesWith(text, version));
  };
  if (compared === null) return { why: 'The file can no longer be read.', paste: null };
  return hintOf(change, { file, text: theCase.text, compared, isNoticed });
}

async function hintOf(change: ScenarioChange, options: HintOptions): Promise<Hint> {
  const { file, text, compared, isNoticed } = options;
  if (!isOfCause(change)) return { why: hintOfDetail(change), paste: null };
  const tried = new Set<string>();
  for (const { place, step, beside, t } of candidatesFor(change, file, text, compared)) {
    const modifiers = Object.entries(beside).map(([key, value]) => `${place.indent}  ${key}: ${String(value)}`);
    const lines = [`${place.indent}- ${step}`, ...modifiers];
    const next = pasted(text, place.below, lines);
    if (tried.has(next)) continue;
    if (tried.size >= MOST_TRIES) break;
    tried.add(next);
    if (!(await isNoticed(next))) continue;
    const what = change.kind === 'left-out' ? 'what it causes' : 'what differs';
    const where = change.file === file ? '' : ` of ${file}`;
    const at = t === null ? '' : `, at ${formatClockTime(t)}`;
    const why = `No check looks at ${what}${at}. Write below line ${place.below}${where}:`;
    return { why, paste: { file, below: place.below, lines } };
  }
  return { why: wordsFor(change, options), paste: null };
}

/** No step that a run proved: says why, and what can be done. */
function wordsFor({ kind, detail, file }: ScenarioChange, { file: own, compared }: HintOptions): string {
  const { unchanged, mutated, step } = compared;
  const isPlayed = unchanged.steps.some((one) => one.file === step.file && one.line === step.line);
  if (kind !== 'threshold' && !isPlayed)
    return `The step is not played in this run. Make what it waits for happen, or say beside it why it is there: ${equivalent(detail)}`;
  if (kind === 'threshold')
    return `Nothing in the log depends on it. Delete it, or say in "service" why it is there: ${equivalent(detail)}`;
  if (timesOf(unchanged.log) !== timesOf(mutated.log))
    return `The same things happen ${kind === 'left-out' ? 'without it' : 'with that'}, at other times. Give a check after it the limit that it is meant to prove, like within: 29s..31s, or say beside it why any time will do: ${equivalent(detail)}`;
  const remove = file === own ? 'delete it, ' : '';
  if (detail === 'for')
    return `It lasts to the end of the scenario, so no check can see its end. Write steps that use what is over after it, ${remove}or say beside it why it is there: ${equivalent(detail)}`;
  return `Nothing that a check can see depends on it in this run. Add a step that needs it, ${remove}or say beside it why it is there: ${equivalent(detail)}`;
}

function hintOfDetail({ word, anyVersion, detail }: ScenarioChange): string {
  const say = `Or say beside it why that is right: ${equivalent(detail)}`;
  if (word === 'every') return `The rule holds of all of these. ${say}`;
  if (anyVersion) return `The check passes for all others, too. Say more of what is expected. ${say}`;
  return `Something else fits the changed check. Say more of what is expected: of, about, or another field. ${say}`;
}

const equivalent = (detail: string): string =>
  `equivalent: {${/^[\w-]+$/.test(detail) ? detail : JSON.stringify(detail)}: "..."}`;

const timesOf = (log: readonly { readonly k: string; readonly t: number }[]): string =>
  log
    .filter(({ k }) => !['head', 'act', 'expect', 'end'].includes(k))
    .map(({ k, t }) => `${k} ${t}`)
    .join();
