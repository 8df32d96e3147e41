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

/** The smallest scenario found, one that no single change makes smaller, unless the time was over before. */
export async function shrunk(scenario: GeneratedScenario, parts: ShrinkParts): Promise<GeneratedScenario> {
  let now = await fewerSteps(scenario, parts);
  for (let changed = true; changed && !parts.isOver(); ) {
    changed = false;
    for (const smaller of simplerOnes(now)) {
      if (parts.isOver()) break;
      if (!(await parts.breaks(smaller))) continue;
      now = smaller;
      changed = true;
      break;
    }
  }
  return now;
}

/** Halves first, single steps last. */
async function fewerSteps(scenario: GeneratedScenario, { breaks, isOver }: ShrinkParts): Promise<GeneratedScenario> {
  let { steps, seed } = scenario;
  for (let size = Math.ceil(steps.length / 2); size >= 1 && !isOver(); ) {
    let removed = false;
    for (let at = steps.length - size; at > -size && !isOver(); at -= size) {
      const from = Math.max(0, at);
      const fewer = sound([...steps.slice(0, from), ...steps.slice(at + size)]);
      if (fewer.length === steps.length) continue;
      const broken = await anySeed({ ...scenario, steps: fewer, seed }, breaks);
      if (broken === null) continue;
      ({ steps, seed } = broken);
      removed = true;
    }
    if (removed && size === 1) continue;
    size = size === 1 ? 0 : Math.floor(size / 2);
  }
  return { ...scenario, steps, seed };
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

/** Every scenario that is one change simpler, the greatest change first. */
function* simplerOnes(scenario: GeneratedScenario): Generator<GeneratedScenario> {
  const { steps } = scenario;
  yield* smallerPlants(scenario);
  for (let i = 0; i < steps.length; i++)
    for (const step of simplerSteps(steps, i)) {
      const changed = steps.map((one, at) => (at === i ? step : one));
      yield { ...scenario, steps: sound(changed) };
    }
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

const SHORTER = ['2s', '10s', '1m', '20m'];

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
    const withZones = (kept: JsonMap) =>
      withPlant({ sites: { ...(sites as JsonMap), [site]: { ...section, zones: kept } } });
    const idle = Object.keys(zones).filter((name) => !begun.has(name));
    // All at once, then one by one: steps may name some.
    if (idle.length > 1) yield withZones(Object.fromEntries(Object.entries(zones).filter(([name]) => begun.has(name))));
    for (const name of idle.toReversed()) if (Object.keys(zones).length > 1) yield withZones(without(zones, name));
  }
  if (service !== undefined) yield { ...scenario, plant: without(plant, 'service') };
}

const zonesIn = (workers: unknown): Set<unknown> =>
  new Set(isMap(workers) ? Object.values(workers).map((one) => (isMap(one) ? one['in'] : undefined)) : []);

function without(map: JsonMap, key: string): JsonMap {
  const { [key]: _left, ...rest } = map;
  return rest;
}
