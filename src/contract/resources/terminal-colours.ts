/** The values of the colour tokens in a terminal: of its 16 named colours, of its 256, and of all. */
import { PALETTE } from './palette.ts';
import type { ColourToken } from './vocabulary.ts';

/** The names of a terminal's own palette, in the order of their SGR codes. */
const namedColours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type NamedColour = (typeof namedColours)[number] | `${(typeof namedColours)[number]}Bright` | 'gray';

/** Bits of a colour: 4 for the 16 named ones, 8 for 256, 24 for all. */
export type TokenDepth = 4 | 8 | 24;

/** As Ink writes colours. */
export type TerminalColour = NamedColour | `ansi256(${number})` | `#${string}`;

/**
 * On what a text stands: a ground that is known to be light or dark, one that is not known, or a ground on which
 * colour-blind readers distinguish the tokens by blue, yellow and lightness.
 */
export type TerminalGround = 'light' | 'dark' | 'any' | 'blind-light' | 'blind-dark';

/** Some tokens share a named colour; their signs and words differ. */
type TokenColours = readonly [named: NamedColour, indexed: number, all: `#${string}`];

const GROUNDS: Readonly<Record<TerminalGround, Readonly<Record<ColourToken, TokenColours>>>> = {
  light: {
    red: ['red', 124, PALETTE.red.light],
    orange: ['red', 130, PALETTE.orange.light],
    amber: ['magenta', 94, PALETTE.amber.light],
    ochre: ['magenta', 58, PALETTE.ochre.light],
    violet: ['magenta', 91, PALETTE.violet.light],
    blue: ['blue', 25, PALETTE.blue.light],
    teal: ['blue', 23, PALETTE.teal.light],
    green: ['green', 28, PALETTE.green.light],
    grey: ['gray', 241, PALETTE.grey.light],
  },
  dark: {
    red: ['redBright', 203, PALETTE.red.dark],
    orange: ['redBright', 208, PALETTE.orange.dark],
    amber: ['yellow', 221, PALETTE.amber.dark],
    ochre: ['yellow', 143, PALETTE.ochre.dark],
    violet: ['magentaBright', 176, PALETTE.violet.dark],
    blue: ['blueBright', 111, PALETTE.blue.dark],
    teal: ['cyan', 80, PALETTE.teal.dark],
    green: ['green', 78, PALETTE.green.dark],
    grey: ['gray', 247, PALETTE.grey.dark],
  },
  // As far from white as from black: 4.5:1 on both, and 3:1 where there are 256.
  any: {
    red: ['red', 160, '#e3222b'],
    orange: ['red', 166, '#c85000'],
    amber: ['yellow', 136, '#917000'],
    ochre: ['yellow', 64, '#737a2e'],
    violet: ['magenta', 134, '#a252cb'],
    blue: ['blue', 33, '#2f72dc'],
    teal: ['cyan', 30, '#00828f'],
    green: ['green', 28, '#1d8740'],
    grey: ['gray', 243, '#757575'],
  },
  'blind-light': {
    red: ['red', 160, '#d70000'],
    orange: ['red', 52, '#5f0000'],
    amber: ['magenta', 131, '#af5f5f'],
    ochre: ['magenta', 88, '#870000'],
    violet: ['black', 16, '#000000'],
    blue: ['blue', 24, '#005f87'],
    teal: ['blue', 18, '#000087'],
    green: ['blueBright', 21, '#0000ff'],
    grey: ['gray', 239, '#4e4e4e'],
  },
  'blind-dark': {
    red: ['yellowBright', 220, '#ffd700'],
    orange: ['yellowBright', 202, '#ff5f00'],
    amber: ['yellow', 173, '#d7875f'],
    ochre: ['yellow', 229, '#ffffaf'],
    violet: ['whiteBright', 139, '#af87af'],
    blue: ['gray', 69, '#5f87ff'],
    teal: ['white', 147, '#afafff'],
    green: ['blueBright', 123, '#87ffff'],
    grey: ['gray', 248, '#a8a8a8'],
  },
};

/** The colour of a token in the most colours that the terminal has. */
export function terminalColour(token: ColourToken, ground: TerminalGround, depth: TokenDepth): TerminalColour {
  const [named, indexed, all] = GROUNDS[ground][token];
  return depth === 24 ? all : depth === 8 ? `ansi256(${indexed})` : named;
}

/** How a text of a command stands out. */
export type Tone = ColourToken | 'bold' | 'dim';

/** Gives a text its tone, or returns it unchanged. */
export type Paint = (tone: Tone, text: string) => string;

/** The parameters of the SGR sequence that sets a tone: `1`, `31`, `38;5;160`, `38;2;227;34;43`. */
export function sgrOf(token: Tone, ground: TerminalGround, depth: TokenDepth): string {
  if (token === 'bold' || token === 'dim') return token === 'bold' ? '1' : '2';
  const [named, indexed, all] = GROUNDS[ground][token];
  if (depth === 24) return `38;2;${[1, 3, 5].map((at) => Number.parseInt(all.slice(at, at + 2), 16)).join(';')}`;
  if (depth === 8) return `38;5;${indexed}`;
  const base = namedColours.findIndex((name) => named.startsWith(name));
  return named === 'gray' ? '90' : String((named.endsWith('Bright') ? 90 : 30) + base);
}
