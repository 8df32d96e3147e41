/** Builds that ignore one filter of one list, or find nothing by it: each filter that the contract declares. */
import { CONTRACT_OPERATIONS } from '../../../src/contract/operations/all.ts';
import { filtersIn } from '../../../src/proving/compare/judging/contract-routes.ts';
import type { Patch } from './deviating-service.ts';
import { type Deviating, decided, emptied, ignored } from './patches.ts';

/** Every list with an id in its path has it there, and is read with the id of a site. */
export const FILTERED = CONTRACT_OPERATIONS.filter(({ method }) => method === 'GET').flatMap((route) =>
  filtersIn(route).map((name) => ({ path: route.path, name })),
);

/** A patch of its own for each path of the route. */
function eachPath(path: string, made: (at: string) => Patch): Patch {
  const patches = new Map<string, Patch>();
  const pattern = new RegExp(`^${path.replace(/:[a-z_]+/g, '[^/]+')}$`);
  return (answer) => {
    if (!pattern.test(answer.path)) return undefined;
    const patch = patches.get(answer.path) ?? made(answer.path);
    patches.set(answer.path, patch);
    return patch(answer);
  };
}

export const FILTER_DEVIATIONS: readonly Deviating[] = FILTERED.flatMap(({ path, name }) => [
  decided(
    `${path} ${name} is ignored`,
    '[decisions 1]',
    eachPath(path, (at) => ignored(at, name)),
  ),
  decided(
    `${path} ${name} finds nothing`,
    '[decisions 1]',
    eachPath(path, (at) => emptied(at, name)),
  ),
]);
