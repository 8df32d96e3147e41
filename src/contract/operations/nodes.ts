/** The nodes that share this sandbox's database and broker. Control token only. [cli, up] */
import { NodeList } from '../resources/node-list.ts';
import { operation } from './operation.ts';

export const listNodes = operation('GET', '/v1/sandbox/nodes', 'control', {
  operationId: 'listNodes',
  tag: 'Sandbox',
  summary: 'List the nodes',
  description:
    'The running nodes that share the database and the broker (`up --node`), each with its number of sites and destinations. The list is empty if the sandbox has only one process. Needs the control token.',
  answers: { 200: NodeList },
});

export const NODE_OPERATIONS = [listNodes];
