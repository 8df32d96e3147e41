/** How many colours a terminal has, and whether it has glyphs, from what it says about itself in the environment. */

/** Bits of a colour, as `getColorDepth()` of Node counts them: 1 none, 4 the 16 named ones, 8 the 256, 24 all. */
type ColourDepth = 1 | 4 | 8 | 24;

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminals that have all colours, and whose name survives an SSH connection, which `COLORTERM` does not. */
const ALL_COLOURS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm)|-direct\d*$/;

/**
 * The colours that output may have. `NO_COLOR` turns them off, and so does anything but a terminal. `FORCE_COLOR` wins over
 * both: 0 is none, 1, 2 and 3 are 4, 8 and 24 bits, and any other text means what the terminal has.
 */
export function wantedDepth(env: Environment, isTerminal: boolean): ColourDepth {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env;
  switch (FORCE_COLOR) {
    case '0':
    case 'false':
      return 1;
    case '1':
      return 4;
    case '2':
      return 8;
    case '3':
      return 24;
    case '':
      return NO_COLOR === '' && isTerminal && TERM !== 'dumb' ? terminalDepth(env) : 1;
    default:
      return terminalDepth(env);
  }
}

/** The colours that the terminal certainly understands: unknown ones get the 16 named ones. */
export function terminalDepth({ TERM = '', COLORTERM = '', TMUX = '', WT_SESSION = '' }: Environment): 4 | 8 | 24 {
  const indexed = /-256colou?r/.test(TERM) ? 8 : 4;
  // The Linux console maps all colours to its 16. GNU screen passes the COLORTERM of the terminal outside on, and shows a
  // colour of 24 bits as something else. tmux converts all colours to those of the terminal outside.
  if (TERM === 'linux' || TERM === 'dumb') return 4;
  if (TERM.startsWith('screen') && TMUX === '') return indexed;
  const saysAll = COLORTERM === 'truecolor' || COLORTERM === '24bit' || WT_SESSION !== '';
  return saysAll || ALL_COLOURS.test(TERM) ? 24 : indexed;
}

/** The ground of the terminal, as `COLORFGBG` says it (`15;0`: white on black); null: it does not. */
export function terminalGround({ COLORFGBG = '' }: Environment): 'light' | 'dark' | null {
  const ground = /;(\d+)$/.exec(COLORFGBG)?.[1];
  if (ground === undefined) return null;
  return ground === '7' || ground === '15' ? 'light' : 'dark';
}

/** False if the terminal may show other characters instead of glyphs: by its locale, or because the Linux console has 256. */
export function hasGlyphs({ LC_ALL, LC_CTYPE, LANG, TERM }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || 'UTF-8';
  return TERM !== 'linux' && (/utf-?8/i.test(locale) || locale === 'C' || locale === 'POSIX');
}
