/** Counts the steps of a scenario after expansion without expanding it. [decisions 9, Limits of scenario files] */
import { isMap, type JsonMap } from '../../contract/schema.ts';

/** Counts stay exact numbers however often macros multiply each other. */
const MOST_COUNTED = 1_000_000_000;

/**
 * The steps of a scenario: those of a macro count at each use, a `repeat` counts its body once, and `do`, `together` and
 * `repeat` count as their steps, at least as one. A macro that does itself counts as one there; reading reports it.
 */
export function countSteps(value: JsonMap): number {
  const macros = isMap(value['macros']) ? value['macros'] : {};
  const counts = new Map<string, number>();
  const countOf = (steps: unknown): number => {
    if (!Array.isArray(steps)) return 0;
    return Math.min(
      MOST_COUNTED,
      steps.reduce<number>((sum, step) => sum + countOfStep(step), 0),
    );
  };
  const countOfStep = (step: unknown): number => {
    if (!isMap(step)) return 1;
    const { do: used, together, repeat } = step;
    if (isMap(used)) return Math.max(1, countOfMacro(used['macro']));
    if (together !== undefined) return Math.max(1, countOf(together));
    return isMap(repeat) ? Math.max(1, countOf(repeat['steps'])) : 1;
  };
  const countOfMacro = (name: unknown): number => {
    if (typeof name !== 'string' || !Object.hasOwn(macros, name)) return 1;
    const known = counts.get(name);
    if (known !== undefined) return known;
    counts.set(name, 1);
    const macro = macros[name];
    const count = isMap(macro) ? countOf(macro['steps']) : 1;
    counts.set(name, count);
    return count;
  };
  const whens: readonly unknown[] = Array.isArray(value['when']) ? value['when'] : [];
  const lists = [value['steps'], value['finally'], ...whens.map((when) => (isMap(when) ? when['steps'] : []))];
  return lists.reduce<number>((sum, steps) => sum + countOf(steps), 0);
}
