/** Counts the steps of a scenario and their values after expansion without expanding it. [decisions 9, Limits of scenario files] */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { innerSteps, stepIn, stepsOfFile } from '../language/steps.ts';

/** Upper limit of counts, so that they stay exact numbers even if macros multiply each other. */
const MOST_COUNTED = 1_000_000_000;

interface StepCounts {
  readonly steps: number;
  /** Lists, maps and plain values of all steps. */
  readonly values: number;
}

const NONE: StepCounts = { steps: 0, values: 0 };
const ONE: StepCounts = { steps: 1, values: 1 };

/**
 * Counts the steps of a scenario. The steps of a macro count at each use; a `repeat` counts its body once; `do`,
 * `together` and `repeat` count as the number of their steps, but at least one. A macro that uses itself counts as one
 * at that point; reading reports it as a mistake. `sizeOf`: the number of values in a value.
 */
export function countSteps(value: JsonMap, sizeOf: (value: unknown) => number = () => 1): StepCounts {
  const macros = isMap(value['macros']) ? value['macros'] : {};
  const counts = new Map<string, StepCounts>();
  const countOf = (steps: unknown): StepCounts =>
    Array.isArray(steps) ? steps.reduce<StepCounts>((sum, step) => added(sum, countOfStep(step)), NONE) : NONE;
  const countOfStep = (step: unknown): StepCounts => {
    if (!isMap(step)) return ONE;
    if (isMap(step['do'])) return atLeastOne(countOfMacro(step['do']['macro']));
    const found = stepIn(step);
    const inner = found === undefined ? [] : innerSteps(found.step, found.value);
    if (inner.length === 0) return { steps: 1, values: sizeOf(step) };
    return atLeastOne(inner.reduce<StepCounts>((sum, [list]) => added(sum, countOf(list)), NONE));
  };
  const countOfMacro = (name: unknown): StepCounts => {
    if (typeof name !== 'string' || !Object.hasOwn(macros, name)) return ONE;
    const known = counts.get(name);
    if (known !== undefined) return known;
    counts.set(name, ONE);
    const macro = macros[name];
    const count = isMap(macro) ? countOf(macro['steps']) : ONE;
    counts.set(name, count);
    return count;
  };
  // The steps of a macro are counted at each use.
  const lists = stepsOfFile(value).filter(([, [section]]) => section !== 'macros');
  return lists.reduce<StepCounts>((sum, [steps]) => added(sum, countOf(steps)), NONE);
}

const added = (a: StepCounts, b: StepCounts): StepCounts => ({
  steps: Math.min(MOST_COUNTED, a.steps + b.steps),
  values: Math.min(MOST_COUNTED, a.values + b.values),
});

const atLeastOne = ({ steps, values }: StepCounts): StepCounts => ({ steps: Math.max(1, steps), values });
