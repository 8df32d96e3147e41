/** Cases from a CSV file, the setup of parts, and the selection of scenarios by their tags. [scenario-language, Scenario files and keys, Command line] */
import { describe, expect, test } from 'vitest';
import { isTagExpression, readTagExpression } from '../../../src/cli/scenarios/tag-expression.ts';
import { scalarOf } from '../../../src/scenario/reading/cases-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { filesOf, scenarioOf } from '../small-stage.ts';

const FILE = 'x.scenario.yaml';
const load = (text: string, files: Readonly<Record<string, string>>, set = {}) =>
  loadScenario(FILE, { read: filesOf({ [FILE]: text, ...files }), set });
const mistakesOf = (text: string, files: Readonly<Record<string, string>>) => {
  const loaded = load(text, files);
  return loaded.ok ? [] : loaded.mistakes.map(({ file, line, message }) => `${file}:${line} ${message}`);
};

describe('cases from a CSV file', () => {
  const scenario = scenarioOf(['battery: {who: ana, pct: $pct}'], ['cases: data/cases.csv']);
  const casesOf = (csv: string) => {
    const loaded = load(scenario, { 'data/cases.csv': csv });
    return loaded.ok ? loaded.cases : loaded.text;
  };

  test('are those of its rows, with the names of the first one', () => {
    expect(casesOf('pct,why\n5,flat\n60,"half, or more"\n')).toEqual([
      { pct: 5, why: 'flat' },
      { pct: 60, why: 'half, or more' },
    ]);
  });

  test.each([
    ['with CR LF and a byte order mark', '\uFEFFpct,note\r\n5,"two\r\nlines"\r\n', [{ pct: 5, note: 'two\r\nlines' }]],
    ['without a line end at the end', 'pct\n5', [{ pct: 5 }]],
    ['with quotes in quotes', 'pct,note\n5,"say ""no"""', [{ pct: 5, note: 'say "no"' }]],
    ['with empty lines', 'pct\n\n5\n\n', [{ pct: 5 }]],
  ])('%s', (_what, csv, cases) => {
    expect(casesOf(csv)).toEqual(cases);
  });

  test.each([
    ['', null],
    ['~', null],
    ['null', null],
    ['true', true],
    ['no', 'no'],
    ['030', 30],
    ['0x1F', 31],
    ['-2.5', -2.5],
    ['1e3', 1000],
    ['30s', '30s'],
    ['[1, 2]', '[1, 2]'],
    ['{a: 1}', '{a: 1}'],
    ['# no comment', '# no comment'],
    [' padded ', 'padded'],
  ])('a cell is read as a plain scalar of YAML: %j', (cell, value) => {
    expect(scalarOf(cell)).toEqual(value);
  });

  test.each([
    ['a missing file', {}, 'data/cases.csv does not exist. Write a path relative to this file, or a list of cases.'],
    ['only names', { 'data/cases.csv': 'pct\n' }, 'data/cases.csv has no cases. Write a row of names'],
    ['nothing', { 'data/cases.csv': '' }, 'data/cases.csv has no cases.'],
    ['a name twice', { 'data/cases.csv': 'pct,pct\n1,2\n' }, 'data/cases.csv:1 has the name "pct" twice.'],
    ['a row too long', { 'data/cases.csv': 'pct\n1\n2,3\n' }, 'data/cases.csv:3 has 2 cells, and the first row has 1.'],
    [
      'an open quote',
      { 'data/cases.csv': 'pct\n"1\n' },
      'data/cases.csv:2, cell 1 is not CSV: a quote is not closed. Write " at the end of the cell.',
    ],
    [
      'text after a quote',
      { 'data/cases.csv': 'why,pct\nx,"1"2\n' },
      'data/cases.csv:2, cell 2 is not CSV: text follows a quote that ends the cell. Write "" for a quote in a cell.',
    ],
    [
      'a name that is none',
      { 'data/cases.csv': 'pct,"a b"\n1,2\n' },
      'data/cases.csv:1, cell 2: "a b" is not a name. Write letters and digits, the first a letter.',
    ],
    [
      'semicolons',
      { 'data/cases.csv': 'why;pct\nx;1\n' },
      'data/cases.csv:1 says that semicolons (;) separate the cells.',
    ],
    ['tabs', { 'data/cases.csv': 'why\tpct\nx\t1\n' }, 'data/cases.csv:1 says that tabs separate the cells.'],
    [
      'a separator line',
      { 'data/cases.csv': '\uFEFFsep=;\r\nwhy;pct\r\nx;1\r\n' },
      'data/cases.csv:1 says that semicolons (;) separate the cells. Delete the line "sep=;".',
    ],
    [
      'a separator line for commas',
      { 'data/cases.csv': '"sep=,"\nwhy,pct\nx,1\n' },
      'data/cases.csv:1 says that commas separate the cells. Delete the line',
    ],
  ])('%s is the only mistake, at "cases"', (_what, files, message) => {
    const everywhere = scenario.replace('luis: {in: Dock}', 'luis: {in: $zone}');
    if (/twice|has 2 cells/.test(message)) expect(mistakesOf(scenario, files)[0]).toContain(message);
    else expect(mistakesOf(everywhere, files)).toEqual([expect.stringContaining(`${FILE}:8 ${message}`)]);
  });

  test.each([
    ['a number in quotes', '"60"', 'If it is not a text, delete the quotes of that cell: 60.'],
    [
      'a number out of range',
      '101',
      'must be between 0 and 100. The value of $pct is at data/cases.csv:3, column pct.',
    ],
    ['a text', 'full', 'must be a whole number. The value of $pct is at data/cases.csv:3, column pct.'],
  ])('name the cell of a mistake: %s', (_what, cell, message) => {
    const loaded = loadScenario(FILE, {
      read: filesOf({ [FILE]: scenario, 'data/cases.csv': `why,pct\nx,1\ny,${cell}\n` }),
      values: { why: 'y', pct: cell === '101' ? 101 : cell.replaceAll('"', '') },
    });
    expect(loaded.ok ? '' : loaded.text).toContain(message);
    expect(loaded.ok ? '' : loaded.text).toContain('data/cases.csv:3, column pct');
  });

  test('name the cell of a number in quotes that a check compares with a number', () => {
    const check = scenarioOf(['check: {device: ana, battery: $pct}'], ['cases: data/cases.csv']);
    expect(mistakesOf(check, { 'data/cases.csv': 'pct\n"60"\n' })).toEqual([
      `${FILE}:7 "battery" is a number, and never the text "60". Write 60 without quotes. The value of $pct is at data/cases.csv:2, column pct. If it is not a text, delete the quotes of that cell: 60.`,
    ]);
  });

  test('are told from a value of the command line', () => {
    const loaded = load(scenarioOf(['enter: {who: ana, zone: $zone}'], ['params: {zone: Gate}']), {}, { zone: 1.1 });
    expect(loaded.ok ? '' : loaded.text).toContain(`not a text. Put its value in quotes, in --set 'zone="..."'.`);
  });

  test('keep the text of a cell in quotes', () => {
    expect(casesOf('pct,a,b\n5,"007",007\n')).toEqual([{ pct: 5, a: '007', b: 7 }]);
  });

  test('with a misspelt name tell the names of the columns', () => {
    const files = { 'data/cases.csv': 'pcct,zoen\n5,Dock\n' };
    const other = scenario.replace('luis: {in: Dock}', 'luis: {in: $zone}');
    expect(mistakesOf(other, files)).toEqual([
      `${FILE}:4 $zone is not a parameter or case. Did you mean $zoen? The file of cases has the columns pcct, zoen.`,
      `${FILE}:7 $pct is not defined before this line. Did you mean $pcct? The file of cases has the columns pcct, zoen.`,
    ]);
    for (const [step, message] of [
      ['sos: {who: $who}', '"$who" is not a worker or a crowd. Write ana or luis.'],
      ['wait: $who', '$who is not a duration. Write 30s, 2m or 1h30m.'],
    ] as const)
      for (const header of ['woh', 'WHO', 'who_'])
        expect([
          step,
          header,
          ...mistakesOf(scenarioOf([step], ['cases: data/cases.csv']), { 'data/cases.csv': `${header}\nx\n` }),
        ]).toEqual([
          step,
          header,
          expect.stringContaining(`${message} The file of cases has the columns ${header}. Did you mean $${header}?`),
        ]);
  });
});

describe('the setup of parts', () => {
  const steps = (text: string, files: Readonly<Record<string, string>>) => {
    const loaded = load(text, files);
    return loaded.ok
      ? loaded.scenario.steps.map(({ file, line, text: step }) => `${file}:${line} ${step}`)
      : loaded.text;
  };
  const using = (...parts: string[]) =>
    scenarioOf(['check: {alert: $call}']).replace('use: [site.yaml]', `use: [site.yaml, ${parts.join(', ')}]`);

  test('runs before the steps of the file, in the order of "use", and its names are known there', () => {
    const files = {
      'a.yaml': 'part: A\nsetup:\n  - mark: In A\n  - sos: {who: ana}\n    as: call\n',
      'b.yaml': 'part: B\nuse: [c.yaml]\nsetup:\n  - mark: In B\n',
      'c.yaml': 'part: C\nsetup: [{mark: In C}]\n',
    };
    expect(steps(using('b.yaml', 'a.yaml'), files)).toEqual([
      'c.yaml:2 In C',
      'b.yaml:4 In B',
      'a.yaml:3 In A',
      'a.yaml:4 sos ana',
      'x.scenario.yaml:7 check alert $call',
    ]);
  });

  test('runs once for a part that two others use', () => {
    const files = {
      'a.yaml': 'part: A\nuse: [c.yaml]\nsetup: [{mark: In A}]\n',
      'b.yaml': 'part: B\nuse: [c.yaml]\nsetup: [{mark: In B}]\n',
      'c.yaml': 'part: C\nsetup: [{sos: {who: ana}, as: call}]\n',
    };
    expect(steps(using('a.yaml', 'b.yaml'), files)).toEqual([
      'c.yaml:2 sos ana',
      'a.yaml:3 In A',
      'b.yaml:3 In B',
      'x.scenario.yaml:7 check alert $call',
    ]);
  });

  test('has its mistakes in the part, and belongs in none but a part', () => {
    const files = { 'a.yaml': 'part: A\nsetup:\n  - mark: In A\n  - sos: {who: anna}\n    as: call\n' };
    expect(mistakesOf(using('a.yaml'), files)).toEqual([
      'a.yaml:4 "anna" is not a worker or a crowd. Did you mean "ana"?',
    ]);
    expect(mistakesOf(`setup: [{mark: A}]\n${scenarioOf(['wait: 1s'])}`, {})).toEqual([
      `${FILE}:1 A scenario has no "setup". It belongs in the file that uses this one.`,
    ]);
  });
});

describe('a tag expression', () => {
  const selected = (text: string) => {
    const { selects } = readTagExpression(text);
    const scenarios = { a: ['smoke'], b: ['smoke', 'slow'], c: ['slow', 'night'], d: [] };
    return Object.entries(scenarios).flatMap(([name, tags]) => (selects(tags) ? [name] : []));
  };

  test.each([
    ['tag:smoke', ['a', 'b']],
    ['tag:smoke and not tag:slow', ['a']],
    ['not tag:smoke', ['c', 'd']],
    ['not not tag:smoke', ['a', 'b']],
    ['tag:smoke and tag:slow or tag:night', ['b', 'c']],
    ['tag:night or tag:smoke and tag:slow', ['b', 'c']],
    ['(tag:night or tag:smoke) and not(tag:slow)', ['a']],
    ['not (tag:smoke or tag:slow)', ['d']],
  ])('%s', (text, names) => {
    expect(isTagExpression(text)).toBe(true);
    expect(selected(text)).toEqual(names);
  });

  test.each([
    ['tag:smoke and', 'A tag is missing at the end'],
    ['tag:smoke tag:slow', '"tag:slow" is no "and" or "or"'],
    ['(tag:smoke', 'A closing parenthesis is missing at the end'],
    ['tag:smoke or slow', '"slow" is no tag'],
    ['tag:', '"tag:" is no tag'],
  ])('%s is wrong usage', (text, message) => {
    expect(() => readTagExpression(text)).toThrow(message);
  });

  test.each(['scenarios', 'tagged.scenario.yaml', './tag:smoke', 'nothing'])('%s is none', (word) => {
    expect(isTagExpression(word)).toBe(false);
  });
});

test('a tag in another Unicode form selects the same scenarios', () => {
  const { selects } = readTagExpression('tag:nächtlich and not tag:früh'.normalize('NFD'));
  expect(selects(['nächtlich'])).toBe(true);
  expect(selects(['nächtlich', 'früh'])).toBe(false);
});
