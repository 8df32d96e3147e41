/** The values of flags that come from a variable or from the settings. [cli] */

/** The source of a value from the settings file, for commander. */
export const SETTINGS = 'config';

/** The values of a flag without arguments. */
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
