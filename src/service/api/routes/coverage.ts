/** What of the contract the clients have met. [decisions 9] */
import { getCoverage } from '../../../contract/operations/coverage.ts';
import { type Route, route } from '../route.ts';

export const COVERAGE_ROUTES: readonly Route[] = [
  route(getCoverage, async ({ parts, principal, read }) => {
    const only = principal.kind === 'client' ? principal.client.organizationId : null;
    return { status: 200, body: await read((world) => parts.coverage.view(world, only)) };
  }),
];
