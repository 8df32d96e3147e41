/** The methods of a path, for the answer to a wrong method on a known path. [decisions 1] */
import router, { type HTTPMethod } from 'find-my-way';

/** How Fastify finds routes too. */
export const ROUTER = { maxParamLength: 1_000 } as const;

/** The routes once more, in a router of Fastify's own kind: Fastify itself finds none for a wrong method. */
export class KnownPaths {
  readonly #patterns = new Map<HTTPMethod, Set<string>>();
  /** Built for the first unknown route: a quarter of the time in which a sandbox builds its server. */
  #router: ReturnType<typeof router> | null = null;

  add(pattern: string, method: string | string[]): void {
    for (const one of [method].flat() as HTTPMethod[]) {
      const patterns = this.#patterns.get(one) ?? new Set();
      this.#patterns.set(one, patterns.add(pattern));
    }
  }

  /** Returns the methods of all patterns that the path matches, or none for an unknown path. */
  methodsOf(path: string): string[] {
    return [...this.#patterns.keys()].filter((method) => this.#isRoute(method, path)).sort();
  }

  #isRoute(method: HTTPMethod, path: string): boolean {
    this.#router ??= this.#built();
    const { params = null } = this.#router.find(method, path) ?? {};
    // The router lets a parameter be empty; `*` is the rest of a path, which may be.
    return params !== null && Object.entries(params).every(([name, value]) => name === '*' || value !== '');
  }

  #built(): ReturnType<typeof router> {
    const built = router(ROUTER);
    for (const [method, patterns] of this.#patterns) for (const one of patterns) built.on(method, one, () => {});
    return built;
  }
}
