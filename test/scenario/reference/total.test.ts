/** The tables of the language are total by their types: this file does not compile where one may have a gap. */
import { expect, test } from 'vitest';
import type { StepPlayers } from '../../../src/scenario/playing/player.ts';
import { STEP_KINDS } from '../../../src/scenario/reading/step-kinds.ts';
import { editorSchema } from '../../../src/scenario/reference/editor-schema.ts';
import type { OwnStepDocs } from '../../../src/scenario/reference/step-catalogue.ts';

test('a kind of step without a player, and a step without documentation, do not compile', () => {
  // @ts-expect-error `wait` has no player.
  const players: StepPlayers = {} as Omit<StepPlayers, 'wait'>;
  // @ts-expect-error `mark` has no documentation.
  const docs: OwnStepDocs = {} as Omit<OwnStepDocs, 'mark'>;
  expect([players, docs]).toEqual([{}, {}]);
});

test('the schema for editors knows every step', () => {
  const { step } = editorSchema()['definitions'] as { step: { properties: object } };
  expect(Object.keys(step.properties)).toEqual(expect.arrayContaining([...STEP_KINDS.keys()]));
});
