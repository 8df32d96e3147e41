/** The values of the colour tokens on pages; src/contract/resources/terminal-colours.ts has those of terminals. */
import { COLOUR_TOKENS, type ColourToken, PERSON_TERMS, SEVERITY_TERMS } from './vocabulary.ts';

interface Shade {
  /** On a light page, and on a dark one; each at least 4.5:1 on its grounds. */
  readonly light: `#${string}`;
  readonly dark: `#${string}`;
}

export const PALETTE: Readonly<Record<ColourToken, Shade>> = {
  red: { light: '#b8141c', dark: '#ff7a70' },
  orange: { light: '#a84300', dark: '#f59a55' },
  amber: { light: '#7a5c00', dark: '#e8c547' },
  ochre: { light: '#6b6014', dark: '#c9b35c' },
  violet: { light: '#7a2fa8', dark: '#d08fe8' },
  blue: { light: '#1f56b0', dark: '#86aef5' },
  teal: { light: '#0b6b7e', dark: '#4fc3d6' },
  green: { light: '#12703f', dark: '#46c486' },
  grey: { light: '#556070', dark: '#9aa7b8' },
};

/** The values by the names of the tokens, for a style sheet. */
export const TOKEN_SHADES = Object.fromEntries(
  COLOUR_TOKENS.map((token) => [token, [PALETTE[token].light, PALETTE[token].dark] as const]),
);

const COLOURED: Readonly<Record<string, { readonly token: ColourToken }>> = { ...PERSON_TERMS, ...SEVERITY_TERMS };

/** `--rescue:var(--red);...` for a style sheet: the terms that also colour what has no class of its term. */
export const TERM_VARIABLES = ['rescue', 'safe', ...Object.keys(SEVERITY_TERMS)]
  .map((term) => `--${term}:var(--${COLOURED[term]?.token})`)
  .join(';');

/** A rule for each term of people and of severities: `rule('help', 'orange')` and so on, joined. */
export const termRules = (rule: (term: string, token: ColourToken) => string): string =>
  Object.entries(COLOURED)
    .map(([term, { token }]) => rule(term, token))
    .join('');
