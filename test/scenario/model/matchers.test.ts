/** Matchers in their written form, compared with bodies of the API. */

import { describe, expect, test } from 'vitest';
import { placeIn } from '../../../src/plant/mistakes.ts';
import { readYaml, reportOn } from '../../../src/plant/yaml-source.ts';
import { mismatchTable } from '../../../src/scenario/judging/failure-text.ts';
import { type MatchContext, type Mismatch, mismatches } from '../../../src/scenario/model/matchers.ts';
import { NO_PLANTS } from '../../../src/scenario/model/plants.ts';
import { noSteps, readMatcher, type ScenarioReading } from '../../../src/scenario/model/read-matcher.ts';
import { ScenarioNames } from '../../../src/scenario/model/references.ts';

const around: MatchContext = {
  named: (name) => (name === 'fall' ? { kind: 'alert', id: 'f1', body: { id: 'f1', status: 'resolved' } } : undefined),
  workerIds: (who) => [`worker-${who}`],
};

/** Where the value, written in YAML as the value of `key`, does not fit. */
function missed(yaml: string, actual: unknown, key = 'it', before?: unknown): Mismatch[] {
  const source = readYaml(`${key}: ${yaml}`, 'x.yaml');
  const report = reportOn(source);
  const names = new ScenarioNames();
  names.give('fall', 'alert', 1, placeIn(report));
  const reading: ScenarioReading = placeIn(report, [key], {
    names,
    cast: new Map([['ana', ['ana']]]),
    receivers: [],
    companies: [],
    plants: NO_PLANTS,
    macros: new Map(),
    doing: [],
    values: {},
    readSteps: noSteps,
    placeOf: () => ({ file: '', line: 1 }),
  });
  const matcher = readMatcher((source.value as Record<string, unknown>)[key], reading, key);
  expect([...source.mistakes, ...report.mistakes]).toEqual([]);
  return mismatches(matcher!, actual, around, '', before);
}

const NO = false;
const YES = true;

describe('a value', () => {
  test.each<[yaml: string, actual: unknown, fits: boolean]>([
    ['high', 'high', YES],
    ['high', 'low', NO],
    ['high', null, NO],
    ['3', 3, YES],
    ['3', 4, NO],
    ['1041', '1041', YES],
    ['true', true, YES],
    ['true', false, NO],
    ['no', 'no', YES],
    ['10:00', '10:00', YES],
    ['null', null, YES],
    ['null', undefined, YES],
    ['null', 0, NO],
    ['any', 0, YES],
    ['any', '', YES],
    ['any', null, NO],
    ['any', undefined, NO],
    ['">= 3"', 3, YES],
    ['">= 3"', 2, NO],
    ['">= 3"', '4', NO],
    ['"< 2.5"', 2, YES],
    ['"> 3"', 3, NO],
    ['"<= 3"', 3, YES],
    ['35..45', 35, YES],
    ['35..45', 45, YES],
    ['35..45', 45.1, NO],
    ['1.2..1.6', 1.5, YES],
    ['/integr/', 'via integration', YES],
    ['/^integr/', 'via integration', NO],
    ['/INTEGR/i', 'via integration', YES],
    ['"not high"', 'low', YES],
    ['"not high"', 'high', NO],
    ['"not null"', 'x', YES],
    ['"not null"', null, NO],
    ['"not any"', null, YES],
    ['"not 3"', 3, NO],
    ['"one of high, low"', 'low', YES],
    ['"one of high, low"', 'medium', NO],
    ['"one of 2, null"', null, YES],
    ['$fall', 'f1', YES],
    ['$fall', { id: 'f1', status: 'open' }, YES],
    ['$fall', 'f2', NO],
    ['$fall.status', 'resolved', YES],
    ['$fall.status', 'open', NO],
    ['"not $fall"', 'f2', YES],
    ['[a, b]', ['a', 'b'], YES],
    ['[a, b]', ['b', 'a'], NO],
    ['[a]', ['a', 'b'], NO],
    ['[]', [], YES],
    ['{contains: a}', ['b', 'a'], YES],
    ['{contains: c}', ['b', 'a'], NO],
    ['{contains: [a, b]}', ['c', 'b', 'a'], YES],
    ['{contains: {n: 2}}', [{ n: 1 }, { n: 2, m: 3 }], YES],
    ['{contains: {n: 2, m: 4}}', [{ n: 1 }, { n: 2, m: 3 }], NO],
    ['{contains: ain}', 'Sprained ankle: pain', YES],
    ['{a: 1}', { a: 1, b: 2 }, YES],
    ['{a: 1, b: 3}', { a: 1, b: 2 }, NO],
    ['{a: {b: any}}', { a: { b: 1, c: 2 } }, YES],
    ['{a: {b: any}}', { a: null }, NO],
    ['{constructor: any}', {}, NO],
  ])('%s against %o: %s', (yaml, actual, fits) => {
    expect(missed(yaml, actual).length === 0).toBe(fits);
  });

  test.each<[yaml: string, actual: unknown, fits: boolean]>([
    ['ana', { id: 'worker-ana', name: 'Ana Ruiz' }, YES],
    ['ana', { id: 'worker-luis' }, NO],
    ['ana', null, NO],
    ['"not ana"', { id: 'worker-luis' }, YES],
    ['{name: Ana Ruiz}', { id: 'worker-ana', name: 'Ana Ruiz' }, YES],
    ['null', null, YES],
  ])('%s, where a worker is meant, against %o: %s', (yaml, actual, fits) => {
    expect(missed(yaml, actual, 'worker').length === 0).toBe(fits);
  });

  test('"+1" is one more than in the version before', () => {
    expect(missed('{n: "+1"}', { n: 3 }, 'it', { n: 2 })).toEqual([]);
    expect(missed('{n: "+1"}', { n: 2 }, 'it', { n: 2 })).toEqual([{ path: 'n', expected: '+1', got: '2' }]);
    expect(missed('{n: "+1"}', { n: 1 })).toHaveLength(1);
  });
});

describe('what does not fit is reported by path', () => {
  test('expected and got as people write them', () => {
    const actual = { details: { trigger: 'watch_button', n: 4 }, worker: null, list: [{ a: 1 }, { a: 2, b: 3 }] };
    expect(
      missed('{details: {trigger: after_fall, n: 5..9}, worker: any, list: {contains: {a: 2, b: 4}}, more: x}', actual),
    ).toEqual([
      { path: 'details.trigger', expected: 'after_fall', got: 'watch_button' },
      { path: 'details.n', expected: '5..9', got: '4' },
      { path: 'worker', expected: 'any', got: 'null' },
      { path: 'list[1].b', expected: '4', got: '3' },
      { path: 'more', expected: 'x', got: '(absent)' },
    ]);
  });

  test('multi-line values are one line, however long; a terminal cuts it, a file has it whole', () => {
    const [miss] = missed('x', `a\n${'b'.repeat(200)}`);
    expect(miss?.got).toMatch(/^a b{200}$/);
    expect(mismatchTable(miss === undefined ? [] : [miss])[0]).toMatch(/ got a b{57}…$/);
    expect(mismatchTable(miss === undefined ? [] : [miss], true)[0]).toMatch(/ got a b{200}$/);
  });
});
