/** One vocabulary for all screens: signs that cannot be mistaken for each other, short words that fit, colours that can be read; and no screen has a table of its own. [decisions 10] */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PALETTE } from '../../src/contract/resources/palette.ts';
import { sgrOf, type TerminalGround, terminalColour } from '../../src/contract/resources/terminal-colours.ts';
import { COLOUR_TOKENS, type ColourToken, type Term, VOCABULARY } from '../../src/contract/resources/vocabulary.ts';
import { CONTRACT_WORDS } from '../../src/contract/words.ts';

const groups = Object.entries(VOCABULARY).map(([name, terms]) => ({
  name,
  terms: Object.entries(terms) as [string, Term][],
}));
const all = groups.flatMap(({ terms }) => terms.map(([, term]) => term));

/** Signs that stand between things, so that they can be no thing. */
const SEPARATORS = ['·', '•', '|', '/', '-', '–', '—', ',', ';', ':', '─', '│'];

describe('the signs of the vocabulary', () => {
  test('differ from each other, and are no separators', () => {
    const glyphs = all.map(({ glyph }) => glyph);
    expect(new Set(glyphs).size).toBe(glyphs.length);
    expect([...glyphs, ...all.map(({ ascii }) => ascii)].filter((sign) => SEPARATORS.includes(sign))).toEqual([]);
  });

  test('have one cell of a terminal', () => {
    expect(all.filter(({ glyph }) => [...glyph].length !== 1 || /\p{Emoji_Presentation}|\p{M}/u.test(glyph))).toEqual(
      [],
    );
  });

  test.each(groups)('have ASCII characters that differ within: $name', ({ terms }) => {
    const signs = terms.map(([, { ascii }]) => ascii);
    expect(new Set(signs).size).toBe(signs.length);
    for (const sign of signs) expect(sign).toMatch(/^[!-~]$/);
  });
});

describe('the words of the vocabulary', () => {
  test.each(groups)('are plain, and their short forms have at most 8 characters: $name', ({ terms }) => {
    for (const [code, { word, short, spoken }] of terms) {
      expect(
        [word, spoken].filter((text) => /_|^$/.test(text)),
        code,
      ).toEqual([]);
      expect(short, code).toMatch(/^[\w .]{1,8}$/);
    }
    for (const kind of ['word', 'short', 'spoken'] as const)
      expect(new Set(terms.map(([, term]) => term[kind])).size, kind).toBe(terms.length);
    expect(terms.map(([, { rank }]) => rank)).toEqual(terms.map((_, index) => index + 1));
  });
});

/** The relative luminance of `#rrggbb` [WCAG 2.2]. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** The page, the cards and the soft grounds of the panel and of reports. */
const GROUNDS = {
  light: ['#f3f5f8', '#ffffff', '#eef1f5', '#f8fafb', '#f5f7fa'],
  dark: ['#0e1217', '#161c24', '#1f2731', '#11171e', '#12161c', '#1a2029'],
} as const;

describe('the colours of the vocabulary', () => {
  test.each(COLOUR_TOKENS)('%s can be read on each ground, light and dark', (token) => {
    for (const mode of ['light', 'dark'] as const)
      for (const ground of GROUNDS[mode])
        expect(contrast(PALETTE[token][mode], ground), `${mode} ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  test('differ between tokens where a terminal or a page has more than 16', () => {
    for (const mode of ['light', 'dark'] as const)
      expect(new Set(COLOUR_TOKENS.map((token) => PALETTE[token][mode])).size).toBe(COLOUR_TOKENS.length);
  });
});

type Rgb = readonly [number, number, number];

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

/** The colours 16 to 255 of a terminal, as xterm defines them: a cube of 6 levels, then 24 greys. */
function indexedRgb(index: number): Rgb {
  const level = (n: number): number => (n === 0 ? 0 : 55 + 40 * n);
  const at = index - 16;
  return index >= 232
    ? [8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232)]
    : [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)];
}

/** What readers see of linear red, green and blue [Machado 2009]: all of it, without red, green or blue cones. */
const EYES = {
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

/** CIE 1976 L*a*b* of a colour as these readers see it; distances of 2.3 are just noticeable. */
function labOf(rgb: Rgb, eyes: keyof typeof EYES): Rgb {
  const linear = rgb.map((part) => part / 255).map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4));
  const [r = 0, g = 0, b = 0] = [0, 3, 6].map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        linear.reduce((sum, part, place) => sum + part * (EYES[eyes][row + place] as number), 0),
      ),
    ),
  );
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a: Rgb, b: Rgb, eyes: keyof typeof EYES = 'all'): number => {
  const [p, q] = [labOf(a, eyes), labOf(b, eyes)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
};

const shownBy = (token: ColourToken, ground: TerminalGround, depth: 8 | 24): Rgb => {
  const colour = terminalColour(token, ground, depth);
  return colour.startsWith('#') ? rgbOf(colour) : indexedRgb(Number(/\d+(?=\)$)/.exec(colour)?.[0]));
};

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const GROUND_COLOURS: Readonly<Record<TerminalGround, readonly string[]>> = {
  light: ['#ffffff'],
  dark: ['#000000', '#1e1e1e'],
  any: ['#000000', '#ffffff'],
  'blind-light': ['#ffffff'],
  'blind-dark': ['#000000', '#1e1e1e'],
};
const TERMINALS = (Object.keys(GROUND_COLOURS) as TerminalGround[]).flatMap((ground) =>
  ([8, 24] as const).map((depth) => ({ ground, depth })),
);

describe('the colours of a terminal with more than 16', () => {
  test.each(TERMINALS)('can be read on $ground ground with $depth bits', ({ ground, depth }) => {
    // Few of 256 colours lie in the middle between black and white.
    const least = ground === 'any' && depth === 8 ? 3 : 4.3;
    for (const token of COLOUR_TOKENS)
      for (const behind of GROUND_COLOURS[ground])
        expect(contrast(hexOf(shownBy(token, ground, depth)), behind), token).toBeGreaterThanOrEqual(least);
  });

  test.each(TERMINALS)('distinguish all tokens on $ground ground with $depth bits', ({ ground, depth }) => {
    const pairs = COLOUR_TOKENS.flatMap((a, place) => COLOUR_TOKENS.slice(place + 1).map((b) => [a, b] as const));
    const near = pairs
      .map(([a, b]) => ({ a, b, far: distance(shownBy(a, ground, depth), shownBy(b, ground, depth)) }))
      .filter(({ far }) => far < 10);
    expect(near).toEqual([]);
  });

  test.each([
    'blind-light',
    'blind-dark',
  ] as const)('distinguish the terms of a group for colour-blind readers: %s', (ground) => {
    const near = groups.flatMap(({ name, terms }) => {
      const tokens = [...new Set(terms.map(([, { token }]) => token))];
      const pairs = tokens.flatMap((a, place) => tokens.slice(place + 1).map((b) => [a, b] as const));
      return pairs.flatMap(([a, b]) =>
        (Object.keys(EYES) as (keyof typeof EYES)[])
          .filter((eyes) => distance(shownBy(a, ground, 24), shownBy(b, ground, 24), eyes) < 10)
          .map((eyes) => `${name}: ${a} and ${b} for ${eyes}`),
      );
    });
    expect(near).toEqual([]);
  });

  test('may be shared where there are 16, and the signs differ there', () => {
    for (const ground of Object.keys(GROUND_COLOURS) as TerminalGround[])
      for (const { name, terms } of groups) {
        const shown = terms.map(([, { token, glyph }]) => `${terminalColour(token, ground, 4)} ${glyph}`);
        expect(new Set(shown).size, name).toBe(shown.length);
      }
  });

  test('are written as the terminal reads them', () => {
    expect(([4, 8, 24] as const).map((depth) => sgrOf('red', 'any', depth))).toEqual([
      '31',
      '38;5;160',
      '38;2;227;34;43',
    ]);
    expect([
      sgrOf('blue', 'dark', 4),
      sgrOf('grey', 'light', 4),
      sgrOf('bold', 'any', 24),
      sgrOf('dim', 'any', 8),
    ]).toEqual(['94', '90', '1', '2']);
  });
});

const SRC = resolve(import.meta.dirname, '../../src');

/** All files of src but the vocabulary itself, without comments. */
const sources = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((path) => !path.endsWith('contract/resources/vocabulary.ts'))
  .map((path) => ({
    name: relative(SRC, path),
    code: readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
  }));

test('no screen has a sign of the vocabulary in a text of its own', () => {
  const signs = new Set(all.map(({ glyph }) => glyph).filter((glyph) => glyph > '~'));
  const found = sources
    .map(({ name, code }) => [name, [...new Set([...code].filter((sign) => signs.has(sign)))].sort().join('')] as const)
    .filter(([, texts]) => texts !== '');
  expect(found).toEqual([]);
});

/** Codes of one table stand as close to each other as this; characters. */
const APART = 200;
/** Two codes with a text may be a rule of their own; three are a table. */
const LEAST_CODES = 3;

/** The group of whose codes the file has a table to texts: as keys, as pairs of a list or a map, or as cases of a switch. */
function tableIn(code: string): string | null {
  const text = `(?:'[^'\\n]*[a-zA-Z][^'\\n]*'|"[^"\\n]*[a-zA-Z][^"\\n]*"|\`[^<\`\\n]*[a-zA-Z][^<\`\\n]*\`)`;
  for (const { name, terms } of groups) {
    const codes = terms.map(([one]) => one).join('|');
    const forms = [
      `(?<![\\w.])['"]?(${codes})['"]?: ?\\[?${text}`,
      `\\[['"](${codes})['"], ${text}`,
      `case '(${codes})':\\s*return ${text}`,
      `=== '(${codes})'\\s*\\? ${text}`,
    ];
    let [together, last] = [new Set<string>(), Number.NEGATIVE_INFINITY];
    for (const { index, 0: whole, ...found } of code.matchAll(new RegExp(forms.join('|'), 'g'))) {
      if (index - last > APART) together = new Set();
      together.add([1, 2, 3, 4].map((place) => found[place]).find((one) => one !== undefined) ?? '');
      if (together.size >= LEAST_CODES) return name;
      last = index + whole.length;
    }
  }
  return null;
}

/** Tables that are no words of a screen; each with its reason. */
const OTHER_TABLES: Readonly<Record<string, string>> = {
  'fleet/wearer/incapacitation.ts': 'names of what happened to a wearer',
  'watching/state/deliveries.ts': 'what follows from an attempt, in addition to its outcome',
};

test('a code of the API is explained with the word that the screens have for it', () => {
  const wordOf = (code: string, of: string) =>
    CONTRACT_WORDS.find((one) => one.word === code && one.of === of)?.facts['on screens'];
  expect(wordOf('pending', 'MissingStatus')).toBe('not arrived');
  expect(wordOf('fall_detected', 'AlertType')).toBe('fall');
  expect(wordOf('critical', 'Severity')).toBeUndefined();
});

describe('a table from the codes of a group to texts', () => {
  test('is in the vocabulary alone, and no exception is left over', () => {
    const found = sources.filter(({ code }) => tableIn(code) !== null).map(({ name }) => name);
    expect(found.toSorted()).toEqual(Object.keys(OTHER_TABLES).toSorted());
  });

  test.each([
    ['an object', "const W = { help: 'called', no_signal: 'silent', not_worn: 'off' };", 'People'],
    ['a map', "new Map([['critical', 'worst'], ['high', 'bad'], ['low', 'fine']]);", 'Severities'],
    [
      'a switch',
      "case 'lost': return 'gone';\ncase 'failed': return 'bad';\ncase 'waiting': return 'soon';",
      'Deliveries',
    ],
    ['a chain', "s === 'passed' ? 'ok' : s === 'failed' ? 'bad' : s === 'skipped' ? 'none' : ''", 'Checks'],
    ['lists of words', "const W = { sos: ['SOS', 1], earthquake: ['quake', 2], tsunami_risk: ['wave', 3] };", 'Alerts'],
    ['two codes alone', "const W = { help: 'called', no_signal: 'silent' };", null],
    ['functions', 'const W = { help: call, no_signal: search, not_worn: find };', null],
    ['words far apart', `{ help: 'a' }${' '.repeat(300)}{ safe: 'b' }${' '.repeat(300)}{ pending: 'c' }`, null],
  ])('is recognised by what it looks like: %s', (_what, code, group) => {
    expect(tableIn(code)).toBe(group);
  });
});
