/** The order of texts by their characters, the same on every machine: no language of the reader decides. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
