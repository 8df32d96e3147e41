/** The declarations of the language are whole by their types: this file does not compile where one may have a gap. */
import { expect, test } from 'vitest';
import { defineCondition } from '../../../src/scenario/language/condition.ts';
import { person } from '../../../src/scenario/language/conditions/keys.ts';
import { text } from '../../../src/scenario/language/field.ts';
import { defineStep, FREE, type StepDeclaration } from '../../../src/scenario/language/step.ts';
import type { StepBody } from '../../../src/scenario/model/scenario.ts';
import type { StepPlayers } from '../../../src/scenario/playing/player.ts';

type Mark = Extract<StepBody, { kind: 'mark' }>;

/** A whole step: without any of its properties it does not compile. */
const WHISTLE: StepDeclaration<string, Mark> = {
  word: 'whistle',
  group: 'flow',
  help: 'A whistle.',
  example: 'loud',
  modifiers: [],
  value: text('How it sounds.'),
  mutation: { kind: 'none', why: 'Nothing hears it.' },
  permission: FREE,
  read: (words) => ({ body: { kind: 'mark', words }, text: words, names: null }),
};
const { help, example, value, mutation, permission, read, ...rest } = WHISTLE;

const CLIMB = {
  word: 'climb',
  help: 'How high a worker is.',
  example: '{climb: ana}',
  lasts: true,
  sees: 'client',
  fields: { climb: person('a worker') },
  resource: null,
  scopes: ['workers:read'],
  mutation: { isPassing: true },
  read: () => null,
} as const;

test('a step without its explanation, example, value, mutation, permission or reader does not compile', () => {
  expect(defineStep(WHISTLE).word).toBe('whistle');
  const steps = () => [
    // @ts-expect-error no explanation
    defineStep({ ...rest, example, value, mutation, permission, read }),
    // @ts-expect-error no example
    defineStep({ ...rest, help, value, mutation, permission, read }),
    // @ts-expect-error no value, and so no schema
    defineStep({ ...rest, help, example, mutation, permission, read }),
    // @ts-expect-error no mutation
    defineStep({ ...rest, help, example, value, permission, read }),
    // @ts-expect-error no permission
    defineStep({ ...rest, help, example, value, mutation, read }),
    // @ts-expect-error no reader
    defineStep({ ...rest, help, example, value, mutation, permission }),
    // @ts-expect-error a mutation that changes nothing gives the reason
    defineStep({ ...WHISTLE, mutation: { kind: 'none' } }),
  ];
  expect(steps).toBeTypeOf('function');
});

test('a condition without its explanation, example, fields, scopes or mutation does not compile', () => {
  expect(defineCondition(CLIMB).word).toBe('climb');
  const { help: _help, ...unexplained } = CLIMB;
  const { example: _example, ...withoutExample } = CLIMB;
  const { fields: _fields, ...withoutFields } = CLIMB;
  const { scopes: _scopes, ...withoutScopes } = CLIMB;
  const { mutation: _mutation, ...withoutMutation } = CLIMB;
  const conditions = () => [
    // @ts-expect-error no explanation
    defineCondition(unexplained),
    // @ts-expect-error no example
    defineCondition(withoutExample),
    // @ts-expect-error no fields, and so no schema
    defineCondition(withoutFields),
    // @ts-expect-error no scopes
    defineCondition(withoutScopes),
    // @ts-expect-error no mutation
    defineCondition(withoutMutation),
    // @ts-expect-error the word has no field
    defineCondition({ ...CLIMB, fields: {} }),
  ];
  expect(conditions).toBeTypeOf('function');
});

test('a kind of step without a player does not compile', () => {
  // @ts-expect-error `wait` has no player.
  const players: StepPlayers = {} as Omit<StepPlayers, 'wait'>;
  expect(players).toEqual({});
});
