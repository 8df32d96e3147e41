/** The names and ids that the action examples use, so that the examples can be rendered for any world. */

/** Of the default world: there each example works as it stands. */
export const DEFAULT_WORDS = {
  worker: 'W-014',
  /** A worker on an on-demand site. */
  veiled: 'W-067',
  site: 'Terminal Puerto Alerce',
  company: 'austral_metales_y_puertos',
  workArea: 'Container Yard',
  restricted: 'Tank Farm',
  /** Assembly points: one that serves every kind, one on the ground. */
  hill: 'Cerro Mirador',
  gate: 'Gate A',
} as const;

export type ExampleWords = { readonly [K in keyof typeof DEFAULT_WORDS]: string };

/** Placeholders that exist in no world: for the public documents. [decisions 4] */
export const NOBODYS_WORDS: ExampleWords = {
  worker: 'EX-014',
  veiled: 'EX-067',
  site: 'Example Works',
  company: 'example_works',
  workArea: 'Example Yard',
  restricted: 'Example Store',
  hill: 'Example Hill',
  gate: 'Example Gate',
};

/** The example with these words in the place of those of the default world. */
export function inWords<T extends object>(example: T, words: ExampleWords): T {
  const told = new Map(
    Object.entries(DEFAULT_WORDS).map(([key, word]) => [word as string, words[key as keyof ExampleWords]]),
  );
  const entries = Object.entries(example).map(([key, value]) => [
    key,
    typeof value === 'string' ? (told.get(value) ?? value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}
