/** Makes scenarios: new ones from moves, and changed ones from those that met something new. */
import type { Stream } from '../base/random/streams.ts';
import type { JsonMap } from '../contract/schema.ts';
import { type GeneratedScenario, type GeneratedStep, nameOf, sound } from './generated-scenario.ts';
import { Drawing, drawMove, type ScenePart } from './moves.ts';
import type { GeneratedScenarioPlant } from './plant.ts';

/** Moves of a new scenario. */
const FEWEST_MOVES = 2;
const MOST_MOVES = 10;

/**
 * Share of scenes among new scenarios: the life of one alert under one disturbance. Most mistakes of integrations need no more,
 * and steps without pauses between them are the hardest for deliveries to keep in order.
 */
const SCENE_SHARE = 0.5;
const SCENES: readonly (readonly ScenePart[])[] = [
  ['raises', 'turns', 'turns'],
  ['disturbs', 'raises', 'turns'],
  ['disturbs', 'raises', 'turns', 'turns'],
  ['raises', 'disturbs', 'turns', 'turns'],
  ['disturbs', 'disturbs', 'raises', 'turns'],
];

/** A scenario that mutation made longer is cut. */
const MOST_STEPS = 24;

const AFTER = ['1s', '5s', '30s', '3m', '30m'];

export function newScenario(stream: Stream, plant: GeneratedScenarioPlant, sections: JsonMap): GeneratedScenario {
  let steps: GeneratedStep[] = [];
  if (stream.chance(SCENE_SHARE)) {
    for (const part of stream.pick(SCENES)) steps = inserted(steps, steps.length, stream, plant, part);
    return { plant: sections, steps, seed: stream.int(1, 99) };
  }
  for (let left = stream.int(FEWEST_MOVES, MOST_MOVES); left > 0; left--)
    steps = inserted(steps, steps.length, stream, plant);
  return { plant: sections, steps, seed: stream.int(1, 99) };
}

export function mutated(
  scenario: GeneratedScenario,
  other: GeneratedScenario,
  stream: Stream,
  plant: GeneratedScenarioPlant,
): GeneratedScenario {
  let steps: readonly GeneratedStep[] = scenario.steps;
  for (let left = stream.int(1, 3); left > 0; left--) {
    const at = stream.int(0, steps.length);
    const kind = stream.int(0, 5);
    if (kind <= 2) steps = inserted(steps, at, stream, plant);
    else if (kind === 3) steps = steps.filter((_, i) => i !== at);
    else if (kind === 4 && at < steps.length) steps = steps.map((step, i) => (i === at ? paced(step, stream) : step));
    else steps = joined(steps.slice(0, at), other.steps);
  }
  return { ...scenario, steps: sound(steps).slice(0, MOST_STEPS) };
}

function inserted(
  steps: readonly GeneratedStep[],
  at: number,
  stream: Stream,
  plant: GeneratedScenarioPlant,
  part?: ScenePart,
): GeneratedStep[] {
  const taken = new Set(steps.flatMap((step) => nameOf(step) ?? []));
  const [first, ...rest] = drawMove(new Drawing(stream, plant, steps.slice(0, at), taken), part);
  const move =
    first === undefined ? [] : [stream.chance(part === undefined ? 0.4 : 0.2) ? paced(first, stream) : first, ...rest];
  return [...steps.slice(0, at), ...move, ...steps.slice(at)];
}

/** With another pause before it. */
function paced(step: GeneratedStep, stream: Stream): GeneratedStep {
  const { after: _after, ...rest } = step;
  return 'wait' in step || stream.chance(0.3) ? rest : { ...rest, after: stream.pick(AFTER) };
}

/** The second's names are made new, so that each is bound once. */
export function joined(first: readonly GeneratedStep[], second: readonly GeneratedStep[]): GeneratedStep[] {
  const names = second.flatMap((step) => nameOf(step) ?? []);
  const taken = new Set(first.flatMap((step) => nameOf(step) ?? []));
  const renamed = new Map<string, string>();
  for (const name of names) {
    let n = 1;
    while (taken.has(`${name[0]}${n}`)) n++;
    taken.add(`${name[0]}${n}`);
    renamed.set(name, `${name[0]}${n}`);
  }
  return [...first, ...second.map((step) => rename(step, renamed) as GeneratedStep)];
}

function rename(value: unknown, names: ReadonlyMap<string, string>, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'as') return names.get(value) ?? value;
    return value.startsWith('$') ? `$${names.get(value.slice(1)) ?? value.slice(1)}` : value;
  }
  if (Array.isArray(value)) return value.map((item) => rename(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rename(item, names, name)]));
}
