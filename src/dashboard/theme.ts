/** How things look: roles and their colours, glyphs and their ASCII ladder. Only the 16 named colours are used, so that the terminal's own palette rules. */

/** What a cell is about; a theme gives it its colour. */
export const ROLES = [
  'plain',
  'dim',
  'bold',
  'bar',
  'outline',
  'focus',
  'safe',
  'help',
  'wrong_point',
  'pending',
  'no_signal',
  'not_worn',
  'person',
  'truth',
  'astray',
  'target',
  'restricted',
  'forbidden',
  'origin',
  'critical',
  'high',
  'medium',
  'low',
  'evacuating',
  'inspecting',
  'broken',
  'selected',
  'key',
] as const;
export type Role = (typeof ROLES)[number];

/** How the map is drawn: 2 x 4 dots a cell, 1 x 2, or one. */
export type MapMode = 'braille' | 'block' | 'ascii';

export interface Glyphs {
  readonly safe: string;
  readonly help: string;
  readonly wrong_point: string;
  readonly pending: string;
  readonly no_signal: string;
  readonly not_worn: string;
  readonly excluded: string;
  readonly origin: string;
  readonly mark: string;
  /** Where somebody truly is: who is seen too, and who is not. */
  readonly truth: string;
  readonly unseen: string;
  readonly full: string;
  readonly half: string;
  readonly light: string;
  readonly empty: string;
  readonly minus: string;
  readonly dots: string;
  readonly by: string;
  readonly run: string;
  readonly pause: string;
  /** From few to many. */
  readonly shades: readonly string[];
  readonly spark: string;
  /** Corners from the upper left clockwise, then the horizontal and the vertical line. */
  readonly box: readonly [string, string, string, string, string, string];
}

const UNICODE: Glyphs = {
  safe: '●',
  help: '▲',
  wrong_point: '◆',
  pending: '·',
  no_signal: '○',
  not_worn: '◌',
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
  by: '×',
  run: '▶',
  pause: '❚❚',
  shades: ['░', '▒', '▓', '█'],
  spark: '▁▂▃▄▅▆▇█',
  box: ['╭', '╮', '╯', '╰', '─', '│'],
};

const ASCII: Glyphs = {
  safe: 'o',
  help: '!',
  wrong_point: '#',
  pending: '.',
  no_signal: '?',
  not_worn: '-',
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
  by: 'x',
  run: '>',
  pause: '||',
  shades: ['3', '5', '9', '@'],
  spark: '_.-=+*#@',
  box: ['+', '+', '+', '+', '-', '|'],
};

export interface Theme {
  readonly name: ThemeName;
  readonly map: MapMode;
  /** Nothing but ASCII is written, but for the dots of a map that was asked for. */
  readonly isAscii: boolean;
  readonly glyphs: Glyphs;
  /** The parameters of SGR for a role; empty: as the terminal writes. */
  readonly sgr: Readonly<Record<Role, string>>;
}

export const THEME_NAMES = ['dark', 'light', 'contrast', 'colour-blind', 'mono'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

const DARK: Record<Role, string> = {
  plain: '',
  dim: '90',
  bold: '1',
  bar: '7',
  outline: '90',
  focus: '1;36',
  safe: '32',
  help: '1;91',
  wrong_point: '95',
  pending: '36',
  no_signal: '33',
  not_worn: '94',
  person: '36',
  truth: '1;97;45',
  astray: '35',
  target: '32',
  restricted: '33',
  forbidden: '31',
  origin: '1;33',
  critical: '1;91',
  high: '33',
  medium: '36',
  low: '90',
  evacuating: '1;30;43',
  inspecting: '1;97;44',
  broken: '1;97;41',
  selected: '7',
  key: '1',
};

const COLOURS: Record<ThemeName, Record<Role, string>> = {
  dark: DARK,
  light: {
    ...DARK,
    dim: '2',
    outline: '2',
    pending: '34',
    person: '34',
    wrong_point: '35',
    help: '1;31',
    high: '35',
    medium: '34',
    low: '2',
    critical: '1;31',
  },
  contrast: {
    ...DARK,
    dim: '37',
    outline: '37',
    safe: '1;92',
    pending: '1;96',
    person: '1;96',
    no_signal: '1;93',
    not_worn: '1;97',
    low: '37',
    high: '1;93',
  },
  // Blue, yellow and white are told apart by everybody; shape and word say the rest.
  'colour-blind': {
    ...DARK,
    safe: '94',
    target: '94',
    help: '1;93',
    wrong_point: '97',
    pending: '37',
    person: '37',
    no_signal: '33',
    not_worn: '90',
    critical: '1;93',
    forbidden: '93',
    high: '33',
  },
  mono: Object.fromEntries(ROLES.map((role) => [role, ''])) as Record<Role, string>,
};

/** A theme by its name; `ascii` for terminals whose font has no such glyphs. */
export function theme(name: ThemeName, options: { ascii?: boolean; map?: MapMode } = {}): Theme {
  const ascii = options.ascii === true;
  return {
    name,
    map: options.map ?? (ascii ? 'ascii' : 'braille'),
    isAscii: ascii,
    glyphs: ascii ? ASCII : UNICODE,
    sgr: COLOURS[name],
  };
}
