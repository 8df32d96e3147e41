/** The nodes that share this sandbox's database and broker. Control token only. [cli, up] */
import { listNodes } from '../../../contract/operations/nodes.ts';
import type { NodeList } from '../../../contract/resources/node-list.ts';
import { type Route, route } from '../route.ts';

export const NODE_ROUTES: readonly Route[] = [
  route(listNodes, async ({ parts }) => ({
    status: 200,
    body: { nodes: (await parts.nodes?.()) ?? [] } satisfies NodeList,
  })),
];
