/** The values of a flag without arguments, in a variable or in the settings. [cli] */
const SWITCHED: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  yes: true,
  on: true,
  '0': false,
  false: false,
  no: false,
  off: false,
  '': false,
};

/**
 * Reads the value of a flag without arguments from a variable or a setting. Returns undefined if it means neither yes
 * nor no.
 */
export const switchIn = (text: string): boolean | undefined => SWITCHED[text.toLowerCase()];
