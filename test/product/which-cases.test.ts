/** Which runs of a matrix `--case` asks for: of one name either value, of several names each. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandError } from '../../src/cli/output.ts';
import { plannedRuns } from '../../src/cli/run/plan.ts';
import { ownFolder } from '../helpers/own-folder.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const file = join(folder.path, 'cases.scenario.yaml');
writeFileSync(
  file,
  `scenario: Many cases
site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
matrix: {fault: [301, 404, reset], side: [left, right]}
workers: {ana: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
  - receiver: {name: erp, does: $fault}
  - mark: $side
`,
);

const runsOf = (...cases: string[]): string[] =>
  plannedRuns({
    files: [file],
    named: [file],
    set: {},
    cases,
    seeds: [],
    order: 0,
    shufflesTies: false,
    orders: null,
    seed: undefined,
  }).map(({ values }) => `${String(values?.['fault'])} ${String(values?.['side'])}`);

const refusalOf = (...cases: string[]): string => {
  try {
    runsOf(...cases);
  } catch (error) {
    if (error instanceof CommandError) return [error.message, ...error.actions].join(' ').replaceAll(file, 'F');
    throw error;
  }
  return 'nothing was wrong';
};

describe('--case', () => {
  test.each([
    ['one value', ['fault=404'], ['404 left', '404 right']],
    ['two values of one name', ['fault=301', 'fault=404'], ['301 left', '301 right', '404 left', '404 right']],
    ['values of two names', ['fault=301', 'side=left'], ['301 left']],
    ['either of one name, and one of another', ['fault=301', 'side=left', 'fault=reset'], ['301 left', 'reset left']],
    ['the same value twice', ['fault=404', 'fault=404'], ['404 left', '404 right']],
  ])('with %s', (_with, cases, expected) => {
    expect(runsOf(...cases)).toEqual(expected);
  });

  test.each([
    [
      'a value that no case has',
      ['fault=503'],
      '--case fault=503: there is no such case in F. It has fault=301, fault=404, fault=reset.',
    ],
    [
      'a misspelt value',
      ['side=lefft'],
      '--case side=lefft: there is no such case in F. Did you mean side=left? It has side=left, side=right.',
    ],
    [
      'an unknown value beside a known one',
      ['side=left', 'side=up'],
      '--case side=up: there is no such case in F. It has side=left, side=right.',
    ],
    [
      'an unknown name',
      ['fualt=301'],
      '--case fualt=301: "fualt" is no name of a case of F. Did you mean "fault"? It has fault, side.',
    ],
    [
      'a name without a value',
      ['fault'],
      '--case fault: there is no such case in F. It has fault=301, fault=404, fault=reset.',
    ],
  ])('with %s is wrong usage, and tells those known', (_with, cases, message) => {
    expect(refusalOf(...cases)).toBe(message);
  });
});

test('a value in another Unicode form is the same case', () => {
  const other = join(folder.path, 'forms.scenario.yaml');
  writeFileSync(other, readFileSync(file, 'utf8').replace('left', 'Süd'));
  const runs = plannedRuns({
    files: [other],
    named: [other],
    set: {},
    cases: ['side=Süd'.normalize('NFD')],
    seeds: [],
    order: 0,
    shufflesTies: false,
    orders: null,
    seed: undefined,
  });
  expect(runs.map(({ values }) => values?.['side'])).toEqual(['Süd', 'Süd', 'Süd']);
});
