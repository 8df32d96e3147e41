/** YAML is read with the place of every key and value, and a mistake is reported below the line. */
import { describe, expect, test } from 'vitest';
import { inOrder } from '../../src/plant/mistakes.ts';
import { renderMistakes } from '../../src/plant/shown-mistakes.ts';
import { MAX_YAML_CHARACTERS, readYaml } from '../../src/plant/yaml-source.ts';

const reported = (text: string): string => {
  const { mistakes } = readYaml(text, 'x.yaml');
  return renderMistakes(mistakes, () => text);
};

describe('a mistake is shown', () => {
  const text = `${'\n'.repeat(7)}  - sos: {who: anna, with: watch_buton}\n`;

  test('exactly as the scenario language promises', () => {
    const source = readYaml(text, 'broken.scenario.yaml');
    const message = '"anna" is not a worker or a crowd. Did you mean "ana"?';
    const mistake = { file: source.file, ...source.placeOf([0, 'sos', 'who']), message };
    expect(renderMistakes([mistake], () => text)).toBe(
      `broken.scenario.yaml:8:16  "anna" is not a worker or a crowd. Did you mean "ana"?
    8 |   - sos: {who: anna, with: watch_buton}
      |                ^^^^`,
    );
  });

  test('without its line where the text is not at hand', () => {
    const mistake = { file: 'a.yaml', line: 2, column: 3, length: 1, message: 'Wrong.' };
    expect(renderMistakes([mistake], () => undefined)).toBe('a.yaml:2:3  Wrong.');
  });

  test('below its own word on a line with tabs and letters of two units', () => {
    const line = 'a:\t{😀: wrong}';
    const mistake = { file: 'a.yaml', line: 1, column: line.indexOf('wrong') + 1, length: 5, message: 'Wrong.' };
    expect(renderMistakes([mistake], () => line).split('\n')[2]).toBe('      |   \t    ^^^^^');
  });

  test('on a stretch of a very long line', () => {
    const line = `${'x'.repeat(500)}wrong${'y'.repeat(500)}`;
    const mistake = { file: 'a.yaml', line: 1, column: 501, length: 5, message: 'Wrong.' };
    const [, shown = '', carets = ''] = renderMistakes([mistake], () => line).split('\n');
    expect(shown.length).toBeLessThan(200);
    expect(shown.slice(carets.indexOf('^'), carets.length)).toBe('wrong');
  });

  test('without the escape sequences that a file could send to the terminal', () => {
    const mistake = { file: 'a.yaml', line: 1, column: 1, length: 1, message: 'No \u001b[2J.' };
    const out = renderMistakes([mistake], () => 'a: \u001b[31mred\u009b');
    expect(out).not.toMatch(/[\u001b\u009b]/);
    expect(out).toContain('a: \ufffd[31mred\ufffd');
  });

  test('once, and in the order of the lines', () => {
    const at = (line: number, column: number) => ({ file: 'a.yaml', line, column, length: 1, message: 'Wrong.' });
    expect(inOrder([at(2, 1), at(1, 9), at(1, 2), at(2, 1)])).toEqual([at(1, 2), at(1, 9), at(2, 1)]);
  });
});

test.each([
  '007',
  '1.10',
  '0x1F',
  '0o17',
  '1e3',
  '12345678901234567890',
  'true',
  'Null',
  '~',
  '.inf',
  '2026-01-01',
])('the key %s keeps its text, beside its value in another form', (key) => {
  const { value, mistakes } = readYaml(
    `zones:\n  ${key}: {x: 1}\n  7: a\n  1.1: b\n  31: c\n  "": d\n? ${key}\n: e`,
    'x.yaml',
  );
  expect(mistakes).toEqual([]);
  expect(value).toEqual({ zones: { [key]: { x: 1 }, 7: 'a', 1.1: 'b', 31: 'c', '': 'd' }, [key]: 'e' });
});

test('a key that is written twice in one form is repeated', () => {
  expect(reported('1.10: a\n"1.10": b')).toContain('"1.10" is repeated; it is on line 1 already.');
  expect(reported(': a')).toContain('A key is a word.');
});

describe('a place is', () => {
  const text = ['top:', '  list: [one, {two: 2}]', '  empty:', '  "quoted key": word', '  block:', '    - x'].join(
    '\r\n',
  );
  const source = readYaml(text, 'x.yaml');

  test.each([
    ['a value', ['top', 'list', 0], 'value', { line: 2, column: 10, length: 3 }],
    ['a key', ['top', 'list'], 'key', { line: 2, column: 3, length: 4 }],
    ['a value in a map in a list', ['top', 'list', 1, 'two'], 'value', { line: 2, column: 21, length: 1 }],
    ['the key where the value is empty', ['top', 'empty'], 'value', { line: 3, column: 3, length: 5 }],
    ['a quoted key with its quotes', ['top', 'quoted key'], 'key', { line: 4, column: 3, length: 12 }],
    ['the key of a block below it', ['top', 'block'], 'value', { line: 5, column: 3, length: 5 }],
    ['an item of a block', ['top', 'block', 0], 'value', { line: 6, column: 7, length: 1 }],
    ['the key of what should hold it', ['top', 'list', 1, 'missing'], 'value', { line: 2, column: 15, length: 8 }],
    ['the first letter for what the file lacks', ['missing'], 'value', { line: 1, column: 1, length: 1 }],
  ] as const)('%s', (_, path, spot, place) => {
    expect(source.mistakes).toEqual([]);
    expect(source.placeOf(path, spot)).toEqual(place);
  });

  test('the same after a byte order mark', () => {
    expect(readYaml(`\ufeff${text}`, 'x.yaml').placeOf(['top'], 'key')).toEqual({ line: 1, column: 1, length: 3 });
  });

  test('the first line of a text of several', () => {
    const folded = readYaml('a: {b: [1,\n  2]}\n', 'x.yaml');
    expect(folded.placeOf(['a', 'b'])).toEqual({ line: 1, column: 8, length: 3 });
  });
});

describe('a value is', () => {
  test('what YAML 1.2 says: on, off and no are words', () => {
    expect(readYaml('{a: on, b: no, c: 10:00, d: 1.2..1.6, e: 0x10, f: true, g: ~}', 'x.yaml').value).toEqual({
      a: 'on',
      b: 'no',
      c: '10:00',
      d: '1.2..1.6',
      e: 16,
      f: true,
      g: null,
    });
  });

  test('a key of its own even for __proto__', () => {
    const value = readYaml('{__proto__: {polluted: 1}}', 'x.yaml').value as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('blank where its mistake is reported, while the rest is read', () => {
    expect(readYaml('a: &x 1\nb: *x\nc: !!str 3\nd: 4\n', 'x.yaml').value).toStrictEqual({
      a: 1,
      b: undefined,
      c: undefined,
      d: 4,
    });
  });
});

describe('what is no part of the language', () => {
  test('is reported all at once', () => {
    expect(
      reported('a: &x 1\nb: *x\nc: !!str 3\na: 2\n? [1]\n: 2\n'),
    ).toBe(`x.yaml:1:4  &x is an anchor, and these files have none. Delete it and write the value out where it is used.
    1 | a: &x 1
      |    ^^
x.yaml:2:4  *x is an alias, and these files have none. Write the value out.
    2 | b: *x
      |    ^^
x.yaml:3:4  !!str is a tag, and these files have none. Delete it; put a text that looks like a number in quotes.
    3 | c: !!str 3
      |    ^^^^^
x.yaml:4:1  "a" is repeated; it is on line 1 already. Delete one.
    4 | a: 2
      | ^
x.yaml:5:3  A key is a word. Write the word, then a colon.
    5 | ? [1]
      |   ^^^`);
  });

  test('a directive could turn on into true', () => {
    expect(
      reported('%YAML 1.1\n---\nworn: on\n'),
    ).toBe(`x.yaml:1:1  %YAML 1.1 is a directive, and these files have none. Delete the line.
    1 | %YAML 1.1
      | ^^^^^^^^^`);
    expect(readYaml('%YAML 1.1\n---\nworn: on\n', 'x.yaml').value).toBeUndefined();
  });

  test('a bomb of aliases is not lit', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `k${i + 1}: &a${i + 1} [*a${i}, *a${i}]`);
    const { mistakes } = readYaml(['k0: &a0 [1, 1]', ...lines].join('\n'), 'x.yaml');
    expect(mistakes).toHaveLength(31 + 60);
  });
});

describe('a text that is no YAML', () => {
  test.each([
    ['a: {b: 1', 'x.yaml:1:8  A { is not closed. Write } where it ends.\n    1 | a: {b: 1\n      |        ^'],
    ['a: [1\n\n', 'x.yaml:1:5  A [ is not closed. Write ] where it ends.\n    1 | a: [1\n      |     ^'],
    ['a:\n\t- b', 'x.yaml:2:1  A tab cannot indent. Write spaces.\n    2 | \t- b\n      | ^'],
    ['x: "abc', 'x.yaml:1:7  A text in quotes does not end. Write " where it ends.\n    1 | x: "abc\n      |       ^'],
    ["x: 'abc", "x.yaml:1:7  A text in quotes does not end. Write ' where it ends.\n    1 | x: 'abc\n      |       ^"],
    [
      'p: @x',
      'x.yaml:1:4  A text cannot begin with @ unless it is in quotes. Put it in quotes.\n    1 | p: @x\n      |    ^',
    ],
    [
      'a: 1\n---\nb: 2\n',
      'x.yaml:2:1  A file is one document. Delete this line and what follows, or put it into a file of its own.\n    2 | ---\n      | ^^^',
    ],
    [
      'a: 1\n b: 2',
      'x.yaml:1:4  There is a key inside a value here. Indent the line as its neighbours are, or put the value in quotes.\n    1 | a: 1\n      |    ^',
    ],
    ['a: x\na', 'x.yaml:2:1  A colon is missing. Write it after the key.\n    2 | a\n      | ^'],
    [
      'a: "\\q"',
      'x.yaml:1:5  \\q is no escape. Write \\\\ for a backslash, or single quotes around the text.\n    1 | a: "\\q"\n      |     ^',
    ],
    [
      '- a\nb: 1',
      'x.yaml:2:1  This is not valid here. Check the indentation and the brackets of this line and the line before.\n    2 | b: 1\n      | ^',
    ],
  ])('%j', (text, message) => {
    expect(reported(text)).toBe(message);
    expect(readYaml(text, 'x.yaml').value).toBeUndefined();
  });

  test('may be nested so deeply that the parser gives up', () => {
    const { mistakes, value } = readYaml('['.repeat(20_000), 'x.yaml');
    expect(mistakes.map(({ message }) => message)).toEqual([
      'The file is nested too deeply to be read. Write at most 256 levels.',
    ]);
    expect(value).toBeUndefined();
  });

  test('may be longer than any file of ours', () => {
    const { mistakes } = readYaml('#'.repeat(MAX_YAML_CHARACTERS + 1), 'x.yaml');
    expect(mistakes.map(({ message }) => message)).toEqual(['The file is longer than 1048576 characters. Split it.']);
  });
});

test('a document is parsed once, also where others are read in between', () => {
  const texts = [0, 1, 2].map((n) => `key: ${n}\n`);
  const first = texts.map((text, n) => readYaml(text, `file-${n}.yaml`));
  expect(texts.map((text, n) => readYaml(text, `file-${n}.yaml`))).toEqual(first);
  for (const [n, source] of first.entries()) expect(readYaml(`key: ${n}\n`, `file-${n}.yaml`)).toBe(source);
  expect(readYaml('key: 7\n', 'file-0.yaml').value).toEqual({ key: 7 });
  expect(readYaml('key: 0\n', 'other.yaml')).not.toBe(first[0]);
});
