/** Messages about a scenario name a value as it is written, and propose what is meant. */
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { mistakesTextOf } from '../small-stage.ts';
import { wholeScenario } from '../whole-stage.ts';

const FILE = 'short.scenario.yaml';
const loaded = (text: string, more: Parameters<typeof loadScenario>[1] = {}) =>
  loadScenario(FILE, { ...more, read: (path) => (path === FILE ? text : undefined) });

test.each(['3s', '1m30s', '2s..5s'])('wait_for with the time %s proposes wait', (time) => {
  expect(mistakesTextOf(wholeScenario(`- wait_for: ${time}`))).toContain(`Write wait: ${time}.`);
});

describe('a number', () => {
  test.each(['1.10', '007', '0x1F'])('%s as a note inside the braces moves with its text', (number) => {
    const text = mistakesTextOf(wholeScenario(`- sos: {who: ana, note: ${number}}`));
    expect(text).toContain(`on its own line: note: "${number}".`);
    expect(text).not.toContain('Put it in quotes');
  });

  test('from the command line is named as it was written there', () => {
    const text = wholeScenario('- sos: $w', 'params: {w: ana}');
    const { text: mistakes } = loaded(text, { set: { w: 7 }, setTexts: { w: '007' } }) as { text: string };
    expect(mistakes).toContain(`Put its value in quotes, in --set 'w="007"'.`);
  });
});

test('a worker whom no step names is used if there is a muster, and is not if there is none', () => {
  const warningsOf = (steps: string): string[] => {
    const read = loaded(wholeScenario(steps));
    return read.ok ? read.warnings.map(({ message }) => message) : [read.text];
  };
  const unused = expect.stringContaining('The worker "luis" is not used');
  const check = '- sos: {who: ana}\n- expect: {alert: sos}\n  within: 1s';
  expect(warningsOf(check)).toContainEqual(unused);
  expect(warningsOf(`${check}\n- start_muster: {kind: general}`)).not.toContainEqual(unused);
});
