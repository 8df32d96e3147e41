/** A name that a step of another case binds has no value in this one, and the message says which line would bind it. [scenario-language, Modifiers] */
import { expect, test } from 'vitest';
import { mistakesTextOf, scenarioOf } from '../small-stage.ts';

const cases = 'cases: [{side: left}, {side: right}]';
const bound = 'sos: {who: ana}\n    as: call\n    only: {side: right}';
const nested = 'together: [{sos: {who: ana}, as: call}]\n    only: {side: right}';

test.each([
  ['a step', scenarioOf([bound, 'expect: {alert: $call}'], [cases]), 'Write the same "only" beside this step.'],
  [
    'a step after nested ones',
    scenarioOf([nested, 'expect: {alert: $call}'], [cases]),
    'Write the same "only" beside this step.',
  ],
  ['a rule', scenarioOf([bound], [cases, 'rules: [{never: {alert: $call}}]']), 'Bind it in every case.'],
])('in %s', (_what, text, fix) => {
  expect(mistakesTextOf(text)).toMatch(/\$call has no value in this case: the "only" of line 7 names other cases\. /);
  expect(mistakesTextOf(text)).toContain(fix);
});

test('of the same case is known', () => {
  const same = bound.replace('right', 'left');
  expect(mistakesTextOf(scenarioOf([same, 'check: {alert: $call}\n    only: {side: left}'], [cases]))).toBe('');
});
