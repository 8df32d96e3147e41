/** The declaration of a step. Its reader, schema, explanation, permission and mutations are derived from it. */

import type { Slices } from '../../base/time/slices.ts';
import { ACTION_NAMES, type ActionName } from '../../contract/actions.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { MsSpan } from '../model/planned-draws.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import type { GivenKind, SearchStart } from '../model/references.ts';
import type { Limit, Permission, StepBody } from '../model/scenario.ts';
import type { Field } from './field.ts';
import type { OwnModifier } from './modifiers.ts';

export const STEP_GROUPS = {
  worker: 'Worker and watch',
  movement: 'Movement',
  plant: 'Plant',
  control_room: 'Control room',
  customer: 'Customer side',
  faults: 'Faults and rules',
  flow: 'Flow',
  checks: 'Checks',
} as const;
export type StepGroup = keyof typeof STEP_GROUPS;

/** Modifiers that the readers of steps need. */
export interface Beside {
  readonly within: Limit | null;
  /** Only actions may have a range. */
  readonly forMs: MsSpan | null;
  readonly since: SearchStart | null;
}

/** The result of reading a step: its body, its text on one line, and the kind of object that `as` binds. */
export interface ReadStep<B extends StepBody = StepBody> {
  readonly body: B;
  readonly text: string;
  readonly names: GivenKind | null;
}

/** How `sandbox run --mutate` changes a step. */
export type StepMutation =
  /**
   * The step is left out. `unless` returns the reason why leaving it out would prove nothing; `judged` is a key with a
   * body that is mutated.
   */
  | { readonly kind: 'left-out'; readonly judged?: string; unless?(value: JsonMap): string | null }
  /** The inner steps are mutated. */
  | { readonly kind: 'inner' }
  /** Each detail of the condition is replaced by a wrong one. */
  | { readonly kind: 'details' }
  /** The step becomes an `expect`, which must fail. */
  | { readonly kind: 'inverted' }
  | { readonly kind: 'none'; readonly why: string };

export interface StepDeclaration<T, B extends StepBody = StepBody> {
  readonly word: string;
  readonly group: StepGroup;
  readonly help: string;
  /** The value of the word, as YAML on one line. */
  readonly example: string;
  /** Modifiers that the example needs, as lines of YAML. */
  readonly exampleModifiers?: string;
  /** Modifiers in addition to those of every step. */
  readonly modifiers: readonly OwnModifier[];
  /** The value of the word. */
  readonly value: Field<T>;
  readonly mutation: StepMutation;
  /** What a client needs in order to run the step in a running sandbox. [decisions 9] */
  permission(body: B): Permission;
  /**
   * Reads the step from its value; returns null after reporting a mistake. Steps with inner steps are read in slices.
   */
  read(value: T, at: ScenarioReading, beside: Beside): ReadStep<B> | null | Slices<ReadStep<B> | null>;
}

/** A step of the language. */
export interface Step {
  readonly word: string;
  readonly group: StepGroup;
  readonly help: string;
  readonly example: string;
  readonly exampleModifiers: string | null;
  readonly modifiers: readonly OwnModifier[];
  readonly value: Field<unknown>;
  readonly mutation: StepMutation;
  /** The action with the same name, if there is one. */
  readonly action: ActionName | null;
  permission(body: StepBody): Permission;
  /** Reads the value of the word; null after reporting a mistake. */
  read(value: unknown, at: ScenarioReading, beside: Beside): ReadStep | null | Slices<ReadStep | null>;
}

export function defineStep<T, B extends StepBody>(declaration: StepDeclaration<T, B>): Step {
  const { word, group, help, example, exampleModifiers = null, modifiers, value, mutation } = declaration;
  return {
    word,
    group,
    help,
    example,
    exampleModifiers,
    modifiers,
    value,
    mutation,
    action: ACTION_NAMES.find((name) => name === word) ?? null,
    permission: (body) => declaration.permission(body as B),
    read: (given, at, beside) => {
      // Undefined: the YAML reader has already reported why.
      const read = given === undefined ? null : value.read(given, at);
      return read === null ? null : declaration.read(read, at, beside);
    },
  };
}

/** Any client may run the step. */
export const FREE = (): Permission => ({ kind: 'free' });
