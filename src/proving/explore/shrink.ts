/** Shrinks a scenario that breaks a rule: fewer steps first, then fewer details, then a smaller plant. */
import { isMap } from '../../contract/schema.ts';
import { type GeneratedScenario, sound } from './generated-scenario.ts';
import { detailsOf, type ScenarioDetail, unnamedParts } from './simpler.ts';

interface ShrinkParts {
  /** Whether the smaller scenario still breaks the same rule. */
  readonly breaks: (scenario: GeneratedScenario) => Promise<boolean>;
  /** No further scenario is tried once this is true. */
  readonly isOver: () => boolean;
}

type Breaks = ShrinkParts['breaks'];

/**
 * Returns the smallest scenario found. Each of its steps is needed to break the rule, unless the time limit was reached. Steps and
 * details are left out in groups, and no scenario is played twice.
 */
export async function shrunk(scenario: GeneratedScenario, { breaks, isOver }: ShrinkParts): Promise<GeneratedScenario> {
  const keyOf = ({ plant, steps, seed, timeZone }: GeneratedScenario) => JSON.stringify([plant, steps, seed, timeZone]);
  const known = new Map([[keyOf(scenario), true]]);
  const once: Breaks = async (smaller) => {
    const key = keyOf(smaller);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (isOver()) return false;
    const isBroken = await breaks(smaller);
    known.set(key, isBroken);
    return isBroken;
  };
  let now = await fewestSteps(scenario, once);
  for (let before: GeneratedScenario | null = null; before !== now && !isOver(); ) {
    now = await fewestDetails(now, once);
    before = now;
    // A step may have been needed only for a detail that has been removed since.
    now = await withoutSteps(now, once);
  }
  return now;
}

/**
 * Returns elements for which `holds` is true, if it is true for all elements. The result is minimal if further elements never make
 * `holds` false. Finds the elements one after another by bisection: about k log2(n) calls for k of n elements.
 */
async function needed<T>(all: readonly T[], holds: (kept: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let found: readonly T[] = [];
  let rest = all;
  while (rest.length > 0 && !(await holds(found))) {
    // `few`: a number of elements of `rest` with which it does not hold. `enough`: one with which it holds.
    let [few, enough] = [0, rest.length];
    while (enough - few > 1) {
      const middle = Math.floor((few + enough) / 2);
      if (await holds([...rest.slice(0, middle), ...found])) enough = middle;
      else few = middle;
    }
    found = [...rest.slice(enough - 1, enough), ...found];
    rest = rest.slice(0, enough - 1);
  }
  return found;
}

async function fewestSteps(scenario: GeneratedScenario, breaks: Breaks): Promise<GeneratedScenario> {
  const { steps } = scenario;
  let now = scenario;
  await needed([...steps.keys()], async (kept) => {
    const places = new Set(kept);
    const fewer = sound(steps.filter((_, place) => places.has(place)));
    const broken = await anySeed({ ...scenario, steps: fewer, seed: now.seed }, breaks);
    if (broken !== null && broken.steps.length <= now.steps.length) now = broken;
    return broken !== null;
  });
  return now;
}

/** Removes single steps, from the end, until each step is needed. */
async function withoutSteps(scenario: GeneratedScenario, breaks: Breaks): Promise<GeneratedScenario> {
  let now = scenario;
  for (let removed = true; removed; ) {
    removed = false;
    for (let at = now.steps.length - 1; at >= 0; at--) {
      const { steps } = now;
      const broken = await anySeed({ ...now, steps: sound(steps.toSpliced(at, 1)) }, breaks);
      if (broken === null) continue;
      now = broken;
      removed = true;
    }
  }
  return now;
}

/** Removing a step can change the draws of the others, so that deliveries keep their order. So other seeds are tried too. */
async function anySeed(scenario: GeneratedScenario, breaks: Breaks): Promise<GeneratedScenario | null> {
  const isDrawn = scenario.steps.some((step) => isMap(step['deliveries']) && 'shuffle' in step['deliveries']);
  for (const seed of isDrawn
    ? [scenario.seed, scenario.seed + 1, scenario.seed + 2, scenario.seed + 3]
    : [scenario.seed])
    if (await breaks({ ...scenario, seed })) return { ...scenario, seed };
  return null;
}

/** Removes the details and the parts of the plant that are not needed, and then simplifies the others. */
async function fewestDetails(scenario: GeneratedScenario, breaks: Breaks): Promise<GeneratedScenario> {
  let now = scenario;
  const isTaken = async (smaller: GeneratedScenario): Promise<boolean> => {
    const isBroken = await breaks(smaller);
    if (isBroken) now = smaller;
    return isBroken;
  };
  const leaveOut = async (details: readonly ScenarioDetail[]): Promise<readonly ScenarioDetail[]> => {
    const whole = now;
    return needed(details, (some) => {
      const kept = new Set(some);
      let smaller = whole;
      for (const detail of details) if (!kept.has(detail)) smaller = detail[0]?.(smaller) ?? smaller;
      return isTaken({ ...smaller, steps: sound(smaller.steps) });
    });
  };
  const kept = await leaveOut([...detailsOf(scenario), ...unnamedParts(scenario)]);
  // The steps still have the same indexes, so the kept details can be simplified.
  if (now.steps.length === scenario.steps.length)
    for (const detail of kept) for (const way of detail.slice(1)) if (await isTaken(way(now))) break;
  // The steps may name fewer people and zones now.
  await leaveOut(unnamedParts(now));
  return now;
}
