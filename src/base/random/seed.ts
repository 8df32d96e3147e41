/** Seeds as text. The reader loads no generator, because small commands take a seed too. */

/**
 * The seed that a text writes as a whole number, in its shortest form; null for any other text. The limit is that of the
 * key `seed` of a scenario.
 */
export const seedIn = (text: string): string | null =>
  /^\d{1,20}$/.test(text) && Number.isSafeInteger(Number(text)) ? String(Number(text)) : null;
