/** The values of the colour tokens on pages; src/contract/resources/terminal-colours.ts has those of terminals. */
import { COLOUR_TOKENS, type ColourToken, PERSON_TERMS, type PersonTerm, SEVERITY_TERMS } from './vocabulary.ts';

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

/** `--red:#b8141c;...`, for a style sheet. */
export const colourVariables = (mode: 'light' | 'dark'): string =>
  COLOUR_TOKENS.map((token) => `--${token}:${PALETTE[token][mode]}`).join(';');

/** The terms that have a colour of their own on pages: `--wrong_point:var(--violet);...`. */
const COLOURED: Readonly<Record<string, { readonly token: ColourToken }>> = { ...PERSON_TERMS, ...SEVERITY_TERMS };

/** The variables of all terms of people and of severities, for a style sheet. */
export const TERM_VARIABLES = Object.entries(COLOURED)
  .map(([term, { token }]) => `--${term}:var(--${token})`)
  .join(';');

/** A rule for each status of a person: `rule('help')` and so on, joined. */
export const personRules = (rule: (status: PersonTerm) => string): string =>
  (Object.keys(PERSON_TERMS) as PersonTerm[]).map(rule).join('');
