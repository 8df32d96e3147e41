/** Names and ids in the examples of actions, replaceable for any world, and the worker of example commands. */

/** Apart from the others, because pages need it alone. */
export const DEFAULT_WORKER = 'W-014';

/** Words of the default world, in which the examples work unchanged. */
export const DEFAULT_WORDS = {
  worker: DEFAULT_WORKER,
  /** A worker on an on-demand site. */
  veiled: 'W-067',
  site: 'Terminal Puerto Alerce',
  company: 'austral_metales_y_puertos',
  workArea: 'Container Yard',
  restricted: 'Tank Farm',
  /** An assembly point that serves every kind, and one on the ground. */
  hill: 'Cerro Mirador',
  gate: 'Gate A',
} as const;

export type ExampleWords = { readonly [K in keyof typeof DEFAULT_WORDS]: string };

/** Placeholders for the public documents. [decisions 4] */
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

/** Replaces the default words of an example. */
export function inWords<T extends object>(example: T, words: ExampleWords): T {
  const replaced = new Map(
    Object.entries(DEFAULT_WORDS).map(([key, word]) => [word as string, words[key as keyof ExampleWords]]),
  );
  const entries = Object.entries(example).map(([key, value]) => [
    key,
    typeof value === 'string' ? (replaced.get(value) ?? value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}

/**
 * The worker in the example commands of all screens: the one with the lowest code, because workers arrive in any order.
 * `codeOf` returns null for workers who are no example, such as those who do not work any more. Null: there is none.
 */
export function exampleWorkerOf<W>(workers: Iterable<W>, codeOf: (worker: W) => string | null): W | null {
  let [example, lowest]: [W | null, string] = [null, ''];
  for (const worker of workers) {
    const code = codeOf(worker);
    if (code !== null && (example === null || code < lowest)) [example, lowest] = [worker, code];
  }
  return example;
}
