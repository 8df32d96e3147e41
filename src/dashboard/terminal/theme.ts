/** Roles and their colours, glyphs and their ASCII replacements: those of people and severities come from the vocabulary. What has no token uses the 16 named colours, so that the terminal's own palette applies. */
import type { MusterPhase, Severity } from '../../contract/enumerations.ts';
import {
  type TerminalColour,
  type TerminalGround,
  type TokenDepth,
  terminalColour,
} from '../../contract/resources/terminal-colours.ts';
import {
  type ColourToken,
  DELIVERY_TERMS,
  MUSTER_TERMS,
  PERSON_TERMS,
  SEVERITY_TERMS,
} from '../../contract/resources/vocabulary.ts';
import type { StatusRank } from '../../watching/state/people.ts';

/** The meaning of a cell, from which a theme derives its colour. */
export type Role = StatusRank | Severity | MusterPhase | OwnRole;

/** The resolution of the map: 2 x 4 dots per cell, 1 x 2, or one. */
export type MapMode = 'braille' | 'block' | 'ascii';

interface Glyphs extends Readonly<Record<StatusRank, string>> {
  readonly critical: string;
  readonly failed: string;
  readonly delivered: string;
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
  readonly dots: string;
  /** On both sides of the chosen mark on the map. */
  readonly ring: readonly [string, string];
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

/** The signs of the vocabulary. */
function glyphsOf(kind: 'glyph' | 'ascii') {
  const signs = Object.entries(PERSON_TERMS).map(([status, term]) => [status, term[kind]]);
  return {
    ...(Object.fromEntries(signs) as Record<StatusRank, string>),
    critical: SEVERITY_TERMS.critical[kind],
    failed: DELIVERY_TERMS.failed[kind],
    delivered: DELIVERY_TERMS.delivered[kind],
  };
}

const UNICODE: Glyphs = {
  ...glyphsOf('glyph'),
  excluded: '✕',
  origin: '✸',
  mark: '▌',
  truth: '+',
  unseen: '✚',
  full: '█',
  half: '▓',
  light: '▒',
  empty: '·',
  dots: '…',
  ring: ['(', ')'],
  sorted: '▾',
  by: '×',
  run: '▶',
  pause: '❚❚',
  shades: ['░', '▒', '▓', '█'],
  spark: '▁▂▃▄▅▆▇█',
  box: ['╭', '╮', '╯', '╰', '─', '│'],
};

const ASCII: Glyphs = {
  ...glyphsOf('ascii'),
  excluded: 'x',
  origin: '*',
  mark: '>',
  truth: '+',
  unseen: 'X',
  full: '=',
  half: '%',
  light: '+',
  empty: '.',
  dots: '...',
  ring: ['(', ')'],
  sorted: '*',
  by: 'x',
  run: '>',
  pause: '||',
  shades: ['3', '5', '9', '@'],
  spark: '_.-=+*#@',
  box: ['+', '+', '+', '+', '-', '|'],
};

/** The props of Ink's `Text`: colours and attributes. */
export interface Style {
  readonly color?: TerminalColour;
  readonly backgroundColor?: TerminalColour;
  readonly bold?: true;
  readonly inverse?: true;
  readonly dimColor?: true;
}

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

/** Terms that are bold, because somebody must act on them. */
const URGENT: readonly Role[] = ['rescue', 'critical'];

/** Roles that only the dashboard has. */
const OWN_ROLES = [
  ...(['plain', 'dim', 'bold', 'bar', 'outline', 'focus', 'selected', 'key'] as const),
  // On the map; `astray`: the line from a reported to a real position.
  ...(['truth', 'astray', 'target', 'restricted', 'forbidden', 'origin'] as const),
  // Badges in the title bar.
  ...(['broken', 'soon', 'over'] as const),
] as const;
type OwnRole = (typeof OWN_ROLES)[number];

/** The styles of a theme on a ground. */
function stylesOn(ground: TerminalGround, depth: TokenDepth): Readonly<Record<Role, Style>> {
  const colour = (token: ColourToken): TerminalColour => terminalColour(token, ground, depth);
  const isLight = ground === 'light' || ground === 'blind-light';
  // With 16 colours a badge keeps the pairs that every palette shows well; with more, its ground is that of the token.
  const badge = (token: ColourToken, named: TerminalColour, ink: TerminalColour): Style => ({
    bold: true,
    color: depth === 4 ? ink : isLight ? '#ffffff' : '#000000',
    backgroundColor: depth === 4 ? named : colour(token),
  });
  const warning = badge(MUSTER_TERMS.evacuating.token, 'yellow', 'black');
  const alarm = badge('red', 'red', 'whiteBright');
  const terms = Object.entries({ ...PERSON_TERMS, ...SEVERITY_TERMS }).map(([name, { token }]) => [
    name,
    URGENT.includes(name as Role) ? { bold: true, color: colour(token) } : { color: colour(token) },
  ]);
  const faint: Style = isLight ? { dimColor: true } : { color: 'gray' };
  return {
    ...(Object.fromEntries(terms) as Record<StatusRank | Severity, Style>),
    plain: {},
    dim: faint,
    bold: { bold: true },
    bar: { inverse: true },
    outline: faint,
    focus: { bold: true, color: depth === 4 ? 'cyan' : colour('teal') },
    truth: badge('violet', 'magenta', 'whiteBright'),
    astray: { color: depth === 4 ? 'magenta' : colour('violet') },
    target: { color: depth === 4 && !ground.startsWith('blind') ? 'green' : colour('green') },
    restricted: { color: depth === 4 ? 'yellow' : colour('amber') },
    forbidden: { color: depth === 4 && !ground.startsWith('blind') ? 'red' : colour('red') },
    origin: { bold: true, color: depth === 4 ? 'yellow' : colour('amber') },
    evacuating: warning,
    inspecting: badge(MUSTER_TERMS.inspecting.token, 'blue', 'whiteBright'),
    broken: alarm,
    soon: warning,
    over: alarm,
    selected: { inverse: true },
    key: { bold: true },
    ...(isLight ? { low: faint } : {}),
  };
}

function stylesOf(name: ThemeName, depth: TokenDepth, isLight: boolean): Readonly<Record<Role, Style>> {
  switch (name) {
    case 'dark':
      return stylesOn('dark', depth);
    case 'light':
      return stylesOn('light', depth);
    case 'contrast':
      return contrastStyles(stylesOn('dark', depth));
    case 'colour-blind':
      return stylesOn(isLight ? 'blind-light' : 'blind-dark', depth);
    case 'mono':
      return MONO;
  }
}

/** Nothing is faint, and named colours are the bright ones. */
function contrastStyles(dark: Readonly<Record<Role, Style>>): Readonly<Record<Role, Style>> {
  const bright = Object.entries(dark).map(([role, style]) => {
    const color = role in PERSON_TERMS || role in SEVERITY_TERMS ? BRIGHT[style.color ?? ''] : undefined;
    return [role, color === undefined ? style : { ...style, color }];
  });
  return {
    ...(Object.fromEntries(bright) as Record<Role, Style>),
    dim: { color: 'white' },
    outline: { color: 'white' },
    not_worn: { bold: true, color: 'whiteBright' },
    low: { color: 'white' },
  };
}

const BRIGHT: Readonly<Record<string, TerminalColour>> = {
  green: 'greenBright',
  cyan: 'cyanBright',
  yellow: 'yellowBright',
  gray: 'white',
};

const MONO = monoStyles();

/** Without colours, bold and reverse are used: bold for problems, reverse for urgent ones. */
function monoStyles(): Record<Role, Style> {
  const bold: readonly Role[] = ['bold', 'key', 'focus', 'help', 'critical', 'origin', 'wrong_point', 'high'];
  // The title bar is reversed, so a badge in it is not reversed.
  const badges: readonly Role[] = ['evacuating', 'inspecting', 'broken', 'soon', 'over', 'truth'];
  const roles = [
    ...Object.keys(PERSON_TERMS),
    ...Object.keys(SEVERITY_TERMS),
    'evacuating',
    'inspecting',
    ...OWN_ROLES,
  ];
  const styles = (roles as Role[]).map((name) => {
    const isBold = bold.includes(name) || badges.includes(name);
    if (name === 'bar' || name === 'selected') return [name, { inverse: true }];
    if (name === 'rescue') return [name, { bold: true, inverse: true }];
    return [name, isBold ? { bold: true } : {}];
  });
  return Object.fromEntries(styles) as Record<Role, Style>;
}

export interface TerminalColours {
  /** The colours that the terminal has; default: the 16 named ones. */
  readonly depth?: TokenDepth;
  /** True if the ground of the terminal is known to be light: the colour-blind theme has colours for both. */
  readonly isLight?: boolean;
}

interface ThemeOptions extends TerminalColours {
  readonly ascii?: boolean;
  readonly map?: MapMode;
}

/** Returns a theme by its name; `ascii`: for terminals whose font lacks the glyphs. */
export function theme(name: ThemeName, { ascii = false, map, depth = 4, isLight = false }: ThemeOptions = {}): Theme {
  return {
    name,
    map: map ?? (ascii ? 'ascii' : 'braille'),
    isAscii: ascii,
    glyphs: ascii ? ASCII : UNICODE,
    styles: stylesOf(name, depth, isLight),
  };
}
