/** The nodes that share this sandbox's database and broker. Control token only. [cli, up] */
import { NodeList } from '../answers/node-list.ts';
import { type Route, route } from '../route.ts';

export const NODE_ROUTES: readonly Route[] = [
  route('GET', '/v1/sandbox/nodes', 'control', {
    operationId: 'listNodes',
    tag: 'Sandbox',
    summary: 'List the nodes',
    description:
      'The living nodes that share the database and the broker (`up --node`), with how many sites and destinations each works for. Empty for a sandbox of one process. Needs the control token.',
    answers: { 200: NodeList },
    handle: async ({ parts }) => ({ status: 200, body: { nodes: (await parts.nodes?.()) ?? [] } satisfies NodeList }),
  }),
];
