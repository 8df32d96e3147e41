/** The methods of a path, for the answer to a wrong method on a known path. [decisions 1] */

/** Wildcards of a pattern: one part, or all that follow. */
const ANY = ':';
const REST = '*';

export class KnownPaths {
  readonly #methods = new Map<string, Set<string>>();

  add(pattern: string, method: string | string[]): void {
    const known = this.#methods.get(pattern) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    this.#methods.set(pattern, known);
  }

  /**
   * Returns the methods of all patterns that the path matches, or none for an unknown path. The path must be decodable.
   */
  methodsOf(path: string): string[] {
    const parts = decodeURI(path).split('/');
    const found = [...this.#methods].filter(([pattern]) => fits(pattern.split('/'), parts));
    return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort();
  }
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === REST) return pattern.slice(0, -1).every((part, place) => fitsPart(part, path[place]));
  return pattern.length === path.length && pattern.every((part, place) => fitsPart(part, path[place]));
}

function fitsPart(part: string, given: string | undefined): boolean {
  if (part.startsWith(ANY)) return given !== undefined && given !== '';
  return part === given;
}
