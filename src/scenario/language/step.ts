/** The declaration of a step: everything that the language knows of it, from which its reader, schema, explanation, permission and mutations derive. */

import type { Slices } from '../../base/time/slices.ts';
import { ACTION_NAMES, type ActionName } from '../../contract/actions.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { MsSpan } from '../model/planned-draws.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import type { GivenKind } from '../model/references.ts';
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

/** Modifiers that readers need. */
export interface Beside {
  readonly within: Limit | null;
  /** A range is allowed for actions only. */
  readonly forMs: MsSpan | null;
}

/** A step as read: its body, its one-line text, and the kind that `as` binds. */
export interface ReadStep<B extends StepBody = StepBody> {
  readonly body: B;
  readonly text: string;
  readonly names: GivenKind | null;
}

/** How `sandbox run --mutate` changes a step. */
export type StepMutation =
  /** The step is left out. `unless` gives the reason why leaving it out would prove nothing; `judged` is a key with a body to mutate. */
  | { readonly kind: 'left-out'; readonly judged?: string; unless?(value: JsonMap): string | null }
  /** Its inner steps are mutated. */
  | { readonly kind: 'inner' }
  /** Each detail of its condition is made wrong. */
  | { readonly kind: 'details' }
  /** It becomes an `expect`, which must fail. */
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
  /** Modifiers besides those of every step. */
  readonly modifiers: readonly OwnModifier[];
  /** The value of the word. */
  readonly value: Field<T>;
  readonly mutation: StepMutation;
  /** What a client needs to run the step in a running sandbox. [decisions 9] */
  permission(body: B): Permission;
  /** Reads the step from its value; null after reporting a mistake. In slices where it has inner steps. */
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
  /** The action of the same name, if the step has one. */
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
      // The reader of the text has reported why this is undefined.
      const read = given === undefined ? null : value.read(given, at);
      return read === null ? null : declaration.read(read, at, beside);
    },
  };
}

/** Any client may do it. */
export const FREE = (): Permission => ({ kind: 'free' });
