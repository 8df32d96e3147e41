/** Generates scenarios: new ones from moves, and variations of those with new coverage. */
import type { Stream } from '../../base/random/streams.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { type GeneratedScenario, type GeneratedStep, joined, namesBoundBy, sound } from './generated-scenario.ts';
import { Drawing, drawMove, type MoveChoice, type ScenePart, stepsOf, type WeightedMove } from './moves.ts';
import { type GeneratedScenarioPlant, withCrew } from './plant.ts';

/** Number of moves in a new scenario. */
const FEWEST_MOVES = 2;
const MOST_MOVES = 10;

/**
 * Share of scenes among new scenarios. A scene is the life of one alert under one disturbance. Most mistakes of integrations need
 * no more, and steps without pauses are the most likely to change the order of deliveries.
 */
const SCENE_SHARE = 0.5;
const SCENES: readonly (readonly ScenePart[])[] = [
  ['raises', 'turns', 'turns'],
  ['disturbs', 'raises', 'turns'],
  ['disturbs', 'raises', 'turns', 'turns'],
  ['raises', 'disturbs', 'turns', 'turns'],
  ['disturbs', 'disturbs', 'raises', 'turns'],
];

/** Most steps of a scenario. A longer scenario is cut. */
const MOST_STEPS = 24;

const AFTER = ['300ms', '1s', '5s', '30s', '3m', '30m'];

/** The inputs for generating a scenario. */
export interface MakeParts {
  readonly stream: Stream;
  readonly plant: GeneratedScenarioPlant;
  readonly choice: MoveChoice;
}

/** Returns a scenario of one scene; null if the plant lacks what the scene needs. */
export function sceneScenario(
  scene: WeightedMove,
  { stream, plant }: MakeParts,
  sections: JsonMap,
): GeneratedScenario | null {
  const steps = stepsOf(scene, new Drawing(stream, plant, [], new Set()));
  if (steps === null) return null;
  return { ...played(sound(steps), sections, plant), seed: stream.int(1, 99), moves: [scene.name] };
}

export function newScenario(parts: MakeParts, sections: JsonMap): GeneratedScenario {
  const { stream } = parts;
  let made: MadeSteps = { steps: [], moves: [] };
  if (stream.chance(SCENE_SHARE)) {
    for (const part of stream.pick(SCENES)) made = inserted(made, made.steps.length, parts, part);
  } else {
    for (let left = stream.int(FEWEST_MOVES, MOST_MOVES); left > 0; left--)
      made = inserted(made, made.steps.length, parts);
  }
  const steps = sound(made.steps).slice(0, MOST_STEPS);
  return { ...played(steps, sections, parts.plant), seed: stream.int(1, 99), moves: made.moves };
}

/** The steps, and the plant with the group of workers that they name. */
const played = (steps: readonly GeneratedStep[], sections: JsonMap, { sites }: GeneratedScenarioPlant) => ({
  steps,
  plant: withCrew(sections, steps, sites),
});

export function mutated(scenario: GeneratedScenario, other: GeneratedScenario, parts: MakeParts): GeneratedScenario {
  const { stream } = parts;
  let made: MadeSteps = { steps: scenario.steps, moves: scenario.moves ?? [] };
  for (let left = stream.int(1, 3); left > 0; left--) {
    const { steps, moves } = made;
    const at = stream.int(0, steps.length);
    const kind = stream.int(0, 5);
    if (kind <= 2) made = inserted(made, at, parts);
    else if (kind === 3) made = { moves, steps: steps.filter((_, i) => i !== at) };
    else if (kind === 4 && at < steps.length)
      made = { moves, steps: steps.map((step, i) => (i === at ? paced(step, stream) : step)) };
    else made = { moves: [...moves, ...(other.moves ?? [])], steps: joined(steps.slice(0, at), other.steps) };
  }
  const steps = sound(made.steps).slice(0, MOST_STEPS);
  return { ...scenario, ...played(steps, scenario.plant, parts.plant), moves: [...new Set(made.moves)] };
}

/** Appends one to three moves, so that the times of the existing steps do not change. */
export function extended(scenario: GeneratedScenario, parts: MakeParts): GeneratedScenario {
  const { stream } = parts;
  let made: MadeSteps = { steps: scenario.steps, moves: scenario.moves ?? [] };
  for (let left = stream.int(1, 3); left > 0; left--) made = inserted(made, made.steps.length, parts);
  const steps = sound(made.steps).slice(0, MOST_STEPS);
  const ran = played(steps, scenario.plant, parts.plant);
  return { ...scenario, ...ran, seed: stream.int(1, 99), moves: [...new Set(made.moves)] };
}

interface MadeSteps {
  readonly steps: readonly GeneratedStep[];
  readonly moves: readonly string[];
}

function inserted(
  { steps, moves }: MadeSteps,
  at: number,
  { stream, plant, choice }: MakeParts,
  part?: ScenePart,
): MadeSteps {
  const taken = new Set(steps.flatMap(namesBoundBy));
  const drawn = drawMove(new Drawing(stream, plant, steps.slice(0, at), taken), { ...choice, part });
  const [first, ...rest] = drawn.steps;
  const move =
    first === undefined ? [] : [stream.chance(part === undefined ? 0.4 : 0.2) ? paced(first, stream) : first, ...rest];
  return { steps: [...steps.slice(0, at), ...move, ...steps.slice(at)], moves: [...moves, drawn.name] };
}

/** Replaces or removes the pause before the step. */
function paced(step: GeneratedStep, stream: Stream): GeneratedStep {
  const { after: _after, ...rest } = step;
  return 'wait' in step || stream.chance(0.3) ? rest : { ...rest, after: stream.pick(AFTER) };
}
