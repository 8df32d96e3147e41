/** The tables of handlers have a place for each action of the catalogue: these sentences are about types, and `npm run check` judges them. */
import { expectTypeOf, test } from 'vitest';
import type { ActionName } from '../../src/contract/actions.ts';
import type { ForEachTable, OnceTable } from '../../src/sandbox/actions/act.ts';

test('every action of the catalogue is in one of them, and nothing else', () => {
  expectTypeOf<keyof ForEachTable | keyof OnceTable>().toEqualTypeOf<ActionName>();
});

test('an action that may be told with and without people is in both', () => {
  expectTypeOf<keyof ForEachTable & keyof OnceTable>().toEqualTypeOf<'broker' | 'heat'>();
});

test('a table that lacks one does not compile', () => {
  expectTypeOf<Omit<ForEachTable, 'sos'>>().not.toExtend<ForEachTable>();
  expectTypeOf<Omit<OnceTable, 'wind'>>().not.toExtend<OnceTable>();
});

test('a handler that reads fields of another action does not compile', () => {
  expectTypeOf<Omit<OnceTable, 'wind'> & { wind: OnceTable['hazard'] }>().not.toExtend<OnceTable>();
});
