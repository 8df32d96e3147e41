/** The methods of a path, for the answer to a wrong method on a known path. [decisions 1] */
import router, { type HTTPMethod } from 'find-my-way';

/** How Fastify finds routes too. */
export const ROUTER = { maxParamLength: 1_000 } as const;

/** The routes once more, in a router of Fastify's own kind: Fastify itself finds none for a wrong method. */
export class KnownPaths {
  readonly #routes = router(ROUTER);
  readonly #methods = new Set<HTTPMethod>();

  add(pattern: string, method: string | string[]): void {
    for (const one of [method].flat() as HTTPMethod[]) {
      this.#methods.add(one);
      if (this.#routes.findRoute(one, pattern) === null) this.#routes.on(one, pattern, () => {});
    }
  }

  /** Returns the methods of all patterns that the path matches, or none for an unknown path. */
  methodsOf(path: string): string[] {
    return [...this.#methods].filter((method) => this.#isRoute(method, path)).sort();
  }

  #isRoute(method: HTTPMethod, path: string): boolean {
    const { params = null } = this.#routes.find(method, path) ?? {};
    // The router lets a parameter be empty; `*` is the rest of a path, which may be.
    return params !== null && Object.entries(params).every(([name, value]) => name === '*' || value !== '');
  }
}
