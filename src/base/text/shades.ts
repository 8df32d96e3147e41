/** Colours of pages, light and dark, in one place each. */

/** `--ink:light-dark(#1b2430,#e2e8f0);...` for a style sheet: the `color-scheme` of the element chooses. */
export const shades = (values: Readonly<Record<string, readonly [light: string, dark: string]>>): string =>
  Object.entries(values)
    .map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`)
    .join(';');
