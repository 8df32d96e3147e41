/** Simultaneous steps begin in the order of the file, or in another one. [scenario-language, Simultaneous work] */
import { describe, expect, test } from 'vitest';
import { permutation } from '../../../src/scenario/playing/simultaneous.ts';
import { playSmall, type SmallWorld, scenarioOf } from '../small-stage.ts';

describe('permutations', () => {
  test('are all different, in lexicographic order, and the first is the given one', () => {
    const all = Array.from({ length: 6 }, (_, number) => permutation(['a', 'b', 'c'], BigInt(number)).join(''));
    expect(all).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  });

  test('of one or none are that', () => {
    expect([permutation([], 0n), permutation(['a'], 0n)]).toEqual([[], ['a']]);
  });
});

/** The marks of each order, and the number of orders. */
async function ordersOf(steps: readonly string[], rest: readonly string[] = [], script?: (world: SmallWorld) => void) {
  const played = async (order: number) => {
    const { result, notices } = await playSmall(scenarioOf(steps, rest), script, { order });
    return { result, marks: notices.flatMap((one) => (one.kind === 'mark' ? [one.text] : [])).join(' ') };
  };
  const first = await played(0);
  const { orders: exist } = first.result;
  const all = [first.marks];
  for (let order = 1; order < exist; order++) all.push((await played(order)).marks);
  return { exist, all };
}

describe('are permuted', () => {
  test('the steps of "together"', async () => {
    expect(await ordersOf(['together: [{mark: A}, {mark: B}]', 'mark: C'])).toEqual({
      exist: 2,
      all: ['A B C', 'B A C'],
    });
  });

  test('two groups, each with each other', async () => {
    const { exist, all } = await ordersOf([
      'together: [{mark: A}, {mark: B}]',
      'together: [{mark: C}, {mark: D}, {mark: E}]',
    ]);
    expect(exist).toBe(12);
    expect(new Set(all).size).toBe(12);
    for (const marks of all) expect(marks).toMatch(/^[AB] [AB] [CDE] [CDE] [CDE]$/);
  });

  test('two reactions of "when" that are due at one instant', async () => {
    const rest = [
      'when:',
      '  - {first: {alert: sos}, after: 1s, steps: [{mark: A}]}',
      '  - {first: {alert: any}, after: 1s, steps: [{mark: B}]}',
    ];
    const script = (world: SmallWorld) => world.at(500, () => world.alert('a1', { type: 'sos' }));
    expect(await ordersOf(['wait: 5s'], rest, script)).toEqual({ exist: 2, all: ['A B', 'B A'] });
  });

  test('an "at" and an "after" that are due at one instant', async () => {
    const rest = ['when: [{first: {alert: sos}, after: 1s500ms, steps: [{mark: B}]}]'];
    const script = (world: SmallWorld) => world.at(500, () => world.alert('a1', { type: 'sos' }));
    expect(await ordersOf(['mark: A\n    at: 2s'], rest, script)).toEqual({ exist: 2, all: ['A B', 'B A'] });
  });

  test('actions, so that the second meets what the first has done', async () => {
    const callsOf = async (order: number) => {
      const steps = ['together: [{sos: {who: ana}}, {fall: {who: luis}}]'];
      const { world } = await playSmall(scenarioOf(steps), undefined, { order });
      return world.actions.map(({ action }) => action);
    };
    expect([await callsOf(0), await callsOf(1)]).toEqual([
      ['sos', 'fall'],
      ['fall', 'sos'],
    ]);
  });
});

describe('are not permuted', () => {
  test.each([
    ['steps one after the other', ['mark: A', 'mark: B'], 'A B'],
    ['steps at different instants', ['together: [{mark: A}, {do: {macro: later}}]'], 'A B'],
    ['the steps of one sequence', ['together: [{do: {macro: both}}, {wait: 1s}]'], 'A B'],
  ])('%s', async (_what, steps, marks) => {
    const rest = ['macros:', '  later: {steps: [{mark: B, after: 1s}]}', '  both: {steps: [{mark: A}, {mark: B}]}'];
    const { all } = await ordersOf(steps, rest);
    expect(new Set(all)).toEqual(new Set([marks]));
  });
});
