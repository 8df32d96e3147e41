/** Shrinks a scenario that breaks a rule: fewer steps first, then simpler ones, then a smaller plant. */
import { isActionName } from '../contract/action-check.ts';
import { peopleFieldOf } from '../contract/actions.ts';
import { isMap, type JsonMap } from '../contract/schema.ts';
import { type GeneratedScenario, type GeneratedStep, namesIn, sound } from './generated-scenario.ts';

interface ShrinkParts {
  /** Whether the smaller scenario still breaks the same rule. */
  readonly breaks: (scenario: GeneratedScenario) => Promise<boolean>;
  /** No further scenario is tried once this is true. */
  readonly isOver: () => boolean;
}

/**
 * Returns the smallest scenario found. Each of its steps is needed to break the rule, unless the time limit was reached. Details
 * of one kind are removed together where possible, and no scenario is played twice.
 */
export async function shrunk(scenario: GeneratedScenario, { breaks, isOver }: ShrinkParts): Promise<GeneratedScenario> {
  // A scenario that broke the rule is known too: it is the current one, and no smaller candidate.
  const known = new Set<string>();
  const once: ShrinkParts = {
    isOver,
    breaks: async (smaller) => {
      const key = JSON.stringify([smaller.plant, smaller.steps, smaller.seed, smaller.timeZone]);
      if (known.has(key)) return false;
      known.add(key);
      return breaks(smaller);
    },
  };
  let now = await fewerSteps(scenario, once);
  for (let before: GeneratedScenario | null = null; before !== now && !isOver(); ) {
    before = now;
    now = await simplified(now, once);
    // A step may have been needed only for a detail that has been removed since.
    now = await withoutSteps(now, 1, once);
  }
  return now;
}

/** Each kind of change in turn, as often as it succeeds. */
async function simplified(scenario: GeneratedScenario, { breaks, isOver }: ShrinkParts): Promise<GeneratedScenario> {
  let now = scenario;
  const first = async (candidates: Iterable<GeneratedScenario>): Promise<boolean> => {
    for (const smaller of candidates) {
      if (isOver()) return false;
      if (!(await breaks(smaller))) continue;
      now = smaller;
      return true;
    }
    return false;
  };
  await first(atOnce(now));
  await first(smallestPlants(now));
  while (await first(smallerPlants(now)));
  for (let i = 0; i < now.steps.length && !isOver(); i++) {
    const at = i;
    const simpler = function* (): Generator<GeneratedScenario> {
      for (const step of simplerSteps(now.steps, at))
        yield { ...now, steps: sound(now.steps.map((one, place) => (place === at ? step : one))) };
    };
    while (await first(simpler()));
  }
  return now;
}

/** Without any pauses, and in the local time of this machine. */
function* atOnce(scenario: GeneratedScenario): Generator<GeneratedScenario> {
  const { timeZone: _timeZone, ...local } = scenario;
  const prompt = scenario.steps.map(({ after: _after, ...step }) => step);
  const isPaused = scenario.steps.some(({ after }) => after !== undefined);
  if (isPaused && scenario.timeZone !== undefined) yield { ...local, steps: prompt };
  if (scenario.timeZone !== undefined) yield local;
  if (isPaused) yield { ...scenario, steps: prompt };
}

/** Halves first, single steps last. */
async function fewerSteps(scenario: GeneratedScenario, parts: ShrinkParts): Promise<GeneratedScenario> {
  let now = scenario;
  for (let size = Math.ceil(now.steps.length / 2); size >= 1 && !parts.isOver(); size = Math.floor(size / 2))
    now = await withoutSteps(now, size, parts);
  return now;
}

/** Removes runs of `size` steps, from the end. Single steps are removed until none can be left out. */
async function withoutSteps(
  scenario: GeneratedScenario,
  size: number,
  { breaks, isOver }: ShrinkParts,
): Promise<GeneratedScenario> {
  let now = scenario;
  for (let removed = true; removed && !isOver(); ) {
    removed = false;
    for (let at = now.steps.length - size; at > -size && !isOver(); at -= size) {
      const { steps } = now;
      const fewer = sound([...steps.slice(0, Math.max(0, at)), ...steps.slice(at + size)]);
      if (fewer.length === steps.length) continue;
      const broken = await anySeed({ ...now, steps: fewer }, breaks);
      if (broken === null) continue;
      now = broken;
      removed = true;
    }
    if (size > 1) break;
  }
  return now;
}

/** Without a step the draws of the others may fall otherwise, so that deliveries keep their order: other seeds are tried. */
async function anySeed(scenario: GeneratedScenario, breaks: ShrinkParts['breaks']): Promise<GeneratedScenario | null> {
  const isDrawn = scenario.steps.some((step) => isMap(step['deliveries']) && 'shuffle' in step['deliveries']);
  for (const seed of isDrawn
    ? [scenario.seed, scenario.seed + 1, scenario.seed + 2, scenario.seed + 3]
    : [scenario.seed])
    if (await breaks({ ...scenario, seed })) return { ...scenario, seed };
  return null;
}

/** Of several values the simplest comes first. */
const SIMPLER: Readonly<Record<string, readonly unknown[]>> = {
  duplicate: [2],
  shuffle: ['30s'],
  hold: ['20s'],
  does: [503],
  advance: ['2h'],
  share: [1],
  status: [503],
  answers: ['help'],
};

/** Candidates for a duration: the shortest one, and one that is longer than most deadlines. */
const SHORTER = ['2s', '1m'];

function* simplerSteps(steps: readonly GeneratedStep[], i: number): Generator<GeneratedStep> {
  const step = steps[i] as GeneratedStep;
  const [word = '', fields] = Object.entries(step)[0] ?? [];
  const { after, as, for: lasts, ...rest } = step;
  const later = steps.slice(i + 1);
  if (as !== undefined && !later.some((one) => namesIn(one).includes(as as string))) {
    const { as: _as, ...unnamed } = step;
    yield unnamed;
  }
  if (after !== undefined) {
    const { after: _after, ...sooner } = step;
    yield sooner;
  }
  // An outage ends: of what is never delivered no system could know.
  if (lasts !== undefined && (word === 'deliveries' || word === 'signal')) {
    const { for: _for, ...forEver } = step;
    yield forEver;
  }
  if (word === 'wait') for (const shorter of shorterThan(fields)) yield { ...rest, wait: shorter };
  if (after !== undefined) for (const shorter of shorterThan(after)) yield { ...step, after: shorter };
  if (lasts !== undefined) for (const shorter of shorterThan(lasts)) yield { ...step, for: shorter };
  if (!isMap(fields)) return;
  for (const [key, value] of Object.entries(fields)) {
    for (const simple of SIMPLER[key] ?? [])
      if (simple !== value) yield { ...step, [word]: { ...fields, [key]: simple } };
    if (OPTIONAL.has(`${word} ${key}`)) {
      const { [key]: _left, ...fewer } = fields;
      yield { ...step, [word]: fewer };
    }
  }
  const first = firstPerson(steps);
  const person = personIn(step);
  if (first !== null && person !== null && person.name !== first)
    yield { ...step, [word]: { ...fields, [person.key]: first } };
}

/** Fields that a step can do without. */
const OPTIONAL = new Set([
  'resolve via',
  'acknowledge via',
  'hazard official',
  'fall answers',
  'cannot_evacuate reason',
]);

const shorterThan = (duration: unknown): readonly string[] => {
  const index = SHORTER.indexOf(String(duration));
  return index >= 0 ? SHORTER.slice(0, index) : SHORTER;
};

/** The person that the scenario names first. */
function firstPerson(steps: readonly GeneratedStep[]): string | null {
  for (const step of steps) {
    const person = personIn(step);
    if (person !== null) return person.name;
  }
  return null;
}

/** The one person who acts in a step, and the key that names them. */
function personIn(step: GeneratedStep): { readonly key: string; readonly name: string } | null {
  const [[word = '', fields] = []] = Object.entries(step);
  const key = isActionName(word) ? peopleFieldOf(word) : undefined;
  const name = key !== undefined && isMap(fields) ? fields[key] : undefined;
  return key !== undefined && typeof name === 'string' ? { key, name } : null;
}

/** With the people and zones that its steps name, and those that they need, alone. */
function* smallestPlants(scenario: GeneratedScenario): Generator<GeneratedScenario> {
  const { plant, steps } = scenario;
  const { sites, workers } = plant;
  if (!isMap(sites) || !isMap(workers)) return;
  const words = new Set(JSON.stringify(steps).match(/[\w -]+/g));
  const people = Object.entries(workers).filter(([name]) => words.has(name));
  if (people.length === 0) return;
  const begun = zonesIn(Object.fromEntries(people));
  const homes = new Set(people.map(([, one]) => (isMap(one) ? one['site'] : undefined)));
  const here = Object.entries(sites).filter(([name]) => words.has(name) || homes.has(name));
  const small = (keepsZone: (name: string) => boolean): GeneratedScenario => ({
    ...scenario,
    plant: {
      ...plant,
      workers: Object.fromEntries(people),
      sites: Object.fromEntries(
        here.map(([name, section]) => [name, isMap(section) ? withZones(section, keepsZone) : section]),
      ),
    },
  });
  yield small((name) => begun.has(name) || words.has(name));
  yield small(() => true);
}

function withZones(section: JsonMap, keepsZone: (name: string) => boolean): JsonMap {
  const { zones } = section;
  if (!isMap(zones)) return section;
  return { ...section, zones: Object.fromEntries(Object.entries(zones).filter(([name]) => keepsZone(name))) };
}

/** Without a site, a person, or a zone. */
function* smallerPlants(scenario: GeneratedScenario): Generator<GeneratedScenario> {
  const { plant } = scenario;
  const { sites, workers, service } = plant;
  const withPlant = (changed: JsonMap): GeneratedScenario => ({ ...scenario, plant: { ...plant, ...changed } });
  if (isMap(sites) && Object.keys(sites).length > 1)
    for (const site of Object.keys(sites).toReversed()) {
      const others = Object.entries(isMap(workers) ? workers : {}).filter(
        ([, one]) => !isMap(one) || one['site'] !== site,
      );
      yield withPlant({ sites: without(sites, site), workers: Object.fromEntries(others) });
    }
  if (isMap(workers) && Object.keys(workers).length > 1)
    for (const name of Object.keys(workers).toReversed()) yield withPlant({ workers: without(workers, name) });
  const begun = zonesIn(workers);
  for (const [site, section] of Object.entries(isMap(sites) ? sites : {})) {
    const zones = isMap(section) ? section['zones'] : undefined;
    if (!isMap(section) || !isMap(zones)) continue;
    const havingZones = (kept: JsonMap) =>
      withPlant({ sites: { ...(sites as JsonMap), [site]: { ...section, zones: kept } } });
    const idle = Object.keys(zones).filter((name) => !begun.has(name));
    // All at once, then one by one: steps may name some.
    if (idle.length > 1)
      yield havingZones(Object.fromEntries(Object.entries(zones).filter(([name]) => begun.has(name))));
    for (const name of idle.toReversed()) if (Object.keys(zones).length > 1) yield havingZones(without(zones, name));
  }
  if (service !== undefined) yield { ...scenario, plant: without(plant, 'service') };
}

const zonesIn = (workers: unknown): Set<unknown> =>
  new Set(isMap(workers) ? Object.values(workers).map((one) => (isMap(one) ? one['in'] : undefined)) : []);

function without(map: JsonMap, key: string): JsonMap {
  const { [key]: _left, ...rest } = map;
  return rest;
}
