/** The fixes of `validate --fix`, and the mistakes that it leaves to a person. [scenario-language, Messages] */
import { describe, expect, test } from 'vitest';
import { mendFiles } from '../../../src/scenario/mend/mend-files.ts';
import { unifiedDiff } from '../../../src/scenario/mend/unified-diff.ts';
import { filesOf, SITE, scenarioOf } from '../small-stage.ts';

const FILE = 'x.scenario.yaml';

const mendedIn = (files: Readonly<Record<string, string>>) => {
  const read = filesOf(files);
  const mending = mendFiles([FILE], () => read);
  const after = Object.fromEntries(mending.files.map((one) => [one.file, one.after]));
  const again = mendFiles([FILE], () => (path) => after[path] ?? read(path));
  return { ...mending, after, again };
};

/** The steps after the mending, without the head of the scenario. */
const stepsAfter = (step: string, rest: readonly string[] = []): string => {
  const text = scenarioOf([step], rest);
  const { after, again } = mendedIn({ [FILE]: text });
  expect(again.files).toEqual([]);
  const whole = after[FILE] ?? text;
  return whole.slice(whole.indexOf('steps:\n') + 'steps:\n'.length);
};

describe('a modifier inside the braces moves beside the step', () => {
  test.each([
    ['in braces', 'expect: {alert: sos, within: 5s}', '  - expect: {alert: sos}\n    within: 5s'],
    ['the first key', 'expect: {within: 5s, alert: sos}', '  - expect: {alert: sos}\n    within: 5s'],
    [
      'two of them, in their order',
      'expect: {alert: sos, within: 5s, as: it}',
      '  - expect: {alert: sos}\n    within: 5s\n    as: it',
    ],
    ['between others', 'fall: {who: ana, after: 3s, answers: ok}', '  - fall: {who: ana, answers: ok}\n    after: 3s'],
    ['with comments', 'sos: {who: ana, after: 3s}   # she slips', '  - sos: {who: ana}   # she slips\n    after: 3s'],
    [
      'beside one that is right',
      'expect: {alert: sos, within: 5s}\n    note: Hm',
      '  - expect: {alert: sos}\n    within: 5s\n    note: Hm',
    ],
    [
      'in lines',
      'expect:\n      alert: sos\n      within: 5s   # why\n      severity: any',
      '  - expect:\n      alert: sos\n      severity: any\n    within: 5s   # why',
    ],
    [
      'in lines, the last',
      'expect:\n      alert: sos\n      within: 5s',
      '  - expect:\n      alert: sos\n    within: 5s',
    ],
    [
      'in braces over lines',
      'expect: {alert: sos,\n             within: 5s}',
      '  - expect: {alert: sos}\n    within: 5s',
    ],
    ['in a step in braces', '{expect: {alert: sos, within: 5s}}', '  - {expect: {alert: sos}, within: 5s}'],
    [
      'deep inside',
      'together:\n      - repeat: {times: 2, steps: [{sos: {who: ana, after: 1s}}]}',
      '  - together:\n      - repeat: {times: 2, steps: [{sos: {who: ana}, after: 1s}]}',
    ],
    [
      'with a range and a text in quotes',
      'sos: {who: ana, note: "a, b: c", after: 1s..3s}',
      '  - sos: {who: ana}\n    note: "a, b: c"\n    after: 1s..3s',
    ],
  ])('%s', (_where, step, expected) => {
    expect(stepsAfter(step)).toBe(expected);
  });

  test('also of rules', () => {
    const rest = ['rules:', '  - every: {event: alert.*, delivered_to: erp}'];
    expect(stepsAfter('wait: 1s', rest)).toBe(
      '  - wait: 1s\nrules:\n  - every: {event: alert.*}\n    delivered_to: erp',
    );
  });

  test('in a file with the line ends of Windows and a byte order mark', () => {
    const text = `\ufeff${scenarioOf(['expect: {alert: sos, within: 5s}', 'wait: 1s']).replaceAll('\n', '\r\n')}\r\n`;
    const { after } = mendedIn({ [FILE]: text });
    expect(after[FILE]).toBe(text.replace(', within: 5s}', '}\r\n    within: 5s'));
  });
});

describe('a word with one wrong letter is corrected where one word can be meant', () => {
  test.each([
    ['a person', 'sos: {who: anna}', '  - sos: {who: ana}'],
    ['a person in a list', 'sos: {who: [ana, lius]}', '  - sos: {who: [ana, luis]}'],
    ['a key', 'fall: {who: ana, anwers: ok}', '  - fall: {who: ana, answers: ok}'],
    ['a step', 'sso: {who: ana}', '  - sos: {who: ana}'],
    ['a value', 'sos: {who: ana, with: watch_buton}', '  - sos: {who: ana, with: watch_button}'],
    ['a value in quotes', 'sos: {who: ana, with: "watch_buton"}', '  - sos: {who: ana, with: "watch_button"}'],
    ['a zone', 'enter: {who: ana, zone: Dok}', '  - enter: {who: ana, zone: Dock}'],
    ['a field of an alert', 'check: {alert: sos, sttus: any}', '  - check: {alert: sos, status: any}'],
    [
      'a word among others',
      'check: {alert: sos, severity: "one of high, critcal"}',
      '  - check: {alert: sos, severity: "one of high, critical"}',
    ],
    [
      'a name',
      'expect: {alert: sos}\n    as: fall\n  - check: {alert: $fal}',
      '  - expect: {alert: sos}\n    as: fall\n  - check: {alert: $fall}',
    ],
    ['a key that stood in the braces', 'fall: {whoo: ana, after: 3s}', '  - fall: {who: ana}\n    after: 3s'],
  ])('%s', (_what, step, expected) => {
    expect(stepsAfter(step)).toBe(expected);
  });

  test('a key of the file, after which its steps are read', () => {
    const text = scenarioOf(['sos: {who: anna}']).replace('steps:', 'stepz:');
    expect(mendedIn({ [FILE]: text }).after[FILE]).toBe(scenarioOf(['sos: {who: ana}']));
  });

  test('in a part, which is written too', () => {
    const part = SITE.replace('work_area', 'work_aera');
    const { after, files } = mendedIn({ [FILE]: scenarioOf(['sos: {who: anna}']), 'site.yaml': part });
    expect(files.map(({ file }) => file)).toEqual(expect.arrayContaining([FILE, 'site.yaml']));
    expect(after['site.yaml']).toBe(SITE);
  });
});

describe('what a person has to decide is left', () => {
  test.each([
    ['two words as near', 'sos: {who: an}', (text: string) => text.replace('luis:', 'anb:')],
    ['two wrong letters', 'enter: {who: ana, zone: Dooock}', (text: string) => text],
    ['a number without a unit', 'wait: 20', (text: string) => text],
    ['a modifier that is there already', 'expect: {alert: sos, within: 5s}\n    within: 4s', (text: string) => text],
    ['a modifier that means nothing there', 'sos: {who: ana, within: 5s}', (text: string) => text],
    ['a file that is no YAML', 'sos: {who: anna', (text: string) => text],
    ['nothing', 'sos: {who: ana}', (text: string) => text],
  ])('%s', (_what, step, changed) => {
    const { files, fixes, diff } = mendedIn({ [FILE]: changed(scenarioOf([step])) });
    expect({ files, fixes, diff }).toEqual({ files: [], fixes: [], diff: '' });
  });
});

test('a wrong argument of a macro is mended where it is written', () => {
  const rest = ['macros:\n  press: {params: [who], steps: [{sos: {who: $who}}]}'];
  const { files, fixes } = mendedIn({ [FILE]: scenarioOf(['do: {macro: press, with: {who: anna}}'], rest) });
  expect(fixes).toHaveLength(1);
  expect(files[0]?.after).toContain('with: {who: ana}');
});

test('what is left is reported with its places after the mending', () => {
  const { left, fixes } = mendedIn({ [FILE]: scenarioOf(['fall: {who: ana, after: 3s}', 'wait: 20']) });
  expect(fixes).toHaveLength(1);
  expect(left.get(FILE)?.mistakes.map(({ line }) => line)).toEqual([9]);
});

describe('the diff', () => {
  const lines = (...all: (string | number)[]): string => `${all.join('\n')}\n`;
  const TEN = Array.from({ length: 10 }, (_, i) => i + 1);

  test.each([
    ['equal texts', lines(1, 2), lines(1, 2), ''],
    [
      'one line',
      lines(...TEN),
      lines(...TEN).replace('5', 'five'),
      '--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
    ],
    ['a line more at the end', lines(1), lines(1, 2), '--- f\n+++ f\n@@ -1,1 +1,2 @@\n 1\n+2'],
    [
      'two places far apart',
      lines(...TEN, ...TEN),
      lines('one', ...TEN.slice(1), ...TEN.slice(0, 9), 'ten'),
      '--- f\n+++ f\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -17,4 +17,4 @@\n 7\n 8\n 9\n-10\n+ten',
    ],
  ])('of %s', (_what, before, after, expected) => {
    expect(unifiedDiff('f', before, after)).toBe(expected);
  });
});
