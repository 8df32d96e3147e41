/** Every step of the language. */
import { ACTION_NAMES } from '../../contract/actions.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import type { Step } from './step.ts';
import { actionStep } from './steps/actions.ts';
import { API } from './steps/api.ts';
import { CHECK, EXPECT, NEVER, WAIT_FOR } from './steps/check.ts';
import { CLOCK } from './steps/clock.ts';
import { DO } from './steps/do.ts';
import { MARK } from './steps/mark.ts';
import { RECEIVER } from './steps/receiver.ts';
import { REPEAT } from './steps/repeat.ts';
import { TOGETHER } from './steps/together.ts';
import { ACKNOWLEDGE, RESOLVE } from './steps/update.ts';
import { WAIT } from './steps/wait.ts';
import { WEBHOOK } from './steps/webhook.ts';

/** Steps that are not actions, or that are read differently from their action. */
const OWN: readonly Step[] = [
  ACKNOWLEDGE,
  RESOLVE,
  API,
  WEBHOOK,
  RECEIVER,
  TOGETHER,
  REPEAT,
  DO,
  CLOCK,
  WAIT,
  MARK,
  EXPECT,
  WAIT_FOR,
  CHECK,
  NEVER,
];

const own = new Map(OWN.map((step) => [step.word, step]));

/** By word: the actions in the order of their catalogue, then the other steps. */
export const STEPS: ReadonlyMap<string, Step> = new Map([
  ...ACTION_NAMES.map((name): [string, Step] => [name, own.get(name) ?? actionStep(name)]),
  ...own,
]);

/**
 * Returns the lists of inner steps, each with its path below the word of the step. Empty if the step has no inner
 * steps.
 */
export function innerSteps({ value }: Step, given: unknown): readonly (readonly [list: unknown, below: Path])[] {
  if (value.kind === 'steps') return [[given, []]];
  if (!isMap(given)) return [];
  return Object.entries(value.fields ?? {}).flatMap(([key, { kind }]) =>
    kind === 'steps' ? [[given[key], [key]] as const] : [],
  );
}

export interface StepIn {
  readonly step: Step;
  readonly value: unknown;
}

/**
 * Returns the step of an entry of a list of steps, with its value; undefined if none of its keys is the word of a step.
 */
export function stepIn(entry: JsonMap): StepIn | undefined {
  for (const word of Object.keys(entry)) {
    const step = STEPS.get(word);
    if (step !== undefined) return { step, value: entry[word] };
  }
  return undefined;
}

/** Returns the lists of steps of a file, each with its path: in macros, in `setup`, in `steps`, in `when`, and in `finally`. */
export function stepsOfFile(file: JsonMap): readonly (readonly [list: unknown, path: Path])[] {
  const { macros, setup, steps, when, finally: last } = file;
  return [
    ...Object.entries(isMap(macros) ? macros : {}).map(
      ([name, macro]) => [isMap(macro) ? macro['steps'] : undefined, ['macros', name, 'steps']] as const,
    ),
    ...Object.entries(isMap(setup) ? setup : {}).map(([part, list]) => [list, ['setup', part]] as const),
    [steps, ['steps']],
    ...(Array.isArray(when) ? when : []).map(
      (one: unknown, i) => [isMap(one) ? one['steps'] : undefined, ['when', i, 'steps']] as const,
    ),
    [last, ['finally']],
  ];
}
