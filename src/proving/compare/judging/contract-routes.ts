/** The operations of the contract, for judging answers and for making requests. [spec 4, decisions 1] */
import { RateLimiter } from '../../../service/api/access/limits.ts';
import type { Route } from '../../../service/api/route.ts';
import { allRoutes } from '../../../service/api/routes/all.ts';

export const CONTRACT_ROUTES: readonly Route[] = allRoutes(new RateLimiter()).filter(
  ({ path }) => !path.startsWith('/v1/sandbox/'),
);

/** Parameters that divide a list into pages, and are not filters. [decisions 1] */
export const PAGE_PARAMETERS: readonly string[] = ['limit', 'cursor'];

export const parametersIn = ({ query }: Route): string[] => Object.keys(query?.properties ?? {});

/** Names of the filters of a list. */
export const filtersIn = (route: Route): string[] =>
  parametersIn(route).filter((name) => !PAGE_PARAMETERS.includes(name));

export function routeOf({ method, path }: { readonly method: string; readonly path: string }): Route | undefined {
  const parts = path.split('/');
  return CONTRACT_ROUTES.find((route) => {
    const wanted = route.path.split('/');
    return (
      route.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, place) => part.startsWith(':') || part === parts[place])
    );
  });
}
