/** A collection for Bruno, in the format that it imports and exports. */
import type { OpenApi } from '../openapi/document.ts';
import { type CollectionBody, type CollectionRequest, collectionOf, VARIABLES } from './requests.ts';

export function brunoCollection(document: OpenApi): object {
  const { info, servers } = document;
  const variable = (name: string, value: string, secret: boolean) => ({
    name,
    value,
    enabled: true,
    type: 'text',
    secret,
  });
  const variables = Object.entries(VARIABLES).map(([name, { value, secret }]) => variable(name, value, secret));
  return {
    version: '1',
    name: info.title,
    items: collectionOf(document).map(({ name, requests }, n) => ({
      type: 'folder',
      seq: n + 1,
      name,
      items: requests.map(itemOf),
    })),
    environments: [{ name: 'sandbox', variables: [variable('base_url', servers[0]?.url ?? '', false), ...variables] }],
  };
}

const itemOf = (
  { name, description, method, path, query, body, token, sets }: CollectionRequest,
  n: number,
): object => ({
  type: 'http-request',
  seq: n + 1,
  name,
  request: {
    url: `{{base_url}}${path}`,
    method,
    headers: [],
    params: query.map((one) => ({
      name: one.name,
      value: '',
      description: one.description,
      type: 'query',
      enabled: false,
    })),
    auth: token === null ? { mode: 'none' } : { mode: 'bearer', bearer: { token: `{{${token}}}` } },
    body: bodyOf(body),
    script: {
      res: Object.entries(sets)
        .map(
          ([variable, from]) =>
            `if (res.status < 300) bru.setVar('${variable}', res.body.${from.replace('[0].', '[0]?.')});`,
        )
        .join('\n'),
    },
    docs: description,
  },
});

function bodyOf(body: CollectionBody | null): object {
  if (body === null) return { mode: 'none' };
  if (body.kind === 'json') return { mode: 'json', json: body.text };
  const formUrlEncoded = Object.entries(body.fields).map(([name, value]) => ({ name, value, enabled: true }));
  return { mode: 'formUrlEncoded', formUrlEncoded };
}
