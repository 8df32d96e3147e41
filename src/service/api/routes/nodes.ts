/** The nodes that share this sandbox's database and broker. Control token only. [cli, up] */
import { NodeList } from '../answers/node-list.ts';
import { type Route, route } from '../route.ts';

export const NODE_ROUTES: readonly Route[] = [
  route('GET', '/v1/sandbox/nodes', 'control', {
    operationId: 'listNodes',
    tag: 'Sandbox',
    summary: 'List the nodes',
    description:
      'The running nodes that share the database and the broker (`up --node`), each with its number of sites and destinations. The list is empty if the sandbox has only one process. Needs the control token.',
    answers: { 200: NodeList },
    handle: async ({ parts }) => ({ status: 200, body: { nodes: (await parts.nodes?.()) ?? [] } satisfies NodeList }),
  }),
];
