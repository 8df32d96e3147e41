/** Roles and their colours, glyphs and their ASCII replacements. Only the 16 named colours are used, so that the terminal's own palette applies. */
import type { StatusRank } from '../../watching/state/people.ts';
import { STATUS_GLYPH } from '../../watching/state/words.ts';

/** The meaning of a cell, from which a theme derives its colour. */
export type Role = keyof typeof DARK;

/** The resolution of the map: 2 x 4 dots per cell, 1 x 2, or one. */
export type MapMode = 'braille' | 'block' | 'ascii';

interface Glyphs extends Readonly<Record<StatusRank, string>> {
  readonly excluded: string;
  readonly origin: string;
  readonly mark: string;
  /** The true position of a person with a reported position, and of a person without one. */
  readonly truth: string;
  readonly unseen: string;
  readonly full: string;
  readonly half: string;
  readonly light: string;
  readonly empty: string;
  readonly minus: string;
  readonly dots: string;
  /** Marks the column by which the rows are sorted. */
  readonly sorted: string;
  readonly by: string;
  readonly run: string;
  readonly pause: string;
  /** From few people to many. */
  readonly shades: readonly string[];
  readonly spark: string;
  /** Corners from the upper left clockwise, then the horizontal and the vertical line. */
  readonly box: readonly [string, string, string, string, string, string];
}

const UNICODE: Glyphs = {
  ...STATUS_GLYPH,
  excluded: '✕',
  origin: '✸',
  mark: '▌',
  truth: '+',
  unseen: '✚',
  full: '█',
  half: '▓',
  light: '▒',
  empty: '·',
  minus: '−',
  dots: '…',
  sorted: '▾',
  by: '×',
  run: '▶',
  pause: '❚❚',
  shades: ['░', '▒', '▓', '█'],
  spark: '▁▂▃▄▅▆▇█',
  box: ['╭', '╮', '╯', '╰', '─', '│'],
};

const ASCII: Glyphs = {
  safe: 'o',
  rescue: '!',
  help: '^',
  wrong_point: '#',
  pending: '.',
  no_signal: '?',
  not_worn: '-',
  person: 'o',
  excluded: 'x',
  origin: '*',
  mark: '>',
  truth: '+',
  unseen: 'X',
  full: '=',
  half: '%',
  light: '+',
  empty: '.',
  minus: '-',
  dots: '...',
  sorted: '*',
  by: 'x',
  run: '>',
  pause: '||',
  shades: ['3', '5', '9', '@'],
  spark: '_.-=+*#@',
  box: ['+', '+', '+', '+', '-', '|'],
};

/** The props of Ink's `Text`: the 16 named colours and attributes. */
export interface Style {
  readonly color?: Colour;
  readonly backgroundColor?: Colour;
  readonly bold?: true;
  readonly inverse?: true;
  readonly dimColor?: true;
}

type Colour =
  | ('black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white' | 'gray')
  | ('redBright' | 'greenBright' | 'yellowBright' | 'blueBright' | 'magentaBright' | 'cyanBright' | 'whiteBright');

/** True if badges have no background, so that they need brackets. */
export const isColourless = ({ name }: Theme): boolean => name === 'mono';

export interface Theme {
  readonly name: ThemeName;
  readonly map: MapMode;
  /** True if only ASCII is written, except for the dots of a map that `--map` requests. */
  readonly isAscii: boolean;
  readonly glyphs: Glyphs;
  /** An empty style uses the terminal's default. */
  readonly styles: Readonly<Record<Role, Style>>;
}

export const THEME_NAMES = ['dark', 'light', 'contrast', 'colour-blind', 'mono'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

const DARK = {
  plain: {},
  dim: { color: 'gray' },
  bold: { bold: true },
  bar: { inverse: true },
  outline: { color: 'gray' },
  focus: { bold: true, color: 'cyan' },
  safe: { color: 'green' },
  rescue: { bold: true, color: 'redBright' },
  help: { color: 'redBright' },
  wrong_point: { color: 'magentaBright' },
  pending: { color: 'cyan' },
  no_signal: { color: 'yellow' },
  not_worn: { color: 'blueBright' },
  person: { color: 'cyan' },
  truth: { bold: true, color: 'whiteBright', backgroundColor: 'magenta' },
  astray: { color: 'magenta' },
  target: { color: 'green' },
  restricted: { color: 'yellow' },
  forbidden: { color: 'red' },
  origin: { bold: true, color: 'yellow' },
  critical: { bold: true, color: 'redBright' },
  high: { color: 'yellow' },
  medium: { color: 'cyan' },
  low: { color: 'gray' },
  evacuating: { bold: true, color: 'black', backgroundColor: 'yellow' },
  inspecting: { bold: true, color: 'whiteBright', backgroundColor: 'blue' },
  broken: { bold: true, color: 'whiteBright', backgroundColor: 'red' },
  soon: { bold: true, color: 'black', backgroundColor: 'yellow' },
  over: { bold: true, color: 'whiteBright', backgroundColor: 'red' },
  selected: { inverse: true },
  key: { bold: true },
} satisfies Record<string, Style>;

const COLOURS: Record<ThemeName, Record<Role, Style>> = {
  dark: DARK,
  light: {
    ...DARK,
    dim: { dimColor: true },
    outline: { dimColor: true },
    pending: { color: 'blue' },
    person: { color: 'blue' },
    wrong_point: { color: 'magenta' },
    rescue: { bold: true, color: 'red' },
    help: { color: 'red' },
    high: { color: 'magenta' },
    medium: { color: 'blue' },
    low: { dimColor: true },
    critical: { bold: true, color: 'red' },
  },
  contrast: {
    ...DARK,
    dim: { color: 'white' },
    outline: { color: 'white' },
    safe: { bold: true, color: 'greenBright' },
    pending: { bold: true, color: 'cyanBright' },
    person: { bold: true, color: 'cyanBright' },
    no_signal: { bold: true, color: 'yellowBright' },
    not_worn: { bold: true, color: 'whiteBright' },
    low: { color: 'white' },
    high: { bold: true, color: 'yellowBright' },
  },
  // Blue, yellow and white can be distinguished with every colour blindness; shape and word distinguish the rest.
  'colour-blind': {
    ...DARK,
    safe: { color: 'blueBright' },
    target: { color: 'blueBright' },
    rescue: { bold: true, color: 'yellowBright' },
    help: { color: 'yellowBright' },
    wrong_point: { color: 'whiteBright' },
    pending: { color: 'white' },
    person: { color: 'white' },
    no_signal: { color: 'yellow' },
    not_worn: { color: 'gray' },
    critical: { bold: true, color: 'yellowBright' },
    forbidden: { color: 'yellowBright' },
    high: { color: 'yellow' },
  },
  mono: monoStyles(),
};

/** Without colours, bold and reverse are used: bold for problems, reverse for urgent ones. */
function monoStyles(): Record<Role, Style> {
  const bold: readonly Role[] = ['bold', 'key', 'focus', 'help', 'critical', 'origin', 'wrong_point', 'high'];
  // The title bar is reversed, so a badge in it is not reversed.
  const badges: readonly Role[] = ['evacuating', 'inspecting', 'broken', 'soon', 'over', 'truth'];
  const styles = Object.keys(DARK).map((role) => {
    const name = role as Role;
    const isBold = bold.includes(name) || badges.includes(name);
    if (name === 'bar' || name === 'selected') return [name, { inverse: true }];
    if (name === 'rescue') return [name, { bold: true, inverse: true }];
    return [name, isBold ? { bold: true } : {}];
  });
  return Object.fromEntries(styles) as Record<Role, Style>;
}

/** Returns a theme by its name; `ascii`: for terminals whose font lacks the glyphs. */
export function theme(name: ThemeName, options: { ascii?: boolean; map?: MapMode } = {}): Theme {
  const ascii = options.ascii === true;
  return {
    name,
    map: options.map ?? (ascii ? 'ascii' : 'braille'),
    isAscii: ascii,
    glyphs: ascii ? ASCII : UNICODE,
    styles: COLOURS[name],
  };
}
